"""A benchmark as one self-contained page: tables, curves, and the worst questions with gold and hits marked."""

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import replace
from html import escape
from pathlib import Path

from pincite.errors import DataError
from pincite.evaluate.legalbench_rag import BenchmarkRun, Pool, pool_of, run_method
from pincite.measures import BUDGETS, DEPTHS, Example, Span, mean_figures
from pincite.measures.recall import Recall
from pincite.measures.significance import Comparison, bootstrap
from pincite.models import Encoder
from pincite.pipeline import METHODS, RetrieverOptions

TABLE = (
    "found@10",
    "recall_budget@4000",
    "precision@1",
    "exact_match",
    "document@1",
    "span_f1",
    "recall@10",
    "ndcg@10",
)
WORST = 12
AROUND = 160
COLOURS = ("#64748b", "#b45309", "#0f766e", "#7c3aed", "#be123c", "#1d4ed8", "#4d7c0f", "#a21caf")
STYLE = """
:root { color-scheme: light dark; --line: #cbd5e1; --soft: #64748b; --gold: #fde68a; --hit: #bfdbfe; --both: #86efac; }
@media (prefers-color-scheme: dark) { :root { --line: #334155; --gold: #854d0e; --hit: #1e3a8a; --both: #166534; } }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; margin: 1rem 0; font-variant-numeric: tabular-nums; }
th, td { padding: .25rem .7rem; border-bottom: 1px solid var(--line); text-align: right; }
th:first-child, td:first-child, td.text, th.text { text-align: left; }
small, .soft { color: var(--soft); } figure { margin: 1rem 0; } svg text { font-size: 12px; fill: currentColor; }
.case { border: 1px solid var(--line); border-radius: .5rem; padding: .8rem 1rem; margin: 1rem 0; }
.passage { white-space: pre-wrap; border-left: 3px solid var(--line); padding-left: .8rem; margin: .5rem 0; }
mark { color: inherit; border-radius: .2rem; } mark.gold { background: var(--gold); } mark.hit { background: var(--hit); }
mark.both { background: var(--both); } .scroll { overflow-x: auto; }
"""


def page(
    runs: Sequence[BenchmarkRun],
    found: Sequence[Comparison],
    title: str,
    pool: Pool,
    curve: Sequence[tuple[float, float]],
) -> str:
    """The page as HTML; nothing in it is fetched from anywhere."""
    texts = {document.id: document.text for document in pool.documents}
    parts = [
        f"<h1>{escape(title)}</h1>",
        "<h2>Figures</h2>",
        _table(runs),
        "<h2>How much of the gold the first k hits hold</h2>",
        _curves(runs),
        "<h2>How much of the gold the first n characters hold</h2>",
        _budgets(runs),
        "<h2>Differences</h2>" + _differences(found) if found else "",
        "<h2>The weight of BM25 in the seeds' hybrid, on dev</h2>" + _weight_figure(curve) if curve else "",
        f"<h2>The worst questions of {escape(runs[-1].method)}</h2>",
        "<p class=soft>Gold is <mark class=gold>yellow</mark>, a hit <mark class=hit>blue</mark>, both "
        "<mark class=both>green</mark>. Chosen by found@10, then recall_budget@4000.</p>",
        *(_case(example, texts) for example in worst(runs[-1])),
    ]
    head = f"<meta charset=utf-8><meta name=viewport content='width=device-width'><title>{escape(title)}</title>"
    return (
        f"<!doctype html><html lang=en><head>{head}<style>{STYLE}</style></head><body>{''.join(parts)}</body></html>\n"
    )


def weight_curve(data: Path, encoder: Encoder, limit: int = 60) -> list[tuple[float, float]]:
    """recall@10 of the seeds' hybrid on dev for weights of BM25 from 0 to 1; empty where there is no dev split."""
    try:
        pool = pool_of(data, "full", "dev", limit)
    except DataError:
        return []
    used = {span.document for questions in pool.questions.values() for q in questions for span in q.gold}
    small = Pool(tuple(document for document in pool.documents if document.id in used), pool.questions)
    points = []
    for tenth in range(11):
        weight = tenth / 10
        options = RetrieverOptions(bm25_weight=weight)
        run = run_method(replace(METHODS["hybrid"], options=options), small, "keep", encoder)
        examples = [example for result in run.sets.values() for example in result.examples]
        points.append((weight, mean_figures([Recall(10)], examples)["recall@10"]))
    return points


def worst(run: BenchmarkRun, count: int = WORST) -> list[Example]:
    """The questions that went worst, spread over the sets."""
    chosen = []
    for result in run.sets.values():
        found, budget = result.figures["found@10"], result.figures["recall_budget@4000"]
        order = sorted(range(len(result.examples)), key=lambda at: (found[at], budget[at], result.examples[at].query))
        chosen += [result.examples[at] for at in order[: max(1, count // len(run.sets))]]
    return chosen


def _table(runs: Sequence[BenchmarkRun]) -> str:
    head = "".join(f"<th>{name}</th>" for name in TABLE)
    rows = []
    for run in runs:
        for name, figures in run.means().items():
            if name == "all" and len(run.sets) == 1:
                continue
            cells = "".join(f"<td>{figures[measure]:.3f}{_interval(run, name, measure)}</td>" for measure in TABLE)
            rows.append(f"<tr><td>{escape(run.method)}</td><td class=text>{escape(name)}</td>{cells}</tr>")
    note = "<p class=soft>Small figures: 95 % bootstrap interval over the questions of a set.</p>"
    return f"<div class=scroll><table><tr><th>method</th><th class=text>set</th>{head}</tr>{''.join(rows)}</table></div>{note}"


def _interval(run: BenchmarkRun, name: str, measure: str) -> str:
    if name not in run.sets or measure not in ("found@10", "precision@1", "recall_budget@4000"):
        return ""
    low, high = bootstrap(run.sets[name].figures[measure], rounds=2000)
    return f"<br><small>{low:.3f}–{high:.3f}</small>"


def _curves(runs: Sequence[BenchmarkRun]) -> str:
    lines: dict[str, list[tuple[float, float]]] = {}
    for run in runs:
        figures = run.means()["all"]
        lines[run.method] = [(place, figures[f"recall_chars@{k}"]) for place, k in enumerate(DEPTHS)]
    return _plot(lines, [str(k) for k in DEPTHS], "recall_chars@k, mean of the sets")


def _budgets(runs: Sequence[BenchmarkRun]) -> str:
    lines = {
        run.method: [(place, run.means()["all"][f"recall_budget@{n}"]) for place, n in enumerate(BUDGETS)]
        for run in runs
    }
    return _plot(
        lines, [f"{n:,}" for n in BUDGETS], "recall_budget@n, mean of the sets: long hits are not favoured here"
    )


def _weight_figure(curve: Sequence[tuple[float, float]]) -> str:
    points = [(place, value) for place, (_, value) in enumerate(curve)]
    return _plot({"hybrid": points}, [f"{weight:.1f}" for weight, _ in curve], "recall@10 by the weight of BM25")


def _plot(lines: Mapping[str, Sequence[tuple[float, float]]], labels: Sequence[str], caption: str) -> str:
    """Lines over evenly spaced labels, values from 0 to 1, as SVG with a legend."""
    width, height, left, top = 640, 260, 40, 10
    step = (width - left - 150) / max(1, len(labels) - 1)

    def at(place: float, value: float) -> str:
        return f"{left + place * step:.1f},{top + (1 - value) * (height - 50):.1f}"

    grid = "".join(
        f"<line x1={left} x2={width - 150} y1={top + (1 - v) * (height - 50):.1f} y2={top + (1 - v) * (height - 50):.1f} "
        f"stroke='var(--line)'/><text x=8 y={top + 4 + (1 - v) * (height - 50):.1f}>{v:.2f}</text>"
        for v in (0.0, 0.25, 0.5, 0.75, 1.0)
    )
    ticks = "".join(
        f"<text x={left + place * step:.1f} y={height - 20} text-anchor=middle>{label}</text>"
        for place, label in enumerate(labels)
    )
    drawn = []
    for place, (name, points) in enumerate(lines.items()):
        colour = COLOURS[place % len(COLOURS)]
        path = " ".join(at(*point) for point in points)
        drawn.append(f"<polyline points='{path}' fill=none stroke='{colour}' stroke-width=2.5 />")
        drawn.append(f"<text x={width - 140} y={top + 14 + 18 * place} style='fill:{colour}'>{escape(name)}</text>")
    svg = f"<svg viewBox='0 0 {width} {height}' width={width} role=img aria-label='{escape(caption)}'>{grid}{ticks}{''.join(drawn)}</svg>"
    return f"<figure>{svg}<figcaption class=soft>{escape(caption)}</figcaption></figure>"


def _differences(found: Sequence[Comparison]) -> str:
    rows = "".join(
        f"<tr><td>{escape(c.first)} − {escape(c.second)}</td><td class=text>{c.measure}</td><td>{c.difference:+.4f}</td>"
        f"<td>{c.interval[0]:+.4f} to {c.interval[1]:+.4f}</td><td>{c.p_corrected:.4f}</td></tr>"
        for c in found
    )
    head = "<tr><th>difference</th><th class=text>measure</th><th>mean</th><th>95 %</th><th>p (Holm)</th></tr>"
    return f"<table>{head}{rows}</table><p class=soft>Paired randomisation test over all questions, 10,000 rounds.</p>"


def _case(example: Example, texts: Mapping[str, str]) -> str:
    """One question: every gold span in its surroundings, then the first hits, both marked."""
    hits = (example.hits or ())[:10]
    blocks = [_passage(span, example.gold, hits, texts, "gold") for span in example.gold[:4]]
    blocks += [_passage(span, example.gold, hits, texts, f"hit {rank}") for rank, span in enumerate(hits[:3], start=1)]
    return f"<div class=case><strong>{escape(example.query)}</strong>{''.join(blocks)}</div>"


def _passage(span: Span, gold: Sequence[Span], hits: Sequence[Span], texts: Mapping[str, str], label: str) -> str:
    text = texts[span.document]
    start, end = max(0, span.start - AROUND), min(len(text), min(span.end, span.start + 1200) + AROUND)
    edges = sorted(
        {start, end}
        | {
            edge
            for one in (*gold, *hits)
            if one.document == span.document
            for edge in (one.start, one.end)
            if start < edge < end
        }
    )
    pieces = []
    for low, high in itertools.pairwise(edges):
        is_gold = any(one.document == span.document and one.start <= low < one.end for one in gold)
        is_hit = any(one.document == span.document and one.start <= low < one.end for one in hits)
        words = escape(" ".join(text[low:high].split()) or " ")
        kind = "both" if is_gold and is_hit else "gold" if is_gold else "hit" if is_hit else ""
        pieces.append(f"<mark class={kind}>{words}</mark>" if kind else words)
    place = f"{escape(span.document)}, {span.start}–{span.end}"
    return f"<p class=soft>{label}: {place}</p><div class=passage>{' '.join(pieces)}</div>"
