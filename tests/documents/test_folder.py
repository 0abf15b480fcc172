"""Folders: a fixed order, ids by path, and a report of every file that cannot be read."""

from pathlib import Path

import pytest

from pincite.documents import Unreadable, files_below, read_folder
from pincite.errors import DataError, UsageError
from tests.documents.offices import docx, p
from tests.documents.pdfs import lines, pdf


def make(root: Path, files: dict[str, bytes]) -> Path:
    for name, data in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return root


def test_documents_come_by_path_with_ids_and_titles(tmp_path: Path) -> None:
    root = make(
        tmp_path,
        {"b/x.txt": b"== LEASE ==\nRent.", "a.txt": b"\xef\xbb\xbfNDA\r\nSecret", "c.png": b"\x89PNG", "n.md": b"1\n2"},
    )
    documents = read_folder(root, prefix="set/").documents
    assert [document.id for document in documents] == ["set/a.txt", "set/b/x.txt", "set/n.md"]
    assert [document.title for document in documents] == ["NDA", "LEASE", "n"]
    assert documents[0].text == "\ufeffNDA\nSecret"
    assert documents[0].source.reader == "text"


def test_names_with_blanks_quotes_and_accents_are_kept(tmp_path: Path) -> None:
    root = make(tmp_path, {'l\'été "2021".txt': b"x y z"})
    assert [document.id for document in read_folder(root).documents] == ['l\'été "2021".txt']


def test_a_file_that_is_not_utf8_is_refused_or_skipped_by_name(tmp_path: Path) -> None:
    root = make(tmp_path, {"good.txt": b"fine", "bad.txt": "“q” §".encode() + b"\xff"})
    with pytest.raises(DataError, match=r"bad\.txt: not UTF-8"):
        read_folder(root)
    reading = read_folder(root, unreadable="skip")
    assert [document.id for document in reading.documents] == ["good.txt"]
    assert len(reading.skipped) == 1
    assert "bad.txt" in reading.skipped[0]


def test_a_missing_or_empty_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no such folder"):
        read_folder(tmp_path / "nowhere")
    with pytest.raises(DataError, match="no documents found"):
        read_folder(tmp_path)
    make(tmp_path, {"bad.txt": b"\xff"})
    with pytest.raises(DataError, match="1 could not be read"):
        read_folder(tmp_path, unreadable="skip")


def test_an_unknown_way_with_unreadable_files_lists_the_legal_ones(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="refuse, skip"):
        read_folder(tmp_path, unreadable="guess")


def test_other_formats_are_read_too_and_a_broken_one_is_refused_or_skipped(tmp_path: Path) -> None:
    root = make(tmp_path, {"a.pdf": pdf(lines("The rent is due.")), "b.docx": docx(p("LEASE")), "c.txt": b"Text."})
    assert [document.source.reader for document in read_folder(root).documents] == ["pdf", "docx", "text"]
    make(tmp_path, {"b.pdf": b"%PDF-1.4 broken"})
    with pytest.raises(Unreadable, match=r"b\.pdf: "):
        read_folder(root)
    reading = read_folder(root, unreadable="skip")
    assert len(reading.documents) == 3
    assert len(reading.skipped) == 1


def test_files_below_has_every_file_but_hidden_ones_and_ends_with_loops(tmp_path: Path) -> None:
    root = make(tmp_path / "root", {"b/c.bin": b"x", "a.txt": b"x", ".git/x": b"x", "b/.hidden": b"x", "b-c.txt": b"x"})
    (root / "b" / "loop").symlink_to(root, target_is_directory=True)
    (root / "b" / "self").symlink_to(root / "b" / "self")
    (root / "linked.txt").symlink_to(root / "a.txt")
    assert [name for _, name in files_below(root)] == ["a.txt", "b-c.txt", "b/c.bin"]
    followed = [name for _, name in files_below(root, follow=True)]
    assert followed == ["a.txt", "b-c.txt", "b/c.bin", "b/self", "linked.txt"]


def test_files_below_names_links_to_folders_elsewhere(tmp_path: Path) -> None:
    root = make(tmp_path / "root", {"a.txt": b"x", "b/c.txt": b"x"})
    (root / "inside").symlink_to(root / "b", target_is_directory=True)
    (root / "b" / "outside").symlink_to(tmp_path, target_is_directory=True)
    linked: list[str] = []
    assert [name for _, name in files_below(root, linked=linked)] == ["a.txt", "b/c.txt"]
    assert linked == ["b/outside"]
    followed = [name for _, name in files_below(root, follow=True)]
    assert {"inside/c.txt", "b/outside/root/a.txt"} <= set(followed)
    assert len(followed) < 12
    assert all((root / name) == path for path, name in files_below(root))
