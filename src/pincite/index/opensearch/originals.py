"""Files on a cluster: in pieces that it takes, and a row for each name that says which pieces it means."""

from base64 import b64decode, b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from hashlib import sha256
from pathlib import Path
from time import time
from typing import Any
from uuid import uuid4

from pincite.engine.originals import OriginalFile, Originals, file_at_hand
from pincite.errors import OutputError
from pincite.index.opensearch.blobs import PIECE
from pincite.index.opensearch.cluster import Cluster

Json = dict[str, Any]

ABANDONED_SECONDS = 3600.0
"""Pieces that no name means go after this time: their file may still be being received."""


class ClusterOriginals(Originals):
    """The pieces of a file are written first, and then its name: whoever finds the name finds the whole file."""

    def __init__(self, cluster: Cluster, index: str) -> None:
        self.cluster = cluster
        self.index = index

    def write(self, name: str, data: bytes) -> None:
        before = self._row(name)
        blob, written = uuid4().hex, self.cluster.now()
        pieces = [data[at : at + PIECE] for at in range(0, len(data), PIECE)]
        self.cluster.bulk(
            (
                {"index": {"_index": self.index, "_id": f"{blob}-{at}"}},
                {"blob": blob, "written": written, "data": b64encode(piece).decode("ascii")},
            )
            for at, piece in enumerate(pieces)
        )
        kept = {"pieces": len(pieces), "sha256": sha256(data).hexdigest()}
        self._put(name, {"blob": blob, "written": written, "kept": kept})
        self._forget([before])

    @contextmanager
    def naming(self, names: Mapping[str, str]) -> Iterator[None]:
        rows = {new: self._row(old) for old, new in names.items()}
        gone = [old for old, new in names.items() if rows[new] is None]
        if gone:
            raise OutputError(f"{gone[0]}: the file is gone; send it again")
        before = [self._row(new) for new in rows]
        yield
        for new, row in rows.items():
            self._put(new, {key: value for key, value in (row or {}).items() if key != "name"})
        self._forget(before)

    def digest(self, name: str) -> str | None:
        row = self._row(name)
        return None if row is None else str(row["kept"]["sha256"])

    def at_hand(self, name: str) -> AbstractContextManager[Path | None]:
        return file_at_hand(name, self._read(name))

    def delete(self, names: Iterable[str]) -> None:
        wanted = list(names)
        rows = [self._row(name) for name in wanted]
        actions = [({"delete": {"_index": self.index, "_id": _id(name)}}, None) for name in wanted]
        if actions:
            self.cluster.bulk(actions)
            self._forget(rows)

    def files(self, area: str) -> Sequence[OriginalFile]:
        self.cluster.refresh([self.index])
        query = {"bool": {"filter": [{"prefix": {"name": f"{area}/"}}]}}
        rows = (row["_source"] for row in self.cluster.every(self.index, query, "name"))
        ahead = self.cluster.now() - time()
        return [OriginalFile(row["name"], row["written"] - ahead) for row in rows]

    def clean(self) -> None:
        """Deletes pieces that no name means, unless they are new."""
        self.cluster.refresh([self.index])
        named = {"bool": {"filter": [{"exists": {"field": "name"}}]}}
        kept = {row["_source"]["blob"] for row in self.cluster.every(self.index, named, "name", _source=["blob"])}
        old: Json = {"bool": {"must_not": [{"exists": {"field": "name"}}]}}
        old["bool"]["filter"] = [{"range": {"written": {"lt": self.cluster.now() - ABANDONED_SECONDS}}}]
        blobs = {"size": 0, "query": old, "aggs": {"blobs": {"terms": {"field": "blob", "size": 10_000}}}}
        found = self.cluster.search(self.index, blobs)["aggregations"]["blobs"]["buckets"]
        self._delete_pieces([str(bucket["key"]) for bucket in found if bucket["key"] not in kept])

    def _read(self, name: str) -> bytes | None:
        row = self._row(name)
        if row is None:
            return None
        blob, count = row["blob"], row["kept"]["pieces"]
        data = b""
        for at in range(count):
            piece = self.cluster.get(self.index, f"{blob}-{at}")
            if piece is None:
                return None
            data += b64decode(piece["_source"]["data"])
        if sha256(data).hexdigest() != row["kept"]["sha256"]:
            raise OutputError(f"{name}: the stored file is damaged; send it again")
        return data

    def _row(self, name: str) -> Json | None:
        row = self.cluster.get(self.index, _id(name))
        return None if row is None else row["_source"]

    def _put(self, name: str, row: Json) -> None:
        self.cluster.put(self.index, _id(name), {"name": name, **row})

    def _forget(self, rows: Iterable[Json | None]) -> None:
        """Deletes the pieces of files that no name means any more."""
        blobs = {row["blob"] for row in rows if row}
        if blobs:
            self.cluster.refresh([self.index])
            named = {"bool": {"filter": [{"exists": {"field": "name"}}, {"terms": {"blob": sorted(blobs)}}]}}
            found = self.cluster.every(self.index, named, "name", _source=["blob"])
            self._delete_pieces(sorted(blobs - {row["_source"]["blob"] for row in found}))

    def _delete_pieces(self, blobs: Sequence[str]) -> None:
        if blobs:
            pieces: Json = {"bool": {"filter": [{"terms": {"blob": list(blobs)}}]}}
            pieces["bool"]["must_not"] = [{"exists": {"field": "name"}}]
            self.cluster.delete_rows(self.index, pieces)


def _id(name: str) -> str:
    return f"name-{sha256(name.encode('utf-8', 'surrogatepass')).hexdigest()}"
