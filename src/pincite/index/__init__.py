"""The collection on disk: documents that can be added, changed, removed and searched, and that are never lost."""

from pincite.index.embedded import EmbeddedEngine
from pincite.index.engine import Engine, Incoming, Question

__all__ = ["EmbeddedEngine", "Engine", "Incoming", "Question"]
