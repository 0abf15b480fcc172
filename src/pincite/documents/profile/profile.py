"""The profile of a document: its file name, title, parties and their short names, date, kind and defined terms."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from pincite.documents.profile.file_name import file_words
from pincite.text import Document
from pincite.text.dates import iso_date

HEAD_LENGTH = 4000
"""Characters at the start of a document that are searched for parties, date and kind."""
MOST_PARTIES, MOST_SHORT_NAMES, MOST_TERMS = 8, 12, 12
"""Parties, short names and defined terms that a profile keeps."""

KINDS = {
    "non-disclosure agreement": r"non[\s-]*disclosure|confidential(?:ity)?(?:\s+[\w-]+){0,3}\s+agreement|\bnda\b",
    "merger agreement": r"agreement and plan of merger|merger agreement|plan of merger|transaction agreement",
    "privacy policy": r"privacy\s+(?:policy|statement|notice)",
    "lease": r"\blease\b|tenancy",
    "employment agreement": r"employment\s+(?:agreement|contract)",
    "licence": r"licen[cs]e",
    "supply agreement": r"supply",
    "distribution agreement": r"distribut(?:ion|or)",
    "services agreement": r"services?\s+agreement|\bmsa\b",
    "judgment": r"\bjudgment\b|\bplaintiff\b|\bappellant\b",
}
"""The kinds of documents, each with the regular expression that recognises it."""

_KINDS = {kind: re.compile(pattern, re.IGNORECASE) for kind, pattern in KINDS.items()}
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[A-Za-z])(?=[0-9])|(?<=[0-9])(?=[A-Za-z])")
_SEPARATORS = re.compile(r"[\W_]+")
_DATE = re.compile(
    r"\b(?:[0-9]{1,2}(?:st|nd|rd|th)?\s+(?:day\s+of\s+)?)?(?:January|February|March|April|May|June|July|August|September"
    r"|October|November|December)\s+(?:[0-9]{1,2},?\s+)?(?:19|20)[0-9]{2}\b|\b(?:19|20)[0-9]{2}-[01][0-9]-[0-3][0-9]\b"
)
_COMPANY = re.compile(
    r"\b((?:[A-Z0-9][\w&.'’-]*,?[ ]|&[ ]){0,6}?[A-Z0-9][\w&.'’-]*,?[ ]"
    r"(?:Inc|INC|Incorporated|Corp|CORP|Corporation|CORPORATION|Company|COMPANY|Co|LLC|L\.L\.C|Ltd|LTD|Limited|LIMITED|LLP|LP"
    r"|L\.P|PLC|plc|GmbH|GMBH|AG|S\.A|SA|SAS|S\.A\.S|AB|A/S|a\.s|B\.V|BV|N\.V|NV|K\.K|Pty|Bank|Trust|Bancorp|Holdings)\b\.?)"
)
_DEFINED = re.compile(
    r"[(“\"]\s*(?:(?:the|each|collectively|hereinafter|hereafter|referred\s+to\s+as)[,\s]+)*[“\"]([A-Z][^”\"\n]{1,40})[”\"]"
)
_TERM = re.compile(r"[“\"]([A-Z][\w\s&-]{2,40})[”\"]\s+(?:means|shall mean|has the meaning)")


@dataclass(frozen=True, slots=True)
class Profile:
    """What a document is called, according to its file name and first page. Metadata with the same names wins."""

    file_words: tuple[str, ...]
    title: str
    parties: tuple[str, ...]
    short_names: tuple[str, ...]
    date: str
    kind: str
    terms: tuple[str, ...]

    @property
    def iso_date(self) -> str:
        """The date as 2024-03-31; "" if it is unknown."""
        return iso_date(self.date)

    def corrected(self, metadata: Mapping[str, str]) -> "Profile":
        """The profile with the values that the user gave in place of the ones that were found."""
        parties = self.parties
        if "parties" in metadata:
            parties = tuple(name.strip() for name in metadata["parties"].split(";"))
        return replace(
            self,
            title=metadata.get("title", self.title),
            parties=parties,
            date=metadata.get("date", self.date),
            kind=metadata.get("kind", self.kind),
        )


def profile(document: Document) -> Profile:
    """The profile of a document.

    >>> nda = profile(Document("NDA-AcmeRobotics%202021.txt", "Acme Robotics Ltd (“Acme”) and Bolt GmbH"))
    >>> nda.file_words, nda.parties, nda.kind
    (('NDA', 'Acme', 'Robotics', '2021'), ('Acme Robotics Ltd', 'Bolt GmbH'), 'non-disclosure agreement')
    """
    head = document.text[:HEAD_LENGTH]
    parties = _unique(" ".join(name.split()) for name in _COMPANY.findall(head))[:MOST_PARTIES]
    short_names = _unique(" ".join(name.split()) for name in _DEFINED.findall(head))[:MOST_SHORT_NAMES]
    date = _DATE.search(head)
    terms = Counter(" ".join(term.split()) for term in _TERM.findall(document.text))
    words = file_words(document.id)
    guessed = Profile(
        words,
        document.title,
        parties,
        short_names,
        " ".join(date.group().split()) if date else "",
        _kind(" ".join(words), document.title, head),
        tuple(term for term, _ in terms.most_common(MOST_TERMS)),
    )
    return guessed.corrected(document.metadata)


def _kind(*places: str) -> str:
    """The kind that is named first in the file name, else in the title, else on the first page."""
    for place in places:
        positions = [(match.start(), kind) for kind, pattern in _KINDS.items() if (match := pattern.search(place))]
        if positions:
            return min(positions)[1]
    return ""


def _unique(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name.strip(" ,.;") for name in names if name.strip(" ,.;")))
