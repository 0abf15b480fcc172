"""Legal retrieval that answers a question with the exact passage.

>>> from pincite import BM25, Collection, Document, WordWindows
>>> lease = Document("quay.txt", "The rent is due monthly. The tenant shall not keep pets.")
>>> bm25 = BM25()
>>> bm25.index(Collection.build([lease], WordWindows(size=6, step=5)))
>>> hit = bm25.search("May the tenant keep pets?", k=1)[0]
>>> hit.text == lease.text[hit.start : hit.end]
True
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pincite.documents import read_folder
    from pincite.errors import PinciteError
    from pincite.fuse import ReciprocalRank, Weighted
    from pincite.models import load_encoder
    from pincite.pipeline import RetrieverOptions, build_retriever
    from pincite.retrieve import (
        BM25,
        BM25Config,
        ContextConfig,
        ContextRetriever,
        Dense,
        Hybrid,
        HybridConfig,
        Retriever,
        SpanConfig,
        Tfidf,
        TfidfConfig,
    )
    from pincite.segment import Clauses, FixedCharacters, RecursiveCharacters, SentenceWindows, WordWindows
    from pincite.text import Collection, Document, Filter, Hit, Part, Passage, Source

_HOMES = {
    "documents": ("read_folder",),
    "errors": ("PinciteError",),
    "fuse": ("ReciprocalRank", "Weighted"),
    "models": ("load_encoder",),
    "pipeline": ("RetrieverOptions", "build_retriever"),
    "retrieve": (
        *("BM25", "BM25Config", "ContextConfig", "ContextRetriever", "Dense", "Hybrid", "HybridConfig", "Retriever"),
        *("SpanConfig", "Tfidf", "TfidfConfig"),
    ),
    "segment": ("Clauses", "FixedCharacters", "RecursiveCharacters", "SentenceWindows", "WordWindows"),
    "text": ("Collection", "Document", "Filter", "Hit", "Part", "Passage", "Source"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [  # noqa: RUF022 - by layer, as the import order has them
    "Collection", "Document", "Filter", "Hit", "Part", "Passage", "Source",
    "Clauses", "FixedCharacters", "RecursiveCharacters", "SentenceWindows", "WordWindows",
    "ContextConfig", "ContextRetriever", "SpanConfig",
    "BM25", "BM25Config", "Dense", "Hybrid", "HybridConfig", "Retriever", "Tfidf", "TfidfConfig",
    "ReciprocalRank", "Weighted",
    "PinciteError", "RetrieverOptions", "build_retriever", "load_encoder", "read_folder",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    """Public names are imported when they are first used, so that `import pincite` costs nothing."""
    if name not in _HOME_OF:
        raise AttributeError(f"module 'pincite' has no attribute {name!r}")
    return getattr(import_module(f"pincite.{_HOME_OF[name]}"), name)
