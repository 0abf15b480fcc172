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
    BackupInfo,
    CasePassage,
    CasesLike,
    Client,
    ClientError,
    CollectionInfo,
    ComparedDocument,
    DocumentInfo,
    DocumentText,
    FoundCase,
    JudgmentInfo,
    LocalClient,
    MatterInfo,
    NewText,
    OutlineHeading,
    PassageText,
    RemovalCount,
    SearchAnswer,
    ServerProblem,
    StoredFile,
    UnreadFile,
    UploadJob,
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
        "PartShape": AnswerPart, "RowShape": ComparedDocument, "TaggedDocument": DocumentInfo,
        "TextShape": DocumentText, "UploadedShape": StoredFile, "TextBody": NewText, "PassageShape": PassageText,
        "HeadingShape": OutlineHeading, "CollectionShape": CollectionInfo, "MatterShape": MatterInfo,
        "UnreadShape": UnreadFile, "RemovedByFilter": RemovalCount, "BackupMade": BackupInfo, "JobShape": UploadJob,
        "StretchShape": CasePassage, "CaseInfoShape": JudgmentInfo, "SimilarCaseShape": FoundCase,
        "LikeAnswer": CasesLike,
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
        assert client.collections()[0].name == "texts"


METHODS = {
    "search": "search", "search_batch": "search_many", "compare": "compare", "similar_cases": "similar_cases",
    "similar_cases_of_file": "similar_cases_of_file", "list_documents": "documents", "upload_documents": "upload", "add_texts": "add_texts",
    "get_document": "document", "get_text": "text", "get_passage": "passage", "get_outline": "outline",
    "get_page_image": "page_image", "update_document": "update", "delete_document": "delete", "get_facets": "facets",
    "delete_documents": "remove_where", "list_unread_files": "unread", "list_collections": "collections",
    "list_matters": "matters", "list_jobs": "jobs", "get_job": "job", "cancel_job": "cancel", "create_backup": "backup",
}  # fmt: skip
"""The method of the client for each operation."""
OPERATORS = {"get_health", "get_readiness", "get_metrics"}
"""Operations for those who run a server."""


def test_every_operation_has_a_method_in_both_clients(address: str) -> None:
    paths = httpx.get(f"{address}/v1/openapi.json").json()["paths"]
    operations = {operation["operationId"] for path in paths.values() for operation in path.values()}
    assert operations == METHODS.keys() | OPERATORS
    for kind in (Client, AsyncClient):
        assert all(callable(getattr(kind, name)) for name in METHODS.values())
    public = [{name for name in vars(kind) if not name.startswith("_")} for kind in (Client, AsyncClient)]
    assert public[0] - {"close"} == public[1] - {"aclose"}


def test_pages_of_hits_are_of_one_generation(address: str, folder: Path) -> None:
    with Client(address) as client:
        first = client.search("Are pets or rent mentioned?", k=1, fast=True)
        second = client.search("Are pets or rent mentioned?", k=1, fast=True, offset=1, generation=first.generation)
        assert (first.hits[0].rank, second.hits[0].rank) == (1, 2)
        with LocalClient(folder) as local:
            assert (
                local.search("Are pets or rent mentioned?", k=1, fast=True, offset=1, generation=first.generation)
                == second
            )
        client.add_texts([NewText("new", "Another lease.")])
        with pytest.raises(ServerProblem, match="begin again with the first page") as stale:
            client.search("Are pets or rent mentioned?", k=1, fast=True, offset=1, generation=first.generation)
        assert (stale.value.status, stale.value.type) == (412, "stale")
        with LocalClient(folder) as local, pytest.raises(UsageError, match="begin again with the first page"):
            local.search("Are pets or rent mentioned?", offset=1, generation=first.generation)


def test_documents_are_described_counted_and_removed_by_condition(address: str, folder: Path) -> None:
    with Client(address) as client:
        changed = client.update("a", metadata={"floor": "3"})
        condition = {"floor": {"gte": 2}}
        assert [entry.document for entry in client.documents(where=condition)] == ["a"]
        assert client.facets("floor", "kind") == {"floor": {"3": 1}, "kind": {"lease": 2}}
        assert client.facets("kind", where=condition) == {"kind": {"lease": 1}}
        with LocalClient(folder) as local:
            assert [entry.document for entry in local.documents(where=condition)] == ["a"]
            assert local.facets("kind", where=condition) == {"kind": {"lease": 1}}
            assert local.outline("a") == client.outline("a")
        found = client.passage("a", 7, 26, around=5)
        assert (found.text, found.citation) == ("The rent is due on ", client.passage("a", 7, 26).citation)
        with pytest.raises(ServerProblem, match="get it again"):
            client.update("a", title="New", if_match='"other-1"')
        assert client.update("a", title="New", if_match=changed.etag).title == "New"
        with pytest.raises(ServerProblem, match="has changed"):
            client.delete("a", if_match=changed.etag)
        assert client.remove_where({"where": condition}) == RemovalCount(1, 0)
        assert client.remove_where({"where": condition}, expected=1) == RemovalCount(1, 1)
        assert [entry.document for entry in client.documents()] == ["a/text"]
        assert client.unread() == []
        assert client.matters() == [MatterInfo("texts", 1, "write")]
        (collection,) = client.collections()
        assert (collection.documents, collection.right) == (1, "admin")


def test_an_upload_is_followed(address: str) -> None:
    with Client(address) as client:
        begun = client.begin_upload(("note.txt", b"The key is under the mat."), metadata={"n": "7"})
        done = client.wait(begun, timeout=120)
        assert (done.id, done.is_done, [file.status for file in done.files]) == (begun.id, True, ["added"])
        assert client.wait(begun.id) == client.job(begun.id)
        assert [job.id for job in client.jobs()] == [begun.id]
        assert client.cancel(begun.id).is_done
        waiting = dataclasses.replace(done, state="reading")
        with pytest.raises(ClientError, match="is not done after 0 seconds"):
            client.wait(waiting, timeout=0)


def test_tables_come_as_files(address: str) -> None:
    with Client(address) as client:
        assert b"No pets may be kept." in client.search_table("pets", k=1, fast=True)
        assert client.search_table("pets", k=1, fast=True, form="docx").startswith(b"PK")
        assert client.compare_table("May pets be kept?", form="xlsx").startswith(b"PK")
        with pytest.raises(UsageError, match="csv, xlsx, docx"):
            client.compare_table("May pets be kept?", form="pdf")


def test_cases_like_a_judgment(tmp_path: Path) -> None:
    place = tmp_path / "cases.pincite"
    lease = "The lessor ended the lease of the mill because the rent was in arrears."
    with Index.create(place) as index:
        index.add_text("mill", f"Rao v Sen\n3 May 1961\n{lease}", vectors="none")
        index.add_text("silk", "Customs v Ali\n2 July 1970\nCustoms duty was due on silk.", vectors="none")
    judgment = f"Nair v Das\n9 June 1975\n{lease}"
    with served(place) as address, Client(address) as client, LocalClient(place) as local:
        found = client.similar_cases(text=judgment, k=1)
        assert found == local.similar_cases(text=judgment, k=1)
        assert (found.cases[0].document, found.compared, found.query.date) == ("mill", 2, "1975-06-09")
        assert client.similar_cases_of_file(("judgment.txt", judgment.encode()), k=1).cases == found.cases
        assert client.similar_cases("silk").cases[0].document == "mill"
        for wrong in (client.similar_cases, local.similar_cases):
            with pytest.raises(UsageError, match="one of the two"):
                wrong("mill", text=judgment)


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


def replies(*statuses: int | Exception, keys: list[str] | None = None) -> tuple[httpx.MockTransport, list[str]]:
    """A server that answers with these statuses, one after the other, and what was asked of it."""
    left, asked = list(statuses), []
    kept = [] if keys is None else keys

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(f"{request.method} {request.url.path}")
        kept.append(request.headers.get("idempotency-key", ""))
        status = left.pop(0)
        if isinstance(status, Exception):
            raise status
        body = {"removed": 1, "collections": []} if status < 400 else {"title": "busy", "detail": "busy"}
        if status == 409:
            body["type"] = "urn:pincite:problem:in-progress"
        return httpx.Response(status, json=body, headers={"retry-after": "0"})

    return httpx.MockTransport(answer), asked


def test_what_changes_nothing_is_sent_again_after_a_broken_connection() -> None:
    transport, asked = replies(httpx.ConnectError("refused"), 503, 502, 200)
    with Client("http://x", check=False, transport=transport) as client:
        assert client.collections() == []
    assert len(asked) == 4


def test_a_change_is_sent_again_under_the_same_key() -> None:
    for broken in (httpx.ReadError("reset"), 502, 503, 429):
        keys: list[str] = []
        transport, asked = replies(broken, 200, keys=keys)
        with Client("http://x", check=False, transport=transport) as client:
            assert client.delete("a") == 1
        assert len(asked) == 2
        assert keys[0] == keys[1] != ""
    transport, asked = replies(httpx.ReadError("reset"), 200, keys=keys)
    with Client("http://x", check=False, retries=0, transport=transport) as client, pytest.raises(ClientError):
        client.delete("a")
    assert (len(asked), keys[-1]) == (1, "")


def test_a_change_that_is_still_being_made_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pincite.client.synchronous.PAUSE", 0.0)
    transport, asked = replies(httpx.ReadError("reset"), 409, 409, 409, 409, 409, 200)
    with Client("http://x", check=False, transport=transport) as client:
        assert client.delete("a") == 1
    assert len(asked) == 7


def test_files_that_the_server_may_have_received_are_not_sent_again_to_a_busy_one() -> None:
    transport, asked = replies(503, 200)
    with Client("http://x", check=False, transport=transport) as client, pytest.raises(ServerProblem):
        client.upload(("a.txt", b"The rent is due."))
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
