"""Reads the title behind a number: a line of its own, the lines after it, or the words that run into the sentence."""

import re
from enum import Enum
from typing import NamedTuple

from pincite.segment.verbs import is_sentence

LONGEST_TITLE = 200
"""Characters that a title may have."""
TITLE_WORDS = 12
"""Words that a title in title case may have, small ones not counted."""
BROKEN_LINE = 45
"""Characters that the halves of a title have that was broken in two."""

_EMPTY_ABOVE = re.compile(r"\n[ \t\u00a0]*\n[ \t\u00a0]*\Z")
_EMPTY_BELOW = re.compile(r"[ \t\u00a0]*\n[ \t\u00a0]*\n")
_SMALL_WORDS = frozenset(
    """a an and as at but by for from if in into of off on or per the to with upon under via that this its their any
    other than not nor between among de la y e und der die das et du des les per""".split()
)
_SKIP = re.compile(r"[ \t\u00a0.:\-–—)*_|\\]*")
_LINE = re.compile(r"[^\n]{0,260}")
"""The start of a line, longer than any title. Lines may have megabytes."""
_BREAK = re.compile(r"[ \t\u00a0]{3,}|\t")
_CONTENTS = re.compile(r"(?:\s*+(?:\.\s?+){3,}+|\s)\s*+[0-9ivx]{1,4}\s*+$|(?:\.\s?+){4,}+")
_PAGE = re.compile(r"[0-9ivx]{1,4}(?:\s|$)")
_STOP = re.compile(r"[.:](?=\s|[“\"A-Z(]|$)|\s[-–—]\s")
_INNER_MARK = re.compile(
    r"\s(?:\(?[a-zA-Z0-9]{1,3}\)|[0-9]{1,2}\.[0-9]{1,2}\.?|[A-Z]\.|Section\s[0-9]|SECTION\s[0-9])(?=\s|$)"
)
_CAPITALS = re.compile(r"[A-Z0-9][A-Z0-9&,;:'’./\-–—()\[\]* \t\u00a0“”\"]{2,}")
_FOLLOWS_A_REFERENCE = re.compile(
    r"(?:of|and|or|to|in|hereof|hereto|herein|hereunder|thereof|above|below|shall|is|are|was|were|will|may|hereby|attached|"
    r"for|as|through|by|with|contains?|sets?|provides?|applies|at|on|from|that|which)\b"
)


class Shape(Enum):
    """What stands behind a number."""

    CAPITALS = "a title in capitals"
    HEADING = "a title on a line of its own"
    RUN_IN = "a title before a sentence"
    SENTENCE = "a sentence"
    LOWER = "a sentence that starts with a small letter"
    CONTENTS = "a title and a page number"
    EMPTY = "nothing"


class Title(NamedTuple):
    """The title of a division."""

    text: str
    end: int
    """Offset where the title ends."""
    shape: Shape


def title_at(text: str, start: int) -> Title | None:
    """The title behind a number that ends at `start`; None if what follows shows that it is no heading."""
    begin = _SKIP.match(text, start).end()  # type: ignore[union-attr]
    if text[begin : begin + 1] in ("\n", ""):
        return _title_below(text, start, begin)
    stop = min(_LINE.match(text, begin).end(), begin + LONGEST_TITLE + 50)  # type: ignore[union-attr]
    line = text[begin:stop]
    gap = _BREAK.search(line)
    whole = line[: gap.start()] if gap else line
    first = whole[:1]
    if first in ",;)%/&" or (first.isdigit() and not whole[:4].isdigit()) or _FOLLOWS_A_REFERENCE.match(whole):
        return None
    if first.islower():
        return Title("", start, Shape.LOWER)
    ends_line = gap is not None or stop - begin < LONGEST_TITLE + 50
    page = _PAGE.match(line, gap.end()) if gap else None
    entry = _CONTENTS.sub("", whole).strip()
    if ends_line and (page or entry != whole.strip()) and is_title(entry, most_words=2 * TITLE_WORDS):
        return Title(entry, begin + len(whole.rstrip()), Shape.CONTENTS)
    return _title_in(text, whole.rstrip(), begin, ends_line=ends_line, start=start)


def _title_below(text: str, start: int, at: int) -> Title | None:
    """The title on the lines after a number that stands alone."""
    below = re.compile(r"\s*").match(text, at).end()  # type: ignore[union-attr]
    if below - at > 12 or below >= len(text):
        return Title("", start, Shape.EMPTY)
    line = _LINE.match(text, below).group().rstrip()  # type: ignore[union-attr]
    title = _title_in(text, line[: LONGEST_TITLE + 50], below, ends_line=len(line) < LONGEST_TITLE, start=start)
    if title is None or title.shape is Shape.SENTENCE or line[:1].islower() or line[:3].upper() == "TO ":
        return Title("", start, Shape.EMPTY)
    return title


def _title_in(text: str, line: str, begin: int, *, ends_line: bool, start: int) -> Title | None:
    inner = _INNER_MARK.search(line)
    short = line[: inner.start()].rstrip() if inner else line
    stop = next((found for found in _STOP.finditer(short) if not _abbreviates(short, found)), None)
    if stop and stop.group()[0].isspace() and ends_line and is_title(short):
        stop = None  # "Exhibit B - Form of Release" is one title
    run_in = short[: stop.start()] if stop else short
    if stop and stop.end() < len(line.rstrip(" .:")) and is_title(run_in):
        shape = Shape.CAPITALS if run_in.isupper() else Shape.RUN_IN
        return Title(run_in, begin + stop.start(), shape)
    if (
        (ends_line or inner)
        and len(short) <= LONGEST_TITLE
        and short[-1:] not in ",;"
        and is_title(short.rstrip(" .:"))
    ):
        longer = _continued(text, begin, begin + len(short)) if not inner and short == line else begin + len(short)
        title = " ".join(text[begin:longer].split()).rstrip(" .:")
        return Title(title, longer, Shape.CAPITALS if title.isupper() else Shape.HEADING)
    capitals = _CAPITALS.match(short)
    if capitals:
        title = _whole_words(short, capitals.end())
        if len(title.split()) > TITLE_WORDS and is_sentence(title):
            return Title("", start, Shape.CAPITALS)
        if len(title) >= 4:
            return Title(title, begin + len(title), Shape.CAPITALS)
    return Title("", start, Shape.SENTENCE) if line[:1] else Title("", start, Shape.EMPTY)


def _abbreviates(line: str, stop: re.Match[str]) -> bool:
    """Whether a full stop belongs to an abbreviation or a single letter."""
    word = line[: stop.start()].rsplit(" ", 1)[-1]
    return line[stop.start()] == "." and (
        len(word) == 1 or word in ("No", "Inc", "Corp", "Co", "vs", "Mr", "St", "U.S")
    )


def _whole_words(line: str, end: int) -> str:
    """Capital words from the start of a line; the first letter of a sentence behind them is not among them."""
    words = line[:end].rstrip()
    if end < len(line) and line[end - 1 : end].isalpha():
        words = words.rsplit(None, 1)[0] if " " in words else ""
    return words.rstrip(' ,;:.-–—(“"')


def _continued(text: str, begin: int, end: int) -> int:
    """The end of a title that goes on in the next lines."""
    for _ in range(3):
        after = re.compile(r"[ \t]*\n[ \t]*(?=[^\s])").match(text, end)
        if not after:
            return end
        line = _LINE.match(text, after.end()).group().rstrip()  # type: ignore[union-attr]
        so_far, words = text[begin:end], line.split()
        goes_on = (
            (so_far.isupper() and line.isupper() and not re.match(r"(?:[0-9(]|SECTION|ARTICLE)", line))
            or so_far.split()[-1].lower() in _SMALL_WORDS
            or words[0] in _SMALL_WORDS
            or _is_pair(text, begin, end, after.end(), after.end() + len(line))
        )
        if (
            not goes_on
            or len(line) > 90
            or line[-1] in ".;,:"
            or not is_title(line)
            or end + len(line) - begin > LONGEST_TITLE
        ):
            return end
        end = after.end() + len(line)
    return end


def _is_pair(text: str, begin: int, end: int, start: int, stop: int) -> bool:
    """Whether a title in title case was broken into two short lines, which stand between empty lines."""
    above, below = text[begin:end], text[start:stop]
    if max(len(above), len(below)) >= BROKEN_LINE or above.isupper() or below.isupper() or not below[0].isupper():
        return False
    is_alone = _EMPTY_ABOVE.search(text, max(0, begin - 40), begin) and _EMPTY_BELOW.match(text, stop)
    return bool(is_alone) and above[-1].isalpha() and below[-1].isalpha()


def is_title(line: str, most_words: int = TITLE_WORDS) -> bool:
    """Whether a line has few words, all of them capitalised except for small ones.

    >>> is_title("Term and Termination"), is_title("The term is two years")
    (True, False)
    """
    words = [word.strip("“”\"'‘’*_()[]") for word in line.replace("/", " ").split()]
    words = [word for word in words if word and word.lower() not in _SMALL_WORDS]
    if not words or len(words) > most_words or not any(map(str.isalpha, line)):
        return False
    lower = sum(word[0].islower() for word in words)
    return lower == 0 or (lower == 1 and len(words) >= 5)
