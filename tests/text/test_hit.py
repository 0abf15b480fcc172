"""A hit with several spans: every span is a slice of the document's text, and old shapes stay."""

import pytest

from pincite.text import Document, Hit, Passage, Source
from pincite.text.hit import AnswerSpan, DefinedTerm, SectionReference

TEXT = "The Supplier shall pay:\n(a) for late delivery, 1%;\n(b) for defects, 2%."
DOCUMENT = Document("supply.txt", TEXT, "SUPPLY AGREEMENT")
LEAD = (0, 23)
LATE = (24, 50)
DEFECTS = (51, len(TEXT))


def hit(edges: tuple[int, int], lead_ins: tuple[tuple[int, int], ...] = ()) -> Hit:
    return Hit.of(DOCUMENT, edges, ("5. DAMAGES",), 1.5, 1, {}, lead_ins=lead_ins)


def test_a_hit_without_more_has_one_span() -> None:
    found = hit(LATE)
    assert found.spans == [AnswerSpan(*LATE, "answer")]
    assert found.whole == found.shown == found.text == "(a) for late delivery, 1%;"
    assert (found.lead_ins, found.terms, found.refers_to, found.also, found.why) == ((), (), (), (), ())


@pytest.mark.parametrize(
    ("edges", "whole"),
    [
        (LATE, "The Supplier shall pay:\n(a) for late delivery, 1%;"),
        (DEFECTS, "The Supplier shall pay: [...] (b) for defects, 2%."),
    ],
)
def test_spans_stand_in_the_order_of_the_text_and_dots_between_those_that_do_not_touch(
    edges: tuple[int, int], whole: str
) -> None:
    found = hit(edges, (LEAD,))
    assert found.spans == [AnswerSpan(*LEAD, "lead-in"), AnswerSpan(*edges, "answer")]
    assert found.whole == whole
    assert found.text == TEXT[slice(*edges)]


def test_running_matter_is_in_no_span_that_is_shown() -> None:
    text = "The Tenant shall\n12\npay:\nthe rent."
    document = Document("a", text, source=Source(hidden=((17, 20),)))
    found = Hit.of(document, (25, 34), (), 1.0, 1, {}, lead_ins=((0, 24),))
    assert found.whole == "The Tenant shall\npay:\nthe rent."


def test_the_shape_keeps_its_names_and_has_the_new_ones() -> None:
    found = Hit.of(
        DOCUMENT,
        DEFECTS,
        ("5. DAMAGES",),
        1.5,
        1,
        {},
        lead_ins=(LEAD,),
        terms=(DefinedTerm("Supplier", 4, 12),),
        refers_to=(SectionReference("§ 5.2", *LATE),),
        also=(Passage("other.txt", 3, 9),),
        why=("names the agreement",),
    )
    shape = found.to_dict()
    old = [
        "rank",
        "score",
        "document",
        "title",
        "page",
        "start",
        "end",
        "text",
        "pieces",
        "heading_path",
        "parts",
        "citation",
    ]
    assert list(shape) == [
        *old,
        "spans",
        "terms",
        "refers_to",
        "also",
        "why",
        "page_label",
        "likelihood",
        "boxes",
        "metadata",
    ]
    assert shape["spans"] == [
        {"start": 0, "end": 23, "role": "lead-in", "text": "The Supplier shall pay:"},
        {"start": 51, "end": len(TEXT), "role": "answer", "text": "(b) for defects, 2%."},
    ]
    assert shape["terms"] == [{"term": "Supplier", "start": 4, "end": 12}]
    assert shape["refers_to"] == [{"label": "§ 5.2", "start": 24, "end": 50}]
    assert shape["also"] == [{"document": "other.txt", "start": 3, "end": 9}]
    assert shape["why"] == ["names the agreement"]
