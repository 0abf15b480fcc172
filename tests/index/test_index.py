"""The front door: everything a program does with a collection, and what it is told when it asks for the impossible."""

import asyncio
import os
import shlex
import shutil
import sqlite3
import stat
import subprocess
import sys
from pathlib import Path
from threading import Thread

import pytest

from pincite import Index
from pincite.engine import MemoryEngine
from pincite.engine.contract import EMBEDDER
from pincite.errors import DataError, ModelError, NotFoundError, OutputError, UsageError
from pincite.search import SearchRequest
from pincite.text import Document, Filter
from tests.conftest import SAMPLES

LEASE = "corpus/contracts/lease-14-garnet-quay-2019.txt"
UNDERLET = "Under the Garnet Quay lease, may the tenant underlet the premises?"


@pytest.fixture(scope="module")
def contracts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample contracts, embedded. Nobody changes them."""
    folder = tmp_path_factory.mktemp("index") / "contracts.pincite"
    with Index.create(folder) as index:
        report = index.add(SAMPLES / "corpus")
    assert (report.documents, report.embedded, report.failures) == (14, 14, [])
    return folder


@pytest.fixture(scope="module")
def index(contracts: Path) -> Index:
    return Index.open(contracts, read_only=True)


@pytest.fixture
def small(tmp_path: Path) -> Index:
    index = Index.create(tmp_path / "small.pincite")
    index.add_text("quay", "LEASE of Garnet Quay\n\nThe rent is due monthly. No pets may be kept.", vectors="none")
    index.add_text("nda", "NDA of Tamarisk Inc\n\nThe recipient may keep one copy.", vectors="none")
    return index


# Searching


def test_search_answers_with_everything_a_reader_needs(index: Index) -> None:
    answer = index.search(UNDERLET, k=3)
    assert (len(answer), answer.answered is not None) == (3, True)
    assert answer.understood.documents[0].id == LEASE
    hit = answer[0]
    assert [hit.rank for hit in answer] == [1, 2, 3]
    assert "underlet" in hit.text
    assert hit.text == index.document(hit.document_id).text[hit.start : hit.end]
    assert (hit.title, hit.metadata["kind"], hit.page, hit.boxes) == ("LEASE OF OFFICE PREMISES", "lease", None, [])
    assert hit.citation.endswith("Lease of Office Premises § 2.18")
    assert hit.likelihood is not None


def test_many_questions_are_answered_as_each_alone(index: Index) -> None:
    questions = [UNDERLET, "Who bears the cost of a product recall?", "rent"]
    together = index.search_many(questions, k=3)
    assert together == [index.search(question, k=3) for question in questions]
    assert asyncio.run(index.asearch(UNDERLET, 3)) == together[0]


@pytest.mark.parametrize(
    ("where", "kept"),
    [
        ({"kind": "lease"}, {LEASE}),
        ({"document": "garnet-quay"}, {LEASE}),
        ({"documents": [LEASE]}, {LEASE}),
        (Filter(documents=(LEASE,)), {LEASE}),
        ({"kind": "nda", "after": "2024"}, {"corpus/contracts/nda-quillon-betatest-2024.txt"}),
    ],
)
def test_where_narrows_the_documents(index: Index, where: object, kept: set[str]) -> None:
    assert {hit.document_id for hit in index.search("confidential rent", 20, where=where, fast=True)} <= kept


def test_methods_are_chosen_by_name(index: Index) -> None:
    fast = index.search(UNDERLET, 1, fast=True)
    assert fast.answered is None
    assert fast == index.search(UNDERLET, 1, method="context+encoder")
    plain = index.search("product recall", 1, method="tfidf")
    assert "recall" in plain[0].text
    assert any("built in memory" in note for note in plain.notes)


def test_compare_asks_every_document(index: Index) -> None:
    seen: list[tuple[int, int]] = []
    rows = index.compare("May copies be kept?", where={"kind": "nda"}, progress=lambda *at: seen.append(at))
    assert len(rows) == len(seen) == 4
    assert all("nda" in row.document for row in rows)


# Documents


def test_documents_come_in_pages(index: Index) -> None:
    first = index.documents(limit=10)
    rest = index.documents(cursor=first.next)
    assert (len(first.items), len(rest.items), rest.next) == (10, 4, "")
    assert [record.id for record in index] == [record.id for record in (*first.items, *rest.items)]
    assert len(index) == 14
    assert index.record("garnet").id == LEASE
    assert index.outline(LEASE)[0].level == 0


# Changing


def test_texts_are_added_under_ids_of_the_callers(small: Index) -> None:
    assert [record.id for record in small] == ["quay", "nda"]
    with pytest.raises(UsageError, match=r"'quay' already.*overwrite=True"):
        small.add_text("quay", "Another text.")
    small.add_text("quay", "LEASE\n\nZebras may be kept.", overwrite=True, metadata={"matter": "7"}, vectors="none")
    assert small.search("zebras", 1, fast=True)[0].document_id == "quay"
    assert small.record("quay").metadata == {"matter": "7"}
    for id_, text in (("", "words"), ("x", "  ")):
        with pytest.raises(UsageError, match="empty"):
            small.add_text(id_, text)


def test_a_text_does_not_replace_a_file(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("LEASE\n\nThe rent is due monthly.", encoding="utf-8")
    with Index.create(tmp_path / "i.pincite") as index:
        index.add(tmp_path / "a.txt", vectors="none")
        with pytest.raises(UsageError, match="came from a file"):
            index.add_text("a.txt", "Another text.", overwrite=True)


def test_set_overrules_what_was_found_and_survives_a_sync(tmp_path: Path) -> None:
    folder = tmp_path / "contracts"
    folder.mkdir()
    (folder / "a.txt").write_text("LEASE\n\nThe rent is due monthly.", encoding="utf-8")
    with Index.create(tmp_path / "i.pincite") as index:
        index.sync(folder, vectors="none")
        record = index.set("a.txt", title="The quay lease", kind="deed of assignment", date="3 March 2021")
        assert (record.title, record.described["kind"], record.described["date"]) == (
            "The quay lease",
            "assignment",
            "2021-03-03",
        )
        (folder / "a.txt").write_text("LEASE\n\nThe rent is due yearly.", encoding="utf-8")
        index.sync(folder, vectors="none")
        assert index.record("a.txt").title == "The quay lease"
        assert index.search("rent", 1, fast=True)[0].citation == "The quay lease"
        assert index.set("a.txt", kind="").described["kind"] == "lease"


def test_remove_takes_ids(small: Index) -> None:
    with pytest.raises(UsageError, match=r"no document has the id 'qua'.*did you mean 'quay'"):
        small.remove("qua")
    assert small.remove("quay", "nda") == 2
    assert len(small) == 0


def test_progress_is_told_of_every_stage(tmp_path: Path) -> None:
    stages: list[str] = []
    with Index.create(":memory:") as index:
        index.add(SAMPLES / "corpus" / "contracts", progress=lambda what, done, total: stages.append(what))
    assert set(stages) == {"reading", "embedding"}


# Threads


@pytest.mark.parametrize("count", [200, pytest.param(2000, marks=pytest.mark.slow)])
def test_an_index_is_shared_by_eight_threads_beside_a_writer(tmp_path: Path, count: int) -> None:
    folder = tmp_path / "shared.pincite"
    with Index.create(folder) as index:
        for number in range(30):
            text = f"LEASE {number}\n\nThe rent of house {number} is due. Pets may be kept in house {number}."
            index.add_text(f"lease {number}", text, vectors="none")
        errors: list[BaseException] = []
        searching = True

        def search() -> None:
            try:
                for at in range(count):
                    answer = index.search(f"rent of house {at % 30}", 3, fast=True)
                    assert all(hit.text == hit.document.text[hit.start : hit.end] for hit in answer)
                    assert answer.hits
            except BaseException as error:  # noqa: BLE001 - reported below
                errors.append(error)

        def write() -> None:
            number = 0
            try:
                while searching:
                    text = f"LEASE\n\nThe rent of shed {number} is due."
                    index.add_text("shed", text, overwrite=True, vectors="none")
                    number += 1
            except BaseException as error:  # noqa: BLE001 - reported below
                errors.append(error)

        threads = [Thread(target=search) for _ in range(8)]
        writer = Thread(target=write)
        for thread in (writer, *threads):
            thread.start()
        for thread in threads:
            thread.join()
        searching = False
        writer.join()
        assert errors == []


# Bad input


@pytest.mark.parametrize(
    ("call", "error", "said"),
    [
        (lambda index: index.search("rent", where={"colour": "red"}), UsageError, r"colour.*known ones are.*kind"),
        (lambda index: index.search("rent", where={"after": "garbage"}), UsageError, r"after: 'garbage' is not a date"),
        (lambda index: index.search("rent", where={"document": "nowhere"}), NotFoundError, "no document 'nowhere'"),
        (lambda index: index.search("rent", where={"document": ".txt"}), NotFoundError, "may be any of"),
        (lambda index: index.search("rent", method="magic"), UsageError, r"unknown method 'magic'.*bm25"),
        (lambda index: index.search("rent", granularity="page"), UsageError, "sentence, clause, section, words"),
        (lambda index: index.search("rent", k=0), UsageError, "k must be at least 1"),
        (lambda index: index.answer([SearchRequest("rent", fusion="magic")]), UsageError, "unknown fusion"),
        (lambda index: index.answer([SearchRequest("rent", encoder="magic")]), UsageError, "unknown encoder"),
        (
            lambda index: index.answer([SearchRequest("x", method="dense", encoder="none")]),
            UsageError,
            "needs an encoder",
        ),
        (lambda index: index.answer([SearchRequest("x", weights={"magic": 1})]), UsageError, "unknown part"),
        (
            lambda index: index.search("x", method="bm25", granularity="clause"),
            UsageError,
            "go with the context methods",
        ),
        (
            lambda index: index.answer([SearchRequest("x", method="tfidf", weights={"k1": 1})]),
            UsageError,
            "go with the",
        ),
        (
            lambda index: index.answer([SearchRequest("x", fusion="rrf", reranker="a/b")]),
            UsageError,
            "leave the fusion",
        ),
        (lambda index: index.documents(limit=0), UsageError, "limit must be at least 1"),
        (lambda index: index.documents({"before": "32 March"}), UsageError, "before"),
        (lambda index: index.document("nowhere"), NotFoundError, "no document"),
        (lambda index: index.remove("x"), UsageError, "no document has the id"),
        (lambda index: index.add("nowhere"), DataError, "no such file or folder; nothing was added"),
        (lambda index: index.add(SAMPLES, vectors="soon"), UsageError, "now, later, none"),
        (lambda index: index.add_text("a", "words"), UsageError, "opened for reading"),
        (lambda index: index.set(LEASE, date="31 Febtember"), UsageError, "is not a date"),
        (lambda index: index.embed("magic"), UsageError, "unknown encoder"),
    ],
)
def test_what_cannot_be_is_said_clearly(index: Index, call: object, error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said):
        call(index)  # type: ignore[operator]


def test_dates_of_filters_are_checked_wherever_they_come_from() -> None:
    with pytest.raises(UsageError, match="is not a date"):
        Filter(after="garbage")
    assert Filter(before="31 March 2020").before == "2020-03-31"


def test_places_that_are_no_index_are_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"no such index.*index create"):
        Index.open(tmp_path / "nowhere.pincite")
    (tmp_path / "file.txt").write_text("x", encoding="utf-8")
    with pytest.raises(DataError, match=r"is not an index"):
        Index.open(tmp_path)
    with pytest.raises(DataError, match="not empty"):
        Index.create(tmp_path)
    with pytest.raises(DataError, match="is a file"):
        Index.create(tmp_path / "file.txt")
    Index.create(tmp_path / "one.pincite").close()
    with pytest.raises(DataError, match="already"):
        Index.create(tmp_path / "one.pincite")
    with pytest.raises(UsageError, match=r"unknown engine 'magic'.*:memory:"):
        Index.open("magic://host/name")
    with pytest.raises(UsageError, match="cannot be opened again"):
        Index.open(":memory:")
    with pytest.raises(UsageError, match=r"unknown language 'klingon'.*english"):
        Index.create(tmp_path / "two.pincite", language="klingon")
    assert not Index.exists(tmp_path / "two.pincite")


def test_an_index_of_a_newer_version_is_not_touched(tmp_path: Path) -> None:
    folder = tmp_path / "one.pincite"
    Index.create(folder).close()
    database = sqlite3.connect(folder / "truth.sqlite")
    database.execute("UPDATE meta SET value = '99' WHERE key = 'format'")
    database.commit()
    database.close()
    before = (folder / "truth.sqlite").read_bytes()
    with pytest.raises(DataError, match=r"format 99.*newer Pincite"):
        Index.open(folder)
    assert (folder / "truth.sqlite").read_bytes() == before


def test_a_second_writer_waits_and_then_gets_a_message(tmp_path: Path) -> None:
    folder = tmp_path / "one.pincite"
    with Index.create(folder) as first, Index.open(folder, wait=0.2) as second:
        with first.engine.lease(), pytest.raises(OutputError, match=r"another process is writing"):
            second.add_text("a", "Some words here.", vectors="none")
        second.add_text("a", "Some words here.", vectors="none")
        assert len(first) == 1


def test_documents_are_added_while_another_process_embeds(tmp_path: Path) -> None:
    folder = tmp_path / "one.pincite"
    (tmp_path / "note.txt").write_text("NOTE\n\nThe boats are green.\n", encoding="utf-8")
    with Index.create(folder) as first, Index.open(folder, wait=0.2) as second:
        with first.engine.lease(EMBEDDER):
            report = second.add(tmp_path / "note.txt")
            assert report.documents == 1
            assert "another process is embedding" in report.notes[-1]
        assert first.embed() == 1


def test_an_encoder_that_did_not_make_the_vectors_is_refused(contracts: Path, tiny_encoder: Path) -> None:
    with Index.open(contracts, read_only=True) as index, pytest.raises(ModelError, match=r"made with legal-encoder"):
        index.answer([SearchRequest("rent", encoder=str(tiny_encoder))])


def test_what_an_engine_cannot_do_is_said() -> None:
    from pincite.engine.contract import Capabilities

    class Forgetful(MemoryEngine):
        capabilities = Capabilities(purge=False)  # type: ignore[assignment]

    index = Index(Forgetful())
    index.add_text("a", "Some words here.", vectors="none")
    with pytest.raises(UsageError, match="cannot purge"):
        index.remove("a", purge=True)
    assert index.remove("a") == 1


def test_a_wrong_cursor_starts_nowhere_else(index: Index) -> None:
    assert index.documents(cursor="999999").items == []
    with pytest.raises(UsageError, match="invalid cursor: use `next`"):
        index.documents(cursor="garbage")


# In memory


def test_an_index_in_memory_answers_as_one_on_disk(index: Index) -> None:
    """With the default method: vectors, re-ranker and trimmer included, with and without a reference."""
    memory = Index(MemoryEngine())
    memory.add_documents([index.document(record.id) for record in index])
    for question in (UNDERLET, "Who bears the cost of a product recall?", 'notice "thirty days"', "xyzzy plugh"):
        one, other = index.search(question, 5).to_dict(), memory.search(question, 5).to_dict()
        assert one == other


@pytest.mark.parametrize("fast", [True, False])
def test_memory_and_disk_agree_in_a_pool_of_many_documents(tmp_path: Path, fast: bool) -> None:
    """More than 40 documents, so that candidates are chosen by words and by vectors."""
    clauses = [
        *(
            "The rent of house {n} is payable quarterly.",
            "Animals may live in house {n}.",
            "The lease of {n} ends soon.",
        ),
        *("Nobody may assign contract {n}.", "Fire insurance of house {n} is the owner's affair."),
    ]
    documents = [
        Document(
            f"house-{n}.txt",
            f"LEASE OF HOUSE {n}\n\n" + "\n\n".join(clause.format(n=n) for clause in clauses[n % 3 :]),
            title=f"Lease of house {n}",
        )
        for n in range(60)
    ]
    with Index.create(tmp_path / "disk.pincite") as disk, Index.create(":memory:") as memory:
        for index in (disk, memory):
            index.add_documents(documents if index is memory else reversed(documents))
        for question in (
            "May pets be kept?",
            "Who insures against fire?",
            "Under the lease of house 17, when is rent due?",
        ):
            one, other = disk.search(question, 8, fast=fast), memory.search(question, 8, fast=fast)
            assert one.to_dict() == other.to_dict()
            assert "dense" in one[0].parts


def test_a_copy_of_the_folder_is_the_index(contracts: Path, tmp_path: Path, index: Index) -> None:
    copied = Path(shutil.copytree(contracts, tmp_path / "copy.pincite"))
    with Index.open(copied, read_only=True) as copy:
        assert copy.search(UNDERLET, 3) == index.search(UNDERLET, 3)


# Who may read, and where


@pytest.mark.skipif(os.name != "posix", reason="modes of files are POSIX's")
def test_nobody_else_may_read_an_index(contracts: Path) -> None:
    modes = {path: stat.S_IMODE(path.stat().st_mode) for path in (contracts, *contracts.rglob("*"))}
    assert {mode for path, mode in modes.items() if path.is_dir()} == {0o700}
    assert {mode for path, mode in modes.items() if path.is_file()} == {0o600}


READ_ONLY = "mount --bind {index} {index} && mount -o remount,ro,bind {index} && {python} -m pincite {command}"


def on_read_only_media(index: Path, *command: str) -> subprocess.CompletedProcess[str]:
    told = READ_ONLY.format(index=index, python=sys.executable, command=shlex.join([*command, "--index", str(index)]))
    shell = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", told]
    return subprocess.run(shell, capture_output=True, text=True, check=False, timeout=120)


@pytest.mark.skipif(
    shutil.which("unshare") is None
    or subprocess.run(["unshare", "--user", "--map-root-user", "--mount", "true"], check=False).returncode != 0,
    reason="this system lets nobody mount read-only",
)
def test_an_index_on_read_only_media_is_searched(contracts: Path, tmp_path: Path) -> None:
    shutil.copytree(contracts, tmp_path / "copy.pincite")
    found = on_read_only_media(tmp_path / "copy.pincite", "search", UNDERLET, "-k", "1", "--fast")
    assert found.returncode == 0, found.stderr
    assert "underlet" in found.stdout
    refused = on_read_only_media(tmp_path / "copy.pincite", "index", "remove", LEASE)
    assert refused.returncode == 1
    assert "cannot be written" in refused.stderr


def test_names_cannot_pretend_to_be_others(tmp_path: Path) -> None:
    (tmp_path / "files").mkdir()
    for name in ("invoice\u202efdp.txt", "line\nbreak.txt", "bell\x07.txt"):
        (tmp_path / "files" / name).write_text("RECEIPT\n\nPaid in full.", encoding="utf-8")
    with Index.create(tmp_path / "i.pincite") as index:
        index.add(tmp_path / "files", vectors="none")
        found = sorted(record.id for record in index.documents().items)
        assert found == ["files/bell\\x07.txt", "files/invoice\\u202efdp.txt", "files/line\\nbreak.txt"]
        assert index.sync(tmp_path / "files", vectors="none").same == 3
        assert index.remove(found[1]) == 1
