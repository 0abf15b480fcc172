"""How units, sources and profiles are written by the engines, and read back."""

import json
import zlib
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, overload

import numpy as np

from pincite.documents.profile import Profile
from pincite.text import Source
from pincite.text.boxes import Boxes
from pincite.text.passage import Edges
from pincite.text.units import Context, Units

NOWHERE = (-1, -1)


def pack_units(units: Units) -> tuple[bytes, bytes]:
    """Where the units stand, and what stands above them."""
    numbers = np.concatenate((units.starts, units.ends, units.context_of)).astype("<i4")
    paths: dict[tuple[str, ...], int] = {}
    rows = [
        (
            paths.setdefault(context.heading_path, len(paths)),
            *(context.lead_in or NOWHERE),
            *(context.clause or NOWHERE),
        )
        for context in units.contexts
    ]
    encoded = json.dumps(list(paths), ensure_ascii=False).encode("utf-8", "surrogatepass")
    edges = np.array(rows, dtype="<i4").reshape(-1, 5)
    return numbers.tobytes(), len(encoded).to_bytes(4, "little") + zlib.compress(encoded + edges.tobytes(), 1)


def unpack_units(numbers: bytes, contexts: bytes) -> Units:
    starts, ends, context_of = np.frombuffer(numbers, dtype="<i4").astype(np.int32).reshape(3, -1)
    return Units(starts, ends, _Contexts(contexts), context_of)


class _Contexts(Sequence[Context]):
    """Contexts that are made when they are asked for: a hit needs a few of a document's many."""

    def __init__(self, packed: bytes) -> None:
        length = int.from_bytes(packed[:4], "little")
        unpacked = zlib.decompress(packed[4:])
        self._paths = [tuple(path) for path in json.loads(unpacked[:length])]
        self._rows = np.frombuffer(unpacked[length:], dtype="<i4").reshape(-1, 5)
        self._made: dict[int, Context] = {}

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, at: int) -> Context: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Context]: ...
    def __getitem__(self, at: int | slice) -> Context | Sequence[Context]:
        if isinstance(at, slice):
            return [self[place] for place in range(len(self))[at]]
        made = self._made.get(at)
        if made is None:
            path, *edges = self._rows[at].tolist()
            made = Context(self._paths[path], _edges(edges[0], edges[1]), _edges(edges[2], edges[3]))
            self._made[at] = made
        return made


def _edges(start: int, end: int) -> Edges | None:
    return None if (start, end) == NOWHERE else (start, end)


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
        "hidden": source.hidden,
        "title": source.title,
        "titled": source.titled,
    }
    return zlib.compress(json.dumps(kept).encode("utf-8", "surrogatepass"), 1)


def unpack_source(packed: bytes, boxes: bytes | None = None) -> Source:
    """The source. Indexes of 0.1.0 do not say what is hidden."""
    kept = json.loads(zlib.decompress(packed))
    hidden = kept.get("hidden")
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
        hidden=None if hidden is None else tuple((start, end) for start, end in hidden),
        title=kept.get("title", ""),
        titled=kept.get("titled", bool(kept["path"])),
    )


def pack_profile(profile: Profile) -> str:
    return json.dumps(asdict(profile), ensure_ascii=False)


def unpack_profile(packed: str) -> Profile:
    values = json.loads(packed)
    fields: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in values.items()}
    return Profile(**fields)
