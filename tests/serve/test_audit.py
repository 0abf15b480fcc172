"""The audit log."""

import json
from pathlib import Path

from pincite.index import Index
from pincite.serve.auth import Auth
from pincite.serve.settings import Settings
from tests.serve.conftest import LEASE, client_of


def test_the_audit_log_says_who_searched_and_read_what(own_index: Path, tmp_path: Path, keys: Auth) -> None:
    log = tmp_path / "audit.jsonl"
    key = keys.add_key("mira", "write")
    with client_of(own_index, Settings(audit=str(log)), keys) as client:
        headers = {"authorization": f"Bearer {key}"}
        client.post("/v1/search", json={"query": "May the tenant underlet?", "k": 1, "fast": True}, headers=headers)
        client.get(f"/v1/documents/{LEASE}/text", params={"start": 0, "end": 9}, headers=headers)
        client.delete(f"/v1/documents/{LEASE}", headers=headers)
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    assert [(line["who"], line["action"], line["collection"]) for line in lines] == [
        ("mira", "search", "contracts"),
        ("mira", "read", "contracts"),
        ("mira", "remove", "contracts"),
    ]
    assert lines[0]["question"] == "May the tenant underlet?"
    assert lines[1]["documents"] == [LEASE]
    assert "shall" not in log.read_text()
    assert log.stat().st_mode & 0o077 == 0


def test_what_cannot_be_recorded_does_not_happen(own_index: Path, keys: Auth) -> None:
    key = keys.add_key("mira", "write")
    with client_of(own_index, Settings(audit="/dev/full"), keys) as client:
        headers = {"authorization": f"Bearer {key}"}
        files = {"files": ("note.txt", b"NOTE\n\nThe boats are green.")}
        for answer in (
            client.post("/v1/documents?wait=true", files=files, headers=headers),
            client.delete(f"/v1/documents/{LEASE}", headers=headers),
            client.patch(f"/v1/documents/{LEASE}", json={"title": "Mine"}, headers=headers),
        ):
            assert answer.status_code == 503
    with Index.open(own_index) as index:
        assert index.engine.record("uploads/note.txt") is None
        assert index.record(LEASE).title != "Mine"


def test_a_change_that_fails_is_recorded_as_failed(own_index: Path, tmp_path: Path) -> None:
    log = tmp_path / "audit.jsonl"
    with client_of(own_index, Settings(audit=str(log))) as client:
        assert client.delete("/v1/documents/nothing.txt").status_code == 404
    asked, failed = map(json.loads, log.read_text().splitlines())
    assert (asked["action"], failed["action"], failed["status"]) == ("remove", "remove", "failed")
