"""A sentence that goes on in the next line has no headings inside it: clauses in capitals, references, addresses."""

import json
from pathlib import Path

import pytest

from pincite.documents.hidden import with_hidden
from pincite.segment import Clauses
from pincite.segment.lines import FULL_LINE, ends_small
from pincite.segment.outline import Outline, headings, paragraphs, shown_divisions
from pincite.segment.shown_document import ShownDocument
from pincite.segment.unfinished import is_unfinished
from pincite.text import Document

WRAPPED = """MOORING AGREEMENT

SECTION 1.  BERTH.

1.1     Use.  The harbour company lets the berth to the owner for the season, and the
owner keeps the vessel there at her own risk, subject to the rules of the harbour.

{first}

SECTION 2.  FEES.

2.1     Amount.  The owner pays the fee that the harbour company publishes every spring
on its board, in two parts, the first of them before the vessel comes to the berth.

{second}

SECTION 3.  END.

3.1     Notice.  Either side may end this agreement with a notice of four weeks, which
has to be given in writing and which must reach the other side before the autumn.

3.2     Removal.  The owner takes the vessel away within ten days of the end of this
agreement and leaves the berth as clean as she found it on the day of her arrival.
"""
CLAUSE = """1.2     INDEMNITY.  THE OWNER SHALL PROTECT, INDEMNIFY,
DEFEND, AND SAVE THE HARBOUR COMPANY, ITS PILOTS, AND EACH OF ITS
DIVERS HARMLESS FROM ALL CLAIMS, DEMANDS, LIABILITIES, COSTS, AND
CHARGES FOR DAMAGE TO ANY OTHER VESSEL, WHICH CALCULATION IS

CONCLUSIVE AND BINDING ABSENT MANIFEST ERROR OF THE HARBOUR
COMPANY."""
LETTERED = """(a)      AS USED IN THIS SECTION: (I) "KEEPER" MEANS
OWNER AND (WHERE THERE IS ONE) EACH CHARTERER OF THE VESSEL; (II)
"GUEST" MEANS EACH PERSON ON BOARD, EACH DIVER, EACH PILOT
OF THE HARBOUR COMPANY, ANY OF THEIR HELPERS OR SUPPLIERS; AND (III)
"LOSS" MEANS ALL PRESENT AND FUTURE DAMAGE TO THE BERTH."""
REFERENCES = """1.2     Entry.  The vessel may enter the berth when all of the conditions in
SECTION 6 have been met.  Her length is stated on the most recently amended
SCHEDULE 1.

1.3     Papers.  The papers of the vessel are kept as described in the attached
EXHIBIT B.

1.4     Pension.  No plan of the owner's crew is subject to the rules of the
Section 4975 of the Harbour Pension Code, or to any other rule of that kind."""
ADDRESSES = """1.2     Notices.  All notices go to the persons below.

HARBOUR WORKS LIMITED
45 North Quay Street
Attention: Ms. Ida Marsh
Fax: 555 753 1319

1.3     Copies.  A copy of each notice is kept at the office of the harbour company,
and is shown to the owner on demand."""


def outline(first: str, second: str = "") -> list[str]:
    """The headings of the wrapped agreement below its title."""
    return [heading.text for heading in headings(Document("d", WRAPPED.format(first=first, second=second)))]


@pytest.mark.parametrize(
    ("clause", "numbers"),
    [
        (CLAUSE, ["1.2 INDEMNITY"]),
        (LETTERED, []),
        (REFERENCES, ["1.2 Entry", "1.3 Papers", "1.4 Pension"]),
        (ADDRESSES, ["1.2 Notices", "1.3 Copies"]),
    ],
)
def test_what_goes_on_with_a_sentence_is_no_heading(clause: str, numbers: list[str]) -> None:
    inside = ["SECTION 1. BERTH", "1.1 Use", *numbers, "SECTION 2. FEES"]
    assert [found.rstrip(".") for found in outline(clause)][: len(inside)] == inside


@pytest.mark.parametrize("clause", [CLAUSE, LETTERED, REFERENCES, ADDRESSES])
def test_nothing_of_such_a_clause_is_lost(clause: str) -> None:
    document = Document("d", WRAPPED.format(first=clause, second=""))
    found = " ".join(" ".join(document.text[unit.start : unit.end].split()) for unit in Clauses()(document))
    for line in clause.splitlines():
        last = " ".join(line.split()[-3:])
        assert last in found, line


def test_references_change_no_pinpoint() -> None:
    document = Document("d", WRAPPED.format(first=REFERENCES, second="2.2     Late.  Interest is due on fees."))
    paths = {document.text[unit.start : unit.end]: unit.heading_path for unit in Clauses()(document)}
    late = next(path for text, path in paths.items() if text.startswith("Interest is due"))
    assert late == ("SECTION 2. FEES.", "2.2 Late")


def test_tables_that_are_wider_than_the_text_leave_it_wrapped() -> None:
    row = "Boats of up to eight metres" + " " * 40 + "twelve crowns a day" + " " * 30 + "six a night\n"
    assert "DEFEND" not in " ".join(outline(CLAUSE, second=row))


def test_a_title_that_was_broken_in_two_is_one() -> None:
    body = "This Agreement is governed by the\nlaw of the harbour town, and each side goes\nto its courts.\n\n\n\n\n"
    text = "".join(f"{number}.\n\n\n{title}\n\n\n\n{body}" for number, title in enumerate(
        ("Berth", "Governing\nLaw", "Entire\nAgreement", "Notices", "Section\nHeadings"), start=1
    ))  # fmt: skip
    expected = ["1. Berth", "2. Governing Law", "3. Entire Agreement", "4. Notices", "5. Section Headings"]
    assert [found.text for found in headings(Document("d", text))] == expected


@pytest.mark.parametrize("title", ["THE FIRST SCHEDULE", "THE SCHEDULE", "EXHIBIT"])
def test_a_heading_may_end_with_the_name_of_a_part(title: str) -> None:
    text = (
        f"1. The trustees hold what is listed below for the heirs.\n\n{title}\nThe house in the lane with its garden.\n"
    )
    document = Document("d", text)
    assert title in [found.text for found in headings(document)]


def test_a_capital_title_does_not_swallow_the_sentence_behind_it() -> None:
    body = "The seller repairs what is broken, and the buyer sends it back in its box at her own cost. " * 3
    sentence = (
        "THERE ARE NO WARRANTIES WHICH EXTEND BEYOND THE DESCRIPTION OF THE BOAT AND THE BUYER ACCEPTS THIS, " * 2
    )
    text = f"1. PRICE. {body}\n\n2. DELIVERY. {body}\n\n3. LIMITED WARRANTY {sentence}whatever she was told.\n\n4. LAW. {body}"
    document = Document("d", text)
    shown = " ".join(document.text[unit.start : unit.end] for unit in Clauses()(document))
    assert "THERE ARE NO WARRANTIES" in shown


def inside_sentences(document: Document) -> list[str]:
    """The headings of a document that go on with the sentence before them: the paragraph above is text and breaks off
    at a word after which no sentence ends, or at a full line that ends with a small word."""
    whole = with_hidden(document)
    shown = ShownDocument.of(whole)
    text, found = shown.document.text, []
    above = 0
    for block, body in paragraphs(shown.document, shown_divisions(whole, shown), Outline()):
        if body == block.end and above:
            gap = text.count("\n", above, block.start)
            line = text[text.rfind("\n", 0, above) + 1 : above].strip()
            is_full = gap == 1 and FULL_LINE[0] <= len(line) <= FULL_LINE[1] and ends_small(line, len(line))
            if is_full or is_unfinished(text, above, in_list=False):
                found.append(" ".join(text[block.start : body].split()))
        above = block.end if body < block.end and len(text[block.start : block.end].split()) > 5 else 0
    return found


MOST_INSIDE = {"real/edgar": 2, "legalbench-rag": 11}
"""Headings inside sentences that are left: cells of tables, and numbered provisions behind ones without a full stop."""


@pytest.mark.data
@pytest.mark.slow
@pytest.mark.parametrize("folder", sorted(MOST_INSIDE))
def test_hardly_any_heading_of_real_documents_stands_inside_a_sentence(data: Path, folder: str) -> None:
    if folder == "legalbench-rag":
        names = json.loads((data / folder / "splits.json").read_text(encoding="utf-8"))["train"]
        files = [data / folder / "corpus" / name for name in sorted(names)]
    else:
        files = sorted((data / folder).glob("*.txt"))
    found = [
        (path.name, heading)
        for path in files
        for heading in inside_sentences(Document(path.name, path.read_text(encoding="utf-8", errors="replace")))
    ]
    assert len(found) <= MOST_INSIDE[folder], found
