"""Answers on a terminal and without one: every span is marked, what stands beside a hit is said, a document that is only
named is shown at a glance, and hits of several documents stand under each."""

import csv
import io
import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from pincite.cli.search import Format
from pincite.cli.show import open_at, print_answers, show_answer
from pincite.documents import read_folder
from pincite.index import Index
from pincite.query.asked import Asked
from pincite.query.reference import DocumentMatch, ParsedQuery
from pincite.search.answer import Answer
from pincite.search.overview import Overview
from pincite.segment.outline import Heading
from pincite.text import Document, Hit, Part, Passage
from pincite.text.document import DocumentKey
from pincite.text.hit import DefinedTerm, SectionReference
from tests.conftest import SAMPLES

TEXT = "SUPPLY\n\nThe Supplier shall pay:\n(a) interest;\n(b) for late delivery, 1% as set forth in Section 5.2."
LEAD = (TEXT.index("The"), TEXT.index(":") + 1)
HIT = Hit.of(
    Document("supply.txt", TEXT, "SUPPLY"),
    (TEXT.index("(b)"), len(TEXT)),
    ("5. DAMAGES",),
    1.5,
    1,
    {"unit": Part(0.5, 1)},
    lead_ins=(LEAD,),
    terms=(DefinedTerm("Supplier", 8, 20),),
    refers_to=(SectionReference("§ 5.2", 100, 140),),
    also=(Passage("copy.txt", 3, 9), Passage("old.txt", 30, 90)),
    why=("names the agreement", "mentions 'late delivery'"),
)
ANSWER = Answer("What is due for late delivery?", (HIT,))


def shown(
    answer: Answer = ANSWER, *, explain: bool = False, terminal: bool = False, width: int = 200, height: int = 40
) -> str:
    console = Console(file=io.StringIO(), width=width, height=height, force_terminal=terminal, highlight=False)
    show_answer(answer, console, explain=explain)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def test_what_leads_in_is_shown_before_the_answer_and_each_span_is_marked() -> None:
    assert "»The Supplier shall pay:« [...] »(b) for late delivery, 1% as set forth in Section 5.2.«" in shown()


def test_spans_that_touch_have_no_dots_between() -> None:
    first = replace(HIT, passage=Passage("supply.txt", TEXT.index("(a)"), TEXT.index("(b)") - 1), text="(a) interest;")
    assert "»The Supplier shall pay:« »(a) interest;«" in shown(Answer("interest?", (first,)))


def test_a_terminal_has_colours_and_no_marks() -> None:
    found = shown(terminal=True)
    assert "»" not in found
    assert "\x1b[2;4mThe Supplier shall pay:" in found
    assert "[...]" in found


def test_references_and_repeats_are_named() -> None:
    found = shown()
    assert "see § 5.2 (characters 100-140)" in found
    assert "also at copy.txt, characters 3-9; old.txt, characters 30-90" in found
    assert "defined" not in found
    assert "names the agreement" not in found


def test_reasons_in_words_come_before_the_numbers() -> None:
    found = shown(explain=True)
    assert "why: names the agreement; mentions 'late delivery'" in found
    assert "“Supplier” is defined at characters 8-20" in found
    assert found.index("why:") < found.index("score 1.5000") < found.index("unit")


def test_a_hit_without_more_looks_as_before() -> None:
    plain = Hit.of(HIT.document, (HIT.start, HIT.end), (), 1.5, 1, {})
    found = shown(Answer("late?", (plain,)))
    assert found.count("»") == 1
    assert not any(word in found for word in ("[...]", "see ", "also at"))


def test_data_has_all_spans(capsys: pytest.CaptureFixture[str]) -> None:
    print_answers([ANSWER], Format("csv"))
    [row] = csv.DictReader(io.StringIO(capsys.readouterr().out))
    assert row["spans"] == f'[[8, 31, "lead-in"], [{HIT.start}, {HIT.end}, "answer"]]'
    assert row["text"] == HIT.text
    print_answers([ANSWER], Format("plain"))
    assert "The Supplier shall pay: [...] (b) for late delivery" in capsys.readouterr().out


def test_a_document_is_opened_with_every_span_marked(capsys: pytest.CaptureFixture[str]) -> None:
    open_at(HIT)
    printed = capsys.readouterr().out
    assert "»The Supplier shall pay:«\n(a) interest;\n»(b) for late" in printed
    assert printed.replace("»", "").replace("«", "") == TEXT + "\n"


# Citations


@pytest.mark.parametrize("width", [80, 120])
def test_every_hit_has_its_citation_on_a_line_of_its_own(width: int) -> None:
    known = {"short_parties": "Halden; Orrick Sails"}
    hits = tuple(
        Hit.of(
            Document("deals/supply.txt", TEXT, "SUPPLY AGREEMENT", known), (HIT.start, HIT.end), (path,), 1.5, rank, {}
        )
        for rank, path in enumerate(("5. DAMAGES", "SCHEDULE A - FEES"), start=1)
    )
    lines = [line.rstrip() for line in shown(Answer("late?", hits), width=width).splitlines()]
    assert "1. Halden–Orrick Sails Supply Agreement § 5" in lines
    assert "2. Halden–Orrick Sails Supply Agreement, Schedule A" in lines
    assert lines[lines.index("1. Halden–Orrick Sails Supply Agreement § 5") + 1].startswith("   deals/supply.txt, char")


def test_a_long_citation_is_wrapped_below_itself() -> None:
    titled = Hit.of(Document("a.txt", TEXT, "Deed of " + "Variation and " * 8 + "Release"), (8, 20), (), 1.5, 1, {})
    lines = shown(Answer("late?", (titled,)), width=60).splitlines()
    assert lines[1].startswith("1. Deed of Variation")
    assert lines[2].startswith("   ")
    assert all(len(line) <= 60 for line in lines)


# Notes


READ = "read 'pionear' as 'pioneer'"
WHICH = "which one is meant? a.txt or b.txt fit alike"


def test_notes_stand_between_the_question_and_the_hits() -> None:
    found = shown(replace(ANSWER, notes=(READ, "another")))
    assert found.index(ANSWER.query) < found.index(READ) < found.index("note: another") < found.index("1. Supply § 5")


def test_a_note_that_asks_which_document_is_meant_stands_out() -> None:
    found = shown(replace(ANSWER, notes=(WHICH,)), terminal=True)
    assert f"\x1b[1;33m{WHICH}" in found
    assert "add --document" in found
    assert "add --document" not in shown(replace(ANSWER, notes=(READ,)))


def test_notes_are_on_standard_error_and_for_people_on_standard_output_too(capsys: pytest.CaptureFixture[str]) -> None:
    for form in Format:
        print_answers([replace(ANSWER, notes=(READ,))], form)
        printed = capsys.readouterr()
        assert printed.err == f"note: {READ}\n"
        assert printed.out.count(READ) == (form in (Format.rich, Format.jsonl))  # an object of JSON has its notes


@pytest.mark.parametrize(("form", "count"), [("rich", 1), ("plain", 1), ("csv", 1)])
def test_notes_are_said_once_where_both_streams_go_to_the_same_place(form: str, count: int) -> None:
    program = (
        "from pincite.cli.search import Format; from pincite.cli.show import print_answers;"
        "from pincite.search.answer import Answer;"
        f"print_answers([Answer('q', notes=({READ!r},))], Format({form!r}))"
    )
    command = [sys.executable, "-c", program]
    both = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=True, text=True)
    assert both.stdout.count(READ) == count
    apart = subprocess.run(command, capture_output=True, check=True, text=True)
    assert apart.stderr == f"note: {READ}\n"
    assert apart.stdout.count(READ) == (form == "rich")


# A document at a glance


OUTLINE = (Heading(0, "1. DAMAGES", 31), Heading(1, "Late\ndelivery", 46), Heading(1, "1.2", 70))
GLANCE = replace(
    ANSWER,
    overview=Overview("supply.txt", "Supply", {"kind": "supply agreement", "parties": "ACME LTD; BORO PLC"}, OUTLINE),
)


def test_a_document_at_a_glance_has_its_facts_its_outline_and_then_its_hits() -> None:
    lines = [line.rstrip() for line in shown(GLANCE, width=80).splitlines()]
    at = lines.index("Supply  supply.txt")
    assert lines[at + 1 : at + 3] == ["  kind     supply agreement", "  parties  Acme Ltd; Boro PLC"]
    assert [line.split() for line in lines[at + 4 : at + 6]] == [["1.", "DAMAGES", "31"], ["Late", "delivery", "46"]]
    assert lines[at + 5].startswith("    Late")
    assert lines[at + 6] == "  and 1 more heading"
    assert at < next(place for place, line in enumerate(lines) if line.startswith("1. Supply § 5"))


def test_offsets_of_the_outline_are_dimmed() -> None:
    assert "\x1b[2m31\x1b[0m" in shown(GLANCE, terminal=True)


@pytest.mark.parametrize(("height", "first", "second"), [(24, 30, 0), (60, 10, 60), (24, 2, 40), (5, 3, 3)])
def test_an_outline_is_at_most_a_screenful(height: int, first: int, second: int) -> None:
    outline = [Heading(0, f"{at}. ARTICLE", at) for at in range(first)]
    outline += [Heading(1, f"Clause {at}", 100 + at) for at in range(second)]
    overview = Overview("a.txt", "A", {}, tuple(outline))
    lines = shown(Answer("a", overview=overview), terminal=True, height=height).splitlines()
    listed = [line for line in lines if "ARTICLE" in line or "Clause" in line]
    assert 0 < len(listed) <= max(height - 10, 8)
    more = first + second - len(listed)
    assert any(f"and {more} more heading" in line for line in lines) == (more > 0)


def test_a_long_heading_keeps_to_its_line() -> None:
    overview = Overview("a.txt", "A", {}, (Heading(0, "WORDS " * 40, 12345),))
    [line] = [line for line in shown(Answer("a", overview=overview), width=80).splitlines() if "WORDS" in line]
    assert "12345" in line
    assert len(line) <= 80


def test_an_overview_has_no_control_characters() -> None:
    overview = Overview("a\x1b.txt", "A\x1b[31m", {"kind": "\x1b]0;x"}, (Heading(0, "H\x1b[2J", 1),))
    assert "\x1b" not in shown(Answer("a", overview=overview))


# Hits by document


def hit_in(name: str, rank: int) -> Hit:
    return Hit.of(Document(name, TEXT, f"TITLE OF {name}"), (HIT.start, HIT.end), ("5. DAMAGES",), 1.0, rank, {})


SEVERAL = (hit_in("a.txt", 1), hit_in("b.txt", 2), hit_in("a.txt", 3))
NAMED = ParsedQuery("late?", documents=(DocumentMatch(DocumentKey("0", "a.txt"), 1.0, "named by: a"),))


@pytest.mark.parametrize(
    ("hits", "understood", "is_grouped"),
    [
        (SEVERAL, ParsedQuery("late?"), True),
        (SEVERAL, NAMED, False),
        (SEVERAL, replace(NAMED, asked=Asked(across=True)), True),
        (SEVERAL[:1], ParsedQuery("late?"), False),
        (SEVERAL[:1], ParsedQuery("late?", asked=Asked(across=True)), True),
        ((), ParsedQuery("late?", asked=Asked(across=True)), False),
    ],
)
def test_hits_stand_under_their_documents_where_several_are_asked(
    hits: tuple[Hit, ...], understood: ParsedQuery, is_grouped: bool
) -> None:
    lines = [line.rstrip() for line in shown(Answer("late?", hits, understood)).splitlines()]
    heads = [line for line in lines if line.startswith("TITLE OF")]
    ranks = [int(line[0]) for line in lines if line[1:3] == ". "]
    if is_grouped:
        assert heads == [f"TITLE OF {name}  {name}" for name in dict.fromkeys(hit.document_id for hit in hits)]
        assert ranks == sorted((hit.rank for hit in hits), key=lambda rank: (hits[rank - 1].document_id, rank))
        assert f"   characters {HIT.start}-{HIT.end}" in lines
    else:
        assert heads == []
        assert ranks == [hit.rank for hit in hits]


def test_data_keeps_its_order(capsys: pytest.CaptureFixture[str]) -> None:
    answer = Answer("late?", SEVERAL, ParsedQuery("late?", asked=Asked(across=True)))
    print_answers([answer], Format("json"))
    assert [hit["rank"] for hit in json.loads(capsys.readouterr().out)] == [1, 2, 3]
    print_answers([answer], Format("csv"))
    assert [row["rank"] for row in csv.DictReader(io.StringIO(capsys.readouterr().out))] == ["1", "2", "3"]
    print_answers([answer], Format("plain"))
    ranks = [line[0] for line in capsys.readouterr().out.splitlines() if "\t" in line]
    assert ranks == ["1", "2", "3"]


# The sample contracts


@pytest.fixture(scope="module")
def contracts() -> Iterator[Index]:
    documents = read_folder(Path(SAMPLES / "corpus")).documents
    with Index.create(":memory:") as index:
        index.add_documents(documents, vectors="none")
        yield index


@pytest.mark.parametrize(
    ("question", "lines"),
    [
        (
            "Garnet Quay lease",
            ["Lease of Office Premises  contracts/lease-14-garnet-quay-2019.txt", "  kind     lease"],
        ),
        (
            "servce chrage cap in the garnet quey lease",
            ["  note: read 'quey' as 'quay'", "   PART 5 - SERVICE CHARGE > 5.4"],
        ),
    ],
)
def test_real_answers_are_shown_so(contracts: Index, question: str, lines: list[str]) -> None:
    found = shown(contracts.search(question, fast=True), width=80)
    assert all(len(line) <= 80 for line in found.splitlines())
    assert set(lines) <= {line.rstrip() for line in found.splitlines()}


def test_a_real_question_about_several_documents_names_each_once(contracts: Index) -> None:
    answer = contracts.search("which agreements restrict hiring staff?", fast=True)
    lines = [line.rstrip() for line in shown(answer).splitlines()]
    assert len(answer.groups) > 1
    for group in answer.groups:
        assert lines.count(f"{group.hits[0].title}  {group.document}") == 1
