"""The trial: what counts as right, which half a question is in, and files that are not as they were."""

import json
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

import pytest

from pincite.documents import read_folder
from pincite.errors import DataError
from pincite.evaluate.trial import (
    LEAST,
    TrialQuestion,
    checkable,
    read_trial,
    trial_answers,
    trial_documents,
)
from pincite.measures import Span
from pincite.text import Document, Hit
from pincite.text.passage import Edges
from tests.cli.in_process import run
from tests.conftest import ROOT

TRIAL = ROOT / "data" / "trial.jsonl"
DEED = Document("real/deed.txt", "x" * 1000)
LEASE = (
    "LEASE\n\nThis Lease is made between Quay Estates Ltd and Bolt GmbH.\n\n1. RENT\n\n1.1 The rent is due on the first"
    " Monday of each month.\n\n2. PETS\n\n2.1 The tenant shall not keep pets.\n"
)


def question(*gold: Edges) -> TrialQuestion:
    return TrialQuestion("section", "q", tuple(Span(DEED.id, *edges) for edges in gold), ("",) * len(gold))


def hit(edges: Edges, *lead_ins: Edges, document: Document = DEED) -> Hit:
    return Hit.of(document, edges, (), 1.0, 1, {}, lead_ins=lead_ins)


@pytest.mark.parametrize(
    ("gold", "found", "right"),
    [
        ([(100, 200)], hit((100, 200)), True),
        ([(100, 200)], hit((50, 150)), True),  # half of the place
        ([(100, 200)], hit((50, 149)), False),
        ([(100, 200)], hit((0, 1000)), True),  # however long
        ([(100, 500)], hit((100, 140)), True),  # inside the place, and long enough
        ([(100, 500)], hit((100, 139)), False),
        ([(100, 500)], hit((60, 140)), True),  # half of the hit is inside
        ([(100, 500)], hit((59, 140)), False),
        ([(100, 120)], hit((100, 110)), True),  # a short place needs its half alone
        ([(100, 200)], hit((300, 320), (100, 160)), True),  # lead-ins hold a place, too
        ([(100, 500)], hit((600, 700), (100, 200)), False),  # but a hit lies in a place by its answer alone
        ([(100, 500)], hit((300, 350), (0, 90)), True),
        ([(100, 200), (600, 700)], hit((600, 700)), True),  # any place
        ([(100, 200)], hit((300, 400)), False),
        ([(100, 200)], hit((100, 200), document=Document("real/other.txt", "x" * 1000)), False),
        ([], hit((100, 200)), False),
    ],
)
def test_a_hit_is_right_by_what_it_shares_with_a_place(gold: list[Edges], found: Hit, right: bool) -> None:
    assert question(*gold).is_right(found) is right
    assert LEAST == 40


def test_the_halves_are_told_by_the_question_alone() -> None:
    everything, report, work = (read_trial(TRIAL, half) for half in ("all", "report", "work"))
    assert len(report) + len(work) == len(everything) == 210
    assert {row.half for row in report} == {"report"}
    assert {row.half for row in work} == {"work"}
    assert 80 <= len(report) <= 130
    assert [row for row in everything if row.half == "report"] == report


@pytest.mark.parametrize("name", ["trial.jsonl", "trial-2.jsonl", "trial-3.jsonl"])
def test_the_questions_of_the_project_are_whole(name: str) -> None:
    rows = read_trial(ROOT / "data" / name, "all")
    for row in rows:
        assert row.question.strip()
        assert row.gold
        assert len(row.hashes) == len(row.gold)
        assert all(place.length > 0 for place in row.gold)
    found = read_folder(ROOT / "samples" / "corpus", prefix="samples/corpus/").documents
    samples = {document.id: document for document in found}
    own = [row for row in rows if all(place.document in samples for place in row.gold)]
    assert own
    assert checkable(own, list(samples.values())) == (own, [])


def _project(folder: Path, *rows: dict[str, object]) -> tuple[Path, Path]:
    """A data folder with a lease in real/, and a project with a supply agreement in samples/corpus/ and the questions."""
    data, project = folder / "data folder", folder / "project"
    for path in (data / "real", project / "samples" / "corpus", project / "data"):
        path.mkdir(parents=True)
    (data / "real" / "quay.txt").write_text(LEASE, encoding="utf-8")
    (project / "samples" / "corpus" / "acme.txt").write_text(
        "SUPPLY AGREEMENT\n\nAcme Ltd supplies bolts.\n", encoding="utf-8"
    )
    (project / "data" / "trial.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return data, project


def _row(text: str, kind: str = "section", place: Mapping[str, object] = MappingProxyType({})) -> dict[str, object]:
    start = LEASE.index(text)
    gold = {"document": "real/quay.txt", "sha256": Document("", LEASE).sha256, "start": start, "end": start + len(text)}
    return {"kind": kind, "question": "Section 2 of the Quay lease", "gold": [{**gold, **place}]}


def test_the_files_are_real_ones_and_samples(tmp_path: Path) -> None:
    assert [document.id for document in trial_documents(*_project(tmp_path))] == [
        "real/quay.txt",
        "samples/corpus/acme.txt",
    ]


@pytest.mark.parametrize(
    ("place", "said"),
    [
        ({"document": "real/gone.txt"}, "'Section 2 of the Quay lease': real/gone.txt is missing"),
        ({"sha256": "0" * 64}, "real/quay.txt reads otherwise than before"),
    ],
)
def test_places_in_files_that_are_gone_or_changed_are_not_checked(
    tmp_path: Path, place: dict[str, object], said: str
) -> None:
    data, project = _project(tmp_path, _row("2.1 The tenant shall not keep pets.", place=place))
    rows = read_trial(project / "data" / "trial.jsonl", "all")
    with pytest.raises(DataError, match=said):
        checkable(rows, trial_documents(data, project))


def test_questions_on_a_document_that_reads_otherwise_are_left_out_and_the_others_stay(tmp_path: Path) -> None:
    right = _row("2.1 The tenant shall not keep pets.")
    wrong = _row("2.1 The tenant shall not keep pets.", place={"document": "real/quay.txt", "sha256": "0" * 64})
    data, project = _project(tmp_path, right, wrong)
    rows = read_trial(project / "data" / "trial.jsonl", "all")
    kept, left_out = checkable(rows, trial_documents(data, project))
    assert kept == rows[:1]
    (reason,) = left_out
    assert "reads otherwise than before" in reason


@pytest.mark.parametrize("line", ["{", '{"kind": "section"}', '{"kind": "a", "question": "b", "gold": [1]}', "[]"])
def test_a_file_that_holds_no_questions_is_named(tmp_path: Path, line: str) -> None:
    path = tmp_path / "trial.jsonl"
    path.write_text(line)
    with pytest.raises(DataError, match=r"trial\.jsonl: not a file of trial questions"):
        read_trial(path, "all")


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"cannot be read .*--questions names the file"):
        read_trial(tmp_path / "none.jsonl", "all")


def test_answers_are_those_of_the_default_method_without_vectors_too(tmp_path: Path) -> None:
    data, project = _project(tmp_path, _row("2. PETS\n\n2.1 The tenant shall not keep pets."))
    rows = read_trial(project / "data" / "trial.jsonl", "all")
    (answer,) = trial_answers(rows, trial_documents(data, project), None, fast=True)
    assert answer.query == rows[0].question
    assert rows[0].is_right(answer[0])


def test_the_command_counts_what_is_right_by_kind_and_lists_misses(tmp_path: Path) -> None:
    right = _row("2. PETS\n\n2.1 The tenant shall not keep pets.")
    wrong = {**_row("1. RENT\n\n1.1 The rent is due", kind="value"), "question": "Section 2 in the Quay lease"}
    data, project = _project(tmp_path, right, wrong)
    out = tmp_path / "out.json"
    shown = run(
        *("benchmark", "trial", "--data", str(data), "--questions", str(project / "data" / "trial.jsonl")),
        *("--half", "all", "--fast", "--misses", "--json", str(out)),
    )
    assert shown.returncode == 0, shown.stderr
    figures = json.loads(out.read_text(encoding="utf-8"))
    assert figures["half"] == "all"
    assert figures["kinds"]["all"]["questions"] == 2
    assert figures["kinds"]["all"]["first"] == 0.5
    assert (figures["kinds"]["section"]["first"], figures["kinds"]["value"]["first"]) == (1.0, 0.0)
    assert "value: Section 2 in the Quay lease" in shown.stdout
    assert "section: Section 2 of the Quay lease" not in shown.stdout


def test_an_unknown_half_lists_the_legal_ones(tmp_path: Path) -> None:
    shown = run("benchmark", "trial", "--half", "both", cwd=tmp_path)
    assert shown.returncode == 2
    assert "report, work, all" in " ".join(shown.stderr.replace("│", " ").split())
