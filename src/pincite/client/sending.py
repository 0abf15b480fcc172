"""How requests are sent: where to, with which key, how often again, and what is said when it fails."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any
from uuid import uuid4

from pincite.client.calls import Call
from pincite.client.errors import ClientError, ServerProblem
from pincite.client.models import UploadJob
from pincite.errors import UsageError

BUSY, TOO_MANY = (429, 503), 429
"""The server did not begin: anything may be sent again, but for files after 503, which it may have received."""
BROKEN = (0, 502, 504)
"""Something between broke. A change may be sent again, too: its key says that it is the same one."""
IN_PROGRESS, PAUSE = "urn:pincite:problem:in-progress", 1.0
"""The same change was sent before and is still being made: asked again after so many seconds."""
LONGEST_WAIT = 30.0
"""Seconds that are waited at most before a request is sent again."""


@dataclass(frozen=True, slots=True)
class Connection:
    """A server, a key, and how patient the client is."""

    url: str
    key: str = ""
    timeout: float = 60.0
    retries: int = 3

    def __post_init__(self) -> None:
        if not self.url.startswith(("http://", "https://")):
            raise UsageError(f"{self.url!r} is no address of a server; write it as http://127.0.0.1:8080")
        if self.retries < 0 or self.timeout <= 0:
            raise UsageError("retries must be 0 or more, and timeout above 0")

    @property
    def base(self) -> str:
        return self.url.rstrip("/")

    @property
    def headers(self) -> dict[str, str]:
        return {"authorization": f"Bearer {self.key}"} if self.key else {}

    def pause(self, attempt: int, headers: Mapping[str, str]) -> float:
        """Seconds to wait before the next attempt: what the server says, else longer each time."""
        said = headers.get("retry-after", "")
        return min(LONGEST_WAIT, float(said) if said.isdecimal() else 0.25 * 2**attempt)

    def headers_of(self, call: Call[Any]) -> dict[str, str]:
        """The headers of all attempts at a request: those of a change have the same key."""
        key = {"idempotency-key": uuid4().hex} if call.is_change and self.retries else {}
        return {**call.headers, **key}

    def again(self, call: Call[Any], attempt: int, status: int) -> bool:
        """Whether a request that got this status is sent again; 0 for a broken connection."""
        if attempt >= self.retries:
            return False
        return status in BROKEN or (status == TOO_MANY if call.files else status in BUSY)

    def unreachable(self, error: Exception) -> ClientError:
        return ClientError(f"{self.base}: cannot be reached ({error or type(error).__name__}); is the server running?")


def is_in_progress(status: int, content: bytes) -> bool:
    """Whether the server is still making the change that was sent before."""
    return status == 409 and IN_PROGRESS.encode() in content


def answer_of(call: Call[Any], status: int, content: bytes) -> Any:
    """What the server sent, read; a problem that it reports is raised. Files that all failed are one problem, too."""
    if status < 400 and call.is_binary:
        return call.read(content)
    try:
        body = json.loads(content)
    except ValueError:
        raise ClientError(f"status {status} and no JSON came back; is it a Pincite server?") from None
    if status >= 400:
        raise ServerProblem(status, body if isinstance(body, dict) else {})
    try:
        return call.read(body)
    except (KeyError, TypeError) as error:
        raise ClientError(f"the answer lacks {error}; is the server of the same version?") from None


def check_version(base: str, said: Mapping[str, Any]) -> None:
    """Raises where server and client are of different versions; a last number that differs is no difference."""
    ours, theirs = version("pincite"), str(said.get("version") or "an earlier version")
    if theirs.split(".")[:2] != ours.split(".")[:2]:
        raise ClientError(
            f"{base} runs Pincite {theirs}, this client is of {ours}; install the same version on both sides, "
            "or pass check=False"
        )


def still_reading(job: UploadJob, seconds: float) -> ClientError:
    return ClientError(
        f"the upload {job.id} is not done after {seconds:g} seconds ({job.done} of {job.of} files); it goes on: ask "
        "again with wait or job"
    )
