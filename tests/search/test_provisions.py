"""Provisions are found by their numbers, however these are written, and are whole."""

import pytest

from pincite.search.whole import Provisions
from pincite.text.units import LoadedDocument
from tests.search.whole_documents import SUPPLY, loaded

ARTICLES = """LICENSE AGREEMENT

TABLE OF CONTENTS
ARTICLE I DEFINITIONS 1
ARTICLE II GRANT 2

RECITALS
A. The Licensor owns certain patents that are listed below.
B. The Licensee wishes to use them in its own business.

ARTICLE I
DEFINITIONS
Section 1.01 Terms. The terms in this Article have the meanings that are given here.
Section 1.02 Others. Other terms have the meanings that the law gives them.

ARTICLE II
GRANT
Section 2.01 Licence. The Licensor grants a licence under the patents to the Licensee.
(a) It is exclusive in the Territory; and
(b) it may be assigned with consent.
Section 2.02 Fees. The Licensee pays the fees in Exhibit A-1 to the Licensor every year.

EXHIBIT A-1
FEES
1. The fee of the first year is 5,000 dollars, payable in advance.
2. The fee of each later year is 6,000 dollars, payable in advance.
"""


@pytest.fixture(scope="module")
def supply() -> LoadedDocument:
    return loaded(SUPPLY)


@pytest.fixture(scope="module")
def licence() -> LoadedDocument:
    return loaded(ARTICLES)


def found(held: LoadedDocument, word: str, number: str) -> list[str]:
    return [held.document.text[start:end] for start, end in Provisions.of(held).find(word, number)]


@pytest.mark.parametrize(
    ("word", "number", "begins", "ends"),
    [
        ("section", "2", "2. DAMAGES", "set off these amounts."),
        ("section", "2.1", "2.1 In each", "set off these amounts."),
        ("clause", "2.1", "2.1 In each", "set off these amounts."),
        ("", "3.1", "3.1 The Exit Fee", "Schedule A."),
        ("section", "2.1(a)", "(a) for late", "of delay; and"),
        ("section", "2.1(b)(i)", "(i) the cost", "repair; and"),
        ("section", "3.2(ii)", "(ii) let", "inspection, and"),
        ("section", "3.1(z)", "3.1 The Exit Fee", "Schedule A."),
        ("schedule", "A", "SCHEDULE A - GOODS", "2. Nuts of all sizes are included."),
        ("Schedule", "a", "SCHEDULE A - GOODS", "2. Nuts of all sizes are included."),
        ("section", "II", "2. DAMAGES", "set off these amounts."),
        ("article", "3", "3. PAYMENT", "Loan Agreement."),
        ("preamble", "", "This Supply Agreement", "“Buyer”)."),
        ("signature", "", "IN WITNESS WHEREOF", "Director of Acme Ltd"),
    ],
)
def test_a_provision_is_whole(supply: LoadedDocument, word: str, number: str, begins: str, ends: str) -> None:
    first = found(supply, word, number)[0]
    assert first.startswith(begins)
    assert first.endswith(ends)


@pytest.mark.parametrize(
    ("word", "number", "begins", "ends"),
    [
        ("article", "II", "ARTICLE II\nGRANT", "every year."),
        ("article", "2", "ARTICLE II\nGRANT", "every year."),
        ("section", "2.1", "Section 2.01", "with consent."),
        ("section", "2.01(b)", "(b) it may", "with consent."),
        ("exhibit", "A-1", "EXHIBIT A-1", "payable in advance."),
        ("recitals", "", "RECITALS", "own business."),
    ],
)
def test_roman_numbers_and_attachments(licence: LoadedDocument, word: str, number: str, begins: str, ends: str) -> None:
    first = found(licence, word, number)[0]
    assert first.startswith(begins)
    assert first.endswith(ends)


def test_the_body_comes_before_what_is_attached(supply: LoadedDocument) -> None:
    assert found(supply, "section", "1")[0].startswith("1. DEFINITIONS")


@pytest.mark.parametrize(
    ("word", "number"), [("section", "99"), ("section", "2.9"), ("schedule", "Z"), ("recitals", "")]
)
def test_what_is_not_there_is_not_found(supply: LoadedDocument, word: str, number: str) -> None:
    assert found(supply, word, number) == []


def test_the_numbers_that_there_are(supply: LoadedDocument, licence: LoadedDocument) -> None:
    table = Provisions.of(supply)
    assert table.numbers("section") == ["1", "2", "3", "4", "5"]
    assert table.numbers("schedule") == ["A"]
    assert table.numbers("exhibit") == []
    assert Provisions.of(licence).numbers("article") == ["I", "II"]
    assert Provisions.of(licence).numbers("section") == ["1.01", "1.02", "2.01", "2.02"]


def test_a_table_is_made_once(supply: LoadedDocument) -> None:
    assert Provisions.of(supply) is Provisions.of(loaded(SUPPLY))


def test_a_document_without_units_has_no_provisions() -> None:
    table = Provisions.of(loaded(""))
    assert (table.found, table.preamble, table.find("section", "1"), table.numbers("section")) == ((), None, [], [])


CONTENTS = """CREDIT AGREEMENT

TABLE OF CONTENTS
SECTION 2.10. Repayment.................................................................................24
SECTION 6.06. Minimum Net Worth.........................................................................45

SECTION 2.10. Repayment. The Company repays each loan with all the amounts that are due under
Section 6.06. of this Agreement, together with the interest that has accrued on each of them until that day.

SECTION 6.06. Minimum Net Worth. The net worth may not be less than 700,000,000 dollars.
"""
DEED = """DEED OF TRUST

1. The trustees hold the assets that are listed in the First Schedule for the persons of the Second Schedule.

THE FIRST SCHEDULE
The freehold house at 7 Mill Lane with its garden.

THE SECOND SCHEDULE
Ada Poole and her children.
"""


@pytest.mark.parametrize(
    ("text", "word", "number", "begins"),
    [
        (
            CONTENTS,
            "section",
            "6.06",
            "SECTION 6.06. Minimum Net Worth. The net worth",
        ),  # shorter than its line of contents
        (CONTENTS, "section", "2.10", "SECTION 2.10. Repayment. The Company"),
        (DEED, "schedule", "1", "THE FIRST SCHEDULE"),
        (DEED, "schedule", "2", "THE SECOND SCHEDULE"),
    ],
)
def test_what_only_names_a_provision_is_not_the_provision(text: str, word: str, number: str, begins: str) -> None:
    found = Provisions.of(loaded(text)).find(word, number)
    assert text[slice(*found[0])].startswith(begins)


ONE_SCHEDULE = """DEED OF GIFT

1. The giver gives the things that the Schedule lists to the receiver.

SCHEDULE
THINGS THAT ARE GIVEN

A clock and two chairs.

Signed as a deed by ADA POOLE: ____________________
"""


@pytest.mark.parametrize("number", ["", "1"])
def test_the_only_schedule_needs_no_number(number: str) -> None:
    (found,) = Provisions.of(loaded(ONE_SCHEDULE)).find("schedule", number)
    assert ONE_SCHEDULE[slice(*found)].startswith("SCHEDULE")
    assert ONE_SCHEDULE[slice(*found)].rstrip().endswith("two chairs.")


def test_signatures_without_a_testimonium_are_found() -> None:
    (found,) = Provisions.of(loaded(ONE_SCHEDULE)).find("signature", "")
    assert ONE_SCHEDULE[slice(*found)].startswith("Signed as a deed by ADA POOLE")
