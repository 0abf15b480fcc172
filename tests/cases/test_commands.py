"""pincite cases from the command line: ranked with reasons, tuned, measured, compared."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pincite.cli.main import app
from pincite.errors import PinciteError
from pincite.index import Index


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


@pytest.fixture
def judgments(tmp_path: Path) -> str:
    lease = "The lessor ended the lease of the mill because the rent was in arrears. We follow Masud Khan v. State of Bihar."
    folder = str(tmp_path / "judgments.pincite")
    with Index.create(folder) as index:
        index.add_text(
            "mill",
            f"Rao v Sen\n3 May 1961\n{lease}",
            title="Rao v Sen",
            vectors="none",
            metadata={"court": "High Court"},
        )
        index.add_text("silk", "Customs v Ali\n2 July 1970\nCustoms duty was due on silk.", vectors="none")
        index.add_text("new", f"Nair v Das\n9 June 1975\n{lease}", title="Nair v Das", vectors="none")
    (tmp_path / "new.txt").write_text(f"Nair v Das\n9 June 1965\n{lease}", encoding="utf-8")
    return folder


def test_cases_like_a_judgment_of_an_index_or_in_a_file(judgments: str, tmp_path: Path) -> None:
    shown = run("like", "Nair", "--index", judgments, "-k", "1")
    assert "Rao v Sen (High Court, 1961-05-03)" in shown
    assert "Both cite Masud Khan v. State of Bihar." in shown
    assert "[judgment, " in shown
    assert "compared with 2 cases" in shown
    filed = run("like", "--file", str(tmp_path / "new.txt"), "--index", judgments)
    assert "decided after 1965-06-09, and left out: 2 of 3 cases" in filed
    later = run(
        "like", "--file", str(tmp_path / "new.txt"), "--index", judgments, "--later", "--where", "court=High Court"
    )
    assert "compared with 1 case\n" in later
    for name, start in (("like.csv", b"\xef\xbb\xbfRank"), ("like.docx", b"PK"), ("like.json", b"{")):
        run("like", "new", "--index", judgments, "--output", str(tmp_path / name))
        assert (tmp_path / name).read_bytes().startswith(start)
    with Index.open(judgments, read_only=True) as index:
        answer = index.similar_cases(index.document("new"), k=1)
    assert json.loads((tmp_path / "like.json").read_text())["cases"][0] == answer.to_dict()["cases"][0]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "one of the two"),
        (["new", "--file", "x.pdf"], "one of the two"),
        (["--file", "nowhere.pdf"], "there is no such file"),
        (["new", "--output", "x.pdf"], "ends in .csv, .docx, .json"),
        (["nobody v nothing"], "no document"),
        (["new", "--date", "soon"], "'soon' is not a date"),
    ],
)
def test_what_cannot_be_like_anything_is_said(judgments: str, arguments: list[str], said: str) -> None:
    result = CliRunner().invoke(app, ["cases", "like", *arguments, "--index", judgments])
    assert isinstance(result.exception, PinciteError)
    assert said in str(result.exception)


def test_what_is_missing_is_said() -> None:
    result = CliRunner().invoke(app, ["cases", "rank"])
    assert result.exit_code != 0
    assert "--data is missing" in str(result.exception)
