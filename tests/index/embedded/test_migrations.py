"""An index made by an older version opens, is upgraded in one transaction, and answers the same."""

import json
import shutil
import sqlite3
from pathlib import Path

import pytest

from pincite import Index
from pincite.errors import DataError
from pincite.index.embedded import migrations
from pincite.index.embedded.database import DATABASE, FORMAT

FIXTURES = Path(__file__).parent.parent / "fixtures"
ANSWERS = json.loads((FIXTURES / "version-0.1.0-answers.json").read_text(encoding="utf-8"))


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """An index made by version 0.1.0: three documents in a fragment on disk, one added since."""
    return Path(shutil.copytree(FIXTURES / "version-0.1.0.pincite", tmp_path / "old.pincite"))


def format_of(folder: Path) -> int:
    database = sqlite3.connect(folder / DATABASE)
    try:
        return int(database.execute("SELECT value FROM meta WHERE key = 'format'").fetchone()[0])
    finally:
        database.close()


@pytest.mark.parametrize("read_only", [True, False])
def test_an_index_of_version_0_1_0_answers_the_same(old: Path, read_only: bool) -> None:
    assert format_of(old) == 1
    with Index.open(old, read_only=read_only) as index:
        for expected in ANSWERS:
            answer = index.search(expected["query"], 3)
            first = tuple(expected["hits"][0][name] for name in ("document", "start", "end"))
            places = [(hit.document_id, hit.start, hit.end) for hit in answer]
            assert first in places, "models change; what they found is still among the first"
            assert all(hit.document.text[hit.start : hit.end] == hit.text for hit in answer)
        assert index.check().faults == ()
        assert index.engine.configuration.language == "english"
        assert {record.metadata["matter"] for record in index} == {"4711"}
    assert format_of(old) == FORMAT
    assert sorted(path.name for path in old.iterdir() if path.is_dir()) == ["fragments"]


def test_an_upgraded_index_can_be_changed(old: Path) -> None:
    with Index.open(old) as index:
        index.add_text("memo", "MEMO\n\nThe boats are painted green.")
        assert index.search("What colour are the boats?", 1)[0].document_id == "memo"
        assert index.set("harbour", kind="guaranty").described["kind"] == "guarantee"
        assert index.check().faults == ()


def test_an_upgrade_that_fails_changes_nothing(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = (old / DATABASE).read_bytes()

    def broken(database: sqlite3.Connection, folder: Path) -> None:
        migrations._to_2(database, folder)
        raise sqlite3.OperationalError("disk I/O error")

    monkeypatch.setitem(migrations.MIGRATIONS, 1, broken)
    with pytest.raises(DataError, match=r"older format.*cannot be upgraded"):
        Index.open(old)
    assert format_of(old) == 1
    assert (old / "shelves").is_dir()
    monkeypatch.undo()
    with Index.open(old) as index:
        assert index.search(ANSWERS[0]["query"], 1)[0].start == ANSWERS[0]["hits"][0]["start"]
    assert len(before) > 0


def test_every_older_format_has_a_migration() -> None:
    assert sorted(migrations.MIGRATIONS) == list(range(1, FORMAT))
