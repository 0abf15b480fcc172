"""MCP with the official SDK's own client: by standard input and output, and by streamable HTTP."""

import ast
import asyncio
import importlib.util
import json
import os
import re
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import AbstractAsyncContextManager, contextmanager
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import httpx
import httpx2
import pytest
from anyio.from_thread import BlockingPortal, start_blocking_portal
from mcp import Client, MCPError, StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.types import (
    CallToolResult,
    ListResourcesResult,
    PaginatedRequestParams,
    ReadResourceResult,
    TextContent,
    TextResourceContents,
)

from pincite.index import Index
from pincite.serve import mcp
from pincite.serve.app import opened
from pincite.serve.auth import Auth
from pincite.serve.settings import Settings
from pincite.text.kinds import KINDS
from pincite.text.title_case import title_case
from tests.compare.pdf import write_deed
from tests.conftest import SAMPLES
from tests.serve.conftest import LEASE, PATIENCE, Server, free_port, wait_until

LEASE_URI = f"pincite://contracts/{LEASE}"
LEASE_TEXT = (SAMPLES / LEASE).read_text(encoding="utf-8")
QUESTION = "Under the Garnet Quay lease, may the tenant underlet?"
TOOLS = {
    *("search_passages", "get_passage", "list_documents", "get_outline", "compare_documents"),
    *("list_collections", "similar_cases"),
}
PLACED = {"document", "page", "start", "end", "text", "citation"}
"""What every passage has, so that an assistant can quote it."""
NOT_FOUND = -32602
INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "raw", "version": "0"}},
}
ACCEPTED = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}


class Assistant:
    """A connected client, asked from outside its event loop."""

    def __init__(self, portal: BlockingPortal, client: Client) -> None:
        self.portal, self.client = portal, client

    def later(self, tool: str, **arguments: Any) -> "Future[CallToolResult]":
        return self.portal.start_task_soon(self.client.call_tool, tool, arguments)

    def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """What the tool gives; it is the same as text, for assistants that read nothing else."""
        result = self.later(tool, **arguments).result()
        assert not result.is_error, result.content
        assert isinstance(result.structured_content, dict)
        assert json.loads(text_of(result)) == result.structured_content
        return result.structured_content

    def refusal(self, tool: str, **arguments: Any) -> str:
        result = self.later(tool, **arguments).result()
        assert result.is_error
        assert result.structured_content is None
        return text_of(result)

    def resources(self) -> ListResourcesResult:
        return self.portal.call(partial(self.client.list_resources, cache_mode="bypass"))

    def read(self, uri: str) -> str:
        result: ReadResourceResult = self.portal.call(self.client.read_resource, uri)
        [found] = result.contents
        assert isinstance(found, TextResourceContents)
        assert (found.uri, found.mime_type) == (uri, "text/plain")
        return found.text


def text_of(result: CallToolResult) -> str:
    [content] = result.content
    assert isinstance(content, TextContent)
    return content.text


@contextmanager
def connected(transport: AbstractAsyncContextManager[Any] | str, mode: str = "auto") -> Iterator[Assistant]:
    with start_blocking_portal() as portal:
        client = portal.call(partial(Client, transport, mode=mode))
        with portal.wrap_async_context_manager(client):
            yield Assistant(portal, client)


@contextmanager
def by_stdio(folder: Path, errors: Path, mode: str = "auto") -> Iterator[Assistant]:
    """`errors` gets what the server writes to standard error."""
    command = ["-m", "pincite", "mcp", "--index", str(folder)]
    given = StdioServerParameters(command=sys.executable, args=command, env=dict(os.environ))
    with errors.open("w") as log, connected(stdio_client(given, log), mode) as assistant:
        yield assistant


@contextmanager
def by_key(address: str, key: str) -> Iterator[Assistant]:
    with start_blocking_portal() as portal:
        http = portal.call(partial(httpx2.AsyncClient, headers={"Authorization": f"Bearer {key}"}, timeout=PATIENCE))
        with portal.wrap_async_context_manager(http):
            client = portal.call(partial(Client, streamable_http_client(f"{address}/mcp", http_client=http)))
            with portal.wrap_async_context_manager(client):
                yield Assistant(portal, client)


@pytest.fixture(scope="module", params=["stdio", "stdio legacy", "http", "http legacy"])
def assistant(
    request: pytest.FixtureRequest, sample_index: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Assistant]:
    """By both ways, with the protocol of today and with the handshake that older assistants use."""
    way, _, era = request.param.partition(" ")
    mode = era or "auto"
    if way == "stdio":
        with by_stdio(sample_index, tmp_path_factory.mktemp("mcp") / "errors.txt", mode) as found:
            yield found
    else:
        address = request.getfixturevalue("server").address
        with connected(f"{address}/mcp", mode) as found:
            yield found


def test_the_tools_are_these_and_change_nothing(assistant: Assistant) -> None:
    tools = assistant.portal.call(assistant.client.list_tools).tools
    assert {tool.name for tool in tools} == TOOLS
    assert len(tools) == len(TOOLS)
    for tool in tools:
        assert tool.description
        assert "Example: {" in tool.description
        assert tool.output_schema
        assert set(tool.output_schema["properties"]) > {"result"} or "result" not in tool.output_schema["properties"]
        assert tool.annotations
        assert tool.annotations.read_only_hint
        assert "context" not in tool.input_schema["properties"]
        if "kind" in tool.input_schema["properties"]:
            assert all(kind in tool.input_schema["properties"]["kind"]["description"] for kind in KINDS)
    assert assistant.client.server_info
    assert assistant.client.server_info.name == "pincite"
    held = assistant.client.server_capabilities
    assert held.tools
    assert held.resources
    assert not held.prompts  # there are none
    assert not any((held.tools.list_changed, held.resources.list_changed, held.resources.subscribe))
    assert "citation" in (assistant.client.instructions or "")


def test_a_hit_can_be_read_again_word_for_word(assistant: Assistant) -> None:
    found = assistant.call("search_passages", question=QUESTION, k=3)
    assert set(found) == {"query", "understood", "notes", "answered", "hits", "groups", "overview", "generation"}
    assert found["understood"]["documents"][0]["id"] == LEASE
    assert len(found["hits"]) == 3
    assert "underlet" in found["hits"][0]["text"]
    for hit in found["hits"]:
        assert set(hit) >= PLACED
        place = {"document": hit["document"], "start": hit["start"], "end": hit["end"]}
        passage = assistant.call("get_passage", **place, around=40)
        assert {key: passage[key] for key in PLACED} == {key: hit[key] for key in PLACED}
        whole = assistant.read(f"pincite://contracts/{hit['document']}")
        assert whole[hit["start"] : hit["end"]] == hit["text"]
        assert [whole[span["start"] : span["end"]] for span in hit["spans"]] == [span["text"] for span in hit["spans"]]
        assert [span["text"] for span in hit["spans"] if span["role"] == "answer"] == [hit["text"]]
        around = passage["before"] + passage["text"] + passage["after"]
        assert whole[hit["start"] - 40 : hit["end"] + 40] == around


def test_a_search_says_what_it_gives(assistant: Assistant) -> None:
    """The SDK's client checks every answer against this."""
    [tool] = [one for one in assistant.portal.call(assistant.client.list_tools).tools if one.name == "search_passages"]
    assert tool.output_schema
    shapes = tool.output_schema["$defs"]
    assert set(tool.output_schema["properties"]) >= {"hits", "groups", "overview", "understood"}
    assert {"document", "title", "kind", "parties", "date", "outline"} <= set(shapes["OverviewShape"]["properties"])
    assert set(shapes["GroupShape"]["properties"]) == {"document", "title", "ranks"}
    assert "corrections" in shapes["UnderstoodShape"]["properties"]


def test_a_document_that_is_only_named_is_shown_at_a_glance_and_typing_errors_are_said(assistant: Assistant) -> None:
    found = assistant.call("search_passages", question="garnet quey lease")
    assert found["understood"]["corrections"] == [{"typed": "quey", "read": "quay"}]
    assert "read 'quey' as 'quay'" in found["notes"]
    overview = found["overview"]
    assert (overview["document"], overview["kind"], overview["date"]) == (LEASE, "lease", "2019-03-21")
    assert any(heading["text"] == "PART 5 - SERVICE CHARGE" for heading in overview["outline"])
    assert found["groups"] == [
        {"document": LEASE, "title": "LEASE OF OFFICE PREMISES", "ranks": [hit["rank"] for hit in found["hits"]]}
    ]


def test_filters_narrow_a_search(assistant: Assistant) -> None:
    asked = {"question": "What law governs?", "k": 4}
    kinds = assistant.call("search_passages", **asked, kind="lease")["hits"]
    named = assistant.call("search_passages", **asked, documents=["garnet-quay"])["hits"]
    assert {hit["document"] for hit in kinds} == {hit["document"] for hit in named} == {LEASE}
    late = assistant.call("search_passages", **asked, after="2030-01-01")
    assert late["hits"] == []
    assert any("filter" in note for note in late["notes"])


def test_documents_are_listed_with_what_they_are(assistant: Assistant) -> None:
    whole = assistant.call("list_documents")
    assert whole["total"] == len(whole["documents"]) == 14
    pages = [assistant.call("list_documents", limit=5, skip=skip) for skip in (0, 5, 10, 15)]
    assert [page["total"] for page in pages] == [14, 14, 14, 14]
    assert [entry for page in pages for entry in page["documents"]] == whole["documents"]
    [lease] = assistant.call("list_documents", kind="lease")["documents"]
    assert (lease["document"], lease["title"]) == (LEASE, "LEASE OF OFFICE PREMISES")
    assert lease["characters"] == len(LEASE_TEXT)


def test_an_outline_says_where_the_text_under_a_heading_begins(assistant: Assistant) -> None:
    outline = assistant.call("get_outline", document="garnet-quay")
    assert (outline["document"], outline["title"]) == (LEASE, "LEASE OF OFFICE PREMISES")
    assert any(entry["heading"] == "Assignment and underletting" for entry in outline["headings"])
    starts = [entry["start"] for entry in outline["headings"]]
    assert starts == sorted(starts)
    for entry in outline["headings"]:
        shown = LEASE_TEXT[max(0, entry["start"] - 150) : entry["start"] + 20]
        assert entry["heading"] in " ".join(shown.split())


def test_a_comparison_has_a_row_for_each_document(assistant: Assistant) -> None:
    found = assistant.call("compare_documents", question="What law governs the agreement?", kind="nda")
    assert len(found["rows"]) >= 2
    assert any(row["hit"] for row in found["rows"])
    for row in found["rows"]:
        assert set(row) == {"file", "document", "title", "citation", "page", "passage", "likelihood", "hit"}
        if row["hit"]:
            assert set(row["hit"]) >= PLACED
            assert row["hit"]["document"] == row["document"]


REFUSED: list[tuple[str, dict[str, Any], str]] = [
    ("get_passage", {"document": "no-such-thing", "start": 0, "end": 3}, "no document 'no-such-thing'"),
    ("get_passage", {"document": LEASE, "start": 0, "end": 10**9}, "outside the text, which has 16641 characters"),
    ("get_passage", {"document": LEASE, "start": 9, "end": 3}, "from 9 to 3 is outside the text"),
    ("get_passage", {"document": LEASE, "start": -1, "end": 3}, "greater than or equal to 0"),
    ("get_passage", {"document": "contracts", "start": 0, "end": 3}, "may be any of more than 5 documents: corpus/"),
    ("get_passage", {"document": LEASE}, 'start: Field required; end: Field required. Example: {"document"'),
    ("get_outline", {"document": "no-such-thing"}, "no document 'no-such-thing'"),
    ("get_outline", {"document": "no-such-thing"}, "list_documents shows the ids and titles"),
    (
        "search_passages",
        {"question": "rent", "where": {"date": {"above": 3}}},
        "unknown operator 'above'; the operators",
    ),
    ("search_passages", {"question": "rent", "where": {"date": {"above": 3}}}, 'looks like {"or": [{"kind": "lease"}'),
    ("list_documents", {"where": {"colour": "red"}}, "the known ones are: "),
    ("list_documents", {"where": {"colour": "red"}}, "list_documents shows the metadata"),
    ("search_passages", {"question": "rent", "where": "kind=lease"}, 'looks like {"or": [{"kind": "lease"}'),
    ("search_passages", {"question": "rent", "kk": 3}, "unknown argument 'kk'; the arguments are: question, k, "),
    ("search_passages", {"q": "rent"}, "unknown argument 'q'; the arguments are: question"),
    ("search_passages", {"question": "rent", "k": "x"}, 'Example: {"question": "May the tenant underlet'),
    ("search_passages", {"question": " \n"}, "the question is empty"),
    ("search_passages", {"question": "a" * 5000}, "shorten it"),
    ("search_passages", {"question": "rent\0"}, "binary data"),
    ("search_passages", {"question": "rent", "k": 0}, "greater than or equal to 1"),
    ("search_passages", {"question": "rent", "after": "soon"}, "'soon' is not a date"),
    ("search_passages", {"question": "rent", "documents": ["no-such-thing"]}, "no document 'no-such-thing'"),
    ("search_passages", {"question": "rent", "collection": "elsewhere"}, "no collection 'elsewhere'"),
    ("search_passages", {"question": "rent", "kind": "poem"}, "kinds are non-disclosure agreement"),
    ("list_documents", {"kind": "poem"}, "'poem' is not a kind of document"),
    ("compare_documents", {"question": "rent", "kind": "poem"}, "'poem' is not a kind of document"),
    ("list_documents", {"before": "soon"}, "'soon' is not a date"),
    ("compare_documents", {"question": ""}, "the question is empty"),
    ("compare_documents", {"question": "rent", "collection": "elsewhere"}, "there are: contracts"),
    ("delete_everything", {}, "Unknown tool: delete_everything. The tools are: search_passages, get_passage"),
]


def test_what_cannot_be_done_is_said_and_the_server_goes_on(assistant: Assistant) -> None:
    for tool, arguments, said in REFUSED:
        assert said in assistant.refusal(tool, **arguments), tool
        assert assistant.call("list_documents", limit=1)["total"] == 14


def test_there_is_a_resource_for_each_document(assistant: Assistant) -> None:
    found = assistant.resources().resources
    ids = [entry["document"] for entry in assistant.call("list_documents")["documents"]]
    assert [resource.name for resource in found] == ids
    assert len({resource.uri for resource in found}) == 14
    for resource in found:
        assert resource.mime_type == "text/plain"
        assert resource.title
    assert assistant.read(LEASE_URI) == LEASE_TEXT
    [template] = assistant.portal.call(assistant.client.list_resource_templates).resource_templates
    assert template.uri_template == "pincite://{collection}/{+document}"


def test_collections_are_listed_and_conditions_narrow(assistant: Assistant) -> None:
    (held,) = assistant.call("list_collections")["collections"]
    assert (held["name"], held["documents"]) == ("contracts", 14)
    where = {"or": [{"kind": "lease"}, {"date": {"gte": "2022-01-01"}}]}
    found = assistant.call("list_documents", where=where)["documents"]
    assert found
    assert all(entry["kind"] == "lease" or entry["date"] >= "2022" for entry in found)


def test_resources_come_a_page_at_a_time(sample_index: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mcp, "RESOURCES", 5)
    state = opened([sample_index], Settings())
    server, here = mcp.mcp_server(state), cast(Any, SimpleNamespace(request=None))
    pages, cursor = [], None
    while cursor is not None or not pages:
        page = asyncio.run(server._handle_list_resources(here, PaginatedRequestParams(cursor=cursor)))
        pages.append([resource.name for resource in page.resources])
        cursor = page.next_cursor
    assert [len(names) for names in pages] == [5, 5, 4]
    assert len({name for names in pages for name in names}) == 14
    for backend in state.backends.values():
        backend.close()


def test_a_cursor_that_no_page_of_resources_gave_is_refused(assistant: Assistant) -> None:
    with pytest.raises(MCPError, match="invalid cursor"):
        assistant.portal.call(partial(assistant.client.list_resources, cursor="7:x"))
    first = assistant.resources()
    assert len(first.resources) == 14  # fewer than a page
    assert first.next_cursor is None


@pytest.mark.parametrize(
    ("uri", "said"),
    [
        ("pincite://contracts/no-such-thing.txt", "no document 'no-such-thing.txt'"),
        (f"pincite://elsewhere/{LEASE}", "no collection 'elsewhere'"),
        ("pincite://contracts/garnet-quay", "no document 'garnet-quay'"),  # a resource has its whole name
        ("pincite://contracts/../../etc/passwd", ""),
        ("file:///etc/passwd", ""),
    ],
)
def test_an_unknown_resource_is_an_error_that_says_why(assistant: Assistant, uri: str, said: str) -> None:
    with pytest.raises(MCPError) as caught:
        assistant.read(uri)
    assert caught.value.error.code == NOT_FOUND
    assert said in caught.value.error.message
    assert assistant.read(LEASE_URI) == LEASE_TEXT


def test_questions_asked_at_once_are_all_answered(assistant: Assistant) -> None:
    questions = [f"Who insures against {risk}?" for risk in ("fire", "flood", "theft", "subsidence", "war", "delay")]
    answers = [assistant.later("search_passages", question=question, k=1) for question in questions]
    queries = [(answer.result().structured_content or {})["query"] for answer in answers]
    assert queries == questions


def test_the_answer_is_the_same_by_every_way(sample_index: Path, server: Server, tmp_path: Path) -> None:
    with by_stdio(sample_index, tmp_path / "errors.txt") as stdio, connected(f"{server.address}/mcp") as http:
        asked = {"question": QUESTION, "k": 4}
        by_pipe, by_http = stdio.call("search_passages", **asked), http.call("search_passages", **asked)
        assert by_pipe == by_http
        assert stdio.resources().resources == http.resources().resources
    assert (tmp_path / "errors.txt").read_text() == ""


@pytest.mark.parametrize(
    ("asked", "filters"),
    [
        ({"k": 4}, {}),
        ({"k": 3, "kind": "nda"}, {"kind": "nda"}),
        ({"k": 2, "documents": ["garnet-quay"]}, {"documents": ["garnet-quay"]}),
        ({"k": 5, "after": "2022-01-01", "before": "2023-12-31"}, {"after": "2022-01-01", "before": "2023-12-31"}),
        ({"k": 2, "party": "no such party"}, {"party": "no such party"}),
    ],
)
def test_a_request_gets_the_same_answer_by_mcp_and_by_rest(
    server: Server, asked: dict[str, Any], filters: dict[str, Any]
) -> None:
    with connected(f"{server.address}/mcp") as assistant:
        by_mcp = assistant.call("search_passages", question=QUESTION, **asked)
    body = {"query": QUESTION, "k": asked["k"], "filters": filters}
    by_rest = httpx.post(f"{server.address}/v1/search", json=body, timeout=PATIENCE).json()
    assert by_mcp == by_rest
    assert len(by_rest["hits"]) == (0 if "party" in asked else asked["k"])
    assert all(title_case(hit["title"]) in hit["citation"] for hit in by_rest["hits"])


def test_mcp_does_not_go_through_rest() -> None:
    """Nor does anything of the server that it imports."""
    seen, waiting = set(), ["pincite.serve.mcp"]
    while waiting:
        name = waiting.pop()
        seen.add(name)
        tree = ast.parse(Path(str(importlib.util.find_spec(name).origin)).read_text(encoding="utf-8"))  # type: ignore[union-attr]
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                found = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                found = [str(node.module), *(f"{node.module}.{alias.name}" for alias in node.names)]
            else:
                continue
            waiting += [
                one for one in found if one.startswith("pincite.serve.") and one not in seen and _is_module(one)
            ]
    assert {"pincite.serve.backend", "pincite.serve.state"} <= seen
    assert "pincite.serve.rest" not in seen


def _is_module(name: str) -> bool:
    try:
        return importlib.util.find_spec(name) is not None
    except ModuleNotFoundError:  # a name in a module
        return False


def test_standard_output_holds_the_protocol_and_nothing_else(sample_index: Path) -> None:
    asked = [
        INITIALIZE,
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/list"},
        _called(3, "search_passages", question=QUESTION),
        _called(4, "compare_documents", question="Who insures?", kind="lease"),
        _called(5, "get_passage", document="no-such-thing", start=0, end=1),
        {"jsonrpc": "2.0", "id": 6, "method": "resources/read", "params": {"uri": "pincite://contracts/nothing"}},
        {"jsonrpc": "2.0", "id": 7, "method": "no/such/method"},
        _called(8, "list_documents"),
    ]
    command = [sys.executable, "-m", "pincite", "mcp", "--index", str(sample_index)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True) as process:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        answers: dict[object, dict[str, Any]] = {}
        for message in ["this is no JSON", *map(json.dumps, asked)]:
            process.stdin.write(message + "\n")
            process.stdin.flush()
            number = json.loads(message).get("id") if message.startswith("{") else None
            while number is not None and number not in answers:
                answer = json.loads(process.stdout.readline())
                assert answer["jsonrpc"] == "2.0"
                answers[answer.get("id")] = answer
        process.stdin.close()
        left, errors = process.stdout.read(), process.stderr.read()
        assert process.wait(PATIENCE) == 0
    assert left == ""
    assert set(answers) >= set(range(1, 9))
    assert {number for number in answers if "error" in answers[number]} >= {6, 7}
    assert answers[5]["result"]["isError"]
    assert answers[3]["result"]["structuredContent"]["hits"][0]["document"] == LEASE
    assert "Traceback" not in errors
    assert LEASE not in errors


def _called(number: int, tool: str, **arguments: Any) -> dict[str, Any]:
    params = {"name": tool, "arguments": arguments}
    return {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}


@pytest.fixture(scope="module")
def odd_index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Names as people give them, and a PDF file of two pages."""
    base = tmp_path_factory.mktemp("odd")
    source = base / "Akten & Verträge"
    source.mkdir()
    for name in ("a b.txt", "100% über.txt", "x#y?z.txt", "a+b=c;d.txt", "[x]{y}.txt", "quote'.txt", "Lease (1)..txt"):
        (source / name).write_text(f"LEASE {name}\n\nThe rent of {name} is 100 pounds a year.\n", encoding="utf-8")
    write_deed(source / "deed.pdf", 2)
    folder = base / "Meine Verträge.pincite"
    with Index.create(folder) as index:
        index.add(source, vectors="none")
    return folder


@pytest.fixture(scope="module")
def odd_assistant(odd_index: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Assistant]:
    with by_stdio(odd_index, tmp_path_factory.mktemp("mcp") / "errors.txt") as found:
        yield found


def test_documents_of_any_name_are_resources(odd_assistant: Assistant) -> None:
    resources = odd_assistant.resources().resources
    assert len(resources) == 8
    for resource in resources:
        assert re.fullmatch(r"pincite://[A-Za-z0-9%._~-]+/[A-Za-z0-9%._~/-]+", resource.uri)
        length = len(odd_assistant.read(resource.uri))
        passage = odd_assistant.call("get_passage", document=resource.name, start=0, end=length)
        assert passage["text"] == odd_assistant.read(resource.uri)
        assert (passage["before"], passage["after"]) == ("", "")


def test_a_passage_of_a_pdf_file_has_its_page(odd_assistant: Assistant) -> None:
    asked = {"question": "Who gets meadow number 2?", "k": 1, "documents": ["deed.pdf"]}
    [hit] = odd_assistant.call("search_passages", **asked)["hits"]
    assert "meadow number 2" in hit["text"]
    assert hit["page"] == 2
    assert hit["citation"].endswith("p. 2")
    passage = odd_assistant.call("get_passage", document=hit["document"], start=hit["start"], end=hit["end"])
    assert {key: passage[key] for key in PLACED} == {key: hit[key] for key in PLACED}


def test_mcp_alone_can_be_served_by_http(sample_index: Path) -> None:
    port = free_port()
    command = [sys.executable, "-m", "pincite", "mcp", "--index", str(sample_index), "--http", "--port", str(port)]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as process:
        try:
            wait_until(lambda: _listens(port, process))
            address = f"http://127.0.0.1:{port}"
            with connected(f"{address}/mcp") as assistant:
                tools = assistant.portal.call(assistant.client.list_tools).tools
                assert {tool.name for tool in tools} == TOOLS
                hits = assistant.call("search_passages", question=QUESTION, k=2)["hits"]
                assert hits[0]["document"] == LEASE
            assert httpx.post(f"{address}/v1/search", json={"query": "rent"}, timeout=PATIENCE).status_code == 404
            assert httpx.get(f"{address}/", timeout=PATIENCE).status_code == 404
        finally:
            process.terminate()
        assert process.wait(PATIENCE) == 0


def _listens(port: int, process: "subprocess.Popen[bytes]") -> bool:
    assert process.poll() is None, "the server did not start"
    try:
        socket.create_connection(("127.0.0.1", port), 10).close()
    except OSError:
        return False
    return True


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "evil.example"},
        {"Host": "127.0.0.1.evil.example"},
        {"Origin": "http://evil.example"},
        {"Origin": "http://127.0.0.1.evil.example"},
        {"Origin": "null"},
        {"Host": "evil.example", "Origin": "http://evil.example"},
    ],
)
def test_a_page_from_elsewhere_is_refused(server: Server, headers: dict[str, str]) -> None:
    answer = httpx.post(f"{server.address}/mcp", json=INITIALIZE, headers={**ACCEPTED, **headers}, timeout=PATIENCE)
    assert answer.status_code == 403
    assert answer.json()["type"] == "urn:pincite:problem:forbidden"


@pytest.mark.parametrize("headers", [{}, {"Origin": "http://localhost:6274"}, {"Host": "localhost"}])
def test_a_page_of_this_machine_is_not(server: Server, headers: dict[str, str]) -> None:
    answer = httpx.post(f"{server.address}/mcp", json=INITIALIZE, headers={**ACCEPTED, **headers}, timeout=PATIENCE)
    assert answer.status_code == 200
    assert answer.json()["result"]["serverInfo"]["name"] == "pincite"


def test_only_what_the_protocol_posts_is_taken(server: Server) -> None:
    for method in ("GET", "DELETE"):  # a GET would be a stream on which nothing ever comes
        answer = httpx.request(method, f"{server.address}/mcp", headers=ACCEPTED, timeout=PATIENCE)
        assert answer.status_code == 405
        assert answer.headers["allow"] == "POST"
    long = b"x" * 1100
    for body in (long * 1000, (long for _ in range(1000))):
        answer = httpx.post(f"{server.address}/mcp", content=body, headers=ACCEPTED, timeout=PATIENCE)
        assert answer.status_code == 413
        assert answer.json()["type"] == "urn:pincite:problem:too-large"
    for wrong in (b"", b"{", b"[]", b'{"jsonrpc": "2.0"}', b"\xff", b'"\\ud800"'):
        answer = httpx.post(f"{server.address}/mcp", content=wrong, headers=ACCEPTED, timeout=PATIENCE)
        assert answer.status_code == 400
        assert answer.json()["error"]["message"]
    with connected(f"{server.address}/mcp/") as assistant:
        assert assistant.call("list_documents", limit=1)["total"] == 14


def test_only_a_known_key_opens_it_and_only_its_collections(
    sample_index: Path, started: Callable[..., Server], tmp_path: Path
) -> None:
    auth = Auth.create(tmp_path / "keys.json")
    reader, stranger = auth.add_key("reader", "read", ["contracts"]), auth.add_key("stranger", "read", ["elsewhere"])
    server = started(sample_index, "--auth", str(auth.file))
    for headers in ({}, {"Authorization": "Bearer pk_00000000_wrong"}, {"X-API-Key": "wrong"}):
        answer = httpx.post(f"{server.address}/mcp", json=INITIALIZE, headers={**ACCEPTED, **headers}, timeout=PATIENCE)
        assert answer.status_code == 401
        assert answer.headers["www-authenticate"] == "Bearer"
    with by_key(server.address, reader) as assistant:
        assert assistant.call("search_passages", question=QUESTION, k=1)["hits"][0]["document"] == LEASE
        assert len(assistant.resources().resources) == 14
        assert assistant.read(LEASE_URI) == LEASE_TEXT
    with by_key(server.address, stranger) as assistant:
        for tool, arguments in (
            ("search_passages", {"question": QUESTION}),
            ("search_passages", {"question": QUESTION, "collection": "contracts"}),
            ("get_passage", {"document": LEASE, "start": 0, "end": 10}),
            ("list_documents", {}),
            ("get_outline", {"document": LEASE}),
            ("compare_documents", {"question": QUESTION}),
        ):
            assert "stranger may not read in contracts" in assistant.refusal(tool, **arguments)
        assert assistant.resources().resources == []
        with pytest.raises(MCPError, match="stranger may not read in contracts"):
            assistant.read(LEASE_URI)


def test_the_audit_log_says_what_was_read_and_the_log_does_not(
    sample_index: Path, started: Callable[..., Server], tmp_path: Path
) -> None:
    server = started(sample_index, "--audit", str(tmp_path / "audit.jsonl"))
    with connected(f"{server.address}/mcp") as assistant:
        assistant.call("search_passages", question=QUESTION, k=2)
        assistant.call("get_passage", document="garnet-quay", start=6195, end=6386)
        assistant.read(LEASE_URI)
        assistant.refusal("get_outline", document="the Harrington matter")
        with pytest.raises(MCPError):
            assistant.read("pincite://contracts/the%20Harrington%20matter")
    server.stop()
    log = server.log
    assert "POST /mcp 200" in log
    for secret in ("underlet", "garnet-quay", "Harrington", "Traceback"):
        assert secret not in log
    lines = [json.loads(line) for line in (tmp_path / "audit.jsonl").read_text().splitlines()]
    assert [line["action"] for line in lines] == ["search", "read", "read"]
    assert all(line["documents"] == [LEASE] for line in lines)
    assert lines[0]["question"] == QUESTION
    assert (lines[1]["start"], lines[1]["end"]) == (6195, 6386)
