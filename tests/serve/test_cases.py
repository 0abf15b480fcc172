"""Cases like this one through the server: REST, the page with its exports, and what it refuses."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from pincite.index import Index
from tests.cases.test_similar import CASES, LEASE, judgment
from tests.serve.conftest import client_of


@pytest.fixture(scope="module")
def door(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    folder = tmp_path_factory.mktemp("cases") / "judgments.pincite"
    source = tmp_path_factory.mktemp("source") / "all"
    source.mkdir()
    for name, (title, date, body) in CASES.items():
        (source / f"{name}.txt").write_text(judgment(title, date, body), encoding="utf-8")
    with Index.create(folder) as index:
        index.add(source, vectors="none")
    with client_of(folder) as client:
        yield client


def test_rest_answers_for_a_judgment_of_the_collection(door: TestClient) -> None:
    answer = door.post("/v1/cases/like", json={"document": "all/shop.txt", "k": 3}).json()
    assert [case["document"] for case in answer["cases"]] == ["all/mill.txt", "all/silk.txt"]
    first = answer["cases"][0]
    text = door.get("/v1/documents/all/mill.txt/text").json()["text"]
    assert text[first["passage"]["start"] : first["passage"]["end"]] == first["passage"]["text"]
    assert first["in_common"] == ["Masud Khan v. State of Bihar"]
    later = door.post("/v1/cases/like", json={"document": "all/shop.txt", "later": True}).json()
    assert "all/late.txt" in [case["document"] for case in later["cases"]]


def test_rest_answers_for_a_text_and_for_a_file(door: TestClient) -> None:
    by_text = door.post("/v1/cases/like", json={"text": LEASE, "date": "1962-01-01"}).json()
    assert [case["document"] for case in by_text["cases"]] == ["all/mill.txt"]
    sent = {"file": ("new.txt", LEASE.encode(), "text/plain")}
    by_file = door.post("/v1/cases/like/file", files=sent, data={"k": "2", "date": "1962-01-01"}).json()
    assert by_file["cases"] == by_text["cases"]
    assert door.get("/v1/documents").json()["documents"][-1]["document"] != "new.txt"


@pytest.mark.parametrize(
    ("body", "status", "said"),
    [
        ({}, 422, "name a document of the collection, or give the text"),
        ({"document": "a", "text": "b"}, 422, "one of the two"),
        ({"document": "nowhere"}, 404, "nowhere"),
        ({"text": LEASE, "date": "soon"}, 422, "'soon' is not a date"),
        ({"text": LEASE, "filters": {"after": "yesterday"}}, 422, "'yesterday' is not a date"),
        ({"text": LEASE, "k": 1000}, 422, "k must be from 1 to 100"),
        ({"text": "x" * 2_000_000}, 413, "the limit is"),
    ],
)
def test_rest_refuses_with_a_reason(door: TestClient, body: dict[str, object], status: int, said: str) -> None:
    answer = door.post("/v1/cases/like", json=body)
    assert answer.status_code == status
    assert said in answer.json()["detail"]


def test_a_file_that_cannot_be_read_is_refused(door: TestClient) -> None:
    for name, data, said in (("a.exe", b"MZ", "unsupported suffix"), ("a.txt", b"", "a.txt")):
        answer = door.post("/v1/cases/like/file", files={"file": (name, data)})
        assert answer.status_code == 422
        assert said in answer.json()["detail"]


def test_the_page_shows_both_stretches_and_exports(door: TestClient) -> None:
    empty = door.get("/cases")
    assert empty.status_code == 200
    assert "A judgment of the collection" in empty.text
    page = door.get("/cases", params={"document": "all/shop.txt"})
    assert page.status_code == 200
    assert page.text.count("<figure>") == 4
    assert "<mark>arrears</mark>" in page.text
    assert "Both cite Masud Khan v. State of Bihar." in page.text
    for form, begins in (("csv", b"\xef\xbb\xbfRank"), ("docx", b"PK")):
        file = door.get("/cases", params={"document": "all/shop.txt", "form": form})
        assert file.content.startswith(begins)
        assert f"cases.{form}" in file.headers["content-disposition"]


def test_the_page_takes_an_uploaded_judgment(door: TestClient) -> None:
    token = re.search(r'name="token" value="([^"]+)"', door.get("/cases").text)
    assert token
    given = {"token": token.group(1), "later": "true"}
    page = door.post("/cases", data=given, files={"file": ("new.txt", LEASE.encode(), "text/plain")})
    assert page.status_code == 200
    assert "Rao v" in page.text
    again = door.post("/cases", data={**given, "text": LEASE, "form": "csv"})
    assert again.content.startswith(b"\xef\xbb\xbfRank")
    nothing = door.post("/cases", data=given)
    assert nothing.status_code == 422
    assert "choose a file, or paste the text" in nothing.text
    assert door.post("/cases", data={"text": LEASE}).status_code == 403


def test_the_page_says_what_is_wrong(door: TestClient) -> None:
    page = door.get("/cases", params={"document": "nowhere"})
    assert page.status_code == 404
    assert "nowhere" in page.text
    dated = door.get("/cases", params={"document": "all/shop.txt", "date": "soon"})
    assert dated.status_code == 422
    assert "is not a date" in dated.text


def test_a_judgments_page_links_to_cases_like_it(door: TestClient) -> None:
    assert "Cases like this one" in door.get("/documents/all/shop.txt").text


def test_the_very_same_text_is_no_answer(tmp_path: Path) -> None:
    folder = tmp_path / "one.pincite"
    with Index.create(folder) as index:
        index.add_text("only", LEASE, vectors="none")
    with client_of(folder) as client:
        assert client.post("/v1/cases/like", json={"text": LEASE}).json()["cases"] == []
