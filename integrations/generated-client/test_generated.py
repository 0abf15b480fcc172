"""A client that openapi-python-client generates from a server's own document: search, page, upload, compare."""

import importlib
import io
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from sample_pdf import pdf

from conftest import QUESTION

CONFIGURATION = """
package_name_override: pincite_rest
project_name_override: rest
post_hooks: []
content_type_overrides:
  image/png: application/octet-stream
"""
"""The generator knows no pictures; they are files to it."""


@pytest.fixture(scope="module")
def generated(address: str, tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    """The package, generated without a warning."""
    folder = tmp_path_factory.mktemp("generated")
    (folder / "config.yml").write_text(CONFIGURATION, "utf-8")
    made = subprocess.run(
        [
            *(
                Path(sys.executable).with_name("openapi-python-client"),
                "generate",
                "--url",
                f"{address}/v1/openapi.json",
            ),
            *("--output-path", folder / "out", "--config", folder / "config.yml", "--meta", "none"),
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert made.returncode == 0, made.stdout + made.stderr
    assert "warning" not in (made.stdout + made.stderr).lower(), made.stdout + made.stderr
    (folder / "out").rename(folder / "pincite_rest")
    sys.path.insert(0, str(folder))
    return importlib.import_module("pincite_rest")


@pytest.fixture
def client(generated: ModuleType, address: str) -> Any:
    return generated.Client(base_url=address, timeout=120)


def call(group: str, name: str) -> Any:
    return importlib.import_module(f"pincite_rest.api.{group}.{name}").sync_detailed


def test_search(client: Any) -> None:
    models = importlib.import_module("pincite_rest.models")
    body = models.SearchBody(query=QUESTION, k=2, fast=True, granularity=models.SearchBodyGranularity.CLAUSE)
    answer = call("search", "search")(client=client, body=body).parsed
    assert len(answer.hits) == 2
    assert answer.hits[0].boxes == []
    assert answer.hits[0].metadata["kind"] == "lease"
    more = models.SearchBody(query=QUESTION, k=1, offset=1, generation=answer.generation, fast=True)
    (second,) = call("search", "search")(client=client, body=more).parsed.hits
    assert (second.rank, second.document) == (2, answer.hits[1].document)


def test_upload_and_page(client: Any, tmp_path: Path) -> None:
    models, types = importlib.import_module("pincite_rest.models"), importlib.import_module("pincite_rest.types")
    body = models.BodyUploadDocuments(
        files=[types.File(io.BytesIO(pdf("The licence fee is 40 euros.")), "licence.pdf", "application/pdf")],
        metadata='{"matter": "4711"}',
    )
    upload = call("documents", "upload_documents")
    done = upload(client=client, body=body, wait=True, idempotency_key="one upload")
    assert done.status_code == 201, done.content
    (document,) = done.parsed.files[0].documents
    found = call("documents", "get_document")(document, client=client).parsed
    assert found.metadata["matter"] == "4711"
    asked = models.SearchBody(query="licence fee", k=1, fast=True, filters=models.FilterSchema(documents=[document]))
    hit = call("search", "search")(client=client, body=asked).parsed.hits[0]
    assert (hit.page, hit.boxes[0].page) == (1, 1)
    image = call("documents", "get_page_image")(document, 1, client=client, start=hit.start, end=hit.end)
    picture = image.parsed.payload.read() if image.parsed else image.content
    assert picture.startswith(b"\x89PNG")
    removal = call("documents", "delete_document")(document, client=client, if_match=found.etag)
    assert removal.parsed.removed == 1


def test_texts(client: Any) -> None:
    models = importlib.import_module("pincite_rest.models")
    body = models.TextsBody(texts=[models.TextBody(id="crm/4711/text", text="The boat is moored at the quay.")])
    done = call("documents", "add_texts")(client=client, body=body)
    assert done.status_code == 201, done.content
    assert (
        call("documents", "get_text")("crm/4711/text", client=client).parsed.text == "The boat is moored at the quay."
    )
    call("documents", "delete_document")("crm/4711/text", client=client)


def test_compare(client: Any) -> None:
    models = importlib.import_module("pincite_rest.models")
    body = models.CompareBody(query="Who insures?", filters=models.FilterSchema(kind="lease"))
    rows = call("search", "compare")(client=client, body=body).parsed.rows
    assert rows
    assert all(row.document for row in rows)
