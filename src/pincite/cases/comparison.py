"""Methods side by side on the same queries, and a row whose method is chosen by nested cross-validation."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from time import perf_counter

from pincite.cases.case_set import CaseSet
from pincite.cases.cross_validation import cross_validated, fold_of
from pincite.cases.evaluation import MEASURES, evaluated
from pincite.cases.methods import AnyMethod, ranker_of
from pincite.cases.ranking import CaseTexts
from pincite.cases.selection import Selection
from pincite.measures.significance import bootstrap, randomisation_p

CROSSED = "chosen by cross-validation"


@dataclass(frozen=True, slots=True)
class CaseRow:
    """One method: MAP with its interval, and the p-value of its difference from the first row (paired, two-sided)."""

    method: str
    queries: int
    map: float
    interval: tuple[float, float]
    p10: float
    r100: float
    p: float
    seconds: float
    each: dict[str, float]
    notes: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, object]:
        return asdict(self)


def compared(cases: CaseSet, methods: Sequence[AnyMethod], tell: Callable[[str], None] = print) -> list[CaseRow]:
    """A row for each method, and the row of the cross-validated choice."""
    each: dict[str, dict[str, list[float]]] = {measure: {} for measure in MEASURES}
    seconds: dict[str, float] = {}
    queries: tuple[str, ...] = ()
    read = CaseTexts(cases)
    for method in methods:
        started = perf_counter()
        figures = evaluated(cases, ranker_of(cases, method, read).rank(), Selection())
        seconds[method.name] = perf_counter() - started
        queries = figures.queries
        for measure in MEASURES:
            each[measure][method.name] = list(figures.each[measure])
        tell(f"{method.name}: MAP {sum(figures.each['map']) / max(1, len(queries)):.4f}")
    values, chosen = cross_validated(queries, each["map"])
    crossed = {"map": values}
    for measure in MEASURES[1:]:
        crossed[measure] = [each[measure][chosen[fold_of(query)]][at] for at, query in enumerate(queries)]
    base = each["map"][methods[0].name]
    rows = [
        _row(method.name, queries, {m: each[m][method.name] for m in MEASURES}, base, seconds[method.name])
        for method in methods
    ]
    notes = tuple(f"fold {fold}: {name}" for fold, name in chosen.items())
    return [*rows, _row(CROSSED, queries, crossed, base, sum(seconds.values()), notes)]


def _row(
    name: str,
    queries: Sequence[str],
    each: Mapping[str, Sequence[float]],
    base: Sequence[float],
    seconds: float,
    notes: tuple[str, ...] = (),
) -> CaseRow:
    count = max(1, len(queries))
    return CaseRow(
        name,
        len(queries),
        sum(each["map"]) / count,
        bootstrap(each["map"]),
        sum(each["p@10"]) / count,
        sum(each["r@100"]) / count,
        randomisation_p(each["map"], base),
        round(seconds, 2),
        dict(zip(queries, each["map"], strict=True)),
        notes,
    )
