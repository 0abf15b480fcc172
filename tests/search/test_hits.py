"""The list of hits: spread over documents, without repeats, each with its reasons, whatever is asked."""

from collections import Counter

import pytest

from pincite.index import Index
from pincite.search import Answer
from pincite.search.run import FOREIGN, UNKNOWN
from tests.conftest import SAMPLES
from tests.search.whole_documents import SUPPLY

FIRST, SPREAD = 10, 2
LAW = (
    "This deed is governed by the law of Norland, and the courts of Norland have exclusive jurisdiction over every"
    " dispute about it."
)
FRANCHISE = """FRANCHISE AGREEMENT

TABLE OF CONTENTS

Section 4.2 Limitation of Liability ........ 17
Section 4.3 Governing Law ........ 18

Section 4.2 Limitation of Liability. Neither party is liable for more than the fees that were paid in the year before.

Section 4.3 Governing Law. The law of Norland applies to all that the parties do under this agreement.

Signed for the franchisor:
By: Law Governing
Title: Liability Limitation
"""
SOUND = [
    "confidential information",
    "What is the notice period?",
    "Which agreements are governed by Delaware law?",
    "Who bears the cost of a product recall?",
    "assignment without consent",
    "Under the Garnet Quay lease, may the tenant underlet?",
    "May Tamarisk assign the agreement?",
    "Section 10 of the Tamarisk NDA",
    "the Tamarisk NDA",
    "rent",
]


@pytest.fixture(scope="module")
def index() -> Index:
    index = Index.create(":memory:")
    index.add(SAMPLES / "corpus", vectors="none")
    index.add_text("made/supply-boro.txt", SUPPLY, vectors="none")
    return index


def deeds(count: int) -> Index:
    """Deeds that share their last clause."""
    index = Index.create(":memory:")
    for number in range(count):
        text = f"DEED {number}\n\n1. PRICE\n\nThe price of lot {number} is due in advance.\n\n2. LAW\n\n{LAW}\n"
        index.add_text(f"made/deed-{number}.txt", text, vectors="none")
    return index


def most_of_a_document(answer: Answer) -> int:
    return max(Counter(hit.document_id for hit in answer.hits[:FIRST]).values(), default=0)


# Many documents


@pytest.mark.parametrize(
    "question",
    ["confidential information", "What is the notice period?", "assignment without consent", "limitation of liability"],
)
def test_where_no_document_is_named_the_first_hits_are_spread(index: Index, question: str) -> None:
    answer = index.search(question, 30, fast=True)
    assert answer.understood.documents == ()
    assert len(answer) == 30
    assert most_of_a_document(answer) <= SPREAD


def test_a_question_over_many_documents_is_always_spread(index: Index) -> None:
    answer = index.search("Which agreements mention rent?", 20, fast=True)
    assert answer.understood.asked.across
    assert most_of_a_document(answer) <= SPREAD


@pytest.mark.parametrize(
    ("question", "document"),
    [
        ("Under the Garnet Quay lease, may the tenant underlet?", "lease-14-garnet-quay-2019.txt"),  # it is named
        ("rent", "lease-14-garnet-quay-2019.txt"),  # it alone speaks of it
    ],
)
def test_a_document_that_is_named_or_holds_all_is_not_spread(index: Index, question: str, document: str) -> None:
    answer = index.search(question, FIRST, fast=True)
    assert most_of_a_document(answer) > SPREAD
    assert answer[0].document_id.endswith(document)


def test_hits_that_had_to_wait_come_back_behind_the_first_ten(index: Index) -> None:
    """Whatever is spread, nothing is lost: with enough places, every unit of a document is there."""
    answer = index.search("confidential information", 400, fast=True)
    counts = Counter(hit.document_id for hit in answer)
    assert most_of_a_document(answer) <= SPREAD
    assert max(counts.values()) > 10


# Repeats


def test_the_same_words_are_shown_once_with_their_other_places() -> None:
    index = deeds(4)
    answer = index.search("Which courts have exclusive jurisdiction?", 10, fast=True)
    (first,) = [hit for hit in answer if hit.text == LAW]
    assert first.rank == 1
    places = [first.passage, *first.also]
    assert sorted(place.document_id for place in places) == [f"made/deed-{number}.txt" for number in range(4)]
    for place in places:
        assert index.document(place.document_id).text[place.start : place.end] == LAW
    assert first.to_dict()["also"] == [
        {"document": place.document_id, "start": place.start, "end": place.end} for place in first.also
    ]


def test_short_or_different_words_are_no_repeats() -> None:
    answer = deeds(4).search("What is the price of the lot?", 4, fast=True)
    assert sorted(hit.text for hit in answer) == [
        f"The price of lot {number} is due in advance." for number in range(4)
    ]
    assert all(hit.also == () for hit in answer)


# Each hit


@pytest.mark.parametrize("question", SOUND)
def test_every_hit_is_exact_has_a_reason_and_scores_no_more_than_the_one_before(index: Index, question: str) -> None:
    answer = index.search(question, 25, fast=True)
    assert answer.hits
    assert [hit.rank for hit in answer] == list(range(1, len(answer) + 1))
    scores = [hit.score for hit in answer]
    assert scores == sorted(scores, reverse=True)
    for hit in answer:
        assert hit.text == hit.document.text[hit.start : hit.end]
        assert hit.text.strip()
        assert hit.why
        assert all(reason.strip() for reason in hit.why)


@pytest.mark.parametrize("question", SOUND)
def test_no_two_hits_overlap(index: Index, question: str) -> None:
    taken: set[tuple[str, int]] = set()
    for hit in index.search(question, 25, fast=True):
        own = {(hit.document_id, at) for at in range(hit.start, hit.end)}
        assert taken.isdisjoint(own)
        taken |= own


@pytest.mark.parametrize("question", SOUND)
def test_the_same_question_has_the_same_answer(index: Index, question: str) -> None:
    assert index.search(question, 25, fast=True).to_dict() == index.search(question, 25, fast=True).to_dict()


@pytest.mark.parametrize("question", SOUND)
def test_fewer_hits_are_the_first_of_many(index: Index, question: str) -> None:
    few, many = (index.search(question, k, fast=True) for k in (3, 10))
    assert [hit.passage for hit in few] == [hit.passage for hit in many][:3]


def test_an_item_carries_what_leads_into_it(index: Index) -> None:
    answer = index.search("In the Boro supply agreement, who pays for the transport of defective goods?", 3, fast=True)
    hit = answer[0]
    assert "(ii) the cost of transport." in hit.text
    led = " ".join(hit.document.text[start:end] for start, end, role in hit.spans if role == "lead-in") + hit.text
    assert "the Supplier shall pay as liquidated damages:" in led
    assert hit.whole.endswith(hit.text)
    for start, end in hit.lead_ins:
        assert end <= hit.start
        assert hit.document.text[start:end].strip()


@pytest.mark.parametrize(
    ("question", "heading"),
    [
        ("In the Boro supply agreement, what are the damages?", "2. DAMAGES"),
        ("In the Boro supply agreement, what are the obligations?", "4. OBLIGATIONS"),
        ("What does the Ironbridge merger agreement say about termination?", "ARTICLE VII TERMINATION"),
        ("governing law", "Section 14. Governing Law."),
    ],
)
def test_a_heading_alone_is_never_first(index: Index, question: str, heading: str) -> None:
    for hit in index.search(question, 3, fast=True):
        assert hit.text.strip() != heading
        assert len(hit.text.split()) > len(heading.split())


@pytest.mark.parametrize("question", ["limitation of liability", "What is the governing law?"])
def test_lines_of_contents_and_signatures_are_no_hits(question: str) -> None:
    index = Index.create(":memory:")
    index.add_text("made/franchise.txt", FRANCHISE, vectors="none")
    texts = [hit.text for hit in index.search(question, 20, fast=True)]
    assert len(texts[0].split()) > 10
    assert not any("....." in text or text.startswith(("By:", "Title:")) for text in texts)


@pytest.mark.parametrize(
    ("question", "reason"),
    [
        ("Under the Garnet Quay lease, may the tenant underlet?", "stands in the document that the question names"),
        ("In the Tamarisk NDA, what is the governing law?", "the clause is called 'Section 14. Governing Law'"),
        ("Who bears the cost of a recall?", "mentions "),
        ("Section 10 of the Tamarisk NDA", "is Section 10"),
    ],
)
def test_the_reason_says_what_speaks_for_a_hit(index: Index, question: str, reason: str) -> None:
    assert any(said.startswith(reason) for said in index.search(question, 1, fast=True)[0].why)


# Odd questions


@pytest.mark.parametrize(
    ("question", "note"),
    [
        ("a", UNKNOWN),
        ("?", UNKNOWN),
        ("§", UNKNOWN),
        ("the of and to", UNKNOWN),
        ("?!...,;:", UNKNOWN),
        ("x" * 10_000, UNKNOWN),
        ("qqqqqqq zzzzzzz", UNKNOWN),
        ("Wann endet der Vertrag und wer kann ihn kündigen?", FOREIGN.format("German")),
    ],
)
def test_a_question_without_a_known_word_has_no_hits_and_a_note(index: Index, question: str, note: str) -> None:
    answer = index.search(question, 5, fast=True)
    assert answer.hits == ()
    assert note in answer.notes
    assert "nothing was found" in answer.to_dict()["notes"]  # type: ignore[operator]


@pytest.fixture(scope="module")
def with_vectors() -> Index:
    index = Index.create(":memory:")
    index.add_text("made/supply-boro.txt", SUPPLY, vectors="now")
    index.add_text("made/franchise.txt", FRANCHISE, vectors="now")
    return index


@pytest.mark.parametrize("fast", [True, False])
@pytest.mark.parametrize("question", ["x", "?", "???", "§", "the of and to", "Hello", "?!...,;:", "qqqqqqq zzzzzzz"])
def test_vectors_find_nothing_where_no_word_is_known(with_vectors: Index, question: str, *, fast: bool) -> None:
    answer = with_vectors.search(question, 5, fast=fast)
    assert answer.hits == ()
    assert UNKNOWN in answer.notes


@pytest.mark.parametrize(
    ("question", "where"),
    [
        ("Under the franchise agreement, maximum payout?", None),
        ("maximum payout?", {"document": "made/franchise.txt"}),
    ],
)
def test_a_document_that_is_named_is_asked_in_other_words_than_its_own(
    with_vectors: Index, question: str, where: dict[str, object] | None
) -> None:
    answer = with_vectors.search(question, 3, where=where)
    assert {hit.document_id for hit in answer} == {"made/franchise.txt"}


@pytest.mark.parametrize("question", ["x", "???", "the of and to"])
def test_nothing_is_asked_of_a_document_that_a_filter_names(with_vectors: Index, question: str) -> None:
    assert with_vectors.search(question, 3, where={"document": "made/franchise.txt"}).hits == ()


def test_a_german_question_whose_words_are_there_is_answered_with_a_note() -> None:
    index = Index.create(":memory:")
    index.add_text("vertrag.txt", "MIETVERTRAG\n\nDer Mieter zahlt die Miete. Haustiere sind verboten.", vectors="none")
    index.add_text("lease.txt", "LEASE\n\nThe tenant pays the rent. Pets are not allowed.", vectors="none")
    answer = index.search("Sind Haustiere nach dem Vertrag verboten oder nicht?", 3, fast=True)
    assert FOREIGN.format("German") in answer.notes
    assert "Haustiere sind verboten." in answer[0].text


@pytest.mark.parametrize("question", ["", "   ", "\n\n\t", "-confidential"])
def test_no_question_has_no_hits(index: Index, question: str) -> None:
    assert index.search(question, 5, fast=True).hits == ()


@pytest.mark.parametrize(
    ("question", "plain"),
    [
        ("WHO BEARS THE COST OF A PRODUCT RECALL?", "Who bears the cost of a product recall?"),
        ("who bears\x00 the\x07 cost of a product\x1b recall?", "who bears the cost of a product recall?"),
        ("  who bears\n\nthe cost\tof a product recall ?", "who bears the cost of a product recall?"),
        ("WHO PAYS THE RENT UNDER THE GARNET QUAY LEASE?", "Who pays the rent under the Garnet Quay lease?"),
    ],
)
def test_capitals_spaces_and_control_characters_change_no_answer(index: Index, question: str, plain: str) -> None:
    one, other = (index.search(text, 3, fast=True) for text in (question, plain))
    assert len(one) == 3
    assert [hit.passage for hit in one] == [hit.passage for hit in other]


def test_a_question_of_ten_thousand_characters_is_answered(index: Index) -> None:
    question = "Who bears the cost of a product recall? " + "The cost of the recall, the recall, the cost. " * 220
    assert len(question) > 10_000
    answer = index.search(question, 3, fast=True)
    assert len(answer) == 3
    assert "recall" in answer[0].text


def test_nothing_but_a_reference_shows_the_document(index: Index) -> None:
    answer = index.search("the Garnet Quay lease", 5, fast=True)
    assert answer.understood.only_names
    assert answer.overview is not None
    assert {hit.document_id for hit in answer} == {answer.overview.document}
