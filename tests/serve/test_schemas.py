"""The OpenAPI document taken at its word: requests made from it, good and bad, and every answer checked against it."""

import json
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from threading import Event
from typing import Any
from urllib.parse import quote

import pytest
import schemathesis
from hypothesis import example, given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient

from pincite.index import Index
from pincite.search import SearchRequest
from pincite.serve.app import application
from pincite.serve.backend import Backend
from pincite.serve.guard import Guard
from pincite.serve.settings import Settings
from tests.compare.pdf import write_deed
from tests.serve.conftest import LOCAL

pytestmark = pytest.mark.slow

Application = Callable[[Any, Any, Any], Awaitable[None]]

LEASE = """LEASE OF OFFICE PREMISES

DATED 21 March 2019

between FENWICK HARBOUR ESTATES LTD (the Landlord) and TOLLIVER DESIGN LLP (the Tenant)

1. RENT

1.1 The Tenant shall pay the Rent of 40,000 pounds a year by equal quarterly instalments.

2. UNDERLETTING

2.1 The Tenant may underlet the whole of the Premises with the Landlord's written consent.

3. INSURANCE

3.1 The Landlord shall insure the Building against fire.
"""
NDA = """MUTUAL NON-DISCLOSURE AGREEMENT

Dated 1 May 2024

between TAMARISK LABS INC and KESTREL CAPITAL LLC

1. Each party shall keep the Confidential Information of the other secret for three years.

2. Copies may be kept only where the law requires it.
"""
DOCUMENTS = ("files/lease.txt", "files/nda.txt", "files/deed.pdf")
SMALL = Settings(
    query_characters=300,
    most_hits=10,
    batch=3,
    compared=3,
    body_bytes=20_000,
    upload_files=2,
    upload_bytes=60_000,
    file_bytes=20_000,
    file_seconds=20.0,
)
CONFIG = schemathesis.Config.from_dict(
    {
        "seed": 1,
        "base-url": LOCAL,
        "generation": {"deterministic": True, "max-examples": 25, "database": "none"},
        # Every check is on. Two are told what this server does:
        "checks": {
            # What a question, a date, a cursor or a file must be like is finer than a schema says, and the limits are
            # in the settings: 422 and 413 say so.
            "positive_data_acceptance": {"expected-statuses": ["2xx", "3xx", "404", "409", "412", "413", "422"]},
            # A body over the limit is refused before it is read; an error of ours is never a way to refuse.
            "negative_data_rejection": {"expected-statuses": ["400", "404", "405", "409", "412", "413", "415", "422"]},
        },
        "operations": [
            {
                # An id may hold slashes: DELETE /v1/documents/a/text removes the document a/text and PATCH corrects it,
                # so that both are methods of these paths too, without being among these operations.
                "include-path-regex": "^/v1/documents/{document_id}/.+",
                "phases": {"coverage": {"unexpected-methods": ["post", "put", "options", "trace"]}},
                "checks": {"allow_header_conformance": {"enabled": False}},
            }
        ],
        # Chance alone finds no document.
        "dictionaries": {
            "documents": {"values": [*DOCUMENTS, "lease"]},
            "collections": {"values": ["contracts"]},
            "questions": {"values": ["May the tenant underlet?", '"written consent" -landlord', "Who insures?"]},
            "kinds": {"values": ["lease", "nda"]},
            "days": {"values": ["2019-03-21", "1 May 2024"]},
            "places": {"values": [0, 1, 60, 400]},
            "pages": {"values": [1, 2]},
        },
        "parameters": {
            "path.document_id": {"dictionary": "documents", "probability": 0.7},
            "path.page": {"dictionary": "pages", "probability": 0.7},
            "query.collection": {"dictionary": "collections", "probability": 0.7},
            "query.kind": {"dictionary": "kinds", "probability": 0.3},
            "query.after": {"dictionary": "days", "probability": 0.5},
            "query.before": {"dictionary": "days", "probability": 0.5},
            "query.start": {"dictionary": "places", "probability": 0.7},
            "query.end": {"dictionary": "places", "probability": 0.7},
            "body.collection": {"dictionary": "collections", "probability": 0.7},
            "body.query": {"dictionary": "questions", "probability": 0.5},
            "body.queries[*]": {"dictionary": "questions", "probability": 0.5},
            "body.filters.documents[*]": {"dictionary": "documents", "probability": 0.7},
            "body.filters.kind": {"dictionary": "kinds", "probability": 0.5},
            "body.filters.after": {"dictionary": "days", "probability": 0.5},
            "body.filters.before": {"dictionary": "days", "probability": 0.5},
        },
    }
)


def described() -> dict[str, Any]:
    guard = application([], doors=("rest",))
    shape: dict[str, Any] = guard.app.openapi()  # type: ignore[attr-defined]
    return shape


schema = schemathesis.openapi.from_dict(described(), config=CONFIG)


@pytest.fixture(scope="module")
def guard(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Guard]:
    """The whole application over three short documents, which the tests change and remove."""
    folder = tmp_path_factory.mktemp("fuzzed") / "contracts.pincite"
    with Index.create(folder) as index:
        index.add(_files(tmp_path_factory.mktemp("source") / "files"))
        assert sorted(record.id for record in index) == sorted(DOCUMENTS)
        assert all(record.has_vectors for record in index)
    made = application([folder], SMALL)
    yield made
    _backend(made).close()


@pytest.fixture(scope="module")
def backend(guard: Guard) -> Backend:
    return _backend(guard)


def _backend(guard: Guard) -> Backend:
    found: Backend = guard.app.state.pincite.backends["contracts"]  # type: ignore[attr-defined]
    return found


@pytest.fixture(scope="module")
def served(guard: Guard) -> Application:
    async def requests_alone(scope: Any, receive: Any, send: Any) -> None:
        """Schemathesis would start and stop the application for every operation; it can be started once."""
        assert scope["type"] == "http"
        await guard(scope, receive, send)

    return requests_alone


def _files(folder: Path) -> Path:
    folder.mkdir()
    (folder / "lease.txt").write_text(LEASE)
    (folder / "nda.txt").write_text(NDA)
    write_deed(folder / "deed.pdf", 2)
    return folder


@schema.parametrize()
@pytest.mark.parametrize("kind", ["any"])  # without a parameter pytest 9.2 gives all operations the same id
def test_an_answer_is_as_the_document_says(case: schemathesis.Case, served: Application, kind: str) -> None:
    case.call_and_validate(app=served)


def test_every_operation_has_a_test_of_its_own(request: pytest.FixtureRequest) -> None:
    """pytest-xdist runs only one of several tests with the same id."""
    ids = [item.nodeid for item in request.session.items if item.path == Path(__file__)]
    assert len(ids) == len(set(ids))


TEXT = b"CHARTER PARTY\n\nThe vessel shall be redelivered at Genoa.\n\n1. Hire\n\nHire is payable in advance.\n"
SUFFIXES = (".txt", ".TXT", ".md", ".html", ".pdf", ".docx", ".zip", ".eml", ".rtf", ".exe", "")
STEMS = st.sampled_from(["charter", "..", "a/../../b", "c:\\d", "Vertrag über 100%", "x#y?z", " ", "\u202egpj", "a\0b"])
FILES = st.tuples(
    st.builds(
        str.__add__,
        STEMS | st.text(st.characters(exclude_categories=["Cs"]), max_size=120),
        st.sampled_from(SUFFIXES[:2]) | st.sampled_from(SUFFIXES),
    ),
    st.just(TEXT)
    | st.just(TEXT + TEXT)
    | st.sampled_from([b"", b"%PDF-1.7 nothing", b"PK\x03\x04", b"\xff\xfeR\0", b"<p>Rent", b"x" * 25_000])
    | st.binary(max_size=200),
)


@settings(max_examples=60, derandomize=True, database=None, deadline=None)
@given(files=st.lists(FILES, min_size=1, max_size=3), replace=st.booleans())
@example(files=[("charter.txt", TEXT), ("bad.pdf", b"%PDF-1.7 nothing")], replace=False)
@example(files=[("charter.txt", TEXT), ("charter.txt", TEXT)], replace=True)
def test_files_of_any_name_and_content_are_taken_or_refused(
    served: Application, files: list[tuple[str, bytes]], replace: bool
) -> None:
    """Chance alone names no file, so that the requests above store none."""
    sent = asked("/v1/documents", "POST", media_type="multipart/form-data", query={"wait": "true"})
    form = {"files": [("files", file) for file in files], "data": {"replace": str(replace).lower()}}
    answer = sent.call(app=served, **form)
    sent.validate_response(answer)
    assert answer.status_code in (200, 201, 207, 409, 413, 422), answer.text
    if answer.status_code >= 300:
        return
    for document in {name for file in answer.json()["files"] for name in file["documents"]}:
        here = {"document_id": quote(document, safe="")}
        whole = answered(served, asked("/v1/documents/{document_id}/text", path_parameters=here))
        place = {"start": 0, "end": whole["characters"]}
        passage = answered(served, asked("/v1/documents/{document_id}/passage", path_parameters=here, query=place))
        assert passage["text"] == whole["text"]
        answered(served, asked("/v1/documents/{document_id}/outline", path_parameters=here))
        assert answered(served, asked("/v1/documents/{document_id}", path_parameters=here))["document"] == document
        removed = answered(served, asked("/v1/documents/{document_id}", "DELETE", path_parameters=here))
        assert removed == {"removed": 1}
        answered(served, asked("/v1/documents/{document_id}", path_parameters=here), 404)


def asked(path: str, method: str = "GET", **given: Any) -> schemathesis.Case:
    return schema[path][method].Case(**given)


def answered(served: Application, case: schemathesis.Case, status: int = 200) -> dict[str, Any]:
    answer = case.call_and_validate(app=served)
    assert answer.status_code == status, answer.text
    shape: dict[str, Any] = answer.json()
    return shape


HALF = "\ud800"
"""Of a surrogate pair: JSON can carry it, UTF-8 cannot. Schemathesis makes none."""


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/v1/search", {"query": HALF}),
        ("/v1/search", {"query": "rent", "collection": HALF}),
        ("/v1/search", {"query": "rent", "granularity": HALF}),
        ("/v1/search", {"query": "rent", "filters": {"documents": [HALF]}}),
        ("/v1/search", {"query": "rent", "filters": {"kind": HALF, "party": HALF}}),
        ("/v1/search", {"query": "rent", "filters": {"metadata": {"kind": HALF}}}),
        ("/v1/search", {"query": "rent", "filters": {"metadata": {HALF: "lease"}}}),
        ("/v1/search", {"query": "rent", "filters": {"after": HALF}}),
        ("/v1/search", {"query": "rent", HALF: 1}),
        ("/v1/search/batch", {"queries": ["rent", HALF]}),
        ("/v1/search/batch", {"queries": ["rent"], "filters": {"documents": [HALF]}}),
        ("/v1/compare", {"query": HALF}),
        ("/v1/compare", {"query": "rent", "filters": {"documents": [HALF]}}),
    ],
)
def test_half_a_letter_is_refused_as_any_other_mistake(served: Application, path: str, body: dict[str, Any]) -> None:
    sent = asked(path, "POST", media_type="application/json")
    answer = sent.call(app=served, data=json.dumps(body).encode(), headers={"Content-Type": "application/json"})
    sent.validate_response(answer)
    assert answer.status_code in (200, 404, 422), answer.text


NOWHERE = "-".join(("in", "no", "document"))
"""No document is called so: written in pieces, as Hypothesis would make names of documents out of whole constants."""


@pytest.mark.parametrize("filters", [{"documents": [NOWHERE]}, {"metadata": {"colour": "red"}}])
def test_each_line_of_a_batch_that_fails_says_why(served: Application, filters: dict[str, Any]) -> None:
    asked = {"queries": ["rent", "insurance"], "fast": True, "filters": filters}
    with TestClient(served, base_url=LOCAL).stream(
        "POST", "/v1/search/batch", json=asked, headers={"Accept": "application/x-ndjson"}
    ) as answer:
        lines = [json.loads(line) for line in answer.iter_lines()]
    assert [line["query"] for line in lines] == asked["queries"]
    assert all(line["problem"]["status"] in (404, 422) for line in lines)


def test_a_batch_that_cannot_be_is_refused_before_its_first_line(served: Application) -> None:
    for wrong in ({"filters": {"after": "soon"}}, {"k": 1000}):
        asked = {"queries": ["rent"], "fast": True, **wrong}
        client = TestClient(served, base_url=LOCAL)
        answer = client.post("/v1/search/batch", json=asked, headers={"Accept": "application/x-ndjson"})
        assert (answer.status_code, answer.headers["content-type"]) == (422, "application/problem+json")


def test_a_question_that_is_given_up_leaves_no_error_behind(backend: Backend, caplog: pytest.LogCaptureFixture) -> None:
    """As the others of a batch are when one fails."""
    gate = Event()
    held = [backend.later(lambda: gate.wait(30)) for _ in range(SMALL.threads)]
    given_up = backend.ask(SearchRequest("rent", fast=True))
    assert given_up.cancel()
    gate.set()
    assert all(work.result() for work in held)
    backend.search(SearchRequest("insurance", fast=True))
    backend.search(SearchRequest("rent", fast=True))
    assert [record.message for record in caplog.records if record.name == "concurrent.futures"] == []


@pytest.mark.parametrize("path", ["/v1", "/v1/nothing", "/v1/search/", "/v1//search"])
def test_a_path_that_the_document_does_not_name_is_a_problem_too(served: Application, path: str) -> None:
    answer = TestClient(served, base_url=LOCAL).get(path)
    assert (answer.status_code, answer.headers["content-type"]) == (404, "application/problem+json")
    assert answer.json()["type"] == "urn:pincite:problem:not-found"


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("PUT", "/v1/search", "POST"),
        ("DELETE", "/v1/documents", "GET, POST"),
        ("POST", "/v1/documents/a.txt", "GET, PATCH, DELETE"),
        ("POST", "/v1/health", "GET"),
    ],
)
def test_a_method_that_the_document_does_not_name_is_told_the_others(
    served: Application, method: str, path: str, allowed: str
) -> None:
    answer = TestClient(served, base_url=LOCAL).request(method, path)
    assert (answer.status_code, answer.headers["content-type"]) == (405, "application/problem+json")
    assert answer.json()["type"] == "urn:pincite:problem:method-not-allowed"
    assert answer.headers["allow"].replace("GET, HEAD", "GET") == allowed
