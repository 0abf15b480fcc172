"""Written questions as training examples, and the check of a file of them."""

import json
import random
from hashlib import sha256
from pathlib import Path

import pytest

from pincite.errors import DataError
from pincite.evaluate.dev_sets import OWN, dev_sets, held_out
from pincite.evaluate.questions import read_questions
from pincite.evaluate.wordings import WORDINGS
from pincite.train.check_questions import check_questions
from pincite.train.examples import TrainingExample
from pincite.train.sources import from_legalbench_rag, read_wordings
from pincite.train.typing_errors import mistyped
from pincite.train.written_examples import SOURCE, UNANSWERED, from_written
from tests.cli.in_process import run
from tests.conftest import ROOT

PETS = "The tenant shall not keep pets in the flat."
CLAUSES = [
    "The rent is due on the first Monday of each month.",
    PETS,
    "The tenant shall not keep pets in the flat!",
    "The landlord insures the building against fire and storm.",
    "The tenant pays for water, heating and the collection of waste.",
    "Notices are sent to the address that stands below.",
]
TEXT = "LEASE\n\n" + "\n\n".join(f"{number}. {clause}" for number, clause in enumerate(CLAUSES, start=1)) + "\n"
TRAINED = next(f"documents/lease-{at}.txt" for at in range(50) if not held_out(f"documents/lease-{at}.txt"))
FITTED = next(f"documents/lease-{at}.txt" for at in range(50) if held_out(f"documents/lease-{at}.txt"))
START = TEXT.index(PETS)
ROW: dict[str, object] = {
    "document": TRAINED,
    "sha256": sha256(TEXT.encode()).hexdigest(),
    "style": "plain",
    "question": "May animals be kept?",
    "reference": "the lease",
    "gold": [[START, START + len(PETS)]],
}
OWN_QUESTIONS = ROOT / "data" / "questions.jsonl"
SILENT = {**ROW, "style": "unanswerable", "question": "Is there a garage?", "gold": []}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "documents").mkdir()
    for name in (TRAINED, FITTED):
        (tmp_path / name).write_text(TEXT, encoding="utf-8")
    return tmp_path


def write(folder: Path, *rows: dict[str, object]) -> Path:
    path = folder / "questions.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def examples(folder: Path, path: Path) -> list[TrainingExample]:
    return list(from_written(folder / "nowhere", read_questions(path), None, folder))


def test_the_gold_answers_and_what_says_the_same_is_no_negative(folder: Path) -> None:
    (found,) = examples(folder, write(folder, ROW))
    found.check("written")
    assert found.source == SOURCE
    assert any(PETS in text for text in found.positives)
    assert len(found.negatives) >= 3
    assert not any("keep pets" in text for text in found.negatives)
    assert not set(found.unlabelled) & {*found.positives, *found.negatives}


def test_of_an_unanswerable_question_the_best_passages_are_negatives(folder: Path) -> None:
    (found,) = examples(folder, write(folder, SILENT))
    found.check("written")
    assert (found.source, found.positives) == (UNANSWERED, ())
    assert any(PETS in text for text in found.negatives)


def test_documents_for_fitting_are_not_trained_on_and_the_other_way_round(folder: Path) -> None:
    path = write(folder, ROW, {**ROW, "document": FITTED, "question": "Are dogs allowed?"})
    (trained,) = examples(folder, path)
    assert trained.kind.startswith(TRAINED)
    (fitted,) = dev_sets(folder / "nowhere", path)
    assert (fitted.name, [question.query for question, _ in fitted.asked]) == (OWN, ["Are dogs allowed?"])


def test_a_typing_error_changes_one_long_word() -> None:
    assert mistyped("is it so", random.Random(1)) == "is it so"
    for seed in range(40):
        words = mistyped("termination for convenience", random.Random(seed)).split()
        assert len(words) == 3
        assert sum(a != b for a, b in zip(words, ["termination", "for", "convenience"], strict=True)) <= 1


def test_labelled_questions_are_put_in_other_words(samples: Path, tmp_path: Path) -> None:
    plain = list(from_legalbench_rag(samples, None, "all"))
    path = tmp_path / "wordings.json"
    tested = next(iter(WORDINGS.values()))[0]
    path.write_text(json.dumps({plain[0].kind: ["quite other words", tested]}), encoding="utf-8")
    wordings = read_wordings(path)
    assert wordings == {plain[0].kind: ["quite other words"]}  # what is tested is never trained on
    worded = list(from_legalbench_rag(samples, None, "all", 1, wordings))
    assert any(example.question == "quite other words" for example in worded)
    path.write_text('["no"]', encoding="utf-8")
    with pytest.raises(DataError, match="expected"):
        read_wordings(path)


# The check


def test_sound_questions_are_counted(folder: Path) -> None:
    found = check_questions(write(folder, ROW, SILENT), folder)
    assert found.faults == ()
    assert (found.questions, found.documents, found.with_reference) == (2, 1, 2)
    assert found.styles == {"plain": 1, "unanswerable": 1}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"gold": [[5, 100_000]]}, "lies outside"),
        ({"gold": [[START, START]]}, "lies outside"),
        ({"gold": [[5, 8]]}, "covers nothing that could answer"),
        ({"gold": [[START, START + 30], [START + 10, START + 40]]}, "overlaps another"),
        ({"gold": []}, "has no gold"),
        ({"style": "unanswerable"}, "called unanswerable and has gold"),
        ({"sha256": "00"}, "another text than the one it was written on"),
        ({"question": "  may ANIMALS be kept? "}, "stands as number 1"),
        ({"question": ""}, "the question is empty"),
    ],
)
def test_every_fault_is_named_with_its_question(change: dict[str, object], said: str, folder: Path) -> None:
    other = {**ROW, "question": "Are dogs allowed?"}
    path = write(folder, ROW, {**other, **change})
    (fault,) = check_questions(path, folder).faults
    assert fault.startswith("question 2")
    assert said in fault
    result = run("train", "questions", str(path), "--data", str(folder))
    assert result.returncode == 1
    assert "1 faults" in result.stdout


@pytest.mark.parametrize("amended", ["", "\n\nThis version adds one more sentence that was not there."])
def test_a_document_that_judges_is_recognised_by_its_text(amended: str, folder: Path) -> None:
    (folder / "questions" / "corpus").mkdir(parents=True)
    (folder / "questions" / "corpus" / "same.txt").write_text(TEXT + amended, encoding="utf-8")
    judging = json.dumps({**ROW, "document": "questions/corpus/same.txt"})
    (folder / "questions" / "dev2.jsonl").write_text(judging, encoding="utf-8")
    (fault,) = check_questions(write(folder, ROW), folder).faults
    assert "same.txt, which judges" in fault


def test_a_question_of_another_text_is_not_trained_on(folder: Path) -> None:
    with pytest.raises(DataError, match="not the document it was written on"):
        examples(folder, write(folder, {**ROW, "sha256": "00"}))


# The project's own questions


def test_the_own_documents_are_those_the_questions_were_written_on() -> None:
    own = [question for question in read_questions(OWN_QUESTIONS) if question.document.startswith("documents/")]
    assert len({question.document for question in own}) == len(list((OWN_QUESTIONS.parent / "documents").iterdir()))
    for question in own:
        text = (OWN_QUESTIONS.parent / question.document).read_text(encoding="utf-8")
        assert sha256(text.encode()).hexdigest() == question.sha256
        assert all(0 <= start < end <= len(text) for start, end in question.gold)


@pytest.mark.data
def test_the_own_questions_are_sound_and_on_no_document_that_judges(data: Path) -> None:
    found = check_questions(OWN_QUESTIONS, data)
    assert found.faults == ()
    assert found.questions > 3000
    assert 0.1 < found.styles["unanswerable"] / found.questions < 0.15
    judging = [one for split in ("dev", "dev2") for one in read_questions(data / "questions" / f"{split}.jsonl")]
    own = read_questions(OWN_QUESTIONS)
    assert not {one.question.casefold() for one in own} & {one.question.casefold() for one in judging}


def test_other_wordings_are_many_and_none_of_them_tests() -> None:
    path = OWN_QUESTIONS.parent / "wordings.json"
    written = json.loads(path.read_text(encoding="utf-8"))
    assert sum(map(len, written.values())) > 1000
    assert read_wordings(path).keys() == written.keys()
