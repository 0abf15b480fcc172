"""The contract of an encoder: it embeds questions and passages as unit vectors."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]

Progress = Callable[[int, int], None]
"""A callback that is called with (done, total) during long work."""

BATCH = 32
"""Texts encoded at once. Vectors do not depend on it."""


class Encoder(ABC):
    """Embeds texts as L2-normalised float32 vectors. The vector of a text is the same in any batch, to 1e-5."""

    name: str
    sha256: str
    """The hash of the weights and the tokenizer, under which vectors are cached."""
    dimensions: int
    query_prefix: str = ""
    passage_prefix: str = ""

    def encode_queries(self, texts: Sequence[str], progress: Progress | None = None) -> Vectors:
        return self._encode_each_once([self.query_prefix + text for text in texts], progress)

    def encode_passages(self, texts: Sequence[str], progress: Progress | None = None) -> Vectors:
        return self._encode_each_once([self.passage_prefix + text for text in texts], progress)

    @abstractmethod
    def encode(self, texts: Sequence[str], progress: Progress | None = None) -> Vectors:
        """Embeds the texts without a prefix, a row for each."""

    def _encode_each_once(self, texts: list[str], progress: Progress | None) -> Vectors:
        """Embeds equal texts once, so that equal passages tie exactly."""
        places = {text: place for place, text in enumerate(dict.fromkeys(texts))}
        if not places:
            return np.zeros((0, self.dimensions), dtype=np.float32)
        vectors = self.encode(list(places), progress)
        return vectors[[places[text] for text in texts]]
