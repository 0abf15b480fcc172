"""Documents of an engine: all that a filter admits, the one of an id, the one of a name."""

from pincite.errors import UsageError
from pincite.index import EmbeddedEngine
from pincite.index.records import Listed
from pincite.retrieve.shelves import Held
from pincite.serve.failures import NotFound
from pincite.text import Filter


def listed(engine: EmbeddedEngine, where: Filter | None) -> list[Listed]:
    view = engine.view_now()
    admitted = view.catalogue.admitted(where)
    found = [entry for at, entry in enumerate(view.listed) if entry and (admitted is None or admitted[at])]
    return sorted(found, key=lambda entry: entry.number)


def one(engine: EmbeddedEngine, document_id: str) -> Listed:
    """The document of that id."""
    view = engine.view_now()
    place = view.catalogue.places.get(document_id)
    entry = None if place is None else view.listed[place]
    if entry is None:
        raise NotFound(f"no document {document_id[:200]!r} in the collection; it may have been removed")
    return entry


def named(engine: EmbeddedEngine, name: str) -> Listed:
    """The document of that id, or the only one with that part of an id or title."""
    try:
        return one(engine, engine.resolve(name))
    except UsageError as error:
        raise NotFound(str(error)) from None
    except UnicodeEncodeError:  # half of a surrogate pair, which no name has
        raise NotFound(f"no document {name[:200]!r} in the collection") from None


def held(engine: EmbeddedEngine, document_id: str) -> Held:
    """The document of that id with its text and units."""
    return engine.held(one(engine, document_id).id)
