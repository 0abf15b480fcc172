"""What can go wrong between a client and a server."""

from typing import Any

from pincite.errors import PinciteError


class ClientError(PinciteError):
    """The server cannot be reached, is of another version, or sent something that no Pincite server sends."""


class ServerProblem(ClientError):  # noqa: N818 - what RFC 9457 calls it
    """The server refused a request: `status` and `type` for programs, the message for people (RFC 9457)."""

    def __init__(self, status: int, body: dict[str, Any]) -> None:
        self.status = status
        self.type = str(body.get("type", "")).removeprefix("urn:pincite:problem:")
        self.request_id = str(body.get("request_id") or "")
        self.body = body
        super().__init__(str(body.get("detail") or body.get("title") or f"HTTP status {status}"))
