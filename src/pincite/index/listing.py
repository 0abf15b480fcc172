"""Documents of an index as they are shown and exported."""

import json
from collections.abc import Iterator

from pincite.errors import DataError
from pincite.index.embedded import EmbeddedEngine
from pincite.index.records import Listed
from pincite.retrieve.shelves import Held


def listing(entry: Listed) -> dict[str, object]:
    """One document of the list, without its text."""
    profile = entry.profile
    return {
        "document": entry.id,
        "title": entry.title,
        "kind": profile.kind,
        "parties": list(profile.parties),
        "date": profile.iso_date,
        "pages": entry.pages or None,
        "characters": entry.characters,
        "passages": entry.unit_count,
        "vectors": entry.has_vectors,
        "metadata": dict(entry.metadata),
        "added": entry.added,
        "sha256": entry.sha256,
    }


def outline(held: Held) -> list[tuple[int, str, int]]:
    """The headings of a document in order: how deep, the heading, and where what it stands above begins."""
    seen: set[tuple[str, ...]] = set()
    found: list[tuple[int, str, int]] = []
    units = held.units
    for at in range(len(units)):
        path = units.context(at).heading_path
        for depth in range(1, len(path) + 1):
            if path[:depth] not in seen:
                seen.add(path[:depth])
                found.append((depth - 1, path[depth - 1], int(units.starts[at])))
    return found


def exported(engine: EmbeddedEngine, damaged: list[str]) -> Iterator[str]:
    """Every document as a line of JSON, with its text, where it came from and its passages. What cannot be read any
    more is named in `damaged`, and the rest goes on."""
    for entry in engine.documents():
        try:
            held = engine.held(entry.id)
        except DataError as error:
            damaged.append(str(error))
            continue
        source, units = held.document.source, held.units
        yield json.dumps(
            {
                **listing(entry),
                "source": {
                    "path": source.path,
                    "reader": source.reader,
                    "reader_version": source.reader_version,
                    "page_starts": source.page_starts,
                    "page_labels": source.page_labels,
                },
                "text": held.document.text,
                "passages": [
                    {"start": start, "end": end, "heading_path": list(units.context(at).heading_path)}
                    for at, (start, end) in enumerate(zip(units.starts.tolist(), units.ends.tolist(), strict=True))
                ],
            },
            ensure_ascii=False,
        )
