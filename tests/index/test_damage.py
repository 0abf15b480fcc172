"""A damaged document costs itself and nothing else."""

import shutil
import sqlite3
from pathlib import Path

import pytest

from pincite import Index
from pincite.engine.embedding import embed
from pincite.errors import DamagedDocumentError
from pincite.search import Question, search
from pincite.testing.engine_suite import RandomVectors
from tests.cli.in_process import run

LEASES = {f"lease {name}": f"LEASE of {name} House\n\nThe rent of {name} House is due monthly." for name in "ABCD"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    with Index.create(tmp_path / "leases.pincite") as index:
        for name, text in LEASES.items():
            index.add_text(name, text, vectors="none")
    return tmp_path / "leases.pincite"


def harm(folder: Path, column: str, value: object) -> None:
    """Writes something else over a column of lease B, as a flipped bit on the disk might."""
    database = sqlite3.connect(folder / "truth.sqlite")
    database.execute(f"UPDATE documents SET {column} = ? WHERE id = 'lease B'", (value,))
    database.commit()
    database.close()


HARM = {
    "text": "LEASE of B House\n\nThe rent of B House is due never.",
    "metadata": '{"kind": ',
    "found": "[1, 2]",
    "profile": '{"title"',
    "source": b"\x00\x01",
    "units": b"\x01\x02\x03",
    "contexts": b"\x01",
}


@pytest.mark.parametrize("column", sorted(HARM))
@pytest.mark.parametrize("opened", ["before", "after"])
def test_every_other_document_answers_and_the_damaged_one_is_named(folder: Path, column: str, opened: str) -> None:
    index = Index.open(folder, read_only=True) if opened == "before" else None
    harm(folder, column, HARM[column])
    with index or Index.open(folder, read_only=True) as held:
        answer = held.search("when is the rent due?", k=4, fast=True)
        assert {hit.document_id for hit in answer} == set(LEASES) - {"lease B"}
        (note,) = [note for note in answer.notes if "damaged" in note]
        assert "'lease B'" in note
        assert str(folder) not in note
        with pytest.raises(DamagedDocumentError, match="lease B"):
            held.document("lease B")
        assert any("lease B" in fault for fault in held.check().faults)


def test_text_that_is_no_longer_text_is_damage_too(folder: Path) -> None:
    database = sqlite3.connect(folder / "truth.sqlite")
    database.execute(
        "UPDATE documents SET title = CAST(x'ff80fe' AS TEXT), text = CAST(x'80' AS TEXT) WHERE id = 'lease B'"
    )
    database.commit()
    database.close()
    with Index.open(folder, read_only=True) as index:
        assert len(index.search("when is the rent due?", k=4, fast=True)) == 3


@pytest.mark.parametrize("column", ["title", "added", "read_title", "pages"])
def test_check_notices_what_no_reader_would(folder: Path, column: str) -> None:
    with Index.open(folder, read_only=True) as index:
        assert not index.check().faults
    harm(folder, column, 7 if column == "pages" else "another")
    with Index.open(folder, read_only=True) as index:
        (fault,) = index.check().faults
        assert "'lease B' is damaged (not as it was written)" in fault


def test_a_damaged_document_is_removed_and_added_again(folder: Path) -> None:
    harm(folder, "profile", "{")
    with Index.open(folder) as index:
        assert index.remove("lease B") == 1
        index.add_text("lease B", LEASES["lease B"], vectors="none")
        assert not index.check().faults
        assert len(index.search("when is the rent due?", k=4, fast=True)) == 4


def test_the_command_line_goes_on_without_it(folder: Path) -> None:
    harm(folder, "metadata", "{")
    found = run("search", "when is the rent due?", "--index", str(folder), "--fast")
    assert found.returncode == 0
    assert "lease A" in found.stdout
    listed = run("index", "list", "--index", str(folder))
    assert listed.returncode == 0
    assert "Traceback" not in listed.stderr


def test_an_index_of_an_older_format_gets_checksums(folder: Path, tmp_path: Path) -> None:
    older = tmp_path / "older.pincite"
    shutil.copytree(folder, older)
    database = sqlite3.connect(older / "truth.sqlite")
    database.execute("ALTER TABLE documents DROP COLUMN checksum")
    database.execute("ALTER TABLE embeddings DROP COLUMN checksum")
    database.execute("UPDATE meta SET value = '3' WHERE key = 'format'")
    database.commit()
    database.close()
    with Index.open(older) as index:
        assert not index.check().faults
    harm(older, "title", "another")
    with Index.open(older, read_only=True) as index:
        assert index.check().faults


def test_bytes_that_are_no_text_stop_neither_a_check_nor_a_migration(folder: Path) -> None:
    database = sqlite3.connect(folder / "truth.sqlite")
    database.execute("UPDATE documents SET title = CAST(x'ff80fe' AS TEXT) WHERE id = 'lease B'")
    database.execute("ALTER TABLE documents DROP COLUMN checksum")
    database.execute("ALTER TABLE embeddings DROP COLUMN checksum")
    database.execute("UPDATE meta SET value = '3' WHERE key = 'format'")
    database.commit()
    database.close()
    with Index.open(folder) as index:
        assert len(index.search("when is the rent due?", k=4, fast=True)) == 4
    harm(folder, "read_title", "x")
    with Index.open(folder, read_only=True) as index:
        assert any("lease B" in fault for fault in index.check().faults)


@pytest.mark.parametrize("column", ["scales", "codes"])
def test_damaged_vectors_cost_their_document_alone(folder: Path, column: str) -> None:
    with Index.open(folder) as index:
        embed(index.engine, RandomVectors())
    database = sqlite3.connect(folder / "truth.sqlite")
    number = "SELECT number FROM documents WHERE id = 'lease B'"
    database.execute(f"UPDATE embeddings SET {column} = x'010203' WHERE document = ({number})")
    database.commit()
    database.close()
    with Index.open(folder, read_only=True) as index:
        assert any("lease B" in fault for fault in index.check().faults)
        with index.engine.view() as view:
            answer = search(view, [Question("when is the rent due?", 4)], RandomVectors())[0]
        assert {hit.document_id for hit in answer} >= set(LEASES) - {"lease B"}


def test_a_document_whose_id_is_damaged_under_a_reader_is_left_out(folder: Path) -> None:
    with Index.open(folder, read_only=True) as index:
        assert len(index.search("when is the rent due?", k=4, fast=True)) == 4
        harm(folder, "text", "LEASE of nobody")
        database = sqlite3.connect(folder / "truth.sqlite")
        database.execute("UPDATE documents SET id = 'lease \x01' WHERE id = 'lease B'")
        database.commit()
        database.close()
        index.engine._cache._kept.clear()  # type: ignore[attr-defined]
        assert len(index.search("when is the rent due?", k=4, fast=True)) == 3
