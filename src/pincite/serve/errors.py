"""Errors of the server. Web pages, REST and MCP each present them in their own way."""

from pincite.errors import PinciteError


class Refused(PinciteError):  # noqa: N818
    """A request is refused: with an HTTP status, a name for programs and a message for people."""

    status = 400
    name = "bad-request"
    title = "Bad request"

    def __init__(self, message: str, *, retry_after: int | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class Invalid(Refused):
    """A value is invalid."""

    status, name, title = 422, "invalid", "Invalid value"


class NotFound(Refused):
    """Something does not exist, or has been removed."""

    status, name, title = 404, "not-found", "Not found"


class Conflict(Refused):
    """Something existing would be replaced."""

    status, name, title = 409, "conflict", "Already exists"


class Stale(Refused):
    """What was to be changed has been changed by somebody else meanwhile."""

    status, name, title = 412, "stale", "Changed meanwhile"


class TooLarge(Refused):
    """The request exceeds a size limit."""

    status, name, title = 413, "too-large", "The request is too large"


class NotReadable(Refused):
    """A file cannot be read, or its content does not match its name."""

    status, name, title = 422, "not-readable", "The file cannot be read"


class Unauthorised(Refused):
    """The caller is unknown."""

    status, name, title = 401, "unauthorised", "Authentication required"


class Forbidden(Refused):
    """The caller is known but lacks the right."""

    status, name, title = 403, "forbidden", "Not allowed"


class TimedOut(Refused):
    """The rest of a request did not arrive."""

    status, name, title = 408, "timed-out", "Request timed out"


class TooMany(Refused):
    """A client sends too many requests."""

    status, name, title = 429, "too-many-requests", "Too many requests"


class Busy(Refused):
    """Too much is running or waiting already."""

    status, name, title = 503, "busy", "The server is busy"


class NotWritable(Refused):
    """The index cannot be changed: the disk is full, or another process is writing."""

    status, name, title = 503, "not-writable", "The index cannot be changed"
