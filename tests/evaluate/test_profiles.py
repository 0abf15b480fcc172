"""Profiles against labels: what counts as right, and labels that are wrong."""

import json
from pathlib import Path

import pytest

from pincite.errors import DataError
from pincite.evaluate.profiles import Found, ProfileLabel, f1, means, measure_profiles, read_labels, same_line, scores

LABELS = Path(__file__).parents[2] / "data" / "profiles.jsonl"
LABEL = {
    "document": "a/lease.txt",
    "set_aside": False,
    "title": ["Lease of Offices"],
    "kind": ["lease"],
    "parties": [{"name": "Quay Estates Ltd"}, {"name": "Bolt GmbH"}],
    "date": ["2021-03-03"],
    "outline": ["1. Rent", "2. Term"],
}


def _written(folder: Path, **changes: object) -> Path:
    path = folder / "labels.jsonl"
    path.write_text(json.dumps({**LABEL, **changes}), encoding="utf-8")
    return path


def test_the_labels_of_the_project_are_whole() -> None:
    labels = read_labels(LABELS)
    assert len(labels) == len({label.document for label in labels}) >= 160
    aside = read_labels(LABELS, "report")
    assert len(labels) // 2 <= len(aside) < len(labels)
    assert {label.document for label in aside}.isdisjoint(label.document for label in read_labels(LABELS, "work"))


def test_a_document_is_measured_under_a_name_that_tells_nothing(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a/lease.txt").write_text(
        "LEASE OF OFFICES\n\nThis Lease is made as of March 3, 2021 between Quay Estates Limited and Bolt GmbH.\n\n"
        "1. Rent\n\nThe rent is due monthly.\n\n2. Term\n\nTen years.\n"
    )
    rows = list(measure_profiles(tmp_path, read_labels(_written(tmp_path)), renamed=True))
    assert means(rows) == {"title": 1.0, "kind": 1.0, "parties": 1.0, "date": 1.0, "outline": 1.0}


def test_what_counts_as_right() -> None:
    label = ProfileLabel(
        "x", ("Supply Agreement",), ("supply",), ("Acme, Inc.",), ("none",), ("1. Goods",), set_aside=True
    )
    right = scores(label, Found("SUPPLY AGREEMENT.", "supply agreement", ("ACME",), "", ("1 Goods and Services",)))
    assert right == dict.fromkeys(right, 1.0)
    wrong = scores(label, Found("Agreement", "", ("Bolt",), "2020-01-01", ("2. Goods",)))
    assert wrong == dict.fromkeys(wrong, 0.0)


def test_f1_matches_each_entry_once() -> None:
    assert f1(["1. a", "1. a"], ["1. a"], same_line) == pytest.approx(2 / 3)
    assert f1([], [], same_line) == 1.0
    assert f1([], ["1. a"], same_line) == 0.0


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"kind": ["poem"]}, "unknown kind 'poem'"),
        ({"title": []}, "1 to 3 titles"),
        ({"title": ["a", "b", "c", "d"]}, "1 to 3 titles"),
        ({"parties": "Acme"}, "not a label"),
    ],
)
def test_a_wrong_label_is_named_by_its_line(tmp_path: Path, changes: dict[str, object], said: str) -> None:
    with pytest.raises(DataError, match=f"line 1.*{said}"):
        read_labels(_written(tmp_path, **changes))


def test_a_label_of_a_document_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"1 labelled documents are not there, the first is 'a/lease.txt'"):
        list(measure_profiles(tmp_path, read_labels(_written(tmp_path)), renamed=False))


def test_labels_that_are_not_there(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="cannot be read"):
        read_labels(tmp_path / "none.jsonl")
