"""Spelling: which words of a collection are near to one that it does not hold, in every engine alike."""

from pathlib import Path

import pytest

from pincite.index import Index
from pincite.postings.fragment import Fragment
from pincite.postings.similar_words import typing_cost
from pincite.query.spelling import corrected

CONTRACT = (
    "CONSTRUCTION CONTRACT\n\nThis contract is made between Arden Glass Ltd and Bryony Building plc.\n\n"
    + "\n\n".join(
        f"{at}.1 {words}"
        for at, words in enumerate(
            (
                "The owner may hold back retainage of five per cent before the work is finished and accepted.",
                "Disputes are settled by arbitration in London; the arbitrator is named by the parties together.",
                "For each day of delay the contractor owes liquidated damages of one thousand pounds.",
                "A subcontractor, whatever their number, is bound by the same terms, and every subcontract says so.",
                "The contractor meets the insurance requirements of the schedule; an insurer is named there.",
                "Neither party is liable for force majeure, nor for what it could not foresee at all.",
                "On severance of a part the rest stands. Prepayment is allowed without a fee at any time.",
                "The parties may sublet nothing. The works are inspected by whoever funds them, month by month.",
            ),
            start=1,
        )
    )
)
PADDING = "\n\n" + "A heading of no matter at all that goes on for a while. " * 60 + "\n\n"
"""What moves the text behind the first page."""


@pytest.fixture(scope="module", params=["memory", "embedded"])
def index(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Index:
    where = ":memory:" if request.param == "memory" else str(tmp_path_factory.mktemp("spelling") / "index")
    index = Index.create(where)
    index.add_text("made/arden.txt", CONTRACT[:90] + PADDING + CONTRACT[90:], vectors="none")
    return index


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("retainge", "retainage"),  # a letter left out
        ("arbitraton", "arbitration"),  # rather than "arbitrator", which lacks a letter that was typed
        ("liqudated", "liquidated"),
        ("majure", "majeure"),
        ("requirments", "requirements"),
        ("prepayement", "prepayment"),  # a letter too many
        ("severence", "severance"),  # the vowel of an ending, though the stem is known
        ("insurence", "insurance"),
        ("numbr", "number"),
        ("subcontracter", "subcontractor"),
    ],
)
def test_a_word_that_only_texts_hold_is_read(index: Index, typed: str, read: str) -> None:
    with index.engine.view() as view:
        assert corrected(f"what of {typed}?", view)[0] == f"what of {read}?"


@pytest.mark.parametrize(
    "word",
    [
        *("retainage", "subcontract", "majeure", "liquidated"),  # held as they are
        *("sublets", "retainages", "insurers", "arbitrators", "subcontracts"),  # forms of words that are held
        *("funder", "outlive", "insiders", "carve", "rewired", "finalise", "coders"),  # built like English words
        *("poach", "perks", "parity", "dents", "quarrels"),  # near to words that are mistaken otherwise
        *("dont", "isnt", "arent"),  # without their apostrophe
        *("TUPE", "SSAP"),  # abbreviations
    ],
)
def test_a_word_that_is_no_error_stays(index: Index, word: str) -> None:
    with index.engine.view() as view:
        assert corrected(f"what of {word}?", view) == (f"what of {word}?", ())


def test_a_question_in_another_language_is_not_corrected(index: Index) -> None:
    with index.engine.view() as view:
        question = "¿cuál es el seguro que tengo que contratar por la obra?"
        assert corrected(question, view) == (question, ())


@pytest.mark.parametrize(
    ("typed", "meant", "cost"),
    [
        ("majure", "majeure", 1),
        ("recieve", "receive", 1),
        ("tennant", "tenant", 1),
        ("hawzer", "hawser", 1),
        ("retainge", "retained", 3),
        ("poach", "porch", 2),
        ("carve", "care", 2),
        ("rent", "rent", 0),
    ],
)
def test_what_people_mistype_costs_less(typed: str, meant: str, cost: int) -> None:
    assert typing_cost(typed, meant) == cost


def test_a_fragment_of_an_earlier_version_has_no_spellings(index: Index) -> None:
    with index.engine.view() as view:
        (fragment,) = view.state.fragments.fragments  # type: ignore[attr-defined]
    former = {name: array for name, array in fragment.arrays().items() if not name.startswith("spellings.")}
    assert "retainage" in Fragment.from_arrays(fragment.arrays()).spellings.terms
    assert len(Fragment.from_arrays(former).spellings) == 1
    assert not Fragment.from_arrays(former).spellings.terms


def test_a_misspelling_of_one_document_is_read_as_what_the_others_hold(tmp_path: Path) -> None:
    index = Index.create(":memory:")
    for at in range(30):
        index.add_text(f"made/{at}.txt", f"NOTE {at}\n\nThe clause on force majeure stands.{PADDING}", vectors="none")
    index.add_text("made/odd.txt", f"NOTE\n\n{PADDING}\n\nForce majure. No majure. Only majure.", vectors="none")
    assert index.search("force majure", fast=True).notes[0] == "read 'majure' as 'majeure'"
