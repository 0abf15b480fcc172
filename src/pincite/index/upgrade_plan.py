"""What an upgrade would do, and how long it would take: measured on the first documents."""

import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice

from pincite.engine.contract import Engine, every_document
from pincite.engine.records import MissingVectors
from pincite.engine.unit_vectors import context_texts
from pincite.errors import DataError
from pincite.index.prepare import prepared
from pincite.index.upgrade import is_earlier, old_files
from pincite.models import Encoder
from pincite.segment import segmenter
from pincite.text.units import LoadedDocument

MEASURED_SECONDS = 1.0
"""How long segmenting and profiling are measured."""
MEASURED_DOCUMENTS = 20
"""Documents that are measured at most."""
MEASURED_UNITS = 32
"""Units that are embedded to measure."""


@dataclass(frozen=True, slots=True)
class UpgradePlan:
    """The documents of earlier versions, and the estimated time. Rates are per second; 0 where nothing was measured."""

    total: int
    """Documents in the index."""
    documents: int = 0
    """Those of an earlier version."""
    from_files: int = 0
    """Those whose files are there."""
    characters: int = 0
    units: int = 0
    unembedded: int = 0
    """Units of this version that are not embedded yet, where the index is embedded."""
    character_rate: float = 0.0
    unit_rate: float = 0.0

    @property
    def from_text(self) -> int:
        return self.documents - self.from_files

    @property
    def seconds(self) -> float:
        """About how long it takes."""
        reading = self.characters / self.character_rate if self.character_rate else 0.0
        return reading + ((self.units + self.unembedded) / self.unit_rate if self.unit_rate else 0.0)


def plan_upgrade(engine: Engine, encoder: Encoder | None, *, former: bool = False) -> UpgradePlan:
    """Counts what is left to do, and measures how fast it goes. Nothing is changed. `former`: all vectors are those of
    an earlier encoder and are made again."""
    files = old_files(engine)
    records = [record for old in files for record in old.records]
    earlier = {record.id for record in records}
    sizes = {record.id: record.unit_count for record in every_document(engine)}
    total = len(sizes)
    waiting = [] if encoder is None else engine.without_vectors(limit=max(1, total))
    everything = [MissingVectors(name, units) for name, units in sizes.items()] if encoder and former else waiting
    missing = [entry for entry in everything if entry.id not in earlier]
    sample = _sample(engine, [*earlier, *(entry.id for entry in missing)][:MEASURED_DOCUMENTS])
    return UpgradePlan(
        total,
        sum(map(is_earlier, records)),
        sum(len(old.records) for old in files if old.path is not None and old.path.is_file()),
        sum(record.characters for record in records),
        sum(record.unit_count for record in records),
        sum(entry.units for entry in missing),
        _character_rate(engine, sample) if records else 0.0,
        _unit_rate(encoder, sample) if encoder is not None else 0.0,
    )


def _sample(engine: Engine, ids: Sequence[str]) -> list[LoadedDocument]:
    """Some documents; damaged ones are left out."""
    loaded = []
    for name in ids:
        with suppress(DataError):
            loaded.append(engine.load([name])[0])
    return loaded


def _character_rate(engine: Engine, sample: Sequence[LoadedDocument]) -> float:
    """Characters that are segmented and profiled in a second."""
    segment = segmenter(engine.configuration.segmenter)
    characters, start = 0, time.perf_counter()
    for document, _ in sample:
        prepared(document, {}, segment)
        characters += len(document.text)
        if time.perf_counter() - start > MEASURED_SECONDS:
            break
    return characters / max(time.perf_counter() - start, 1e-6)


def _unit_rate(encoder: Encoder, sample: Sequence[LoadedDocument]) -> float:
    """Units that are embedded in a second."""
    texts = list(islice((text for loaded in sample for text in context_texts(loaded)), MEASURED_UNITS))
    if not texts:
        return 0.0
    encoder.encode_passages(texts[:1])  # the first call prepares the model
    start = time.perf_counter()
    encoder.encode_passages(texts)
    return len(texts) / max(time.perf_counter() - start, 1e-6)
