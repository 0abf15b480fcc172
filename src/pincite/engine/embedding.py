"""Embedding: the units of documents without vectors are encoded, a batch at a time, and stored."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from hashlib import sha256
from random import Random

from pincite.engine.configuration import Configuration
from pincite.engine.contract import EMBEDDER, MOST_LOADED, WRITER, Engine
from pincite.engine.records import MissingVectors
from pincite.engine.unit_vectors import QuantisedVectors, context_texts, quantise
from pincite.errors import DataError, ModelError, NotFoundError, OutputError
from pincite.models import Encoder, Progress
from pincite.text.document import DocumentKey
from pincite.text.units import LoadedDocument

EMBEDDED_AT_ONCE = 1024
"""Units encoded and stored in one change, about."""
AT_ONCE = 256
"""Documents looked for at once."""
SHARES = 64
"""Shares into which documents are divided that many processes embed."""
SHARED_AT_ONCE = 2000
"""Documents looked for at once by a process that embeds a share."""
TIDY_AFTER = 100_000
"""Embedded units after which the index is tidied."""


def embed(engine: Engine, encoder: Encoder, progress: Progress | None = None, name: str = "") -> int:
    """Embeds the documents that have no vectors, and says how many. `name` is what the encoder is loaded by, where that
    is not its own name. Stopped in the middle, the next call goes on. Others may change the collection meanwhile: it is
    held only while vectors are stored."""
    with engine.lease(EMBEDDER):
        total = engine.missing_units()
        _record_encoder(engine, encoder, name)
        if not engine.without_vectors(limit=1):
            return 0
        done = untidy = count = 0
        passed: set[str] = set()
        while waiting := _waiting(engine, passed):
            for batch in _batches(waiting):
                stored = _embed_batch(engine, encoder, batch, passed, _within(done, total, progress))
                count += stored
                units = sum(missing.units for missing in batch)
                done, untidy = done + units, untidy + units
                if progress:
                    progress(min(done, total), total)
                if untidy > TIDY_AFTER:
                    engine.tidy(more_to_come=True)
                    untidy = 0
        engine.tidy()
    return count


def embed_share(engine: Engine, encoder: Encoder, name: str = "") -> int:
    """Embeds documents that have no vectors while other processes embed others, and says how many. Documents belong to
    shares by their ids; who holds the lease of a share embeds its documents. The engine must know such leases.
    """
    _record_encoder(engine, encoder, name)
    count = 0
    for share, waiting in _shares(engine.without_vectors(limit=SHARED_AT_ONCE)).items():
        try:
            with engine.lease(f"embed-{share}", 0):
                for batch in _batches(waiting):
                    left = [missing for missing in batch if _lacks_vectors(engine, missing)]
                    count += _embed_batch(engine, encoder, left, set(), None) if left else 0
        except OutputError:
            continue  # another process holds the share, or the writer for too long
    return count


def _shares(waiting: Sequence[MissingVectors]) -> dict[int, list[MissingVectors]]:
    """Documents by share; each process begins with another one."""
    found: dict[int, list[MissingVectors]] = {}
    for missing in waiting:
        found.setdefault(sha256(missing.id.encode()).digest()[0] % SHARES, []).append(missing)
    order = sorted(found)
    Random().shuffle(order)
    return {share: found[share] for share in order}


def _lacks_vectors(engine: Engine, missing: MissingVectors) -> bool:
    record = engine.record(missing.id)
    return record is not None and not record.has_vectors


def _record_encoder(engine: Engine, encoder: Encoder, name: str) -> None:
    """Records the encoder of a collection that has none yet; an error where it has another one."""
    with engine.lease(WRITER):
        configuration = engine.configuration
        check_encoder(configuration, encoder, engine.location)
        if not configuration.encoder_sha256 and engine.without_vectors(limit=1):
            made = {"encoder_sha256": encoder.sha256, "dimensions": encoder.dimensions}
            engine.configure(replace(configuration, encoder=name or encoder.name, **made))  # type: ignore[arg-type]


def check_encoder(built: Configuration, encoder: Encoder, location: str) -> None:
    """An error where the vectors of a collection come from another encoder."""
    if built.encoder_sha256 and built.encoder_sha256 != encoder.sha256:
        raise ModelError(
            f"{location}: the vectors were made with {built.encoder} (SHA-256 {built.encoder_sha256[:12]}...), "
            f"not with {encoder.name} ({encoder.sha256[:12]}...); name that encoder, or embed everything again: "
            f"pincite index embed --again --encoder {encoder.name} --index {location}"
        )


def _waiting(engine: Engine, passed: set[str]) -> list[MissingVectors]:
    """The next documents without vectors; those that were passed over are damaged and stay without."""
    return [missing for missing in engine.without_vectors(limit=len(passed) + AT_ONCE) if missing.id not in passed]


def _embed_batch(
    engine: Engine, encoder: Encoder, batch: Sequence[MissingVectors], passed: set[str], progress: Progress | None
) -> int:
    """Embeds these documents; a damaged one is passed over, and stays without vectors."""
    loaded = _loaded(engine, [missing.id for missing in batch], passed)
    texts = {one.document.key: context_texts(one) for one in loaded}
    vectors = encoder.encode_passages([text for unit_texts in texts.values() for text in unit_texts], progress)
    made: dict[DocumentKey, QuantisedVectors] = {}
    place = 0
    for key, unit_texts in texts.items():
        made[key] = quantise(vectors[place : place + len(unit_texts)])
        place += len(unit_texts)
    stored = engine.put_vectors(made)
    if stored < len(made):  # never tried twice in one call
        passed.update(key.id for key in made)
    return stored


def _loaded(engine: Engine, document_ids: Sequence[str], passed: set[str]) -> list[LoadedDocument]:
    """These documents; one that is damaged or gone meanwhile is passed over."""
    found: list[LoadedDocument] = []
    for first in range(0, len(document_ids), MOST_LOADED):
        some = document_ids[first : first + MOST_LOADED]
        try:
            found += engine.load(some)
        except (DataError, NotFoundError):
            if len(some) == 1:
                passed.add(some[0])
            else:
                found += [one for document_id in some for one in _loaded(engine, [document_id], passed)]
    return found


def _batches(waiting: Sequence[MissingVectors]) -> Iterator[list[MissingVectors]]:
    batch: list[MissingVectors] = []
    for missing in waiting:
        batch.append(missing)
        if sum(entry.units for entry in batch) >= EMBEDDED_AT_ONCE:
            yield batch
            batch = []
    if batch:
        yield batch


def _within(before: int, total: int, progress: Progress | None) -> Progress | None:
    """Progress within a batch, told as progress of the whole."""
    return None if progress is None else lambda done, _: progress(min(before + done, total), total)
