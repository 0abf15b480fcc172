"""The state of a running server, and the choice of the collection for a request."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from starlette.requests import Request

from pincite.errors import OutputError
from pincite.index.jobs import Job
from pincite.serve.audit import Audit
from pincite.serve.auth import Auth, Who
from pincite.serve.backend import Backend
from pincite.serve.errors import Forbidden, NotFound
from pincite.serve.metrics import Metrics
from pincite.serve.rate_limit import Rate
from pincite.serve.sessions import Sessions
from pincite.serve.settings import Settings


@dataclass(frozen=True, slots=True)
class State:
    """What requests share: the collections by name, authentication, sessions, metrics and the audit log."""

    backends: Mapping[str, Backend]
    settings: Settings
    auth: Auth | None
    sessions: Sessions
    metrics: Metrics
    audit: Audit
    logins: Rate
    reports: Path | None = None
    secure: bool = False
    """Whether the server uses HTTPS. Cookies are then sent over HTTPS only."""


def state_of(request: Request) -> State:
    state: State = request.app.state.pincite
    return state


def backend_for(request: Request, collection: str | None, scope: str = "read") -> Backend:
    """The collection that a request names, if the caller has this right in it."""
    return chosen(state_of(request), request.state.who, collection, scope)


def noted(request: Request, backend: Backend, action: str, **what: object) -> None:
    """Writes to the audit log what the caller did in a collection."""
    state_of(request).audit(request.state.who.name, action, backend.name, **what)


@contextmanager
def recorded(request: Request, backend: Backend, action: str, **what: object) -> Iterator[None]:
    """A change, written to the audit log before it is made: what cannot be recorded does not happen. A second line says
    that it failed."""
    noted(request, backend, action, **what)
    try:
        yield
    except BaseException:
        with suppress(OutputError):  # the error itself matters more
            noted(request, backend, action, **what, status="failed")
        raise


def note_job(audit: Audit, collection: str, job: Job) -> None:
    """Writes to the audit log what became of the files that somebody sent."""
    for file in job.files:
        if file.result:
            what = {"name": file.name, "documents": list(file.result.documents), "status": file.result.status}
            audit(job.who, "add", collection, job=job.id, **what)


def chosen(state: State, who: Who, collection: str | None, scope: str = "read") -> Backend:
    """The named collection, or the first one that the caller may read, as far as the caller may see it. An error where
    the caller lacks the right."""
    backends = state.backends
    if collection and collection not in backends:
        known = [name for name in backends if who.may("read", name)]
        raise NotFound(f"no collection {collection[:100]!r}; there are: {', '.join(known)}")
    name = collection or next((name for name in backends if who.may("read", name)), next(iter(backends)))
    if not who.may(scope, name):
        raise Forbidden(f"{who.name} may not {scope} in {name}")
    return backends[name].seen_by(who)
