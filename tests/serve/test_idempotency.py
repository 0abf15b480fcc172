"""Idempotency-Key: a change is made once, also across a restart, and is remembered for a limited time and number."""

import json
import time
from pathlib import Path
from typing import Any

import pytest

from pincite.engine.memory import MemoryEngine
from pincite.index import Index, remembered_answers
from pincite.index.remembered_answers import KIND, RememberedAnswer, forget_old_answers, remember, remembered
from pincite.serve import idempotency
from pincite.serve.auth import Auth
from tests.serve.conftest import client_of

TEXTS = {"texts": [{"id": "once", "text": "The boat is moored at the quay."}]}
KEY = {"Idempotency-Key": "4711"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "texts.pincite"
    with Index.create(place) as index:
        index.add_text("a", "LEASE\n\nThe rent is due.", vectors="none")
    return place


def changes() -> list[tuple[str, str, Any]]:
    return [
        ("POST", "/v1/documents", TEXTS),
        ("PATCH", "/v1/documents/a", {"title": "Quay lease"}),
        ("POST", "/v1/removals", {"filters": {"documents": ["a"]}, "expected": 1}),
        ("DELETE", "/v1/documents/once", None),
    ]


def test_a_change_is_made_once_across_a_restart(folder: Path) -> None:
    first = []
    for method, path, body in changes():
        with client_of(folder) as client:
            first.append(client.request(method, path, json=body, headers={"Idempotency-Key": f"{method} {path}"}))
            assert first[-1].status_code < 300, first[-1].text
    with client_of(folder) as client:
        again = [
            client.request(method, path, json=body, headers={"Idempotency-Key": f"{method} {path}"})
            for method, path, body in changes()
        ]
        other = client.post("/v1/documents", json={"texts": []}, headers={"Idempotency-Key": "POST /v1/documents"})
    assert [one.status_code for one in again] == [one.status_code for one in first]
    assert [one.content for one in again] == [one.content for one in first]
    assert other.json()["type"] == "urn:pincite:problem:key-reused"


def test_another_caller_has_keys_of_their_own_after_a_restart_too(folder: Path, tmp_path: Path) -> None:
    auth = Auth.create(tmp_path / "keys.json")
    names = [auth.add_key(name, "write") for name in ("one", "two")]
    for _ in range(2):
        with client_of(folder, auth=auth) as client:
            answers = [
                client.post("/v1/documents", json=TEXTS, headers={**KEY, "authorization": f"Bearer {name}"})
                for name in names
            ]
        assert [answer.status_code for answer in answers] == [201, 409]  # the second one's own: it is there already


def test_what_was_refused_is_not_kept_in_the_index(folder: Path) -> None:
    with client_of(folder) as client:
        assert client.delete("/v1/documents/nowhere", headers=KEY).status_code == 404
        assert client.post("/v1/documents", json=TEXTS, headers=KEY).json()["type"].endswith("key-reused")
    with client_of(folder) as client:
        assert client.post("/v1/documents", json=TEXTS, headers=KEY).status_code == 201


def test_an_answer_is_remembered_in_memory_where_the_index_cannot_keep_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        from pincite.errors import OutputError

        raise OutputError("the disk is full")

    monkeypatch.setattr(idempotency, "remember", full)
    with client_of(folder) as client:
        assert [client.post("/v1/documents", json=TEXTS, headers=KEY).status_code for _ in range(2)] == [201, 201]


def answer(at: float) -> RememberedAnswer:
    return RememberedAnswer("hash", at, 201, (("content-type", "application/json"),), "{\u00e4}".encode())


def test_answers_are_forgotten_by_age_and_number() -> None:
    store, now = MemoryEngine(), time.time()
    for number in range(5):
        remember(store, f"key{number}", answer(now - number))
    remember(store, "old", answer(now - remembered_answers.KEPT_SECONDS - 1))
    assert remembered(store, "key0") == answer(now)
    assert remembered(store, "old") is None
    assert remembered(store, "unknown") is None
    forget_old_answers(store, most=3)
    assert [record.key for record in store.stored_records(KIND).items] == ["key0", "key1", "key2"]
    remember(store, "large", RememberedAnswer("hash", now, 201, (), b"x" * (remembered_answers.LARGEST + 1)))
    assert remembered(store, "large") is None


def test_a_purge_leaves_no_answer_behind(folder: Path) -> None:
    with client_of(folder) as client:
        assert client.patch("/v1/documents/a", json={"title": "Secret"}, headers=KEY).status_code == 200
    with Index.open(folder) as index:
        assert "Secret" in index.engine.stored_records(KIND).items[0].value
        index.remove("a", purge=True)
        assert not index.engine.stored_records(KIND).items


def test_the_document_declares_the_headers_of_changes(folder: Path) -> None:
    with client_of(folder) as client:
        paths = client.get("/v1/openapi.json").json()["paths"]
    found: dict[str, set[str]] = {}
    for path, operations in paths.items():
        for method, operation in operations.items():
            names = {one["name"] for one in operation.get("parameters", ()) if one["in"] == "header"}
            found[f"{method} {path}"] = names
            assert "409" in operation["responses"] or "Idempotency-Key" not in names
    keyed = {name for name, headers in found.items() if "Idempotency-Key" in headers}
    assert keyed == {
        "post /v1/documents", "post /v1/texts", "patch /v1/documents/{document_id}", "delete /v1/documents/{document_id}",
        "delete /v1/jobs/{job_id}", "post /v1/removals", "post /v1/backups",
    }  # fmt: skip
    matched = {name for name, headers in found.items() if "If-Match" in headers}
    assert matched == {"patch /v1/documents/{document_id}", "delete /v1/documents/{document_id}"}


def test_the_tag_in_a_document_is_what_if_match_takes(folder: Path) -> None:
    with client_of(folder) as client:
        listed = client.get("/v1/documents").json()["documents"][0]
        seen = client.get("/v1/documents/a")
        assert listed["etag"] == seen.json()["etag"] == seen.headers["etag"]
        changed = client.patch("/v1/documents/a", json={"title": "New"}, headers={"If-Match": listed["etag"]})
        assert changed.json()["etag"] == changed.headers["etag"] != listed["etag"]
        stale = client.delete("/v1/documents/a", headers={"If-Match": listed["etag"]})
        assert stale.status_code == 412
    assert json.loads(stale.content)["type"] == "urn:pincite:problem:stale"


@pytest.mark.parametrize(
    ("method", "path"), [("PATCH", "/v1/texts"), ("DELETE", "/v1/documents"), ("POST", "/v1/jobs")]
)
def test_a_method_that_a_path_does_not_have_is_refused_whatever_the_key(folder: Path, method: str, path: str) -> None:
    with client_of(folder) as client:
        assert client.post("/v1/texts", json=TEXTS, headers=KEY).status_code == 201
        assert client.request(method, path, json={}, headers=KEY).status_code == 405


def test_a_change_without_a_key_is_not_kept(folder: Path) -> None:
    with client_of(folder) as client:
        assert client.post("/v1/documents", json=TEXTS).status_code == 201
    with Index.open(folder, read_only=True) as index:
        assert not index.engine.stored_records(KIND).items
