"""Files that are left out: remembered for each root, shown, and taken in again."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from pincite.engine.contract import every_document
from pincite.errors import UsageError
from pincite.index.embedded import EmbeddedEngine
from pincite.index.exclusions import exclusions, is_excluded
from pincite.index.ingest import IngestOptions, add, plan_sync, sync
from tests.index.embedded.test_engine import made


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[EmbeddedEngine]:
    with made(tmp_path / "one.pincite") as opened:
        yield opened


@pytest.fixture
def source(tmp_path: Path) -> Path:
    folder = tmp_path / "contracts"
    (folder / "drafts").mkdir(parents=True)
    for name in ("lease.txt", "nda.txt", "drafts/lease.txt", "drafts/nda.txt"):
        (folder / name).write_text(f"AGREEMENT {name}\n\nThe rent of {name} is due monthly.")
    (folder / "broken.pdf").write_bytes(b"%PDF-1.7 broken")
    return folder


def ids(engine: EmbeddedEngine) -> list[str]:
    return sorted(entry.id for entry in every_document(engine))


@pytest.mark.parametrize(
    ("pattern", "path", "expected"),
    [
        ("broken.pdf", "broken.pdf", True),
        ("broken.pdf", "sub/broken.pdf", True),
        ("sub/broken.pdf", "broken.pdf", False),
        ("*.pdf", "sub/a.pdf", True),
        ("sub/*.pdf", "sub/a.pdf", True),
        ("sub/*.pdf", "other/a.pdf", False),
        ("drafts", "drafts/2021/a.txt", True),
        ("drafts/", "final/drafts.txt", False),
    ],
)
def test_patterns(pattern: str, path: str, expected: bool) -> None:
    assert is_excluded(path, [pattern]) is expected


def test_what_is_excluded_leaves_the_index_and_stays_out(engine: EmbeddedEngine, source: Path) -> None:
    assert len(sync(engine, source).failures) == 1
    options = IngestOptions(exclude=("drafts/", "broken.pdf"))
    plan = plan_sync(engine, source, options)
    assert plan.excluded == ["broken.pdf", "drafts/lease.txt", "drafts/nda.txt"]
    assert exclusions(engine, "contracts") == ()
    done = sync(engine, source, options)
    assert (done.excluded, done.removed, done.failures) == (3, 3, [])
    assert ids(engine) == ["contracts/lease.txt", "contracts/nda.txt"]
    again = sync(engine, source)
    assert (again.excluded, again.new, again.same, again.failures) == (3, 0, 2, [])
    assert add(engine, source).excluded == 3


def test_an_exclusion_is_taken_back(engine: EmbeddedEngine, source: Path) -> None:
    sync(engine, source, IngestOptions(exclude=("drafts/", "broken.pdf")))
    done = sync(engine, source, IngestOptions(include=("drafts/",)))
    assert (done.excluded, done.new) == (1, 2)
    assert exclusions(engine, "contracts") == ("broken.pdf",)
    with pytest.raises(UsageError, match=r"--include 'drafts/': .* excluded are: broken\.pdf"):
        sync(engine, source, IngestOptions(include=("drafts/",)))


def test_a_file_that_is_named_is_added_all_the_same(engine: EmbeddedEngine, source: Path) -> None:
    sync(engine, source, IngestOptions(exclude=("nda.txt",)))
    assert add(engine, source / "nda.txt").new == 1
