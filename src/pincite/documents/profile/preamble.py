"""The sentence with which an agreement begins: "This Supply Agreement is made as of ... between ..."."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from pincite.documents.profile.vocabulary import DOCUMENT_NOUNS

PREAMBLE_LENGTH = 3500
"""Characters after its start in which a preamble names the parties."""

FURTHER = 6000
"""Characters behind the first sentence that names the document in which a better one is looked for."""

FURTHER_ON = 800
"""Characters behind the latest start in which its first words stand."""
EARLY, EARLY_SHARE = 4000, 0.15
"""A preamble begins within this many characters, or within this share of the document (behind a table of contents)."""

_SMALL = r"(?:and|of|to|for|the|by|in|on|with|or|&|[-–])"
_WORD = r"[“\"]?[A-Z0-9][\w&.,'’/()®™\-–]*[”\"]?"
_NOUNS = rf"(?:{DOCUMENT_NOUNS})"
_NAMED = re.compile(
    rf"""(?<![\w“"])(?:THIS|This)\s+(?:IS\s+|is\s+)?(?:(?:an?|AN?|the|THE|certain)\s+)?
    (?P<title>(?:(?:{_WORD}|{_SMALL})\s+){{0,18}}?(?i:{_NOUNS})(?:\s+(?:(?i:no|number)\.?\s*|\#|n°\s*)[\dIVX]+|\s+(?i:one|two|three|four|five|I{{1,3}})(?=\s))?)
    (?P<more>(?:\s+(?:and|of|to|for|AND|OF|TO|FOR|NO\.?|No\.?|\d+)\s+(?:(?:{_WORD}
    |{_SMALL})\s+){{0,12}}?(?:(?i:{_NOUNS})|(?:Merger|MERGER)))*)
    (?=\s*[,(“"\[\-]|\s+(?:is|are|IS|has|made|MADE|dated|DATED|entered|ENTERED|effective|EFFECTIVE|by|BY
    |between|BETWEEN|among|AMONG|regarding|concerning|shall|sets|constitutes|\(|consists|including|together|amends|governs|as)\b)""",
    re.VERBOSE,
)
_UNNAMED = re.compile(
    r"""(?<!\w)(?P<title>(?:(?:[A-Z][A-Z0-9&,'’/\-–]*|NO\.|AND|OF|TO|FOR)(?:[ \t]+|[ \t]*\n[ \t]*)){0,12}
    (?:AGREEMENT|CONTRACT|LEASE
    |INDENTURE|NOTE|DEED|AMENDMENT|Agreement)(?:\s+AND\s+PLAN\s+OF\s+[A-Z]+)?)
    \s*(?:,\s*|\s)(?:\(\s*(?:this|the|hereinafter[^“"]{0,30})?\s*[“"]|(?:dated|made|entered
    |effective)\s+(?:as\s+of|this|on|into|and|the|effective|between|by)\b
    |dated\s+[A-Z][a-z]{2,8}\s+\d{1,2},?\s+\d{4},?\s+(?:is\s+)?(?:by\s+and\s+)?(?:between|among)\b|(?:by\s+and\s+)?between\s+(?=[A-Z]))""",
    re.VERBOSE,
)
_SAYING = re.compile(
    r"\b(?:HAVE|HAS|BEEN|WERE|SHALL|WILL|OMITTED|PURSUANT|REDACTED|CONFIDENTIAL\s+PORTIONS)\b", re.IGNORECASE
)
_SIGNS = re.compile(
    r"\b(?:is\s+(?:made|entered|effective|dated|by|between|among|executed|hereby)|made\s+(?:and|as|this|on|the"
    r"|by|effective|between)|entered\s+into|dated|effective"
    r"|by\s+and\s+(?:between|among)|between|among|BETWEEN|AMONG|MADE|ENTERED|DATED|in\s+favou?r\s+of|executed)\b"
    r"|\(\s*(?:the|this|collectively[^“\"]{0,60})?\s*[“\"]",
)
_BETWEEN = re.compile(
    r"\b(?:by\s+and\s+(?:between|among(?:st)?)|between|among(?:st)?|made\s+by|entered\s+into\s+by"
    r"|executed\s+by)\b",
    re.IGNORECASE,
)
_BY = re.compile(r"\bby\s+(?:the\s+)?(?=[A-Z])")
END = re.compile(
    r"\b(?:W\s?I\s?T\s?N\s?E\s?S\s?S\s?E\s?T\s?H|WHEREAS|Whereas|R\s?E\s?C\s?I\s?T\s?A\s?L\s?S?|Recitals|BACKGROUND|Background"
    r"|TABLE\s+OF\s+CONTENTS|Table\s+of\s+Contents|NOW,?\s+THEREFORE|Now,?\s+therefore"
    r"|agree\s+as\s+follows|(?i:the\s+parties\s+(?:hereto\s+)?(?:hereby\s+)?agree)|PRELIMINARY\s+STATEMENTS?"
    r"|INTRODUCTION|ARTICLE\s+(?:I|1)\b|SECTION\s+1\b"
    r"|(?:(?<=\n)|(?<=[.:]\s))1\.\s+[A-Z])"
)
"""Where the names of the parties end."""


@dataclass(frozen=True, slots=True)
class Preamble:
    """Where an agreement begins, what it calls itself there, and where the names of its parties stand."""

    start: int
    title: str
    """ "Supply Agreement", or only "Agreement"."""
    parties: tuple[int, int]
    """From behind "between" to the end of the preamble; empty where there is no "between"."""
    end: int


def find_preamble(text: str, length: int) -> Preamble | None:
    """The first sentence that says what the document is, who makes it or when. `length`: of the whole document."""
    best: Preamble | None = None
    latest = int(max(EARLY, EARLY_SHARE * length))
    for found in _named(text[: latest + FURTHER_ON]):
        if found.start() > latest:
            break
        limit = min(len(text), found.start() + PREAMBLE_LENGTH)
        end = END.search(text, found.end(), limit)
        stop = end.start() if end else limit
        between = _BETWEEN.search(text, found.end("title"), stop) or _BY.search(text, found.end("title"), stop)
        title = " ".join("".join(group or "" for group in found.groupdict().values()).split())
        here = Preamble(found.start(), title, (between.end(), stop) if between else (stop, stop), stop)
        if between:
            return (
                here
                if best is None or here.start - best.start > 3000 or len(here.title) > len(best.title)
                else Preamble(best.start, best.title, here.parties, here.end)
            )
        best = best or here
        if found.start() - best.start > FURTHER:
            break
    return best


def _opens(text: str, found: re.Match[str]) -> bool:
    """Whether what names the document stands at the start of a sentence or line."""
    before = text[: found.start()].rstrip(" \t")
    return not before or before[-1] in "\n.:;)]*-_" or before[-1].isdigit() or before.endswith(("Version", "Copy"))


def _named(text: str) -> Iterator[re.Match[str]]:
    """Places where a text says what it is, in order."""
    found = [match for match in _overlapping(_NAMED, text) if _SIGNS.search(text[match.end() : match.end() + 400])]
    found += [
        match
        for match in _overlapping(_UNNAMED, text)
        if _opens(text, match) and not re.search(r"\bTHIS\b", match.group())
    ]
    yield from sorted(found, key=lambda match: match.start())


def _overlapping(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """The matches that say nothing of redactions and the like; the text of those that do is searched again."""
    at = 0
    while match := pattern.search(text, at):
        said = _SAYING.search(match.group("title"))
        if not said:
            yield match
        at = match.start() + 4 if said else match.end()
