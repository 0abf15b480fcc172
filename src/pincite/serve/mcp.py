"""MCP for assistants: tools and resources of the Model Context Protocol. Every passage has its citation."""

import json
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from importlib.metadata import version
from typing import Annotated, Any
from urllib.parse import quote

from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ResourceError, ResourceNotFoundError, ToolError
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from mcp.types import CallToolResult, Resource, TextContent, ToolAnnotations
from pydantic import Field
from starlette.concurrency import run_in_threadpool

from pincite.errors import NotFoundError, PinciteError
from pincite.index.listing import listing
from pincite.search import SearchRequest
from pincite.serve.auth import LOCAL, Who
from pincite.serve.backend import Backend
from pincite.serve.errors import NotFound
from pincite.serve.kinds_text import KINDS_TEXT
from pincite.serve.problems import problem_of
from pincite.serve.schemas import Envelope
from pincite.serve.state import State, chosen
from pincite.text import Filter

INSTRUCTIONS = (
    "Answers legal questions with exact passages from the user's own documents. Quote `text` word for word and give "
    "its `citation`; where `spans` has a lead-in, quote that before it. `terms` says where defined terms are defined, "
    "`refers_to` where the provisions stand that a passage refers to: read them with get_passage. "
    "`understood.corrections` are typing errors and how they were read: mention them. When a note asks which document "
    "is meant, ask the user, or search again with `documents`. `groups` has the passages by document, for questions "
    "about several; `overview` the facts and the outline of a document that the question only names. "
    "When `answered` is low or `hits` is empty, say that the documents do not answer the question. "
    "Never invent a passage."
)
PLAIN = "text/plain"
READ_ONLY = ToolAnnotations(read_only_hint=True, open_world_hint=False)
_ASKING: ContextVar[Who] = ContextVar("asking")
"""The caller, for `list_resources`, which gets no context."""

Collection = Annotated[str, Field(description="The collection; the first one if empty.")]
Kind = Annotated[str, Field(description=KINDS_TEXT)]
Documents = Annotated[
    list[str] | None,
    Field(description="Only these documents: ids, or parts of an id or title that match one document."),
]


class _Documents(MCPServer[Any]):
    """A server whose resources are the current documents."""

    backends: Mapping[str, Backend]

    async def list_resources(self) -> list[Resource]:
        who = _ASKING.get()
        held = [
            (quote(backend.name, safe=""), entry)
            for backend in self.backends.values()
            if who.may("read", backend.name)
            for entry in await run_in_threadpool(backend.documents)
        ]
        return [
            Resource(uri=f"pincite://{name}/{quote(entry.id)}", name=entry.id, title=entry.title, mime_type=PLAIN)
            for name, entry in held
        ]


def mcp_server(state: State) -> MCPServer[Any]:
    """The tools and resources for a server's collections."""
    server = _Documents(
        "pincite",
        title="Pincite",
        version=version("pincite"),
        instructions=INSTRUCTIONS,
        log_level="ERROR",
        subscriptions=False,  # there are no notifications, and open subscriptions would delay a stop
        middleware=[_noted],
    )
    server.backends = state.backends

    async def done(
        context: Context[Any],
        collection: str,
        action: str,
        work: Callable[[Backend], Any],
        seen: Callable[[Any], dict[str, Any]] = lambda _: {},
    ) -> Any:
        """Runs `work` on a backend and writes what was `seen` to the audit log. Errors keep their messages."""
        try:
            who = _who(context.request_context)
            backend = chosen(state, who, collection)
            found = await run_in_threadpool(work, backend)
        except PinciteError as error:
            raise ToolError(str(problem_of(error)[0]["detail"])) from error
        state.audit(who.name, action, backend.name, by="mcp", **seen(found))
        return found

    @server.tool(annotations=READ_ONLY)
    async def search_passages(
        context: Context[Any],
        question: Annotated[str, Field(description="A question in plain language; it may name a document.")],
        k: Annotated[int, Field(ge=1, le=50)] = 5,
        documents: Documents = None,
        kind: Kind = "",
        party: Annotated[str, Field(description="Only documents with this party.")] = "",
        after: Annotated[str, Field(description="Only documents dated on or after this date.")] = "",
        before: Annotated[str, Field(description="Only documents dated on or before this date.")] = "",
        collection: Collection = "",
    ) -> Annotated[CallToolResult, Envelope]:
        """Find the passages that answer a question, best first, each with document, page, offsets and citation. For a
        question that only names a document, `overview` has its facts and outline."""

        def work(backend: Backend) -> dict[str, object]:
            where = {"documents": documents, "kind": kind, "party": party, "after": after, "before": before}
            return backend.search(SearchRequest(question, k, Filter.of(where))).to_dict()

        found: dict[str, Any] = await done(
            context,
            collection,
            "search",
            work,
            lambda found: {"question": question, "documents": _documents(found["hits"])},
        )
        text = TextContent(type="text", text=json.dumps(found, indent=2, ensure_ascii=False))
        return CallToolResult(content=[text], structured_content=found)

    @server.tool(annotations=READ_ONLY)
    async def get_passage(
        context: Context[Any],
        document: Annotated[str, Field(description="The id, or a part of an id or title that matches one document.")],
        start: Annotated[int, Field(ge=0)],
        end: Annotated[int, Field(ge=0)],
        around: Annotated[int, Field(ge=0, le=5000, description="Characters of context on each side.")] = 500,
        collection: Collection = "",
    ) -> dict[str, Any]:
        """Read a range of a document word for word, with the text around it and its citation."""

        def work(backend: Backend) -> dict[str, object]:
            return backend.excerpt(backend.named(document).id, start, end, around).to_dict()

        found: dict[str, Any] = await done(
            context,
            collection,
            "read",
            work,
            lambda found: {"documents": [found["document"]], "start": start, "end": end},
        )
        return found

    @server.tool(annotations=READ_ONLY)
    async def list_documents(
        context: Context[Any],
        kind: Kind = "",
        party: str = "",
        after: str = "",
        before: str = "",
        limit: Annotated[int, Field(ge=1, le=500)] = 100,
        skip: Annotated[int, Field(ge=0)] = 0,
        collection: Collection = "",
    ) -> dict[str, Any]:
        """List the documents with kind, parties, date and pages."""

        def work(backend: Backend) -> dict[str, Any]:
            where = Filter.of({"kind": kind, "party": party, "after": after, "before": before})
            entries = backend.documents(where)
            return {"total": len(entries), "documents": [listing(entry) for entry in entries[skip : skip + limit]]}

        found: dict[str, Any] = await done(context, collection, "list", work)
        return found

    @server.tool(annotations=READ_ONLY)
    async def get_outline(
        context: Context[Any],
        document: Annotated[str, Field(description="As for get_passage.")],
        collection: Collection = "",
    ) -> dict[str, Any]:
        """Get the headings of a document, each with the offset of the text under it."""

        def work(backend: Backend) -> dict[str, Any]:
            entry = backend.named(document)
            return {"document": entry.id, "title": entry.title, "headings": backend.outline(entry.id)}

        found: dict[str, Any] = await done(
            context, collection, "outline", work, lambda found: {"documents": [found["document"]]}
        )
        return found

    @server.tool(annotations=READ_ONLY)
    async def compare_documents(
        context: Context[Any],
        question: Annotated[str, Field(description="One question, asked of each document.")],
        documents: Documents = None,
        kind: Kind = "",
        party: str = "",
        collection: Collection = "",
    ) -> dict[str, Any]:
        """Ask one question of many documents: a row for each, whose `hit` is null if the document does not answer."""

        def work(backend: Backend) -> dict[str, Any]:
            rows = backend.compare(question, Filter.of({"documents": documents, "kind": kind, "party": party}))
            return {"query": question, "rows": [row.to_dict() for row in rows]}

        found: dict[str, Any] = await done(
            context,
            collection,
            "compare",
            work,
            lambda found: {"question": question, "documents": _documents(found["rows"])},
        )
        return found

    @server.resource("pincite://{collection}/{+document}", mime_type=PLAIN, title="A document's text")
    async def text(collection: str, document: str, context: Context[Any]) -> str:
        """The whole text of a document. Offsets of passages refer to it."""
        try:
            found: str = await done(
                context,
                collection,
                "read",
                lambda backend: backend.loaded(document).document.text,
                lambda _: {"documents": [document]},
            )
        except ToolError as error:
            kind = ResourceNotFoundError if isinstance(error.__cause__, NotFound | NotFoundError) else ResourceError
            raise kind(str(error)) from None
        return found

    return server


def mcp_door(state: State) -> StreamableHTTPSessionManager:
    """MCP over streamable HTTP. The guard has authenticated the caller before."""
    server = mcp_server(state)
    server.streamable_http_app(
        stateless_http=True,
        json_response=True,
        transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
    )
    return server.session_manager


async def _noted(ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
    token = _ASKING.set(_who(ctx))
    try:
        return await call_next(ctx)
    finally:
        _ASKING.reset(token)


def _who(context: ServerRequestContext[Any, Any]) -> Who:
    """The caller: over HTTP as the guard found, on standard input the local user."""
    who: Who = LOCAL if context.request is None else context.request.state.who
    return who


def _documents(found: list[dict[str, Any]]) -> list[str]:
    return list(dict.fromkeys(entry["document"] for entry in found))
