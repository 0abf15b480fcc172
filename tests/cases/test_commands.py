"""pincite cases from the command line: ranked with reasons, tuned, measured, compared."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pincite.cli.main import app


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    held = tmp_path / "cases"
    held.mkdir()
    topics = (
        "a tenant broke the lease of land",
        "a witness lied in the murder trial",
        "damages for breach of contract",
    )
    for at in range(9):
        text = f"Case {at} was heard. The matter concerned {topics[at % 3]} number {at}. The appeal was dismissed."
        (held / f"{at}.txt").write_text(text, encoding="utf-8")
    (tmp_path / "qrels.txt").write_text(
        "0.txt 0 3.txt 1\n0.txt 0 6.txt 1\n1.txt 0 4.txt 1\n1.txt 0 7.txt 1\n", encoding="utf-8"
    )
    return tmp_path


def run(*arguments: str) -> str:
    result = CliRunner().invoke(app, ["cases", *arguments], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


def test_rank_tune_and_evaluate(folder: Path) -> None:
    where = ["--data", str(folder / "cases"), "--qrels", str(folder / "qrels.txt")]
    out = folder / "out"
    shown = run("rank", *where, "--runs", str(out), "--json", str(folder / "ranked.json"), "-k", "2")
    assert "3.txt" in shown
    assert len((out / "run.txt").read_text().splitlines()) == 16
    first = json.loads((folder / "ranked.json").read_text())[0]
    assert {hit["case"] for hit in first["cases"]} == {"3.txt", "6.txt"}
    reason = first["cases"][0]["reason"]
    text = (folder / "cases" / first["cases"][0]["case"]).read_text()
    assert text[reason["start"] : reason["end"]].startswith(reason["text"][:20])
    assert "micro-F1" in run("tune", *where, "--params", str(folder / "best.json"))
    run("evaluate", *where, "--params", str(folder / "best.json"), "--json", str(folder / "figures.json"))
    figures = json.loads((folder / "figures.json").read_text())
    for name in (
        "method",
        "queries",
        "map",
        "map_interval",
        "p@10",
        "r@100",
        "micro_f1",
        "precision",
        "recall",
        "seconds",
    ):
        assert name in figures
    assert figures["map"] == pytest.approx(1.0)
    assert figures["micro_f1"] == pytest.approx(1.0)
    submitted = run("rank", *where, "--params", str(folder / "best.json"), "--runs", str(out))
    assert submitted
    assert (out / "submission.txt").read_text().splitlines()[0] in ("0 3 pincite", "0 6 pincite")


def test_compare_has_a_row_chosen_on_other_queries(folder: Path) -> None:
    shown = run(
        "compare", "--format", "folder", "--data", str(folder / "cases"), "--qrels", str(folder / "qrels.txt"),
        "--method", "segments", "--method", "blend",
    )  # fmt: skip
    assert "chosen by cross-validation" in shown


def test_what_is_missing_is_said() -> None:
    result = CliRunner().invoke(app, ["cases", "rank"])
    assert result.exit_code != 0
    assert "--data is missing" in str(result.exception)
