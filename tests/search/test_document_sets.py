"""Questions about a set: the documents of the kind that is asked about, each with an answer of its own."""

import pytest

from pincite.index import Index
from pincite.query.asked import asked
from pincite.search.document_sets import MORE, NO_KIND

LAW = "This Agreement is governed by and construed in accordance with the laws of the State of {}."
CREDIT = """CREDIT AGREEMENT

This Credit Agreement is dated {day} and made between {borrower} Corporation, as Borrower, and Harbour Bank plc, as Lender.

1. LOANS

1.1 The Lender shall lend the Borrower the amount of the facility on the first day of the term.

2. GENERAL

2.1 {law}
"""
SEVERANCE = """SEVERANCE AGREEMENT

This Severance Agreement is dated 4 May 2021 and made between Kelp Foods Inc. and {executive}.

1. PAY

1.1 The Company shall pay the Executive one year of salary upon a termination without cause.

2. COVENANTS

2.1 {covenant}
"""
COMPETE = "For one year the Executive shall not compete with the Company or engage in a competing business."
SALARY = "The Executive shall return every key and every paper of the Company."
DOCUMENTS = {
    "made/credit-hoku-2010.txt": CREDIT.format(day="8 October 2010", borrower="Hoku", law=LAW.format("New York")),
    "made/credit-hoku-2011.txt": CREDIT.format(day="6 April 2011", borrower="Hoku", law=LAW.format("New York")),
    "made/credit-sable.txt": CREDIT.format(day="1 June 2015", borrower="Sable", law=LAW.format("Texas")),
    "made/severance-ada.txt": SEVERANCE.format(executive="Ada Poole", covenant=COMPETE),
    "made/severance-ben.txt": SEVERANCE.format(executive="Ben Quist", covenant=SALARY),
    "made/employment-cora.txt": "EMPLOYMENT AGREEMENT\n\nThis Employment Agreement is made between Kelp Foods Inc. and"
    f" Cora Roe.\n\n1. LAW\n\n1.1 {LAW.format('New York')}\n\n2. COVENANTS\n\n2.1 {COMPETE}\n",
}
CREDITS = ["made/credit-hoku-2010.txt", "made/credit-hoku-2011.txt", "made/credit-sable.txt"]


@pytest.fixture(scope="module", params=["none", "now"])
def index(request: pytest.FixtureRequest) -> Index:
    index = Index.create(":memory:")
    for name, text in DOCUMENTS.items():
        index.add_text(name, text, vectors=request.param)
    return index


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("which of our credit agreements are governed by New York law?", "credit agreement"),
        ("do any of the severance agreements have a non-compete?", "severance agreement"),
        ("Compare the governing law of the two Hoku credit agreements", "credit agreement"),
        ("Which privacy policies mention cookies?", "privacy policy"),
        ("which of our NDAs have residuals clauses?", "non-disclosure agreement"),
        ("what do our supply contracts say about recalls?", "supply agreement"),
        ("Which leases allow subletting?", "lease"),
        ("Which agreements have a lease attached?", ""),
        ("which of our contracts deal with charges?", ""),
        ("may the tenant underlet?", ""),
    ],
)
def test_the_kind_of_a_set_is_read(question: str, kind: str) -> None:
    assert asked(question).kind == kind


@pytest.mark.parametrize("fast", [True, False])
@pytest.mark.parametrize(
    ("question", "first", "documents"),
    [
        (
            "which of our credit agreements are governed by New York law?",
            {"made/credit-hoku-2010.txt", "made/credit-hoku-2011.txt"},
            CREDITS,
        ),
        (
            "do any of the severance agreements have a non-compete?",
            {"made/severance-ada.txt"},
            ["made/severance-ada.txt", "made/severance-ben.txt"],
        ),
        (
            "Compare the governing law of the two Hoku credit agreements",
            {"made/credit-hoku-2010.txt", "made/credit-hoku-2011.txt"},
            CREDITS[:2],
        ),
    ],
)
def test_a_set_has_a_group_for_each_of_its_documents_and_no_other(
    index: Index, question: str, first: set[str], documents: list[str], *, fast: bool
) -> None:
    answer = index.search(question, 6, fast=fast)
    assert {hit.document_id for hit in answer.hits[: len(first)]} == first
    assert sorted(group.document for group in answer.groups) == documents
    assert [hit.rank for group in answer.groups for hit in group.hits[:1]] == list(range(1, len(documents) + 1))


def test_what_two_documents_of_a_set_say_alike_is_shown_of_both(index: Index) -> None:
    answer = index.search("which of our credit agreements are governed by New York law?", 3)
    assert LAW.format("New York") in answer[0].text
    assert answer[0].text == answer[1].text
    assert not any(hit.also for hit in answer)


def test_a_kind_that_no_document_has_is_said_and_all_are_searched(index: Index) -> None:
    answer = index.search("which of our franchise agreements are governed by Texas law?", 3)
    assert NO_KIND.format("franchise agreement") in answer.notes
    assert answer[0].document_id == "made/credit-sable.txt"


def test_a_document_that_is_only_called_so_belongs_to_the_set(index: Index) -> None:
    index = Index.create(":memory:")
    index.add_text("made/lease-one.txt", "LEASE\n\n1. The tenant may underlet the premises.", vectors="none")
    index.add_text("made/lease two.txt", "NOTES\n\n1. The tenant may not underlet the attic.", vectors="none")
    index.add_text("made/other.txt", "NOTES\n\n1. The tenant may underlet the cellar.", vectors="none")
    answer = index.search("which of our leases let the tenant underlet?", fast=True)
    assert {group.document for group in answer.groups} == {"made/lease-one.txt", "made/lease two.txt"}


def test_more_documents_than_hits_are_said(index: Index) -> None:
    answer = index.search("which of our credit agreements are governed by New York law?", 2, fast=True)
    assert len(answer) == 2
    assert MORE.format(3, "credit agreement") in answer.notes
