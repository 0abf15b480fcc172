"""Documents of an index as they are shown and exported."""

import json
from collections.abc import Iterator

from pincite.engine.contract import Store, every_document
from pincite.engine.records import DocumentRecord
from pincite.errors import DataError
from pincite.index.corrections import corrected_fields
from pincite.segment.outline import Heading as Heading
from pincite.segment.outline import headings
from pincite.text.units import LoadedDocument


def listing(record: DocumentRecord) -> dict[str, object]:
    """One document of the list, without its text."""
    profile = record.profile
    return {
        "document": record.id,
        "title": record.title,
        "kind": profile.kind,
        "parties": list(profile.parties),
        "date": profile.iso_date,
        "pages": record.pages or None,
        "characters": record.characters,
        "passages": record.unit_count,
        "vectors": record.has_vectors,
        "matter": record.matter,
        "metadata": dict(record.metadata),
        "corrected": corrected_fields(record.metadata),
        "added": record.added,
        "sha256": record.sha256,
    }


def outline(loaded: LoadedDocument) -> list[Heading]:
    """The headings of a document in order, those without text of their own included."""
    return headings(loaded.document)


def exported(store: Store, damaged: list[str]) -> Iterator[str]:
    """Every document as a line of JSON, with its text, where it came from and its passages. What cannot be read any
    more is named in `damaged`, and the rest goes on."""
    for record in every_document(store):
        try:
            document, units = store.load([record.id])[0]
        except DataError as error:
            damaged.append(str(error))
            continue
        source = document.source
        passages = zip(units.starts.tolist(), units.ends.tolist(), strict=True)
        yield json.dumps(
            {
                **listing(record),
                "source": {
                    "path": source.path,
                    "reader": source.reader,
                    "reader_version": source.reader_version,
                    "page_starts": source.page_starts,
                    "page_labels": source.page_labels,
                },
                "text": document.text,
                "passages": [
                    {
                        "start": start,
                        "end": end,
                        "pieces": document.pieces(start, end),
                        "heading_path": list(units.context(at).heading_path),
                    }
                    for at, (start, end) in enumerate(passages)
                ],
            },
            ensure_ascii=False,
        )
