"""REST: the contract's shapes, paging, ETags, batches, uploads."""

import json
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from starlette.testclient import TestClient

from tests.compare.pdf import write_deed
from tests.serve.conftest import LEASE, problem

QUESTION = "Under the Garnet Quay lease, may the tenant underlet?"


def test_a_search_gives_the_envelope_with_exact_offsets(client: TestClient) -> None:
    answer = client.post("/v1/search", json={"query": QUESTION, "k": 3})
    assert answer.status_code == 200
    shape = answer.json()
    assert set(shape) == {"query", "understood", "notes", "answered", "hits", "groups", "overview", "generation"}
    assert shape["understood"]["documents"][0]["id"] == LEASE
    assert len(shape["hits"]) == 3
    for hit in shape["hits"]:
        text = client.get(f"/v1/documents/{hit['document']}/text", params={"start": hit["start"], "end": hit["end"]})
        assert text.json()["text"] == hit["text"]
        assert "Lease of Office Premises § " in hit["citation"]
    assert "underlet" in shape["hits"][0]["text"]
    assert "Lease of Office Premises § 2.1" in shape["hits"][0]["citation"]


@pytest.mark.parametrize(
    ("query", "has_overview", "corrections"),
    [
        (QUESTION, False, []),
        ("Garnet Quay lease", True, []),
        ("garnet quey lease", True, [{"typed": "quey", "read": "quay"}]),
        ("which agreements restrict hiring staff?", False, []),
        ("", None, []),
    ],
)
def test_what_is_sent_is_what_the_document_describes(
    client: TestClient, query: str, has_overview: bool | None, corrections: list[dict[str, str]]
) -> None:
    answer = client.post("/v1/search", json={"query": query, "k": 5, "fast": True})
    if has_overview is None:
        problem(answer, 422, "invalid")
        return
    shape = answer.json()
    described = client.get("/v1/openapi.json").json()
    checked = {**described["components"]["schemas"]["Envelope"], "components": described["components"]}
    jsonschema.Draft202012Validator(checked).validate(shape)
    assert_no_more_than_described(shape, checked, described["components"]["schemas"])
    assert shape["understood"]["corrections"] == corrections
    assert (shape["overview"] is not None) == has_overview
    by_document: dict[str, list[int]] = {}
    for hit in shape["hits"]:
        by_document.setdefault(hit["document"], []).append(hit["rank"])
    assert {group["document"]: group["ranks"] for group in shape["groups"]} == by_document
    if has_overview:
        text = client.get(f"/v1/documents/{LEASE}/text").json()["text"]
        at = {heading["text"]: heading["start"] for heading in shape["overview"]["outline"]}
        assert text[at["PART 5 - SERVICE CHARGE"] :].startswith("5.1")
        assert (shape["overview"]["kind"], shape["overview"]["date"]) == ("lease", "2019-03-21")


def assert_no_more_than_described(value: Any, schema: dict[str, Any], known: dict[str, Any]) -> None:
    """Every name in a value is one that its schema has."""
    for one in (schema, *schema.get("anyOf", ())):
        if "$ref" in one and value is not None:
            assert_no_more_than_described(value, known[one["$ref"].rpartition("/")[2]], known)
        if isinstance(value, list) and "items" in one:
            for item in value:
                assert_no_more_than_described(item, one["items"], known)
        if isinstance(value, dict) and "properties" in one:
            assert set(value) <= set(one["properties"])
            for name, inner in value.items():
                assert_no_more_than_described(inner, one["properties"][name], known)


def test_shapes_are_described_with_examples(client: TestClient) -> None:
    shapes = client.get("/v1/openapi.json").json()["components"]["schemas"]
    [example] = shapes["OverviewShape"]["examples"]
    assert set(example) <= set(shapes["OverviewShape"]["properties"])
    assert set(example["outline"][0]) == set(shapes["OutlinedShape"]["properties"])
    [corrections] = shapes["UnderstoodShape"]["properties"]["corrections"]["examples"]
    assert set(corrections[0]) == set(shapes["SpellingShape"]["properties"])
    assert shapes["GroupShape"]["properties"]["ranks"]["examples"]


def test_the_answer_is_that_of_the_command_line(client: TestClient, sample_index: Path) -> None:
    command = [sys.executable, "-m", "pincite", "search", QUESTION, "--index", str(sample_index), "--json", "-k", "4"]
    shown = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    hits = client.post("/v1/search", json={"query": QUESTION, "k": 4}).json()["hits"]
    assert [{key: hit[key] for key in shown[0]} for hit in hits] == shown


def test_filters_narrow_the_search(client: TestClient) -> None:
    asked = {"query": "governing law", "k": 5, "fast": True}
    kinds = client.post("/v1/search", json={**asked, "filters": {"kind": "lease"}}).json()["hits"]
    assert {hit["document"] for hit in kinds} == {LEASE}
    named = client.post("/v1/search", json={**asked, "filters": {"documents": ["garnet-quay"]}}).json()["hits"]
    assert {hit["document"] for hit in named} == {LEASE}
    for said in ({"kind": "lease"}, {"parties": "", "kind": "Lease"}):
        other = client.post("/v1/search", json={**asked, "filters": {"metadata": said}}).json()["hits"]
        assert other == kinds
    late = client.post("/v1/search", json={**asked, "filters": {"after": "2030-01-01"}}).json()
    assert late["hits"] == []
    assert any("filter" in note for note in late["notes"])


def test_a_batch_comes_in_order_as_json_or_as_lines(client: TestClient) -> None:
    queries = ["Who insures?", "May copies be kept?", "governing law"]
    asked = {"queries": queries, "k": 1, "fast": True}
    whole = client.post("/v1/search/batch", json=asked).json()["answers"]
    assert [answer["query"] for answer in whole] == queries
    lines = client.post("/v1/search/batch", json=asked, headers={"accept": "application/x-ndjson"})
    assert lines.headers["content-type"].startswith("application/x-ndjson")
    assert [json.loads(line) for line in lines.text.splitlines()] == whole


def test_documents_come_a_page_at_a_time(client: TestClient) -> None:
    found, cursor = [], ""
    while True:
        page = client.get("/v1/documents", params={"limit": 5, "cursor": cursor}).json()
        found += [entry["document"] for entry in page["documents"]]
        if page["next"] is None:
            break
        cursor = page["next"]
    assert len(found) == len(set(found)) == 14
    assert client.get("/v1/documents", params={"kind": "lease"}).json()["documents"][0]["document"] == LEASE


@pytest.mark.parametrize("cursor", ["x", "-1", "1.5", "²", "٣", "9" * 19, "9" * 99])
@pytest.mark.parametrize("filters", [{}, {"kind": "lease"}])
def test_a_cursor_that_no_page_gave_is_refused(client: TestClient, cursor: str, filters: dict[str, str]) -> None:
    answer = client.get("/v1/documents", params={"cursor": cursor, **filters})
    assert problem(answer, 422, "invalid")["detail"] == "invalid cursor: use `next` of the previous page"


def test_a_document_has_an_etag(client: TestClient) -> None:
    first = client.get(f"/v1/documents/{LEASE}")
    assert first.json()["title"] == "LEASE OF OFFICE PREMISES"
    again = client.get(f"/v1/documents/{LEASE}", headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_outline_and_passage(client: TestClient) -> None:
    headings = client.get(f"/v1/documents/{LEASE}/outline").json()["headings"]
    assert any(heading["heading"] == "Assignment and underletting" for heading in headings)
    shape = client.get(f"/v1/documents/{LEASE}/passage", params={"start": 6195, "end": 6386, "around": 50}).json()
    assert shape["text"].startswith("2.18")
    assert len(shape["before"]) == len(shape["after"]) == 50
    assert shape["citation"].endswith("Lease of Office Premises § 2.18")


def test_an_upload_is_searchable_at_once_and_gone_when_it_is_removed(writer: TestClient, own_index: Path) -> None:
    text = "CHARTER PARTY\n\nThe vessel Aurelia shall be redelivered at Genoa with clean holds.\n"
    sent = writer.post("/v1/documents?wait=true", files=[("files", ("charter.txt", text))])
    assert sent.status_code == 201
    assert sent.json()["files"][0]["documents"] == ["uploads/charter.txt"]
    asked = {"query": "Where is the vessel Aurelia redelivered?", "k": 1}
    assert writer.post("/v1/search", json=asked).json()["hits"][0]["document"] == "uploads/charter.txt"
    same = writer.post("/v1/documents?wait=true", files=[("files", ("charter.txt", text))])
    assert (same.status_code, same.json()["files"][0]["status"]) == (200, "same")
    assert writer.delete("/v1/documents/uploads/charter.txt").json() == {"removed": 1}
    assert writer.get("/v1/documents/uploads/charter.txt").status_code == 404
    assert not (own_index / "uploads" / "charter.txt").exists()


def test_a_file_of_the_same_name_replaces_only_when_told(writer: TestClient) -> None:
    first, second = "LEASE\n\nThe rent is 100 pounds a year.\n", "LEASE\n\nThe rent is 200 pounds a year.\n"
    assert writer.post("/v1/documents?wait=true", files=[("files", ("a.txt", first))]).status_code == 201
    refused = writer.post("/v1/documents?wait=true", files=[("files", ("a.txt", second))])
    assert refused.status_code == 409
    assert writer.get("/v1/documents/uploads/a.txt/text").json()["text"] == first
    told = writer.post("/v1/documents?wait=true", files=[("files", ("a.txt", second))], data={"replace": "true"})
    assert told.status_code == 201
    assert writer.get("/v1/documents/uploads/a.txt/text").json()["text"] == second


def test_some_of_several_files_may_fail(writer: TestClient) -> None:
    files = [
        ("files", ("good.txt", "DEED\n\nThe grantor conveys the mill.\n")),
        ("files", ("bad.pdf", b"%PDF-1.7 nothing")),
    ]
    answer = writer.post("/v1/documents?wait=true", files=files)
    assert answer.status_code == 207
    assert [entry["status"] for entry in answer.json()["files"]] == ["added", "failed"]
    assert answer.json()["files"][1]["problem"]


def test_one_question_over_many_documents(client: TestClient) -> None:
    asked = {"query": "What law governs the agreement?", "filters": {"kind": "nda"}}
    rows = client.post("/v1/compare", json=asked).json()["rows"]
    assert len(rows) >= 2
    assert all(row["hit"] is None or row["hit"]["document"] == row["document"] for row in rows)
    assert any(row["hit"] and "law" in row["hit"]["text"] for row in rows)


def test_health_readiness_metrics_and_collections(client: TestClient) -> None:
    assert client.get("/v1/health").json() == {"status": "ok", "version": version("pincite")}
    assert client.get("/v1/ready").json() == {"status": "ready", "version": version("pincite")}
    client.post("/v1/search", json={"query": "rent", "fast": True})
    figures = client.get("/v1/metrics").text
    assert 'pincite_requests_total{method="POST",route="/v1/search",status="200"}' in figures
    assert 'pincite_documents{collection="contracts"} 14.0' in figures
    assert client.get("/v1/collections").json()["collections"][0]["documents"] == 14


def test_every_route_is_described(client: TestClient) -> None:
    described = client.get("/v1/openapi.json").json()
    assert described["components"]["schemas"]["Problem"]
    for path, methods in described["paths"].items():
        assert path.startswith("/v1/")
        for method in methods.values():
            assert method["description"]
            assert "application/problem+json" in method["responses"]["503"]["content"]
            assert any(status.startswith("2") for status in method["responses"])


def test_a_page_of_a_pdf_comes_as_a_picture(writer: TestClient, tmp_path: Path) -> None:
    path = write_deed(tmp_path / "deed.pdf", 3)
    assert writer.post("/v1/documents?wait=true", files=[("files", ("deed.pdf", path.read_bytes()))]).status_code == 201
    text = writer.get("/v1/documents/uploads/deed.pdf/text").json()["text"]
    start = text.index("The grantor conveys meadow number 2")
    place = {"start": start, "end": start + 35}
    plain = writer.get("/v1/documents/uploads/deed.pdf/pages/2")
    marked = writer.get("/v1/documents/uploads/deed.pdf/pages/2", params=place)
    assert plain.headers["content-type"] == "image/png"
    assert marked.content.startswith(b"\x89PNG")
    assert plain.content != marked.content
    beyond = writer.get("/v1/documents/uploads/deed.pdf/pages/4")
    assert (beyond.status_code, beyond.json()["type"]) == (404, "urn:pincite:problem:not-found")


@pytest.mark.parametrize("path", ["", "/text", "/outline", "/passage?start=0&end=1", "/pages/1"])
def test_a_document_that_is_not_there_is_not_found(client: TestClient, path: str) -> None:
    problem(client.get(f"/v1/documents/corpus/nothing.txt{path}"), 404, "not-found")


@pytest.mark.parametrize(
    "name", ["../../etc/passwd", "..%2f..%2fetc%2fpasswd", "/etc/passwd", "uploads/../truth.sqlite"]
)
def test_no_path_leads_out(client: TestClient, name: str) -> None:
    assert client.get(f"/v1/documents/{name}/text").status_code == 404
    assert client.get(f"/static/{name}").status_code == 404


def test_a_part_of_a_name_removes_nothing(writer: TestClient) -> None:
    problem(writer.delete("/v1/documents/garnet-quay"), 404, "not-found")
    assert writer.get(f"/v1/documents/{LEASE}").status_code == 200


def test_a_document_that_was_removed_meanwhile_is_not_found(writer: TestClient) -> None:
    hit = writer.post("/v1/search", json={"query": "May the tenant underlet?", "k": 1, "fast": True}).json()["hits"][0]
    assert writer.delete(f"/v1/documents/{hit['document']}").status_code == 200
    place = {"start": hit["start"], "end": hit["end"]}
    problem(writer.get(f"/v1/documents/{hit['document']}/passage", params=place), 404, "not-found")
    assert writer.get(f"/documents/{hit['document']}", params=place).status_code == 404
    assert writer.post("/v1/search", json={"query": "underlet", "fast": True}).status_code == 200


def test_what_was_noticed_about_a_file_is_part_of_its_document(writer: TestClient) -> None:
    data = "OLD LEASE\n\nThe “Tenant” shall pay the rent each month.".encode("cp1252")
    files = [("files", (name, data)) for name in ("old-lease.txt", "old-lease-copy.txt")]
    sent = writer.post("/v1/documents?wait=true", files=files).json()["files"]
    note = "uploads/old-lease.txt: not UTF-8; read as Windows-1252"
    assert sent[0]["notes"] == [note]
    shape = writer.get("/v1/documents/uploads/old-lease.txt").json()
    assert (shape["notes"], shape["duplicate_of"]) == ([note], None)
    copy = writer.get("/v1/documents/uploads/old-lease-copy.txt").json()
    assert copy["duplicate_of"] == "uploads/old-lease.txt"
    page = writer.get("/documents/uploads/old-lease-copy.txt").text
    assert "read as Windows-1252" in page
    assert "The same content as" in page
