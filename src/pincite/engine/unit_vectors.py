"""The vectors of units: what an encoder reads of a unit, and vectors of 8 bits a dimension."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pincite.models import Vectors
from pincite.text.units import LoadedDocument

Codes = NDArray[np.int8]
Scales = NDArray[np.float32]

DECIMALS = 6
"""Cosines are rounded to this many decimals: what lies below depends on how a machine adds."""
CHUNK = 2048
"""Rows turned into floats at once: what the processor's cache holds."""


class QuantisedVectors(NamedTuple):
    """Vectors as whole numbers from -127 to 127, each row with the scale that brings it back."""

    codes: Codes
    scales: Scales

    def cosines(self, questions: Vectors) -> NDArray[np.float64]:
        """A row for each vector: its cosine with each question."""
        found = np.zeros((len(self.codes), len(questions)))
        for first in range(0, len(self.codes), CHUNK):
            window = slice(first, first + CHUNK)
            found[window] = (self.codes[window].astype(np.float32) @ questions.T) * self.scales[window, None]
        return found


def quantise(vectors: Vectors) -> QuantisedVectors:
    """Vectors in 8 bits a dimension.

    >>> codes, scales = quantise(np.array([[0.6, -0.8]], dtype=np.float32))
    >>> codes.tolist(), round(float(scales[0]), 4)
    ([[95, -127]], 0.0063)
    """
    if not vectors.size:
        return QuantisedVectors(np.zeros(vectors.shape, dtype=np.int8), np.zeros(len(vectors), dtype=np.float32))
    scales = (np.abs(vectors).max(axis=1) / 127).astype(np.float32)
    scales[scales == 0] = 1.0
    return QuantisedVectors(np.rint(vectors / scales[:, None]).astype(np.int8), scales)


def context_texts(loaded: LoadedDocument) -> list[str]:
    """The units of a document as models read them: each behind its last heading and its lead-in."""
    document, units = loaded.document, loaded.units
    frames = [
        f"{context.heading_path[-1] if context.heading_path else ''} "
        f"{document.shown(*context.lead_in)[-200:] if context.lead_in else ''}"
        for context in units.contexts
    ]
    return [
        " ".join(f"{frames[frame]} {document.shown(start, end)}".split())
        for start, end, frame in zip(units.starts.tolist(), units.ends.tolist(), units.context_of.tolist(), strict=True)
    ]
