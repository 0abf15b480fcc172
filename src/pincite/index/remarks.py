"""What else is known of a document: what it repeats, and what was noticed about its file."""

from pincite.engine.contract import Store
from pincite.engine.records import DocumentRecord
from pincite.index.duplicates import DUPLICATE_OF


def remarks(store: Store, record: DocumentRecord) -> dict[str, object]:
    """The document that this one repeats, if any, and the notes on its file."""
    file = store.file(record.root, record.path)
    return {"duplicate_of": record.found.get(DUPLICATE_OF), "notes": list(file.notes) if file else []}
