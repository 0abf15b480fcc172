"""BEIR's layout, and parts of the user's own: judged by the same harness, and clear errors where something is wrong."""

import json
import re
from pathlib import Path

import ir_measures
import pytest

from pincite.errors import DataError, UsageError
from pincite.evaluate.beir import read_beir, run_beir, write_runs
from pincite.evaluate.own_parts import own_reranker, own_retriever
from pincite.pipeline import method
from tests.cli.in_process import run
from tests.conftest import ROOT, SAMPLES

CORPUS = {
    "lease": ("Lease", "The tenant pays the rent on the first day of each month. Pets are not allowed."),
    "nda": ("Secrets", "The receiving party keeps the information secret and returns all copies."),
    "supply": ("", "The supplier delivers the goods to the warehouse of the buyer."),
}
QUERIES = {"q1": "When is the rent due?", "q2": "Must copies be returned?", "unjudged": "Who delivers?"}


@pytest.fixture
def beir(tmp_path: Path) -> Path:
    folder = tmp_path / "beir"
    (folder / "qrels").mkdir(parents=True)
    rows = [{"_id": name, "title": title, "text": text} for name, (title, text) in CORPUS.items()]
    (folder / "corpus.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    asked = [{"_id": name, "text": text} for name, text in QUERIES.items()]
    (folder / "queries.jsonl").write_text("".join(json.dumps(row) + "\n" for row in asked), "utf-8")
    (folder / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\nq1\tlease\t2\nq2\tsupply\t1\n", "utf-8")
    return folder


@pytest.fixture
def own_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working folder with the module that docs/evaluation.md shows."""
    page = (ROOT / "docs" / "evaluation.md").read_text("utf-8")
    code = re.search(r"^```python\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    assert code
    (tmp_path / "my_parts.py").write_text(code.group(1) + "\n\nclass Neither:\n    pass\n", "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path


def test_questions_without_judgments_are_left_out(beir: Path) -> None:
    data = read_beir(beir)
    assert list(data.queries) == ["q1", "q2"]
    assert (
        data.documents[0].text
        == "Lease\n\nThe tenant pays the rent on the first day of each month. Pets are not allowed."
    )
    assert data.qrels["q1"] == {"lease": 2}


def test_the_runs_give_other_tools_the_same_figures(beir: Path, tmp_path: Path) -> None:
    data = read_beir(beir)
    done = run_beir(method("tfidf"), data, None)
    assert done.figures["nDCG@10"] == pytest.approx(0.5)  # q1 right; q2's judgment is a document it does not find
    write_runs(tmp_path / "runs", data, [done])
    qrels = list(ir_measures.read_trec_qrels(str(tmp_path / "runs" / "qrels.txt")))
    again = list(ir_measures.read_trec_run(str(tmp_path / "runs" / "tfidf.txt")))
    measures = [ir_measures.parse_measure(name) for name in done.figures]
    by_tool = ir_measures.calc_aggregate(measures, qrels, again)
    assert [by_tool[measure] for measure in measures] == pytest.approx(list(done.figures.values()))


def test_blanks_in_ids_do_not_move_the_columns(beir: Path, tmp_path: Path) -> None:
    for name in ("corpus.jsonl", "queries.jsonl"):
        written = (beir / name).read_text("utf-8")
        (beir / name).write_text(written.replace('"lease"', '"our lease 100%"').replace('"q1"', '"q 1"'), "utf-8")
    (beir / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\nq 1\tour lease 100%\t2\n", "utf-8")
    data = read_beir(beir)
    done = run_beir(method("tfidf"), data, None)
    write_runs(tmp_path / "runs", data, [done])
    assert (tmp_path / "runs" / "qrels.txt").read_text() == "q%201 0 our%20lease%20100%25 2\n"
    lines = (tmp_path / "runs" / "tfidf.txt").read_text().splitlines()
    assert all(len(line.split()) == 6 for line in lines)
    qrels = ir_measures.read_trec_qrels(str(tmp_path / "runs" / "qrels.txt"))
    again = ir_measures.read_trec_run(str(tmp_path / "runs" / "tfidf.txt"))
    assert (
        ir_measures.calc_aggregate([ir_measures.nDCG @ 10], qrels, again)[ir_measures.nDCG @ 10]
        == done.figures["nDCG@10"]
        == 1
    )


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda folder: (folder / "qrels" / "test.tsv").unlink(), "no qrels/"),
        (lambda folder: (folder / "qrels" / "test.tsv").rename(folder / "qrels" / "dev.tsv"), "there are: dev"),
        (lambda folder: (folder / "corpus.jsonl").unlink(), "lacks corpus.jsonl"),
        (lambda folder: (folder / "corpus.jsonl").write_text('{"id": 1}\n'), "line 1: expected"),
        (lambda folder: (folder / "qrels" / "test.tsv").write_text("q1 lease 1\n"), "between tabs"),
        (lambda folder: (folder / "qrels" / "test.tsv").write_text("q9\tlease\t1\n"), "'q9'"),
        (lambda folder: (folder / "qrels" / "test.tsv").write_text(""), "no judgments"),
    ],
)
def test_a_folder_that_lacks_something_says_what(beir: Path, damage: object, message: str) -> None:
    damage(beir)  # type: ignore[operator]
    with pytest.raises(DataError, match=message):
        read_beir(beir)


def test_own_parts_are_judged_like_methods(beir: Path, own_parts: Path) -> None:
    figures = own_parts / "figures.json"
    shown = run(
        *("benchmark", "beir", "--data", str(beir), "--method", "bm25", "--encoder", "none", "--json", str(figures)),
        *("--retriever", "my_parts:Overlap", "--reranker", "my_parts:Shortest"),
    )
    assert shown.returncode == 0, shown.stderr
    runs = json.loads(figures.read_text("utf-8"))["runs"]
    assert [row["method"] for row in runs] == [
        "bm25",
        "my_parts:Overlap",
        "context+encoder+rerank (my_parts:Shortest)",
    ]
    assert len(runs[2]["models"]["my_parts:Shortest"]) == 64


def test_own_parts_run_on_spans_too(own_parts: Path) -> None:
    shown = run(
        *("benchmark", "legalbench-rag", "--data", str(SAMPLES), "--set", "contracts", "--limit", "3"),
        *("--method", "bm25", "--retriever", "my_parts:Overlap"),
    )
    assert shown.returncode == 0, shown.stderr
    assert "my_parts:Overlap - bm25" in shown.stdout


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("my_parts", "write module:Class"),
        ("no_such_module:Overlap", "cannot be imported"),
        ("my_parts:Missing", "has no Missing"),
        (
            "my_parts:Neither",
            r"is no retriever: it must be a subclass of pincite.retrieve.Retriever \(docs/evaluation.md",
        ),
        ("my_parts:np", "is no retriever"),
        ("my_parts:Retriever", "cannot be created"),
    ],
)
def test_a_class_that_is_no_retriever_is_refused(own_parts: Path, name: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        own_retriever(name)


def test_a_class_that_is_no_reranker_is_refused(own_parts: Path) -> None:
    with pytest.raises(UsageError, match=r"is no re-ranker: it must be a subclass of pincite.models.Reranker"):
        own_reranker("my_parts:Overlap")
