"""Errors as problem details (RFC 9457): a name for programs and a sentence for people."""

import json
from typing import Any

from pincite.errors import DataError, ModelError, NotFoundError, OutputError, PinciteError
from pincite.serve.errors import NotFound, Refused

MEDIA_TYPE = "application/problem+json"
TYPES = "urn:pincite:problem:"


def problem(status: int, name: str, title: str, detail: str, request_id: str = "", **more: Any) -> dict[str, Any]:
    """The body of an error response."""
    shape = {"type": TYPES + name, "title": title, "status": status, "detail": detail}
    return {**shape, **({"request_id": request_id} if request_id else {}), **more}


def problem_of(error: Exception, request_id: str = "") -> tuple[dict[str, Any], dict[str, str]]:
    """The body and extra headers for an error. Errors that are not Pincite's own are reported without details."""
    if isinstance(error, Refused):
        wait = {"Retry-After": str(error.retry_after)} if error.retry_after else {}
        asked = {"WWW-Authenticate": "Bearer"} if error.status == 401 else {}
        return problem(error.status, error.name, error.title, str(error), request_id), {**wait, **asked}
    if isinstance(error, OutputError):
        said = "the index cannot be changed at the moment: another process may be writing, or the disk may be full"
        return problem(503, "not-writable", "The index cannot be changed", said, request_id), {"Retry-After": "10"}
    if isinstance(error, DataError | ModelError):
        said = "the index or a model cannot be read; the server's log says why"
        return problem(503, "not-available", "The index cannot be read", said, request_id), {"Retry-After": "30"}
    if isinstance(error, NotFoundError):
        return problem(404, NotFound.name, NotFound.title, str(error), request_id), {}
    if isinstance(error, PinciteError):
        return problem(422, "invalid", "Invalid value", str(error), request_id), {}
    said = "an internal error; find it in the server's log by the request id"
    return problem(500, "internal", "Something went wrong", said, request_id), {}


def encoded(body: dict[str, Any]) -> bytes:
    return json.dumps(body, ensure_ascii=False).encode("utf-8", "replace")
