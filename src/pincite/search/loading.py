"""The documents of one question, loaded once and only when they are needed."""

from collections.abc import Iterable

from pincite.engine.contract import MOST_LOADED, CandidateView
from pincite.text.document import DocumentKey
from pincite.text.units import LoadedDocument


class Loader:
    """Documents of a view by key."""

    def __init__(self, view: CandidateView) -> None:
        self.view = view
        self._loaded: dict[DocumentKey, LoadedDocument] = {}

    def __call__(self, key: DocumentKey) -> LoadedDocument:
        if key not in self._loaded:
            self.fetch([key])
        return self._loaded[key]

    def fetch(self, keys: Iterable[DocumentKey]) -> None:
        """Loads several documents together."""
        missing = [key for key in dict.fromkeys(keys) if key not in self._loaded]
        for first in range(0, len(missing), MOST_LOADED):
            batch = missing[first : first + MOST_LOADED]
            self._loaded.update(zip(batch, self.view.load(batch), strict=True))
