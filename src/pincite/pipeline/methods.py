"""The methods by name: how documents are cut, and what ranks the pieces."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from pincite.errors import one_of
from pincite.models import Encoder, Progress
from pincite.pipeline.retrievers import RetrieverOptions, build_retriever
from pincite.retrieve import ContextConfig, ContextRetriever, Retriever
from pincite.segment import Clauses, FixedCharacters, RecursiveCharacters, Segmenter, WordWindows

Build = Callable[[Encoder | None, Progress | None], Retriever]


@dataclass(frozen=True, slots=True)
class Method:
    """A segmenter with the retriever that searches its passages."""

    name: str
    segmenter: Segmenter
    build: Build
    needs_encoder: bool = False

    @property
    def uses_encoder(self) -> bool:
        """Whether an encoder takes part where one is at hand; `context` also works without."""
        return self.needs_encoder or self.name.startswith("context")


def _seeds(name: str) -> Build:
    return lambda encoder, progress: build_retriever(name, RetrieverOptions(), encoder, progress)


def _context(config: ContextConfig) -> Build:
    return lambda encoder, progress: ContextRetriever(encoder, config, progress=progress)


METHODS: dict[str, Method] = {
    method.name: method
    for method in (
        Method("tfidf", WordWindows(), _seeds("tfidf")),
        Method("bm25", WordWindows(), _seeds("bm25")),
        Method("dense", WordWindows(), _seeds("dense"), needs_encoder=True),
        Method("hybrid", WordWindows(), _seeds("hybrid"), needs_encoder=True),
        Method("bm25-fixed500", FixedCharacters(), _seeds("bm25")),
        Method("bm25-recursive500", RecursiveCharacters(), _seeds("bm25")),
        Method("dense-fixed500", FixedCharacters(), _seeds("dense"), needs_encoder=True),
        Method("dense-recursive500", RecursiveCharacters(), _seeds("dense"), needs_encoder=True),
        Method("context", Clauses(), _context(ContextConfig())),
        Method("context:no-thesaurus", Clauses(), _context(ContextConfig(drafted=0.0))),
    )
}
DEFAULT = "context"


FUSED = {"fixed": "weighted", "rrf": "rrf"}
"""The names of fusions in `--fusion`, and what the hybrid calls them."""


def method(name: str, fusion: str = "fixed") -> Method:
    """The method of that name; `default` is what `pincite search` uses. `fusion` is how the seeds' hybrid fuses."""
    found = METHODS.get(DEFAULT if name == "default" else name)
    if found is None:
        raise one_of("method", name, [*METHODS, "default"])
    if fusion not in FUSED:
        raise one_of("fusion", fusion, list(FUSED))
    if found.name == "hybrid" and fusion != "fixed":
        options = RetrieverOptions(fusion=FUSED[fusion])
        return replace(found, build=lambda encoder, progress: build_retriever("hybrid", options, encoder, progress))
    return found
