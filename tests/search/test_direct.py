"""Look-ups: what is asked to be seen comes first, whole, and what is not there is said."""

import pytest

from pincite.index import Index
from pincite.search import Answer
from pincite.search.hits import LOOKED_UP
from tests.conftest import SAMPLES

SERVICES = """SERVICES AGREEMENT

This Services Agreement is made on 4 May 2021 between Arden Glass Ltd (the "Client") and Bryony Cleaning plc (the
"Contractor").

RECITALS

A. The Client owns the offices at Mill Lane.

B. The Contractor cleans offices.

1. DEFINITIONS

"Fee" means 400 pounds a week.

"Services" means:

(a) the cleaning of the offices; and

(b) the disposal of waste.

(d) "Default" means (i) a late visit or (ii) a visit that is left out.

(e) A "Change of Control" shall be deemed to have taken place if:

(i) the Contractor merges; or

(ii) the Contractor is sold; or

its board is replaced.

(f) "Termination for Cause" means a termination after any of the following:

(1) theft;

(2) fraud.

(c) The Contractor chooses its own tools.

2. PAYMENT

2.1 The Client pays the Fee on the first Monday of each month.

2.2 Late sums bear interest at five per cent a year.

3. INDEMNITY

The Contractor shall indemnify the Client against claims that arise from the Services.

4. GENERAL

4.1 This Agreement is governed by the law of England.

IN WITNESS WHEREOF, the parties have signed this Agreement.

ARDEN GLASS LTD
By: Mary Poole, Director

BRYONY CLEANING PLC
By: Nora Quist, Director

SCHEDULE 1 - OFFICES

The offices are on the first floor and on the second floor.

SCHEDULE 2 - HOURS

The offices are cleaned between six and eight in the evening.
"""
JUDGMENT = """IN THE UNITED STATES DISTRICT COURT
FOR THE DISTRICT OF DELAWARE

CORVANE MARINE LLC,
                    Plaintiff,
        v.                                   Civil Action No. 21-cv-1043-RGA
ELDER BAY SHIPPING, INC.,
                    Defendant.

MEMORANDUM OPINION

Decided: August 12, 2022

ANDREWS, U.S. District Judge:

I. BACKGROUND

Corvane leased two cranes to Elder Bay in March 2019. Elder Bay stopped paying in May 2020.

II. DISCUSSION

A contract is breached when a party fails to perform without excuse. Elder Bay gave no excuse.

III. CONCLUSION

The motion for summary judgment is granted.
"""
LOAN = """LOAN AGREEMENT

This Loan Agreement is dated {day} and made between Pelham Orchard Bank plc and Sable Foundry Ltd.

1. REPAYMENT

1.1 The loan is repaid in {parts} parts.

2. INTEREST

2.1 Interest accrues at six per cent a year.
"""


@pytest.fixture(scope="module")
def index() -> Index:
    index = Index.create(":memory:")
    index.add(SAMPLES / "corpus", vectors="none")
    index.add_text("made/arden-services.txt", SERVICES, title="Services Agreement", vectors="none")
    index.add_text("made/corvane-elder-bay.txt", JUDGMENT, title="Memorandum Opinion", vectors="none")
    index.add_text("made/pelham-loan-2015.txt", LOAN.format(day="3 June 2015", parts="two"), vectors="none")
    index.add_text("made/pelham-loan-2019.txt", LOAN.format(day="9 May 2019", parts="ten"), vectors="none")
    return index


def looked_up(answer: Answer) -> list[str]:
    """The texts of the places that were asked for: they come first, and each is exact."""
    direct = [hit for hit in answer if LOOKED_UP in hit.parts]
    assert direct == list(answer.hits[: len(direct)])
    for hit in answer:
        assert hit.text == hit.document.text[hit.start : hit.end]
        for start, end, _ in hit.spans:
            assert 0 <= start < end <= len(hit.document.text)
    return [hit.text for hit in direct]


def between(text: str, first: str, last: str) -> str:
    start = text.index(first)
    return text[start : text.index(last, start) + len(last)]


SECTION_10 = ("Section 10. Term and Survival.", "does not end them.")
SECTION_11 = ("Section 11. Remedies.", "of Confidential Information.")
SECTION_12 = ("Section 12. Audit.", "notified under Section 11.")


@pytest.mark.parametrize(
    ("question", "document", "expected"),
    [
        ("Section 10 of the Tamarisk NDA", "nda-tamarisk-oneway-2023", [SECTION_10]),
        ("show me section 10 in the tamarisk nda", "nda-tamarisk-oneway-2023", [SECTION_10]),
        ("Tamarisk NDA § 10", "nda-tamarisk-oneway-2023", [SECTION_10]),
        ("Sections 11 and 12 of the Tamarisk NDA", "nda-tamarisk-oneway-2023", [SECTION_11, SECTION_12]),
        ("clause 2.16 of the Garnet Quay lease", "lease-14-garnet-quay-2019", [("2.16", "Part allows.")]),
        (
            "Article VII of the Ironbridge merger agreement",
            "merger-extract-ironbridge-solace-2025",
            [("ARTICLE VII TERMINATION", "in respect of this Agreement.")],
        ),
        ("Section 2.2 of the Arden services agreement", "arden-services", [("2.2 Late sums", "a year.")]),
        ("Section 2 of the Arden services agreement", "arden-services", [("2. PAYMENT", "a year.")]),
        ("Schedule 1 of the Arden services agreement", "arden-services", [("SCHEDULE 1", "the second floor.")]),
        ("Schedule 2 of the Arden services agreement", "arden-services", [("SCHEDULE 2", "in the evening.")]),
        (
            "recitals of the Arden services agreement",
            "arden-services",
            [("RECITALS", "B. The Contractor cleans offices.")],
        ),
        (
            "the signature page of the Arden services agreement",
            "arden-services",
            [("IN WITNESS WHEREOF", "By: Nora Quist, Director")],
        ),
    ],
)
def test_a_provision_is_shown_whole(
    index: Index, question: str, document: str, expected: list[tuple[str, str]]
) -> None:
    answer = index.search(question, 5, fast=True)
    text = index.document(document).text
    assert looked_up(answer) == [between(text, first, last) for first, last in expected]
    assert all(hit.document_id.endswith(f"{document}.txt") for hit in answer)
    assert all(hit.why[0].startswith("is ") for hit in answer.hits[: len(expected)])


def test_what_is_shown_as_a_provision_is_not_shown_again(index: Index) -> None:
    answer = index.search("Section 10 of the Tamarisk NDA", 30, fast=True)
    first, *others = answer
    assert others
    assert not any(hit.start < first.end and first.start < hit.end for hit in others)


@pytest.mark.parametrize(
    ("question", "note"),
    [
        (
            "Section 99 of the Tamarisk NDA",
            "there is no Section 99 in corpus/contracts/nda-tamarisk-oneway-2023.txt; the document has 1 to 14",
        ),
        (
            "Schedule 9 of the Arden services agreement",
            "there is no Schedule 9 in made/arden-services.txt; the document has 1 to 2",
        ),
        ("Exhibit 3 to the Arden services agreement", "there is no Exhibit 3 in made/arden-services.txt"),
        (
            "Section 2.9 of the Arden services agreement",
            "there is no Section 2.9 in made/arden-services.txt; the document has 1 to 4",
        ),
        ("recitals of the Pelham loan of 2015", "made/pelham-loan-2015.txt has no recitals"),
    ],
)
def test_a_provision_that_is_not_there_is_said(index: Index, question: str, note: str) -> None:
    answer = index.search(question, 3, fast=True)
    assert note in answer.notes
    assert looked_up(answer) == []


@pytest.mark.parametrize("question", ["Section 99 of the Tamarisk NDA", "Section 2.9 of the Arden services agreement"])
def test_nothing_is_shown_for_a_provision_that_nothing_mentions(index: Index, question: str) -> None:
    assert index.search(question, 5, fast=True).hits == ()


def test_what_mentions_a_provision_that_is_not_there_is_shown() -> None:
    index = Index.create(":memory:")
    text = "PELHAM LOAN AGREEMENT\n\n1. REPAYMENT\n\n1.1 The loan is repaid as Section 6.2 of the deed provides.\n\n"
    index.add_text("made/pelham-loan.txt", text + "SECTION 2. FEES\n\nThe fees of Section 6 are due.", vectors="none")
    answer = index.search("Section 6.2 of the Pelham loan agreement", 5, fast=True)
    assert [hit.text for hit in answer] == ["1.1 The loan is repaid as Section 6.2 of the deed provides."]


def test_a_provision_of_no_document_asks_for_one(index: Index) -> None:
    answer = index.search("Section 10", 3, fast=True)
    assert "name the document, too, to see one of its provisions" in answer.notes
    assert looked_up(answer) == []


def test_a_filter_names_the_document_as_well(index: Index) -> None:
    answer = index.search("Section 10", 3, where={"document": "nda-tamarisk-oneway-2023"}, fast=True)
    assert looked_up(answer) == [between(index.document("nda-tamarisk-oneway-2023").text, *SECTION_10)]


def test_a_provision_of_two_documents_that_fit_alike_is_shown_of_both(index: Index) -> None:
    answer = index.search("Section 1.1 of the Pelham loan agreement", 5, fast=True)
    assert sorted(looked_up(answer)) == ["1.1 The loan is repaid in ten parts.", "1.1 The loan is repaid in two parts."]
    assert any(note.startswith("which one is meant?") and note.endswith("fit alike") for note in answer.notes)


@pytest.mark.parametrize(
    ("question", "document", "first", "last"),
    [
        ("definition of Fee in the Arden services agreement", "arden-services", '"Fee" means', "a week."),
        (
            "How is Services defined in the Arden services agreement?",
            "arden-services",
            '"Services" means:',
            "of waste.",
        ),
        (
            "definition of Default in the Arden services agreement",
            "arden-services",
            '(d) "Default"',
            "left out.",  # not what (e) defines
        ),
        (
            "definition of Change of Control in the Arden services agreement",
            "arden-services",
            '(e) A "Change of Control"',
            "board is replaced.",  # an item without its label
        ),
        (
            "In the Ironbridge merger agreement, how is Willful Breach defined?",
            "merger-extract-ironbridge-solace-2025",
            'Section 1.07 "Willful Breach"',
            "a breach of this Agreement.",
        ),
        (
            'what does "Sample" mean in the Tamarisk NDA?',
            "nda-tamarisk-oneway-2023",
            '"Sample" means',
            "or not marked.",
        ),
    ],
)
def test_a_definition_is_shown_with_its_items(
    index: Index, question: str, document: str, first: str, last: str
) -> None:
    answer = index.search(question, 5, fast=True)
    assert looked_up(answer) == [between(index.document(document).text, first, last)]
    assert answer[0].why[0].startswith("defines '")


def test_a_term_that_the_document_does_not_define_is_said(index: Index) -> None:
    answer = index.search("definition of Exit Fee in the Arden services agreement", 5, fast=True)
    assert "made/arden-services.txt does not define 'Exit Fee'" in answer.notes
    assert not looked_up(answer)


def test_a_role_is_looked_up_in_the_likeliest_documents_where_none_is_named(index: Index) -> None:
    answer = index.search("who is the supplier?", 5, fast=True)
    assert not answer.understood.documents
    assert [(hit.document_id.split("/")[-1], hit.text.split(",")[0]) for hit in answer[:2]] == [
        ("supply-caldera-components-2021.txt", "(1) CALDERA PRECISION COMPONENTS INC."),
        ("services-marlowe-msa-2023.txt", "Between MARLOWE CONSULTING PARTNERS LLP"),
    ]
    assert [hit.text for hit in answer[:2]] == looked_up(answer)[:2]


def test_a_term_is_looked_up_where_no_document_is_named(index: Index) -> None:
    answer = index.search("define Termination for Cause", 5, fast=True)
    assert not answer.understood.documents
    assert looked_up(answer)[0] == between(SERVICES, '(f) "Termination for Cause"', "(2) fraud.")


def test_a_term_that_no_likely_document_defines_is_said(index: Index) -> None:
    answer = index.search("definition of Late Sums", 5, fast=True)
    assert any(note.startswith("no definition of 'Late Sums' was found") for note in answer.notes)
    assert not looked_up(answer)


def test_a_role_that_nobody_has_is_not_looked_up_where_no_document_is_named(index: Index) -> None:
    assert not looked_up(index.search("who is the shipowner?", 5, fast=True))


def test_signatures_that_are_not_there_are_said(index: Index) -> None:
    answer = index.search("who signed the Pelham loan agreement of 2019?", 5, fast=True)
    assert "made/pelham-loan-2019.txt has no signatures that were recognised" in answer.notes


@pytest.mark.parametrize(
    ("term", "defined", "first", "last"),
    [
        ("Change in Control", "Change of Control", '(e) A "Change of Control"', "board is replaced."),
        ("Cause", "Termination for Cause", '(f) "Termination for Cause"', "(2) fraud."),  # (c) is no item of it
    ],
)
def test_a_term_that_is_defined_otherwise_is_said(index: Index, term: str, defined: str, first: str, last: str) -> None:
    answer = index.search(f"definition of {term} in the Arden services agreement", 5, fast=True)
    assert looked_up(answer) == [between(SERVICES, first, last)]
    assert f"made/arden-services.txt does not define {term!r}, but {defined!r}" in answer.notes


@pytest.mark.parametrize(
    ("question", "document", "first", "last"),
    [
        (
            "the indemnity clause of the Arden services agreement",
            "arden-services",
            "The Contractor shall indemnify",
            "from the Services.",
        ),
        (
            "the clause on compelled disclosure in the Tamarisk NDA",
            "nda-tamarisk-oneway-2023",
            "If the Receiving Party is required by law,",
            "legally obliged to disclose.",
        ),
    ],
)
def test_a_clause_is_found_by_its_title(index: Index, question: str, document: str, first: str, last: str) -> None:
    answer = index.search(question, 5, fast=True)
    (found,) = looked_up(answer)
    expected = between(index.document(document).text, first, last)
    assert found.endswith(expected)
    assert len(found) - len(expected) < 40  # its own heading at most
    assert answer[0].why[0].startswith("has the title ")


@pytest.mark.parametrize(
    ("question", "text", "why"),
    [
        (
            "Who are the parties to the Arden services agreement?",
            ("This Services Agreement", '"Contractor").'),
            "says the parties: Arden Glass Ltd; Bryony Cleaning plc",
        ),
        (
            "What is the date of the Arden services agreement?",
            ("This Services", '"Contractor").'),
            "says the date: 2021-05-04",
        ),
        (
            "who signed the Arden services agreement?",
            ("IN WITNESS WHEREOF", "By: Nora Quist, Director"),
            "is signed here",
        ),
        (
            "In the Arden services agreement, who signed for Bryony Cleaning?",
            ("BRYONY CLEANING PLC", "By: Nora Quist, Director"),
            "is signed for Bryony Cleaning",
        ),
        (
            "When did the court issue its decision in Corvane v. Elder Bay?",
            ("Decided: August", "2022"),
            "says the date: 2022-08-12",
        ),
        (
            "What is the title of the Arden services agreement?",
            ("SERVICES", "AGREEMENT"),
            "says the title: Services Agreement",
        ),
        (
            "Which court decided Corvane v. Elder Bay?",
            ("IN THE UNITED", "DISTRICT OF DELAWARE"),
            "says the court: UNITED STATES DISTRICT COURT FOR THE DISTRICT OF DELAWARE",
        ),
        (
            "What is the docket number of Corvane v. Elder Bay?",
            ("Civil Action", "21-cv-1043-RGA"),
            "says the docket: 21-cv-1043-RGA",
        ),
        ("Who is the client in the Arden services agreement?", ("This Services", '"Contractor").'), "names the client"),
        ("Who was the judge in Corvane v. Elder Bay?", ("ANDREWS,", "Judge:"), "says the judge"),
        ("What was the outcome of Corvane v. Elder Bay?", ("The motion", "is granted."), "says the outcome"),
        (
            "When was Corvane v. Elder Bay decided and by which court?",
            ("IN THE UNITED STATES", "August 12, 2022"),
            "says the date: 2022-08-12; says the court: UNITED STATES DISTRICT COURT FOR THE DISTRICT OF DELAWARE",
        ),
    ],
)
def test_a_fact_of_the_document_is_shown_where_it_stands(
    index: Index, question: str, text: tuple[str, str], why: str
) -> None:
    answer = index.search(question, 3, fast=True)
    (found,) = looked_up(answer)
    document = SERVICES if "Arden" in question else JUDGMENT
    assert between(document, *text) in found
    assert answer[0].why == (why,)


@pytest.mark.parametrize(
    ("question", "document", "first", "last"),
    [
        (
            "who is the landlord in the Garnet Quay lease?",
            "lease-14-garnet-quay-2019",
            "FENWICK HARBOUR",
            '"Landlord")',
        ),
        (
            "who is the licensee in the Brightwater licence?",
            "licence-brightwater-software-2022",
            "CORVANE",
            "“Licensee”)",
        ),
        (
            "who is the parent in the Ironbridge Solace merger?",
            "merger-extract-ironbridge-solace-2025",
            "by and among",
            '"Parent")',
        ),
    ],
)
def test_who_has_a_role_is_shown_where_the_document_says_it(
    index: Index, question: str, document: str, first: str, last: str
) -> None:
    answer = index.search(question, 3, fast=True)
    assert between(index.document(document).text, first, last) in looked_up(answer)[0]
    assert len(looked_up(answer)) == 1


@pytest.mark.parametrize(
    ("question", "document", "stated"),
    [
        (
            "How much is the deposit in the Garnet Quay lease?",
            "lease-14-garnet-quay-2019",
            "Deposit:                £34,200",
        ),
        ("what is the break date of the Garnet Quay lease?", "lease-14-garnet-quay-2019", "24 March 2025"),
        ("What is the fee in the Arden services agreement?", "arden-services", '"Fee" means 400 pounds a week.'),
    ],
)
def test_a_value_is_shown_where_the_document_states_it(index: Index, question: str, document: str, stated: str) -> None:
    answer = index.search(question, 3, fast=True)
    (found,) = looked_up(answer)
    assert stated in found
    assert answer[0].why[0].startswith("states the ")


def test_a_definition_without_a_value_answers_no_question_for_one(index: Index) -> None:
    assert looked_up(index.search("how much are the services in the Arden services agreement?", 3, fast=True)) == []


def test_a_role_below_a_name_on_the_cover_is_shown_with_the_name() -> None:
    index = Index.create(":memory:")
    cover = "CREDIT AGREEMENT\n\namong\n\nKELP FOODS INC.,\nas Borrower,\n\nHARBOUR BANK,\nas Administrative Agent\n\n"
    index.add_text("kelp.txt", cover + "1. LOANS\n\n1.1 The Lenders lend to the Borrower.\n", vectors="none")
    (found,) = looked_up(index.search("who is the administrative agent?", 3, fast=True))
    assert "HARBOUR BANK" in found
    assert "KELP" not in found


def test_a_fact_that_is_not_known_is_searched_for(index: Index) -> None:
    answer = index.search("Which court decided the Arden services agreement?", 3, fast=True)
    assert looked_up(answer) == []
    assert len(answer) == 3


def test_only_a_name_gives_an_overview(index: Index) -> None:
    answer = index.search("Arden services agreement", 5, fast=True)
    overview = answer.overview
    assert overview is not None
    assert (overview.document, overview.title) == ("made/arden-services.txt", "Services Agreement")
    assert overview.facts["parties"] == "Arden Glass Ltd; Bryony Cleaning plc"
    assert overview.facts["date"] == "2021-05-04"
    assert {"court", "docket"}.isdisjoint(overview.facts)
    titles = [heading.text for heading in overview.outline if heading.level == 0]
    assert titles == [
        *("RECITALS", "1. DEFINITIONS", "2. PAYMENT", "3. INDEMNITY", "4. GENERAL"),
        *("SCHEDULE 1 - OFFICES", "SCHEDULE 2 - HOURS"),
    ]
    assert len(looked_up(answer)) == len(answer) > 0
    assert answer.answered == 1.0


def test_the_overview_of_a_judgment_has_its_court_and_docket(index: Index) -> None:
    answer = index.search("Corvane v. Elder Bay", 5, fast=True)
    assert answer.overview is not None
    facts = answer.overview.facts
    assert facts["court"] == "UNITED STATES DISTRICT COURT FOR THE DISTRICT OF DELAWARE"
    assert (facts["docket"], facts["date"]) == ("21-cv-1043-RGA", "2022-08-12")
    assert [heading.text for heading in answer.overview.outline] == [
        "I. BACKGROUND",
        "II. DISCUSSION",
        "III. CONCLUSION",
    ]
    shape = answer.to_dict()["overview"]
    assert isinstance(shape, dict)
    assert shape["docket"] == "21-cv-1043-RGA"
    assert [JUDGMENT[heading["start"] :][:7] for heading in shape["outline"]] == ["Corvane", "A contr", "The mot"]


def test_every_section_of_a_document_can_be_looked_up(index: Index) -> None:
    text = index.document("nda-tamarisk-oneway-2023").text
    end = text.index("Section 1. ")
    for number in range(1, 14):
        (found,) = looked_up(index.search(f"Section {number} of the Tamarisk NDA", 1, fast=True))
        assert found.startswith(f"Section {number}. ")
        start = text.index(found)
        assert text[end:start].strip() == ""  # nothing is left out between them
        end = start + len(found)
