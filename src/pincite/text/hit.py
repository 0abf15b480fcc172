"""A hit: a passage that answers, with its score, its rank, and what every part of the ranking said of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from pincite.text.document import Document
from pincite.text.passage import Edges, Passage


class Part(NamedTuple):
    """What one part of a ranking gave a passage; `rank` is None where the part would not have returned it."""

    score: float
    rank: int | None


@dataclass(frozen=True, slots=True)
class Hit:
    """One answer. `text` equals `document.text[start:end]`, always."""

    passage: Passage
    text: str
    score: float
    rank: int
    page: int | None = None
    heading_path: tuple[str, ...] = ()
    parts: Mapping[str, Part] = field(default_factory=dict)
    document: Document = field(default=Document("", ""), repr=False, compare=False)

    @classmethod
    def of(
        cls,
        document: Document,
        edges: Edges,
        heading_path: tuple[str, ...],
        score: float,
        rank: int,
        parts: Mapping[str, Part],
    ) -> "Hit":
        """The characters between the edges of a document as an answer."""
        passage, text, page = Passage(document.id, *edges), document.text[slice(*edges)], document.page_at(edges[0])
        return cls(passage, text, float(score), rank, page, heading_path, parts, document)

    @property
    def start(self) -> int:
        return self.passage.start

    @property
    def end(self) -> int:
        return self.passage.end

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
            "heading_path": list(self.heading_path),
            "parts": {name: {"score": score, "rank": rank} for name, (score, rank) in self.parts.items()},
        }
