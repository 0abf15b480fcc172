"""The second reading: re-ranked, fused, trimmed and judged, with parameters out of one JSON file."""

import json
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Any

from pincite.errors import ModelError
from pincite.fuse.parts import part_fusion
from pincite.models import Reranker, load_reranker
from pincite.models.shipped import RERANKER, ZERO_SHOT
from pincite.rerank import Answerability, Rescoring
from pincite.rerank.rescoring import PART
from pincite.retrieve.context_scores import Scored
from pincite.retrieve.shelves import Shelves
from pincite.trim import Trimmer

ANSWERS = "answers"
"""The part that says how likely it is that one passage answers."""


@dataclass(frozen=True, slots=True)
class SecondReading:
    """What happens to the best units after the first ranking. `trimmer` None leaves the growth of hits to scores."""

    rescoring: Rescoring
    answerability: Answerability | None = None
    trimmer: Trimmer | None = None

    def with_reranker(self, reranker: Reranker) -> "SecondReading":
        """The same with another that gives the same scores, such as one that keeps them."""
        return replace(self, rescoring=replace(self.rescoring, reranker=reranker))

    def again(self, shelves: Shelves, scored: Scored) -> Scored:
        read = self.rescoring(shelves, scored)
        if self.answerability is None or PART not in read.parts:
            return read
        return replace(read, parts={**read.parts, ANSWERS: self.answerability.passages(read.parts[PART])})

    def extent(self, shelves: Shelves, scored: Scored, at: int) -> tuple[int, int] | None:
        if self.trimmer is None or PART not in scored.parts:
            return None
        document, unit = scored.looked.place(at)
        held = shelves.load(document)
        return self.trimmer.extent(held, scored.parts[PART][at - unit : at - unit + len(held.units)], unit)

    def answered(self, scored: Scored) -> float | None:
        if self.answerability is None or PART not in scored.parts:
            return None
        return round(self.answerability.question(scored.parts[PART]), 4)


@dataclass(frozen=True, slots=True)
class ReadingChoice:
    """Which second reading a method has; the models are loaded when it is needed."""

    fusion: str = "query"
    """The best one on dev (docs/models.md)."""
    trim: bool = False
    zero_shot: bool = False

    def load(self, reranker: Reranker | None = None) -> SecondReading:
        """Another re-ranker than ours may be given. Its scores are on another scale: only their order counts then, and
        nothing is trimmed or judged by them."""
        given = parameters(zero_shot=self.zero_shot)
        depth = int(given["depth"])
        if reranker is not None:
            return SecondReading(Rescoring(reranker, part_fusion("rrf", given["fusion"]), depth))
        own = load_reranker(RERANKER + (ZERO_SHOT if self.zero_shot else ""))
        rescoring = Rescoring(own, part_fusion(self.fusion, given["fusion"]), depth)
        judged = given["answerability"]
        answerability = Answerability(tuple(judged["weights"]), judged["offset"], tuple(judged["unit"]))
        return SecondReading(rescoring, answerability, Trimmer(tuple(given["trimmer"])) if self.trim else None)


@cache
def parameters(*, zero_shot: bool) -> dict[str, Any]:
    """What was learned on held-out documents for the models of ours."""
    name = "zero_shot.json" if zero_shot else "supervised.json"
    try:
        found: dict[str, Any] = json.loads((files("pincite.pipeline") / "parameters" / name).read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise ModelError(f"pipeline/parameters/{name}: cannot be read ({error})") from None
    return found
