"""MCP for assistants: tools and resources of the Model Context Protocol. Every passage has its citation."""

import json
from collections.abc import Callable, Mapping
from importlib.metadata import version
from typing import Annotated, Any
from urllib.parse import quote

from mcp.server.context import ServerRequestContext
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ResourceError, ResourceNotFoundError, ToolError
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from mcp.shared.exceptions import MCPError
from mcp.types import (
    INVALID_PARAMS,
    CallToolResult,
    InputRequiredResult,
    ListResourcesResult,
    PaginatedRequestParams,
    Resource,
    TextContent,
    ToolAnnotations,
)
from pydantic import BaseModel, Field, ValidationError
from starlette.concurrency import run_in_threadpool

from pincite.engine.records import DocumentRecord
from pincite.errors import NotFoundError, PinciteError
from pincite.index.listing import listing
from pincite.search import SearchRequest
from pincite.serve.auth import LOCAL, Who
from pincite.serve.backend import Backend
from pincite.serve.case_schemas import LikeAnswer
from pincite.serve.case_search import CaseQuestion, cases_like
from pincite.serve.errors import NotFound
from pincite.serve.kinds_text import KINDS_TEXT
from pincite.serve.problems import problem_of
from pincite.serve.schemas import Collections, ComparisonSchema, DocumentShape, Envelope, OutlineShape, PassageShape
from pincite.serve.state import State, chosen
from pincite.serve.tool_errors import advice, condition_advice, invalid_arguments, unknown_argument, unknown_tool
from pincite.serve.validation import checked_cursor
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

Collection = Annotated[str, Field(description="The collection; the first one if empty.")]
Kind = Annotated[str, Field(description=KINDS_TEXT)]
Documents = Annotated[
    list[str] | None,
    Field(description="Only these documents: ids, or parts of an id or title that match one document."),
]

Condition = Annotated[
    dict[str, Any] | None,
    Field(
        description="Only documents that fulfil a condition: and, or, not; by key a value, or eq, in, gt, gte, lt, "
        'lte, exists, prefix. Example: {"or": [{"kind": "lease"}, {"date": {"gte": "2020-01-01"}}]}'
    ),
]
RESOURCES = 100
"""Resources in a page of their list."""


class ListedDocument(DocumentShape):
    """A document without its text."""

    duplicate_of: str | None = None
    notes: list[str] = Field(default_factory=list)


class DocumentList(BaseModel):
    total: int
    documents: list[ListedDocument]


class TitledOutline(OutlineShape):
    title: str


class _Documents(MCPServer[Any]):
    """A server whose resources are the current documents, and whose tools say what to try next."""

    backends: Mapping[str, Backend]

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context[Any] | None = None
    ) -> CallToolResult | InputRequiredResult:
        tools = {tool.name: tool for tool in self._tool_manager.list_tools()}
        if name not in tools:
            raise ToolError(unknown_tool(name, tools))
        if wrong := unknown_argument(name, arguments, tools[name].parameters.get("properties", {})):
            raise ToolError(wrong)
        try:
            return await super().call_tool(name, arguments, context)
        except ToolError as error:
            if isinstance(error.__cause__, ValidationError):
                said = invalid_arguments(name, error.__cause__, tools[name].description or "")
                raise ToolError(said) from error.__cause__
            if more := condition_advice(error, arguments):
                raise ToolError(f"{error}{more}") from error.__cause__
            raise

    async def _handle_list_resources(
        self, ctx: ServerRequestContext[Any], params: PaginatedRequestParams | None
    ) -> ListResourcesResult:
        """A page of the documents: the cursor names the collection and where its next page begins."""
        who = _who(ctx)
        names = [name for name in self.backends if who.may("read", name)]
        place, _, cursor = ((params.cursor if params else None) or "0:").partition(":")
        if not place.isdecimal() or int(place) > len(names):
            raise MCPError(INVALID_PARAMS, "invalid cursor: use `nextCursor` of the previous page")
        for at in range(int(place), len(names)):
            backend = self.backends[names[at]].seen_by(who)
            try:
                page = await run_in_threadpool(backend.page, None, checked_cursor(cursor), RESOURCES)
            except PinciteError as error:
                raise MCPError(INVALID_PARAMS, str(error)) from None
            found = [_resource(backend.name, entry) for entry in page.items]
            if page.next:
                return ListResourcesResult(resources=found, next_cursor=f"{at}:{page.next}")
            if found:
                more = at + 1 < len(names)
                return ListResourcesResult(resources=found, next_cursor=f"{at + 1}:" if more else None)
            cursor = ""
        return ListResourcesResult(resources=[])


def _resource(collection: str, entry: DocumentRecord) -> Resource:
    uri = f"pincite://{quote(collection, safe='')}/{quote(entry.id)}"
    return Resource(uri=uri, name=entry.id, title=entry.title, mime_type=PLAIN)


def _told(found: dict[str, Any]) -> CallToolResult:
    """The result as data, and as text for assistants that read nothing else."""
    text = TextContent(type="text", text=json.dumps(found, indent=2, ensure_ascii=False))
    return CallToolResult(content=[text], structured_content=found)


def mcp_server(state: State) -> MCPServer[Any]:
    """The tools and resources for a server's collections."""
    server = _Documents(
        "pincite",
        title="Pincite",
        version=version("pincite"),
        instructions=INSTRUCTIONS,
        log_level="ERROR",
        subscriptions=False,  # there are no notifications, and open subscriptions would delay a stop
    )
    server.backends = state.backends
    for method in ("prompts/list", "prompts/get"):
        # There are none, and what is not served is not advertised.
        server._lowlevel_server._request_handlers.pop(method, None)

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
            raise ToolError(f"{problem_of(error)[0]['detail']}{advice(error)}") from error
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
        where: Condition = None,
        collection: Collection = "",
    ) -> Annotated[CallToolResult, Envelope]:
        """Find the passages that answer a question, best first, each with document, page, offsets and citation. For a
        question that only names a document, `overview` has its facts and outline.
        Example: {"question": "May the tenant underlet under the Garnet Quay lease?", "k": 3}"""

        def work(backend: Backend) -> dict[str, object]:
            named = {"documents": documents, "kind": kind, "party": party, "after": after, "before": before}
            generation = backend.generation
            found = backend.search(SearchRequest(question, k, _filter(named, where)))
            return {**found.to_dict(), "generation": generation}

        found: dict[str, Any] = await done(
            context,
            collection,
            "search",
            work,
            lambda found: {"question": question, "documents": _documents(found["hits"])},
        )
        return _told(found)

    @server.tool(annotations=READ_ONLY)
    async def get_passage(
        context: Context[Any],
        document: Annotated[str, Field(description="The id, or a part of an id or title that matches one document.")],
        start: Annotated[int, Field(ge=0)],
        end: Annotated[int, Field(ge=0)],
        around: Annotated[int, Field(ge=0, le=5000, description="Characters of context on each side.")] = 500,
        collection: Collection = "",
    ) -> Annotated[CallToolResult, PassageShape]:
        """Read a range of a document word for word, with the text around it and its citation.
        Example: {"document": "garnet-quay", "start": 6195, "end": 6386, "around": 300}"""

        def work(backend: Backend) -> dict[str, object]:
            return backend.excerpt(backend.named(document).id, start, end, around).to_dict()

        found: dict[str, Any] = await done(
            context,
            collection,
            "read",
            work,
            lambda found: {"documents": [found["document"]], "start": start, "end": end},
        )
        return _told(found)

    @server.tool(annotations=READ_ONLY)
    async def list_documents(
        context: Context[Any],
        kind: Kind = "",
        party: str = "",
        after: str = "",
        before: str = "",
        where: Condition = None,
        limit: Annotated[int, Field(ge=1, le=500)] = 100,
        skip: Annotated[int, Field(ge=0)] = 0,
        collection: Collection = "",
    ) -> Annotated[CallToolResult, DocumentList]:
        """List the documents with kind, parties, date and pages. `total` counts all that match.
        Example: {"kind": "lease", "after": "2015-01-01"}"""

        def work(backend: Backend) -> dict[str, Any]:
            entries = backend.documents(
                _filter({"kind": kind, "party": party, "after": after, "before": before}, where)
            )
            return {"total": len(entries), "documents": [listing(entry) for entry in entries[skip : skip + limit]]}

        found: dict[str, Any] = await done(context, collection, "list", work)
        return _told(found)

    @server.tool(annotations=READ_ONLY)
    async def list_collections(context: Context[Any]) -> Annotated[CallToolResult, Collections]:
        """List the collections that can be searched, each with its number of documents. Give its `name` as `collection`
        to the other tools. Example: {}"""
        who = _who(context.request_context)
        held = [backend.seen_by(who) for name, backend in state.backends.items() if who.may("read", name)]
        return _told({"collections": [await run_in_threadpool(backend.status) for backend in held]})

    @server.tool(annotations=READ_ONLY)
    async def get_outline(
        context: Context[Any],
        document: Annotated[str, Field(description="As for get_passage.")],
        collection: Collection = "",
    ) -> Annotated[CallToolResult, TitledOutline]:
        """Get the headings of a document, each with the offset of the text under it.
        Example: {"document": "garnet-quay"}"""

        def work(backend: Backend) -> dict[str, Any]:
            entry = backend.named(document)
            return {"document": entry.id, "title": entry.title, "headings": backend.outline(entry.id)}

        found: dict[str, Any] = await done(
            context, collection, "outline", work, lambda found: {"documents": [found["document"]]}
        )
        return _told(found)

    @server.tool(annotations=READ_ONLY)
    async def compare_documents(
        context: Context[Any],
        question: Annotated[str, Field(description="One question, asked of each document.")],
        documents: Documents = None,
        kind: Kind = "",
        party: str = "",
        where: Condition = None,
        collection: Collection = "",
    ) -> Annotated[CallToolResult, ComparisonSchema]:
        """Ask one question of many documents: a row for each, whose `hit` is null if the document does not answer.
        Example: {"question": "Which law governs?", "kind": "nda"}"""

        def work(backend: Backend) -> dict[str, Any]:
            rows = backend.compare(question, _filter({"documents": documents, "kind": kind, "party": party}, where))
            return {"query": question, "rows": [row.to_dict() for row in rows]}

        found: dict[str, Any] = await done(
            context,
            collection,
            "compare",
            work,
            lambda found: {"question": question, "documents": _documents(found["rows"])},
        )
        return _told(found)

    @server.tool(annotations=READ_ONLY)
    async def similar_cases(
        context: Context[Any],
        document: Annotated[str, Field(description="A judgment of the collection: as for get_passage.")] = "",
        text: Annotated[str, Field(description="Or the whole text of another judgment.")] = "",
        k: Annotated[int, Field(ge=1, le=50)] = 5,
        court: Annotated[str, Field(description="Only cases of this court.")] = "",
        after: Annotated[str, Field(description="Only cases decided on or after this date.")] = "",
        before: Annotated[str, Field(description="Only cases decided on or before this date.")] = "",
        later: Annotated[bool, Field(description="Also cases decided after the judgment.")] = False,
        date: Annotated[str, Field(description="When the judgment was decided, if its text does not say.")] = "",
        collection: Collection = "",
    ) -> Annotated[CallToolResult, LikeAnswer]:
        """Find the cases most like a judgment, each with the two passages that match best, the authorities that both
        cite, and why it was found. Example: {"document": "rao-v-sen", "k": 3}"""

        def work(backend: Backend) -> dict[str, Any]:
            where = {"court": court, "after": after, "before": before}
            asked = CaseQuestion(document, text, k, Filter.of(where), later, date)
            return cases_like(backend, asked).to_dict()

        found: dict[str, Any] = await done(
            context, collection, "cases", work, lambda found: {"documents": _documents(found["cases"])}
        )
        return _told(found)

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


def _filter(named: dict[str, Any], where: dict[str, Any] | None) -> Filter | None:
    return (Filter.of(named) or Filter()).also(where or {}) or None


def mcp_door(state: State) -> StreamableHTTPSessionManager:
    """MCP over streamable HTTP. The guard has authenticated the caller before."""
    server = mcp_server(state)
    server.streamable_http_app(
        stateless_http=True,
        json_response=True,
        transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
    )
    return server.session_manager


def _who(context: ServerRequestContext[Any, Any]) -> Who:
    """The caller: over HTTP as the guard found, on standard input the local user."""
    who: Who = LOCAL if context.request is None else context.request.state.who
    return who


def _documents(found: list[dict[str, Any]]) -> list[str]:
    return list(dict.fromkeys(entry["document"] for entry in found))
