"""The provisions of the same document that a passage refers to: "as set forth in Section 5.2"."""

import re
from collections.abc import Iterator

from pincite.search.whole.provision_numbers import ATTACHED
from pincite.search.whole.provisions import Provisions
from pincite.text.hit import SectionReference
from pincite.text.passage import Edges
from pincite.text.units import LoadedDocument

MOST = 4
"""References of one hit."""

_NUMBER = r"(?:\d+[A-Z]?(?:\.\d+)*(?:\s?\([a-zA-Z0-9]{1,4}\))*|[IVXLC]+\b(?:\([a-z]\))*)"
_LABEL = r"(?:[A-Z]{1,2}(?:[-.]?\d+)*\b|\d+(?:[-.][A-Z\d]+)*|[IVX]+\b|One|Two|Three|Four|Five|Six)"
_JOINED = r"\s*(?:,\s*(?:and|or)|,|and|or|&)\s+"
_NAMED = re.compile(
    r"(?P<word>[Ss]ections?|SECTIONS?|[Ss]ec\.|(?<!§)§++|[Aa]rticles?|ARTICLES?|[Cc]lauses?|CLAUSES?|[Pp]aragraphs?|PARAGRAPHS?)"
    rf"(?:\s+|(?<=§))(?P<numbers>{_NUMBER}(?:{_JOINED}(?:(?:Section|Article|Clause)s?\s+)?{_NUMBER})*)"
    r"|(?P<attached>Schedules?|SCHEDULES?|Exhibits?|EXHIBITS?|Annex(?:es|ure)?|ANNEX|Appendix|APPENDIX|Attachments?|Addendum)"
    rf"\s+[“\"]?(?P<labels>{_LABEL}(?:{_JOINED}{_LABEL})*)"
)
_OWN = re.compile(
    r"[\s,]*(?:(?:of|to|in|under)\s+(?:this\b|the\s+present\b|the\s+(?:Agreement|Contract|Lease|Deed|Plan|Policy)\b(?!\s+(?:dated|and\s+Plan)))"
    r"|hereof|hereto|herein|above|below)"
)
_OTHER = re.compile(
    r"(?:\s*+\([^)]{1,40}\))*+[\s,]*+(?:(?:of|to|under|in)\s+(?:the|that|such|said|each|any|its|their|an?|[A-Z])\b|thereof|thereto|therein"
    r"|et\s+seq|U\.?S\.?C)"
)
_BEFORE = re.compile(
    r"(?:\b(?:Code|Act|Acts|Regulations?|Regs?\.|Rules?|Law|Statutes?|Ordinance|Directive|GDPR|ERISA|Treas\.|U\.?S\.?C\.?|C\.?F\.?R\.?"
    r"|IRC|FAR|Constitution|Convention)['’]?s?,?|\b[Tt]his)\s*$"
)
"""What stands before the number of a law, and before that of the provision itself."""
_SIGNS = {"article": "Art.", "section": "§", "clause": "§", "paragraph": "§"}


def references(loaded: LoadedDocument, edges: Edges) -> tuple[SectionReference, ...]:
    """The provisions of the document itself that a passage names, none that the passage stands in."""
    said = list(_named(loaded.document.shown(*edges)))
    if not said:
        return ()
    table = Provisions.of(loaded)
    found: dict[Edges, SectionReference] = {}
    for word, number in said:
        for place in table.find(word, number)[:1]:
            apart = place[1] <= edges[0] or place[0] >= edges[1]
            if apart and place not in found:
                found[place] = SectionReference(_label(word, number), *place)
    return tuple(found.values())[:MOST]


def _named(text: str) -> Iterator[tuple[str, str]]:
    """The words and numbers of provisions that a text names, those of other documents left out."""
    for found in _NAMED.finditer(text):
        before, behind = text[max(0, found.start() - 30) : found.start()], text[found.end() : found.end() + 80]
        if _BEFORE.search(before) or (_OTHER.match(behind) and not _OWN.match(behind)):
            continue
        word = (found["word"] or found["attached"]).lower().rstrip(".")
        numbers = re.findall(_NUMBER if found["word"] else _LABEL, found["numbers"] or found["labels"])
        for number in numbers:
            yield _single(word), "".join(number.split())


def _single(word: str) -> str:
    word = {"sec": "section", "annexes": "annex", "annexure": "annex"}.get(word, word)
    return "section" if word.startswith("§") else word.removesuffix("s")


def _label(word: str, number: str) -> str:
    if word in ATTACHED:
        return f"{word.capitalize()} {number}"
    return f"{_SIGNS.get(word, '§')} {number}"
