"""Corrections: what people say of a document stays said, whatever is read again, and can be taken back."""

import shutil
from pathlib import Path

import pytest

from pincite import Index
from pincite.errors import NotFoundError, UsageError
from pincite.index.corrections import Correction
from pincite.index.ingest import IngestOptions
from pincite.index.listing import listing
from pincite.testing.engine_suite import RandomVectors
from tests.conftest import SAMPLES

TEXT = "LEASE OF GARNET QUAY\n\nThis lease is made between Acme Robotics Ltd and Bolt GmbH.\n\nThe rent is due monthly."


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "contracts"
    made.mkdir()
    (made / "a.txt").write_text(TEXT, encoding="utf-8")
    (made / "b.txt").write_text("NOTE\n\nThe otter is inside.", encoding="utf-8")
    return made


@pytest.fixture
def index(tmp_path: Path, folder: Path) -> Index:
    made = Index.create(tmp_path / "i.pincite")
    made.sync(folder, vectors="none")
    made.set(
        "a.txt", title="The quay lease", kind="licence", parties="Cole Ltd;Dunn AG", date="3 March 2021", matter="7"
    )
    return made


def corrected(index: Index) -> tuple[object, ...]:
    record = index.record("contracts/a.txt")
    profile = record.profile
    return (record.title, profile.title, profile.kind, profile.parties, profile.iso_date, record.described["matter"])


SAID = ("The quay lease", "The quay lease", "licence", ("Cole Ltd", "Dunn AG"), "2021-03-03", "7")


def test_a_correction_overrules_what_was_found(index: Index) -> None:
    assert corrected(index) == SAID
    shape = listing(index.record("a.txt"))
    assert shape["corrected"] == ["title", "kind", "parties", "date"]
    assert listing(index.record("b.txt"))["corrected"] == []
    assert index.search("rent", 1, fast=True)[0].citation == "The quay lease"
    assert [hit.document_id for hit in index.search("rent", 1, where={"party": "dunn"}, fast=True)] == [
        "contracts/a.txt"
    ]


def test_a_correction_survives_a_sync_of_a_changed_file(index: Index, folder: Path) -> None:
    (folder / "a.txt").write_text(TEXT + " Pets may be kept.", encoding="utf-8")
    assert index.sync(folder, vectors="none").changed == 1
    assert corrected(index) == SAID
    assert "Pets" in index.document("a.txt").text


def test_a_correction_survives_reading_everything_again(index: Index, folder: Path) -> None:
    index.sync(folder, vectors="none", options=IngestOptions(reread=True))
    assert corrected(index) == SAID
    index.add(folder, vectors="none", metadata={"desk": "9"})
    assert corrected(index) == SAID


def test_a_correction_survives_rebuilding_what_is_on_disk(index: Index, tmp_path: Path) -> None:
    index.tidy()
    index.close()
    shutil.rmtree(tmp_path / "i.pincite" / "fragments")
    with Index.open(tmp_path / "i.pincite") as again:
        assert again.check(repair=True).faults == ()
        assert corrected(again) == SAID


def test_an_empty_value_takes_a_correction_back(index: Index, folder: Path) -> None:
    fresh = Index.create(":memory:")
    fresh.sync(folder, vectors="none")
    found = fresh.record("contracts/a.txt")
    record = index.set("a.txt", title="", kind="", parties="", date="", matter="")
    assert (record.title, record.profile, record.metadata) == (found.title, found.profile, {})


def test_parties_are_added_and_removed_one_by_one(index: Index) -> None:
    def parties(**change: object) -> tuple[str, ...]:
        return index.set("a.txt", **change).profile.parties  # type: ignore[arg-type]

    assert parties(add_parties=["Ewing Inc"]) == ("Cole Ltd", "Dunn AG", "Ewing Inc")
    assert parties(add_parties=["ewing inc"]) == ("Cole Ltd", "Dunn AG", "Ewing Inc")
    assert parties(remove_parties=["dunn", "Ewing Inc"]) == ("Cole Ltd",)
    assert parties(parties="A Ltd", add_parties=["B AG"]) == ("A Ltd", "B AG")
    assert parties(remove_parties=["A Ltd", "B AG"]) == ()
    assert "parties" not in index.record("a.txt").described
    assert parties(add_parties=["Fry SA"]) == ("Fry SA",)


def test_a_correction_keeps_units_and_vectors(tmp_path: Path) -> None:
    with Index.create(tmp_path / "v.pincite") as index:
        index.add(SAMPLES / "corpus" / "contracts" / "lease-14-garnet-quay-2019.txt", vectors="none")
        from pincite.engine.embedding import embed

        embed(index.engine, RandomVectors())
        before = index.record("lease")
        after = index.set("lease", title="Quay")
        assert (after.unit_count, after.has_vectors, after.structure) == (before.unit_count, True, before.structure)


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ({"kind": "poem"}, r"'poem' is not a kind of document; kinds are non-disclosure agreement,.*nda"),
        ({"date": "31 February 2020"}, r"date: '31 February 2020' is not a date; write 2024-03-31"),
        ({"date": "03/04/2020"}, r"is not a date"),
        (
            {"titel": "x"},
            r"no field is called 'titel'; did you mean 'title'\? The fields are: title, kind, parties, date",
        ),
        ({"partys": "x"}, r"did you mean 'parties'"),
        ({"Title": "x"}, r"did you mean 'title'"),
        ({"dat": "x"}, r"did you mean 'date'"),
        ({"knid": "x"}, r"did you mean 'kind'"),
        ({"party": "x"}, r"parties='A; B'.*party\+="),
        ({"title": "---"}, r"has no letter"),
        ({"title": "x" * 3000}, r"has 3,000 characters; the limit is 2,000"),
        ({"title": "a\x1bb"}, r"cannot be printed"),
        ({"": "x"}, r"cannot be a key"),
        ({"a=b": "x"}, r"cannot be a key"),
        ({}, r"nothing is said"),
    ],
)
def test_what_cannot_be_said_is_an_error_and_changes_nothing(index: Index, said: dict[str, str], message: str) -> None:
    before = index.record("a.txt")
    with pytest.raises(UsageError, match=message):
        index.set("a.txt", said)
    assert index.record("a.txt") == before


def test_wrong_parties_and_documents_are_errors(index: Index) -> None:
    with pytest.raises(UsageError, match=r"party-='Nobody': is none of the parties: Cole Ltd; Dunn AG"):
        index.set("a.txt", remove_parties=["Nobody"])
    with pytest.raises(UsageError, match=r"may be any of the parties: Cole Ltd; Dunn AG"):
        index.set("a.txt", remove_parties=["d"])
    for name in ("", " ", "A; B"):
        with pytest.raises(UsageError, match=r"write one name"):
            index.set("a.txt", add_parties=[name])
    with pytest.raises(NotFoundError, match=r"no document 'nowhere'"):
        index.set("nowhere", title="x")
    with pytest.raises(NotFoundError, match=r"may be any of 2 documents"):
        index.set(".txt", title="x")


@pytest.mark.parametrize("key", ["matter", "client", "data", "rate", "update", "subtitle", "partner", "counterparty"])
def test_any_other_key_can_be_used(index: Index, key: str) -> None:
    assert index.set("a.txt", {key: "x"}).described[key] == "x"


def test_pairs_are_read_as_people_type_them() -> None:
    pairs = ["title=Rent = due", "party+=A Ltd", "party-=B", "parties=", "matter=7"]
    assert Correction.read(pairs) == Correction(
        {"title": "Rent = due", "parties": "", "matter": "7"}, ("A Ltd",), ("B",)
    )
    for pair, message in (("title", "key=value"), ("=x", "key=value"), ("title+=x", "go with party alone")):
        with pytest.raises(UsageError, match=message):
            Correction.read([pair])
    with pytest.raises(UsageError, match="given twice"):
        Correction.read(["title=a", "title=b"])
