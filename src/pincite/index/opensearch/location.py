"""Where a collection lies on a cluster, and with which credentials it is reached."""

import os
import re
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

from pincite.errors import UsageError

SCHEMES = {"opensearch": False, "opensearchs": True}
"""The schemes of addresses, and whether they mean TLS."""
PORT = 9200
NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,99}")
USER, PASSWORD = "PINCITE_OPENSEARCH_USER", "PINCITE_OPENSEARCH_PASSWORD"
CREDENTIALS = "PINCITE_OPENSEARCH_CREDENTIALS"
"""The environment variable that names a file with `user:password` in its first line."""
AUTHORITY = "PINCITE_OPENSEARCH_CA"
"""The environment variable that names the certificates that a cluster is trusted by."""
SHAPE = {"shards": 1, "replicas": 1}
"""The shape of a new collection, unless its address says otherwise."""
EXAMPLE = "opensearch://127.0.0.1:9200/contracts"


@dataclass(frozen=True, slots=True)
class ClusterLocation:
    """An address such as opensearch://one:9200,two:9200/contracts?shards=6&replicas=1.

    >>> ClusterLocation.of("opensearch://127.0.0.1/contracts")
    ClusterLocation(hosts=(('127.0.0.1', 9200),), name='contracts', tls=False, shards=1, replicas=1)
    """

    hosts: tuple[tuple[str, int], ...]
    name: str
    tls: bool = False
    shards: int = SHAPE["shards"]
    replicas: int = SHAPE["replicas"]

    @classmethod
    def of(cls, address: str) -> "ClusterLocation":
        parts = urlsplit(address)
        if "@" in parts.netloc:
            raise UsageError(
                f"credentials do not belong into an address, which ends up in logs; set {USER} and {PASSWORD}, "
                f"or {CREDENTIALS} to the name of a file"
            )
        name = parts.path.strip("/")
        if not NAME.fullmatch(name):
            raise UsageError(
                f"{name!r} is no name of a collection; use lower-case letters, digits, - and _, as in {EXAMPLE}"
            )
        hosts = tuple(_host(part, address) for part in parts.netloc.split(","))
        return cls(hosts, name, SCHEMES[parts.scheme], **_shape(parts.query))

    def __str__(self) -> str:
        hosts = ",".join(f"{host}:{port}" for host, port in self.hosts)
        return f"opensearch{'s' * self.tls}://{hosts}/{self.name}"


def is_cluster(location: str | Path) -> bool:
    """Whether a location is an address of a cluster.

    >>> is_cluster("opensearch://127.0.0.1:9200/contracts"), is_cluster("contracts.pincite")
    (True, False)
    """
    return str(location).partition("://")[0] in SCHEMES and "://" in str(location)


def credentials() -> tuple[str, str] | None:
    """The user and password of the environment or of the file that it names; None where there are none."""
    if file := os.environ.get(CREDENTIALS):
        try:
            first = Path(file).read_text("utf-8").splitlines()[0]
        except (OSError, IndexError, UnicodeDecodeError):
            raise UsageError(f"{CREDENTIALS}: {file} cannot be read; write user:password into its first line") from None
        user, colon, password = first.partition(":")
        if not colon:
            raise UsageError(f"{CREDENTIALS}: the first line of {file} is not user:password")
        return user, password
    user, given = os.environ.get(USER, ""), os.environ.get(PASSWORD, "")
    if bool(user) != bool(given):
        raise UsageError(f"set both {USER} and {PASSWORD}, or neither")
    return (user, given) if user else None


def authority() -> str | None:
    """The file of certificates that the environment names; None for those of the system."""
    file = os.environ.get(AUTHORITY)
    if file and not Path(file).is_file():
        raise UsageError(f"{AUTHORITY}: there is no file {file}")
    return file or None


def _host(part: str, address: str) -> tuple[str, int]:
    host, _, port = part.partition(":")
    if not host or (port and not port.isdecimal()):
        raise UsageError(f"{address!r} is no address of a cluster; write host:port, as in {EXAMPLE}")
    return host, int(port or PORT)


def _shape(query: str) -> dict[str, int]:
    shape = {}
    for key, value in parse_qsl(query, keep_blank_values=True):
        if key not in SHAPE or not value.isdecimal() or (key == "shards" and not 0 < int(value) <= 1000):
            raise UsageError(f"{key}={value} is no part of an address; it may name: {', '.join(SHAPE)}")
        shape[key] = int(value)
    return shape
