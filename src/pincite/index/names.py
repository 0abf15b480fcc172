"""Which document a user means: by its id, or by a part of an id or title that only one has."""

from difflib import get_close_matches

from pincite.engine.contract import Store
from pincite.engine.records import DocumentRecord
from pincite.errors import DamagedDocumentError, NotFoundError
from pincite.text import Filter

SHOWN = 5
"""Documents that an error lists."""
LOOKED_AT = 1000
"""Documents among which similar names are looked for."""


def resolve(store: Store, name: str, visible: Filter | None = None) -> DocumentRecord:
    """The document that a name means; an error lists what it may have meant. Documents that `visible` does not admit do
    not exist."""
    record = seen_record(store, name, visible)
    if record is not None:
        return record
    found = store.matching_names(name, SHOWN, visible) if name.strip() else None
    if found and len(found.items) == 1:
        return found.items[0]
    if found and found.items:
        some = ", ".join(sorted(entry.id for entry in found.items)) + (", ..." if found.next else "")
        count = f"more than {SHOWN}" if found.next else str(len(found.items))
        raise NotFoundError(f"{name!r} may be any of {count} documents: {some}")
    raise NotFoundError(f"no document {name[:200]!r} in the index{similar(store, name, visible)}")


def seen_record(store: Store, document_id: str, visible: Filter | None) -> DocumentRecord | None:
    """The document with that id, if it may be seen. A damaged one belongs to nobody knows whom."""
    try:
        record = store.record(document_id)
    except DamagedDocumentError:
        if visible is None:
            raise
        return None
    return record if record and (visible is None or visible.fits(record.id, record.described)) else None


def similar(store: Store, name: str, visible: Filter | None = None) -> str:
    """Ids like a name, for an error message."""
    ids = [record.id for record in store.documents(visible=visible, limit=LOOKED_AT).items]
    near = get_close_matches(name, ids, n=3, cutoff=0.3) or sorted(ids)[:3]
    return f"; there are {len(ids)}, such as {', '.join(near)}" if near else "; it is empty"
