"""Corrections by REST and by the form of a document's page: who may, what is refused, and what is shown."""

from pathlib import Path

import pytest
from starlette.testclient import TestClient

from pincite.serve.auth import Auth
from pincite.text.kinds import KINDS
from tests.serve.conftest import LEASE, client_of, problem, token


def test_a_document_is_corrected_by_rest(writer: TestClient) -> None:
    before = writer.get(f"/v1/documents/{LEASE}")
    assert before.json()["corrected"] == []
    body = {
        "title": "Quay lease",
        "kind": "NDA",
        "date": "3 March 2021",
        "add_parties": ["Acme Ltd"],
        "metadata": {"matter": "7"},
    }
    answer = writer.patch(f"/v1/documents/{LEASE}", json=body)
    assert answer.status_code == 200
    shape = answer.json()
    assert (shape["title"], shape["kind"], shape["date"]) == ("Quay lease", "non-disclosure agreement", "2021-03-03")
    assert shape["parties"] == [*before.json()["parties"], "Acme Ltd"]
    assert shape["corrected"] == ["title", "kind", "parties", "date"]
    assert shape["metadata"]["matter"] == "7"
    after = writer.get(f"/v1/documents/{LEASE}", headers={"If-None-Match": before.headers["etag"]})
    assert (after.status_code, after.json()) == (200, shape)
    found = writer.post(
        "/v1/search", json={"query": "rent", "k": 1, "fast": True, "filters": {"metadata": {"matter": "7"}}}
    )
    assert found.json()["hits"][0]["citation"].startswith("Quay lease")
    back = writer.patch(f"/v1/documents/{LEASE}", json={"title": "", "kind": "", "date": "", "parties": []}).json()
    assert back["corrected"] == []
    assert back["title"] == before.json()["title"]


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({"kind": "poem"}, "non-disclosure agreement"),
        ({"date": "31 February 2020"}, "is not a date"),
        ({"metadata": {"titel": "x"}}, "did you mean 'title'"),
        ({"titel": "x"}, "titel"),
        ({"remove_parties": ["Nobody"]}, "is none of the parties"),
        ({"add_parties": [" "]}, "write one name"),
        ({"title": "a\x00b"}, "cannot be printed"),
        ({"title": 7}, "title"),
        ({}, "nothing is said"),
    ],
)
def test_what_cannot_be_said_is_refused(writer: TestClient, body: dict[str, object], said: str) -> None:
    answer = problem(writer.patch(f"/v1/documents/{LEASE}", json=body), 422, "invalid")
    assert said in f"{answer['detail']} {answer.get('errors')}"
    assert writer.get(f"/v1/documents/{LEASE}").json()["corrected"] == []


def test_only_documents_that_are_there_are_corrected(writer: TestClient) -> None:
    problem(writer.patch("/v1/documents/nothing.txt", json={"title": "x"}), 404, "not-found")
    problem(writer.patch("/v1/documents/garnet-quay", json={"title": "x"}), 404, "not-found")


def test_reading_is_not_enough(own_index: Path, keys: Auth) -> None:
    reader, writer = keys.add_key("reader", "read"), keys.add_key("writer", "write")
    with client_of(own_index, auth=keys) as client:
        for key, status in ((reader, 403), (writer, 200)):
            headers = {"Authorization": f"Bearer {key}"}
            assert client.patch(f"/v1/documents/{LEASE}", json={"title": "Mine"}, headers=headers).status_code == status
            page = client.get(f"/documents/{LEASE}", headers=headers)
            assert ('action="/documents/set"' in page.text) is (status == 200)
            form = {"document": LEASE, "title": "By form", "token": token(page)}
            sent = client.post("/documents/set", data=form, headers=headers, follow_redirects=False)
            assert sent.status_code == (303 if status == 200 else 403)


def test_the_form_changes_what_was_changed_in_it(writer: TestClient) -> None:
    page = writer.get(f"/documents/{LEASE}")
    entry = writer.get(f"/v1/documents/{LEASE}").json()
    assert '<option value="non-disclosure agreement">' in page.text
    form = {
        "token": token(page),
        "document": LEASE,
        "title": "Quay <b>lease</b>",
        "kind": entry["kind"],
        "date": entry["date"],
        "parties": "\r\n".join(entry["parties"]),
    }
    shown = writer.post("/documents/set", data=form)
    assert (shown.status_code, shown.url.path) == (200, f"/documents/{LEASE}")
    assert "Quay &lt;b&gt;lease&lt;/b&gt;" in shown.text
    assert writer.get(f"/v1/documents/{LEASE}").json()["corrected"] == ["title"]
    assert '<span class="corrected">corrected</span>' in shown.text
    assert "corrected</span>" in writer.get("/documents").text
    writer.post("/documents/set", data={**form, "title": ""})
    assert writer.get(f"/v1/documents/{LEASE}").json()["corrected"] == []


def test_the_form_needs_its_token_and_sound_values(writer: TestClient) -> None:
    good = token(writer.get(f"/documents/{LEASE}"))
    assert writer.post("/documents/set", data={"document": LEASE, "title": "x", "token": "wrong"}).status_code == 403
    assert writer.post("/documents/set", data={"document": LEASE, "title": "x"}).status_code == 403
    bad = writer.post("/documents/set", data={"document": LEASE, "kind": "poem", "token": good})
    assert bad.status_code == 422
    assert "is not a kind of document" in bad.text
    assert writer.post("/documents/set", content=b"\xff" * 40).status_code == 403
    assert writer.post("/documents/set", data={"token": good}).status_code == 404
    assert writer.post("/documents/set", data={"document": "nothing", "title": "x", "token": good}).status_code == 404
    assert writer.get(f"/v1/documents/{LEASE}").json()["corrected"] == []


def test_an_unknown_kind_in_a_filter_is_an_error_that_names_the_kinds(client: TestClient) -> None:
    asked = {"query": "rent", "filters": {"kind": "leaze"}}
    answers = [
        client.post("/v1/search", json=asked),
        client.post("/v1/compare", json=asked),
        client.get("/v1/documents", params={"kind": "leaze"}),
    ]
    for answer in answers:
        assert "non-disclosure agreement" in str(problem(answer, 422, "invalid")["detail"])
    for path in ("/", "/compare"):
        page = client.get(path, params={"q": "rent", "kind": "leaze"})
        assert (page.status_code, "is not a kind of document" in page.text) == (422, True)
    assert len(client.get("/v1/documents", params={"kind": "nda"}).json()["documents"]) == 4
    page = client.get("/", params={"kind": "nda"}).text
    assert '<option value="non-disclosure agreement" selected>non-disclosure agreement (4)</option>' in page


def test_the_openapi_document_names_every_kind(client: TestClient) -> None:
    schema = client.get("/v1/openapi.json").json()
    described = schema["components"]["schemas"]["FilterSchema"]["properties"]["kind"]["description"]
    assert all(kind in described for kind in KINDS)
    parameters = schema["paths"]["/v1/documents"]["get"]["parameters"]
    assert described == next(entry["description"] for entry in parameters if entry["name"] == "kind")
