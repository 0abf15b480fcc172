"""An answer: the hits of a question, what was understood of it, notes, and how likely it is that they answer."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import NamedTuple, overload

from pincite.query.reference import ParsedQuery
from pincite.search.highlight import matched_words
from pincite.search.overview import Overview
from pincite.text import Hit

LIKELY = 0.5
"""Below this likelihood an answer is called unlikely."""


class DocumentHits(NamedTuple):
    """The hits of one document."""

    document: str
    hits: tuple[Hit, ...]

    def to_dict(self) -> dict[str, object]:
        title = self.hits[0].title
        return {"document": self.document, "title": title, "ranks": [hit.rank for hit in self.hits]}


@dataclass(frozen=True, slots=True)
class Answer:
    """The hits of a question, best first. It can be iterated, counted and indexed like the list of its hits."""

    query: str
    hits: tuple[Hit, ...] = ()
    understood: ParsedQuery = field(default_factory=lambda: ParsedQuery(""))
    notes: tuple[str, ...] = ()
    answered: float | None = None
    """How likely it is that the documents answer the question at all, from 0 to 1; None where nothing judged it."""
    overview: Overview | None = None
    """The document at a glance, for a question that only names one."""

    def __iter__(self) -> Iterator[Hit]:
        return iter(self.hits)

    def __len__(self) -> int:
        return len(self.hits)

    @overload
    def __getitem__(self, at: int) -> Hit: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[Hit, ...]: ...
    def __getitem__(self, at: int | slice) -> Hit | tuple[Hit, ...]:
        return self.hits[at]

    @property
    def question(self) -> str:
        """What was asked, without the words that name a document."""
        return self.understood.question or self.query

    @property
    def groups(self) -> list[DocumentHits]:
        """The hits by document, the document of the best hit first."""
        found: dict[str, list[Hit]] = {}
        for hit in self.hits:
            found.setdefault(hit.document_id, []).append(hit)
        return [DocumentHits(document, tuple(hits)) for document, hits in found.items()]

    def if_likely(self) -> "Answer":
        """The same, without hits where the question is probably not answered."""
        if self.answered is None or self.answered >= LIKELY:
            return self
        return replace(self, hits=(), notes=(f"probably not answered here (likelihood {self.answered:.2f})",))

    def to_dict(self, *, explain: bool = False) -> dict[str, object]:
        """The envelope that programs get; with `explain`, each hit names the words of the question in it."""
        notes = list(self.notes) if self.hits else [*self.notes, "nothing was found"]
        return {
            "query": self.query,
            "understood": {**self.understood.to_dict(), "question": self.question},
            "notes": notes,
            "answered": self.answered,
            "hits": self.hit_dicts(explain=explain),
            "groups": [group.to_dict() for group in self.groups],
            "overview": self.overview.to_dict() if self.overview else None,
        }

    def hit_dicts(self, *, explain: bool = False) -> list[dict[str, object]]:
        """The hits alone, as programs get them."""
        more = [{"matched": matched_words(self.question, hit)} if explain else {} for hit in self.hits]
        return [{**hit.to_dict(), **matched} for hit, matched in zip(self.hits, more, strict=True)]
