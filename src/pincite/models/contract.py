"""What an encoder is: texts in, one unit vector each out, with two doors: one for questions, one for passages."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]

Progress = Callable[[int, int], None]
"""Is told (done, all) as long work goes on."""

BATCH = 32
"""Texts encoded at once; a vector does not depend on it."""


class Encoder(ABC):
    """Vectors are L2-normalised float32. The vector of a text is the same to 1e-5 alone or in any batch."""

    name: str
    sha256: str
    """Names the exact weights and tokenizer: what cached vectors are filed under."""
    dimensions: int
    query_prefix: str = ""
    passage_prefix: str = ""

    def encode_queries(self, texts: Sequence[str], progress: Progress | None = None) -> Vectors:
        return self._encode_each_once([self.query_prefix + text for text in texts], progress)

    def encode_passages(self, texts: Sequence[str], progress: Progress | None = None) -> Vectors:
        return self._encode_each_once([self.passage_prefix + text for text in texts], progress)

    @abstractmethod
    def encode(self, texts: Sequence[str], progress: Progress | None = None) -> Vectors:
        """The vectors of the texts as they are, a row each."""

    def _encode_each_once(self, texts: list[str], progress: Progress | None) -> Vectors:
        """Equal texts share one vector, bit for bit, so that equal passages tie exactly."""
        places = {text: place for place, text in enumerate(dict.fromkeys(texts))}
        if not places:
            return np.zeros((0, self.dimensions), dtype=np.float32)
        vectors = self.encode(list(places), progress)
        return vectors[[places[text] for text in texts]]
