"""Documents as rows of the cluster's indices, and back."""

import zlib
from collections.abc import Iterator
from hashlib import sha256
from typing import Any

import numpy as np

from pincite.engine.records import DocumentRecord, File, PreparedDocument, described, storable
from pincite.engine.unit_vectors import QuantisedVectors
from pincite.errors import DamagedDocumentError, DataError
from pincite.index.opensearch.blobs import Manifest, entry, pack_arrays, unpack_arrays
from pincite.index.opensearch.filters import filter_fields
from pincite.index.packing import (
    pack_profile,
    pack_source,
    pack_units,
    unpack_profile,
    unpack_source,
    unpack_units,
)
from pincite.postings.fragment import HEAD, Fragment, called_by, name_words, pieces_of, squashed_name
from pincite.postings.postings import Postings
from pincite.text import Document
from pincite.text.language import Language
from pincite.text.units import LoadedDocument

Json = dict[str, Any]

ALIVE = 1 << 62
"""The change in which a row died that is still there."""
LOADED = ("text", "source", "units", "contexts")
"""The parts that make up a loaded document."""
POSTINGS, BOXES = "postings", "boxes"
SOUGHT_ALONE = ["stems", "spelt", "grams", "head", "called", "squashed", "shown"]
"""Fields of a document's row that are searched and never read: they would be most of what is fetched."""


class DocumentRows:
    """A document made ready for the cluster: its row, the rows of its units, and its large parts."""

    def __init__(self, prepared: PreparedDocument, file: File, number: int, added: str, language: Language) -> None:
        document, profile, own = prepared.indexed
        self.document = document
        self.number = number
        self.fragment = Fragment.build([prepared.indexed], language)
        self.parts = _parts(prepared, self.fragment)
        self.likeness = likeness(prepared)
        record = DocumentRecord(
            number=number,
            id=document.id,
            root=file.root,
            path=file.path,
            title=storable(document.title),
            metadata=dict(prepared.metadata),
            found=dict(prepared.found),
            profile=profile,
            sha256=document.sha256,
            added=added,
            pages=len(document.source.page_starts),
            characters=len(document.text),
            unit_count=len(own),
            has_vectors=False,
            read_title=storable(prepared.read_title),
            structure=prepared.structure,
        )
        self.filtered = filter_fields(record.id, record.described)
        self.row: Json = {
            **self.filtered,
            "number": number,
            "root": record.root,
            "path": record.path,
            "sha256": record.sha256,
            "likeness": self.likeness,
            "shown": f"{record.id}\n{record.title}".casefold(),
            "unit_count": record.unit_count,
            "stem_count": int(self.fragment.units.lengths.sum()),
            "called": called_by(document, profile),
            "head": sorted(set(name_words(document.text[:HEAD]))),
            "squashed": squashed_name(document, profile),
            "grams": sorted(set(pieces_of(squashed_name(document, profile)))),
            "spelt": list(self.fragment.spellings.terms),
            "stems": " ".join(self.fragment.units.terms),
            "vectors_born": ALIVE,
            "vectors_died": ALIVE,
            "kept": {
                "title": record.title,
                "metadata": dict(record.metadata),
                "found": dict(record.found),
                "profile": pack_profile(profile),
                "added": added,
                "pages": record.pages,
                "characters": record.characters,
                "read_title": record.read_title,
                "structure": record.structure,
                "parts": {part: entry(data) for part, data in self.parts.items()},
            },
        }

    def unit_rows(self) -> Iterator[tuple[str, Json]]:
        """The rows of the units, each with its name."""
        fragment = self.fragment
        own = _bags(fragment.units)
        above = _bags(fragment.frames)
        for unit, stems in enumerate(own):
            words = {"stems": " ".join(stems), "above": " ".join(sorted(set(above[int(fragment.frame_of[unit])])))}
            yield f"{self.number}-{unit}", {**self.filtered, "document": self.number, "unit": unit, **words}


def vector_rows(number: int, change: int, filtered: Json, vectors: QuantisedVectors) -> Iterator[tuple[str, Json]]:
    """The rows of the vectors of a document, each with its name."""
    for unit, (codes, scale) in enumerate(zip(vectors.codes.tolist(), vectors.scales.tolist(), strict=True)):
        yield (
            f"{number}-{change}-{unit}",
            {**filtered, "document": number, "unit": unit, "codes": codes, "scale": scale},
        )


def filtered_fields(row: Json) -> Json:
    """What filters compare, out of the row of a document."""
    return {name: row[name] for name in filter_fields("", {})}


def record_of(row: Json, generation: int) -> DocumentRecord:
    """The record that a row holds, as of a generation."""
    kept = row["kept"]
    try:
        return DocumentRecord(
            number=row["number"],
            id=row["id"],
            root=row["root"],
            path=row["path"],
            title=kept["title"],
            metadata=kept["metadata"],
            found=kept["found"],
            profile=unpack_profile(kept["profile"]),
            sha256=row["sha256"],
            added=kept["added"],
            pages=kept["pages"],
            characters=kept["characters"],
            unit_count=row["unit_count"],
            has_vectors=has_vectors(row, generation),
            read_title=kept["read_title"],
            structure=kept["structure"],
        )
    except (KeyError, TypeError, ValueError) as error:
        raise DamagedDocumentError(str(row.get("id")), str(error)) from None


def has_vectors(row: Json, generation: int) -> bool:
    return bool(row["vectors_born"] <= generation < row["vectors_died"])


def manifest_of(row: Json) -> Manifest:
    manifest: Manifest = row["kept"]["parts"]
    return manifest


def vectors_part(row: Json) -> str:
    """The name of the part that holds a document's vectors: they may be made again."""
    return f"vectors_{row['vectors_born']}"


def loaded_document(row: Json, parts: dict[str, bytes | None]) -> LoadedDocument:
    """A document with its units, of its stored parts."""
    missing = [part for part, data in parts.items() if data is None]
    if missing:
        raise DamagedDocumentError(row["id"], f"{missing[0]}: missing, or not what was stored")
    text, source, units, contexts = (parts[part] or b"" for part in LOADED)
    boxes = parts.get(BOXES)
    record = record_of(row, 0)
    try:
        document = Document(
            record.id,
            zlib.decompress(text).decode("utf-8"),
            record.title,
            described(record.metadata, record.found, record.profile),
            unpack_source(source, boxes),
        )
        return LoadedDocument(document, unpack_units(units, contexts))
    except (ValueError, TypeError, KeyError, zlib.error) as error:
        raise DamagedDocumentError(row["id"], str(error)) from None


def postings_of(data: bytes) -> Fragment:
    """The postings of one document."""
    return Fragment.from_arrays(unpack_arrays(data))


def pack_vectors(vectors: QuantisedVectors) -> bytes:
    return pack_arrays({"codes": vectors.codes, "scales": vectors.scales})


def unpack_vectors(data: bytes) -> QuantisedVectors:
    arrays = unpack_arrays(data)
    return QuantisedVectors(arrays["codes"], arrays["scales"])  # type: ignore[arg-type]


def likeness(prepared: PreparedDocument) -> str:
    """The same for documents whose units are the same to an encoder."""
    digest = sha256(f"{prepared.indexed.document.sha256} {prepared.structure} ".encode())
    for packed in pack_units(prepared.indexed.units):
        digest.update(packed)
    return digest.hexdigest()


def _parts(prepared: PreparedDocument, fragment: Fragment) -> dict[str, bytes]:
    document, _, own = prepared.indexed
    try:
        text = document.text.encode("utf-8")
    except UnicodeEncodeError:
        raise DataError(f"{document.id}: the text holds lone surrogates, which cannot be stored") from None
    units, contexts = pack_units(own)
    parts = {
        "text": zlib.compress(text, 1),
        "source": pack_source(document.source),
        "units": units,
        "contexts": contexts,
        POSTINGS: pack_arrays(fragment.arrays()),
    }
    if document.source.boxes is not None:
        parts[BOXES] = document.source.boxes.packed
    return parts


def _bags(postings: Postings) -> list[list[str]]:
    """For each unit its terms, each as often as it occurs."""
    bags: list[list[str]] = [[] for _ in range(len(postings))]
    for term, number in postings.terms.items():
        units, counts = postings.of(number)
        for unit, count in zip(units.tolist(), np.asarray(counts).tolist(), strict=True):
            bags[unit] += [term] * count
    return bags
