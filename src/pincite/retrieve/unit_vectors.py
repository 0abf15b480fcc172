"""The vectors of units: made when a document is first looked into, or kept elsewhere behind the same contract."""

from collections.abc import Iterable
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from pincite.models import Encoder, Progress, Vectors
from pincite.retrieve.shelf import Flags
from pincite.retrieve.shelves import Held, Looked, Shelves

DECIMALS = 6
"""Cosines are rounded here: what lies below depends on how a machine adds."""


class UnitVectors(Protocol):
    """Where the vectors of the units are."""

    def cosines(self, looked: Looked, questions: Vectors) -> tuple[NDArray[np.float64], Flags]:
        """A row for each unit with its cosine to each question, and whether the unit has a vector at all."""

    def nearest(self, question: Vectors, units: int, admitted: Flags | None) -> list[tuple[int, float]]:
        """The documents of about so many nearest units, each with its best cosine, best first; none where only some
        units have vectors so far."""


class MadeWhenNeeded:
    """Vectors in memory, made by an encoder document by document."""

    def __init__(self, shelves: Shelves, encoder: Encoder) -> None:
        self.shelves = shelves
        self.encoder = encoder
        self._vectors: dict[int, Vectors] = {}

    def encode(self, documents: Iterable[int], progress: Progress | None = None) -> None:
        """Makes the vectors of the units of these documents, where they are not there yet."""
        missing = [at for at in documents if at not in self._vectors]
        texts = [context_texts(self.shelves.load(at)) for at in missing]
        vectors = self.encoder.encode_passages([text for document in texts for text in document], progress)
        place = 0
        for at, document in zip(missing, texts, strict=True):
            self._vectors[at] = vectors[place : place + len(document)]
            place += len(document)

    def cosines(self, looked: Looked, questions: Vectors) -> tuple[NDArray[np.float64], Flags]:
        documents = looked.documents.tolist()
        self.encode(documents)
        found = [np.round(self._vectors[at] @ questions.T, DECIMALS).astype(np.float64) for at in documents]
        none = np.zeros((0, len(questions)))
        return np.concatenate([none, *found]), np.ones(len(looked), dtype=np.bool_)

    def nearest(self, question: Vectors, units: int, admitted: Flags | None) -> list[tuple[int, float]]:
        return []


def context_texts(held: Held) -> list[str]:
    """The units of a document as an encoder reads them: each behind its last heading and its lead-in."""
    text, units = held.document.text, held.units
    frames = [
        f"{context.heading_path[-1] if context.heading_path else ''} "
        f"{text[slice(*context.lead_in)][-200:] if context.lead_in else ''}"
        for context in units.contexts
    ]
    return [
        " ".join(f"{frames[frame]} {text[start:end]}".split())
        for start, end, frame in zip(units.starts.tolist(), units.ends.tolist(), units.context_of.tolist(), strict=True)
    ]
