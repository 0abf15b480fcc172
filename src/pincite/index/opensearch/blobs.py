"""The large parts of documents (texts, units, postings, vectors) in pieces that a cluster takes, with checksums."""

import json
import zlib
from base64 import b64decode, b64encode
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pincite.errors import DamagedDocumentError
from pincite.index.opensearch.cluster import Cluster

PIECE = 4_000_000
"""Bytes of a piece before it is written as text."""
AT_ONCE = 16_000_000
"""Bytes of pieces asked for in one request, about."""
ALIGN = 8
"""Arrays begin at multiples of it."""
MOST_KEPT = 512_000_000
"""Bytes of parts that a process keeps at hand."""

Json = dict[str, Any]
Manifest = Mapping[str, Sequence[int]]
"""For each part of a document its size and CRC-32."""


def part_rows(index: str, number: int, part: str, data: bytes) -> Iterator[tuple[Json, Json]]:
    """The writes that store a part of a document."""
    for at in range(_pieces(len(data))):
        piece = data[at * PIECE : (at + 1) * PIECE]
        row = {"number": number, "data": b64encode(piece).decode("ascii")}
        yield {"index": {"_index": index, "_id": f"{number}-{part}-{at}"}}, row


def entry(data: bytes) -> tuple[int, int]:
    """What the manifest says of a part."""
    return len(data), zlib.crc32(data)


class Blobs:
    """Parts of documents, fetched when they are needed; those used last are kept. A stored part never changes."""

    def __init__(self, cluster: Cluster, index: str) -> None:
        self.cluster = cluster
        self.index = index
        self._kept: OrderedDict[tuple[int, str], bytes] = OrderedDict()
        self._size = 0
        self._lock = Lock()

    def fetch(self, wanted: Sequence[tuple[int, str, Manifest]]) -> dict[tuple[int, str], bytes | None]:
        """The parts of some documents by number and part; None for one that is missing or damaged."""
        found: dict[tuple[int, str], bytes | None] = {}
        missing = []
        with self._lock:
            for number, part, manifest in wanted:
                data = self._kept.get((number, part))
                if data is None:
                    missing.append((number, part, manifest))
                else:
                    self._kept.move_to_end((number, part))
                    found[number, part] = data
        for batch in _batches(missing):
            names = [
                f"{number}-{part}-{at}" for number, part, manifest in batch for at in range(_pieces(manifest[part][0]))
            ]
            pieces = self.cluster.sources(self.index, names)
            for number, part, manifest in batch:
                data = _joined(pieces, number, part, manifest)
                found[number, part] = data
                if data is not None:
                    self._keep((number, part), data)
        return found

    def part(self, number: int, part: str, manifest: Manifest, document_id: str) -> bytes:
        """One part of one document; an error where it is damaged."""
        data = self.fetch([(number, part, manifest)])[number, part]
        if data is None:
            raise DamagedDocumentError(document_id, f"its {part} are missing or not what was stored")
        return data

    def forget(self) -> None:
        """Lets go of everything that is kept at hand."""
        with self._lock:
            self._kept.clear()
            self._size = 0

    def _keep(self, key: tuple[int, str], data: bytes) -> None:
        with self._lock:
            if key not in self._kept:
                self._kept[key] = data
                self._size += len(data)
            while self._size > MOST_KEPT and len(self._kept) > 1:
                _, dropped = self._kept.popitem(last=False)
                self._size -= len(dropped)


def _joined(pieces: Mapping[str, Json], number: int, part: str, manifest: Manifest) -> bytes | None:
    size, crc = manifest[part]
    try:
        data = b"".join(b64decode(pieces[f"{number}-{part}-{at}"]["data"]) for at in range(_pieces(size)))
    except (KeyError, ValueError):
        return None
    return data if entry(data) == (size, crc) else None


def _pieces(size: int) -> int:
    return max(1, -(-size // PIECE))


def _batches(
    wanted: Sequence[tuple[int, str, Manifest]],
) -> Iterator[list[tuple[int, str, Manifest]]]:
    batch: list[tuple[int, str, Manifest]] = []
    size = 0
    for one in wanted:
        own = one[2][one[1]][0]
        if batch and size + own > AT_ONCE:
            yield batch
            batch, size = [], 0
        batch.append(one)
        size += own
    if batch:
        yield batch


def pack_arrays(arrays: Mapping[str, NDArray[np.generic]]) -> bytes:
    """Several arrays as bytes.

    >>> unpack_arrays(pack_arrays({"a": np.array([1, 2])}))["a"].tolist()
    [1, 2]
    """
    shapes = [(name, array.dtype.str, list(array.shape)) for name, array in arrays.items()]
    header = json.dumps(shapes).encode("utf-8")
    packed = [len(header).to_bytes(ALIGN, "little"), header, _padding(len(header))]
    for array in arrays.values():
        packed += [np.ascontiguousarray(array).tobytes(), _padding(array.nbytes)]
    return zlib.compress(b"".join(packed), 1)


def unpack_arrays(data: bytes) -> dict[str, NDArray[np.generic]]:
    """What `pack_arrays` was given, read-only."""
    unpacked = zlib.decompress(data)
    end = ALIGN + int.from_bytes(unpacked[:ALIGN], "little")
    place = end + len(_padding(end))
    found = {}
    for name, kind, shape in json.loads(unpacked[ALIGN:end]):
        count = int(np.prod(shape, dtype=np.int64))
        found[name] = np.frombuffer(unpacked, dtype=kind, count=count, offset=place).reshape(shape)
        size = count * np.dtype(kind).itemsize
        place += size + len(_padding(size))
    return found


def _padding(size: int) -> bytes:
    return b"\0" * (-size % ALIGN)
