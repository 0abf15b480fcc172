"""The methods by name: how documents are cut, and what ranks the pieces."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from pincite.errors import UsageError, one_of
from pincite.fuse.parts import WAYS
from pincite.models import Encoder, Progress
from pincite.models.minilm import NAME as MINILM
from pincite.models.shipped import ENCODER, ZERO_SHOT
from pincite.pipeline.reading import ReadingChoice, SecondReading
from pincite.pipeline.retrievers import RetrieverOptions, build_retriever
from pincite.retrieve import ContextConfig, ContextRetriever, Retriever
from pincite.segment import Clauses, FixedCharacters, RecursiveCharacters, Segmenter, WordWindows

MINILM_INT8 = f"{MINILM}:int8"


@dataclass(frozen=True, slots=True)
class Method:
    """A segmenter with the retriever that searches its passages, and the encoder it has unless another is given."""

    name: str
    segmenter: Segmenter
    encoder: str = ""
    seeds: str = ""
    """The seeds' retriever of that name; "" for the context family."""
    options: RetrieverOptions = field(default_factory=RetrieverOptions)
    context: ContextConfig = field(default_factory=ContextConfig)
    reading: ReadingChoice | None = None
    fusion: str = ""
    """Where another one than the method's own was asked for."""

    @property
    def needs_encoder(self) -> bool:
        """`context` also works without one."""
        return bool(self.seeds and self.encoder)

    def build(
        self, encoder: Encoder | None, progress: Progress | None = None, reading: SecondReading | None = None
    ) -> Retriever:
        """The retriever, ready to index. `reading` stands in for the method's own second reading."""
        if self.seeds:
            return build_retriever(self.seeds, self.options, encoder, progress)
        if reading is None and self.reading is not None:
            reading = self.reading.load()
        return ContextRetriever(encoder, self.context, progress=progress, reading=reading)


def _trained(zero_shot: str) -> list[Method]:
    encoder, zero = ENCODER + zero_shot, bool(zero_shot)
    return [
        Method(f"context+encoder{zero_shot}", Clauses(), encoder),
        Method(f"context+encoder+rerank{zero_shot}", Clauses(), encoder, reading=ReadingChoice(zero_shot=zero)),
        Method(
            f"context+encoder+rerank+trim{zero_shot}",
            Clauses(),
            encoder,
            reading=ReadingChoice(trim=True, zero_shot=zero),
        ),
    ]


METHODS: dict[str, Method] = {
    method.name: method
    for method in (
        Method("tfidf", WordWindows(), seeds="tfidf"),
        Method("bm25", WordWindows(), seeds="bm25"),
        Method("dense", WordWindows(), MINILM_INT8, seeds="dense"),
        Method("hybrid", WordWindows(), MINILM_INT8, seeds="hybrid"),
        Method("bm25-fixed500", FixedCharacters(), seeds="bm25"),
        Method("bm25-recursive500", RecursiveCharacters(), seeds="bm25"),
        Method("dense-fixed500", FixedCharacters(), MINILM_INT8, seeds="dense"),
        Method("dense-recursive500", RecursiveCharacters(), MINILM_INT8, seeds="dense"),
        Method("context", Clauses(), MINILM_INT8),
        Method("context:no-thesaurus", Clauses(), MINILM_INT8, context=ContextConfig(drafted=0.0)),
        *_trained(""),
        *_trained(ZERO_SHOT),
    )
}
FAST = "context+encoder"
DEFAULT = "context+encoder+rerank+trim"


def methods_with(names: Sequence[str], fusions: Sequence[str] = ()) -> list[Method]:
    """Every method of those names with every fusion that fits it; with its own one where none fits."""
    chosen = []
    for name in names:
        fits = [fusion for fusion in fusions if fusion in _fusions(method(name))]
        chosen += [method(name, fusion) for fusion in fits or [""]]
    for fusion in fusions:
        if fusion not in WAYS:
            raise one_of("fusion", fusion, WAYS)
    return chosen


def method(name: str, fusion: str = "") -> Method:
    """The method of that name; `default` is what `pincite search` uses.

    `fusion` is how the seeds' hybrid fuses (fixed or rrf), or how the parts are fused where a re-ranker reads again.
    """
    found = METHODS.get(DEFAULT if name == "default" else name)
    if found is None:
        raise one_of("method", name, [*METHODS, "default"])
    if not fusion:
        return found
    if fusion not in WAYS:
        raise one_of("fusion", fusion, WAYS)
    if fusion not in _fusions(found):
        raise UsageError(f"--fusion {fusion} goes with a method that re-ranks (hybrid: fixed or rrf), not with {name}")
    if found.reading is None:
        return replace(found, options=RetrieverOptions(fusion=HYBRID[fusion]), fusion=fusion)
    return replace(found, reading=replace(found.reading, fusion=fusion), fusion=fusion)


HYBRID = {"fixed": "weighted", "rrf": "rrf"}
"""The names of fusions in `--fusion`, and what the seeds' hybrid calls them."""


def _fusions(found: Method) -> tuple[str, ...]:
    if found.reading is not None:
        return WAYS
    return tuple(HYBRID) if found.seeds == "hybrid" else ()
