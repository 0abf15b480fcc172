"""The profile of a document: its file name, title, parties and their short names, date, kind and defined terms."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from pincite.documents.hidden import with_hidden
from pincite.documents.profile.court import Caption, find_caption
from pincite.documents.profile.date import find_date
from pincite.documents.profile.decided import date_filed, disposition
from pincite.documents.profile.file_name import file_words
from pincite.documents.profile.head import Head, head_of
from pincite.documents.profile.kind import find_kind
from pincite.documents.profile.owner import find_owner
from pincite.documents.profile.parties import Party, find_parties
from pincite.documents.profile.preamble import Preamble, find_preamble
from pincite.documents.profile.short_names import short_parties
from pincite.documents.profile.title import FoundTitle, find_title
from pincite.documents.profile.vocabulary import FIRM_SUFFIX
from pincite.text import Document
from pincite.text.dates import iso_date

MOST_SHORT_NAMES, MOST_TERMS, MOST_MENTIONED = 12, 12, 8
"""Short names, defined terms and mentioned companies that a profile keeps."""
FIRST_PAGE = 4000
"""Characters in which companies are looked for that may give a document its name."""
COURT_KINDS = frozenset({"judgment", "order", "brief", "letter"})
PLAN_KINDS = frozenset({"retirement plan", "incentive plan"})
"""Kinds whose title begins with the name of the company that has them."""
OWNED_KINDS = frozenset({"privacy policy", "terms of service", "policy"})
"""Kinds that one organisation sets alone: it is their only party."""

_DEFINED = re.compile(
    r"[(“\"]\s*(?:(?:the|each|collectively|hereinafter|hereafter"
    r"|referred\s+to\s+as)[,\s]+)*[“\"]([A-Z][^”\"\n]{1,40})[”\"]"
)
_COMPANY = re.compile(
    r"\b((?:[A-Z0-9][\w&.'’-]*,?[ ]|&[ ]){0,6}?[A-Z0-9][\w&.'’-]*,?[ ]"
    r"(?:Inc|INC|Incorporated|Corp|CORP|Corporation|CORPORATION|Company|COMPANY|Co|LLC|L\.L\.C|Ltd|LTD|Limited|LIMITED|LLP|LP"
    r"|L\.P|PLC|plc|GmbH|GMBH|AG|S\.A|SA|SAS|S\.A\.S|AB|A/S|a\.s|B\.V|BV|N\.V|NV|K\.K|Pty|Bank|Trust|Bancorp|Holdings)\b\.?)"
)
_TERM = re.compile(r"[“\"]([A-Z][\w\s&-]{2,40})[”\"]\s+(?:means|shall mean|has the meaning)")


@dataclass(frozen=True, slots=True)
class Profile:
    """What a document is called, according to its first page and file name. Metadata with the same names wins."""

    file_words: tuple[str, ...]
    title: str
    parties: tuple[str, ...]
    short_names: tuple[str, ...]
    date: str
    kind: str
    terms: tuple[str, ...]
    title_evidence: str = ""
    """What speaks for the title: heading, preamble, caption, format, front matter, file name (weak), given."""
    roles: tuple[str, ...] = ()
    """The role of each party, "" where none is known."""
    part: str = ""
    """ "amendment" or "exhibit" for a document that belongs to another."""
    amends: str = ""
    """The name of the document that this one amends or belongs to."""
    court: str = ""
    docket: str = ""
    disposition: str = ""
    mentioned: tuple[str, ...] = ()
    """Companies named on the first page, parties or not: people also call a document by them."""

    @property
    def iso_date(self) -> str:
        """The date as 2024-03-31, the first day where only a month is known; "" if it is unknown."""
        return iso_date(self.date)

    @property
    def short_parties(self) -> tuple[str, ...]:
        """The two parties as a citation names them: by the short name, the surname, the first words of the company."""
        if len(self.parties) < 2 or self.court or self.title_evidence == "caption":
            return ()
        return short_parties(self.parties, self.short_names)

    def corrected(self, metadata: Mapping[str, str]) -> "Profile":
        """The profile with the values that the user gave in place of the ones that were found."""
        parties, roles = self.parties, self.roles
        if "parties" in metadata:
            parties = tuple(name.strip() for name in metadata["parties"].split(";") if name.strip())
            roles = ()
        return replace(
            self,
            title=metadata.get("title", self.title),
            title_evidence="given" if "title" in metadata else self.title_evidence,
            parties=parties,
            roles=roles,
            date=metadata.get("date", self.date),
            kind=metadata.get("kind", self.kind),
        )


def profile(document: Document) -> Profile:
    """The profile of a document.

    >>> nda = profile(Document("NDA-AcmeRobotics%202021.txt", "Acme Robotics Ltd (“Acme”) and Bolt GmbH agree ..."))
    >>> nda.file_words, nda.parties, nda.kind
    (('NDA', 'Acme', 'Robotics', '2021'), ('Acme Robotics Ltd', 'Bolt GmbH'), 'non-disclosure agreement')
    """
    document = with_hidden(document)
    text = _visible(document)
    head = head_of(document, text)
    preamble, caption = find_preamble(head.text, len(text)), find_caption(head)
    title = find_title(document, head, preamble, caption)
    if document.title and not document.source.titled:
        title = FoundTitle(document.title, "given")
    words = file_words(document.id)
    kind = find_kind(title.text, head, caption, " ".join(words))
    parties = _parties(text, head, preamble, title.text, kind.kind, caption)
    terms = Counter(" ".join(term.split()) for term in _TERM.findall(text))
    guessed = Profile(
        words,
        title.text,
        tuple(party.name for party in parties),
        _short_names(parties, head),
        find_date(text, head, preamble, is_court=caption is not None, filed=date_filed(head) if caption else ""),
        kind.kind,
        tuple(term for term, _ in terms.most_common(MOST_TERMS)),
        title.evidence,
        tuple(party.role for party in parties),
        kind.part,
        kind.amends,
        caption.court if caption else "",
        caption.docket if caption else "",
        disposition(text) if caption and kind.kind in ("judgment", "order") else "",
        _unique(" ".join(name.split()) for name in _COMPANY.findall(head.text[:FIRST_PAGE]))[:MOST_MENTIONED],
    )
    return guessed.corrected(document.metadata)


def titled(document: Document) -> Document:
    """A document that was read from a file, with its title, and with what of it is not to be shown."""
    document = with_hidden(document)
    text = _visible(document)
    head = head_of(document, text)
    found = find_title(document, head, find_preamble(head.text, len(text)), find_caption(head))
    return replace(document, title=found.text, source=replace(document.source, titled=True))


def _visible(document: Document) -> str:
    """The text with blanks in place of what is not shown: offsets stay as they are."""
    text = document.text
    parts, at = [], 0
    for start, end in document.source.hidden or ():
        parts += [text[at:start], re.sub(r"[^\n]", " ", text[start:end])]
        at = end
    return "".join([*parts, text[at:]]) if parts else text


def _parties(
    text: str, head: Head, preamble: Preamble | None, title: str, kind: str, caption: Caption | None
) -> list[Party]:
    if caption and caption.parties:
        roles = caption.roles or ("",) * len(caption.parties)
        return [Party(name, role) for name, role in zip(caption.parties, roles, strict=True)]
    if kind in OWNED_KINDS:
        owner = find_owner(text, title)
        return [Party(owner)] if owner else []
    parties = find_parties(text, head, preamble)
    if not parties and kind in PLAN_KINDS and (firm := FIRM_SUFFIX.search(title)) and firm.start():
        return [Party(title[: firm.end()])]
    return parties


def _short_names(parties: list[Party], head: Head) -> tuple[str, ...]:
    """The short names of the parties, and the other names that the first page defines."""
    named = [party.short for party in parties if party.short]
    return _unique([*named, *(" ".join(name.split()) for name in _DEFINED.findall(head.text[:4000]))])[
        :MOST_SHORT_NAMES
    ]


def _unique(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name.strip(" ,.;") for name in names if name.strip(" ,.;")))
