"""Folders and files into an index: what is new, changed, gone; and everything that can be wrong with them."""

import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from pincite.engine.contract import every_document
from pincite.engine.embedding import embed
from pincite.errors import DataError, UsageError
from pincite.index import Index
from pincite.index.embedded import EmbeddedEngine
from pincite.index.ingest import IngestOptions, add, plan_sync, sync
from pincite.index.metadata import Metadata
from pincite.testing.engine_suite import RandomVectors
from tests.index.embedded.test_engine import made


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[EmbeddedEngine]:
    with made(tmp_path / "one.pincite") as opened:
        yield opened


@pytest.fixture
def source(tmp_path: Path) -> Path:
    folder = tmp_path / "contracts"
    (folder / "leases").mkdir(parents=True)
    for number in range(10):
        write(
            folder / "leases" / f"lease-{number}.txt", f"LEASE {number}\n\nThe rent of house {number} is due monthly."
        )
    return folder


def write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")


def ids(engine: EmbeddedEngine) -> list[str]:
    return sorted(entry.id for entry in every_document(engine))


def test_an_id_is_the_path_behind_the_roots_name(engine: EmbeddedEngine, source: Path) -> None:
    done = add(engine, source)
    assert (done.new, done.documents, done.failures) == (10, 10, [])
    assert ids(engine)[0] == "contracts/leases/lease-0.txt"


def test_a_single_file_below_a_known_root_belongs_to_it(engine: EmbeddedEngine, source: Path) -> None:
    add(engine, source)
    write(source / "extra.txt", "NOTE\n\nThe extra file is here.")
    add(engine, source / "extra.txt")
    assert "contracts/extra.txt" in ids(engine)
    assert plan_sync(engine, source).new == []


def test_a_single_file_alone_is_its_own_root(engine: EmbeddedEngine, source: Path) -> None:
    add(engine, source / "leases" / "lease-3.txt")
    assert ids(engine) == ["lease-3.txt"]
    add(engine, source / "leases" / "lease-3.txt")
    assert ids(engine) == ["lease-3.txt"]


def test_a_sync_adds_updates_and_removes_and_then_does_nothing(engine: EmbeddedEngine, source: Path) -> None:
    sync(engine, source)
    write(source / "leases" / "lease-1.txt", "LEASE 1\n\nThe zebra is due.")
    write(source / "new.txt", "NEW\n\nA new one is here.")
    (source / "leases" / "lease-2.txt").unlink()
    plan = plan_sync(engine, source)
    assert (plan.new, plan.changed, plan.gone) == (["new.txt"], ["leases/lease-1.txt"], ["leases/lease-2.txt"])
    done = sync(engine, source)
    assert (done.new, done.changed, done.removed, done.same) == (1, 1, 1, 8)
    assert "zebra" in engine.load(["contracts/leases/lease-1.txt"])[0].document.text
    assert "contracts/leases/lease-2.txt" not in ids(engine)
    generation = engine.generation
    assert sync(engine, source).same == 10
    assert engine.generation == generation


def test_a_touched_file_is_compared_by_content(engine: EmbeddedEngine, source: Path) -> None:
    sync(engine, source)
    os.utime(source / "leases" / "lease-1.txt", (1, 1))
    assert plan_sync(engine, source).changed == []


def test_a_change_that_keeps_size_and_second_is_seen(engine: EmbeddedEngine, source: Path) -> None:
    path = source / "leases" / "lease-1.txt"
    sync(engine, source)
    before = path.stat()
    write(path, path.read_text(encoding="utf-8").replace("house 1", "house 7"))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert plan_sync(engine, source).changed == ["leases/lease-1.txt"]


def test_a_moved_file_keeps_its_vectors(engine: EmbeddedEngine, source: Path) -> None:
    sync(engine, source)
    embed(engine, RandomVectors())
    (source / "leases" / "lease-1.txt").rename(source / "moved.txt")
    sync(engine, source)
    assert all(entry.has_vectors for entry in every_document(engine))
    assert "contracts/moved.txt" in ids(engine)


@pytest.mark.parametrize("harm", ["missing", "empty", "much"])
def test_a_sync_that_would_remove_much_changes_nothing(engine: EmbeddedEngine, source: Path, harm: str) -> None:
    sync(engine, source)
    before = ids(engine)
    gone = sorted((source / "leases").iterdir())
    for path in gone[: 4 if harm == "much" else 10]:
        path.unlink()
    if harm == "missing":
        (source / "leases").rmdir()
        source.rmdir()
    with pytest.raises(DataError, match="--allow-removals"):
        sync(engine, source)
    assert ids(engine) == before
    done = sync(engine, source, IngestOptions(allow_removals=True))
    assert done.removed == (4 if harm == "much" else 10)
    assert len(ids(engine)) == 10 - done.removed


def test_a_sync_touches_only_its_own_root(engine: EmbeddedEngine, source: Path, tmp_path: Path) -> None:
    other = tmp_path / "policies"
    other.mkdir()
    write(other / "policy.txt", "PRIVACY POLICY\n\nWe keep nothing at all.")
    sync(engine, source)
    sync(engine, other)
    (source / "leases" / "lease-1.txt").unlink()
    sync(engine, source)
    assert "policies/policy.txt" in ids(engine)


def test_two_roots_with_one_name_are_refused_and_can_be_named(
    engine: EmbeddedEngine, source: Path, tmp_path: Path
) -> None:
    other = tmp_path / "elsewhere" / "contracts"
    other.mkdir(parents=True)
    write(other / "a.txt", "NOTE\n\nAnother folder of the same name.")
    add(engine, source)
    with pytest.raises(UsageError, match=r"two places.*--name"):
        add(engine, other)
    add(engine, other, IngestOptions(name="old"))
    assert "old/a.txt" in ids(engine)
    assert sync(engine, other, IngestOptions(name="old")).same == 1


def test_files_that_cannot_be_read_are_listed_and_the_rest_goes_on(engine: EmbeddedEngine, source: Path) -> None:
    (source / "empty.pdf").write_bytes(b"")
    (source / "cut.pdf").write_bytes(b"%PDF-1.7\n1 0 obj\n<<")
    (source / "picture.docx").write_bytes(b"\x89PNG\r\n\x1a\n" + b"\0" * 64)
    (source / "latin.txt").write_bytes("Größe".encode() + b"\xff")
    done = sync(engine, source)
    assert done.documents == 10
    assert {line.split(":")[0].rsplit("/", 1)[1] for line in done.failures} == {
        "empty.pdf",
        "cut.pdf",
        "picture.docx",
        "latin.txt",
    }
    again = sync(engine, source)
    assert again.new == again.changed == 0
    assert again.failures == done.failures
    write(source / "latin.txt", "NOTE\n\nNow it is UTF-8 text.")
    assert len(sync(engine, source).failures) == 3
    assert "contracts/latin.txt" in ids(engine)


@pytest.mark.parametrize(
    "name", ["with space.txt", "qu'ote\".txt", "größe-契約.txt", "a" * 251 + ".txt", "-dash.txt", "per%20cent.txt"]
)
def test_any_file_name_works(engine: EmbeddedEngine, source: Path, name: str) -> None:
    write(source / name, "NOTE\n\nThe giraffe must be fed daily.")
    sync(engine, source)
    hit = Index(engine).search("giraffe", 1, fast=True)[0]
    assert hit.passage.document_id == f"contracts/{name}"
    assert engine.remove([hit.passage.document_id]) == 1


def test_loops_of_links_have_an_end(engine: EmbeddedEngine, source: Path) -> None:
    (source / "loop").symlink_to(source, target_is_directory=True)
    (source / "dangling.txt").symlink_to(source / "nowhere.txt")
    (source / "link.txt").symlink_to(source / "leases" / "lease-1.txt")
    done = sync(engine, source, IngestOptions(follow_links=True))
    assert done.documents == 11
    assert "contracts/link.txt" in ids(engine)
    assert [line.split(": ", 1)[1] for line in done.failures] == ["is a link that leads nowhere; check that it exists"]
    assert f"contracts/link.txt: is a link to {source}/leases/lease-1.txt" in done.notes
    again = sync(engine, source)
    assert (again.same, again.changed) == (12, 0)


def test_a_missing_path_is_an_error(engine: EmbeddedEngine, tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no such file or folder"):
        add(engine, tmp_path / "nowhere")
    with pytest.raises(DataError, match="no such folder"):
        sync(engine, tmp_path / "nowhere")


def test_metadata_is_kept_changed_and_never_lost(engine: EmbeddedEngine, source: Path, tmp_path: Path) -> None:
    sidecar = tmp_path / "values.csv"
    write(sidecar, "document,matter,date,title\nleases/lease-1.txt,4711,31 March 2020,Great lease\nunknown.txt,1,,\n")
    done = sync(engine, source, IngestOptions(Metadata.read(sidecar, ["office=Oslo"])))
    assert any("unknown.txt" in note for note in done.notes)
    lease = engine.load(["contracts/leases/lease-1.txt"])[0].document
    assert lease.metadata["matter"] == "4711"
    assert (lease.metadata["office"], lease.metadata["date"]) == ("Oslo", "2020-03-31")
    write(source / "leases" / "lease-1.txt", "LEASE 1\n\nThe zebra is due.")
    sync(engine, source)
    changed = engine.load(["contracts/leases/lease-1.txt"])[0].document
    assert "zebra" in changed.text
    assert changed.metadata["matter"] == "4711"
    embed(engine, RandomVectors())
    done = sync(engine, source, IngestOptions(Metadata({"office": "Bergen"})))
    assert (done.changed, done.documents) == (10, 0)
    assert engine.load(["contracts/leases/lease-1.txt"])[0].document.metadata["office"] == "Bergen"
    assert all(entry.has_vectors for entry in every_document(engine))


def test_metadata_from_json_of_either_shape(tmp_path: Path) -> None:
    one, other = tmp_path / "one.json", tmp_path / "other.json"
    write(one, '{"a.txt": {"matter": 7}}')
    write(other, '[{"document": "a.txt", "matter": "7"}]')
    assert Metadata.read(one).each == Metadata.read(other).each == {"a.txt": {"matter": "7"}}


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("a.csv", "colour,matter\nred,7\n", "no column says which document"),
        ("a.json", "[1, 2]", "JSON object"),
        ("a.json", "{", "JSON object"),
        ("a.csv", "document,date\na.txt,soon\n", "'soon' is not a date"),
    ],
)
def test_metadata_that_makes_no_sense_is_an_error(tmp_path: Path, name: str, text: str, said: str) -> None:
    write(tmp_path / name, text)
    with pytest.raises((DataError, UsageError), match=said):
        Metadata.read(tmp_path / name)


@pytest.mark.parametrize("pair", ["novalue", "=x", ""])
def test_a_pair_that_is_none_is_an_error(pair: str) -> None:
    with pytest.raises(UsageError, match="key=value"):
        Metadata.read(None, [pair])


def test_a_zip_and_a_mail_give_a_document_for_each_part(engine: EmbeddedEngine, source: Path) -> None:
    import zipfile

    with zipfile.ZipFile(source / "bundle.zip", "w") as bundle:
        bundle.writestr("in/one.txt", "NOTE\n\nThe walrus is inside.")
        bundle.writestr("two.txt", "NOTE\n\nThe otter is inside.")
        bundle.writestr("bad.pdf", b"%PDF-1.4 cut")
    done = sync(engine, source)
    assert {"contracts/bundle.zip/in/one.txt", "contracts/bundle.zip/two.txt"} <= set(ids(engine))
    assert len(done.failures) == 1
    (source / "bundle.zip").unlink()
    sync(engine, source)
    assert not any("bundle" in name for name in ids(engine))


def test_nothing_is_read_again_that_has_not_changed(engine: EmbeddedEngine, source: Path) -> None:
    for number in range(300):
        write(source / f"more-{number}.txt", f"NOTE {number}\n\nMore text for file {number}.")
    for path in source.rglob("*.txt"):
        os.utime(path, (1_600_000_000, 1_600_000_000))
    sync(engine, source)
    started = time.perf_counter()
    assert sync(engine, source).same == 310
    assert time.perf_counter() - started < 2


def test_an_index_inside_the_folder_is_not_read(source: Path) -> None:
    with made(source / "mine.pincite") as engine:
        assert sync(engine, source).failures == []
        assert len(ids(engine)) == 10


def test_a_folder_that_cannot_be_opened_loses_nothing(
    engine: EmbeddedEngine, source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(source / "top.txt", "NOTE\n\nThis one is at the top.")
    sync(engine, source)
    scandir = os.scandir

    def closed(path: str) -> object:
        if str(path).endswith("leases"):
            raise PermissionError(13, "Permission denied", str(path))
        return scandir(path)

    monkeypatch.setattr(os, "scandir", closed)
    done = sync(engine, source)
    assert done.removed == 0
    assert any("leases" in failure for failure in done.failures)
    assert len(ids(engine)) == 11


def test_a_file_name_that_is_no_unicode_is_read_all_the_same(engine: EmbeddedEngine, source: Path) -> None:
    path = os.fsencode(source) + b"/caf\xe9.txt"
    with open(path, "wb") as file:  # noqa: PTH123
        file.write(b"NOTE\n\nThe giraffe must be fed daily.")
    with open(os.fsencode(source) + b"/b\xe9d.pdf", "wb") as file:  # noqa: PTH123
        file.write(b"%PDF-1.4 cut")
    done = sync(engine, source)
    assert len(done.failures) == 1
    assert "contracts/caf\\udce9.txt" in ids(engine)
    assert sync(engine, source).same == 12


def test_a_changed_mail_has_its_new_date_and_keeps_what_the_user_said(engine: EmbeddedEngine, source: Path) -> None:
    def mail(day: int) -> None:
        head = f"From: a@example.org\nTo: b@example.org\nSubject: Rent\nDate: {day} Mar 2020 10:00:00 +0000\n\n"
        write(source / "mail.eml", head + f"The rent is due on day {day}.")

    mail(3)
    sync(engine, source, IngestOptions(Metadata({"matter": "7"})))
    assert engine.load(["contracts/mail.eml"])[0].document.metadata["date"] == "2020-03-03"
    mail(14)
    sync(engine, source)
    assert engine.load(["contracts/mail.eml"])[0].document.metadata["date"] == "2020-03-14"
    assert engine.load(["contracts/mail.eml"])[0].document.metadata["matter"] == "7"


def test_what_the_user_says_wins(engine: EmbeddedEngine, source: Path) -> None:
    from pincite.text import Filter

    write(source / "deal.txt", "DEAL\n\nThis deal is made by Bolt Robotics Ltd. It is a good deal.")
    sync(engine, source, IngestOptions(Metadata({}, {"deal.txt": {"party": "Acme", "title": "The great deal"}})))
    assert engine.load(["contracts/deal.txt"])[0].document.title == "The great deal"
    for party in ("acme", "bolt"):
        assert [record.id for record in every_document(engine, Filter(metadata={"party": party}))] == [
            "contracts/deal.txt"
        ]


def test_a_known_place_has_one_name_and_its_folders_belong_to_it(engine: EmbeddedEngine, source: Path) -> None:
    sync(engine, source)
    with pytest.raises(UsageError, match="knows this place as 'contracts'"):
        add(engine, source, IngestOptions(name="other"))
    write(source / "leases" / "lease-77.txt", "LEASE 77\n\nThe rent of house 77 is due.")
    write(source / "top.txt", "NOTE\n\nNot below the leases.")
    (source / "leases" / "lease-1.txt").unlink()
    done = sync(engine, source / "leases")
    assert (done.new, done.removed) == (1, 1)
    assert "contracts/leases/lease-77.txt" in ids(engine)
    assert "contracts/top.txt" not in ids(engine)


def test_a_place_that_is_empty_can_be_moved(engine: EmbeddedEngine, source: Path, tmp_path: Path) -> None:
    sync(engine, source)
    moved = tmp_path / "elsewhere"
    moved.mkdir()
    source.rename(moved / "contracts")
    sync(engine, source, IngestOptions(allow_removals=True))
    assert sync(engine, moved / "contracts").new == 10


def test_a_touched_file_is_compared_by_content_once(
    engine: EmbeddedEngine, source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pincite.index import file_state

    sync(engine, source)
    for path in source.rglob("*.txt"):
        os.utime(path, (1_500_000_000, 1_500_000_000))
    sync(engine, source)
    monkeypatch.setattr(file_state, "content_hash", lambda path: pytest.fail(f"{path} was read"))
    assert sync(engine, source).same == 10


def test_a_part_that_was_removed_comes_back_with_the_next_sync(engine: EmbeddedEngine, source: Path) -> None:
    import zipfile

    with zipfile.ZipFile(source / "bundle.zip", "w") as bundle:
        bundle.writestr("one.txt", "NOTE\n\nThe walrus is inside.")
        bundle.writestr("two.txt", "NOTE\n\nThe otter is inside.")
    sync(engine, source)
    engine.remove(["contracts/bundle.zip/one.txt"])
    assert "contracts/bundle.zip/one.txt" not in ids(engine)
    sync(engine, source)
    assert "contracts/bundle.zip/one.txt" in ids(engine)


def test_all_files_are_read_again_on_request(engine: EmbeddedEngine, source: Path) -> None:
    sync(engine, source)
    assert sync(engine, source, IngestOptions(reread=True)).changed == 10


def test_a_link_to_a_folder_elsewhere_is_said(engine: EmbeddedEngine, source: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (source / "more").symlink_to(tmp_path / "elsewhere", target_is_directory=True)
    assert any("more: is a link that was not followed" in note for note in sync(engine, source).notes)


def test_links_are_followed_only_on_request_which_is_remembered(
    engine: EmbeddedEngine, source: Path, tmp_path: Path
) -> None:
    (tmp_path / "secret").mkdir()
    write(tmp_path / "secret" / "payroll.txt", "PAYROLL\n\nThe salaries are secret.")
    (source / "payroll.txt").symlink_to(tmp_path / "secret" / "payroll.txt")
    (source / "more").symlink_to(tmp_path / "secret", target_is_directory=True)
    assert len([note for note in sync(engine, source).notes if "was not followed" in note]) == 2
    assert not [name for name in ids(engine) if "payroll" in name]
    sync(engine, source, IngestOptions(follow_links=True))
    assert {"contracts/payroll.txt", "contracts/more/payroll.txt"} <= set(ids(engine))
    assert sync(engine, source).removed == 0
    add(engine, source / "leases" / "lease-1.txt")
    assert sync(engine, source).removed == 0
    assert sync(engine, source, IngestOptions(follow_links=False)).removed == 2
    assert sync(engine, source).removed == 0


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="named pipes need POSIX")
@pytest.mark.parametrize("one", [False, True])
def test_a_named_pipe_is_listed_and_never_waited_for(engine: EmbeddedEngine, source: Path, one: bool) -> None:
    sync(engine, source)
    os.mkfifo(source / "pipe.txt")
    done = add(engine, source / "pipe.txt") if one else sync(engine, source)
    assert [line.split(": ", 1)[1] for line in done.failures] == [
        "cannot be read (it is a named pipe, not a file); leave it out"
    ]
    assert sync(engine, source).same == 11


def test_only_files_that_gave_documents_count_as_added(engine: EmbeddedEngine, source: Path) -> None:
    (source / "empty.txt").write_bytes(b"")
    (source / "cut.pdf").write_bytes(b"%PDF-1.7")
    done = sync(engine, source)
    assert (done.new, done.documents, len(done.failures)) == (10, 10, 2)
    (source / "cut.pdf").write_bytes(b"%PDF-1.7 again")
    write(source / "empty.txt", "NOTE\n\nNo longer empty.")
    assert sync(engine, source).changed == 1


def duplicates(engine: EmbeddedEngine) -> dict[str, str]:
    return {entry.id: entry.found["duplicate_of"] for entry in every_document(engine) if "duplicate_of" in entry.found}


def test_the_same_content_under_another_name_is_marked(engine: EmbeddedEngine, source: Path) -> None:
    from pincite.text import Filter

    sync(engine, source)
    copy = (source / "leases" / "lease-3.txt").read_text()
    write(source / "a-copy.txt", copy)
    write(source / "b-copy.txt", copy)
    done = add(engine, source)
    original = "contracts/leases/lease-3.txt"
    assert f"contracts/a-copy.txt: has the same content as {original}" in done.notes
    assert duplicates(engine) == {"contracts/a-copy.txt": original, "contracts/b-copy.txt": original}
    marked = every_document(engine, Filter(metadata={"duplicate_of": original}))
    assert sorted(entry.id for entry in marked) == ["contracts/a-copy.txt", "contracts/b-copy.txt"]
    generation = engine.generation
    assert sync(engine, source).notes == []
    assert engine.generation == generation


def test_a_mark_follows_what_becomes_of_the_original(engine: EmbeddedEngine, source: Path) -> None:
    copy = (source / "leases" / "lease-3.txt").read_text()
    write(source / "x-copy.txt", copy)
    write(source / "y-copy.txt", copy)
    sync(engine, source)
    assert set(duplicates(engine)) == {"contracts/x-copy.txt", "contracts/y-copy.txt"}
    (source / "leases" / "lease-3.txt").unlink()
    sync(engine, source)
    assert duplicates(engine) == {"contracts/y-copy.txt": "contracts/x-copy.txt"}
    write(source / "y-copy.txt", "NOTE\n\nAnother text by now.")
    sync(engine, source)
    assert duplicates(engine) == {}


def test_the_parts_of_a_copied_zip_name_the_parts_of_the_first(engine: EmbeddedEngine, source: Path) -> None:
    from tests.documents.offices import packed

    for name in ("one.zip", "two.zip"):
        (source / name).write_bytes(packed({"a.txt": "The rent.", "b.txt": "The term."}))
    sync(engine, source)
    assert duplicates(engine) == {
        "contracts/two.zip/a.txt": "contracts/one.zip/a.txt",
        "contracts/two.zip/b.txt": "contracts/one.zip/b.txt",
    }


def test_notes_are_kept_with_the_file_under_its_id(engine: EmbeddedEngine, source: Path) -> None:
    (source / "old.txt").write_bytes("The “Tenant” shall pay the rent each month.".encode("cp1252"))
    note = "contracts/old.txt: not UTF-8; read as Windows-1252"
    assert sync(engine, source).notes == [note]
    file = engine.file("contracts", "old.txt")
    assert file is not None
    assert file.notes == (note,)
    assert sync(engine, source).notes == []


def test_a_language_that_cannot_be_recognised_is_refused_before_anything_is_read(
    engine: EmbeddedEngine, source: Path
) -> None:
    with pytest.raises(UsageError, match=r"--ocr-language xyz: tesseract has no language 'xyz'"):
        sync(engine, source, IngestOptions(ocr_language="xyz"))
    assert ids(engine) == []


def test_a_text_with_ten_thousand_headings_harms_no_other(engine: EmbeddedEngine, source: Path) -> None:
    from pincite.documents import Limits

    write(
        source / "deep.md",
        "\n\n".join(f"{'#' * (1 + n % 6)} {n}. Heading\n\nClause {n} is here." for n in range(10_000)),
    )
    nested = "\n\n".join(f"{'.'.join(['1'] * (1 + n))} Clause {n} is here." for n in range(2_000))
    write(source / "nested.txt", nested)
    done = sync(engine, source, IngestOptions(limits=Limits(seconds=8)))
    assert done.documents >= 10
    assert all("deep.md" in line or "nested.txt" in line for line in done.failures)
    assert all("was not read within 8 s" in line for line in done.failures)


def test_a_mark_goes_when_the_original_is_removed(engine: EmbeddedEngine, source: Path) -> None:
    write(source / "x-copy.txt", (source / "leases" / "lease-3.txt").read_text())
    sync(engine, source)
    assert duplicates(engine) == {"contracts/x-copy.txt": "contracts/leases/lease-3.txt"}
    assert Index(engine).remove("contracts/leases/lease-3.txt", purge=True) == 1
    assert duplicates(engine) == {}
