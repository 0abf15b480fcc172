"""The front door: `Index`, a collection that is added to, changed and searched."""

from pincite.index.index import Index

__all__ = ["Index"]
