"""Whether an index is what it should be: the database, the fragments beside it, approximate search beside exact."""

import numpy as np

from pincite.engine.records import CheckReport
from pincite.errors import DataError
from pincite.index.embedded.array_file import checksum
from pincite.index.embedded.database import FRAGMENTS, Database
from pincite.index.embedded.neighbours import exact_many
from pincite.index.embedded.settings import EmbeddedSettings
from pincite.index.embedded.state import EmbeddedState

LEAST_RECALL = 0.98
"""The share of the true nearest that approximate search must find."""
SEED = 7


def check_index(database: Database, state: EmbeddedState, settings: EmbeddedSettings, questions: int) -> CheckReport:
    """Reads every document and every file of the fragments, and changes nothing."""
    faults = [f"the database: {fault}" for fault in database.faults()]
    faults += map(str, database.damaged())
    units = with_vectors = 0
    for record in database.records():
        try:
            indexed, vectors = database.indexed(record.number), database.vectors(record.number)
        except DataError as error:
            faults.append(str(error))
            continue
        assert indexed is not None
        units += len(indexed.units)
        if len(indexed.units) != record.unit_count or (indexed.units.ends > len(indexed.document.text)).any():
            faults.append(f"{record.id}: its units do not fit its text")
        with_vectors += vectors is not None
        if vectors is not None and len(vectors[0]) != len(indexed.units):
            faults.append(f"{record.id}: has {len(vectors[0])} vectors for {len(indexed.units)} units")
    named = " ".join(faults)
    faults += [
        f"the stored document {name!r} is damaged (not as it was written); remove it, then add its file again"
        for name in database.unlike()
        if repr(name) not in named
    ]
    for row in database.fragments():
        for name, written in row.files.items():
            path = database.folder / FRAGMENTS / name
            try:
                if checksum(path) != written:
                    faults.append(f"{path}: not as it was written; 'pincite index check --repair' rebuilds it")
            except OSError as error:
                faults.append(f"{path}: {error.strerror}; 'pincite index check --repair' rebuilds it")
    recall, how = _recall(state, questions, settings)
    if recall < LEAST_RECALL:
        faults.append(f"approximate search finds {recall:.4f} of the ten nearest, less than {LEAST_RECALL}")
    figures = {
        "documents": str(state.fragments.document_count),
        "units": str(units),
        "documents with vectors": str(with_vectors),
        "fragments": str(len(state.opened)),
        "recent documents": str(len(state.recent)),
        "encoder": database.configuration.encoder or "none yet",
        "vector search": how,
        "recall@10 against exact": f"{recall:.4f}",
    }
    return CheckReport(figures, tuple(faults))


def _recall(state: EmbeddedState, questions: int, settings: EmbeddedSettings) -> tuple[float, str]:
    """The share of the ten truly nearest units that the search finds, over the fragments that approximate."""
    found = wanted = 0
    probes: list[str] = []
    for opened in state.opened:
        rows = opened.vectors
        if rows is None or rows.neighbours is None:
            continue
        known = np.flatnonzero(np.repeat(rows.known, np.diff(opened.fragment.first_unit)))
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
    return found / wanted, f"approximate ({', '.join(probes)}); exact up to {settings.approximate_from:,} units"
