"""Legal retrieval that answers a question with the exact passage.

>>> from pincite import Index
>>> index = Index.create(":memory:")
>>> index.add_text("quay", "LEASE\\n\\nThe rent is due monthly. The tenant shall not keep pets.", vectors="none")
>>> hit = index.search("May the tenant keep pets?", k=1)[0]
>>> hit.text == hit.document.text[hit.start : hit.end]
True
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pincite.documents import read_folder
    from pincite.errors import PinciteError
    from pincite.index import Index
    from pincite.models import load_encoder
    from pincite.retrieve import BM25, BM25Config, Dense, Hybrid, HybridConfig, Retriever, Tfidf, TfidfConfig
    from pincite.search import Answer, SearchRequest
    from pincite.segment import Clauses, FixedCharacters, RecursiveCharacters, SentenceWindows, WordWindows
    from pincite.text import Collection, Document, Filter, Hit, Part, Passage, Source

_HOMES = {
    "documents": ("read_folder",),
    "errors": ("PinciteError",),
    "index": ("Index",),
    "models": ("load_encoder",),
    "retrieve": ("BM25", "BM25Config", "Dense", "Hybrid", "HybridConfig", "Retriever", "Tfidf", "TfidfConfig"),
    "search": ("Answer", "SearchRequest"),
    "segment": ("Clauses", "FixedCharacters", "RecursiveCharacters", "SentenceWindows", "WordWindows"),
    "text": ("Collection", "Document", "Filter", "Hit", "Part", "Passage", "Source"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [  # noqa: RUF022 - the front door first, then by layer
    "Index", "Answer", "Hit", "Filter", "SearchRequest", "PinciteError",
    "Document", "Passage", "Part", "Source", "Collection", "read_folder", "load_encoder",
    "Clauses", "FixedCharacters", "RecursiveCharacters", "SentenceWindows", "WordWindows",
    "BM25", "BM25Config", "Dense", "Hybrid", "HybridConfig", "Retriever", "Tfidf", "TfidfConfig",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    """Public names are imported when they are first used, so that `import pincite` costs nothing."""
    if name not in _HOME_OF:
        raise AttributeError(f"module 'pincite' has no attribute {name!r}")
    return getattr(import_module(f"pincite.{_HOME_OF[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
