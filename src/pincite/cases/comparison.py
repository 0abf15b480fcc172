"""Methods side by side on the same queries. What is chosen (settings of the plain baseline, the selection, the method)
is chosen by nested cross-validation: on other queries than it is measured on."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from time import perf_counter

from pincite.cases.case_set import CaseSet
from pincite.cases.cross_validation import cross_validated, fold_of
from pincite.cases.evaluation import MEASURES, as_ranked, evaluated
from pincite.cases.methods import AnyMethod, ranker_of
from pincite.cases.ranking import CaseRanking, CaseTexts
from pincite.cases.selection import (
    DEFAULT,
    AnySelection,
    MicroFigures,
    Ranked,
    measured,
    micro,
    tuned_best,
    tuned_outstanding,
)
from pincite.measures.significance import bootstrap, randomisation_p

CROSSED = "chosen by cross-validation"
PLAIN = "document, settings by cross-validation"
HINDSIGHT = "document, best settings in hindsight"
Each = Mapping[str, Sequence[float]]
Tune = Callable[[Sequence[Ranked]], tuple[AnySelection, MicroFigures]]
"""Finds the best selection for some labelled rankings."""


@dataclass(frozen=True, slots=True)
class CaseRow:
    """One method: MAP with its interval, the p-value of its difference from the baseline (paired, two-sided), and the
    micro-F1 of the default selection, of the same rule with numbers chosen on the other folds, and of the better of
    both rules, tuned there."""

    method: str
    queries: int
    map: float
    interval: tuple[float, float]
    p10: float
    r100: float
    p: float
    f1: float | None
    """Micro-F1 with the default selection."""
    rule_f1: float | None
    """Micro-F1 with the default rule, whose two numbers were chosen, for each fold, on the others."""
    tuned_f1: float | None
    """Micro-F1 with a selection that was tuned, for each fold, on the others."""
    seconds: float
    each: dict[str, float]
    baseline: str
    notes: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, object]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class _Measured:
    """What one row was measured at: a value a query for each measure, and the micro-F1 figures."""

    each: Each
    seconds: float
    f1: float | None = None
    rule_f1: float | None = None
    tuned_f1: float | None = None
    notes: tuple[str, ...] = ()


def compared(
    cases: CaseSet,
    methods: Sequence[AnyMethod],
    tell: Callable[[str], None] = print,
    *,
    plain: Sequence[AnyMethod] = (),
    baseline: str | None = None,
) -> list[CaseRow]:
    """A row for each method, one for the cross-validated choice among the `plain` ones, one for the best of these in
    hindsight, and one for the choice among `methods`. All are compared with `baseline`, or the strongest plain row."""
    read = CaseTexts(cases.candidates, keep=True)
    queries = tuple(query.id for query in cases.queries if cases.relevant.get(query.id))
    found: dict[str, _Measured] = {}
    if plain:
        each = {one.name: _measured(cases, one, read)[0] for one in plain}
        found[PLAIN] = _choice(queries, each)
        best = max(each, key=lambda name: _mean(each[name].each["map"]))
        found[HINDSIGHT] = replace(each[best], notes=(best,))
        for name in (PLAIN, HINDSIGHT):
            tell(f"{name}: MAP {_mean(found[name].each['map']):.4f}")
    for method in methods:
        figures, rankings = _measured(cases, method, read)
        ranked = as_ranked(cases, rankings)
        names = [ranking.query for ranking in rankings if ranking.query in cases.relevant]
        f1 = measured(ranked, DEFAULT).f1
        rule_f1, tuned_f1 = (cross_validated_f1(names, ranked, tune) for tune in (tuned_outstanding, tuned_best))
        found[method.name] = _Measured(figures.each, figures.seconds, f1, rule_f1, tuned_f1)
        tell(
            f"{method.name}: MAP {_mean(figures.each['map']):.4f}  micro-F1 {f1:.4f} by default, "
            f"cross-validated {rule_f1:.4f} with the default rule and {tuned_f1:.4f} with the better of both"
        )
    rows = dict(found)
    rows[CROSSED] = _choice(queries, {method.name: found[method.name] for method in methods})
    against = baseline or _strongest(found)
    return [_row(name, queries, one, against, found[against].each["map"]) for name, one in rows.items()]


def cross_validated_f1(queries: Sequence[str], ranked: Sequence[Ranked], tune: Tune = tuned_best) -> float:
    """Micro-F1 where the selection of each query was tuned on the other folds."""
    folds = [fold_of(query) for query in queries]
    right = kept = 0
    for fold in sorted(set(folds)):
        selection, _ = tune([one for one, own in zip(ranked, folds, strict=True) if own != fold])
        for one, own in zip(ranked, folds, strict=True):
            if own == fold:
                count = selection.count(one.scores, one.self_score)
                kept, right = kept + count, right + int(one.right[:count].sum())
    return micro(right, kept, sum(one.relevant for one in ranked)).f1


def _measured(cases: CaseSet, method: AnyMethod, read: CaseTexts) -> tuple[_Measured, list[CaseRanking]]:
    started = perf_counter()
    rankings = ranker_of(cases, method, read).rank()
    figures = evaluated(cases, rankings, DEFAULT)
    return _Measured(figures.each, perf_counter() - started), rankings


def _choice(queries: Sequence[str], among: Mapping[str, _Measured]) -> _Measured:
    """Each query under the one that was best on the other folds."""
    values, chosen = cross_validated(queries, {name: one.each["map"] for name, one in among.items()})
    each: dict[str, Sequence[float]] = {"map": values}
    for measure in MEASURES[1:]:
        each[measure] = [among[chosen[fold_of(query)]].each[measure][at] for at, query in enumerate(queries)]
    notes = tuple(f"fold {fold}: {name}" for fold, name in chosen.items())
    return _Measured(each, sum(one.seconds for one in among.values()), notes=notes)


def _strongest(found: Mapping[str, _Measured]) -> str:
    """The plain row (BM25 on whole cases) with the best MAP; without any, the first row."""
    whole = (PLAIN, HINDSIGHT, "document", "document-long")
    plain = [name for name in found if name in whole] or [next(iter(found))]
    return max(plain, key=lambda name: _mean(found[name].each["map"]))


def _mean(values: Sequence[float]) -> float:
    return sum(values) / max(1, len(values))


def _row(name: str, queries: Sequence[str], one: _Measured, against: str, base: Sequence[float]) -> CaseRow:
    return CaseRow(
        name,
        len(queries),
        _mean(one.each["map"]),
        bootstrap(one.each["map"]),
        _mean(one.each["p@10"]),
        _mean(one.each["r@100"]),
        randomisation_p(one.each["map"], base),
        one.f1,
        one.rule_f1,
        one.tuned_f1,
        round(one.seconds, 2),
        dict(zip(queries, one.each["map"], strict=True)),
        against,
        one.notes,
    )
