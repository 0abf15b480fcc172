"""Clause structure: headings, numbers, lists and lead-ins on the three layouts that contracts come in."""

import pytest
from hypothesis import given, settings

from pincite.documents import read_folder
from pincite.segment import Clauses
from pincite.text import Document, Source, Unit
from tests.conftest import SAMPLES
from tests.segment.properties import HARD, WILD, check

PLAIN = """CONFIDENTIALITY AGREEMENT
1. DEFINITIONS
1.1 "Affiliate" means any company under common control. It includes parents.
2. TERM
2.1 Survival. The obligations survive for three years.
2.2 The Recipient shall:
(a) keep the information secret;
(b) return all copies on request; and
(iv) tell nobody about it.
SCHEDULE A
Fees are payable within thirty days.
"""


def units(text: str) -> list[tuple[tuple[str, ...], str]]:
    document = Document("d", text)
    return [(unit.heading_path, text[unit.start : unit.end]) for unit in Clauses()(document)]


def test_units_are_sentences_and_items_with_their_headings() -> None:
    assert units(PLAIN) == [
        (("1. DEFINITIONS", "1.1"), '1.1 "Affiliate" means any company under common control.'),
        (("1. DEFINITIONS", "1.1"), "It includes parents."),
        (("2. TERM", "2.1 Survival"), "The obligations survive for three years."),
        (("2. TERM", "2.2"), "2.2 The Recipient shall:"),
        (("2. TERM", "2.2"), "(a) keep the information secret;"),
        (("2. TERM", "2.2"), "(b) return all copies on request; and"),
        (("2. TERM", "2.2"), "(iv) tell nobody about it."),
        (("SCHEDULE A",), "Fees are payable within thirty days."),
    ]


def test_items_know_what_led_into_them() -> None:
    document = Document("d", PLAIN)
    items = [unit for unit in Clauses()(document) if PLAIN[unit.start] == "("]
    assert len(items) == 3
    for item in items:
        assert item.lead_in
        assert PLAIN[slice(*item.lead_in)] == "2.2 The Recipient shall:"
    after = [unit for unit in Clauses()(document) if "Fees" in PLAIN[unit.start : unit.end]]
    assert after[0].lead_in is None


WRAPPED = """MASTER SERVICES AGREEMENT BETWEEN THE TWO COMPANIES NAMED ON THE COVER

1. PAYMENT

1.1 The Customer shall pay every invoice within thirty days after it has been
received, and interest shall be due on any sum that is paid late. The Supplier
may suspend the services while an invoice remains unpaid for sixty days.

1.2 All sums are exclusive of value added tax, which the Customer shall pay in
addition against a proper invoice, at the rate that applies on the date of
the supply.

2. LIABILITY

2.1 Neither party excludes its liability for fraud or for death or personal
injury caused by its negligence, whatever this agreement says elsewhere.
"""


def test_wrapped_lines_are_joined_and_headings_kept_apart() -> None:
    found = units(WRAPPED)
    assert [path[0] for path, _ in found] == ["1. PAYMENT"] * 3 + ["2. LIABILITY"]
    assert found[0][1].startswith("1.1 The Customer shall pay")
    assert found[0][1].endswith("paid late.")
    assert "\n" in found[0][1]


def test_a_blank_line_between_all_lines_changes_nothing() -> None:
    spaced = PLAIN.replace("\n", "\n\n")
    assert units(spaced) == units(PLAIN)


def test_a_document_of_one_line_is_cut_at_its_sentences_and_soft_breaks() -> None:
    clause = "The Supplier shall deliver the goods to the agreed place within the agreed time. "
    text = (
        "SUPPLY AGREEMENT    1. DELIVERY    "
        + clause * 12
        + "    2. PRICE    The price is fixed for the term. "
        + clause * 8
    )
    found = units(text)
    assert (("1. DELIVERY",), clause.strip()) in found
    assert (("2. PRICE",), "The price is fixed for the term.") in found


def test_page_furniture_is_left_out() -> None:
    page = "Acme / Bolt - Confidential\n\n{n}. Clause number {n} says something of its own.\n\nPage {n} of 9\n\n"
    found = units("".join(page.replace("{n}", str(number)) for number in range(1, 10)))
    assert len(found) == 9
    assert not any("Confidential" in text or "Page" in text for _, text in found)


def test_empty_signature_lines_are_left_out_and_short_units_join_a_neighbour() -> None:
    text = "The parties sign below.\n\nand\n\nThe witness signs too, on the same day.\n\nBy: ____________\nName:\nDate: ______\n"
    assert [found for _, found in units(text)] == [
        "The parties sign below.",
        "and\n\nThe witness signs too, on the same day.",
    ]


def test_a_short_unit_at_the_very_start_joins_what_follows() -> None:
    assert units("draft only\n\nTERM\n\nThe term is two years. It may be renewed.")[0] == (
        (),
        "draft only\n\nTERM\n\nThe term is two years.",
    )


@pytest.mark.parametrize("document", read_folder(SAMPLES / "corpus").documents, ids=lambda d: d.id)
def test_no_unit_of_the_samples_has_under_three_words(document: Document) -> None:
    for unit in Clauses()(document):
        assert len(document.text[unit.start : unit.end].split()) >= 3


def test_a_heading_is_never_joined_with_the_body_of_another_section() -> None:
    for document in read_folder(SAMPLES / "corpus").documents:
        for unit in Clauses()(document):
            text = document.text[unit.start : unit.end]
            assert "\n\n" not in text or len(text) > 90, (document.id, text)


def test_units_of_the_samples_match_most_gold_spans() -> None:
    from pincite.evaluate import read_benchmark

    documents = {document.id: document for document in read_folder(SAMPLES / "corpus").documents}
    edges = {name: {(unit.start, unit.end) for unit in Clauses()(document)} for name, document in documents.items()}
    spans = [
        span
        for question in read_benchmark(SAMPLES / "benchmarks" / "contracts.json").questions
        for span in question.gold
    ]
    ends = sum(any(span.end == end for _, end in edges[span.document]) for span in spans)
    assert ends / len(spans) > 0.85


@given(text=WILD)
@settings(max_examples=150, deadline=None)
def test_offsets_and_order_hold_on_wild_text(text: str) -> None:
    check(Clauses(), text)
    found = list(Clauses()(Document("d", text)))
    for unit in found:
        assert len(found) == 1 or len(text[unit.start : unit.end].replace("\ufeff", " ").split()) >= 3
        assert isinstance(unit, Unit)
        assert unit.clause
        assert unit.clause[0] <= unit.start <= unit.end <= unit.clause[1]


@pytest.mark.parametrize("name", HARD)
def test_offsets_and_order_hold_on_hard_text(name: str) -> None:
    check(Clauses(), HARD[name])


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("No structure at all, just one sentence", 1),
        ("ONLY HEADINGS HERE\n\nAND ANOTHER ONE HERE\n\n", 2),
        ("Der Mieter zahlt die Miete monatlich. Haustiere sind nicht erlaubt.", 2),
        ("", 0),
    ],
)
def test_odd_documents_still_give_units(text: str, count: int) -> None:
    assert len(units(text)) == count


def test_headings_that_the_format_marks_are_headings() -> None:
    text = "privacy\n\nthe things we keep about you\n\nWe keep your name.\n\nhow long\n\n1. We keep it for a year."
    source = Source(headings=((0, 1), (text.index("the things"), 2), (text.index("how long"), 2)))
    found = [(unit.heading_path, text[unit.start : unit.end]) for unit in Clauses()(Document("a", text, source=source))]
    assert found == [
        (("the things we keep about you",), "We keep your name."),
        (("how long", "1."), "1. We keep it for a year."),
    ]


def test_a_single_heading_at_the_top_is_the_title_and_not_the_root() -> None:
    text = "Our policy\n\nWe keep your name.\n\nhow long\n\n1. We keep it for a year."
    source = Source(headings=((0, 1), (text.index("how long"), 2)))
    found = [unit.heading_path for unit in Clauses()(Document("a", text, source=source))]
    assert found == [(), ("how long", "1.")]


@pytest.mark.parametrize(
    "sentence",
    [
        "THIS AGREEMENT SHALL BE GOVERNED BY THE LAWS OF TEXAS",
        "THE SUPPLIER'S LIABILITY IS LIMITED TO THE FEES PAID.",
        "IN NO EVENT WILL EITHER PARTY BE LIABLE FOR LOST PROFITS",
    ],
)
def test_a_sentence_in_capitals_is_text(sentence: str) -> None:
    text = f"1. TERM\n\nIt lasts ten years.\n\n{sentence}\n\n2. RENT\n\nIt is due monthly."
    assert (("1. TERM",), sentence) in units(text)


def test_a_paragraph_in_capitals_over_several_lines_is_one_paragraph() -> None:
    shout = "EXCEPT AS STATED ABOVE THE SOFTWARE IS PROVIDED WITHOUT WARRANTY OF\nANY KIND AND THE CUSTOMER USES IT AT ITS OWN"
    text = WRAPPED + f"\n3. WARRANTY\n\n{shout}\nRISK.\n"
    assert (("3. WARRANTY",), f"{shout}\nRISK.") in units(text)


def test_a_sentence_that_the_format_marks_as_a_heading_is_also_a_unit() -> None:
    cap = "The total liability of the supplier shall not exceed the fees paid"
    text = f"Liability\n\n{cap}\n\nTerm\n\nIt lasts ten years."
    source = Source(headings=((0, 1), (text.index(cap), 2), (text.index("Term"), 1)))
    found = [(unit.heading_path, text[unit.start : unit.end]) for unit in Clauses()(Document("a", text, source=source))]
    assert found == [(("Liability", cap), cap), (("Term",), "It lasts ten years.")]


def test_a_heading_in_capitals_stays_open_above_numbered_paragraphs() -> None:
    text = "1. SALE\n\nIt is sold.\n\nPRICE\n\n1.1 It is paid at once.\n\n2. LAW\n\nThe law of Texas applies."
    assert (("1. SALE", "PRICE", "1.1"), "1.1 It is paid at once.") in units(text)


def test_signatures_are_under_no_heading() -> None:
    text = (
        "1. TERM\n\nIt lasts ten years.\n\n2. LAW\n\nTexas law.\n\nIN WITNESS WHEREOF, the parties have signed below."
    )
    assert units(text)[-1] == ((), "IN WITNESS WHEREOF, the parties have signed below.")


def test_rows_of_a_table_know_its_header() -> None:
    text = "1. FEES\n\nItem | Price | Due\nHosting | 100 euro | monthly\nSupport | 50 euro | yearly\n\n2. LAW\n\nTexas law applies."
    rows = [unit for unit in Clauses()(Document("d", text)) if "euro" in text[unit.start : unit.end]]
    assert [text[slice(*row.lead_in)] for row in rows if row.lead_in] == ["Item | Price | Due"] * 2
