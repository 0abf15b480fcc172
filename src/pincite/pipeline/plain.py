"""The plain retrievers, put together from their parts: what the seeds compared."""

from collections.abc import Callable
from dataclasses import dataclass

from pincite.errors import UsageError, one_of
from pincite.fuse import RANKING_FUSIONS, Fusion, ReciprocalRank, Weighted
from pincite.models import CachedEncoder, Encoder, Progress, load_encoder
from pincite.models.minilm import NAME as MINILM
from pincite.retrieve import BM25, BM25Config, Dense, Hybrid, HybridConfig, Retriever, Tfidf, TfidfConfig


@dataclass(frozen=True, slots=True)
class RetrieverOptions:
    """Everything that can be set about the plain retrievers; the defaults are the seeds' values.

    The encoder is the exception: the seeds' all-mpnet-base-v2 can only be had from the hub, and nothing goes to the
    network unless it is asked for.
    """

    max_features: int = 5000
    k1: float = 1.5
    b: float = 0.75
    form: str = "okapi"
    fusion: str = "fixed"
    bm25_weight: float = 0.55
    depth: int = 100
    encoder: str = MINILM

    def __post_init__(self) -> None:
        if not 0 <= self.bm25_weight <= 1:
            raise UsageError(f"the weight of BM25 must be from 0 to 1, not {self.bm25_weight}")
        if self.fusion not in RANKING_FUSIONS:
            raise one_of("fusion", self.fusion, list(RANKING_FUSIONS))


def build_plain(
    name: str, options: RetrieverOptions | None = None, encoder: Encoder | None = None, progress: Progress | None = None
) -> Retriever:
    """The plain retriever of that name, ready to index. `encoder` replaces the one that the options name."""
    if name not in PLAIN:
        raise one_of("retriever", name, list(PLAIN))
    return PLAIN[name](options or RetrieverOptions(), encoder, progress)


def _tfidf(options: RetrieverOptions, _: Encoder | None, __: Progress | None) -> Retriever:
    return Tfidf(TfidfConfig(options.max_features))


def _bm25(options: RetrieverOptions, _: Encoder | None, __: Progress | None) -> Retriever:
    return BM25(BM25Config(options.k1, options.b, options.form))


def _dense(options: RetrieverOptions, encoder: Encoder | None, progress: Progress | None) -> Retriever:
    return Dense(encoder or CachedEncoder(load_encoder(options.encoder)), progress)


def _hybrid(options: RetrieverOptions, encoder: Encoder | None, progress: Progress | None) -> Retriever:
    weights = (options.bm25_weight, 1 - options.bm25_weight)
    fusion: Fusion = Weighted(weights) if options.fusion == "fixed" else ReciprocalRank()
    parts = [_bm25(options, None, None), _dense(options, encoder, progress)]
    return Hybrid(parts, HybridConfig(fusion, options.depth))


PLAIN: dict[str, Callable[[RetrieverOptions, Encoder | None, Progress | None], Retriever]] = {
    "tfidf": _tfidf,
    "bm25": _bm25,
    "dense": _dense,
    "hybrid": _hybrid,
}
