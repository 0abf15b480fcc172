"""The answer whole: what leads into a hit, what completes it, its terms and its references, on small documents."""

import pytest

from pincite.search.whole import completed, is_mere_heading, lead_ins, only_refers, references, terms_used
from pincite.search.whole.completion import LONGEST as LONGEST_RUN
from pincite.search.whole.completion import MOST_UNITS
from pincite.search.whole.leading import LONGEST, MOST
from pincite.text.units import LoadedDocument
from tests.search.whole_documents import SUPPLY, lines_loaded, loaded, unit

DAMAGES = "2.1 In each of the following cases the Supplier shall pay as liquidated damages:"


@pytest.fixture(scope="module")
def held() -> LoadedDocument:
    return loaded(SUPPLY)


def leading(held: LoadedDocument, words: str) -> list[str]:
    at = unit(held, words)
    return [held.document.text[start:end] for start, end in lead_ins(held, at, at)]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("(a) for late delivery", [DAMAGES]),
        ("(b) for defective", [DAMAGES]),
        ("(i) the cost of repair", [DAMAGES, "(b) for defective Goods:"]),
        ("(ii) the cost of transport", [DAMAGES, "(b) for defective Goods:"]),
        ("The Buyer may set off", []),
        ("2.1 In each", []),
        ("3.1 The Exit Fee", []),
        ("(ii) let the Buyer", ["3.2 The Supplier shall"]),
        ("(iii) keep them", ["3.2 The Supplier shall"]),
        ("4.1 pay the price", ["During the term of this Agreement the Buyer shall:"]),
        ("4.2 insure", ["During the term of this Agreement the Buyer shall:"]),
        ("(a) This Agreement is governed", []),
        ("1. Bolts", []),
    ],
)
def test_an_item_carries_what_leads_into_it(held: LoadedDocument, words: str, expected: list[str]) -> None:
    assert leading(held, words) == expected


@pytest.mark.parametrize(
    ("text", "words", "expected"),
    [
        ("1. RENT\nThe Tenant shall pay:\nthe rent on every quarter day;\nthe service charge.", "the rent on", 1),
        ("1. RENT\nThe Tenant shall pay:\n\nRent: 500 pounds in each month", "Rent: 500", 1),
        ("1. RENT\nThe Tenant pays rent.\n2. USE\n(a) as an office of the firm;\n(b) as a shop.", "(a) as an", 0),
        (
            "1. EVENTS\nAn event is: " + "".join(f"({letter}) one of the many events; " for letter in "abcdefgh")
            + "(i) the ninth of the events; and (j) the last of all these events.",
            "(i) the ninth",
            1,
        ),
    ],
)  # fmt: skip
def test_lists_of_other_kinds(text: str, words: str, expected: int) -> None:
    assert len(leading(loaded(text), words)) == expected


def test_what_the_hit_holds_does_not_lead_into_it(held: LoadedDocument) -> None:
    first, last = unit(held, "2.1 In each"), unit(held, "(ii) the cost of transport")
    assert lead_ins(held, first, last) == ()
    assert len(lead_ins(held, first + 1, last)) == 1


def test_of_a_long_lead_in_the_end_is_taken() -> None:
    held = loaded(
        "1. RENT\nThe Tenant, " + "being of sound mind, " * 60 + "shall pay:\n(a) the rent;\n(b) interest on it."
    )
    at = unit(held, "(b)")
    [(start, end)] = lead_ins(held, at, at)
    assert end - start <= LONGEST
    assert held.document.text[start:end].startswith("being")
    assert held.document.text[start:end].endswith("shall pay:")


@pytest.mark.parametrize(
    ("words", "first", "last"),
    [
        ("'Exit Fee' shall mean", "'Exit Fee'", "$250,000."),
        ("2.1 In each", "2.1 In each", "2.1 In each"),
        ("(b) for defective", "(b) for", "(ii) the cost of transport"),
        ("3.2 The Supplier", "3.2 The", "(iii) keep them"),
        ("(ii) let the Buyer", "(ii) let", "(ii) let"),
        ("(a) for late", "(a) for", "(a) for"),
        ("The Buyer may set off", "The Buyer may", "The Buyer may"),
        ("(a) This Agreement", "(a) This", "(a) This"),
    ],
)
def test_what_is_plainly_unfinished_is_completed(held: LoadedDocument, words: str, first: str, last: str) -> None:
    at = unit(held, words)
    assert completed(held, at, at) == (unit(held, first), unit(held, last))


@pytest.mark.parametrize(
    ("lines", "at", "run"),
    [
        (["The fee for an early exit is", "$250,000 in each of the cases."], 0, (0, 1)),
        (["The fee for an early exit is", "$250,000 in each of the cases."], 1, (0, 1)),
        (["‘Exit Fee’ shall mean", "$250,000 in cash."], 1, (0, 1)),
        (["‘Exit Fee’ shall mean", "$250,000 in cash."], 0, (0, 1)),
        (["The fee for an early exit of the tenant", "shall be paid on the first day."], 0, (0, 1)),
        (["WHEREAS, the Buyer makes bolts; and", "WHEREAS, the Supplier makes nuts."], 0, (0, 0)),
        (["WHEREAS, the Buyer makes bolts; and", "WHEREAS, the Supplier makes nuts."], 1, (1, 1)),
        (["The fee is due on the first day.", "The rent is due on the last day."], 0, (0, 0)),
    ],
)
def test_lines_of_one_sentence_belong_together(lines: list[str], at: int, run: tuple[int, int]) -> None:
    assert completed(lines_loaded(*lines), at, at) == run


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("3.1 The Exit Fee", ["Exit Fee"]),
        ("(ii) let the Buyer", ["Buyer"]),
        ("“Goods” means", []),
        ("4.1 pay the price", ["Goods"]),
        ("(a) This Agreement", ["Agreement"]),
    ],
)
def test_terms_lead_to_the_units_that_define_them(held: LoadedDocument, words: str, expected: list[str]) -> None:
    at = unit(held, words)
    terms = terms_used(held, held.units.edges(at))
    assert [term.term for term in terms] == expected
    for term, start, end in terms:
        assert term in held.document.text[start:end]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("3.1 The Exit Fee", {"§ 2.1(a)": "(a) for late delivery", "Schedule A": "SCHEDULE A - GOODS"}),
        ("3.3 Interest", {}),
        ("(b) Notices", {"§ 3.2": "3.2 The Supplier", "§ 4.1": "4.1 pay"}),
        ("The Buyer may set off", {}),
    ],
)
def test_references_lead_to_provisions_of_the_same_document(
    held: LoadedDocument, words: str, expected: dict[str, str]
) -> None:
    found = references(held, held.units.edges(unit(held, words)))
    assert {label: held.document.text[start:][: len(expected.get(label, ""))] for label, start, _ in found} == expected


@pytest.mark.parametrize("said", ["this Section 1.1", "Section 12.4", "Section 409A of the Code", "Code Section 1.2"])
def test_what_is_no_provision_of_this_document_is_no_reference(said: str) -> None:
    held = loaded(
        f"1. RENT\n1.1 The rent is due under {said} in advance.\n1.2 The rent is due.\n2. USE\n2.1 As an office."
    )
    assert references(held, held.units.edges(0)) == ()


@pytest.mark.parametrize(
    ("line", "bare"),
    [
        ("By: John Smith", True),
        ("Title: Director of Acme Ltd", True),
        ("Section 4.2 Limitation of Liability ........ 17", True),
        ("Source: ACME INC, 10-K, 3/31/2010", True),
        ("Page 3 of 12", True),
        ("TABLE OF CONTENTS", True),
        ("5.9. Governing Law; Submission to Jurisdiction.", True),
        ("Term: 5 years", False),
        ("$250,000 in cash", False),
        ("The rent is due monthly.", False),
        ("(a) for late delivery, 1% of the price;", False),
        ("Governing Law: New York", False),
    ],
)
def test_headings_and_signatures_answer_nothing(line: str, bare: bool) -> None:
    held = lines_loaded(line)
    assert is_mere_heading(held, 0) is bare


@pytest.mark.parametrize(
    ("line", "refers"),
    [
        ("The fees are as set forth in Section 5.", True),
        ("“Exit Fee” has the meaning given to it in Section 5.2(a).", True),
        ("The rent shall be determined in accordance with Schedule B hereto.", True),
        ("The rent of $500 is payable as set forth in Section 5.", False),
        ("Subject to Section 5, the Tenant may assign this lease.", False),
        ("The Tenant shall insure the Premises against fire as provided in Article 10.", False),
        ("The rent is due monthly.", False),
    ],
)
def test_a_mere_reference_is_known(line: str, refers: bool) -> None:
    held = lines_loaded(line)
    assert only_refers(held, 0, 0) is refers


def test_spans_are_slices_in_order_that_do_not_overlap(held: LoadedDocument) -> None:
    units, text = held.units, held.document.text
    for at in range(len(units)):
        first, last = completed(held, at, at)
        start, end = int(units.starts[first]), int(units.ends[last])
        assert at - MOST_UNITS <= first <= at <= last <= at + MOST_UNITS
        assert first == last == at or end - start <= LONGEST_RUN
        before = 0
        leading = lead_ins(held, first, last)
        assert len(leading) <= MOST
        for left, right in leading:
            assert before <= left < right <= start
            assert right - left <= LONGEST
            assert text[left:right].strip() == text[left:right]
            before = right
        for _, left, right in (*terms_used(held, (start, end)), *references(held, (start, end))):
            assert 0 <= left < right <= len(text)
            assert right <= start or left >= end


def test_items_with_roman_points_carry_what_leads_into_them() -> None:
    text = (
        "SEPARATION AGREEMENT\n\n2. BENEFITS\n\nThe Company shall pay to the Executive the following benefits:\n\n"
        "i. a severance payment of $828,800;\n\nii. the premiums of his health insurance; and\n\n"
        "iii. the costs of tax preparation up to $15,000.\n"
    )
    held = loaded(text)
    for item in ("i. a severance", "ii. the premiums", "iii. the costs"):
        assert leading(held, item) == ["The Company shall pay to the Executive the following benefits:"]
