"""Files with the same content under several names: all but the first of a matter say which document they repeat."""

import json
from collections.abc import Iterator
from dataclasses import replace

from pincite.engine.contract import Store, every_file, every_root
from pincite.engine.records import DocumentRecord, File, PreparedFile, Root, described
from pincite.errors import DamagedDocumentError
from pincite.index.prepare import described_again

DUPLICATE_OF = "duplicate_of"
"""The key under which a document names the one that it repeats; filters see it."""
KIND = "duplicate"
"""The kind of record that lists the files whose documents have that key."""


def settle_duplicates(store: Store) -> list[str]:
    """Mark what is a duplicate now, and take back what no longer is one. Returns a note on each new duplicate."""
    roots = {root.name: root for root in every_root(store)}
    duplicates = {_id(file): (file, original) for file, original in _duplicates(store)}
    notes: list[str] = []
    for name, (file, original) in duplicates.items():
        if _mark(store, roots[file.root], file, original):
            notes.append(f"{name}: has the same content as {_id(original)}")
            store.put_record(KIND, name, json.dumps([file.root, file.path]))
    for name, (root, path) in _marked(store):
        if name in duplicates:
            continue
        known = store.file(root, path)
        if known is not None:
            _mark(store, roots[root], known, None)
        store.delete_record(KIND, name)
    return notes


def _marked(store: Store) -> list[tuple[str, tuple[str, str]]]:
    """The files that were duplicates before: id, root and path."""
    marked: list[tuple[str, tuple[str, str]]] = []
    cursor = ""
    while True:
        page = store.stored_records(KIND, cursor=cursor)
        marked += [(record.key, tuple(json.loads(record.value))) for record in page.items]
        if not page.next:
            return marked
        cursor = page.next


def _duplicates(store: Store) -> Iterator[tuple[File, File]]:
    """Each duplicate with the file that was added first, among those of the same matter that gave documents: nobody is
    told what another matter holds."""
    same: dict[str, list[File]] = {}
    for file in every_file(store):
        if file.root and file.sha256:
            same.setdefault(file.sha256, []).append(file)
    for files in same.values():
        numbered: dict[str, list[tuple[int, File]]] = {}
        for file in files if len(files) > 1 else ():
            record = _first(store, file)
            if record is not None:
                numbered.setdefault(record.matter, []).append((record.number, file))
        for beside in numbered.values():
            original = min(beside)[1]
            yield from ((file, original) for _, file in beside if file != original)


def _first(store: Store, file: File) -> DocumentRecord | None:
    return min(store.records_of(file.root, file.path), key=lambda record: record.number, default=None)


def _id(file: File) -> str:
    return f"{file.root}/{file.path}" if file.path else file.root


def _mark(store: Store, root: Root, file: File, original: File | None) -> bool:
    """Make the documents of a file say what they repeat, or nothing. False if they say so already."""
    records = store.records_of(file.root, file.path)
    expected = {record.id: _repeated(store, record, file, original) for record in records}
    if all(record.found.get(DUPLICATE_OF) == expected[record.id] for record in records):
        return False
    said = {record.id: record.metadata for record in records}
    try:
        prepared = described_again(store, file, lambda document: said[document])
    except DamagedDocumentError:  # `check` names it; what else was done is done
        return False
    store.put([_with_mark(prepared, expected)], root)
    return any(expected.values())


def _repeated(store: Store, record: DocumentRecord, file: File, original: File | None) -> str | None:
    """The document of another file that one repeats; None where it belongs to another matter."""
    if original is None:
        return None
    name = _id(original) + record.id.removeprefix(_id(file))
    other = next((one for one in store.records_of(original.root, original.path) if one.id == name), None)
    return name if other is not None and other.matter == record.matter else None


def _with_mark(prepared: PreparedFile, expected: dict[str, str | None]) -> PreparedFile:
    documents = []
    for document in prepared.documents:
        name = expected[document.indexed.document.id]
        found = {key: value for key, value in document.found.items() if key != DUPLICATE_OF}
        found |= {DUPLICATE_OF: name} if name else {}
        metadata = described(document.metadata, found, document.indexed.profile)
        indexed = document.indexed._replace(document=replace(document.indexed.document, metadata=metadata))
        documents.append(replace(document, indexed=indexed, found=found))
    return replace(prepared, documents=tuple(documents))
