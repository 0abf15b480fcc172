"""The tree shows the architecture, and these tests keep it so."""

import ast
from pathlib import Path

import pytest

from tests.conftest import ROOT

PACKAGE = ROOT / "src" / "pincite"
LAYERS = [
    *(
        "text",
        "documents",
        "segment",
        "models",
        "measures",
        "fuse",
        "query",
        "postings",
        "engine",
        "search",
        "retrieve",
    ),
    *("pipeline", "compare", "cases", "index", "testing", "evaluate", "train", "client", "serve", "cli"),
]
FILES = sorted(PACKAGE.rglob("*.py"))


def layer_of(path: Path) -> str | None:
    parts = path.relative_to(PACKAGE).parts
    return parts[0] if len(parts) > 1 else None


def imported_layers(path: Path) -> set[str]:
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("pincite."):
            names.add(node.module.split(".")[1])
        elif isinstance(node, ast.Import):
            names.update(alias.name.split(".")[1] for alias in node.names if alias.name.startswith("pincite."))
    return names & set(LAYERS)


@pytest.mark.parametrize("path", [path for path in FILES if layer_of(path)], ids=lambda p: str(p.relative_to(PACKAGE)))
def test_a_layer_imports_only_layers_to_its_left(path: Path) -> None:
    place = LAYERS.index(layer_of(path) or "")
    assert all(LAYERS.index(name) <= place for name in imported_layers(path))


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_the_first_line_says_what_a_file_is_for(path: Path) -> None:
    assert ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))


def test_every_folder_is_a_known_layer() -> None:
    folders = {path.name for path in PACKAGE.iterdir() if path.is_dir() and path.name != "__pycache__"}
    assert folders <= set(LAYERS)


def test_importing_the_package_or_its_command_line_loads_nothing_heavy() -> None:
    import subprocess
    import sys

    heavy = "[name for name in ('numpy', 'nltk', 'onnxruntime', 'torch', 'scipy', 'lxml') if name in sys.modules]"
    code = f"import sys, pincite, pincite.cli.main; print({heavy})"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "[]"


def test_every_public_name_can_be_imported() -> None:
    import pincite

    for name in pincite.__all__:
        assert getattr(pincite, name).__name__ == name
    with pytest.raises(AttributeError, match="nonsense"):
        _ = pincite.nonsense


def test_no_class_name_stands_twice() -> None:
    """One noun, one meaning: a reader who meets a name knows where it comes from."""
    homes: dict[str, list[str]] = {}
    for path in FILES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes.setdefault(node.name, []).append(str(path.relative_to(PACKAGE)))
    assert {name: places for name, places in homes.items() if len(places) > 1} == {}


@pytest.mark.parametrize("layer", ["search", "query", "compare", "retrieve", "pipeline"])
def test_ranking_knows_the_engine_contract_and_no_engine(layer: str) -> None:
    for path in (PACKAGE / layer).rglob("*.py"):
        names = {
            node.module for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.ImportFrom)
        }
        assert not any(name and "embedded" in name for name in names), path


@pytest.mark.parametrize("layer", ["serve", "cli", "evaluate", "cases"])
def test_doors_go_through_the_index_and_know_no_engine(layer: str) -> None:
    for path in (PACKAGE / layer).rglob("*.py"):
        names = {
            node.module for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.ImportFrom)
        }
        assert not any(name and name.startswith("pincite.index.embedded") for name in names), path


def test_dir_and_help_show_the_public_names() -> None:
    import pincite

    assert set(dir(pincite)) == set(pincite.__all__)
    assert "Index" in dir(pincite)
    assert "Index.create" in str(pincite.__doc__)
