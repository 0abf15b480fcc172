"""TREC files belong to the data: one set of qrels judges every run, and other tools read what Pincite prints."""

from itertools import pairwise
from pathlib import Path

import ir_measures
import pytest
import pytrec_eval
import ranx

from pincite.evaluate import write_predictions
from pincite.evaluate.predictions import Prediction
from pincite.evaluate.run import run
from pincite.evaluate.score import score
from pincite.evaluate.trec import export_trec
from pincite.measures import Example, Span
from pincite.measures.average_precision import AveragePrecision
from pincite.measures.textbook import falling, judgments, retrieved
from pincite.output import write_json
from pincite.segment import segmenter
from tests.conftest import SAMPLES

GOLD = SAMPLES / "benchmarks" / "contracts.json"


def example(gold: list[tuple[int, int]], hits: list[tuple[int, int]], *scores: float) -> Example:
    found = tuple(Span("d", *hit) for hit in hits)
    return Example(
        "q",
        tuple(Span("d", *span) for span in gold),
        ("",) * len(gold),
        ("",) * len(hits),
        found,
        scores=scores or None,
    )


@pytest.mark.parametrize(
    ("gold", "hits", "names"),
    [
        ([(0, 10)], [(0, 10)], ["d:0-10"]),
        ([(0, 10)], [(2, 9)], ["d:0-10"]),  # more than half gold: it has found the span
        ([(0, 10)], [(0, 40)], ["d:0-40"]),  # less than half gold: a place of its own
        ([(0, 10)], [(0, 10), (1, 9)], ["d:0-10", "d:1-9"]),  # a span is found once
        ([(0, 10)], [(1, 9), (0, 10)], ["d:0-10", "d:0-10#2"]),  # what comes second is not a second find
        ([(0, 10), (12, 40)], [(5, 35)], ["d:12-40"]),  # the span it overlaps most
        ([(0, 40), (10, 20)], [(10, 20)], ["d:10-20"]),  # of two alike the shorter one
        ([], [(0, 5), (0, 5)], ["d:0-5", "d:0-5#2"]),
    ],
)
def test_a_relevant_hit_carries_the_name_of_the_gold_span_it_overlaps_most(
    gold: list[tuple[int, int]], hits: list[tuple[int, int]], names: list[str]
) -> None:
    judged = example(gold, hits)
    assert list(retrieved(judged)) == names
    assert list(judgments(judged)) == [f"d:{start}-{end}" for start, end in gold]


def test_two_hits_in_one_span_do_not_count_twice() -> None:
    whole = example([(0, 10), (20, 30)], [(0, 10), (20, 30)])
    cut = example([(0, 10), (20, 30)], [(0, 4), (5, 9), (20, 30)])
    assert AveragePrecision().of(whole) == pytest.approx(1.0)
    assert AveragePrecision().of(cut) == pytest.approx((1 + 2 / 3) / 2)


def test_scores_are_the_real_ones_and_fall() -> None:
    assert list(retrieved(example([], [(0, 1), (1, 2), (2, 3)], 7.5, 3.25, -1.0)).values()) == [7.5, 3.25, -1.0]
    for given in ([1.0, 1.0, 1.0], [0.0] * 5, [0.2, 0.9, 0.1], [1e-9, 1e-9], [3.0, 3.0 - 1e-12]):
        kept = falling(given)
        assert all(first > second for first, second in pairwise(kept)), given


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Path, Path, dict[str, float]]]:
    """Of two methods on the sample contracts: the run, the qrels, and what Pincite prints."""
    folder = tmp_path_factory.mktemp("trec")
    windows = segmenter("sentences", 2, overlap=1)  # overlapping, so that several hits lie in one gold span
    found = {}
    for method in ("tfidf", "bm25"):
        predictions = folder / f"{method}.json"
        write_predictions(predictions, run(method, SAMPLES / "corpus", GOLD, k=50, segment=windows).predictions)
        run_file, qrels_file = export_trec(predictions, GOLD, folder / method, tag=method)
        found[method] = (run_file, qrels_file, score(predictions, GOLD, standard=True))
    return found


def test_qrels_are_the_same_for_every_method(files: dict[str, tuple[Path, Path, dict[str, float]]]) -> None:
    tfidf, bm25 = (qrels.read_bytes() for _, qrels, _ in files.values())
    assert tfidf == bm25


@pytest.mark.parametrize("method", ["tfidf", "bm25"])
def test_three_tools_give_what_pincite_prints(
    method: str, files: dict[str, tuple[Path, Path, dict[str, float]]]
) -> None:
    run_file, qrels_file, printed = files[method]
    names = ("ndcg_gold@10", "map", "mrr", "success@10")
    expected = [round(printed[name], 4) for name in names]
    assert 0 < printed["map"] < 1

    measures = [ir_measures.nDCG @ 10, ir_measures.AP, ir_measures.RR, ir_measures.Success @ 10]
    qrels = list(ir_measures.read_trec_qrels(str(qrels_file)))
    given = ir_measures.calc_aggregate(measures, qrels, ir_measures.read_trec_run(str(run_file)))
    assert [round(given[measure], 4) for measure in measures] == expected

    judged = ranx.Qrels.from_file(str(qrels_file), kind="trec")
    ranked = ranx.Run.from_file(str(run_file), kind="trec")
    by_ranx = ranx.evaluate(judged, ranked, ["ndcg@10", "map", "mrr", "hit_rate@10"], make_comparable=True)
    assert [round(float(value), 4) for value in by_ranx.values()] == expected

    with qrels_file.open(encoding="utf-8") as lines:
        gold = pytrec_eval.parse_qrel(lines)
    with run_file.open(encoding="utf-8") as lines:
        answers = pytrec_eval.parse_run(lines)
    asked = ("ndcg_cut_10", "map", "recip_rank", "success_10")
    rows = pytrec_eval.RelevanceEvaluator(gold, {"ndcg_cut.10", "map", "recip_rank", "success.10"}).evaluate(answers)
    # trec_eval leaves out questions without a hit; they count as 0.
    assert [round(sum(row[name] for row in rows.values()) / len(gold), 4) for name in asked] == expected


def test_blanks_in_a_documents_name_do_not_break_the_columns(tmp_path: Path) -> None:
    snippet = {"file_path": "c/our lease 100%.txt", "span": [0, 4], "answer": "Rent"}
    write_json(tmp_path / "gold.json", {"tests": [{"query": "q", "snippets": [snippet]}]})
    hit = Span("c/our lease 100%.txt", 0, 4)
    write_predictions(tmp_path / "p.json", [Prediction("q", ("Rent",), (hit,), (0.5,))])
    run_file, qrels_file = export_trec(tmp_path / "p.json", tmp_path / "gold.json", tmp_path)
    assert run_file.read_text("utf-8") == "q0 Q0 c/our%20lease%20100%25.txt:0-4 1 0.5 pincite\n"
    assert qrels_file.read_text("utf-8") == "q0 0 c/our%20lease%20100%25.txt:0-4 1\n"
