"""Tables that are made once for a document and kept for a while."""

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import Generic, TypeVar

from pincite.text.units import LoadedDocument

KEPT = 128
"""Documents whose tables are kept."""

Table = TypeVar("Table")


class PerDocument(Generic[Table]):
    """Makes a table of a document, or gives the one that it made before. The text and its units make the key."""

    def __init__(self, make: Callable[[LoadedDocument], Table], most: int = KEPT) -> None:
        self._make, self._most = make, most
        self._held: OrderedDict[tuple[str, int], Table] = OrderedDict()
        self._lock = Lock()

    def __call__(self, loaded: LoadedDocument) -> Table:
        key = (loaded.document.text, len(loaded.units))
        with self._lock:
            if key in self._held:
                self._held.move_to_end(key)
                return self._held[key]
        made = self._make(loaded)
        with self._lock:
            self._held[key] = made
            while len(self._held) > self._most:
                self._held.popitem(last=False)
        return made
