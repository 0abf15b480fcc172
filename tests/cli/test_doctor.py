"""pincite doctor: what it finds on this machine and in an index, sound and damaged."""

import json
import sqlite3
from pathlib import Path

import pytest

from pincite import Index
from tests.cli.in_process import run


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    with Index.create(tmp_path / "i.pincite") as index:
        index.add_text("lease", "LEASE\n\nThe rent is due monthly.", vectors="none")
    return tmp_path / "i.pincite"


def findings(*options: str) -> dict[str, list[dict[str, str]]]:
    found: dict[str, list[dict[str, str]]] = {}
    for finding in json.loads(run("doctor", "--json", *options).stdout):
        found.setdefault(finding["what"], []).append(finding)
    return found


def test_it_looks_at_everything_and_says_what_to_do(folder: Path) -> None:
    found = findings("--index", str(folder))
    assert {"versions", "sandbox", "OCR", "old Word files", "fonts", "models", "cache", "index"} <= set(found)
    assert found["models"][0]["state"] == "well"
    assert all(finding["advice"] for group in found.values() for finding in group if finding["state"] == "poor")
    assert any("no vectors" in finding["says"] for finding in found["index"])
    shown = run("doctor", "--index", str(folder))
    assert shown.returncode == 0
    assert "1 documents" in shown.stdout


def test_a_damaged_index_and_an_open_one_are_named(folder: Path) -> None:
    folder.chmod(0o755)
    database = sqlite3.connect(folder / "truth.sqlite")
    database.execute("UPDATE documents SET profile = '{'")
    database.commit()
    database.close()
    shown = run("doctor", "--index", str(folder))
    assert shown.returncode == 1
    assert "'lease' is damaged" in shown.stdout
    assert "others on this machine may read the index" in shown.stdout


def test_no_index_is_a_finding_not_a_failure(tmp_path: Path) -> None:
    shown = run("doctor", "--index", str(tmp_path / "nowhere"))
    assert shown.returncode == 1
    assert "no such index" in shown.stdout
