"""The errors of the backend by name; every door says them in its own way."""

from pincite.errors import PinciteError


class Refused(PinciteError):  # noqa: N818
    """Something that was asked for cannot be: a status of HTTP, a name for programs, a message for people."""

    status = 400
    name = "bad-request"
    title = "The request cannot be carried out"

    def __init__(self, message: str, *, retry_after: int | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class Invalid(Refused):
    """A value is not as it must be."""

    status, name, title = 422, "invalid", "A value is not as it must be"


class NotFound(Refused):
    """There is no such thing, or it was removed meanwhile."""

    status, name, title = 404, "not-found", "There is no such thing"


class Conflict(Refused):
    """What is there already would be replaced."""

    status, name, title = 409, "conflict", "There is such a thing already"


class TooLarge(Refused):
    """More than the limits allow."""

    status, name, title = 413, "too-large", "The request is too large"


class NotReadable(Refused):
    """A file that cannot be read, or is not what it says it is."""

    status, name, title = 422, "not-readable", "The file cannot be read"


class Unauthorised(Refused):
    """Nobody we know."""

    status, name, title = 401, "unauthorised", "A key or a login is needed"


class Forbidden(Refused):
    """Somebody we know, who may not do this."""

    status, name, title = 403, "forbidden", "This is not allowed"


class TimedOut(Refused):
    """The rest of a request did not come."""

    status, name, title = 408, "timed-out", "The request did not come in time"


class TooMany(Refused):
    """Too many requests of one client."""

    status, name, title = 429, "too-many-requests", "Too many requests"


class Busy(Refused):
    """More is waiting than the limits allow."""

    status, name, title = 503, "busy", "The server is busy"
