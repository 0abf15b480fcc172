"""The files of the embedded engine can be trusted: kills, damage, full disks, readers beside writers."""

import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from pincite.engine.contract import EVERYTHING, Scope, every_document
from pincite.engine.embedding import embed
from pincite.errors import DataError, ModelError, OutputError, UsageError
from pincite.index import Index
from pincite.index.embedded import EmbeddedEngine
from pincite.index.embedded.database import DATABASE, FRAGMENTS
from pincite.index.embedded.settings import EmbeddedSettings
from pincite.models import Progress, Vectors
from pincite.search import Question, search
from pincite.search.hits import LOOKED_UP
from pincite.testing.documents import ALL, LEASE, NDA, ROOT, SUPPLY, fill, prepared_file
from pincite.testing.engine_suite import RandomVectors, found
from pincite.text import Document, Filter

SMALL = EmbeddedSettings(missing_vectors=0)
"""What is kept in files for thousands of vectors is kept there for a few."""
ON_DISK = replace(SMALL, recent_characters=0)
"""Everything goes into fragments at once."""


def made(folder: Path, settings: EmbeddedSettings = SMALL) -> EmbeddedEngine:
    EmbeddedEngine.create(folder)
    return EmbeddedEngine(folder, write=True, settings=settings)


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[EmbeddedEngine]:
    with made(tmp_path / "one.pincite") as opened:
        yield opened


def hits(engine: EmbeddedEngine, question: str, k: int = 10) -> list[object]:
    """By words and random vectors: passage, score and parts of every hit."""
    with engine.view() as view:
        return [
            (hit.passage, hit.score, hit.parts) for hit in search(view, [Question(question, k)], RandomVectors())[0]
        ]


def listed(engine: EmbeddedEngine) -> list[str]:
    return [record.id for record in every_document(engine)]


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
def test_any_history_of_changes_answers_as_a_fresh_index(seed: int, tmp_path: Path) -> None:
    """Adds, changes, removals and tidying in any order, in fragments of any size, with vectors and without."""
    rng = random.Random(seed)
    pool = many(40, seed)
    kept: dict[str, Document] = {}
    encoder = RandomVectors()
    settings = replace(SMALL, recent_characters=600, fragment_units=20)
    with made(tmp_path / "changed.pincite", settings) as changed, made(tmp_path / "fresh.pincite") as fresh:
        for _ in range(30):
            step = rng.random()
            if step < 0.55 or not kept:
                document = rng.choice(pool)
                if rng.random() < 0.3:
                    more = f"\n\nChanged word{rng.randint(0, 300)} again here."
                    document = replace(document, text=document.text + more)
                changed.put([prepared_file(document)], ROOT)
                kept[document.id] = document
            elif step < 0.8:
                gone = rng.choice(sorted(kept))
                changed.remove([gone], purge=rng.random() < 0.2)
                del kept[gone]
            elif step < 0.9:
                changed.tidy()
            else:
                embed(changed, encoder)
            if rng.random() < 0.5:  # the next state is made of the one that is prepared now
                hits(changed, "word1 word2")
        embed(changed, encoder)
        assert changed.check().faults == ()
        fresh.put([prepared_file(document) for document in kept.values()], ROOT)
        embed(fresh, encoder)
        for _ in range(10):
            question = " ".join(rng.choices([f"word{n}" for n in range(300)], k=4))
            assert hits(changed, question, 5) == hits(fresh, question, 5)


def test_much_text_is_committed_with_its_fragment_and_little_text_waits_in_memory(tmp_path: Path) -> None:
    """Another process that searches never has to prepare much text: there is no moment between text and fragment."""
    with made(tmp_path / "one.pincite", replace(SMALL, recent_characters=2000)) as engine:
        before = engine.generation
        engine.put([prepared_file(document) for document in many(20)], ROOT)
        assert engine.generation == before + 1
        with engine.state() as state:
            assert (state.recent, len(state.opened)) == ((), 1)
        engine.put([prepared_file(LEASE)], ROOT)
        with engine.state() as state:
            assert len(state.recent) == 1
        assert engine.check().faults == ()


def test_what_is_prepared_in_memory_is_prepared_once(tmp_path: Path) -> None:
    folder = tmp_path / "one.pincite"
    with made(folder) as writer, EmbeddedEngine(folder) as reader:
        documents = many(12)
        loaded: list[int] = []
        indexed = reader.database.indexed
        reader.database.indexed = lambda number: loaded.append(number) or indexed(number)  # type: ignore[method-assign]
        for document in documents:
            writer.put([prepared_file(document)], ROOT)
            with reader.state() as state:
                assert len(state.recent) == len(writer.documents(limit=100).items)
        assert loaded == list(dict.fromkeys(loaded))
        writer.remove([document.id for document in documents[::2]])
        assert hits(reader, "word1 word2 word3") == hits(writer, "word1 word2 word3")
        with reader.state() as state, EmbeddedEngine(folder) as fresh, fresh.state() as anew:
            assert state.recent == anew.recent
            mine, its = (one.fragments.fragments[-1].arrays() for one in (state, anew))
            assert mine.keys() == its.keys()
            assert all(np.array_equal(mine[name], its[name]) for name in mine)


def test_approximate_search_finds_what_exact_search_finds_also_after_removals_and_with_filters(tmp_path: Path) -> None:
    folder = tmp_path / "big.pincite"
    approximate = replace(ON_DISK, approximate_from=500, exact_up_to=0)
    with made(folder, approximate) as engine, EmbeddedEngine(folder) as exact_engine:
        documents = many(400)
        engine.put([prepared_file(document, lot=str(at % 3)) for at, document in enumerate(documents)], ROOT)
        engine.tidy()
        embed(engine, RandomVectors())
        checked = engine.check()
        assert checked.faults == ()
        assert "approximate" in checked.figures["vector search"]
        assert float(checked.figures["recall@10 against exact"]) >= 0.98
        engine.remove([document.id for document in documents[::2]])
        question = RandomVectors().encode(["some question about rent"])[0]
        for scope in (EVERYTHING, Scope(Filter(metadata={"lot": "1"}))):
            with engine.view() as view, exact_engine.view() as other:
                near, exact = view.nearest(question, 100, scope), other.nearest(question, 100, scope)
                assert all(view.in_scope([document.key for document in near], scope))
            assert len(near) >= 10
            assert len({document.key for document in exact[:10]} & {document.key for document in near[:10]}) >= 9


def test_a_purge_leaves_no_byte_of_the_text(tmp_path: Path) -> None:
    secret = "xylotritone"
    folder = tmp_path / "one.pincite"
    text = f"A lease\n\nThe {secret} is not to be named by anyone. " * 50
    hidden = replace(LEASE, id="made/hidden.txt", text=text, title=secret)
    with made(folder, ON_DISK) as engine:
        fill(engine)
        engine.put([prepared_file(hidden, note=secret)], ROOT)
        embed(engine, RandomVectors())
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


KILLED = replace(SMALL, recent_characters=400, fragment_units=30, approximate_from=200)


def writer(folder: Path, log: int, seed: int) -> None:
    """Changes an index for as long as it lives, and says what it has committed, a line each."""
    rng = random.Random(seed)
    with EmbeddedEngine(folder, write=True, settings=KILLED) as engine:
        step = 0
        while True:
            document = rng.choice(many(30, seed % 3))
            document = replace(document, text=document.text + f"\n\nVersion {seed} {step} of it.")
            if rng.random() < 0.25 and engine.record(document.id):
                os.write(log, f"? {document.id} -\n".encode())
                engine.remove([document.id], purge=rng.random() < 0.3)
                os.write(log, f"! {document.id} -\n".encode())
            else:
                os.write(log, f"? {document.id} {document.sha256}\n".encode())
                engine.put([prepared_file(document)], ROOT)
                os.write(log, f"! {document.id} {document.sha256}\n".encode())
            if rng.random() < 0.3:
                embed(engine, RandomVectors())
            if rng.random() < 0.5:
                engine.tidy()
            step += 1


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_nothing_is_lost_by_kill_at_any_moment(tmp_path: Path) -> None:
    """A writer is killed again and again; after each kill the index is sound and holds what was committed."""
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
        with EmbeddedEngine(folder, write=True, settings=KILLED) as engine:
            assert engine.check().faults == (), kill
            stored = {record.id: record.sha256 for record in every_document(engine)}
            for name, digest in truth.items():
                allowed = {digest, pending.get(name, digest)}
                assert stored.get(name, "-") in allowed, (kill, name)
            truth |= {name: stored.get(name, "-") for name in pending}
            for name, digest in list(stored.items())[:3]:
                assert engine.load([name])[0].document.sha256 == digest
            found(engine, "word1 word2")
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
        assert [replace(record, added="") for record in every_document(one)] == [
            replace(record, added="") for record in every_document(other)
        ]
        assert one.check().faults == ()
        assert hits(one, "word1 word2 word3", 20) == hits(other, "word1 word2 word3", 20)


def test_readers_see_one_state_while_a_writer_works(tmp_path: Path) -> None:
    folder = tmp_path / "one.pincite"
    with made(folder) as writer_engine, EmbeddedEngine(folder) as reader:
        fill(writer_engine, [LEASE])
        with reader.database.reading():
            before = listed(reader)
            fill(writer_engine, [NDA])
            writer_engine.tidy()
            assert listed(reader) == before
        assert found(reader, "keep one copy")[0] == NDA.id
        writer_engine.remove([NDA.id])
        assert NDA.id not in found(reader, "keep one copy")


def test_readers_in_other_processes_go_on_while_fragments_are_replaced(tmp_path: Path) -> None:
    folder = tmp_path / "one.pincite"
    code = (
        "import sys, time\n"
        "from pincite import Index\n"
        "count = 0\n"
        "with Index.open(sys.argv[1], read_only=True) as index:\n"
        "    end = time.time() + 3\n"
        "    while time.time() < end:\n"
        "        for hit in index.search('word1 word2 word3', fast=True):\n"
        "            assert hit.text == hit.document.text[hit.start:hit.end]\n"
        "        count += 1\n"
        "print(count)\n"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    with made(folder, ON_DISK) as engine:
        engine.put([prepared_file(document) for document in many(10)], ROOT)
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
        step = 0
        while any(reader.poll() is None for reader in readers):
            engine.put([prepared_file(documents[step % 60])], ROOT)
            if step % 3 == 0:
                engine.remove([documents[step % 60].id])
            engine.tidy()
            step += 1
        for reader in readers:
            out, error = reader.communicate(timeout=30)
            assert reader.returncode == 0, error
            assert int(out) > 0


def test_a_second_writer_waits_and_then_gets_a_message(tmp_path: Path) -> None:
    folder = tmp_path / "one.pincite"
    with made(folder) as first, EmbeddedEngine(folder, write=True, wait=0.2) as second:
        with first.lease(), pytest.raises(OutputError, match=r"another process is writing.*--wait"):
            fill(second)
        fill(second)
        assert len(listed(first)) == 3


def test_others_write_while_passages_are_embedded(tmp_path: Path) -> None:
    folder = tmp_path / "one.pincite"

    class Interrupting(RandomVectors):
        """Another writer removes and adds while this one encodes."""

        def encode(self, texts: Sequence[str], progress: Progress | None = None) -> Vectors:
            if len(listed(second)) == 3:
                second.remove([NDA.id])
                second.put([prepared_file(NDA)], ROOT)
            return super().encode(texts, progress)

    with made(folder) as first, EmbeddedEngine(folder, write=True, wait=0.2) as second:
        fill(first)
        assert embed(first, Interrupting()) == 3
        assert not first.without_vectors()
        assert not first.check().faults


def test_a_document_that_is_removed_before_its_turn_stops_no_embedding(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pincite.engine.embedding.EMBEDDED_AT_ONCE", 1)
    folder = tmp_path / "one.pincite"

    class Removing(RandomVectors):
        """Another writer removes the last document while the first is encoded."""

        def encode(self, texts: Sequence[str], progress: Progress | None = None) -> Vectors:
            if len(names) == 3:
                second.remove([names.pop()])
            return super().encode(texts, progress)

    with made(folder) as first, EmbeddedEngine(folder, write=True, wait=0.2) as second:
        fill(first)
        names = [missing.id for missing in first.without_vectors()]
        assert embed(first, Removing()) == 2
        assert not first.without_vectors()


def test_small_records_make_no_search_look_again(tmp_path: Path) -> None:
    with made(tmp_path / "one.pincite") as engine:
        fill(engine)
        before = engine.generation
        engine.put_record("job", "a", "1")
        engine.delete_record("job", "a")
        assert engine.generation == before


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
        engine.put([prepared_file(document) for document in many(200)], ROOT)
        engine.tidy()
    data = bytearray((folder / DATABASE).read_bytes())
    for page in range(3 * 4096, len(data) - 4096, 4 * 4096):
        data[page : page + 256] = b"\xff" * 256
    (folder / DATABASE).write_bytes(bytes(data))

    def read_all() -> None:
        with EmbeddedEngine(folder) as engine:
            for name in listed(engine):
                engine.load([name])

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
            engine.load([LEASE.id])
        assert engine.load([SUPPLY.id])[0].document.text == SUPPLY.text


@pytest.mark.parametrize("damage", ["flip", "cut", "delete", "empty"])
def test_a_fragment_that_is_not_as_written_is_rebuilt(damage: str, tmp_path: Path) -> None:
    folder = tmp_path / "one.pincite"
    with made(folder, ON_DISK) as engine:
        fill(engine)
        embed(engine, RandomVectors())
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
    with Index.open(folder, read_only=True) as reader:
        answer = reader.search("rent", fast=True)
        assert [hit.document_id for hit in answer] == wanted
        assert any("fragment" in note for note in answer.notes)
        assert any("repair" in fault for fault in reader.check().faults)
    with Index.open(folder) as index:
        assert index.check(repair=True).faults == ()
        answer = index.search("rent", fast=True)
        assert not any("fragment" in note for note in answer.notes)
        assert [hit.document_id for hit in answer] == wanted


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
                engine.put([prepared_file(big)], ROOT)
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
        assert set(listed(engine)) == {document.id for document in ALL}
        fill(engine, [replace(LEASE, id="made/more.txt")])


def test_boxes_come_back_with_the_document(engine: EmbeddedEngine) -> None:
    from pincite.text.boxes import Boxes

    edges = np.tile(np.arange(4, dtype=np.float64), (len(NDA.text), 1)) + np.arange(len(NDA.text))[:, None]
    source = replace(NDA.source, page_starts=(0,), boxes=Boxes.pack(edges))
    engine.put([prepared_file(replace(NDA, source=source))], ROOT)
    assert engine.load([NDA.id])[0].document.boxes(0, 3) == replace(NDA, source=source).boxes(0, 3)


def test_a_purge_keeps_the_other_documents_in_their_fragments(tmp_path: Path) -> None:
    with made(tmp_path / "one.pincite", ON_DISK) as engine:
        fill(engine)
        engine.tidy()
        engine.remove([NDA.id], purge=True)
        assert [len(row.documents) for row in engine.database.fragments()] == [2]


@pytest.mark.parametrize("how", ["again", "tidy"])
def test_a_purge_that_was_stopped_is_finished_by_the_same_call_or_the_next_write(
    how: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "one.pincite"

    def kept() -> bytes:
        return b"".join(path.read_bytes() for path in (folder / FRAGMENTS).iterdir())

    with made(folder, ON_DISK) as engine:
        fill(engine)
        engine.tidy()
        with monkeypatch.context() as stopped:
            stopped.setattr(engine, "_purge", lambda: None)
            engine.remove([NDA.id], purge=True)
        assert b"tamarisk" in kept()
        if how == "again":
            assert engine.remove([NDA.id], purge=True) == 0
        else:
            engine.tidy()
        assert b"tamarisk" not in kept()
        assert set(listed(engine)) == {LEASE.id, SUPPLY.id}


def test_removal_takes_ids_alone(engine: EmbeddedEngine) -> None:
    fill(engine)
    with pytest.raises(UsageError, match=r"no document has the id 'tamarisk'.*nda-tamarisk"):
        Index(engine).remove("tamarisk")
    assert len(listed(engine)) == 3


def test_vectors_of_two_encoders_never_mix(tmp_path: Path, tiny_encoder: Path) -> None:
    folder = tmp_path / "one.pincite"
    with Index.create(folder) as index:
        fill(index.engine)
        embed(index.engine, RandomVectors())
        with pytest.raises(ModelError, match=r"made with random.*embed --again"):
            index.embed(str(tiny_encoder))
        with Index.open(folder, read_only=True) as reader:
            reader.search("rent", fast=True)
            assert index.embed(str(tiny_encoder), again=True) == 3
            answer = reader.search("rent", 50, fast=True)
            assert all("dense" in hit.parts or LOOKED_UP in hit.parts for hit in answer)
            assert answer.notes == ()
        assert index.check().faults == ()


CUT = """
import sys
from pathlib import Path
from pincite import Index
folder = Path(sys.argv[1])
with Index.open(folder, read_only=True) as index:
    before = [(hit.document_id, hit.start) for hit in index.search("the rent is due", k=5, fast=True)]
    for path in (folder / "fragments").iterdir():
        with path.open("r+b") as file:
            file.truncate(4096)
    for _ in range(3):
        answer = index.search("the rent is due", k=5, fast=True)
        assert [(hit.document_id, hit.start) for hit in answer] == before
        assert any("rebuilt in memory" in note for note in answer.notes)
        assert str(folder) not in " ".join(answer.notes)
print("alive", len(before))
"""


def test_files_that_are_cut_under_a_reader_do_not_end_it(tmp_path: Path) -> None:
    with Index.create(tmp_path / "i.pincite") as index:
        for at in range(12):
            text = f"LEASE {at}\n\nThe rent is due on day {at}.\n\n" + f"Clause {at} says nothing of note. " * 1500
            index.add_text(f"lease {at}", text, vectors="none")
        index.engine.tidy()
    assert list((tmp_path / "i.pincite" / FRAGMENTS).iterdir())
    command = [sys.executable, "-c", CUT, str(tmp_path / "i.pincite")]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, (done.returncode, done.stderr)
    assert done.stdout.startswith("alive 5")


def test_deleted_fragments_are_rebuilt(tmp_path: Path) -> None:
    import shutil

    folder = tmp_path / "one.pincite"
    with made(folder, ON_DISK) as engine:
        fill(engine)
        engine.tidy()
    shutil.rmtree(folder / FRAGMENTS)
    with EmbeddedEngine(folder, write=True, settings=ON_DISK) as engine:
        assert found(engine, "rent")
        engine.tidy()
        assert engine.database.fragments()
        assert engine.check().faults == ()


def test_two_processes_that_create_one_index_do_not_undo_each_other(tmp_path: Path) -> None:
    folder = tmp_path / "one.pincite"
    with made(folder) as first:
        fill(first)
        with pytest.raises(DataError, match="already"):
            EmbeddedEngine.create(folder)
        (folder / DATABASE).rename(folder / "aside")
        (folder / "aside").rename(folder / DATABASE)
        assert len(listed(first)) == 3


def test_a_damaged_document_stops_neither_export_nor_embedding(tmp_path: Path) -> None:
    folder = tmp_path / "one.pincite"
    with made(folder) as engine:
        fill(engine)
    database = sqlite3.connect(folder / DATABASE)
    database.execute("UPDATE documents SET text = replace(text, 'Monday', 'Friday')")
    database.commit()
    database.close()
    with Index.open(folder) as index:
        damaged: list[str] = []
        assert len(list(index.export(damaged))) == 2
        assert len(damaged) == 1
        assert embed(index.engine, RandomVectors()) == 2


def test_an_index_that_was_replaced_is_followed(tmp_path: Path) -> None:
    """A restored copy in the place of an index is what the next question sees."""
    import shutil

    folder, other = tmp_path / "one.pincite", tmp_path / "other.pincite"
    with made(folder) as engine:
        fill(engine, [LEASE])
    with made(other) as engine:
        fill(engine, [NDA])
    with EmbeddedEngine(folder) as reader:
        assert found(reader, "rent") != []
        shutil.rmtree(folder)
        with pytest.raises(DataError, match="no such index"):
            found(reader, "rent")
        shutil.copytree(other, folder)
        assert {*found(reader, "recipient")} == {NDA.id}


def test_an_engine_opened_for_reading_refuses_changes(tmp_path: Path) -> None:
    folder = tmp_path / "one.pincite"
    made(folder).close()
    with EmbeddedEngine(folder) as reader, pytest.raises(UsageError, match="opened for reading"):
        fill(reader)
