"""Errors as RFC 9457 problem details: a name for programs, a sentence for people."""

import json
from typing import Any

from pincite.errors import DataError, ModelError, NotFoundError, OutputError, PinciteError
from pincite.serve.errors import NotFound, Refused

MEDIA_TYPE = "application/problem+json"
TYPES = "urn:pincite:problem:"


def problem(status: int, name: str, title: str, detail: str, request_id: str = "", **more: Any) -> dict[str, Any]:
    """The body of an answer that says what went wrong."""
    shape = {"type": TYPES + name, "title": title, "status": status, "detail": detail}
    return {**shape, **({"request_id": request_id} if request_id else {}), **more}


def problem_of(error: Exception, request_id: str = "") -> tuple[dict[str, Any], dict[str, str]]:
    """The body and further headers for an error of ours; any other is told without its details."""
    if isinstance(error, Refused):
        wait = {"Retry-After": str(error.retry_after)} if error.retry_after else {}
        asked = {"WWW-Authenticate": "Bearer"} if error.status == 401 else {}
        return problem(error.status, error.name, error.title, str(error), request_id), {**wait, **asked}
    if isinstance(error, OutputError):
        said = "the index cannot be changed now: another process may be writing, or the disk may be full"
        return problem(503, "not-writable", "The index cannot be changed", said, request_id), {"Retry-After": "10"}
    if isinstance(error, DataError | ModelError):
        said = "the index or a model cannot be read; the server's log says why"
        return problem(503, "not-available", "The index cannot be read", said, request_id), {"Retry-After": "30"}
    if isinstance(error, NotFoundError):
        return problem(404, NotFound.name, NotFound.title, str(error), request_id), {}
    if isinstance(error, PinciteError):
        return problem(422, "invalid", "A value is not as it must be", str(error), request_id), {}
    said = "an error of ours; the server's log has it under the request id"
    return problem(500, "internal", "Something went wrong", said, request_id), {}


def encoded(body: dict[str, Any]) -> bytes:
    return json.dumps(body, ensure_ascii=False).encode("utf-8", "replace")
