"""What a document is, for a question that only names it: its key facts and its outline."""

from dataclasses import dataclass

from pincite.segment.outline import Heading, headings
from pincite.text.citation import COURT, DATE, DOCKET, KIND, cited_title
from pincite.text.units import LoadedDocument

MOST_HEADINGS = 60
"""Headings of the outline that are shown."""


@dataclass(frozen=True, slots=True)
class Overview:
    """A document at a glance."""

    document: str
    title: str
    facts: dict[str, str]
    """Kind, parties, date, court and docket, those that are known."""
    outline: tuple[Heading, ...]
    """Its headings of the first two levels, each with where the text under it begins."""

    @classmethod
    def of(cls, loaded: LoadedDocument) -> "Overview":
        document = loaded.document
        known = {name: document.metadata.get(name, "") for name in (KIND, "parties", DATE, COURT, DOCKET)}
        outline = tuple(heading for heading in headings(document) if heading.level < 2)
        if len(outline) > MOST_HEADINGS:
            outline = tuple(heading for heading in outline if heading.level == 0)[:MOST_HEADINGS]
        return cls(document.id, cited_title(document), {name: said for name, said in known.items() if said}, outline)

    def to_dict(self) -> dict[str, object]:
        outline = [heading._asdict() for heading in self.outline]
        return {"document": self.document, "title": self.title, **self.facts, "outline": outline}
