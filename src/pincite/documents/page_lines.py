"""Recognises lines that belong to a page and not to its text, by their form alone."""

import re

LONGEST = 160
"""Characters that such a line may have."""
CITATION_LENGTH = 30
"""Characters that a neutral citation may have."""

_SURE = re.compile(
    r"""(?:
    <PAGE>\s*(?:\S{1,8})?                                                             # EDGAR
    | (?:\(?page|pg\.|p\.)\s*[-–—]?\s*(?:[0-9]{1,4}|[ivxlc]{1,6})\s*[-–—]?(?:\s*(?:of|/)\s*[0-9]{1,4})?\)?
    | [0-9]{1,4}\s+of\s+[0-9]{1,4}
    | [-–—]\s*(?:[0-9]{1,4}|[ivxlc]{1,6}|[a-z]{1,2}-[0-9]{1,3})\s*[-–—]               # - 12 -
    | source:\s.{2,80},\s[0-9a-z/\ .()-]{1,30},\s[0-9]{1,2}/[0-9]{1,2}/[0-9]{2,4}     # Source: ACME, 10-K, 3/5/2010
    | [0-9]{1,2}/[0-9]{1,2}/[0-9]{2,4},\s[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?(?:\s?[ap]m)?\b.{0,100}  # a printed web page
    | (?:https?|file)://\S+\s+[0-9]{1,4}/[0-9]{1,4}
    | (?:[0-9]{1,3}\s+)?(?:\S{0,30}[0-9_.-][a-z]?)?ex(?:hibit)?[-_.]?v?[0-9]\S{0,30}\.html?(?:\s+[0-9]{1,3})? # ex10.htm
    | (?:annex|exhibit|schedule|appendix|attachment)\s+\S{1,5}?\s*[-–—,]\s*page\s*[-–—]?\s*[0-9]{1,3}  # Annex I-Page 3
    | EX-[0-9]{1,3}(?:\.[0-9]{1,3})?\s+[0-9]{1,3}\s+[\w.-]{3,50}\.html?\b             # EX-2.1 2 lease.htm EXHIBIT 2.1
      (?:\s+EX\S{1,10}(?:\s+[0-9.]{1,8})?)?
    | [a-z0-9][\w-]{2,50}\.html?                                                       # the name of a web page
    | back\s+to\s+form\s+[0-9]{1,2}-[a-z]{1,2}                                        # a link above an exhibit
    | (?:table\s+of\s+contents|index\s+of\s+defined\s+terms)[\s,–-]*[\[(]?\s*
      cont(?:inued|['’.]?d?\.?)\s*[\])]?(?:\s+page)?
    | (?-i:s\s?t|n\s?d|r\s?d|t\s?h)                                                    # of "9th", set under the page
    | [0-9]{6,10}v\.?[0-9]{1,2}(?:\s+[0-9]{6,10}v\.?[0-9]{1,2})*                       # the version of a draft
    | (?:</?(?:TABLE|CAPTION|S|C|FN|F[0-9]{1,2}|HR|BR|TEXT|DOCUMENT)>\s*)+
    )""",
    re.VERBOSE | re.IGNORECASE,
)
_COURT_STAMP = re.compile(
    r"(?:appellate\s+)?case:?\s*\S*[0-9]\S*\s.{0,60}\b(?:doc(?:ument)?|filed|page(?:id)?|dktentry)\b.{0,80}[0-9]\S{0,3}"
    r"|usca\S*\s+case\s+\#.{0,120}",
    re.IGNORECASE,
)
_LIKELY = re.compile(
    r"(?:(?P<prefix>[A-Z]{1,2}|[IVX]{1,5})(?:-|\s[-–—]\s))?(?P<number>[0-9]{1,3})(?P<dot>\.)?|(?P<roman>[ivxl]{1,6})|(?P<dash>[-–—])\s?(?P<dashed>[0-9]{1,3})"
)
_PAIR = re.compile(r"([0-9]{1,3})\s+([0-9]{1,3})")
"""The number of a page and of the next one, or of a part and of the whole, on one line."""
DOTTED = "dotted"
"""The kind of "3.", which is more often the number of a clause."""
_NEUTRAL = re.compile(
    r"(?:\[(?:19|20)[0-9]{2}\]|(?:19|20)[0-9]{2})[-\s][A-Z][A-Za-z]{1,7}(?:\s(?:Civ|Crim))?[-\s][0-9]{1,5}U?(?:\s?\([A-Za-z]+\))?"
)
_BATES = re.compile(r"(?P<prefix>[A-Z][A-Z_&.-]{1,15}[A-Z_.-]?\s?)(?P<number>[0-9]{5,10})")
_ROWS = {"-": 3, "–": 3, "—": 3, "~": 3, "=": 3, "+": 3, "_": 5, "*": 5}
"""How many of a kind make a row."""
_ROMAN = re.compile(r"(?=.)(?:xl|l?x{0,3})(?:ix|iv|v?i{0,3})")
_VALUES = {"i": 1, "v": 5, "x": 10, "l": 50}


def is_page_line(line: str) -> bool:
    """Whether a line certainly belongs to the page: a marked page number, a stamp of a court or of EDGAR.

    >>> [is_page_line(line) for line in ("- 12 -", "Page 3 of 10", "12", "Source: ACME, INC., 10-K, 3/5/2010")]
    [True, True, False, True]
    """
    return len(line) <= LONGEST and bool(_SURE.fullmatch(line) or is_court_stamp(line))


def is_court_stamp(line: str) -> bool:
    """Whether a line is what the electronic files of a court print on every page.

    >>> is_court_stamp("Case 17-3510, Document 1-1, 10/31/2017, 2161300, Page1 of 2")
    True
    """
    return len(line) <= LONGEST and bool(_COURT_STAMP.fullmatch(line))


def is_neutral_citation(line: str) -> bool:
    """Whether a line is the neutral citation of a judgment and nothing else, as many courts print it on every page.

    >>> [is_neutral_citation(line) for line in ("2022-NCSC-1", "[2022] UKSC 5", "2022 Budget", "[2022] UKSC 5 holds")]
    [True, True, False, False]
    """
    return 8 <= len(line) <= CITATION_LENGTH and bool(_NEUTRAL.fullmatch(line))


def is_rule(line: str) -> bool:
    """Whether a line is a row of dashes, underscores, asterisks or equals signs. Few asterisks mean an omission.

    >>> [is_rule(line) for line in ("- ------", "=====", "***", "[*****]")]
    [True, True, False, False]
    """
    kinds = set(line) - set(" \t\u00a0")
    if not kinds or not kinds <= _ROWS.keys() or ("*" in kinds and "*****" not in line):
        return False
    return any(line.count(kind) >= _ROWS[kind] for kind in kinds)


def page_number(line: str) -> tuple[str, int] | None:
    """The prefix and value of a line that may be a page number: "12", "A-3", "- 4", "iv". Others decide whether it is.

    >>> page_number("A-3"), page_number("iv"), page_number("Civil")
    (('A', 3), ('roman', 4), None)
    """
    match = _LIKELY.fullmatch(line)
    if match is None:
        pair = _PAIR.fullmatch(line)
        return (f"pair {int(pair[2]) - int(pair[1])}", int(pair[1])) if pair and int(pair[2]) > int(pair[1]) else None
    if match["roman"]:
        return ("roman", _roman(match["roman"])) if _ROMAN.fullmatch(match["roman"]) else None
    if match["dash"]:
        return match["dash"], int(match["dashed"])
    if match["dot"]:
        return None if match["prefix"] else (DOTTED, int(match["number"]))
    return match["prefix"] or "", int(match["number"])


def bates_number(line: str) -> tuple[str, int] | None:
    """The prefix and value of a line that may be a Bates number.

    >>> bates_number("ABC000123")
    ('ABC', 123)
    """
    match = _BATES.fullmatch(line)
    return (match["prefix"].strip(), int(match["number"])) if match else None


def _roman(numeral: str) -> int:
    values = [_VALUES[letter] for letter in numeral]
    return sum(-value if value < after else value for value, after in zip(values, [*values[1:], 0], strict=True))
