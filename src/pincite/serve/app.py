"""The ASGI application: web pages, REST and MCP behind the guard."""

import logging
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from typing import Any

from fastapi import Depends, FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from mcp.server.streamable_http_manager import StreamableHTTPASGIApp
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.routing import Match, Route
from starlette.staticfiles import StaticFiles

from pincite.errors import PinciteError, UsageError
from pincite.serve import pages, rest, rest_cases, rest_filters
from pincite.serve.audit import Audit
from pincite.serve.auth import Auth
from pincite.serve.backend import Backend
from pincite.serve.document_paths import DocumentPaths
from pincite.serve.errors import Refused
from pincite.serve.guard import Guard
from pincite.serve.idempotency import Idempotency
from pincite.serve.known_names import only_known
from pincite.serve.mcp import mcp_door
from pincite.serve.metrics import Metrics
from pincite.serve.openapi import openapi, operation_id
from pincite.serve.problems import MEDIA_TYPE, encoded, problem, problem_of
from pincite.serve.rate_limit import Rate
from pincite.serve.sessions import Sessions
from pincite.serve.settings import Settings
from pincite.serve.state import State, note_job

log = logging.getLogger("pincite.serve")
ALL = ("page", "rest", "mcp")
MOST_ERRORS = 20
NO_TELEMETRY: Any = dict.fromkeys(("tracing", "metrics", "logs", "operation_spans", "auto_configure"), False)
"""Turns off FastAPI's telemetry, which environment variables could otherwise switch on."""
DESCRIPTION = (
    "Legal retrieval that answers a question with the exact passage. Offsets are half-open character indices into a "
    "document's text: `text[start:end]` is the passage. Errors are problem details (RFC 9457)."
)


def opened(
    locations: Sequence[str | Path],
    settings: Settings,
    auth: Auth | None = None,
    *,
    reports: Path | None = None,
    secure: bool = False,
) -> State:
    """Opens the collections and everything else that a server shares between requests."""
    backends: dict[str, Backend] = {}
    for location in locations:
        backend = Backend(location, settings)
        if backend.name in backends:
            raise UsageError(f"two collections are named {backend.name!r}; rename one of them")
        backends[backend.name] = backend
    logins = Rate(settings.logins_per_minute)
    sessions, metrics, audit = Sessions(settings.session_hours), Metrics(), Audit(settings.audit)
    for backend in backends.values():
        backend.ingestion.finished = partial(note_job, audit, backend.name)
    return State(backends, settings, auth, sessions, metrics, audit, logins, reports, secure)


def application(
    locations: Sequence[str | Path],
    settings: Settings | None = None,
    auth: Auth | None = None,
    *,
    reports: Path | None = None,
    loopback: bool = True,
    secure: bool = False,
    doors: Sequence[str] = ALL,
) -> Guard:
    """The ASGI application over one or more indexes. Shutting it down closes them."""
    settings = settings or Settings()
    state = opened(locations, settings, auth, reports=reports, secure=secure)
    backends, audit = state.backends, state.audit
    mcp = mcp_door(state) if "mcp" in doors else None

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        async with AsyncExitStack() as stack:
            if mcp is not None:
                await stack.enter_async_context(mcp.run())
            yield
        for backend in backends.values():
            await run_in_threadpool(backend.close)
        audit.close()

    app = FastAPI(
        generate_unique_id_function=operation_id,
        title="Pincite",
        version=version("pincite"),
        description=DESCRIPTION,
        lifespan=lifespan,
        openapi_url="/v1/openapi.json",
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        telemetry=NO_TELEMETRY,
    )
    app.state.pincite = state
    if "rest" in doors:
        for router in (rest_filters.router, rest_cases.router, rest.router):
            app.include_router(router, dependencies=[Depends(only_known)])
        app.add_middleware(DocumentPaths)
        app.add_middleware(Idempotency, state=state)
    if "page" in doors:
        app.include_router(pages.router)
        app.mount("/static", StaticFiles(packages=None, directory=str(files("pincite.serve") / "static")), "static")
    if mcp is not None:
        door = StreamableHTTPASGIApp(mcp)
        app.router.routes.extend(Route(path, door, methods=["POST"]) for path in ("/mcp", "/mcp/"))
    _handle_errors(app)
    app.openapi = lambda: openapi(app)  # type: ignore[method-assign]
    return Guard(app, settings, auth, state.sessions, state.metrics, backends, loopback)


def _handle_errors(app: FastAPI) -> None:
    def said(request: Request, body: dict[str, Any], headers: dict[str, str]) -> Response:
        if not request.url.path.startswith(("/v1", "/mcp")):
            return pages.problem_page(request, body, headers)
        return Response(encoded(body), body["status"], headers, MEDIA_TYPE)

    @app.exception_handler(PinciteError)
    async def ours(request: Request, error: PinciteError) -> Response:
        body, headers = problem_of(error, request.state.request_id)
        if body["status"] >= 500:
            log.warning("%s: %s", request.state.request_id, error)
        return said(request, body, headers)

    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> Response:
        found = [
            {"where": list(map(str, entry["loc"])), "what": entry["msg"]} for entry in error.errors()[:MOST_ERRORS]
        ]
        detail = "; ".join(f"{'.'.join(entry['where'][1:]) or 'body'}: {entry['what']}" for entry in found)
        request_id = request.state.request_id
        body = problem(422, "invalid", "Invalid value", detail, request_id, errors=found)
        return said(request, body, {})

    @app.exception_handler(HTTPException)
    async def other(request: Request, error: HTTPException) -> Response:
        if isinstance(error.__cause__, Refused):
            return await ours(request, error.__cause__)
        name = {404: "not-found", 405: "method-not-allowed"}.get(error.status_code, "bad-request")
        detail = str(error.detail)
        body = problem(error.status_code, name, detail, detail, request.state.request_id)
        headers = dict(error.headers or {})
        if error.status_code == 405 and request.url.path.startswith(("/v1", "/mcp")):
            headers["Allow"] = ", ".join(_methods(request))
        return said(request, body, headers)

    @app.exception_handler(Exception)
    async def unknown(request: Request, error: Exception) -> Response:
        body, headers = problem_of(error, request.state.request_id)
        log.error("%s: %s", request.state.request_id, type(error).__name__, exc_info=error)
        return said(request, body, headers)


def _methods(request: Request) -> list[str]:
    """The methods of all routes that match a path. The router itself reports only those of the first one."""
    return [
        method
        for method in ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
        if any(route.matches({**request.scope, "method": method})[0] is Match.FULL for route in request.app.routes)
    ]
