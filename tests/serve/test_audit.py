"""The audit log."""

import json
from pathlib import Path

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
