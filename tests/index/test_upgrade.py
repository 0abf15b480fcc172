"""Upgrades: documents of an earlier version are made again, whatever stops it, and nothing that people said is lost."""

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from pincite import Index
from pincite.engine.embedding import embed
from pincite.engine.structure import STRUCTURE_VERSION
from pincite.errors import DataError, UsageError
from pincite.index import upgrade as upgrading
from pincite.index.embedded.database import DATABASE, SEALED_ROW, connect
from pincite.testing.engine_suite import RandomVectors

OLD = Path(__file__).parent / "fixtures" / "version-0.1.0.pincite"
COUNT = 6


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "contracts"
    made.mkdir()
    for number in range(COUNT):
        text = f"LEASE OF HOUSE {number}\n\n1. Rent\n\nThe rent of house {number} is due monthly. No pets may be kept."
        (made / f"lease-{number}.txt").write_text(text, encoding="utf-8")
    return made


@pytest.fixture
def location(tmp_path: Path, folder: Path) -> Path:
    """An index with vectors, corrections and a text of a program's, as an earlier version would have left it."""
    place = tmp_path / "old.pincite"
    with Index.create(place) as index:
        index.sync(folder, vectors="none")
        index.add_text("memo", "MEMO\n\nThe boats are painted green.", title="Boats", vectors="none")
        index.set("lease-1", title="Mine", kind="licence", matter="7")
        embed(index.engine, RandomVectors())
    age(place)
    return place


def age(place: Path) -> None:
    """Makes all documents those of an earlier version, with worse titles."""
    database = connect(place / DATABASE, write=True)
    database.execute("UPDATE documents SET structure = 1")
    database.execute("UPDATE documents SET title = 'EXHIBIT 10.1' WHERE id LIKE '%lease-2.txt'")
    database.execute(f"UPDATE documents SET checksum = {SEALED_ROW}")
    database.execute("UPDATE meta SET value = CAST(value AS INTEGER) + 1 WHERE key = 'generation'")
    database.commit()
    database.close()


@pytest.fixture(autouse=True)
def _random_vectors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pincite.pipeline.model_cache.ModelCache.encoder", lambda self, name: RandomVectors())


def left(index: Index) -> list[str]:
    return [record.id for record in index if record.structure < STRUCTURE_VERSION]


def test_everything_is_made_again_and_corrections_stay(location: Path) -> None:
    with Index.open(location) as index:
        assert index.check().figures["of an earlier version"].startswith(f"{COUNT + 1}; 'pincite index upgrade'")
        plan = index.plan_upgrade()
        assert (plan.total, plan.documents, plan.from_files, plan.from_text) == (COUNT + 1, COUNT + 1, COUNT, 1)
        assert plan.seconds > 0
        before = {record.id: record for record in index}
        order = list(before)
        assert len(left(index)) == COUNT + 1
        report = index.upgrade()
        assert (report.documents, report.from_files, report.from_text) == (COUNT + 1, COUNT, 1)
        assert report.embedded == COUNT + 1
        assert report.units_before == sum(record.unit_count for record in before.values())
        assert report.units_after == sum(record.unit_count for record in index)
        assert [(change.document, change.before) for change in report.titles] == [
            ("contracts/lease-2.txt", "EXHIBIT 10.1")
        ]
        assert (left(index), [record.id for record in index]) == ([], order)
        record = index.record("lease-1")
        assert (record.title, record.profile.kind, record.metadata["matter"]) == ("Mine", "licence", "7")
        assert index.record("memo").title == "Boats"
        assert all(record.has_vectors for record in index)
        assert "of an earlier version" not in index.check().figures
        assert index.check().faults == ()
        assert index.upgrade().documents == 0


def test_an_index_made_before_answers_until_it_is_upgraded(location: Path) -> None:
    with Index.open(location, read_only=True) as index:
        assert index.search("rent of house 3", 1, fast=True)[0].document_id == "contracts/lease-3.txt"
        with pytest.raises(UsageError, match="opened for reading"):
            index.upgrade()
        assert index.plan_upgrade().documents == COUNT + 1


def test_files_that_are_gone_or_changed_are_taken_from_the_stored_text(location: Path, folder: Path) -> None:
    (folder / "lease-0.txt").unlink()
    (folder / "lease-3.txt").write_text("Something else entirely.", encoding="utf-8")
    with Index.open(location) as index:
        report = index.upgrade()
        assert (report.from_files, report.from_text) == (COUNT - 2, 3)
        assert report.notes == [
            "contracts/lease-3.txt: has changed since it was read; its stored text was taken, and a sync reads the file"
        ]
        assert "house 3" in index.document("lease-3").text
        assert "house 0" in index.document("lease-0").text
        assert left(index) == []
        (folder / "lease-0.txt").write_text("It is back.", encoding="utf-8")
        assert index.sync(folder, vectors="none").changed == 2


def test_a_file_that_cannot_be_read_any_more_keeps_its_text(location: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from pincite.documents.failures import Unreadable
    from pincite.documents.workers import Derived

    def broken(files: list[tuple[Path, str]], *_: object) -> list[Derived[object]]:
        return [Derived((), (), (Unreadable(name, "damaged", "is damaged"),)) for _, name in files]

    monkeypatch.setattr(upgrading, "derive_files", broken)
    with Index.open(location) as index:
        report = index.upgrade()
        assert (report.from_files, report.from_text, len(report.notes)) == (0, COUNT + 1, COUNT)
        assert "could not be read again" in report.notes[0]
        assert left(index) == []


def test_a_stopped_upgrade_goes_on_and_searching_does_meanwhile(
    location: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(upgrading, "BATCH_FILES", 2)

    def stop(what: str, done: int, total: int) -> None:
        with Index.open(location, read_only=True) as reader:
            assert reader.search("rent of house 5", 1, fast=True)[0].document_id == "contracts/lease-5.txt"
            assert len(reader) == COUNT + 1
        raise KeyboardInterrupt

    with Index.open(location) as index:
        with pytest.raises(KeyboardInterrupt):
            index.upgrade(progress=stop)
        assert len(left(index)) == COUNT + 1 - 2
        assert index.plan_upgrade().documents == COUNT + 1 - 2
        seen: list[tuple[str, int, int]] = []
        assert index.upgrade(progress=lambda *at: seen.append(at)).documents == COUNT + 1 - 2
        assert seen[-1] == ("upgrading", COUNT + 1 - 2, COUNT + 1 - 2)
        assert (left(index), index.check().faults) == ([], ())


def test_a_killed_upgrade_loses_nothing(location: Path) -> None:
    code = (
        "import sys, time\n"
        "from pincite import Index\n"
        "from pincite.index import upgrade\n"
        "upgrade.BATCH_FILES = 1\n"
        "def told(*at):\n"
        "    print(*at, flush=True)\n"
        "    time.sleep(0.2)\n"
        f"Index.open({str(location)!r}).upgrade(vectors='none', progress=told)\n"
    )
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, env=os.environ)
    assert process.stdout is not None
    process.stdout.readline()
    process.send_signal(signal.SIGKILL)
    process.wait(60)
    process.stdout.close()
    with Index.open(location) as index:
        assert 0 < len(left(index)) < COUNT + 1
        assert len(index) == COUNT + 1
        assert index.check().faults == ()
        index.upgrade()
        assert (left(index), len(index), index.record("lease-1").title) == ([], COUNT + 1, "Mine")
        assert all(record.has_vectors for record in index)


def test_a_correction_made_meanwhile_is_kept(location: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real: Callable[..., object] = upgrading._prepared
    corrected: list[str] = []

    def slow(engine: object, *more: object) -> object:
        ready = real(engine, *more)
        if not corrected:
            corrected.append(index.set("lease-4", title="Said meanwhile").id)
        return ready

    monkeypatch.setattr(upgrading, "_prepared", slow)
    with Index.open(location) as index:
        index.upgrade()
        assert (left(index), index.record("lease-4").title) == ([], "Said meanwhile")


def test_what_is_stored_damaged_is_reported_and_the_rest_is_upgraded(location: Path, folder: Path) -> None:
    shutil.rmtree(folder)
    database = sqlite3.connect(location / DATABASE)
    database.execute("UPDATE documents SET text = 'changed' WHERE id LIKE '%lease-2.txt'")
    database.commit()
    database.close()
    with Index.open(location) as index:
        report = index.upgrade()
        assert len(report.failures) == 1
        assert "lease-2.txt' is damaged" in report.failures[0]
        assert report.documents == COUNT
        damaged = index.engine.record("contracts/lease-2.txt")
        assert damaged is not None
        assert damaged.structure == 1


def test_an_index_of_version_0_1_0_is_upgraded_from_its_stored_texts(tmp_path: Path) -> None:
    place = Path(shutil.copytree(OLD, tmp_path / "old.pincite"))
    with Index.open(place) as index:
        count, ids = len(index), [record.id for record in index]
        assert index.earlier_documents() == count
        report = index.upgrade(vectors="none")
        assert (report.documents, report.from_text, report.failures) == (count, count, [])
        assert sorted(record.id for record in index) == sorted(ids)
        assert {record.metadata["matter"] for record in index} == {"4711"}
        assert index.check().faults == ()


def test_a_document_keeps_its_version_when_it_is_corrected(location: Path) -> None:
    with Index.open(location) as index:
        assert index.set("lease-0", title="Other").structure == 1
        assert index.record("lease-0").has_vectors
        with pytest.raises(UsageError, match="now, later, none"):
            index.upgrade(vectors="soon")
        with pytest.raises(UsageError, match="now, later, none"):
            index.plan_upgrade(vectors="soon")


def test_an_index_in_memory_is_always_of_this_version() -> None:
    with Index.create(":memory:") as index:
        index.add_text("a", "Some words here.", vectors="none")
        assert (index.plan_upgrade().documents, index.upgrade().documents) == (0, 0)


def test_two_documents_of_one_id_do_not_stop_the_others(location: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Index.open(location) as index:
        real = index.engine.put

        def put(files: list[object], root: object) -> None:
            if any("lease-2" in file.file.path for file in files):  # type: ignore[attr-defined]
                raise DataError("two documents would have the id 'x'; rename one")
            real(files, root)  # type: ignore[arg-type]

        monkeypatch.setattr(index.engine, "put", put)
        report = index.upgrade()
        assert report.failures == ["contracts/lease-2.txt: two documents would have the id 'x'; rename one"]
        assert left(index) == ["contracts/lease-2.txt"]
