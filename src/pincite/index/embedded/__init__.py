"""The embedded engine: one folder on this machine, SQLite for the truth, memory-mapped fragments beside it."""

from pincite.index.embedded.engine import EmbeddedEngine

__all__ = ["EmbeddedEngine"]
