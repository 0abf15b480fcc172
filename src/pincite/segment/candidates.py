"""Finds every number in a text that could open a division: ARTICLE III, Section 7, 7., IV., Exhibit B."""

import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from pincite.segment.lines import FULL_LINE, ends_small
from pincite.segment.numerals import numeral
from pincite.segment.titles import Shape, Title, title_at

MOST_CANDIDATES = 30_000
"""Candidates of a text that are looked at. No document has more divisions, whatever its size."""
WRAPPED_LINE = 200
"""Characters of a line up to which a number inside it is part of a sentence. Longer ones may have headings inside."""

ATTACHMENTS = frozenset({"exhibit", "schedule", "annex", "appendix", "attachment", "addendum"})
"""Keywords of what is attached to a document."""

BARE = "bare"
"""Style of numbers without a full stop before a sentence."""

_CANDIDATE = re.compile(
    r"""[0-9ACEPST§\[](?:
    (?<=[0-9])(?P<number>[0-9]{0,2})(?P<zero>\.00?)?(?:\\?[.)]|(?=[ \t\u00a0]+[A-Z]))(?=[\s*“"‘\[A-Z])
    |(?<=\[)(?P<paragraph>[0-9]{1,4})\](?=\s)(?!\s+[A-Z][A-Za-z]{1,7}\s+[0-9(])
    |(?:(?<=A)(?:RTICLE|rticle|RT\.|rt\.|NNEX|nnex|PPENDIX|ppendix|TTACHMENT|ttachment|DDENDUM|ddendum)
       |(?<=C)(?:HAPTER|hapter|LAUSE|lause)
       |(?<=E)(?:XHIBIT|xhibit)
       |(?<=P)(?:ART|art)
       |(?<=S)(?:ECTION|ection|EC\.|ec\.|CHEDULE|chedule)
       |(?<=T)(?:ITLE|itle)
       |(?<=§))
     (?P<gap>\s*)(?:NO\.\s*|No\.\s*)?["“‘'(\[]?
     (?P<numeral>[IVXLC]{1,7}|[0-9]{1,4}[A-Za-z]?|[A-Z]{1,2}(?:[-.]?[0-9]{1,2})?|[0-9]{1,2}-[0-9A-Z]{1,2}
       |(?:ONE|TWO|THREE|FOUR|FIVE|SIX|SEVEN|EIGHT|NINE|TEN|One|Two|Three|Four|Five|Six|Seven|Eight|Nine|Ten))
     (?![\w(&'’])(?!\.[0-9])["”’')\]]?[.:)]?
    )""",
    re.VERBOSE,
)
_LETTERED = re.compile(r"\n[ \t\u00a0]*(?:(?P<roman>[IVXL]{1,6})|(?P<letter>[A-Z]))\\?[.)](?=\s|$)")
_KEYWORDS = {"art.": "article", "sec.": "section", "§": "section", "clause": "section", "title": "part"}
_PART_LETTERS = frozenset("ABCDEFGH")
"""Letters that count parts: PART A, PART B."""
_ENDS_A_SENTENCE = frozenset('.;:!?”"’)]_*…|')
_NO_TITLES = ("EXHIBIT", "SCHEDULE", "ANNEX", "APPENDIX", "ARTICLE", "SECTION", "IN WITNESS")
_BLANKS = " \t\u00a0"
_REFERRING = frozenset(
    """in of to under and or by with see this per from on at the said such that pursuant through than a for as is Form
    Rule Act Code Section Sections Article Articles Exhibit Exhibits Schedule Schedules Paragraph Paragraphs paragraph
    paragraphs Clause Clauses clause clauses section sections Item Items Chapter Chapters Page Suite Part and/or No Nos
    Vol Tel Art Sec No. Nos. Vol. Tel. Art. Sec. Ex. cf. p.""".split()
)
"""Words before a number that make it a reference."""


class Place:
    """Where a number stands, and how clearly it opens something there."""

    REFERENCE = -1
    """Inside a sentence, after words such as "under Section"."""
    INSIDE = 0
    """Inside a long line, after a word."""
    TAIL = 1
    """Inside a short line, after a sentence."""
    SENTENCE = 2
    """Inside a long line, after a sentence."""
    BREAK = 3
    """After a run of blanks."""
    LINE = 4
    """At the start of a line."""
    PARAGRAPH = 5
    """After an empty line."""


class Candidate(NamedTuple):
    """A number that could open a division, with the title behind it."""

    start: int
    end: int
    """Offset where the number ends."""
    style: str
    value: int
    label: str
    """What distinguishes it from others of its style: "A-1" of "Exhibit A-1"."""
    place: int
    title: Title

    @property
    def weight(self) -> float:
        """How much it looks like a heading."""
        return _PLACE_WEIGHTS[self.place] + _SHAPE_WEIGHTS[self.title.shape]


_PLACE_WEIGHTS = (0.0, 0.5, 1.0, 2.0, 2.0, 2.5)
_SHAPE_WEIGHTS = {
    Shape.CAPITALS: 2.0, Shape.HEADING: 1.5, Shape.RUN_IN: 1.5, Shape.SENTENCE: 0.3, Shape.EMPTY: 0.0,
    Shape.LOWER: -0.5, Shape.CONTENTS: -2.0,
}  # fmt: skip


def candidates(text: str) -> list[Candidate]:
    """The candidates of a text in order of their start."""
    found = [*islice(_keyed_and_plain(text), MOST_CANDIDATES), *islice(_lettered(text), MOST_CANDIDATES)]
    return sorted(found, key=lambda candidate: candidate.start)


def _keyed_and_plain(text: str) -> Iterator[Candidate]:
    for match in _CANDIDATE.finditer(text):
        start = match.start()
        if start and (text[start - 1].isalnum() or text[start - 1] in "-.,$/(“\"‘'"):
            continue
        if match["numeral"] is not None:
            style = match.group()[: match.start("gap") - start].lower()
            style = _KEYWORDS.get(style, style)
            if not match["gap"] and style != "section":
                continue
            label = match["numeral"].upper()
            value = ord(label) - ord("A") + 1 if style == "part" and label in _PART_LETTERS else numeral(label)
            number_end = match.end()
        else:
            style = "paragraph" if match["paragraph"] else "number"
            label = match["paragraph"] or match.group()[0] + match["number"]
            value = int(label)
            number_end = match.end()
        if value is None or (value == 0 and style not in ATTACHMENTS):
            continue
        place = place_of(text, start)
        if place == Place.REFERENCE or (match["numeral"] and place == Place.LINE and _completes_line(text, start)):
            continue
        title = title_at(text, number_end)
        if title is None:
            continue
        is_bare = style == "number" and match.group()[-1] not in ".)" and not match["zero"]
        if is_bare and title.text.upper().startswith(_NO_TITLES):
            continue  # the number of a page
        if is_bare and (place < Place.BREAK or title.shape not in (Shape.CAPITALS, Shape.HEADING)):
            style = BARE
        if _is_possible(style, place, title, in_capitals=match.group()[:3].isupper()):
            yield Candidate(start, number_end, style, value, label, place, title)


def _is_possible(style: str, place: int, title: Title, *, in_capitals: bool) -> bool:
    """Whether the place of a number and what follows it allow a heading."""
    shape = title.shape
    if style == BARE:
        return place >= Place.LINE
    if shape is Shape.LOWER:
        return style == "number" and place == Place.PARAGRAPH
    if place == Place.TAIL:
        return shape in (Shape.CAPITALS, Shape.HEADING)
    if place == Place.INSIDE:
        return shape in (Shape.CAPITALS, Shape.RUN_IN) and (style == "number" or in_capitals)
    return True


def _lettered(text: str) -> Iterator[Candidate]:
    for match in _LETTERED.finditer(text):
        for style in ("roman", "letter"):
            label = match[style]
            if style == "letter" and label is None and len(match["roman"]) == 1:
                label = match["roman"]
            if label is None:
                continue
            value = numeral(label) if style == "roman" else ord(label) - ord("A") + 1
            start = match.start("roman") if match["roman"] else match.start("letter")
            title = title_at(text, match.end())
            if value and title is not None:
                yield Candidate(start, match.end(), style, value, label, place_of(text, start), title)


def place_of(text: str, start: int) -> int:
    """How clearly what starts there opens a line: after an empty line, a line break, a run of blanks, a sentence."""
    before = text[max(0, start - 60) : start]
    trimmed = before.rstrip(_BLANKS + "\n\ufeff*#>")
    gap = before[len(trimmed) :]
    if not trimmed and start <= 60:
        return Place.PARAGRAPH
    lines = gap.count("\n")
    refers = _refers(trimmed)
    if lines >= 2:
        return Place.LINE if refers and lines == 2 else Place.PARAGRAPH
    if refers:
        return Place.REFERENCE
    if lines:
        return Place.LINE
    if len(gap) >= 3:
        return Place.BREAK
    ends = trimmed[-1:] in _ENDS_A_SENTENCE
    if not _in_long_line(text, start):
        return Place.TAIL if ends else Place.REFERENCE
    return Place.SENTENCE if ends else Place.INSIDE


def _completes_line(text: str, start: int) -> bool:
    """Whether the line before ends inside a sentence that a keyword and its number complete: "on the attached"."""
    before = text[max(0, start - FULL_LINE[1] - 20) : start].rstrip()
    line = before.rsplit("\n", 1)[-1].strip()
    return "\n" in text[start - 20 : start] and len(line) >= FULL_LINE[0] and ends_small(line, len(line))


def _refers(before: str) -> bool:
    """Whether the words before a number refer to it: "under Section 7", "and 7"."""
    words = before[-20:].split()
    return bool(words) and (words[-1].lstrip('(“"') in _REFERRING or words[-1][-1] in ",$#/–-")


def _in_long_line(text: str, start: int) -> bool:
    before = text.rfind("\n", max(0, start - WRAPPED_LINE), start)
    return before < 0 or text.find("\n", start, before + WRAPPED_LINE) < 0
