"""Questions, filters and offsets that cannot be used: a clear problem, and nothing breaks."""

import json

import pytest
from starlette.testclient import TestClient

from tests.serve.conftest import LEASE, problem


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("", "at least 1 character"),
        ("   ", "empty"),
        ("x" * 10_000, "10,000 characters"),
        ("rent\x00\x01", "binary"),
        ("lone \ud800 half", "unicode"),
    ],
)
def test_a_question_that_cannot_be_asked_gets_a_clear_problem(client: TestClient, query: str, said: str) -> None:
    body = json.dumps({"query": query})
    answer = client.post("/v1/search", content=body, headers={"content-type": "application/json"})
    assert said in str(problem(answer, 422, "invalid")["detail"])


def test_a_question_with_script_in_it_is_a_question(client: TestClient) -> None:
    script = "<script>alert('rent')</script>"
    assert client.post("/v1/search", json={"query": script, "fast": True}).json()["query"] == script
    page = client.get("/", params={"q": script, "fast": "true"}).text
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert" in page


def test_a_body_that_is_no_json_gets_a_clear_problem(client: TestClient) -> None:
    headers = {"content-type": "application/json"}
    problem(client.post("/v1/search", content=b"\xff\xfe{", headers=headers), 400, "bad-request")
    problem(client.post("/v1/search", content=b"{", headers=headers), 422, "invalid")
    problem(client.post("/v1/search", content=b'{"query": "rent", "kk": 3}', headers=headers), 422, "invalid")
    assert "k must be from 1 to 100" in client.post("/v1/search", json={"query": "rent", "k": 101}).text


def test_an_unknown_key_of_a_filter_lists_the_known_ones(client: TestClient) -> None:
    asked = {"query": "rent", "filters": {"metadata": {"colour": "red"}}}
    assert "kind" in str(problem(client.post("/v1/search", json=asked), 422, "invalid")["detail"])
    asked = {"query": "rent", "filters": {"after": "yesterday"}}
    assert "not a date" in str(problem(client.post("/v1/search", json=asked), 422, "invalid")["detail"])


@pytest.mark.parametrize(("start", "end"), [(5, 4), (0, 10**9), (10**9, 10**9 + 1)])
def test_offsets_outside_the_text_are_a_problem(client: TestClient, start: int, end: int) -> None:
    for door in ("text", "passage"):
        answer = client.get(f"/v1/documents/{LEASE}/{door}", params={"start": start, "end": end})
        assert "outside the text" in str(problem(answer, 422, "invalid")["detail"])
    assert client.get(f"/documents/{LEASE}", params={"start": start, "end": end}).status_code == 422


def test_a_body_full_of_mistakes_gets_a_short_answer(client: TestClient) -> None:
    body = json.dumps({"queries": [0] * 100_000})
    answer = client.post("/v1/search/batch", content=body, headers={"content-type": "application/json"})
    assert answer.status_code == 422
    assert len(answer.content) < 10_000
