"""How documents, units, profiles and vectors are written into the database, and read back."""

import json
import zlib
from dataclasses import asdict
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pincite.documents.profile import Profile
from pincite.models import Vectors
from pincite.text import Source
from pincite.text.boxes import Boxes
from pincite.text.passage import Edges
from pincite.text.units import Context, Units

Codes = NDArray[np.int8]
Scales = NDArray[np.float32]


def pack_units(units: Units) -> tuple[bytes, bytes]:
    """Where the units stand, and what stands above them."""
    numbers = np.concatenate((units.starts, units.ends, units.context_of)).astype("<i4")
    return numbers.tobytes(), zlib.compress(json.dumps(units.contexts).encode(), 1)


def unpack_units(numbers: bytes, contexts: bytes) -> Units:
    starts, ends, context_of = np.frombuffer(numbers, dtype="<i4").astype(np.int32).reshape(3, -1)
    held = json.loads(zlib.decompress(contexts))
    return Units(starts, ends, tuple(Context(tuple(p), _edges(lead), _edges(c)) for p, lead, c in held), context_of)


def _edges(values: list[int] | None) -> Edges | None:
    return None if values is None else (values[0], values[1])


def pack_source(source: Source) -> bytes:
    """Everything but the boxes, which are kept apart: few searches need them."""
    kept = {
        "path": source.path,
        "reader": source.reader,
        "reader_version": source.reader_version,
        "page_starts": source.page_starts,
        "page_labels": source.page_labels,
        "headings": source.headings,
        "places": source.places,
        "margins": source.margins,
    }
    return zlib.compress(json.dumps(kept).encode("utf-8", "surrogatepass"), 1)


def unpack_source(packed: bytes, boxes: bytes | None = None) -> Source:
    kept = json.loads(zlib.decompress(packed))
    return Source(
        path=kept["path"],
        reader=kept["reader"],
        reader_version=kept["reader_version"],
        page_starts=tuple(kept["page_starts"]),
        page_labels=tuple(kept["page_labels"]),
        headings=tuple((start, level) for start, level in kept["headings"]),
        places=tuple((start, place) for start, place in kept["places"]),
        margins=tuple(kept["margins"]),
        boxes=None if boxes is None else Boxes(boxes),
    )


def pack_profile(profile: Profile) -> str:
    return json.dumps(asdict(profile), ensure_ascii=False)


def unpack_profile(packed: str) -> Profile:
    values = json.loads(packed)
    fields: dict[str, Any] = {key: tuple(held) if isinstance(held, list) else held for key, held in values.items()}
    return Profile(**fields)


def quantise(vectors: Vectors) -> tuple[Codes, Scales]:
    """Vectors as whole numbers from -127 to 127, each with the scale that brings it back.

    >>> codes, scales = quantise(np.array([[0.6, -0.8]], dtype=np.float32))
    >>> codes.tolist(), round(float(scales[0]), 4)
    ([[95, -127]], 0.0063)
    """
    if not vectors.size:
        return np.zeros(vectors.shape, dtype=np.int8), np.zeros(len(vectors), dtype=np.float32)
    scales = (np.abs(vectors).max(axis=1) / 127).astype(np.float32)
    scales[scales == 0] = 1.0
    return np.rint(vectors / scales[:, None]).astype(np.int8), scales
