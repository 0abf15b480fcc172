"""`pincite index list`: what a person sees in a narrow terminal."""

import os
import sqlite3
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

import pytest

from pincite import Index
from pincite.cli.index_list import listed
from pincite.index.embedded.database import DATABASE
from tests.cli.in_process import CORPUS, run

LEASE = "corpus/contracts/lease-14-garnet-quay-2019.txt"


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = str(tmp_path_factory.mktemp("list") / "contracts.pincite")
    assert run("index", "add", CORPUS, "--index", folder, "--create", "--vectors", "none").returncode == 0
    assert run("index", "set", "garnet-quay", f"title={'A rather long title ' * 8}", "--index", folder).returncode == 0
    return folder


@pytest.mark.parametrize("columns", [20, 60, 80, 200])
def test_nothing_but_an_id_is_wider_than_the_terminal(index: str, columns: int) -> None:
    with Index.open(index, read_only=True) as opened:
        records = list(opened)
    lines = list(listed(records, columns))
    ids = {record.id for record in records}
    assert ids <= {line.strip() for line in lines}
    if columns >= 60:
        assert all(len(line) <= columns for line in lines if line.strip() not in ids)


def test_a_list_says_what_each_document_is(index: str) -> None:
    with patch.dict(os.environ, {"COLUMNS": "80"}):
        shown = run("index", "list", "--index", index)
    assert "2021-03-08  supply agreement" in shown.stdout
    assert "Supply Agreement\n" in shown.stdout
    assert "| corrected: title" in " ".join(shown.stdout.split())
    assert "14 documents, " in shown.stderr
    assert f"not embedded: 14 documents; to embed: pincite index embed --index {index}" in shown.stderr
    assert "earlier version" not in shown.stdout + shown.stderr


def test_a_list_of_some_documents(index: str) -> None:
    some = run(
        "index", "list", "--index", index, "--where", '{"kind": {"in": ["lease", "nda"]}}', "--after", "2019-01-01"
    )
    assert LEASE in some.stdout
    assert "supply-caldera" not in some.stdout
    assert "--where" in run("index", "list", "--index", index, "--where", "kind=lease", "--failed").stderr
    wrong = run("index", "list", "--index", index, "--where", '{"date": {"above": 1}}')
    assert "unknown operator 'above'" in wrong.stderr


def test_documents_of_an_earlier_version_are_marked_and_upgraded(tmp_path: Path) -> None:
    folder = str(tmp_path / "contracts.pincite")
    run(
        "index",
        "add",
        f"{CORPUS}/contracts/supply-caldera-components-2021.txt",
        "--index",
        folder,
        "--create",
        "--vectors",
        "none",
    )
    database = sqlite3.connect(f"{folder}/{DATABASE}")
    database.execute("UPDATE documents SET structure = 1, title = 'Exhibit'")
    database.commit()
    database.close()
    shown = run("index", "list", "--index", folder)
    assert "made by an earlier version" in " ".join(shown.stdout.split())
    assert (
        f"made by an earlier version: 1 document, answering as before; to get what is new: pincite index upgrade --index {folder}"
        in shown.stderr
    )
    assert "1; 'pincite index upgrade'" in run("index", "check", "--index", folder).stdout
    planned = run("index", "upgrade", "--dry-run", "--index", folder)
    assert "made by an earlier version: 1 of 1 document, 1 to read from their files, 0 from" in planned.stdout
    assert "this takes about" in planned.stdout
    done = run("index", "upgrade", "--index", folder)
    assert done.returncode == 0
    assert "this takes about" in done.stderr
    assert "upgraded 1 document, 1 from their files" in done.stdout
    assert "Exhibit -> SUPPLY AGREEMENT" in done.stdout
    again = run("index", "upgrade", "--index", folder)
    assert again.returncode == 0
    assert "nothing to upgrade: the index has 1 document, made by this version" in again.stderr
    assert run("index", "upgrade", "--index", str(tmp_path / "nowhere")).returncode == 1
    assert run("index", "upgrade", "--vectors", "soon", "--index", folder).returncode == 2


def test_strange_titles_do_no_harm(index: str) -> None:
    with Index.open(index, read_only=True) as opened:
        record = opened.record(LEASE)
    strange = replace(record, title="a\x1b[31mred\x07", id="x/\x1b.txt")
    assert not any("\x1b" in line or "\x07" in line for line in listed([strange, replace(record, title="")], 80))
    assert list(listed([], 80)) == []
