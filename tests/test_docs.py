"""README and docs are true: what they show, runs; what they link, exists; what they list, is complete."""

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from pincite.evaluate.reproduce import ReproductionRow
from pincite.measures.page import page
from pincite.search import Answer
from tests.conftest import ROOT

PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])
CONTRACTS = (ROOT / "docs" / "contracts.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[tuple[str, str]]:
    """(page, block) of every fenced block in that language."""
    return [
        (path.name, block)
        for path in PAGES
        for block in re.findall(
            rf"^```{language}\n(.*?)^```", path.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
        )
    ]


@pytest.mark.parametrize(("name", "code"), blocks("python"), ids=lambda value: value[:20])
def test_python_examples_run(name: str, code: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "samples").symlink_to(ROOT / "samples")
    monkeypatch.chdir(tmp_path)
    exec(compile(code, name, "exec"), {})


@pytest.mark.parametrize(("name", "shown"), blocks("console"), ids=lambda value: value[:20])
def test_shown_commands_run(name: str, shown: str, tmp_path: Path) -> None:
    (tmp_path / "samples").symlink_to(ROOT / "samples")
    scripts = Path(sys.executable).parent
    environment = {**os.environ, "PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}", "PYTHONIOENCODING": "utf-8"}
    commands = [line[2:] for line in shown.splitlines() if line.startswith("$ ")]
    assert commands
    for command in commands:
        ran = subprocess.run(
            command, shell=True, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )
        assert ran.returncode == 0, f"{name}: {command}\n{ran.stderr}"


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_links_between_pages_exist(path: Path) -> None:
    for link in re.findall(r"\]\(([^)#]+)[^)]*\)", path.read_text(encoding="utf-8")):
        assert "://" in link or (path.parent / link).exists(), link


def test_the_page_of_measures_is_up_to_date() -> None:
    assert (ROOT / "docs" / "measures.md").read_text(encoding="utf-8") == page(), "run: make docs"


def test_every_command_and_option_is_documented() -> None:
    import typer

    from pincite.cli.main import app

    text = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")

    def visit(command: object, path: str) -> None:
        inner = getattr(command, "commands", None)
        if inner:
            for name, child in inner.items():
                visit(child, f"{path} {name}")
            return
        assert f"`{path}" in text, path
        for parameter in command.params:  # type: ignore[attr-defined]
            for option in parameter.opts:
                if option.startswith("--") and option not in ("--help",):
                    assert option in text, f"{path} {option}"

    visit(typer.main.get_command(app), "pincite")


def example(after: str) -> object:
    """The first JSON block of docs/contracts.md behind a heading."""
    found = re.search(r"```json\n(.*?)```", CONTRACTS.split(after, 1)[1], re.DOTALL)
    assert found
    return json.loads(found.group(1))


def test_the_shapes_in_the_contracts_are_the_real_ones(tmp_path: Path) -> None:
    from pincite import Collection, Document, WordWindows
    from pincite.evaluate import read_benchmark, read_predictions

    hit = Collection.build([Document("a", "The rent")], WordWindows()).hit(0, 1.0, 1, {})
    assert list(example("## A hit as JSON")) == list(hit.to_dict())
    assert list(example("`--jsonl`, and `--json --envelope`")) == list(Answer("q", (hit,)).to_dict())
    assert list(example("## Reproduction")[0]) == list(ReproductionRow("bm25", 1, {}).to_dict())  # type: ignore[index]
    for name, read in (("## Benchmarks", read_benchmark), ("## Predictions", read_predictions)):
        path = tmp_path / "example.json"
        path.write_text(json.dumps(example(name)), encoding="utf-8")
        assert read(path)  # type: ignore[operator]


def test_the_readme_opens_with_a_short_example() -> None:
    readme = next(code for name, code in blocks("python") if name == "README.md")
    assert len([line for line in readme.splitlines() if line.strip()]) <= 8
    assert "Index" in readme


def test_the_readmes_make_targets_exist() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8") + (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in set(re.findall(r"^ {4}make ([a-z-]+)", readme, re.MULTILINE)):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target


def test_shown_commands_are_split_as_a_shell_would() -> None:
    for _, shown in blocks("console"):
        for line in shown.splitlines():
            if line.startswith("$ "):
                assert shlex.split(line[2:])
