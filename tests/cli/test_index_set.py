"""`pincite index set`: corrections on the command line."""

import json
from pathlib import Path

import pytest

from tests.cli.in_process import CORPUS, run


@pytest.fixture
def index(tmp_path: Path) -> str:
    folder = str(tmp_path / "contracts.pincite")
    assert run("index", "add", CORPUS, "--index", folder, "--create", "--vectors", "none").returncode == 0
    return folder


def test_a_correction_is_made_shown_and_taken_back(index: str) -> None:
    pairs = ("title=Quay lease", "kind=tenancy", "party+=Acme Ltd", "date=3 March 2021", "matter=7")
    shown = run("index", "set", "garnet-quay", *pairs, "--index", index)
    assert shown.returncode == 0, shown.stderr
    assert shown.stdout.splitlines()[0] == "corpus/contracts/lease-14-garnet-quay-2019.txt"
    assert "title:      Quay lease  (corrected)" in shown.stdout
    assert "kind:       lease  (corrected)" in shown.stdout
    assert "date:       2021-03-03  (corrected)" in shown.stdout
    assert "matter:     7  (corrected)" in shown.stdout
    entry = json.loads(run("index", "show", "garnet-quay", "--json", "--index", index).stdout)
    assert entry["corrected"] == ["title", "kind", "parties", "date"]
    assert "corrected:" in run("index", "show", "garnet-quay", "--index", index).stdout
    hits = json.loads(run("search", "rent", "--where", "matter=7", "--json", "--fast", "--index", index).stdout)
    assert hits[0]["citation"].startswith("Quay lease")
    back = run("index", "set", "Quay lease", "title=", "--json", "--index", index)
    assert json.loads(back.stdout)["corrected"] == ["kind", "parties", "date"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("garnet-quay", "kind=poem"), "kinds are non-disclosure agreement"),
        (("garnet-quay", "date=31 Febtember"), "is not a date"),
        (("garnet-quay", "titel=x"), "did you mean 'title'"),
        (("garnet-quay", "title"), "key=value"),
        (("garnet-quay", "kind+=x"), "go with party alone"),
        (("garnet-quay", "party-=Nobody"), "is none of the parties"),
        (("nowhere", "title=x"), "no document 'nowhere'"),
        ((".txt", "title=x"), "may be any of"),
        (("garnet-quay",), "KEY=VALUE"),
    ],
)
def test_wrong_corrections_are_one_clear_message(index: str, arguments: tuple[str, ...], said: str) -> None:
    shown = run("index", "set", *arguments, "--index", index)
    assert shown.returncode == 2
    assert said in shown.stderr
    assert shown.stdout == ""


def test_an_unknown_kind_in_a_filter_lists_the_kinds(index: str) -> None:
    for command in ("search", "compare"):
        shown = run(command, "rent", "--where", "kind=leaze", "--index", index)
        assert shown.returncode == 2
        assert "kinds are non-disclosure agreement" in shown.stderr
