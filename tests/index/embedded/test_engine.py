"""The embedded engine keeps the contract, and its files can be trusted."""

import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from pincite.errors import DataError, ModelError, OutputError
from pincite.index import EmbeddedEngine, Engine, Question, shelf_files, shelving, unit_rows
from pincite.index.ingest import add
from pincite.index.embedded.database import DATABASE, FRAGMENTS
from pincite.models import Encoder, load_encoder
from pincite.retrieve import ContextRetriever
from pincite.segment import Clauses
from pincite.text import Collection, Document
from tests.index.engine_contract import ALL, LEASE, NDA, SUPPLY, EngineContract, fill, found, incoming


@pytest.fixture(autouse=True)
def _few_vectors_are_many(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is kept in files for thousands of vectors is kept there for a few."""
    monkeypatch.setattr(shelving, "MISSING", 0)


def made(folder: Path) -> EmbeddedEngine:
    EmbeddedEngine.create(folder)
    return EmbeddedEngine(folder, write=True)


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[EmbeddedEngine]:
    with made(tmp_path / "one.pincite") as opened:
        yield opened


@pytest.fixture
def other_engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[EmbeddedEngine]:
    """One that puts every document on a fragment of its own, on disk."""
    monkeypatch.setattr(shelving, "RECENT", 0)
    monkeypatch.setattr(shelving, "RATIO", 0)
    with made(tmp_path / "other.pincite") as opened:
        yield opened


class TestEmbedded(EngineContract):
    def use(self, engine: Engine, encoder: Path) -> None:
        assert isinstance(engine, EmbeddedEngine)
        engine.use(load_encoder(str(encoder)))


class RandomVectors(Encoder):
    """A vector drawn by the text itself: as good as any for testing where vectors are kept."""

    name, sha256, dimensions = "random", "random", 32

    def encode(self, texts: object, progress: object = None) -> np.ndarray:
        seeds = [int.from_bytes(str(text).encode()[-8:], "little") for text in texts]  # type: ignore[attr-defined]
        drawn = np.stack([np.random.default_rng(seed).normal(size=32) for seed in seeds]).astype(np.float32)
        return drawn / np.linalg.norm(drawn, axis=1, keepdims=True)


def test_an_index_answers_as_the_retriever_in_memory_does(engine: EmbeddedEngine, samples: Path) -> None:
    add(engine, samples / "corpus")
    engine.tidy()
    documents = [engine.document(entry.id) for entry in engine.documents()]
    memory = ContextRetriever()
    memory.index(Collection.build(documents, Clauses()))
    for question in ("Under the Garnet Quay lease, may the tenant underlet?", "Who pays for a recall?", "rent"):
        hits = engine.search([Question(question, dense=False)])[0].hits
        assert [(hit.passage, hit.score) for hit in hits] == [
            (hit.passage, hit.score) for hit in memory.search(question)
        ]


def many(count: int, seed: int = 0) -> list[Document]:
    rng = random.Random(seed)
    words = [f"word{number}" for number in range(300)]
    return [
        Document(
            f"made/contract-{seed}-{number}.txt",
            f"CONTRACT {seed} {number}\n\n"
            + "\n\n".join(" ".join(rng.choices(words, k=12)).capitalize() + "." for _ in range(rng.randint(1, 8))),
            title=f"Contract {seed} {number}",
        )
        for number in range(count)
    ]


@pytest.mark.parametrize("seed", range(6))
def test_any_history_of_changes_answers_as_a_fresh_index(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Adds, changes, removals and tidying in any order, on fragments of any size, with vectors and without."""
    monkeypatch.setattr(shelving, "RECENT", 600)
    monkeypatch.setattr(shelving, "MOST_AT_ONCE", 20)
    rng = random.Random(seed)
    pool = many(40, seed)
    kept: dict[str, Document] = {}
    encoder = RandomVectors()
    with made(tmp_path / "changed.pincite") as changed:
        for _ in range(30):
            step = rng.random()
            if step < 0.55 or not kept:
                document = rng.choice(pool)
                if rng.random() < 0.3:
                    document = replace(
                        document, text=document.text + f"\n\nChanged word{rng.randint(0, 300)} again here."
                    )
                changed.put([incoming(document)], "made", "/made")
                kept[document.id] = document
            elif step < 0.8:
                gone = rng.choice(sorted(kept))
                changed.remove([gone], purge=rng.random() < 0.2)
                del kept[gone]
            elif step < 0.9:
                changed.tidy()
            else:
                changed.embed(encoder)
        changed.embed(encoder)
        changed.use(encoder)
        assert changed.check().faults == ()
        with made(tmp_path / "fresh.pincite") as fresh:
            fresh.put([incoming(document) for document in kept.values()], "made", "/made")
            fresh.embed(encoder)
            fresh.use(encoder)
            for _ in range(10):
                asked = [Question(" ".join(rng.choices([f"word{n}" for n in range(300)], k=4)), 5)]
                one, other = changed.search(asked)[0], fresh.search(asked)[0]
                assert [(hit.passage, hit.score, hit.parts) for hit in one.hits] == [
                    (hit.passage, hit.score, hit.parts) for hit in other.hits
                ]


def test_approximate_search_finds_what_exact_search_finds_also_after_removals_and_with_filters(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shelf_files, "APPROXIMATE_FROM", 500)
    monkeypatch.setattr(shelving, "RECENT", 0)
    with made(tmp_path / "big.pincite") as engine:
        documents = many(400)
        engine.put([incoming(document, lot=str(at % 3)) for at, document in enumerate(documents)], "made", "/made")
        engine.tidy()
        engine.embed(RandomVectors())
        checked = engine.check()
        assert checked.faults == ()
        assert "approximate" in checked.figures["vector search"]
        assert float(checked.figures["recall@10 against exact"]) >= 0.98
        engine.remove([document.id for document in documents[::2]])
        view = engine.view_now()
        question = RandomVectors().encode(["some question about rent"])[0]
        odd = np.array([bool(entry and entry.metadata["lot"] == "1") for entry in view.listed])
        for admitted in (None, odd):
            exact = view.vectors.nearest(question, 100, admitted)
            monkeypatch.setattr(unit_rows, "EXACT_UP_TO", 0)
            near = view.vectors.nearest(question, 100, admitted)
            monkeypatch.setattr(unit_rows, "EXACT_UP_TO", 50_000)
            assert len(near) >= 10
            assert len(set(dict(exact[:10])) & set(dict(near[:10]))) >= 9
            for place, _ in near:
                entry = view.listed[place]
                assert entry is not None
                assert admitted is None or entry.metadata["lot"] == "1"


def test_a_purge_leaves_no_byte_of_the_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shelving, "RECENT", 0)
    secret = "xylotritone"
    folder = tmp_path / "one.pincite"
    with made(folder) as engine:
        fill(engine)
        hidden = replace(
            LEASE,
            id="made/hidden.txt",
            text=f"A lease\n\nThe {secret} is not to be named by anyone. " * 50,
            title=secret,
        )
        engine.put([incoming(hidden, note=secret)], "made", "/made")
        engine.embed(RandomVectors())
        engine.tidy()
        everything = b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())
        assert secret.encode() in everything
        assert engine.remove([hidden.id], purge=True) == 1
        for path in folder.rglob("*"):
            if path.is_file():
                assert secret.encode() not in path.read_bytes().lower(), path
        assert found(engine, "rent")
        assert engine.check().faults == ()


def kill_points() -> int:
    return 60


def writer(folder: Path, log: int, seed: int) -> None:
    """Changes an index for as long as it lives, and says what it has committed, a line each."""
    rng = random.Random(seed)
    with EmbeddedEngine(folder, write=True) as engine:
        step = 0
        while True:
            document = rng.choice(many(30, seed % 3))
            document = replace(document, text=document.text + f"\n\nVersion {seed} {step} of it.")
            if rng.random() < 0.25 and any(entry.id == document.id for entry in engine.documents()):
                os.write(log, f"? {document.id} -\n".encode())
                engine.remove([document.id], purge=rng.random() < 0.3)
                os.write(log, f"! {document.id} -\n".encode())
            else:
                os.write(log, f"? {document.id} {document.sha256}\n".encode())
                engine.put([incoming(document)], "made", "/made")
                os.write(log, f"! {document.id} {document.sha256}\n".encode())
            if rng.random() < 0.3:
                engine.embed(RandomVectors())
            if rng.random() < 0.5:
                engine.tidy()
            step += 1


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_nothing_is_lost_by_kill_at_any_moment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A writer is killed again and again; after each kill the index is sound and holds what was committed."""
    monkeypatch.setattr(shelving, "RECENT", 400)
    monkeypatch.setattr(shelving, "MOST_AT_ONCE", 30)
    monkeypatch.setattr(shelf_files, "APPROXIMATE_FROM", 200)
    folder = tmp_path / "killed.pincite"
    EmbeddedEngine.create(folder)
    rng = random.Random(5)
    truth: dict[str, str] = {}
    committed = 0
    for kill in range(kill_points()):
        receive, send = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(receive)
            try:
                writer(folder, send, kill)
            finally:
                os._exit(1)
        os.close(send)
        time.sleep(rng.uniform(0.005, 0.25))
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        with os.fdopen(receive, encoding="utf-8") as log:
            lines = [line.split() for line in log if line.endswith("\n")]
        for sign, name, digest in lines:
            if sign == "!":
                truth[name] = digest
                committed += 1
        pending = {lines[-1][1]: lines[-1][2]} if lines and lines[-1][0] == "?" else {}
        with EmbeddedEngine(folder, write=True) as engine:
            assert engine.check().faults == (), kill
            held = {entry.id: entry.sha256 for entry in engine.documents()}
            for name, digest in truth.items():
                allowed = {digest, pending.get(name, digest)}
                assert held.get(name, "-") in allowed, (kill, name)
            truth |= {name: held.get(name, "-") for name in pending}
            for entry in engine.documents()[:3]:
                assert engine.document(entry.id).sha256 == entry.sha256
            engine.search([Question("word1 word2", dense=False)])
    assert committed > kill_points()


def test_a_killed_sync_goes_on_and_ends_as_an_undisturbed_one(tmp_path: Path) -> None:
    """The command itself is killed in the middle, several times, and then run to its end."""
    source = tmp_path / "source"
    source.mkdir()
    for document in many(600):
        (source / document.id.split("/")[1]).write_text(document.text * 20, encoding="utf-8")
    command = [sys.executable, "-m", "pincite", "index", "sync", str(source), "--create", "--vectors", "none"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    killed, whole = tmp_path / "killed.pincite", tmp_path / "whole.pincite"
    for delay in (0.5, 0.9, 1.2):
        process = subprocess.Popen(
            [*command, "--index", str(killed)], env=environment, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL
        )
        time.sleep(delay)
        process.kill()
        process.wait()
    for folder in (killed, whole):
        subprocess.run([*command, "--index", str(folder)], env=environment, check=True, capture_output=True)
    with EmbeddedEngine(killed) as one, EmbeddedEngine(whole) as other:
        assert [replace(entry, added="") for entry in one.documents()] == [
            replace(entry, added="") for entry in other.documents()
        ]
        assert one.check().faults == ()
        asked = [Question("word1 word2 word3", 20, dense=False)]
        assert [hit.passage for hit in one.search(asked)[0].hits] == [
            hit.passage for hit in other.search(asked)[0].hits
        ]


def test_readers_see_one_state_while_a_writer_works(tmp_path: Path) -> None:
    folder = tmp_path / "one.pincite"
    with made(folder) as writer_engine, EmbeddedEngine(folder) as reader:
        fill(writer_engine, [LEASE])
        with reader.store.reading():
            before = [entry.id for entry in reader.store.listed()]
            fill(writer_engine, [NDA])
            writer_engine.tidy()
            assert [entry.id for entry in reader.store.listed()] == before
        assert found(reader, "keep one copy")[0] == NDA.id
        writer_engine.remove([NDA.id])
        assert NDA.id not in found(reader, "keep one copy")


def test_readers_in_other_processes_go_on_while_shelves_are_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shelving, "RECENT", 0)
    folder = tmp_path / "one.pincite"
    code = (
        "import sys, time\n"
        "from pathlib import Path\n"
        "from pincite.index import EmbeddedEngine, Question\n"
        "count = 0\n"
        "with EmbeddedEngine(Path(sys.argv[1])) as engine:\n"
        "    end = time.time() + 3\n"
        "    while time.time() < end:\n"
        "        for hit in engine.search([Question('word1 word2 word3', dense=False)])[0].hits:\n"
        "            assert hit.text == hit.document.text[hit.start:hit.end]\n"
        "        count += 1\n"
        "print(count)\n"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    with made(folder) as engine:
        engine.put([incoming(document) for document in many(10)], "made", "/made")
        readers = [
            subprocess.Popen(
                [sys.executable, "-c", code, str(folder)],
                env=environment,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
            )
            for _ in range(2)
        ]
        documents = many(60, seed=1)
        end = time.time() + 3.5
        step = 0
        while time.time() < end:
            engine.put([incoming(documents[step % 60])], "made", "/made")
            if step % 3 == 0:
                engine.remove([documents[step % 60].id])
            engine.tidy()
            step += 1
        for reader in readers:
            out, error = reader.communicate(timeout=30)
            assert reader.returncode == 0, error
            assert int(out) > 3


def test_a_second_writer_waits_and_then_gets_a_message(tmp_path: Path) -> None:
    folder = tmp_path / "one.pincite"
    with made(folder) as first, EmbeddedEngine(folder, write=True, wait=0.2) as second:
        with first.writing(), pytest.raises(OutputError, match=r"another process is writing.*--wait"):
            fill(second)
        fill(second)
        assert len(first.documents()) == 3


def test_a_folder_that_is_no_index_is_said_to_be_none(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"not an index.*create"):
        EmbeddedEngine(tmp_path)
    (tmp_path / "file.txt").write_text("x")
    with pytest.raises(DataError, match="not empty"):
        EmbeddedEngine.create(tmp_path)


def test_an_index_of_a_newer_format_is_not_touched(tmp_path: Path) -> None:
    folder = tmp_path / "one.pincite"
    made(folder).close()
    database = sqlite3.connect(folder / DATABASE)
    database.execute("UPDATE meta SET value = '99' WHERE key = 'format'")
    database.commit()
    database.close()
    with pytest.raises(DataError, match=r"format 99.*newer Pincite"):
        EmbeddedEngine(folder, write=True)


def test_a_damaged_database_is_an_error_that_says_what_to_do(tmp_path: Path) -> None:
    folder = tmp_path / "one.pincite"
    with made(folder) as engine:
        engine.put([incoming(document) for document in many(200)], "made", "/made")
        engine.tidy()
    data = bytearray((folder / DATABASE).read_bytes())
    for page in range(3 * 4096, len(data) - 4096, 4 * 4096):
        data[page : page + 256] = b"\xff" * 256
    (folder / DATABASE).write_bytes(bytes(data))

    def read_all() -> None:
        with EmbeddedEngine(folder) as engine:
            for entry in engine.documents():
                engine.document(entry.id)

    with pytest.raises(DataError, match="damaged"):
        read_all()


def test_a_changed_text_is_noticed_by_its_hash(tmp_path: Path) -> None:
    folder = tmp_path / "one.pincite"
    with made(folder) as engine:
        fill(engine)
    database = sqlite3.connect(folder / DATABASE)
    database.execute("UPDATE documents SET text = replace(text, 'Monday', 'Friday')")
    database.commit()
    database.close()
    with EmbeddedEngine(folder) as engine:
        assert any("lease-quay" in fault for fault in engine.check().faults)
        with pytest.raises(DataError, match=r"lease-quay.*damaged"):
            engine.document(LEASE.id)
        assert engine.document(SUPPLY.id).text == SUPPLY.text


@pytest.mark.parametrize("damage", ["flip", "cut", "delete", "empty"])
def test_a_snapshot_that_is_not_as_written_is_made_anew(
    damage: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shelving, "RECENT", 0)
    folder = tmp_path / "one.pincite"
    with made(folder) as engine:
        fill(engine)
        engine.embed(RandomVectors())
        engine.tidy()
        wanted = found(engine, "rent")
    for path in (folder / FRAGMENTS).iterdir():
        data = bytearray(path.read_bytes())
        data[len(data) // 2] ^= 0xFF
        match damage:
            case "flip":
                path.write_bytes(bytes(data))
            case "cut":
                path.write_bytes(bytes(data[: len(data) // 2]))
            case "delete":
                path.unlink()
            case "empty":
                path.write_bytes(b"")
    with EmbeddedEngine(folder) as reader:
        answer = reader.search([Question("rent", dense=False)])[0]
        assert [hit.passage.document_id for hit in answer.hits] == wanted
        assert any("snapshot" in note for note in answer.notes)
        assert any("repair" in fault for fault in reader.check().faults)
    with EmbeddedEngine(folder, write=True) as writer_engine:
        assert writer_engine.check(repair=True).faults == ()
        answer = writer_engine.search([Question("rent", dense=False)])[0]
        assert answer.notes == ()
        assert [hit.passage.document_id for hit in answer.hits] == wanted


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_full_disk_loses_nothing_that_was_committed(tmp_path: Path) -> None:
    """Files may not grow beyond a limit, as on a full disk: the batch fails with a clear error, the rest is safe."""
    folder = tmp_path / "one.pincite"
    with made(folder) as engine:
        fill(engine)
        engine.tidy()
    receive, send = os.pipe()
    child = os.fork()
    if child == 0:
        import resource

        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, 400_000))
        try:
            with EmbeddedEngine(folder, write=True) as engine:
                big = replace(LEASE, id="made/big.txt", text="The rent is due in full. " * 100_000)
                engine.put([incoming(big)], "made", "/made")
            os.write(send, b"no error")
        except OutputError as error:
            os.write(send, str(error).encode())
        finally:
            os._exit(0)
    os.close(send)
    os.waitpid(child, 0)
    with os.fdopen(receive, encoding="utf-8") as said:
        message = said.read()
    assert "full or failing" in message
    assert "all before it is safe" in message
    with EmbeddedEngine(folder, write=True) as engine:
        assert engine.check().faults == ()
        assert {entry.id for entry in engine.documents()} == {document.id for document in ALL}
        fill(engine, [replace(LEASE, id="made/more.txt")])


def test_boxes_come_back_with_the_document(engine: EmbeddedEngine) -> None:
    from pincite.text.boxes import Boxes

    edges = np.tile(np.arange(4, dtype=np.float64), (len(NDA.text), 1)) + np.arange(len(NDA.text))[:, None]
    source = replace(NDA.source, page_starts=(0,), boxes=Boxes.pack(edges))
    engine.put([incoming(replace(NDA, source=source))], "made", "/made")
    assert engine.document(NDA.id).boxes(0, 3) == replace(NDA, source=source).boxes(0, 3)


def test_a_purge_keeps_the_other_documents_on_their_shelves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shelving, "RECENT", 0)
    with made(tmp_path / "one.pincite") as engine:
        fill(engine)
        engine.tidy()
        engine.remove([NDA.id], purge=True)
        assert [len(row.documents) for row in engine.store.fragments()] == [2]


def test_a_purge_that_was_stopped_is_finished_by_the_same_call_or_the_next_write(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shelving, "RECENT", 0)
    folder = tmp_path / "one.pincite"
    for how in ("again", "tidy"):
        with made(folder / how) as engine:
            fill(engine)
            engine.tidy()
            with monkeypatch.context() as stopped:
                stopped.setattr(engine, "_purge", lambda: None)
                engine.remove([NDA.id], purge=True)
            assert b"tamarisk" in b"".join(path.read_bytes() for path in (folder / how / FRAGMENTS).iterdir())
            if how == "again":
                assert engine.remove([NDA.id], purge=True) == 0
            else:
                engine.tidy()
            assert b"tamarisk" not in b"".join(path.read_bytes() for path in (folder / how / FRAGMENTS).iterdir())
            assert {entry.id for entry in engine.documents()} == {LEASE.id, SUPPLY.id}


def test_removal_takes_ids_alone(engine: EmbeddedEngine) -> None:
    from pincite.errors import UsageError

    fill(engine)
    with pytest.raises(UsageError, match=r"no document has the id 'tamarisk'.*nda-tamarisk"):
        engine.remove(["tamarisk"])
    assert len(engine.documents()) == 3


def test_vectors_made_anew_never_mix_with_old_ones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Other(RandomVectors):
        name, sha256, dimensions = "other", "other", 16

        def encode(self, texts: object, progress: object = None) -> np.ndarray:
            drawn = super().encode(texts)[:, :16]
            return drawn / np.linalg.norm(drawn, axis=1, keepdims=True)

    monkeypatch.setattr(shelving, "RECENT", 0)
    with made(tmp_path / "one.pincite") as engine:
        fill(engine)
        engine.embed(RandomVectors())
        with EmbeddedEngine(engine.folder, RandomVectors()) as reader:
            reader.search([Question("rent")])
            engine.forget_vectors()
            engine.embed(Other())
            with pytest.raises(ModelError, match="other"):
                reader.search([Question("rent")])
        engine.use(Other())
        assert all("dense" in hit.parts for hit in engine.search([Question("rent", 50)])[0].hits)
        assert engine.check().faults == ()


def test_deleted_shelves_are_made_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import shutil

    monkeypatch.setattr(shelving, "RECENT", 0)
    folder = tmp_path / "one.pincite"
    with made(folder) as engine:
        fill(engine)
        engine.tidy()
    shutil.rmtree(folder / FRAGMENTS)
    with EmbeddedEngine(folder, write=True) as engine:
        assert found(engine, "rent")
        engine.tidy()
        assert engine.store.fragments()
        assert engine.check().faults == ()


def test_two_processes_that_create_one_index_do_not_undo_each_other(tmp_path: Path) -> None:
    folder = tmp_path / "one.pincite"
    with made(folder) as first:
        fill(first)
        with pytest.raises(DataError, match="already"):
            EmbeddedEngine.create(folder)
        (folder / DATABASE).rename(folder / "aside")
        (folder / "aside").rename(folder / DATABASE)
        assert len(first.documents()) == 3


def test_a_damaged_document_stops_neither_export_nor_vectors(tmp_path: Path) -> None:
    from pincite.index.listing import exported

    folder = tmp_path / "one.pincite"
    with made(folder) as engine:
        fill(engine)
    database = sqlite3.connect(folder / DATABASE)
    database.execute("UPDATE documents SET text = replace(text, 'Monday', 'Friday')")
    database.commit()
    database.close()
    with EmbeddedEngine(folder, write=True) as engine:
        damaged: list[str] = []
        assert len(list(exported(engine, damaged))) == 2
        assert len(damaged) == 1
        assert engine.embed(RandomVectors()) == 2
