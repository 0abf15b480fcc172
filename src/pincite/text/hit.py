"""A hit: a passage that answers, with its score, its rank, and what every part of the ranking said of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from pincite.text.boxes import Box
from pincite.text.citation import citation
from pincite.text.document import Document
from pincite.text.passage import Edges, Passage

LIKELIHOOD = "answers"
"""The part that says how likely it is that one passage answers."""
ANSWER, LEAD_IN = "answer", "lead-in"
"""What a span is to a hit: what answers, or the words that lead into it from further up."""
GAP = " [...] "
"""What stands for the text between spans that do not touch."""


class Part(NamedTuple):
    """What one part of a ranking gave a passage; `rank` is None where the part would not have returned it."""

    score: float
    rank: int | None


class AnswerSpan(NamedTuple):
    """A slice of the document's text that belongs to a hit, and what it is to it."""

    start: int
    end: int
    role: str


class DefinedTerm(NamedTuple):
    """A defined term that a hit uses, and where the same document defines it."""

    term: str
    start: int
    end: int


class SectionReference(NamedTuple):
    """A provision of the same document that a hit refers to, and where it stands."""

    label: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Hit:
    """One answer. `text` equals `document.text[start:end]`, always; `spans` are all its pieces where it has several."""

    passage: Passage
    text: str
    score: float
    rank: int
    page: int | None = None
    heading_path: tuple[str, ...] = ()
    parts: Mapping[str, Part] = field(default_factory=dict)
    document: Document = field(default=Document("", ""), repr=False, compare=False)
    lead_ins: tuple[Edges, ...] = ()
    """The words further up that the answer completes, such as "The Supplier shall pay:"."""
    terms: tuple[DefinedTerm, ...] = ()
    refers_to: tuple[SectionReference, ...] = ()
    also: tuple[Passage, ...] = ()
    """Other places that say the same."""
    why: tuple[str, ...] = ()
    """Why it was found, in words."""

    @classmethod
    def of(
        cls,
        document: Document,
        edges: Edges,
        heading_path: tuple[str, ...],
        score: float,
        rank: int,
        parts: Mapping[str, Part],
        *,
        lead_ins: tuple[Edges, ...] = (),
        terms: tuple[DefinedTerm, ...] = (),
        refers_to: tuple[SectionReference, ...] = (),
        also: tuple[Passage, ...] = (),
        why: tuple[str, ...] = (),
    ) -> "Hit":
        """The characters between the edges of a document as an answer."""
        passage, text, page = Passage(document.id, *edges), document.text[slice(*edges)], document.page_at(edges[0])
        found = (passage, text, float(score), rank, page, heading_path, parts, document)
        return cls(*found, lead_ins, terms, refers_to, also, why)

    @property
    def document_id(self) -> str:
        return self.passage.document_id

    @property
    def title(self) -> str:
        """The title of the document."""
        return self.document.title

    @property
    def metadata(self) -> Mapping[str, str]:
        """What is known about the document: kind, parties, date, and what users say of it."""
        return self.document.metadata

    @property
    def citation(self) -> str:
        """The hit as lawyers cite it, such as "Lease of Office Premises § 2.16, p. 4"."""
        return citation(self.document, self.start, self.heading_path)

    @property
    def page_label(self) -> str:
        """The page number as printed, or the Bates number; "" where there is none."""
        return self.document.page_label_at(self.start)

    @property
    def boxes(self) -> list[Box]:
        """The rectangles on the pages of the source that the hit covers, a line each; none where there is no map."""
        return self.document.boxes(self.start, self.end)

    @property
    def likelihood(self) -> float | None:
        """How likely it is that this passage answers by itself; None where no re-ranker read it."""
        part = self.parts.get(LIKELIHOOD)
        return None if part is None else part.score

    @property
    def start(self) -> int:
        return self.passage.start

    @property
    def end(self) -> int:
        return self.passage.end

    @property
    def spans(self) -> list[AnswerSpan]:
        """The answer and what leads into it, in the order of the text."""
        leading = [AnswerSpan(start, end, LEAD_IN) for start, end in self.lead_ins]
        return sorted([*leading, AnswerSpan(self.start, self.end, ANSWER)])

    @property
    def whole(self) -> str:
        """What is shown of all spans, with dots between those that do not touch."""
        document, said = self.document, ""
        spans = self.spans
        for at, (start, end, _) in enumerate(spans):
            if at:
                between = document.shown(spans[at - 1].end, start)
                said += GAP if between.strip() else between
            said += document.shown(start, end)
        return said or self.text

    @property
    def pieces(self) -> list[Edges]:
        """The slices of the document's text that are shown: what stands between running matter and markup."""
        return self.document.pieces(self.start, self.end) or [(self.start, self.end)]

    @property
    def shown(self) -> str:
        """What is shown of the hit: its pieces joined."""
        return "".join(self.document.text[start:end] for start, end in self.pieces) or self.text

    def to_dict(self) -> dict[str, object]:
        """The shape that `pincite search --json` prints."""
        return {
            "rank": self.rank,
            "score": self.score,
            "document": self.passage.document_id,
            "title": self.document.title,
            "page": self.page,
            "start": self.start,
            "end": self.end,
            "text": self.text,
            "pieces": [list(edges) for edges in self.pieces],
            "heading_path": list(self.heading_path),
            "parts": {name: {"score": score, "rank": rank} for name, (score, rank) in self.parts.items()},
            "citation": self.citation,
            "spans": [
                {"start": start, "end": end, "role": role, "text": self.document.text[start:end]}
                for start, end, role in self.spans
            ],
            "terms": [term._asdict() for term in self.terms],
            "refers_to": [reference._asdict() for reference in self.refers_to],
            "also": [{"document": at.document_id, "start": at.start, "end": at.end} for at in self.also],
            "why": list(self.why),
            "page_label": self.page_label,
            "likelihood": self.likelihood,
            "boxes": [box._asdict() for box in self.boxes],
            "metadata": dict(self.metadata),
        }
