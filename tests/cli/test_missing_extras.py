"""Without the extras `evaluate` and `cases`: search, index and serve work, and what needs a library says how to get it."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from pincite.errors import UsageError
from pincite.measures import Example, Span
from pincite.measures.average_precision import AveragePrecision
from pincite.measures.exact_match import ExactMatch
from pincite.measures.ndcg_gold import NdcgGold
from pincite.measures.reciprocal_rank import ReciprocalRankOfFirst
from pincite.measures.seed_match import token_set
from pincite.measures.success import Success
from pincite.text import tokens
from tests.cli.in_process import CORPUS, GOLD

MISSING = ("nltk", "scipy", "ir_measures", "eyecite")
WITHOUT = f"import sys; sys.modules.update(dict.fromkeys({MISSING!r}))\n"
EXAMPLE = Example("q", (Span("a", 0, 4),), ("Rent",), ("Rent",), (Span("a", 0, 4),))


def without_extras(*arguments: str, program: str = "from pincite.cli.main import main; main()") -> tuple[int, str, str]:
    """A process in which the libraries of the extras cannot be imported."""
    command = [sys.executable, "-c", WITHOUT + program, *arguments]
    ended = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)
    return ended.returncode, ended.stdout, ended.stderr


def test_an_index_is_filled_and_searched_without_them(tmp_path: Path) -> None:
    index = str(tmp_path / "contracts.pincite")
    code, shown, said = without_extras("index", "add", CORPUS, "--index", index, "--create", "--vectors", "none")
    assert code == 0, said
    assert "14 files added" in shown
    code, shown, said = without_extras("search", "product recall", "--index", index, "--json", "-k", "1")
    assert code == 0, said
    assert "recall" in json.loads(shown)[0]["text"]


@pytest.mark.parametrize(
    "module", ["pincite", "pincite.index", "pincite.search", "pincite.serve.app", "pincite.pipeline"]
)
def test_what_serves_an_index_is_imported_without_them(module: str) -> None:
    code, _, said = without_extras(program=f"import {module}; from pincite import Index")
    assert code == 0, said


def test_keys_are_managed_without_the_extra_serve(tmp_path: Path) -> None:
    missing = ("fastapi", "starlette", "uvicorn", "jinja2", "mcp", "prometheus_client", "docx", "PIL")
    program = f"import sys; sys.modules.update(dict.fromkeys({missing!r}))\nfrom pincite.cli.main import main; main()"
    keys = ("keys", "add", "robot", "--auth", str(tmp_path / "keys.json"))
    code, shown, said = without_extras(*keys, "--matter", "north", program=program)
    assert code == 0, said
    assert shown.startswith("pk_")
    code, shown, said = without_extras(*keys, "--matter", "north:write", program=program)
    assert (code, shown) == (2, "")
    assert said.startswith("pincite: 'north:write': the right in a matter")


def test_cases_say_what_to_install() -> None:
    code, shown, said = without_extras("cases", "rank", "--data", CORPUS)
    assert (code, shown) == (2, "")
    assert said == "pincite: case retrieval needs scipy: pip install 'pincite[cases]'\n"


def test_scoring_says_what_to_install(tmp_path: Path) -> None:
    predictions = tmp_path / "p.json"
    questions = [test["query"] for test in json.loads(Path(GOLD).read_text(encoding="utf-8"))["tests"]]
    predictions.write_text(json.dumps([{"query": query, "retrieved_passages": ["a"]} for query in questions]))
    code, shown, said = without_extras("score", str(predictions), GOLD)
    assert (code, shown) == (2, "")
    assert "nltk: pip install 'pincite[evaluate]'" in said
    assert "Traceback" not in said


@pytest.mark.parametrize("measure", [AveragePrecision(), ReciprocalRankOfFirst(), NdcgGold(10), Success(10)])
def test_a_textbook_measure_says_what_to_install(
    measure: AveragePrecision | ReciprocalRankOfFirst | NdcgGold | Success, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert measure.of(EXAMPLE) == 1.0
    monkeypatch.setitem(sys.modules, "ir_measures", None)
    with pytest.raises(UsageError, match=r"need ir-measures: pip install 'pincite\[evaluate\]'"):
        measure.of(EXAMPLE)


def test_the_measures_of_the_seeds_say_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "nltk", None)
    monkeypatch.setitem(sys.modules, "nltk.tokenize.destructive", None)
    for cached in (token_set, tokens._treebank):
        cached.cache_clear()
    with pytest.raises(UsageError, match=r"nltk: pip install 'pincite\[evaluate\]'"):
        ExactMatch().of(EXAMPLE)


def test_citations_say_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    from pincite.cases.citations import citations

    monkeypatch.setitem(sys.modules, "eyecite", None)
    with pytest.raises(UsageError, match=r"need eyecite: pip install 'pincite\[cases\]'"):
        citations("See Roe v. Wade, 410 U.S. 113 (1973).")
