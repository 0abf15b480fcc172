"""The adapters belong to this version of Pincite. `make test-integrations` runs their own tests, where they are installed."""

import re
import tomllib
from pathlib import Path

import pytest

from tests.conftest import ROOT

ADAPTERS = sorted(path.parent for path in (ROOT / "integrations").glob("*/pyproject.toml"))


def test_there_are_three() -> None:
    assert [path.name for path in ADAPTERS] == [
        "langchain-pincite",
        "llama-index-retrievers-pincite",
        "pincite-haystack",
    ]


@pytest.mark.parametrize("adapter", ADAPTERS, ids=lambda path: path.name)
def test_an_adapter_has_pincites_version_and_everything_a_package_needs(adapter: Path) -> None:
    ours = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    theirs = tomllib.loads((adapter / "pyproject.toml").read_text("utf-8"))["project"]
    assert theirs["version"] == ours
    assert theirs["name"] == adapter.name
    for name in ("README.md", "example.py", "tests"):
        assert (adapter / name).exists()
    assert adapter.name in (ROOT / "integrations" / "run").read_text("utf-8")


@pytest.mark.parametrize("adapter", ADAPTERS, ids=lambda path: path.name)
def test_an_adapter_requires_the_pincite_that_it_belongs_to(adapter: Path) -> None:
    """A client refuses a server of another minor version, so that an adapter must not be installed beside one."""
    ours = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    major, minor = map(int, ours.split(".")[:2])
    theirs = tomllib.loads((adapter / "pyproject.toml").read_text("utf-8"))["project"]
    assert f"pincite[client]>={major}.{minor},<{major}.{minor + 1}" in theirs["dependencies"]


def test_what_the_generators_are_is_pinned_and_documented() -> None:
    script = (ROOT / "integrations" / "run").read_text("utf-8")
    page = (ROOT / "docs" / "integrations.md").read_text("utf-8")
    (java,) = re.findall(r"^generator=openapi-generator-cli-([\d.]+)\.jar$", script, re.MULTILINE)
    assert re.search(r"^generator_sha256=[0-9a-f]{64}$", script, re.MULTILINE)
    (python,) = re.findall(r"openapi-python-client==([\d.]+)", script)
    assert f"openapi-python-client {python}" in page
    assert f"openapi-generator {java}" in page


def test_the_readme_shows_each_in_five_lines_that_are_python() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    for start in ("langchain_pincite", "llama_index.retrievers", "haystack_integrations", "pincite.client"):
        found = re.search(rf"(?:^    from {re.escape(start)}.*\n)(?:^    .+\n)*", readme, re.MULTILINE)
        assert found, start
        lines = found.group(0).splitlines()
        assert len(lines) <= 5
        compile("\n".join(line[4:] for line in lines), "README.md", "exec")
