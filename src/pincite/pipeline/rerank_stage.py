"""The re-rank stage of a method: models and parameters, loaded when they are needed."""

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from pincite.errors import ModelError
from pincite.fuse.parts import part_fusion
from pincite.models import Reranker, load_reranker
from pincite.models.shipped import RERANKER, ZERO_SHOT
from pincite.search.answerability import Answerability
from pincite.search.rerank import RerankStage
from pincite.search.trimmer import Trimmer

FUSION = "learned"
"""The fusion of the default method: the best one on dev, cross-validated over documents (docs/models.md)."""


@dataclass(frozen=True, slots=True)
class RerankChoice:
    """Which re-rank stage a method has."""

    fusion: str = FUSION
    trim: bool = False
    zero_shot: bool = False

    def load(self, reranker: Reranker | None = None, threads: int = 0) -> RerankStage:
        """The stage with its models. The scores of another re-ranker than ours are on another scale: only their order
        counts then, and nothing is trimmed or judged by them."""
        given = parameters(zero_shot=self.zero_shot)
        depth = int(given["depth"])
        if reranker is not None:
            return RerankStage(reranker, part_fusion("rrf", given["fusion"]), depth)
        own = load_reranker(RERANKER + (ZERO_SHOT if self.zero_shot else ""), threads)
        answerability = Answerability.of(given["answerability"])
        trimmer = Trimmer(tuple(given["trimmer"])) if self.trim else None
        return RerankStage(own, part_fusion(self.fusion, given["fusion"]), depth, answerability, trimmer)


@cache
def parameters(*, zero_shot: bool) -> dict[str, Any]:
    """What was fitted on held-out documents for our models."""
    name = "zero_shot.json" if zero_shot else "supervised.json"
    try:
        found: dict[str, Any] = json.loads((files("pincite.pipeline") / "parameters" / name).read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise ModelError(f"pipeline/parameters/{name}: cannot be read ({error}); install Pincite again") from None
    return found
