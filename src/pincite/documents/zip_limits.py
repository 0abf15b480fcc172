"""Reads members of a zip with an eye on how much comes out: sizes in headers are not trusted."""

import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO

from pincite.documents.request import ReadRequest

CHUNK = 1024 * 1024
_ENCRYPTED = 0x1


@contextmanager
def opened(given: ReadRequest) -> Iterator[zipfile.ZipFile]:
    """The archive in a file's bytes."""
    try:
        archive = zipfile.ZipFile(BytesIO(given.data))
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError) as error:
        raise given.failure("damaged", f"cannot be unpacked ({error}); copy it again, or save it anew") from None
    with archive:
        if len(archive.infolist()) > given.limits.members:
            given.spent.members = given.limits.members
            given.spent.member(given.name)
        yield archive


def unpack(given: ReadRequest, archive: zipfile.ZipFile, info: zipfile.ZipInfo, name: str) -> bytes:
    """The bytes of a member. `name` is what an error calls it."""
    if info.flag_bits & _ENCRYPTED:
        raise _named(given, name).failure("encrypted", "needs a password; unpack it with the password and read that")
    given.spent.member(given.name)
    chunks: list[bytes] = []
    size = 0
    try:
        with archive.open(info) as member:
            while chunk := member.read(CHUNK):
                size += len(chunk)
                given.spent.bytes(given.name, len(chunk))
                given.spent.ratio(name, min(info.compress_size, len(given.data)), size)
                chunks.append(chunk)
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, NotImplementedError) as error:
        raise _named(given, name).failure("damaged", f"cannot be unpacked ({error}); copy it again") from None
    return b"".join(chunks)


def _named(given: ReadRequest, name: str) -> ReadRequest:
    return ReadRequest(b"", name, given.document_id, given.limits)
