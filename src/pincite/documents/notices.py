"""Notices that words were left out of a filed text, printed on page after page."""

import re
from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise

from pincite.text.passage import Edges

FAR_APART = 300
"""Characters between two notices of pages."""
SAME_WORDS = 5
"""First words by which a notice is known again."""
BEFORE = 420
"""Characters of a notice before it says that something was left out."""
MOST_FAILURES = 200
"""Places without a notice that are looked at; no real text has more."""

_SAYINGS = ("omitted", "redacted", "filed separately", "confidential treatment")
"""What every notice says."""
_TO_WHOM = re.compile(
    r"\b(?:commission|confidential\s+treatment|filed\s+separately|rule\s+(?:24b-?2|406)|redacted\s+pursuant)\b",
    re.IGNORECASE,
)
_THIS_PAGE = re.compile(r"\bthis\s+page\b", re.IGNORECASE)
_MARK = (
    r"(?:\[?[ \t]?\*(?:[ \t]?\*){0,5}[ \t]?\]|\*(?:[ \t]\*){1,4}|\*{1,9}|[†‡+]|/[0-9*]{1,2}/"
    r"|\[[.…]{1,3}\*{1,5}[.…]{1,3}\])"
)
_TEXT = r"(?:[^.\n<]|\n(?!\s*\n)|\.(?=\S)|(?<=U\.S)\.)"
_END = r"(?:(?<!U\.S)\.(?=\s|$)|(?=\n\s*\n)|(?=\s{3,}[0-9-])|(?=\s<)|$)"
_REASON = r"(?:\s+(?:for|under|with|pursuant)\b|\s*[;—])"
_STAMP = re.compile(
    rf"(?:\A|(?<=\n)|(?<=\s\s)|(?<=[.;:\]]\s)|(?={_MARK}))[ \t]*(?P<notice>(?:{_MARK}[ \t]*)?"
    r"(?:CONFIDENTIAL|Confidential)\s+(?i:treatment\s+request(?:ed)?)\b(?:[ \t]*\*{3,})?)"
    rf"(?!(?i:{_REASON}))(?:\s+by\s+(?:[A-Z&][\w&’'.-]*,?\s){{1,5}})?"
    r"(?:\s+(?i:and\s+the\s+(?:redacted|omitted)\s+(?:material|portions?|information)\s+ha(?:s|ve)\s+been\s+(?:separately\s+filed|filed"
    r"\s+separately)(?:\s+with\s+the\s+(?:securities\s+and\s+exchange\s+)?commission)?))?"
)
_NOTICE = re.compile(
    rf"(?:\A|(?<=\n)|(?<=\s\s)|(?<=[.;:\]]\s)|(?={_MARK}))[ \t]*(?P<notice>(?:{_MARK}\s*)?(?:[=:–—-]\s*)?"
    rf"(?:confidential(?!\s+treatment\s+request(?:ed)?\b(?!{_REASON}))|"
    r"certain|portions?|text|information|materials?|indicates|denotes|omitted|redacted|represents|asterisks?"
    r"|the\s+(?:omitted|confidential|redacted|bracketed|asterisks?)|this\s+(?:confidential|information|exhibit|document)|pursuant\s+to)\b"
    rf"{_TEXT}{{10,{BEFORE}}}?{_END})",
    re.IGNORECASE,
)
_MORE = re.compile(
    r"\s+(?:such\s+omissions|(?:the|this)\s+copy\s+(?:filed?\s+)?(?:herewith\s+)?omits|a\s+complete\s+(?:version|copy)|an\s+unredacted|confidential\s+treatment|asterisks|omissions|brackets"
    rf"|the\s+(?:omitted|redacted|confidential)|this\s+(?:exhibit|information)\s+(?:has|omits))\b{_TEXT}{{5,300}}?{_END}",
    re.IGNORECASE,
)


def notices(text: str) -> Iterator[Edges]:
    """The notices that come back; one that speaks of "this page" need not.

    >>> page = "The tenant pays the rent. " * 20 + "\\n\\n* Portions were omitted and filed separately.\\n\\n"
    >>> len(list(notices(page * 3)))
    3
    """
    groups: defaultdict[str, list[Edges]] = defaultdict(list)
    for start, end in _candidates(text):
        words = re.sub(r"[^a-z\s]", "", text[start:end].lower()).split()
        groups[" ".join(words[:SAME_WORDS])].append((start, end))
    for same in groups.values():
        come_back = any(two[0] - one[0] >= FAR_APART for one, two in pairwise(same))
        yield from ((start, end) for start, end in same if come_back or _THIS_PAGE.search(text, start, end))


def _candidates(text: str) -> Iterator[Edges]:
    at = failures = 0
    for said in _sayings(text):
        if said < at or failures > MOST_FAILURES:
            continue
        failures += 1
        for pattern in (_NOTICE, _STAMP):
            if found := _around(pattern, text, max(at, said - BEFORE), said):
                yield found
                at = found[1]
                failures -= 1
                break


def _sayings(text: str) -> list[int]:
    """Where a text says that something was left out."""
    flat = text.lower().replace("\n", " ")
    places: list[int] = []
    for saying in _SAYINGS:
        at = flat.find(saying)
        while at >= 0:
            places.append(at)
            at = flat.find(saying, at + len(saying))
    return sorted(places) if len(flat) == len(text) else []


def _around(pattern: re.Pattern[str], text: str, begin: int, said: int) -> Edges | None:
    """The notice that stands around a place where something is said to be left out."""
    while (found := pattern.search(text, begin, said + 2 * BEFORE)) and found.start("notice") <= said:
        start, end = found.start("notice"), found.end()
        if end > said and _TO_WHOM.search(text, start, end):
            while more := _MORE.match(text, end):
                end = more.end()
            return start, start + len(text[start:end].rstrip())
        begin = start + 1
    return None
