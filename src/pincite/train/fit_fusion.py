"""Fits the five fusions on dev questions, cross-validated over documents."""

from collections.abc import Callable, Sequence
from itertools import product
from typing import Any

import numpy as np

from pincite.fuse.parts import FUSIONS, PARTS, PartFusion, features, part_fusion
from pincite.search.question_features import QUESTION
from pincite.search.rerank import FIRST, PART
from pincite.train.held_out import FOLDS, Read, objective

WEIGHTS = (0.0, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5, 1.0)
RANK_KS = (1.0, 5.0, 20.0, 60.0)
RANK_WEIGHTS = (0.5, 1.0, 2.0, 4.0)
"""The grids of the weight of the re-ranker (`fixed`), and of the constant and the weight of its rank (`rrf`)."""
EVERY = 4
"""Grids are searched on every fourth question: each of their points ranks all of them."""
HIDDEN, STEPS, RATE = 12, 400, 0.03
"""Units of the hidden layer, steps of gradient descent, and its learning rate."""
DECAY = {"learned": 1e-3, "mlp": 1e-5, "query": 1e-3}
"""Weight decay. The network has a smaller one: a larger one reduces it to its linear part."""
Fit = Callable[[Sequence[Read]], Any]


def fit_fusions(read: Sequence[Read], tell: Callable[[str], None] = print) -> tuple[dict[str, Any], dict[str, Any]]:
    """The parameters of each fusion, and its cross-validated figures."""
    answered = [one for one in read if one.question.gold]
    fits: dict[str, Fit] = {
        "fixed": fixed_weights,
        "rrf": rank_weights,
        "learned": lambda given: _listwise(given, "learned"),
        "mlp": lambda given: _listwise(given, "mlp"),
        "query": lambda given: _listwise(given, "query"),
    }
    parameters, figures = {}, {}
    for way in FUSIONS:
        figures[way] = cross_validated(answered, way, fits[way])
        parameters[way] = fits[way](answered)
        tell(f"{way}: " + "  ".join(f"{name} {value:.4f}" for name, value in figures[way].items()))
    return parameters, figures


def cross_validated(read: Sequence[Read], way: str, fit: Fit) -> dict[str, float]:
    """The objective, where each question is ranked with parameters that were fitted on other documents."""
    fusions = {}
    for fold in range(FOLDS):
        fusions[fold] = part_fusion(way, {way: fit([one for one in read if one.fold != fold])})
    return objective_by(read, fusions)


def objective_by(read: Sequence[Read], fusions: dict[int, PartFusion]) -> dict[str, float]:
    """The objective over all questions, each with the fusion of its fold. Sets have equal weight; folds count by their
    questions."""
    total: dict[str, float] = {}
    names = sorted({one.set for one in read})
    for name in names:
        own = [one for one in read if one.set == name]
        for fold, fusion in fusions.items():
            held = [one for one in own if one.fold == fold]
            for measure, value in (objective(held, fusion) if held else {}).items():
                total[measure] = total.get(measure, 0.0) + value * len(held) / len(own) / len(names)
    return total


def fixed_weights(read: Sequence[Read]) -> dict[str, float]:
    """The best weight of the re-ranker, where the first score has weight 1."""
    some = read[::EVERY]
    best = max(WEIGHTS, key=lambda weight: objective(some, part_fusion("fixed", _fixed(weight)))["mean"])
    return _fixed(best)["fixed"]


def _fixed(weight: float) -> dict[str, dict[str, float]]:
    return {"fixed": {FIRST: 1.0, PART: weight}}


def rank_weights(read: Sequence[Read]) -> dict[str, Any]:
    """The best constant, and the best weight of the rank of the re-ranker, where the first rank has weight 1."""
    choices = [{"k": k, "weights": {FIRST: 1.0, PART: weight}} for k, weight in product(RANK_KS, RANK_WEIGHTS)]
    some = read[::EVERY]
    return max(choices, key=lambda given: objective(some, part_fusion("rrf", {"rrf": given}))["mean"])


def _listwise(read: Sequence[Read], way: str) -> Any:
    """Gradient descent on the likelihood that a right unit is ranked first. Sets have equal weight."""
    import torch

    torch.manual_seed(1)
    kept = [(one, one.right()) for one in read]
    kept = [(one, right) for one, right in kept if right.any() and not right.all()]
    deepest = max(len(right) for _, right in kept)
    width = 2 * len(PARTS)
    given = np.zeros((len(kept), deepest, width))
    gold = np.zeros((len(kept), deepest), dtype=np.bool_)
    there = np.zeros((len(kept), deepest), dtype=np.bool_)
    for at, (one, right) in enumerate(kept):
        given[at, : len(right)], gold[at, : len(right)], there[at, : len(right)] = features(one.parts()), right, True
    scale = np.maximum(given[there].std(axis=0), 1e-6)
    sizes = {one.set: sum(other.set == one.set for other, _ in kept) for one, _ in kept}
    share = torch.tensor([1 / sizes[one.set] for one, _ in kept], dtype=torch.float64)
    inputs = torch.from_numpy(given / scale)
    asked = torch.from_numpy(np.stack([one.asked() for one, _ in kept]))
    made = {
        "straight": torch.zeros(width, dtype=torch.float64),
        "inner": 0.3 * torch.randn(width, HIDDEN, dtype=torch.float64),
        "bias": torch.zeros(HIDDEN, dtype=torch.float64),
        "outer": torch.zeros(HIDDEN, dtype=torch.float64),
        "weights": torch.zeros(len(QUESTION), width, dtype=torch.float64),
    }
    used = {"learned": ("straight",), "mlp": ("straight", "inner", "bias", "outer"), "query": ("weights",)}[way]
    values = [made[name].requires_grad_() for name in used]

    def scores() -> Any:
        if way == "query":
            return (inputs * (asked @ made["weights"]).unsqueeze(1)).sum(-1)
        plain = inputs @ made["straight"]
        return plain if way == "learned" else plain + torch.tanh(inputs @ made["inner"] + made["bias"]) @ made["outer"]

    optimiser = torch.optim.Adam(values, lr=RATE)
    for _ in range(STEPS):
        found = scores().masked_fill(~torch.from_numpy(there), -1e9)
        right = found.masked_fill(~torch.from_numpy(gold), -1e9)
        loss = ((found.logsumexp(1) - right.logsumexp(1)) * share).sum() / share.sum()
        loss = loss + DECAY[way] * sum((value**2).sum() for value in values)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    done = {name: made[name].detach().numpy() for name in used}
    if way == "learned":
        return _rounded(done["straight"] / scale)
    if way == "query":
        return _rounded(done["weights"] / scale)
    done |= {"straight": done["straight"] / scale, "inner": done["inner"] / scale[:, None]}
    return {name: _rounded(value) for name, value in done.items()}


def _rounded(values: Any) -> Any:
    return np.round(values, 5).tolist()
