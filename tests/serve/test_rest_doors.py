"""REST for programs that others wrote: names that stay, ids that are reached, mistakes that are said."""

import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from pincite.compare.export import MEDIA_TYPES
from pincite.index import Index
from tests.serve.conftest import client_of


@pytest.fixture
def texts(tmp_path: Path) -> Iterator[TestClient]:
    """A server over an index of three short texts, two of whose ids end like paths of REST."""
    folder = tmp_path / "texts.pincite"
    with Index.create(folder) as index:
        for name, said in (("a", "The rent is due."), ("a/text", "No pets."), ("a/pages/3", "The deposit is held.")):
            index.add_text(name, f"LEASE\n\n{said} The tenant agrees.", title=f"Lease {name}", vectors="none")
    with client_of(folder) as client:
        yield client


def test_operation_ids_are_stable(texts: TestClient) -> None:
    paths = texts.get("/v1/openapi.json").json()["paths"]
    ids = {operation["operationId"] for path in paths.values() for operation in path.values()}
    assert ids >= {
        *(
            "search",
            "search_batch",
            "compare",
            "list_documents",
            "upload_documents",
            "add_texts",
            "get_document",
            "get_text",
        ),
        *("get_passage", "get_outline", "get_page_image", "update_document", "delete_document", "list_collections"),
        *("get_health", "get_readiness", "get_metrics", "create_backup", "list_unread_files"),
    }


def test_files_are_binary_and_choices_are_enums(texts: TestClient) -> None:
    document = texts.get("/v1/openapi.json").json()
    written = json.dumps(document)
    assert '"pattern"' not in written
    assert "contentMediaType" not in written
    upload = document["paths"]["/v1/documents"]["post"]["requestBody"]["content"]
    name = upload["multipart/form-data"]["schema"]["$ref"].rsplit("/", 1)[1]
    files = document["components"]["schemas"][name]["properties"]["files"]
    assert files["items"] == {"type": "string", "format": "binary"}
    assert list(upload) == ["multipart/form-data"]  # generated clients would choose JSON, which files cannot be sent as
    texts_body = document["paths"]["/v1/texts"]["post"]["requestBody"]["content"]
    assert texts_body["application/json"]["schema"]["$ref"].endswith("/TextsBody")
    image = document["paths"]["/v1/documents/{document_id}/pages/{page}"]["get"]["responses"]["200"]["content"]
    assert image == {"image/png": {"schema": {"type": "string", "format": "binary"}}}
    granularity = document["components"]["schemas"]["SearchBody"]["properties"]["granularity"]
    assert granularity["enum"] == ["sentence", "clause", "section", "words"]


def test_the_examples_of_the_document_are_answered(client: TestClient) -> None:
    """Each example is a true one: the sample contracts answer it."""
    schemas = client.get("/v1/openapi.json").json()["components"]["schemas"]
    for path, name in (("/v1/search", "SearchBody"), ("/v1/search/batch", "BatchBody"), ("/v1/compare", "CompareBody")):
        for example in schemas[name]["examples"]:
            answer = client.post(path, json=example)
            assert answer.status_code == 200, answer.text
            body = answer.json()
            for one in body.get("answers", [body]):
                assert one.get("hits") or one.get("rows"), example


def test_a_hit_has_what_a_program_needs_to_highlight_it(texts: TestClient) -> None:
    (hit,) = texts.post("/v1/search", json={"query": "pets", "k": 1, "fast": True}).json()["hits"]
    assert hit["boxes"] == []
    assert hit["page_label"] == ""
    assert hit["metadata"]["kind"] == "lease"
    assert hit["spans"][0]["role"] == "answer"


@pytest.mark.parametrize(("document", "said"), [("a", "rent"), ("a/text", "pets"), ("a/pages/3", "deposit")])
def test_every_id_is_reached_with_its_slashes_encoded(texts: TestClient, document: str, said: str) -> None:
    path = "/v1/documents/" + document.replace("/", "%2F")
    assert texts.get(path).json()["document"] == document
    found = texts.get(f"{path}/text").json()
    assert found["document"] == document
    assert said in found["text"]
    assert texts.get(f"{path}/outline").status_code == 200
    assert texts.patch(path, json={"metadata": {"matter": "4711"}}).json()["metadata"]["matter"] == "4711"
    assert texts.delete(path).json() == {"removed": 1}
    assert texts.get(path).status_code == 404


@pytest.mark.parametrize(
    ("method", "path", "known"),
    [
        ("GET", "/v1/documents?knid=lease", "collection, kind, party, after, before, where, limit, cursor"),
        ("GET", "/v1/documents/a?colection=x", "the known ones are: collection"),
        ("GET", "/v1/health?x=1", "there are none here"),
        ("POST", "/v1/search?k=3", "there are none here"),
    ],
)
def test_an_unknown_query_parameter_is_refused(texts: TestClient, method: str, path: str, known: str) -> None:
    body = {"query": "rent"} if method == "POST" else None
    refused = texts.request(method, path, json=body)
    assert refused.status_code == 422
    assert known in refused.json()["detail"]


def upload(client: TestClient, **form: str) -> Any:
    sent = {"files": ("note.txt", b"The key is under the mat.")}
    return client.post("/v1/documents", files=sent, data={"wait": "true", **form})


def test_an_unknown_form_field_is_refused(texts: TestClient) -> None:
    refused = upload(texts, metdata='{"matter": "4711"}')
    assert refused.status_code == 422
    known = "unknown form field 'metdata'; the known ones are: files, replace, matter, metadata, wait"
    assert known in refused.json()["detail"]
    assert texts.get("/v1/documents/uploads%2Fnote.txt").status_code == 404


def test_metadata_of_an_upload_is_kept(texts: TestClient) -> None:
    done = upload(texts, metadata='{"matter": "4711"}')
    assert done.status_code == 201, done.text
    (document,) = done.json()["files"][0]["documents"]
    assert texts.get("/v1/documents/" + document.replace("/", "%2F")).json()["metadata"]["matter"] == "4711"


@pytest.mark.parametrize("metadata", ["matter=4711", '["matter"]', '{"matter": 4711}'])
def test_metadata_that_are_no_object_of_texts_are_refused_before_anything_is_stored(
    texts: TestClient, metadata: str
) -> None:
    refused = upload(texts, metadata=metadata)
    assert refused.status_code == 422
    assert '{"matter": "4711"}' in refused.json()["detail"]
    assert len(texts.get("/v1/documents").json()["documents"]) == 3


def test_texts_are_stored_under_the_callers_ids(texts: TestClient) -> None:
    given = {"id": "crm/4711", "text": "The boat is moored at Garnet Quay.", "title": "Mooring", "metadata": {"n": "7"}}
    done = texts.post("/v1/documents", json={"texts": [given]})
    assert done.status_code == 201, done.text
    assert done.json()["files"] == [
        {"name": "crm/4711", "status": "added", "documents": ["crm/4711"], "notes": [], "problem": None}
    ]
    (hit, *_) = texts.post("/v1/search", json={"query": "Where is the boat moored?", "fast": True}).json()["hits"]
    assert (hit["document"], hit["metadata"]["n"]) == ("crm/4711", "7")


def test_texts_have_a_path_of_their_own_too(texts: TestClient) -> None:
    body = {"texts": [{"id": "crm/4712", "text": "The boat is moored."}]}
    key = {"Idempotency-Key": "boat"}
    first, again = (texts.post("/v1/texts", json=body, headers=key) for _ in range(2))
    assert (first.status_code, again.status_code, again.content) == (201, 201, first.content)
    assert texts.post("/v1/documents?wait=true", json=body).status_code == 409  # it is there already


def test_a_text_of_the_same_id_is_replaced_only_when_told(texts: TestClient) -> None:
    body = {"texts": [{"id": "a", "text": "Another text."}, {"id": "new", "text": "A new one."}]}
    partly = texts.post("/v1/documents", json=body)
    assert partly.status_code == 207
    assert "already" in partly.json()["files"][0]["problem"]
    assert "overwrite" in partly.json()["files"][0]["problem"]
    alone = texts.post("/v1/documents", json={"texts": body["texts"][:1]})
    assert (alone.status_code, alone.json()["type"]) == (409, "urn:pincite:problem:conflict")
    assert texts.post("/v1/documents", json={**body, "overwrite": True}).status_code == 201
    assert texts.get("/v1/documents/a/text").json()["text"] == "Another text."


def test_a_text_with_something_unknown_is_refused(texts: TestClient) -> None:
    refused = texts.post("/v1/documents", json={"texts": [{"id": "b", "text": "x", "titel": "y"}]})
    assert refused.status_code == 422
    assert "titel" in refused.json()["detail"]


def test_conditions_narrow_a_search_and_mistakes_say_what_is_allowed(texts: TestClient) -> None:
    for name, floor in (("a", "3"), ("a%2Ftext", "12")):
        texts.patch(f"/v1/documents/{name}", json={"metadata": {"floor": floor}})

    def asked(where: dict[str, Any]) -> Any:
        return texts.post("/v1/search", json={"query": "tenant agrees", "fast": True, "filters": {"where": where}})

    found = asked({"or": [{"floor": {"lt": 10}}, {"floor": {"gt": 11}}]}).json()["hits"]
    assert {hit["document"] for hit in found} == {"a", "a/text"}
    wrong = asked({"floor": {"above": 3}})
    assert wrong.status_code == 422
    assert "filter on 'floor': unknown operator 'above'; the operators are: eq" in wrong.json()["detail"]


def test_facets_count_documents(texts: TestClient) -> None:
    texts.patch("/v1/documents/a", json={"metadata": {"matter": "4711"}})
    assert texts.get("/v1/facets?key=kind&key=matter").json()["facets"] == {
        "kind": [{"value": "lease", "count": 3}],
        "matter": [{"value": "texts", "count": 2}, {"value": "4711", "count": 1}],
    }
    narrowed = texts.get("/v1/facets", params={"key": "kind", "where": '{"matter": "4711"}'})
    assert narrowed.json()["facets"] == {"kind": [{"value": "lease", "count": 1}]}
    assert "the known ones are: kind, matter" in texts.get("/v1/facets?key=colour").json()["detail"]
    assert texts.get("/v1/facets?where=oops").status_code == 422


def test_documents_are_removed_by_a_filter_only_if_they_are_as_many_as_expected(texts: TestClient) -> None:
    body: dict[str, Any] = {"filters": {"documents": ["a/text", "a/pages/3"]}}
    assert texts.post("/v1/removals", json=body).json() == {"matched": 2, "removed": 0}
    assert texts.post("/v1/removals", json={**body, "expected": 3}).status_code == 422
    assert texts.post("/v1/removals", json={**body, "expected": 2}).json() == {"matched": 2, "removed": 2}
    assert texts.post("/v1/removals", json={"filters": {}, "expected": 1}).status_code == 422
    assert len(texts.get("/v1/documents").json()["documents"]) == 1


def test_a_change_of_what_was_changed_meanwhile_is_refused(texts: TestClient) -> None:
    seen = texts.get("/v1/documents/a").headers["etag"]
    changed = texts.patch("/v1/documents/a", json={"metadata": {"floor": "3"}}, headers={"If-Match": seen})
    assert changed.status_code == 200
    assert changed.headers["etag"] != seen
    for method, body in (("PATCH", {"metadata": {"floor": "4"}}), ("DELETE", None)):
        stale = texts.request(method, "/v1/documents/a", json=body, headers={"If-Match": seen})
        assert (stale.status_code, stale.json()["type"]) == (412, "urn:pincite:problem:stale")
        assert "get it again" in stale.json()["detail"]
    assert texts.get("/v1/documents/a").json()["metadata"]["floor"] == "3"
    assert texts.delete("/v1/documents/a", headers={"If-Match": changed.headers["etag"]}).json() == {"removed": 1}


def test_a_change_that_is_sent_twice_under_one_key_is_made_once(texts: TestClient) -> None:
    key = {"Idempotency-Key": "4711"}
    body = {"texts": [{"id": "once", "text": "The boat is moored."}]}
    first = texts.post("/v1/documents", json=body, headers=key)
    again = texts.post("/v1/documents", json=body, headers=key)
    assert (first.status_code, again.status_code) == (201, 201)  # 409 without the key
    assert first.json() == again.json()
    assert texts.post("/v1/documents", json=body).status_code == 409
    other = texts.post("/v1/documents", json={"texts": [{"id": "other", "text": "Another."}]}, headers=key)
    assert (other.status_code, other.json()["type"]) == (422, "urn:pincite:problem:key-reused")
    assert texts.get("/v1/documents/other").status_code == 404
    files = {"files": ("note.txt", b"The key is under the mat.")}
    form, file_key = {"wait": "true"}, {"Idempotency-Key": "file"}
    sent = [texts.post("/v1/documents", files=files, data=form, headers=file_key) for _ in range(2)]
    assert [one.status_code for one in sent] == [201, 201]  # the second would be 200, same


def test_pages_of_hits_continue_each_other(client: TestClient) -> None:
    def hits(**more: int) -> list[dict[str, Any]]:
        found = client.post("/v1/search", json={"query": "notice of termination", "fast": True, **more}).json()["hits"]
        return list(found)

    whole = hits(k=9)
    pages = [*hits(k=3), *hits(k=3, offset=3), *hits(k=3, offset=6)]
    assert [(hit["rank"], hit["document"], hit["start"]) for hit in pages] == [
        (hit["rank"], hit["document"], hit["start"]) for hit in whole
    ]


def test_answers_come_as_tables_where_they_are_asked_for(texts: TestClient) -> None:
    body = {"query": "pets", "k": 2, "fast": True}
    table = texts.post("/v1/search", json=body, headers={"Accept": "text/csv"})
    assert table.headers["content-type"] == "text/csv; charset=utf-8"
    rows = list(csv.reader(io.StringIO(table.text.removeprefix("\ufeff"))))
    assert rows[0] == ["File", "Id", "Title", "Citation", "Page", "Passage", "Likelihood"]
    assert rows[1][:3] == ["text", "a/text", "Lease a/text"]
    for kind in (MEDIA_TYPES["xlsx"], MEDIA_TYPES["docx"]):
        packed = texts.post("/v1/search", json=body, headers={"Accept": kind})
        assert (packed.headers["content-type"], packed.content[:2]) == (kind, b"PK")
