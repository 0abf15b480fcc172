"""Postings: which terms occur in which units, in memory or on disk."""

from pincite.postings.fragment import Fragment, IndexedDocument
from pincite.postings.fragments import Fragments
from pincite.postings.postings import Postings

__all__ = ["Fragment", "Fragments", "IndexedDocument", "Postings"]
