"""The adapters belong to this version of Pincite. `make test-integrations` runs their own tests, where they are installed."""

import re
import subprocess
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


@pytest.mark.parametrize(
    ("curl", "code", "said"),
    [
        ("exit 6", 0, "openapi-generator is left out: Maven Central cannot be reached"),
        ('echo other > "$3"', 1, "openapi-generator is not the file that is pinned"),
    ],
)
def test_a_generator_that_cannot_be_had_is_said(tmp_path: Path, curl: str, code: int, said: str) -> None:
    """Where it is left out the rest goes on; another file than the pinned one is never run."""
    script = (ROOT / "integrations" / "run").read_text("utf-8")
    found = re.search(r"^generator=.*?^}$", script, re.MULTILINE | re.DOTALL)
    assert found
    for name, body in (("java", "exit 0"), ("mvn", "exit 1"), ("curl", curl)):
        (tmp_path / name).write_text(f"#!/bin/sh\n{body}\n", "utf-8")
        (tmp_path / name).chmod(0o755)
    command = f"set -euo pipefail\nPATH={tmp_path}:$PATH\n{found.group(0)}\nfetch_generator\necho went on ${{OPENAPI_GENERATOR:-}}"
    done = subprocess.run(["bash", "-c", command], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, said in done.stderr) == (code, True), done.stderr
    assert ("went on" in done.stdout) == (code == 0)


def test_the_readme_shows_each_in_five_lines_that_are_python() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    for start in ("langchain_pincite", "llama_index.retrievers", "haystack_integrations", "pincite.client"):
        found = re.search(rf"(?:^    from {re.escape(start)}.*\n)(?:^    .+\n)*", readme, re.MULTILINE)
        assert found, start
        lines = found.group(0).splitlines()
        assert len(lines) <= 5
        compile("\n".join(line[4:] for line in lines), "README.md", "exec")
