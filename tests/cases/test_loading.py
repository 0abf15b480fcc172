"""Case sets from disk, in the formats that the tasks have; all files are written here."""

import json
from pathlib import Path

import pytest

from pincite.cases import CaseRanker
from pincite.cases.labels import read_labels
from pincite.cases.loading import load_cases
from pincite.cases.methods import case_method, ranker_of
from pincite.cases.suppressed_citations import is_french, masked, paragraphs, suppressed
from pincite.errors import DataError, UsageError

JUDGMENT = (
    "[1] The applicant relies on <FRAGMENT_SUPPRESSED> and REFERENCE_SUPPRESSED, decided [DATE_SUPPRESSED].\n"
    "[2] The appeal is dismissed.\n"
    "[3] La demande est rejetée pour les motifs que la Cour expose dans le présent jugement avec dépens.\n"
)


@pytest.fixture
def coliee(tmp_path: Path) -> Path:
    folder = tmp_path / "files"
    folder.mkdir()
    (folder / "000001.txt").write_text(JUDGMENT, encoding="utf-8")
    (folder / "000002.txt").write_bytes(b"\xef\xbb\xbfThe appeal was dismissed.\r\nCosts follow.\r\n")
    (folder / "000003.txt").write_text("A lease of land.", encoding="utf-8")
    (tmp_path / "task1_train_labels.json").write_text(json.dumps({"000001.txt": ["000002.txt"]}), encoding="utf-8")
    return folder


def test_coliees_flat_folder(coliee: Path) -> None:
    cases = load_cases("coliee", coliee)
    assert [query.id for query in cases.queries] == ["000001.txt"]
    assert cases.relevant == {"000001.txt": frozenset({"000002.txt"})}
    assert cases.candidates[1].text == "\ufeffThe appeal was dismissed.\nCosts follow.\n"
    assert CaseRanker(cases, case_method("segments")).rank()[0].cases[0] == "000002.txt"


def test_labels_without_endings_and_with_commas(coliee: Path) -> None:
    (coliee.parent / "task1_train_labels.json").write_text('{"000001": "000002, 000003"}', encoding="utf-8")
    assert load_cases("coliee", coliee).relevant == {"000001.txt": frozenset({"000002.txt", "000003.txt"})}


def test_the_older_layout_is_a_folder_for_each_query(tmp_path: Path) -> None:
    folder = tmp_path / "007"
    (folder / "candidates").mkdir(parents=True)
    (folder / "base_case.txt").write_text("The appeal is dismissed.", encoding="utf-8")
    for number in range(3):
        (folder / "candidates" / f"{number:03}.txt").write_text(f"Case {number}. An appeal.", encoding="utf-8")
    (tmp_path / "labels.json").write_text('{"007": ["001"]}', encoding="utf-8")
    other = tmp_path / "008"
    (other / "candidates").mkdir(parents=True)
    (other / "base_case.txt").write_text("A lease.", encoding="utf-8")
    (other / "candidates" / "000.txt").write_text("An appeal on a lease.", encoding="utf-8")
    alone, both = load_cases("coliee", folder), load_cases("coliee", tmp_path)
    assert len(alone.candidates) == 3
    assert alone.relevant == both.relevant == {"007": frozenset({"007/001.txt"})}
    first, second = CaseRanker(both, case_method("segments")).rank()
    assert set(first.cases) == {"007/000.txt", "007/001.txt", "007/002.txt"}
    assert second.cases == ("008/000.txt",)


def test_aila(tmp_path: Path) -> None:
    for name in ("Object_casedocs", "Object_statutes"):
        (tmp_path / name).mkdir()
    (tmp_path / "Object_casedocs" / "C1.txt").write_text("An appeal on a lease.", encoding="utf-8")
    (tmp_path / "Object_casedocs" / "C2.txt").write_text("A murder trial.", encoding="utf-8")
    (tmp_path / "Object_statutes" / "S1.txt").write_text("Title: Murder\nDesc: Whoever kills.", encoding="utf-8")
    (tmp_path / "Query_doc.txt").write_bytes(b"AILA_Q1||A tenant broke the lease.\r\n")
    (tmp_path / "relevance_judgments_priorcases.txt").write_bytes(b"AILA_Q1 Q0 C1 1\r\nAILA_Q1 Q0 C2 0\r\n")
    (tmp_path / "relevance_judgments_statutes.txt").write_bytes(b"AILA_Q1 Q0 S1 0\r\n")
    cases = load_cases("aila", tmp_path)
    assert cases.relevant == {"AILA_Q1": frozenset({"C1"})}
    assert [query.text for query in cases.queries] == ["A tenant broke the lease."]
    assert load_cases("aila", tmp_path, task="statutes").relevant == {"AILA_Q1": frozenset()}
    with pytest.raises(UsageError, match="unknown task"):
        load_cases("aila", tmp_path, task="poems")


def test_any_folder_with_queries_beside_it(tmp_path: Path, coliee: Path) -> None:
    asked = tmp_path / "new"
    asked.mkdir()
    (asked / "q.txt").write_text("Whose land is the lease of?", encoding="utf-8")
    cases = load_cases("folder", coliee, asked)
    assert ranker_of(cases, case_method("default")).rank()[0].cases[0] == "000003.txt"
    assert cases.relevant == {}


def test_marks_are_blanked_and_offsets_stay() -> None:
    blanked = masked(JUDGMENT)
    assert len(blanked) == len(JUDGMENT)
    assert "SUPPRESSED" not in blanked
    assert "[2]" not in blanked
    assert blanked[JUDGMENT.index("The appeal") :].startswith("The appeal is dismissed.")
    assert paragraphs(JUDGMENT) == [(n, JUDGMENT.index(f"[{n}]")) for n in (1, 2, 3)]
    assert [JUDGMENT[slice(*span)] for span in suppressed(JUDGMENT)] == [
        "<FRAGMENT_SUPPRESSED>",
        "REFERENCE_SUPPRESSED",
        "[DATE_SUPPRESSED]",
    ]
    assert "demande" not in masked(JUDGMENT, drop_french=True)
    assert "dismissed" in masked(JUDGMENT, drop_french=True)
    assert not is_french("The appeal is dismissed with costs to the respondent in any event.")


@pytest.mark.parametrize(
    ("labels", "said"),
    [
        ('{"000001.txt": ["999999.txt"]}', "name '999999.txt', which is not among the 3 cases, nor is any other"),
        ("[1, 2]", "holds a list; expected COLIEE's"),
        ('{"000001.txt": 7}', "are not a list of names; expected"),
        ("{broken", "not JSON"),
        ("one two three", "line 1: 'one two three' is not a label; expected"),
        ("", "holds no labels"),
    ],
)
def test_labels_of_another_shape_are_a_clear_error(labels: str, said: str, coliee: Path) -> None:
    path = coliee.parent / "other.json"
    path.write_text(labels, encoding="utf-8")
    with pytest.raises(DataError, match=said):
        load_cases("coliee", coliee, qrels=path)


def test_a_label_that_names_a_missing_file_is_left_out_with_a_note(coliee: Path) -> None:
    path = coliee.parent / "some.json"
    path.write_text('{"000001.txt": ["999999.txt", "000002.txt"]}', encoding="utf-8")
    cases = load_cases("coliee", coliee, qrels=path)
    assert cases.relevant == {"000001.txt": frozenset({"000002.txt"})}
    assert any("name '999999.txt', which is not among the 3 cases; left out" in note for note in cases.notes)


def test_a_query_listed_as_its_own_answer_is_left_out_with_a_note(coliee: Path) -> None:
    path = coliee.parent / "own.json"
    path.write_text('{"000001.txt": ["000001.txt", "000002.txt"], "nobody": ["000002.txt"]}', encoding="utf-8")
    cases = load_cases("coliee", coliee, qrels=path)
    assert cases.relevant == {"000001.txt": frozenset({"000002.txt"})}
    assert any("name the query itself" in note for note in cases.notes)
    assert any("there is no such query" in note for note in cases.notes)


def test_empty_short_and_huge_cases_are_ranked(coliee: Path) -> None:
    (coliee / "000004.txt").write_text("", encoding="utf-8")
    (coliee / "000005.txt").write_text("Appeal.", encoding="utf-8")
    (coliee / "000006.txt").write_text("The court heard the appeal at length today. " * 110_000, encoding="utf-8")
    cases = load_cases("coliee", coliee)
    assert any("'000004.txt' is empty" in note for note in cases.notes)
    (ranking,) = CaseRanker(cases, case_method("segments")).rank()
    assert set(ranking.cases) == {f"00000{n}.txt" for n in (2, 3, 4, 5, 6)}
    assert dict(zip(ranking.cases, ranking.scores.tolist(), strict=True))["000004.txt"] == 0.0


def test_qrels_may_have_a_mark_at_the_front(tmp_path: Path) -> None:
    path = tmp_path / "qrels.txt"
    path.write_bytes(b"\xef\xbb\xbfq1 0 a 1\r\nq1 0 b 0\r\nq2 0 c 2\r\n")
    assert read_labels(path) == {"q1": frozenset({"a"}), "q2": frozenset({"c"})}


def test_two_cases_of_one_name_are_refused() -> None:
    from pincite.cases import CaseSet
    from pincite.text import Document

    with pytest.raises(DataError, match="two candidates are called 'a'"):
        CaseSet((Document("a", "x"), Document("a", "y")), (Document("q", "x"),)).checked()
    with pytest.raises(DataError, match="nothing to rank"):
        CaseSet((), (Document("q", "x"),)).checked()
