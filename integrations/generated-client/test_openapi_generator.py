"""A client that openapi-generator generates from a server's own document: search, page, upload, compare.

integrations/run fetches the generator and names it in OPENAPI_GENERATOR; where it cannot be had, these tests are skipped.
"""

import importlib
import os
import shutil
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from typing import Any

import pytest
from sample_pdf import pdf

from conftest import QUESTION

GENERATOR = os.environ.get("OPENAPI_GENERATOR", "")
PACKAGE = "pincite_openapi"

if not GENERATOR or shutil.which("java") is None:
    pytest.skip("openapi-generator is not here: integrations/run fetches it; it needs Java", allow_module_level=True)


@pytest.fixture(scope="module")
def client(address: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A connection of the generated package, which is generated from a document that the generator finds valid."""
    folder = tmp_path_factory.mktemp("generated")
    with urllib.request.urlopen(f"{address}/v1/openapi.json") as document:
        (folder / "openapi.json").write_bytes(document.read())
    for command in (
        ["validate", "-i", str(folder / "openapi.json")],
        ["generate", "-i", str(folder / "openapi.json"), "-g", "python", "-o", str(folder), "--package-name", PACKAGE],
    ):
        made = subprocess.run(["java", "-jar", GENERATOR, *command], capture_output=True, text=True, check=False)
        assert made.returncode == 0, made.stdout + made.stderr
        assert "[main] ERROR" not in made.stdout + made.stderr, made.stdout + made.stderr
    sys.path.insert(0, str(folder))
    package = importlib.import_module(PACKAGE)
    with package.ApiClient(package.Configuration(host=address)) as held:
        yield held


@pytest.fixture(scope="module")
def package(client: Any) -> Any:
    return importlib.import_module(PACKAGE)


@pytest.fixture(scope="module")
def documents(package: Any, client: Any) -> Any:
    return package.DocumentsApi(client)


@pytest.fixture(scope="module")
def searching(package: Any, client: Any) -> Any:
    return package.SearchApi(client)


def test_search_and_the_next_page(package: Any, searching: Any) -> None:
    first = searching.search(package.SearchBody(query=QUESTION, k=2, fast=True, granularity="clause"))
    assert len(first.hits) == 2
    assert first.hits[0].metadata["kind"] == "lease"
    more = package.SearchBody(
        query=QUESTION, k=1, offset=1, generation=first.generation, fast=True, granularity="clause"
    )
    (second,) = searching.search(more).hits
    assert (second.rank, second.start) == (2, first.hits[1].start)
    with pytest.raises(package.ApiException) as stale:
        searching.search(package.SearchBody(query=QUESTION, generation=first.generation + 1))
    assert stale.value.status == 412


def test_a_file_is_uploaded_once_read_drawn_and_removed(package: Any, documents: Any, searching: Any) -> None:
    file = ("licence-fee.pdf", pdf("The licence fee is 40 euros."))
    sent = [
        documents.upload_documents_with_http_info(
            files=[file], wait=True, metadata='{"matter": "4711"}', idempotency_key="the licence fee"
        )
        for _ in range(2)
    ]
    assert [answer.status_code for answer in sent] == [201, 201]
    (document,) = sent[0].data.files[0].documents
    known = documents.get_document(document)
    assert known.metadata["matter"] == "4711"
    asked = package.SearchBody(query="licence fee", k=1, fast=True, filters=package.FilterSchema(documents=[document]))
    (hit,) = searching.search(asked).hits
    assert (hit.page, hit.boxes[0].page) == (1, 1)
    picture = documents.get_page_image(document, 1, start=hit.start, end=hit.end)
    assert bytes(picture).startswith(b"\x89PNG")
    with pytest.raises(package.ApiException) as stale:
        documents.delete_document(document, if_match='"another-1"')
    assert stale.value.status == 412
    assert documents.delete_document(document, if_match=known.etag).removed == 1


def test_texts(package: Any, documents: Any) -> None:
    said = "The boat is moored at the quay."
    documents.add_texts(package.TextsBody(texts=[package.TextBody(id="crm/4712/text", text=said)]))
    assert documents.get_text("crm/4712/text").text == said
    assert documents.delete_document("crm/4712/text").removed == 1


def test_compare(package: Any, searching: Any) -> None:
    body = package.CompareBody(query="May the tenant underlet?", filters=package.FilterSchema(kind="lease"))
    rows = searching.compare(body).rows
    assert rows
    assert all(row.file and row.document.endswith(row.file) for row in rows)
    assert any(row.hit and row.citation == row.hit.citation for row in rows)


def test_documents_and_matters_are_listed(package: Any, client: Any, documents: Any) -> None:
    page = documents.list_documents(where='{"kind": {"in": ["lease", "nda"]}}', limit=2)
    assert len(page.documents) == 2
    assert {matter.right for matter in package.ServerApi(client).list_matters().matters} == {"write"}
