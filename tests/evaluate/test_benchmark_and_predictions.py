"""Benchmarks and predictions are read with care: what is wrong is named."""

import json
from pathlib import Path
from typing import Any

import ir_measures
import pytest

from pincite.errors import DataError, OutputError
from pincite.evaluate import Prediction, match, read_benchmark, read_corpus, read_predictions, write_predictions
from pincite.evaluate.data import benchmark_folder
from pincite.evaluate.run import run, sweep
from pincite.evaluate.score import as_printed, score
from pincite.evaluate.trec import export_trec
from pincite.measures import Span
from pincite.measures.average_precision import AveragePrecision
from pincite.measures.ndcg_gold import NdcgGold
from pincite.output import check_writable, write_json
from tests.conftest import SAMPLES

GOLD = SAMPLES / "benchmarks" / "contracts.json"


def benchmark(folder: Path, tests: Any, name: str = "b.json") -> Path:
    path = folder / name
    path.write_text(json.dumps({"tests": tests}), encoding="utf-8")
    return path


def asked(query: str, file_path: str = "c/a.txt", span: tuple[int, int] = (0, 4), answer: str = "Rent") -> Any:
    return {"query": query, "snippets": [{"file_path": file_path, "span": list(span), "answer": answer}]}


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    folder = tmp_path / "corpus" / "c"
    folder.mkdir(parents=True)
    (folder / "a.txt").write_text("Rent is due.", encoding="utf-8")
    (folder / "b.txt").write_text("Pets are not allowed.", encoding="utf-8")
    return tmp_path / "corpus"


def test_a_corpus_is_found_from_its_root_or_from_the_sets_own_folder(tmp_path: Path, corpus: Path) -> None:
    questions = read_benchmark(benchmark(tmp_path, [asked("q")]))
    (corpus / "other").mkdir()
    (corpus / "other" / "z.txt").write_text("not of this set", encoding="utf-8")
    for root in (corpus, corpus / "c"):
        assert [document.id for document in read_corpus(root, questions).documents] == ["c/a.txt", "c/b.txt"]


def test_a_span_that_does_not_hold_its_answer_is_named(tmp_path: Path, corpus: Path) -> None:
    path = benchmark(tmp_path, [asked("fine"), asked("wrong", answer="Pets")])
    with pytest.raises(DataError, match=r"test 1 \('wrong'\): span \[0, 4\] of c/a.txt holds 'Rent', expected 'Pets'"):
        read_corpus(corpus, read_benchmark(path))


def test_a_document_that_is_not_there_is_named(tmp_path: Path, corpus: Path) -> None:
    path = benchmark(tmp_path, [asked("q", file_path="c/gone.txt")])
    with pytest.raises(DataError, match=r"1 of its 1 documents are not in the corpus, the first one 'c/gone.txt'"):
        read_corpus(corpus, read_benchmark(path))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("not json", "not JSON"),
        ("[]", "no benchmark; expected"),
        ('{"tests": []}', "no benchmark; expected"),
        ('{"tests": [{"query": "q"}]}', "test 0: expected"),
        (
            '{"tests": [{"query": "q", "snippets": [{"file_path": "a", "span": [0], "answer": ""}]}]}',
            "test 0: expected",
        ),
    ],
)
def test_a_file_that_is_no_benchmark_says_what_was_expected(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "b.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(DataError, match=message):
        read_benchmark(path)
    with pytest.raises(DataError, match="no such file"):
        read_benchmark(tmp_path / "gone.json")


def test_predictions_survive_the_disk(tmp_path: Path) -> None:
    predictions = [
        Prediction("q1", ("Rent",), (Span("c/a.txt", 0, 4),), (1.5,)),
        Prediction("q2", (), (), ()),
        Prediction("q3", ("texts alone",)),
    ]
    write_predictions(tmp_path / "p.json", predictions)
    assert read_predictions(tmp_path / "p.json") == predictions
    shape = json.loads((tmp_path / "p.json").read_text(encoding="utf-8"))
    assert shape[0] == {
        "query": "q1",
        "retrieved_passages": ["Rent"],
        "hits": [{"document": "c/a.txt", "start": 0, "end": 4, "score": 1.5}],
    }
    assert "hits" not in shape[2]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('{"a": 1}', "no predictions; expected"),
        ('[{"query": "q"}]', "prediction 0: expected"),
        ('[{"query": "q", "retrieved_passages": ["a"], "hits": []}]', "0 hits beside 1 retrieved_passages"),
        ('[{"query": "q", "retrieved_passages": ["a"], "hits": [{"start": 1}]}]', "prediction 0: expected"),
        ("[3]", "prediction 0: expected"),
    ],
)
def test_a_file_that_holds_no_predictions_says_what_was_expected(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "p.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(DataError, match=message):
        read_predictions(path)


def test_predictions_match_in_another_order_and_the_nth_of_equal_queries_stays_the_nth(tmp_path: Path) -> None:
    questions = read_benchmark(benchmark(tmp_path, [asked("twice"), asked("once"), asked("twice")]))
    given = [Prediction("once", ("o",)), Prediction("twice", ("t1",)), Prediction("twice", ("t2",))]
    assert [example.texts for example in match(questions, given)] == [("t1",), ("o",), ("t2",)]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (["a"], "1 predictions for the 2 questions of b: 1 have no prediction, the first one 'b'"),
        (["a", "b", "c"], "1 predictions are for no gold question, the first one 'c'"),
        (["a", "a"], "1 have no prediction, the first one 'b'; 1 predictions are for no gold question"),
        ([], "2 have no prediction"),
    ],
)
def test_missing_and_unknown_predictions_are_said(tmp_path: Path, given: list[str], message: str) -> None:
    questions = read_benchmark(benchmark(tmp_path, [asked("a"), asked("b")]))
    with pytest.raises(DataError, match=message):
        match(questions, [Prediction(query, ()) for query in given])


def test_a_run_over_the_samples_scores_and_exports(tmp_path: Path) -> None:
    result = run("bm25", SAMPLES / "corpus", GOLD, k=64)
    assert result.passages == 111
    predictions = tmp_path / "p.json"
    write_predictions(predictions, result.predictions)
    figures = score(predictions, GOLD, standard=True)
    assert figures["num_examples"] == 98
    assert figures["document@1"] > 0.9
    assert figures["recall_chars@64"] > 0.95
    run_file, qrels_file = export_trec(predictions, GOLD, tmp_path / "trec")
    qrels = list(ir_measures.read_trec_qrels(str(qrels_file)))
    retrieved = list(ir_measures.read_trec_run(str(run_file)))
    asked = [ir_measures.AP, ir_measures.nDCG @ 10]
    by_tool = ir_measures.calc_aggregate(asked, qrels, retrieved)
    assert by_tool[ir_measures.AP] == pytest.approx(figures[AveragePrecision().name])
    assert by_tool[ir_measures.nDCG @ 10] == pytest.approx(figures[NdcgGold(10).name])


def test_a_limited_run_is_scored_with_the_same_limit(tmp_path: Path) -> None:
    write_predictions(tmp_path / "p.json", run("tfidf", SAMPLES / "corpus", GOLD, limit=5).predictions)
    assert score(tmp_path / "p.json", GOLD, limit=5)["num_examples"] == 5
    with pytest.raises(DataError, match="--limit N"):
        score(tmp_path / "p.json", GOLD)


def test_trec_needs_offsets(tmp_path: Path) -> None:
    path = benchmark(tmp_path, [asked("q")])
    write_predictions(tmp_path / "p.json", [Prediction("q", ("Rent",))])
    with pytest.raises(DataError, match="no 'hits'"):
        export_trec(tmp_path / "p.json", path, tmp_path / "out")
    assert score(tmp_path / "p.json", path, standard=True) == {
        "exact_match": 1.0, "span_f1": 1.0, "recall@10": 1.0, "ndcg@10": 1.0, "num_examples": 1,
    }  # fmt: skip


def test_the_seeds_score_is_printed_as_their_script_prints_it() -> None:
    figures = {"exact_match": 0.0, "span_f1": 0.23154, "recall@10": 0.5, "ndcg@10": 1.0, "num_examples": 977}
    rule = "=" * 50
    assert as_printed(figures) == (
        f"Evaluation Results:\n{rule}\nexact_match: 0.0000\nspan_f1: 0.2315\nrecall@10: 0.5000\nndcg@10: 1.0000\n"
        f"num_examples: 977\n{rule}"
    )
    assert as_printed({**figures, "found@10": 0.25}).endswith(f"{rule}\nfound@10: 0.2500\n{rule}")


def test_a_sweep_gives_a_row_for_each_size_and_overlap() -> None:
    questions = read_benchmark(GOLD)
    documents = read_corpus(SAMPLES / "corpus", questions).documents
    rows = list(sweep("bm25", documents, questions.first(10), sizes=[100, 500], overlaps=[0.0, 0.5]))
    assert [(row.size, row.overlap) for row in rows] == [(100, 0.0), (100, 0.5), (500, 0.0), (500, 0.5)]
    assert rows[0].passages < rows[1].passages
    assert all(0 < row.figures["recall@10"] <= 1 for row in rows)


def test_a_place_that_cannot_be_written_is_known_beforehand(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="is a folder"):
        check_writable(tmp_path)
    with pytest.raises(OutputError, match="does not exist"):
        check_writable(tmp_path / "no" / "p.json")
    (tmp_path / "file").write_text("x", encoding="utf-8")
    with pytest.raises(OutputError):
        check_writable(tmp_path / "file" / "p.json")
    assert check_writable(tmp_path / "p.json") == tmp_path / "p.json"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file"]


def test_a_failed_write_leaves_the_old_file(tmp_path: Path) -> None:
    write_json(tmp_path / "p.json", [1])
    with pytest.raises(TypeError):
        write_json(tmp_path / "p.json", object())
    assert (tmp_path / "p.json").read_text(encoding="utf-8") == "[\n 1\n]\n"
    assert [path.name for path in tmp_path.iterdir()] == ["p.json"]


def test_missing_data_says_where_it_is_looked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PINCITE_DATA", raising=False)
    with pytest.raises(DataError, match="set PINCITE_DATA"):
        benchmark_folder(None)
    with pytest.raises(DataError, match="no corpus/ and benchmarks/"):
        benchmark_folder(tmp_path)
