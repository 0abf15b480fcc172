"""Typing errors: what is read as another word, what never is, and that it is said."""

import pytest

from pincite.engine.contract import CandidateView
from pincite.index import Index
from pincite.query.reference import parse
from pincite.query.spelling import MOST, SpellingCorrection, corrected, notes
from tests.conftest import SAMPLES

DEED = (
    "DEED OF HALYARD\n\nThis deed of 4 May 2021 is made between Halyard Cordage Ltd and Ecru Mills plc.\n\n1. GOODS\n\n"
    "1.1 The consignee shall inspect each hawser before acceptance.\n\n1.2 A hawser that frays is replaced.\n"
)


@pytest.fixture(scope="module")
def index() -> Index:
    index = Index.create(":memory:")
    index.add(SAMPLES / "corpus", vectors="none")
    index.add_text("made/halyard.txt", DEED, vectors="none")
    return index


@pytest.fixture(scope="module")
def view(index: Index) -> CandidateView:
    with index.engine.view() as view:
        return view


@pytest.mark.parametrize(
    ("query", "read"),
    [
        ("Under the Tamarsik NDA, may copies be kept?", "Under the Tamarisk NDA, may copies be kept?"),
        ("under the tamarsk nda", "under the tamarisk nda"),
        ("TAMARSIK NDA", "TAMARISK NDA"),
        ("may the tennant underlet?", "may the tenant underlet?"),
        ("what is the intrest rate?", "what is the interest rate?"),
        ("Confidental Information", "Confidential Information"),
        ("the Garnet Quey lease", "the Garnet Quay lease"),  # four letters: only the name of a document
        ("who inspects a hawzer?", "who inspects a hawser?"),  # a word of the text alone
        ("the consingee's duties", "the consignee's duties"),
        ("Delawere law", "Delaware law"),
    ],
)
def test_a_word_that_no_document_holds_is_read_as_the_nearest_one(view: CandidateView, query: str, read: str) -> None:
    assert corrected(query, view)[0] == read


@pytest.mark.parametrize(
    "query",
    [
        "Under the Tamarisk NDA, may the tenant underlet the premises?",  # known
        "HALYARD and ORLO",  # known names in capitals
        "Ecru",
        "what is the banana clause",  # English words that no document holds
        "zebra crossings",
        "assent after a breath",  # "asset" and "breach" are near
        '"confidental" information',  # quoted
        "“Tamarsik” information",
        "nda_tamarsik_oneway_2023",  # names of files and addresses
        "tamarsik.txt",
        "contracts/tamarsik",
        "tamarsik@orlo.example",
        "Tamarsik2023",  # numbers
        "20223 and 2o23",
        "teh rnet",  # short words that name nothing
        "qqqqqqq zzzzzzzzz",  # near to nothing
        "hamarisk",  # another first letter
        "",
    ],
)
def test_what_is_known_quoted_or_no_word_stays_as_it_is(view: CandidateView, query: str) -> None:
    assert corrected(query, view) == (query, ())


@pytest.mark.parametrize(("typed", "read"), [("tennant", "tenant"), ("Tennant", "Tenant"), ("TENNANT", "TENANT")])
def test_a_correction_keeps_the_case(view: CandidateView, typed: str, read: str) -> None:
    assert corrected(f"may the {typed} leave?", view) == (f"may the {read} leave?", (SpellingCorrection(typed, read),))


def test_a_word_is_corrected_wherever_it_stands_and_said_once(view: CandidateView) -> None:
    text, corrections = corrected("tennant of a tennant of a tennant", view)
    assert text == "tenant of a tenant of a tenant"
    assert corrections == (SpellingCorrection("tennant", "tenant"),)


def test_of_many_errors_only_the_first_ones_are_corrected(view: CandidateView) -> None:
    errors = [f"confide{letter}ntial" for letter in "abcdefghijklmnop"]
    text, corrections = corrected(" ".join(errors), view)
    assert len(corrections) == MOST
    assert text.split() == ["confidential"] * MOST + errors[MOST:]


def test_the_note_says_it() -> None:
    corrections = (SpellingCorrection("tennant", "tenant"), SpellingCorrection("Quey", "Quay"))
    assert notes(corrections) == ("read 'tennant' as 'tenant'", "read 'Quey' as 'Quay'")
    assert notes(()) == ()


def test_a_question_is_understood_as_corrected_and_the_answer_says_so(index: Index, view: CandidateView) -> None:
    query = "Under the Tamarsik NDA, may the Recieving Party keep copies?"
    parsed = parse(query, view)
    assert parsed.documents[0].id.endswith("nda-tamarisk-oneway-2023.txt")
    assert parsed.question == "may the Receiving Party keep copies?"
    assert [tuple(one) for one in parsed.corrections] == [("Tamarsik", "Tamarisk"), ("Recieving", "Receiving")]
    answer = index.search(query, 3, fast=True)
    assert answer.notes[:2] == ("read 'Tamarsik' as 'Tamarisk'", "read 'Recieving' as 'Receiving'")
    assert answer.to_dict()["understood"]["corrections"] == [  # type: ignore[index]
        {"typed": "Tamarsik", "read": "Tamarisk"},
        {"typed": "Recieving", "read": "Receiving"},
    ]


def test_a_word_of_a_removed_document_corrects_nothing() -> None:
    index = Index.create(":memory:")
    index.add_text("made/halyard.txt", DEED, vectors="none")
    index.add_text("made/other.txt", "NOTE\n\nThe rent of the mill is due.", vectors="none")
    for typed in ("Halyord", "hawzer"):
        assert index.search(f"what of the {typed}?", fast=True).understood.corrections
    index.remove("made/halyard.txt")
    for typed in ("Halyord", "hawzer"):
        assert index.search(f"what of the {typed}?", fast=True).understood.corrections == ()


@pytest.mark.parametrize("question", ["Which NDAs deal with residuals?", "our ndas and msas", "SOWs of Halyard"])
def test_abbreviations_in_the_plural_are_no_errors(question: str) -> None:
    index = Index.create(":memory:")
    index.add_text("components-ntas.txt", "NTAS\n\nThe NTAS, the MSAT and the SOWT are agreed.\n", vectors="none")
    with index.engine.view() as view:
        assert corrected(question, view) == (question, ())
