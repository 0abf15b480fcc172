"""Whether an index is what it should be: the truth, the shelves beside it, approximate search beside exact."""

import numpy as np

from pincite.errors import DataError
from pincite.index.approximate import exact_many
from pincite.index.array_file import checksum
from pincite.index.engine import Checked
from pincite.index.shelf_files import APPROXIMATE_FROM
from pincite.index.store import SHELVES, Store
from pincite.index.view import View

LEAST_RECALL = 0.98
SEED = 7


def check_index(store: Store, view: View, questions: int) -> Checked:
    """Reads every document and every file of the shelves; nothing is changed."""
    faults = [f"the database: {fault}" for fault in store.faults()]
    units = with_vectors = 0
    for entry in store.listed():
        try:
            held = store.entry(entry.number)
        except DataError as error:
            faults.append(str(error))
            continue
        assert held is not None
        units += len(held.units)
        if len(held.units) != entry.unit_count or (held.units.ends > len(held.document.text)).any():
            faults.append(f"{entry.id}: its units do not fit its text")
        vectors = store.vectors(entry.number)
        with_vectors += vectors is not None
        if vectors is not None and len(vectors[0]) != len(held.units):
            faults.append(f"{entry.id}: has {len(vectors[0])} vectors for {len(held.units)} units")
    for row in store.shelves():
        for name, written in row.files.items():
            path = store.folder / SHELVES / name
            try:
                if checksum(path) != written:
                    faults.append(f"{path}: not as it was written; 'pincite index check --repair' makes it anew")
            except OSError as error:
                faults.append(f"{path}: {error.strerror}; 'pincite index check --repair' makes it anew")
    recall, how = _recall(view, questions)
    if recall < LEAST_RECALL:
        faults.append(f"approximate search finds {recall:.4f} of the ten nearest, less than {LEAST_RECALL}")
    figures = {
        "documents": str(view.shelves.document_count),
        "units": str(units),
        "documents with vectors": str(with_vectors),
        "snapshots": str(len(view.opened)),
        "recent documents": str(len(view.recent)),
        "encoder": store.configuration.encoder or "none yet",
        "vector search": how,
        "recall@10 against exact": f"{recall:.4f}",
    }
    return Checked(figures, tuple(faults))


def _recall(view: View, questions: int) -> tuple[float, str]:
    """The share of the ten truly nearest units that the search finds, over the shelves that approximate."""
    found = wanted = 0
    probes: list[str] = []
    for held in view.opened:
        rows = held.rows
        if rows is None or rows.neighbours is None:
            continue
        known = np.flatnonzero(np.repeat(rows.known, np.diff(held.shelf.first_unit)))
        chance = np.random.default_rng(SEED)
        chosen = np.sort(chance.choice(known, size=min(questions, len(known)), replace=False))
        asked = rows.codes[chosen].astype(np.float32) * rows.scales[chosen][:, None]
        asked += 0.5 * chance.normal(size=asked.shape).astype(np.float32) / np.sqrt(asked.shape[1])
        for question, truth in zip(asked, exact_many(rows.codes, rows.scales, known, asked, 10), strict=True):
            near = rows.neighbours.nearest(question, 10, rows.codes, rows.scales)
            found += len(np.intersect1d(near, truth))
            wanted += len(truth)
        probes.append(f"{rows.neighbours.probes} of {rows.neighbours.index.nlist} lists")
    if not wanted:
        return 1.0, "exact"
    return found / wanted, f"approximate ({', '.join(probes)}); exact up to {APPROXIMATE_FROM:,} units"
