"""Units that cannot answer by themselves: headings, lines of contents and signatures, and mere references."""

import re

from pincite.segment.numbering import mark_of
from pincite.segment.titles import is_title
from pincite.segment.verbs import is_sentence
from pincite.text.english import ENGLISH
from pincite.text.units import LoadedDocument

HEADING_LENGTH = 110
"""Characters that a heading may have."""
SIGNATURE_LENGTH = 160
"""Characters that lines of a signature may have."""
MERE_REFERENCE = 300
"""Characters that a passage may have which only refers."""
WORDS_BESIDE = 6
"""Words with a meaning that may stand beside a mere reference."""

_SIGNATURE = re.compile(
    r"(?:(?:by|name|title|its|signed?|signature|print(?:ed)?(?:\s+name)?|witness|attest|authori[sz]ed\s+signat\w+)\s*:"
    r"|/s/|_{3,}|\[?\s*signature\s+pages?\b|\(?\s*(?:seal|signature)\s*\)?\s*$)",
    re.IGNORECASE,
)
_PAGE = re.compile(r"[-–—\s]*(?:page\s*)?(?:\d{1,4}|[ivxl]{1,6})(?:\s*(?:of|/)\s*\d{1,4})?[-–—\s.]*$", re.IGNORECASE)
_SOURCE = re.compile(r"Source:\s.{3,80}\b(?:10-[KQ]|8-K|S-\d|F-\d|20-F|6-K|DEF|SB-\d|10-12G|EX-)", re.IGNORECASE)
_LEADERS = re.compile(r"(?:\.\s?){4,}\s*[0-9ivxl]{0,4}")
_ENTRY = re.compile(
    r"(?:(?:section|article|§)\s*)?(?:\d{1,4}(?:\.\d{1,4}){0,6}\.?|[IVX]{1,8}\.)\s+[A-Z][^.;:]{2,80}?\s\d{1,3}(?=\s|$)",
    re.IGNORECASE,
)
_VALUE = re.compile(r"[$€£%]|\d{2,}|:\s*\S")
_CONTENTS_TITLE = re.compile(r"(?:table\s+of\s+)?contents\b|index\s+of\s+(?:exhibits|schedules)", re.IGNORECASE)
_PROVISION = (
    r"(?:(?:sections?|articles?|clauses?|paragraphs?|schedules?|exhibits?|annex(?:es|ure)?|appendix|attachments?|part|§+)"
    r"\s+(?:(?-i:[\dA-Z])[\w.\-]*(?:\([a-z0-9]+\))*)(?:\s*(?:,|and|or|to|through)\s*(?:[\dIVX][\w.\-]*)?(?:\([a-z0-9]+\))*)*)"
)
_REFERS = re.compile(
    r"\b(?:is|are|be|means?|has|have|see|refers?(?:\s+to)?)\b(?:\s+\w+){0,6}?\s*"
    r"(?:as\s+|are\s+|is\s+|be\s+|those\s+|that\s+)*(?:set\s+(?:forth|out)|defined|provided(?:\s+for)?|specified|described|stated"
    r"|contained|given|ascribed(?:\s+\w+){0,4}|assigned(?:\s+\w+){0,4}|listed|determined|detailed|outlined|governed|shown|found"
    r"|in\s+accordance|the\s+meaning(?:\s+\w+){0,6}?|(?<=see)|(?<=refer)|(?<=refer to))"
    r"\s*(?:(?:in|on|by|under|to|with|at)\s+)?"
    r"(?:the\s+(?:attached\s+|terms\s+of\s+)?|attached\s+)?"
    + _PROVISION
    + r"(?:\s+(?:hereof|hereto|below|above|attached|of\s+this\s+\w+|to\s+this\s+\w+))*",
    re.IGNORECASE,
)
_SAYS_HOW_MUCH = re.compile(r"[$€£%]|\b\d+\b|\bdays?\b|\bmonths?\b|\byears?\b|\bnot\b|\bno\b", re.IGNORECASE)


def is_mere_heading(loaded: LoadedDocument, unit: int) -> bool:
    """Whether a unit is a heading, a line of contents, of a signature or of a page, which answers nothing alone."""
    words = " ".join(loaded.document.shown(*loaded.units.edges(unit)).strip("\ufeff").split())
    if not any(map(str.isalpha, words)) and not _VALUE.search(words):
        return True
    if _PAGE.fullmatch(words) or _SOURCE.match(words) or _is_contents(words):
        return True
    if len(words) <= SIGNATURE_LENGTH and _SIGNATURE.match(words):
        return True
    return len(words) <= HEADING_LENGTH and _is_heading(words)


def _is_contents(words: str) -> bool:
    if _CONTENTS_TITLE.match(words) and len(words.split()) <= 6:
        return True
    if _LEADERS.search(words) and not is_sentence(_LEADERS.sub(" ", words).rstrip(" .0123456789")):
        return True
    return len(_ENTRY.findall(words)) >= 3


def _is_heading(words: str) -> bool:
    """Whether a short unit is a title: no sentence, and no value behind its words."""
    mark = mark_of(words, 0, len(words))
    body = words[mark.end :].strip(" .:–—-") if mark else words.rstrip(" .:–—-")
    if not body:
        return True
    if is_sentence(words.rstrip(".")) or _VALUE.search(body) or words[-1:] in ";,":
        return False
    return body.isupper() or is_title(body)


def only_refers(loaded: LoadedDocument, first: int, last: int) -> bool:
    """Whether a hit says hardly more than that something is "as set forth in Section 5"."""
    said = loaded.document.shown(int(loaded.units.starts[first]), int(loaded.units.ends[last])).strip("\ufeff \n\t")
    if len(said) > MERE_REFERENCE or not _REFERS.search(said):
        return False
    mark = mark_of(said, 0, len(said))
    rest = _REFERS.sub(" ", said[mark.end :] if mark else said)
    return not _SAYS_HOW_MUCH.search(rest) and len(ENGLISH.stems(rest)) <= WORDS_BESIDE
