"""pincite search --output, --where '{...}': tables for people, conditions for everybody."""

import csv
from pathlib import Path

from openpyxl import load_workbook

from tests.cli.in_process import CORPUS, run

SEARCH = (
    "search",
    "Who bears the cost of a product recall?",
    "--corpus",
    CORPUS,
    "--encoder",
    "none",
    "--fast",
    "-k",
    "3",
)


def test_hits_are_written_as_a_table(tmp_path: Path) -> None:
    for suffix in ("csv", "xlsx", "docx"):
        done = run(*SEARCH, "--output", str(tmp_path / f"recall.{suffix}"))
        assert done.returncode == 0, done.stderr
        assert "3 passages" in done.stderr
    rows = list(csv.reader((tmp_path / "recall.csv").read_text("utf-8-sig").splitlines()))
    assert rows[0] == ["File", "Id", "Title", "Citation", "Page", "Passage", "Likelihood"]
    assert len(rows) == 4
    sheet = load_workbook(tmp_path / "recall.xlsx").active
    assert [[cell.value or "" for cell in row] for row in sheet.iter_rows()] == rows


def test_another_suffix_and_several_questions_are_refused(tmp_path: Path) -> None:
    wrong = run(*SEARCH, "--output", str(tmp_path / "recall.pdf"))
    assert wrong.returncode == 2
    assert ".csv, .xlsx or .docx" in wrong.stderr
    several = run("search", "-", "--corpus", CORPUS, "--output", str(tmp_path / "a.csv"), stdin="a?\nb?\n")
    assert several.returncode == 2


def test_a_condition_is_the_same_as_in_python() -> None:
    found = run(*SEARCH, "--json", "--where", '{"not": {"kind": {"in": ["lease", "nda"]}}}')
    assert found.returncode == 0, found.stderr
    wrong = run(*SEARCH, "--where", '{"kind": {"like": "lease"}}')
    assert wrong.returncode == 2
    assert "filter on 'kind': unknown operator 'like'; the operators are: eq, in" in " ".join(wrong.stderr.split())
    assert run(*SEARCH, "--where", "{oops").returncode == 2
