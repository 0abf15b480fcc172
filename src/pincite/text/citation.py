"""A hit as lawyers cite it in a memorandum: the title, the provision, the page."""

import re
from collections.abc import Sequence
from datetime import date
from pathlib import PurePosixPath

from pincite.text.dates import iso_date
from pincite.text.document import Document
from pincite.text.kinds import kind_named
from pincite.text.provision import Provision, provision
from pincite.text.title_case import is_capital, title_case

TITLE, COURT, DOCKET, DATE, KIND, SHORT_PARTIES = "title", "court", "docket", "date", "kind", "short_parties"
"""The metadata that a citation shows, where it is known."""
CASES = ("judgment", "order")
"""Kinds that are cited by court, docket and date."""
ENACTED = ("statute", "regulation")
"""Kinds that belong to no parties and number the paragraphs of their articles."""
ACRONYM_LENGTH = 5
"""Letters of a word in capitals that stays so between words that are not."""

_MONTHS = ("Jan.", "Feb.", "Mar.", "Apr.", "May", "June", "July", "Aug.", "Sept.", "Oct.", "Nov.", "Dec.")
_LABEL = re.compile(
    r"(?:(?:exhibit|ex|annex|appendix|attachment|schedule|document|page|file)\b[\s.\-–]*[a-z]?[\d.\-()]*[a-z]?"
    r"|execution\s+(?:version|copy)|(?:final\s+)?draft|copy|untitled.*|confidential|table\s+of\s+contents)\W*",
    re.IGNORECASE,
)
_CASE_WORDS = re.compile(
    r"((?:^|(?<=\s))(?:In\s+re:?|In\s+the\s+Matter\s+of|Matter\s+of|Ex\s+parte)\s+|,?(?<!\s)\s++et\s+al\b\.?|(?<!\s)\s++vs?\.?\s+)"
)
"""The words between the names of a case. Each name may be in capitals without the others."""
_NUMBERED = re.compile(r"no\b|nos\b|case\b|\[", re.IGNORECASE)


def citation(document: Document, start: int, heading_path: Sequence[str]) -> str:
    """`Title § 7.2, p. 9` for a place in a document: what is not known is left out; pages as they are printed.

    >>> citation(Document("a", "", "LEASE OF PREMISES"), 0, ("2. Rent", "2.16"))
    'Lease of Premises § 2.16'
    >>> known = {"kind": "judgment", "court": "2d Cir.", "docket": "17-3510", "date": "2017-10-31"}
    >>> citation(Document("a", "", "Smith v. Jones", known), 0, ("DISCUSSION", "12."))
    'Smith v. Jones, No. 17-3510 (2d Cir. 31 Oct. 2017), ¶ 12'
    """
    kind = kind_named(document.metadata.get(KIND, ""))
    place = provision(heading_path, paragraphs=kind in ENACTED)
    page = document.page_label_at(start) or str(document.page_at(start) or "")
    cited = f"{_case(document)}{_point(place)}" if kind in CASES else _joined(_title(document, kind), place)
    return f"{cited}, p. {page}" if page else cited


def section(heading_path: Sequence[str]) -> str:
    """The provision that headings lead to.

    >>> section(("PART 2 - COVENANTS", "Assignment", "2.16")), section(("Article IV. Term",)), section(("Notices",))
    ('§ 2.16', 'Art. IV', '')
    """
    place = provision(heading_path)
    return " ".join(part for part in (place.division, place.number) if part)


def cited_title(document: Document) -> str:
    """The title, in title case where it is all capitals; the file name where there is none, or only a label.

    >>> cited_title(Document("deals/quay.pdf", "", "EXHIBIT 10.1")), cited_title(Document("quay.pdf", "", "NDA"))
    ('quay.pdf', 'NDA')
    >>> cited_title(Document("a", "", "In re MARIA ORRICK")), cited_title(Document("a", "", "ANN MARSH v. Quay LLC"))
    ('In re Maria Orrick', 'Ann Marsh v. Quay LLC')
    """
    title = " ".join(document.title.split())
    if any(map(str.isalnum, title)) and not _LABEL.fullmatch(title):
        return title_case(title) if is_capital(title) else "".join(map(_cased_name, _CASE_WORDS.split(title)))
    return PurePosixPath(document.id).name or document.id


def _cased_name(name: str) -> str:
    """A name of a case that may be in capitals without the others; a short word is an acronym."""
    return title_case(name) if len(name.split()) > 1 or len(name) > ACRONYM_LENGTH else name


def _title(document: Document, kind: str) -> str:
    """The title with the short names of the parties before it, where they are known and do not stand in it; what people
    say is the title stays as it is."""
    title = cited_title(document)
    known = document.metadata.get(SHORT_PARTIES, "").split(";")
    names = [title_case(name.strip()) for name in known if name.strip()]
    named = any(name.casefold() in title.casefold() for joined in names for name in joined.split("-"))
    given = TITLE in document.metadata or title == PurePosixPath(document.id).name
    if not names or named or given or kind in ENACTED:
        return title
    dash = "–" if any(" " in name for name in names[:2]) else "-"
    return f"{dash.join(names[:2])} {title}"


def _joined(title: str, place: Provision) -> str:
    """A title with its provision: no comma before a number, one before a part that has a name."""
    if place.division and place.division.casefold() != title.casefold():
        title = f"{title}, {place.division}"
    return f"{title} {place.number}" if place.number else title


def _case(document: Document) -> str:
    metadata = document.metadata
    name, docket = cited_title(document), metadata.get(DOCKET, "").strip()
    if docket:
        name = f"{name}, {docket if _NUMBERED.match(docket) else f'No. {docket}'}"
    decided = " ".join(
        part for part in (title_case(metadata.get(COURT, "").strip()), _day(metadata.get(DATE, ""))) if part
    )
    return f"{name} ({decided})" if decided else name


def _day(text: str) -> str:
    """A date as citations write it. No court decides on 1 January: that is a year of which no more is known.

    >>> _day("2017-10-31"), _day("2017"), _day("someday")
    ('31 Oct. 2017', '2017', '')
    """
    day = iso_date(text)
    if not day:
        return ""
    found = date.fromisoformat(day)
    year = str(found.year)
    return year if (found.month, found.day) == (1, 1) else f"{found.day} {_MONTHS[found.month - 1]} {year}"


def _point(place: Provision) -> str:
    """A place in a judgment: a numbered paragraph, or a part."""
    division = f", {place.division}" if place.division else ""
    if not place.number:
        return division
    sign, _, number = place.number.partition(" ")
    if sign != "§":
        return f"{division}, {place.number}"
    return f"{division}, ¶ {number}" if number[0].isdigit() and "." not in number else f"{division}, Part {number}"
