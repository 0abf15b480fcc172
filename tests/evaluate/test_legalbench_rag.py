"""The benchmark: sets, splits, pools, names, significance and the page, on the sample contracts."""

import json
from pathlib import Path

import pytest

from pincite.errors import DataError, UsageError
from pincite.evaluate import BenchmarkQuestion, read_benchmark
from pincite.evaluate.legalbench_rag import mini, pool_of, run_method
from pincite.evaluate.names import FORMS, asked, form_of, reworded, split
from pincite.evaluate.references import measure_references
from pincite.evaluate.report import page, weight_curve
from pincite.evaluate.results import as_json, comparisons
from pincite.measures import Span
from pincite.measures.significance import bootstrap, compare, holm, randomisation_p
from pincite.models import load_encoder
from pincite.pipeline import METHODS, method
from tests.conftest import SAMPLES

QUESTION = BenchmarkQuestion(
    "Consider the Supply Agreement between Acme, Inc. and Bolt GmbH; Is there a cap on liability?",
    (Span("set/AcmeInc_Supply.txt", 0, 4),),
    ("Rent",),
)


@pytest.mark.parametrize(
    ("names", "query", "filtered"),
    [
        ("keep", QUESTION.query, False),
        ("strip", "Is there a cap on liability?", False),
        ("filter", "Is there a cap on liability?", True),
    ],
)
def test_names_are_kept_stripped_or_given_as_a_filter(names: str, query: str, filtered: bool) -> None:
    put, where = asked(QUESTION, names)
    assert put == query
    assert (where is not None) == filtered
    if where:
        assert where.documents == ("set/AcmeInc_Supply.txt",)


def test_rewording_moves_the_reference_by_fixed_forms() -> None:
    questions = [
        BenchmarkQuestion(f"Consider Acme's NDA; Is number {n} allowed?", QUESTION.gold, ("x",)) for n in range(60)
    ]
    seen = {form_of(question) for question in questions}
    assert seen == set(range(len(FORMS)))
    assert len(FORMS) >= 5
    for question in questions:
        assert reworded(question) == reworded(question)
        assert ";" not in reworded(question)
        assert "Acme" in reworded(question)
    assert reworded(BenchmarkQuestion("no reference here?", QUESTION.gold, ("x",))) == "no reference here?"
    assert split("no reference here?") == ("", "no reference here?")
    with pytest.raises(UsageError, match="keep, strip, filter, reworded"):
        asked(QUESTION, "other")


def folder(tmp_path: Path) -> Path:
    (tmp_path / "benchmarks").mkdir()
    tests = []
    for name in ("a", "b"):
        (tmp_path / "corpus" / name).mkdir(parents=True)
        for number in range(3):
            text = f"Clause {number} of set {name} says that rent is due."
            (tmp_path / "corpus" / name / f"{number}.txt").write_text(text, encoding="utf-8")
            tests.append(
                (
                    name,
                    {
                        "query": f"Consider {name}{number}; is rent due?",
                        "snippets": [{"file_path": f"{name}/{number}.txt", "span": [0, 6], "answer": "Clause"}],
                    },
                )
            )
    for name in ("a", "b"):
        content = {"tests": [test for owner, test in tests if owner == name]}
        (tmp_path / "benchmarks" / f"{name}.json").write_text(json.dumps(content), encoding="utf-8")
    return tmp_path


def test_pools_sets_and_splits(tmp_path: Path) -> None:
    data = folder(tmp_path)
    assert len(pool_of(data, "a", "test").documents) == 3
    assert len(pool_of(data, "full", "test").documents) == 6
    assert set(pool_of(data, "mini", "test").questions) == {"a", "b"}
    (data / "splits.json").write_text(
        json.dumps({"test": ["a/0.txt"], "dev": ["b/1.txt"], "train": []}), encoding="utf-8"
    )
    assert {name: len(q) for name, q in pool_of(data, "full", "test").questions.items()} == {"a": 1}
    assert {name: len(q) for name, q in pool_of(data, "full", "dev").questions.items()} == {"b": 1}
    assert {name: len(q) for name, q in pool_of(data, "full", "all", limit=2).questions.items()} == {"a": 2, "b": 2}
    with pytest.raises(DataError, match="no questions"):
        pool_of(data, "a", "dev")
    with pytest.raises(UsageError, match="mini, full, a, b"):
        pool_of(data, "c", "test")
    with pytest.raises(UsageError, match="test, dev, train, all"):
        pool_of(data, "a", "tset")


def test_context_beats_the_lexical_baselines_on_the_samples(tmp_path: Path) -> None:
    pool = pool_of(SAMPLES, "contracts", "test")
    runs = [
        run_method(method(name), pool, "keep", None)
        for name in ("bm25", "bm25-fixed500", "bm25-recursive500", "context")
    ]
    figures = {run.method: run.means()["all"] for run in runs}
    assert figures["context"]["found@10"] > 0.4
    for name in ("bm25", "bm25-fixed500", "bm25-recursive500"):
        assert figures["context"]["found@10"] > figures[name]["found@10"] + 0.1
        assert figures["context"]["recall_budget@4000"] > figures[name]["recall_budget@4000"] + 0.1
    found = comparisons(runs, ["found@10"])
    assert all(comparison.p_corrected < 0.05 for comparison in found)
    shape = as_json(runs, "contracts", "test", found)
    assert set(shape) == {"runs", "significance"}
    assert {"method", "set", "split", "names", "models", "seconds", "queries_per_second", "sets"} <= set(
        shape["runs"][0]
    )
    assert set(shape["runs"][0]["sets"]) == {"contracts", "all"}
    json.dumps(shape)
    html = page(runs, found, "samples <test>", pool, [(0.0, 0.5), (1.0, 0.7)])
    assert "samples &lt;test&gt;" in html
    assert "<mark class=" in html
    assert "http" not in html
    assert "<script" not in html


@pytest.mark.parametrize("names", ["filter", "reworded"])
def test_other_ways_with_names_stay_close(names: str) -> None:
    pool = pool_of(SAMPLES, "contracts", "test")
    kept = run_method(method("context"), pool, "keep", None).means()["all"]
    other = run_method(method("context"), pool, names, None).means()["all"]
    for figure in ("found@10", "recall_budget@4000", "document@1"):
        assert other[figure] > kept[figure] - 0.05


def test_a_filter_reaches_every_method(tiny_encoder: Path) -> None:
    pool = pool_of(SAMPLES, "contracts", "test", limit=4)
    encoder = load_encoder(str(tiny_encoder))
    for name, entry in METHODS.items():
        run = run_method(entry, pool, "filter", encoder)
        assert run.means()["all"]["document@1"] == 1.0, name
        assert len(run.models) == 1 + (entry.rerank is not None)


def test_without_a_dev_split_there_is_no_weight_curve(tiny_encoder: Path, tmp_path: Path) -> None:
    data = folder(tmp_path)
    (data / "splits.json").write_text(json.dumps({"test": ["a/0.txt"], "dev": [], "train": []}), encoding="utf-8")
    assert weight_curve(data, load_encoder(str(tiny_encoder))) == []
    (data / "splits.json").write_text(json.dumps({"test": [], "dev": ["a/0.txt"], "train": []}), encoding="utf-8")
    assert [weight for weight, _ in weight_curve(data, load_encoder(str(tiny_encoder)))] == [n / 10 for n in range(11)]


def test_references_are_measured_by_form() -> None:
    rows = {row.form: row for row in measure_references(SAMPLES, "all")}
    assert rows["as it is"].queries == 98
    assert rows["as it is"].document > 0.95
    assert set(rows) <= {"as it is", *FORMS}


def test_significance_tells_luck_from_difference() -> None:
    better, worse = [1.0] * 30, [0.0] * 10 + [1.0] * 20
    assert randomisation_p(better, worse) < 0.01
    assert randomisation_p(better, better) == 1.0
    assert randomisation_p([1.0, 0.0], [0.0, 1.0]) > 0.5
    assert holm([0.01, 0.02, 0.03]) == pytest.approx([0.03, 0.04, 0.04])
    low, high = bootstrap([0.0] * 50 + [1.0] * 50)
    assert 0.38 < low < 0.5 < high < 0.62
    assert bootstrap([]) == (0.0, 0.0)
    result = compare({"a": {"m": worse}, "b": {"m": better}}, ["m"])[0]
    assert (result.first, result.second, round(result.difference, 3)) == ("b", "a", 0.333)


def test_mini_is_the_first_194_by_the_seeded_order() -> None:
    benchmark = read_benchmark(SAMPLES / "benchmarks" / "contracts.json")
    assert len(mini(benchmark).questions) == 98
    assert mini(benchmark) == mini(benchmark)


@pytest.mark.data
def test_mini_has_its_72_documents(data: Path) -> None:
    pool = pool_of(data / "legalbench-rag", "mini", "test")
    assert len(pool.documents) == 72
    assert sum(len(document.text) for document in pool.documents) == 8_682_104
    assert {len(questions) for questions in pool.questions.values()} == {194}


@pytest.mark.data
def test_documents_are_found_in_the_full_pool(data: Path) -> None:
    pool = pool_of(data / "legalbench-rag", "full", "test", limit=150)
    figures = run_method(method("context"), pool, "keep", None).means()["all"]
    assert figures["document@1"] > 0.95


@pytest.mark.data
@pytest.mark.torch
def test_contractnli_reaches_its_figures(data: Path) -> None:
    pool = pool_of(data / "legalbench-rag", "contractnli", "test")
    figures = run_method(method("context"), pool, "keep", load_encoder("all-MiniLM-L6-v2:int8")).means()["all"]
    assert figures["found@10"] >= 0.80
    assert figures["recall_budget@4000"] >= 0.88
    assert figures["precision@1"] >= 0.45
    assert figures["exact_match"] >= 0.34
    assert figures["document@1"] >= 0.98
