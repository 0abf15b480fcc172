"""Backups of a collection on a cluster: its rows as of one state, as files. They need no shared folder of the cluster,
and another cluster can take them in."""

import gzip
import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pincite.errors import DataError
from pincite.index.backup import COLLECTION
from pincite.index.opensearch.changes import STATE
from pincite.index.opensearch.cluster import Cluster
from pincite.index.opensearch.mappings import (
    BLOBS,
    DOCUMENTS,
    FILES,
    FORMAT,
    META,
    ORIGINALS,
    RECORDS,
    ROOTS,
    UNITS,
    vectors_name,
)

if TYPE_CHECKING:
    from pincite.index.opensearch.engine import OpenSearchEngine

Json = dict[str, Any]
Progress = Callable[[int, int], None]

AT_ONCE = 1000
"""Documents whose parts are asked for at once."""


def dump(engine: "OpenSearchEngine", folder: Path, progress: Progress | None = None) -> None:
    """Writes the rows of the present state into a folder. The caller holds the writer's lease."""
    state = engine.states.read()
    shape = {"format": FORMAT, "state": {**asdict(state), "version": (0, 0)}}
    alive = {"bool": {"filter": [state.alive()]}}
    everything: Json = {"match_all": {}}
    wanted = {DOCUMENTS: alive, UNITS: alive, FILES: alive, ROOTS: alive, RECORDS: everything, ORIGINALS: everything}
    if state.dimensions:
        wanted[vectors_name(state.dimensions)] = alive
    engine.cluster.refresh(map(engine.index, (RECORDS, ORIGINALS, BLOBS)))
    numbers: list[int] = []
    for at, (which, query) in enumerate(wanted.items()):
        rows = engine.cluster.scan(engine.index(which), query)
        numbers += _write(folder / f"{which}.jsonl.gz", rows)
        if progress:
            progress(at + 1, len(wanted) + 1)
    parts = (
        row
        for first in range(0, len(numbers), AT_ONCE)
        for row in engine.cluster.scan(engine.index(BLOBS), {"terms": {"number": numbers[first : first + AT_ONCE]}})
    )
    _write(folder / f"{BLOBS}.jsonl.gz", parts)
    if progress:
        progress(len(wanted) + 1, len(wanted) + 1)
    (folder / COLLECTION).write_text(json.dumps(shape), encoding="utf-8")


def _write(file: Path, rows: Iterable[Json]) -> list[int]:
    """Writes rows, a line each, and gives the numbers of those that are documents."""
    numbers = []
    with gzip.open(file, "wt", encoding="utf-8", compresslevel=1) as out:
        for row in rows:
            out.write(json.dumps({"id": row["_id"], "row": row["_source"]}) + "\n")
            if file.name.startswith(DOCUMENTS):
                numbers.append(int(row["_source"]["number"]))
    return numbers


def load(engine_indices: Callable[[str], str], cluster: Cluster, folder: Path, prepare: Callable[[int], None]) -> None:
    """Takes rows in that `dump` wrote, and last the state that makes them seen. `prepare` makes the index of vectors of
    some dimensions."""
    try:
        shape = json.loads((folder / COLLECTION).read_text(encoding="utf-8"))
        state = shape["state"]
    except (OSError, ValueError, KeyError) as error:
        raise DataError(f"{folder}: not a backup of a collection on a cluster ({error})") from None
    if shape["format"] > FORMAT:
        raise DataError(f"{folder}: the backup was made by a newer Pincite; install a newer one")
    if state["dimensions"]:
        prepare(state["dimensions"])
    touched = []
    for file in sorted(folder.glob("*.jsonl.gz")):
        index = engine_indices(file.name.removesuffix(".jsonl.gz"))
        touched.append(index)
        cluster.bulk(({"index": {"_index": index, "_id": line["id"]}}, line["row"]) for line in _lines(file))
    cluster.refresh(touched)
    kept = {key: value for key, value in state.items() if key != "version"}
    cluster.put(engine_indices(META), STATE, {"kept": kept}, refresh="true")


def _lines(file: Path) -> Iterator[Json]:
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)
