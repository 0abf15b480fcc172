"""Tells headings by their shape: lines in capitals or title case, and titles that run into a sentence."""

import re

from pincite.segment.lines import LineBlock
from pincite.segment.numbering import BULLET_LEVEL, ITEM_LEVEL
from pincite.segment.signatures import is_contact, is_signature
from pincite.segment.verbs import is_sentence

HEADING_LENGTH = 90
"""Characters that a heading may have."""
MARKED_HEADING_LENGTH = 200
"""Characters that a heading may have if the format marks it as one (a style in Word, <h2>)."""
RUN_IN_LENGTH = 110
"""Characters after the number of a paragraph in which its run-in title must end."""
CELL = " | "
"""What stands between the cells of a table's row."""

_RUN_IN = re.compile(r"[\s.:\-–—]*(?P<title>[“\"]?[A-Z][^.:;\n]{2,70}?)(?:\.|:|\s[-–—])(?=\s|[“\"A-Z(])")
_LEADERS = re.compile(r"(?:\.\s?){5,}[\divxl]*$")
"""What leads from an entry of a table of contents to its page."""
_LEAD_IN = re.compile(r"(?:In\s+(?:this|these|the)\b|(?:[Ii]f\s+)?[Tt]o\s|.*\b[Ff]ollowing\b).*[:–—-]$")
"""What leads into a list: of definitions, of addresses."""
_NO_RUN_IN = re.compile(r",|\b(?:Inc|Corp|Co|Ltd|LLC|Mr|Ms|Dr|No|[A-Z])$|^(?:Dated?|Signed|Dear|Attention|Re)$")
"""Words before a full stop that end no title."""
_MARKUP = re.compile(r"^[#>\s]+|[\\*_`]+|\s*#+\s*$|\n\s*(?:-{3,}|={3,}|_{3,})\s*$")
_SMALL_WORDS = frozenset(
    """a an and as at by for from if in into of on or the to with upon under that this its""".split()
)


def marked_heading(line: str) -> str | None:
    """The text of a heading that the format marks, without marks of Markdown; None if it is as long as a paragraph.

    >>> marked_heading("## 1\\\\. Term ##")
    '1. Term'
    """
    words = " ".join(_MARKUP.sub("", line).split())
    return words if 0 < len(words) <= MARKED_HEADING_LENGTH else None


def line_heading(text: str, block: LineBlock) -> str | None:
    """The text of a block if it is a heading: short, in capitals or title case, and neither a sentence nor a line of an
    address or signature."""
    line = _shaped_like_heading(text, block)
    if line is None or is_contact(line) or (block.mark is None and is_signature(line, 0)):
        return None
    return line


def _shaped_like_heading(text: str, block: LineBlock) -> str | None:
    if block.end - block.start > HEADING_LENGTH:
        return None
    line = " ".join(text[block.start : block.end].split())
    body = " ".join(text[block.mark.end : block.end].split()) if block.mark else line
    body = body.strip(" .:-–—")
    if not body:
        return line if block.mark and block.mark.level <= 1 else None
    if not any(map(str.isalpha, body)) or line[-1] in ";," or CELL in line or is_sentence(body):
        return None
    if _LEADERS.search(line) or _LEAD_IN.match(line):
        return None
    if body.isupper():
        return line
    if block.mark and block.mark.level == BULLET_LEVEL:
        return None
    if block.mark and block.mark.level < ITEM_LEVEL:
        return line if _is_title_case(body, most_words=9) and not re.search(r"[.;]\s", body) else None
    if line[-1] in ".;" or "," in line:
        return None
    return line if _is_title_case(body, most_words=7) or _is_isolated(text, block, line) else None


def run_in_title(text: str, block: LineBlock) -> str:
    """The title at the start of a numbered paragraph: "Term" in "7.2 Term. This agreement ..."."""
    if block.mark is None:
        return ""
    match = _match_run_in(text, block.mark.end, block.end)
    title = match.group("title") if match else ""
    if title.isupper() and is_sentence(title):
        return ""
    return title if _is_title_case(title, most_words=9) else ""


def run_in_end(text: str, block: LineBlock) -> int:
    """The offset after the number and run-in title of a paragraph; its start if it has no title."""
    if block.mark is None or not run_in_title(text, block):
        return block.start
    match = _match_run_in(text, block.mark.end, block.end)
    return match.end() if match and text[match.end() : block.end].strip() else block.start


def run_in_of(text: str, start: int, end: int) -> tuple[int, str] | None:
    """Where the title at the start of a paragraph without a number ends, and the title."""
    match = _match_run_in(text, start, end)
    if match is None or end - match.end() < 20 or not _is_title_case(match["title"], most_words=8):
        return None
    if _NO_RUN_IN.search(match["title"]):
        return None
    return match.end("title"), " ".join(match["title"].split())


def _match_run_in(text: str, start: int, end: int) -> re.Match[str] | None:
    return _RUN_IN.match(text, start, min(end, start + RUN_IN_LENGTH))


def _is_isolated(text: str, block: LineBlock, line: str) -> bool:
    """Whether a block is a few words between empty lines."""
    has_ends = line[0].isupper() and line[-1].isalpha()
    return has_ends and len(line.split()) <= 5 and _stands_alone(text, block)


def _stands_alone(text: str, block: LineBlock) -> bool:
    """Whether there is an empty line before and after a block."""
    before, after = text[max(0, block.start - 40) : block.start], text[block.end : block.end + 40]
    gap_before = before[len(before.rstrip(" \t\n\ufeff")) :]
    gap_after = after[: len(after) - len(after.lstrip(" \t\n"))]
    return gap_before.count("\n") >= 2 and gap_after.count("\n") >= 2


def _is_title_case(line: str, most_words: int) -> bool:
    """Whether a line has few words, all of them capitalised except for small ones."""
    words = [word for word in line.split() if word.lower() not in _SMALL_WORDS]
    return 0 < len(words) <= most_words and all(not word[0].islower() for word in words)
