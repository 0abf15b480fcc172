"""Documents, passages, hits and collections: the nouns that everything else speaks of."""

from pincite.text.collection import Collection
from pincite.text.document import Document, Source
from pincite.text.filter import Filter
from pincite.text.hit import Hit, Part
from pincite.text.passage import Passage, Unit

__all__ = ["Collection", "Document", "Filter", "Hit", "Part", "Passage", "Source", "Unit"]
