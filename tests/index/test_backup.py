"""Backups: complete, verified, made while others search and write, and refused where they are damaged."""

import json
import sqlite3
import stat
from hashlib import sha256
from pathlib import Path
from threading import Event, Thread

import pytest

from pincite import Index
from pincite.engine.contract import WRITER
from pincite.errors import DataError, OutputError, UsageError
from pincite.index.backup import MANIFEST
from pincite.index.jobs import Job, JobFile, put_job, sweep, waiting_name
from pincite.index.uploads import FOLDER, OURS
from tests.cli.in_process import run

QUESTION = "when is the rent due?"


@pytest.fixture
def index(tmp_path: Path) -> Index:
    made = Index.create(tmp_path / "leases.pincite")
    for at in range(6):
        made.add_text(f"lease {at}", f"LEASE {at}\n\nThe rent of house {at} is due on day {at}.", vectors="none")
    return made


def answers(index: Index) -> list[tuple[str, int, int, float]]:
    return [(hit.document_id, hit.start, hit.end, hit.score) for hit in index.search(QUESTION, k=6, fast=True)]


def test_a_restored_index_answers_the_same(index: Index, tmp_path: Path) -> None:
    (tmp_path / "leases.pincite" / FOLDER).mkdir()
    (tmp_path / "leases.pincite" / FOLDER / "deed.txt").write_text("DEED\n\nThe plot is sold.", encoding="utf-8")
    made = index.backup(tmp_path / "backup")
    assert made.files == 2
    modes = {stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / "backup").rglob("*") if path.is_file()}
    assert modes == {0o600}
    with Index.restore(tmp_path / "backup", tmp_path / "again.pincite") as again:
        assert answers(again) == answers(index)
        assert not again.check().faults
    assert (tmp_path / "again.pincite" / FOLDER / "deed.txt").read_text() == "DEED\n\nThe plot is sold."


def test_a_backup_is_one_state_whatever_is_written_meanwhile(index: Index, tmp_path: Path) -> None:
    stop = Event()

    def write() -> None:
        with Index.open(tmp_path / "leases.pincite", wait=30) as other:
            at = 0
            while not stop.is_set():
                other.add_text(f"pair {at} a", f"PAIR {at}\n\nThe first half.", vectors="none")
                at += 1

    writer = Thread(target=write)
    writer.start()
    try:
        for at in range(5):
            index.backup(tmp_path / f"backup {at}")
    finally:
        stop.set()
        writer.join()
    for at in range(5):
        with Index.restore(tmp_path / f"backup {at}", tmp_path / f"again {at}.pincite") as again:
            assert not again.check().faults
            assert len(again) >= 6


@pytest.mark.parametrize("harm", ["flip", "cut", "missing", "manifest", "outside", "no manifest"])
def test_a_damaged_backup_is_refused_and_nothing_is_made_of_it(index: Index, tmp_path: Path, harm: str) -> None:
    index.backup(tmp_path / "backup")
    path, manifest = tmp_path / "backup" / "truth.sqlite", tmp_path / "backup" / MANIFEST
    data = bytearray(path.read_bytes())
    match harm:
        case "flip":
            data[len(data) // 2] ^= 1
            path.write_bytes(data)
        case "cut":
            path.write_bytes(data[:-4096])
        case "missing":
            path.unlink()
        case "manifest":
            manifest.write_text('{"files": 3}')
        case "outside":
            manifest.write_text(json.dumps({"files": {"../leases.pincite/truth.sqlite": "00"}}))
        case "no manifest":
            manifest.unlink()
    with pytest.raises(DataError):
        Index.restore(tmp_path / "backup", tmp_path / "again.pincite")
    assert not (tmp_path / "again.pincite").exists()
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".again")]


def test_nothing_is_ever_written_over(index: Index, tmp_path: Path) -> None:
    index.backup(tmp_path / "backup")
    with pytest.raises(OutputError, match="exists already"):
        index.backup(tmp_path / "backup")
    with pytest.raises(OutputError, match="exists already"):
        Index.restore(tmp_path / "backup", tmp_path / "leases.pincite")
    with pytest.raises(UsageError, match="cannot be backed up"):
        Index.create(":memory:").backup(tmp_path / "memory")


def test_the_commands_say_what_they_did(index: Index, tmp_path: Path) -> None:
    made = run("index", "backup", str(tmp_path / "b"), "--index", str(tmp_path / "leases.pincite"))
    assert made.returncode == 0, made.stderr
    assert "1 files" in made.stdout
    back = run("index", "restore", str(tmp_path / "b"), "--index", str(tmp_path / "again.pincite"))
    assert "6 documents" in back.stdout
    refused = run("index", "restore", str(tmp_path / "leases.pincite"), "--index", str(tmp_path / "third.pincite"))
    assert refused.returncode == 1
    assert "not a backup" in refused.stderr


# Uploads beside the index


def test_check_compares_uploads_and_repair_deletes_what_nobody_was_told_of(index: Index, tmp_path: Path) -> None:
    folder = tmp_path / "leases.pincite" / FOLDER
    folder.mkdir()
    (folder / "deed.txt").write_text("DEED\n\nThe plot is sold.", encoding="utf-8")
    index.engine.put_record(*OURS, "server")
    index.add(folder, vectors="none")
    assert not index.check().faults
    (folder / "stray.txt").write_text("STRAY\n\nNobody knows of it.", encoding="utf-8")
    (fault,) = index.check().faults
    assert "uploads/stray.txt" in fault
    assert not index.check(repair=True).faults
    assert [path.name for path in folder.iterdir()] == ["deed.txt"]
    (folder / "deed.txt").unlink()
    (fault,) = index.check().faults
    assert "its file is gone" in fault


def test_an_upload_that_was_altered_is_a_fault(index: Index, tmp_path: Path) -> None:
    folder = uploaded(index, tmp_path, "deed.txt")
    data = (folder / "deed.txt").read_bytes()
    (folder / "deed.txt").write_bytes(data.replace(b"sold", b"kept"))
    for repair in (False, True):
        (fault,) = index.check(repair=repair).faults
        assert fault.startswith("uploads/deed.txt: its file is not what was read")
    (folder / "deed.txt").write_bytes(data)
    assert not index.check().faults


def uploaded(index: Index, tmp_path: Path, *names: str) -> Path:
    """The folder of uploads, with these files."""
    folder = tmp_path / "leases.pincite" / FOLDER
    folder.mkdir()
    for name in names:
        (folder / name).write_text("DEED\n\nThe plot is sold.", encoding="utf-8")
    index.engine.put_record(*OURS, "server")
    index.add(folder, vectors="none")
    return folder


def test_what_a_killed_removal_left_goes_with_the_next_sweep(index: Index, tmp_path: Path) -> None:
    folder = uploaded(index, tmp_path, "deed.txt", "plan.txt")
    index.engine.remove(["uploads/deed.txt"])  # killed before the file was deleted
    assert (folder / "deed.txt").exists()
    with index.engine.lease(WRITER):
        sweep(index.engine)
    assert [path.name for path in folder.iterdir()] == ["plan.txt"]
    index.engine.remove(["uploads/plan.txt"], purge=True)
    index.remove("uploads/plan.txt", purge=True)  # a purge that was stopped is finished
    assert not index.check().faults


def test_a_file_that_waits_to_be_stored_again_is_no_fault(index: Index, tmp_path: Path) -> None:
    folder = uploaded(index, tmp_path, "deed.txt")
    data = (folder / "deed.txt").read_bytes()
    job = Job.new("mira", [JobFile("deed.txt", len(data), sha256(data).hexdigest(), stored="deed.txt")])
    index.engine.originals.write(waiting_name(job, 0), data)
    put_job(index.engine, job)
    (folder / "deed.txt").unlink()  # killed after the document was stored, and before its file was
    assert not index.check().faults


def test_the_backup_of_a_database_holds_no_log(index: Index, tmp_path: Path) -> None:
    index.backup(tmp_path / "backup")
    assert sorted(path.name for path in (tmp_path / "backup").iterdir()) == [MANIFEST, "truth.sqlite"]
    database = sqlite3.connect(tmp_path / "backup" / "truth.sqlite")
    assert database.execute("SELECT count(*) FROM documents").fetchone() == (6,)
    database.close()
