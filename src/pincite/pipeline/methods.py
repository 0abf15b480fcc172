"""The methods by name, the one registry: how documents are segmented, and what ranks the passages."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from pincite.errors import UsageError, one_of
from pincite.fuse import FUSIONS, RANKING_FUSIONS
from pincite.models import Encoder, Progress, Reranker
from pincite.models.minilm import NAME as MINILM
from pincite.models.shipped import ENCODER, ZERO_SHOT
from pincite.pipeline.plain import RetrieverOptions, build_plain
from pincite.pipeline.rerank_stage import RerankChoice
from pincite.retrieve import ContextRetriever, Retriever
from pincite.search import ContextConfig, RerankStage
from pincite.segment import Clauses, FixedCharacters, RecursiveCharacters, Segmenter, WordWindows

MINILM_INT8 = f"{MINILM}:int8"


@dataclass(frozen=True, slots=True)
class Method:
    """A segmenter with the retriever that searches its passages, and the encoder it has unless another is given."""

    name: str
    segmenter: Segmenter
    encoder: str = ""
    plain: str = ""
    """The plain retriever of that name; "" for the context family."""
    options: RetrieverOptions = field(default_factory=RetrieverOptions)
    context: ContextConfig = field(default_factory=ContextConfig)
    rerank: RerankChoice | None = None
    fusion: str = ""
    """Another fusion than the method's own, where one was asked for."""
    own_retriever: type[Retriever] | None = None
    """A retriever of the user's own, which searches in the place of ours."""
    own_reranker: Reranker | None = None
    """A re-ranker of the user's own, which reads in the place of ours."""

    @property
    def label(self) -> str:
        """What reports call it: its name with whatever is not its own."""
        changed = ", ".join(filter(None, (self.fusion, self.own_reranker.name if self.own_reranker else "")))
        return f"{self.name} ({changed})" if changed else self.name

    @property
    def needs_encoder(self) -> bool:
        """The context family also works without one."""
        return bool(self.plain and self.encoder)

    def build(
        self, encoder: Encoder | None, progress: Progress | None = None, rerank: RerankStage | None = None
    ) -> Retriever:
        """The retriever over a collection in memory, ready to index. `rerank` replaces the method's own stage."""
        if self.own_retriever is not None:
            return self.own_retriever()
        if self.plain:
            return build_plain(self.plain, self.options, encoder, progress)
        if rerank is None and self.rerank is not None:
            rerank = self.rerank.load()
        return ContextRetriever(encoder, self.context, progress=progress, rerank=rerank)


def _trained(zero_shot: str) -> list[Method]:
    encoder, zero = ENCODER + zero_shot, bool(zero_shot)
    return [
        Method(f"context+encoder{zero_shot}", Clauses(), encoder),
        Method(f"context+encoder+rerank{zero_shot}", Clauses(), encoder, rerank=RerankChoice(zero_shot=zero)),
        Method(
            f"context+encoder+rerank+trim{zero_shot}",
            Clauses(),
            encoder,
            rerank=RerankChoice(trim=True, zero_shot=zero),
        ),
    ]


METHODS: dict[str, Method] = {
    method.name: method
    for method in (
        Method("tfidf", WordWindows(), plain="tfidf"),
        Method("bm25", WordWindows(), plain="bm25"),
        Method("dense", WordWindows(), MINILM_INT8, plain="dense"),
        Method("hybrid", WordWindows(), MINILM_INT8, plain="hybrid"),
        Method("bm25-fixed500", FixedCharacters(), plain="bm25"),
        Method("bm25-recursive500", RecursiveCharacters(), plain="bm25"),
        Method("dense-fixed500", FixedCharacters(), MINILM_INT8, plain="dense"),
        Method("dense-recursive500", RecursiveCharacters(), MINILM_INT8, plain="dense"),
        Method("context", Clauses(), MINILM_INT8),
        Method("context:no-thesaurus", Clauses(), MINILM_INT8, context=ContextConfig(drafted=0.0)),
        *_trained(""),
        *_trained(ZERO_SHOT),
    )
}
FAST = "context+encoder"
DEFAULT = "context+encoder+rerank+trim"


def methods_with(names: Sequence[str], fusions: Sequence[str] = ()) -> list[Method]:
    """Every method of those names with every fusion that fits it; with its own where none fits."""
    chosen = []
    for name in names:
        fits = [fusion for fusion in fusions if fusion in _fusions(method(name))]
        chosen += [method(name, fusion) for fusion in fits or [""]]
    for fusion in fusions:
        if fusion not in FUSIONS:
            raise one_of("fusion", fusion, FUSIONS)
    return chosen


def method(name: str, fusion: str = "") -> Method:
    """The method of that name; `default` is what `pincite search` uses.

    `fusion` is how the hybrid fuses its rankings (fixed or rrf), or how the parts are fused where a re-ranker reads.
    """
    found = METHODS.get(DEFAULT if name == "default" else name)
    if found is None:
        raise one_of("method", name, [*METHODS, "default"])
    if not fusion:
        return found
    if fusion not in FUSIONS:
        raise one_of("fusion", fusion, FUSIONS)
    if fusion not in _fusions(found):
        raise UsageError(f"--fusion {fusion} goes with a method that re-ranks (hybrid: fixed or rrf), not with {name}")
    if found.rerank is None:
        return replace(found, options=replace(found.options, fusion=fusion), fusion=fusion)
    return replace(found, rerank=replace(found.rerank, fusion=fusion), fusion=fusion)


def _fusions(found: Method) -> tuple[str, ...]:
    if found.rerank is not None:
        return FUSIONS
    return tuple(RANKING_FUSIONS) if found.plain == "hybrid" else ()
