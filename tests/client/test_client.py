"""The client against a real server: typed answers, retries, and errors that say what to do."""

import asyncio
import dataclasses
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
import uvicorn

from pincite.client import (
    AnswerBox,
    AnswerHit,
    AnswerPart,
    AnswerSpanText,
    AsyncClient,
    Client,
    ClientError,
    ComparedDocument,
    DocumentInfo,
    DocumentText,
    LocalClient,
    NewText,
    SearchAnswer,
    ServerProblem,
    StoredFile,
)
from pincite.errors import UsageError
from pincite.index import Index
from pincite.serve.app import application
from pincite.serve.auth import Auth


@contextmanager
def served(folder: Path, auth: Auth | None = None) -> Iterator[str]:
    """A real server in a thread; its address."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        port = held.getsockname()[1]
    server = uvicorn.Server(uvicorn.Config(application([folder], None, auth), port=port, log_level="error"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive()
        time.sleep(0.02)
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        thread.join()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "texts.pincite"
    with Index.create(place) as index:
        for name, said in (("a", "The rent is due on Monday."), ("a/text", "No pets may be kept.")):
            index.add_text(name, f"LEASE\n\n{said}", title=f"Lease {name}", vectors="none")
    return place


@pytest.fixture
def address(folder: Path) -> Iterator[str]:
    with served(folder) as found:
        yield found


def test_the_models_are_those_of_the_openapi_document(address: str) -> None:
    schemas = httpx.get(f"{address}/v1/openapi.json").json()["components"]["schemas"]
    pairs: dict[str, Any] = {
        "Envelope": SearchAnswer, "HitShape": AnswerHit, "BoxShape": AnswerBox, "SpanShape": AnswerSpanText,
        "PartShape": AnswerPart, "RowShape": ComparedDocument, "DocumentShape": DocumentInfo, "TextShape": DocumentText,
        "UploadedShape": StoredFile, "TextBody": NewText,
    }  # fmt: skip
    for name, model in pairs.items():
        assert {field.name for field in dataclasses.fields(model)} == set(schemas[name]["properties"]), name


def test_everything_a_program_does(address: str, tmp_path: Path) -> None:
    note = tmp_path / "note.txt"
    note.write_text("The key is under the mat.", encoding="utf-8")
    with Client(address) as client:
        answer = client.search("May pets be kept?", k=1, fast=True, filters={"documents": ["a/text"]})
        hit = answer.hits[0]
        whole = client.text(hit.document)
        assert whole.text[hit.start : hit.end] == hit.text == "No pets may be kept."
        assert client.text("a/text", hit.start, hit.end).text == hit.text
        assert isinstance(hit.spans[0], AnswerSpanText)
        assert [len(found.hits) for found in client.search_many(["rent?", "pets?"], k=1, fast=True)] == [1, 1]
        assert [entry.document for entry in client.documents()] == ["a", "a/text"]
        (stored,) = client.upload(note, metadata={"matter": "4711"})
        assert client.document(stored.documents[0]).metadata["matter"] == "4711"
        assert client.update("a", metadata={"floor": "3"}).metadata["floor"] == "3"
        (text,) = client.add_texts([NewText("crm/1", "The boat is moored.", "Mooring", {"n": "7"})])
        assert text.status == "added"
        rows = client.compare("Who keeps pets?", filters={"documents": ["a", "a/text"]})
        assert {row.document for row in rows} == {"a", "a/text"}
        assert client.delete("crm/1") == 1
        assert client.collections()[0]["name"] == "texts"


def test_the_asynchronous_client_answers_the_same(address: str) -> None:
    async def work() -> tuple[SearchAnswer, list[str]]:
        async with AsyncClient(address) as client:
            return await client.search("rent", k=2, fast=True), [entry.document async for entry in client.documents()]

    answer, documents = asyncio.run(work())
    assert documents == ["a", "a/text"]
    with Client(address) as client:
        assert client.search("rent", k=2, fast=True) == answer


def test_a_folder_answers_as_a_server_does(address: str, folder: Path) -> None:
    with Client(address) as remote, LocalClient(folder) as local:
        assert local.search("rent", k=2, fast=True) == remote.search("rent", k=2, fast=True)
        assert [entry.document for entry in local.documents()] == [entry.document for entry in remote.documents()]
        assert local.text("a", 0, 5) == remote.text("a", 0, 5)
        filters = {"kind": "lease", "documents": ["a"]}
        assert local.search("rent", fast=True, filters=filters) == remote.search("rent", fast=True, filters=filters)


def test_a_problem_of_the_server_is_raised_with_its_name(address: str) -> None:
    with Client(address) as client:
        with pytest.raises(ServerProblem, match="no document") as missing:
            client.document("nowhere")
        assert (missing.value.status, missing.value.type) == (404, "not-found")
        assert missing.value.request_id
        with pytest.raises(ServerProblem, match="already"):
            client.add_texts([NewText("a", "Another text.")])
        with pytest.raises(ServerProblem, match=r"filters\.knid"):
            client.search("rent", filters={"knid": "lease"})


def test_a_key_without_the_right_is_told_so(folder: Path, tmp_path: Path) -> None:
    auth = Auth.create(tmp_path / "keys.json")
    key = auth.add_key("robot", "read")
    with served(folder, auth) as address:
        with Client(address) as nobody, pytest.raises(ServerProblem) as unknown:
            nobody.search("rent", fast=True)
        assert unknown.value.status == 401
        with Client(address, key=key) as reader:
            assert reader.search("rent", k=1, fast=True).hits
            with pytest.raises(ServerProblem, match="may not write") as refused:
                reader.delete("a")
            assert refused.value.status == 403


def replies(*statuses: int | Exception) -> tuple[httpx.MockTransport, list[str]]:
    """A server that answers with these statuses, one after the other, and what was asked of it."""
    left, asked = list(statuses), []

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(f"{request.method} {request.url.path}")
        status = left.pop(0)
        if isinstance(status, Exception):
            raise status
        body = {"removed": 1, "collections": []} if status < 400 else {"title": "busy", "detail": "busy"}
        return httpx.Response(status, json=body, headers={"retry-after": "0"})

    return httpx.MockTransport(answer), asked


def test_what_changes_nothing_is_sent_again_after_a_broken_connection() -> None:
    transport, asked = replies(httpx.ConnectError("refused"), 503, 502, 200)
    with Client("http://x", check=False, transport=transport) as client:
        assert client.collections() == []
    assert len(asked) == 4


def test_a_change_is_sent_again_only_if_the_server_did_not_begin() -> None:
    transport, asked = replies(503, 429, 200)
    with Client("http://x", check=False, transport=transport) as client:
        assert client.delete("a") == 1
    assert len(asked) == 3
    for broken in (httpx.ReadError("reset"), 502):
        transport, asked = replies(broken, 200)
        with Client("http://x", check=False, transport=transport) as client, pytest.raises(ClientError):
            client.delete("a")
        assert len(asked) == 1


def test_patience_ends() -> None:
    transport, asked = replies(503, 503, 503)
    with Client("http://x", check=False, retries=2, transport=transport) as client, pytest.raises(ServerProblem):
        client.collections()
    assert len(asked) == 3


@pytest.mark.parametrize(
    ("reply", "message"),
    [
        ({"status": "ok", "version": "0.1.0"}, "runs Pincite 0.1.0"),
        ({"status": "ok"}, "runs Pincite an earlier version"),
    ],
)
def test_a_server_of_another_version_is_refused(reply: dict[str, str], message: str) -> None:
    transport = httpx.MockTransport(lambda _: httpx.Response(200, json=reply))
    with Client("http://x", transport=transport) as client, pytest.raises(ClientError, match=message):
        client.collections()


def test_something_that_is_no_pincite_server_is_said() -> None:
    transport = httpx.MockTransport(lambda _: httpx.Response(200, text="<html>Welcome</html>"))
    with Client("http://x", transport=transport) as client, pytest.raises(ClientError, match="is it a Pincite server"):
        client.search("rent")


def test_an_address_that_is_none_and_a_server_that_is_not_there() -> None:
    with pytest.raises(UsageError, match="write it as http"):
        Client("localhost:8080")
    with Client("http://127.0.0.1:9", retries=0) as client, pytest.raises(ClientError, match="is the server running"):
        client.collections()
