"""The command line as a person or a script meets it: what is printed, what is written, and how it ends."""

import csv
import io
import json
from pathlib import Path

import pytest

from pincite.errors import ModelError
from pincite.models import Encoder
from pincite.pipeline import model_cache
from tests.cli.in_process import CORPUS, GOLD, run
from tests.conftest import ROOT, SAMPLES


@pytest.mark.parametrize(
    "command",
    [
        *(
            "demo",
            "search",
            "documents",
            "run",
            "sweep",
            "score",
            "reproduce",
            "export",
            "export trec",
            "models",
            "models export",
        ),
        *("benchmark", "benchmark legalbench-rag", "benchmark references"),
    ],
)
def test_every_command_has_help(command: str) -> None:
    shown = run(*command.split(), "--help")
    assert shown.returncode == 0
    assert "Usage:" in shown.stdout


def test_the_demo_answers_three_questions_with_the_passage_marked() -> None:
    shown = run("demo")
    assert shown.returncode == 0, shown.stderr
    flat = " ".join(shown.stdout.split())
    assert "understood as a question about contracts/lease-14-garnet-quay-2019.txt" in flat
    assert "»2.18 The Tenant may underlet the whole of the Premises" in flat
    assert "»9.3 The Supplier shall bear the reasonable cost of a recall" in flat
    assert "Section 10. Term and Survival" in flat
    assert "Try next:" in shown.stdout


def test_search_json_is_the_contracts_shape_with_exact_offsets() -> None:
    shown = run(
        "search",
        "--encoder",
        "none",
        "Who bears the cost of a product recall?",
        "--corpus",
        CORPUS,
        "-k",
        "2",
        "--json",
    )
    hits = json.loads(shown.stdout)
    assert len(hits) == 2
    for hit in hits:
        assert list(hit) == [
            "rank",
            "score",
            "document",
            "title",
            "page",
            "start",
            "end",
            "text",
            "pieces",
            "heading_path",
            "parts",
            "citation",
            "spans",
            "terms",
            "refers_to",
            "also",
            "why",
            "page_label",
            "likelihood",
            "boxes",
            "metadata",
        ]
        text = (SAMPLES / "corpus" / hit["document"]).read_bytes().decode("utf-8").replace("\r\n", "\n")
        assert text[hit["start"] : hit["end"]] == hit["text"]
        assert {"unit", "near", "document"} <= set(hit["parts"])


def test_search_reads_questions_from_standard_input_and_prints_a_line_each() -> None:
    shown = run(
        "search", "-", "--corpus", CORPUS, "--jsonl", "--method", "bm25", stdin="Who pays rent?\n\nxylophone quux\n"
    )
    lines = [json.loads(line) for line in shown.stdout.splitlines()]
    assert set(lines[0]) == {"query", "understood", "notes", "answered", "hits", "groups", "overview"}
    assert [line["query"] for line in lines] == ["Who pays rent?", "xylophone quux"]
    assert lines[0]["hits"]
    assert lines[1]["hits"] == []
    assert lines[1]["notes"]


def test_documents_shows_what_each_is_called() -> None:
    shown = run("documents", "--corpus", CORPUS, "--json")
    lease = next(entry for entry in json.loads(shown.stdout) if "garnet" in entry["document"])
    assert lease["kind"] == "lease"
    assert lease["date"] == "2019-03-21"
    assert "FENWICK HARBOUR ESTATES LTD" in run("documents", "--corpus", CORPUS).stdout


def test_search_says_what_it_understood(tmp_path: Path) -> None:
    query = "Under the Garnet Quay lease, may the tenant underlet?"
    shown = json.loads(run("search", "--encoder", "none", query, "--corpus", CORPUS, "--json", "--envelope").stdout)
    assert shown["understood"]["documents"][0]["id"] == "contracts/lease-14-garnet-quay-2019.txt"
    assert shown["understood"]["documents"][0]["belief"] > 0.9
    assert shown["understood"]["question"] == "may the tenant underlet?"
    nobody = run(
        "search",
        "--encoder",
        "none",
        "Consider the Zyxwv Quux agreement; who pays rent?",
        "--corpus",
        CORPUS,
        "--plain",
    )
    assert "no document is called" in nobody.stderr
    assert nobody.returncode == 0


@pytest.mark.parametrize("method", ["context", "tfidf", "bm25"])
def test_search_by_any_method(method: str) -> None:
    shown = run("search", "--encoder", "none", "Who pays rent?", "--corpus", CORPUS, "--json", "--method", method)
    assert len(json.loads(shown.stdout)) == 10


def test_benchmark_prints_one_table_and_writes_json_and_a_page(tmp_path: Path, tiny_encoder: Path) -> None:
    shown = run("benchmark", "legalbench-rag", "--data", str(SAMPLES), "--set", "contracts", "--limit", "8",
                    "--method", "hybrid", "--method", "context", "--encoder", str(tiny_encoder),
                    "--json", str(tmp_path / "b.json"), "--report", str(tmp_path / "out"))  # fmt: skip
    assert shown.returncode == 0, shown.stderr
    assert "context - hybrid" in shown.stdout
    result = json.loads((tmp_path / "b.json").read_text(encoding="utf-8"))
    assert [run["method"] for run in result["runs"]] == ["hybrid", "context"]
    assert result["runs"][1]["models"] == result["runs"][0]["models"] != {}
    assert (tmp_path / "out" / "report.html").read_text(encoding="utf-8").startswith("<!doctype html>")
    references = run("benchmark", "references", "--data", str(SAMPLES), "--split", "all", "--limit", "10")
    assert "as it is" in references.stdout


def test_search_prints_csv_and_plain_text() -> None:
    rows = list(
        csv.DictReader(io.StringIO(run("search", "--encoder", "none", "rent", "--corpus", CORPUS, "--csv").stdout))
    )
    assert [row["rank"] for row in rows] == [str(rank) for rank in range(1, 11)]
    assert "lease-14-garnet-quay" in run("search", "--encoder", "none", "rent", "--corpus", CORPUS, "--plain").stdout


@pytest.mark.parametrize("name", ["contracts/nda-quillon-betatest-2024.txt", "quillon"])
def test_search_can_be_held_to_a_document(name: str) -> None:
    shown = run("search", "--encoder", "none", "confidential", "--corpus", CORPUS, "--document", name, "--json")
    assert {hit["document"] for hit in json.loads(shown.stdout)} == {"contracts/nda-quillon-betatest-2024.txt"}


def test_a_document_that_is_not_there_is_an_error_that_names_similar_ones() -> None:
    wrong = run("search", "--encoder", "none", "confidential", "--corpus", CORPUS, "--document", "nda-quilon-beta")
    assert wrong.returncode == 2
    assert "no document 'nda-quilon-beta'" in wrong.stderr
    assert "nda-quillon-betatest-2024.txt" in wrong.stderr


def test_filters_work_on_a_folder() -> None:
    asked = ("search", "--encoder", "none", "rent", "--corpus", CORPUS, "--fast", "--json")
    shown = run(*asked, "--where", "kind=lease")
    assert {hit["document"] for hit in json.loads(shown.stdout)} == {"contracts/lease-14-garnet-quay-2019.txt"}
    assert json.loads(run(*asked, "--after", "1 January 2030").stdout) == []


def test_a_method_whose_encoder_is_not_installed_searches_by_words(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str, threads: int = 0) -> Encoder:
        raise ModelError(f"{name}: not installed\npip install something")

    monkeypatch.setattr(model_cache, "load_encoder", missing)
    asked = ("search", "product recall", "--corpus", CORPUS, "--json", "-k", "1", "--method", "context")
    shown = run(*asked)
    assert shown.returncode == 0
    assert shown.stderr == "note: all-MiniLM-L6-v2:int8: not installed; dense parts are left out\n"
    (hit,) = json.loads(shown.stdout)
    assert "dense" not in hit["parts"]
    assert run(*asked, "--encoder", "some/encoder").returncode == 1


def test_run_score_and_export_work_together(tmp_path: Path) -> None:
    ran = run("run", "--retriever", "bm25", "--corpus", CORPUS, "--benchmark", GOLD, "--output", "p.json", cwd=tmp_path)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout == ""
    assert "98 questions over 111 passages" in ran.stderr
    scored = run("score", "p.json", GOLD, "--output", "f.json", "--standard", cwd=tmp_path)
    lines = scored.stdout.splitlines()
    assert lines[0] == "Evaluation Results:"
    assert lines[1] == lines[7] == "=" * 50
    assert [line.split(":")[0] for line in lines[2:7]] == [
        "exact_match",
        "span_f1",
        "recall@10",
        "ndcg@10",
        "num_examples",
    ]
    figures = json.loads((tmp_path / "f.json").read_text(encoding="utf-8"))
    assert f"recall@10: {figures['recall@10']:.4f}" in lines
    assert figures["found@10"] <= 1
    assert run("export", "trec", "p.json", GOLD, "trec", cwd=tmp_path).returncode == 0
    assert (tmp_path / "trec" / "run.txt").read_text(encoding="utf-8").startswith("q0 Q0 contracts/")


def test_every_retriever_and_option_of_the_seeds_runs(tmp_path: Path, tiny_encoder: Path) -> None:
    out = str(tmp_path / "p.json")
    common = ["--corpus", CORPUS, "--benchmark", GOLD, "--output", out, "--limit", "3", "--encoder", str(tiny_encoder)]
    for options in (
        ["--retriever", "tfidf", "--max-features", "300"],
        ["--retriever", "bm25", "--k1", "0.9", "--b", "0.4", "--form", "lucene", "--k", "3"],
        ["--retriever", "dense", "--segment", "sentences", "--chunk-size", "3"],
        ["--retriever", "hybrid", "--fusion", "rrf", "--depth", "20"],
        ["--retriever", "hybrid", "--bm25-weight", "0.3", "--segment", "recursive"],
    ):
        ran = run("run", *common, *options)
        assert ran.returncode == 0, ran.stderr
        predictions = json.loads(Path(out).read_text(encoding="utf-8"))
        assert len(predictions) == 3
        assert all(len(entry["hits"]) == len(entry["retrieved_passages"]) for entry in predictions)


def test_sweep_prints_one_table(tmp_path: Path) -> None:
    shown = run("sweep", "--corpus", CORPUS, "--benchmark", GOLD, "--chunk-sizes", "100,500", "--limit", "5",
                    "--output", str(tmp_path / "s.json"))  # fmt: skip
    assert shown.returncode == 0, shown.stderr
    assert len(shown.stdout.strip().splitlines()) == 5
    assert len(json.loads((tmp_path / "s.json").read_text(encoding="utf-8"))) == 4


@pytest.mark.data
def test_reproduce_prints_the_tables_and_writes_the_rows(tmp_path: Path, data: Path, tiny_encoder: Path) -> None:
    source, rows = str(data / "legalbench-rag"), str(tmp_path / "r.json")
    shown = run("reproduce", "--data", source, "--json", rows, "--encoder", str(tiny_encoder))
    assert shown.returncode == 0, shown.stderr
    assert "563 passages" in shown.stdout
    written = json.loads(Path(rows).read_text(encoding="utf-8"))
    bm25 = next(row for row in written if row["system"] == "bm25" and row["queries"] == 977)
    assert {"system", "queries", "measured", "seed", "note", "seconds"} <= set(bm25)
    assert bm25["seed"]["recall@10"] == 0.5137
    assert {row["system"] for row in written if row["measured"]} == {"tfidf", "bm25", "dense", "hybrid"}


RUN = ["run", "--corpus", CORPUS, "--benchmark", GOLD, "--output", "p.json"]


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        ([*RUN, "--retriever", "bm52"], 2, "unknown retriever 'bm52'; the legal ones are: tfidf, bm25, dense, hybrid"),
        ([*RUN, "--k", "0"], 2, "k must be at least 1, not 0"),
        ([*RUN, "--segment", "pages"], 2, "unknown segmenter 'pages'"),
        ([*RUN, "--retriever", "dense", "--encoder", "nonsense"], 2, "unknown encoder 'nonsense'"),
        ([*RUN, "--form", "x"], 2, "unknown form of BM25"),
        ([*RUN, "--corpus", "nowhere"], 1, "nowhere: no such folder"),
        ([*RUN, "--corpus", str(ROOT / "docs")], 1, "documents are not in the corpus"),
        ([*RUN, "--benchmark", "gone.json"], 1, "gone.json: no such file"),
        ([*RUN, "--output", "no/such/folder/p.json"], 1, "does not exist; make it first"),
        ([*RUN, "--unreadable", "guess"], 2, "the legal ones are: refuse, skip"),
        (["score", "gone.json", GOLD], 1, "gone.json: no such file"),
        (["score", GOLD, GOLD], 1, "no predictions; expected"),
        (["score", GOLD, GOLD, "--k", "-3"], 2, "k must be at least 1"),
        (["search", "rent", "--corpus", "nowhere"], 1, "nowhere: no such folder"),
        (["search", "rent", "--corpus", CORPUS, "--json", "--csv"], 2, "exclude each other"),
        (["search", "rent", "--corpus", CORPUS, "--method", "dense", "--encoder", "none"], 2, "needs an encoder"),
        (["search", "rent", "--corpus", CORPUS, "--method", "magic"], 2, "unknown method 'magic'"),
        (["search", "rent", "--corpus", CORPUS, "--granularity", "page"], 2, "sentence, clause, section, words"),
        (["benchmark", "legalbench-rag", "--data", str(SAMPLES), "--set", "other"], 2, "mini, full, contracts"),
        (["benchmark", "legalbench-rag", "--data", str(SAMPLES), "--names", "x"], 2, "keep, strip, filter, reworded"),
        (["benchmark", "legalbench-rag", "--data", str(SAMPLES), "--method", "x"], 2, "unknown method 'x'"),
        (["sweep", "--corpus", CORPUS, "--benchmark", GOLD, "--chunk-sizes", "a"], 2, "takes numbers"),
        (["sweep", "--corpus", CORPUS, "--benchmark", GOLD, "--overlaps", "1"], 2, "overlaps from 0"),
        (["reproduce", "--data", "nowhere"], 1, "no corpus/ and benchmarks/"),
        (["nonsense"], 2, "No such command"),
    ],
)  # fmt: skip
def test_wrong_input_is_one_clear_message_and_nothing_is_written(
    arguments: list[str], code: int, message: str, tmp_path: Path
) -> None:
    shown = run(*arguments, cwd=tmp_path)
    assert shown.returncode == code, shown.stderr
    assert message in " ".join(shown.stderr.replace("│", " ").split())
    assert "Traceback" not in shown.stderr
    assert shown.stdout == ""
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_no_text_is_named_and_the_exit_code_says_so(tmp_path: Path) -> None:
    (tmp_path / "good.txt").write_text("The rent is due.", encoding="utf-8")
    (tmp_path / "bad.txt").write_bytes(b"caf\xe9 \x00\x01\x02")
    refused = run("search", "--encoder", "none", "rent", "--corpus", str(tmp_path))
    assert refused.returncode == 1
    assert "bad.txt: holds binary data" in refused.stderr
    skipped = run("search", "--encoder", "none", "rent", "--corpus", str(tmp_path), "--unreadable", "skip", "--json")
    assert skipped.returncode == 1
    assert len(json.loads(skipped.stdout)) == 1
    assert "skipped" in skipped.stderr


def test_control_characters_of_a_document_never_reach_the_terminal(tmp_path: Path) -> None:
    (tmp_path / "evil.txt").write_bytes(b"\x1b]0;owned\x07 The rent is \x1b[31mdue today or never.")
    for form in ([], ["--plain"]):
        shown = run("search", "--encoder", "none", "rent", "--corpus", str(tmp_path), *form)
        assert "\x1b" not in shown.stdout
        assert "\x07" not in shown.stdout


@pytest.mark.torch
def test_models_export_says_how_close_the_two_are(tmp_path: Path) -> None:
    shown = run("models", "export", "all-MiniLM-L6-v2", str(tmp_path / "m"), "--int8")
    assert shown.returncode == 0, shown.stderr
    assert "cosine with the original: 0.99" in shown.stdout
    ran = run(*RUN, "--retriever", "hybrid", "--encoder", str(tmp_path / "m"), "--limit", "2", cwd=tmp_path)
    assert ran.returncode == 0, ran.stderr
    again = run("models", "export", "all-MiniLM-L6-v2", str(tmp_path / "m"))
    assert again.returncode == 1
    assert "not empty" in again.stderr


def test_the_help_of_compare_names_every_format_that_it_writes() -> None:
    from pincite.compare.export import MEDIA_TYPES

    shown = " ".join(run("compare", "--help").stdout.split())
    assert all(f".{form}" in shown for form in MEDIA_TYPES)
