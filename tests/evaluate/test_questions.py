"""Written questions: how they are read and put, what is refused, and the figures they give."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from pincite.errors import DataError, UsageError
from pincite.evaluate.dev_sets import WRITTEN, dev_sets, held_out
from pincite.evaluate.legalbench_rag import BenchmarkRun, SetResult, run_method
from pincite.evaluate.questions import (
    FORMS,
    KEYWORDS,
    SENTENCES,
    WrittenQuestion,
    document_id,
    question_likelihoods,
    question_pool,
    read_questions,
    style_figures,
)
from pincite.measures import Example, Span
from pincite.pipeline import method
from tests.cli.in_process import run

LEASE = (
    "LEASE\n\nThis Lease is made between Quay Estates Ltd and Bolt GmbH.\n\n1. RENT\n\n1.1 The rent is due on the first"
    " Monday of each month.\n\n2. PETS\n\n2.1 The tenant shall not keep pets.\n"
)
SUPPLY = (
    "SUPPLY AGREEMENT\n\nThis Supply Agreement is made between Acme Ltd and Boro plc.\n\n1. RECALL\n\n1.1 The supplier"
    " bears the cost of a recall.\n"
)
PETS, RENT, RECALL = "2.1 The tenant shall not keep pets.", "1.1 The rent is due on", "1.1 The supplier bears"
PLAIN: dict[str, object] = {
    "document": "docs/quay.txt",
    "style": "plain",
    "question": "May pets be kept?",
    "reference": "the Quay lease",
}
ROWS: list[dict[str, object]] = [
    {**PLAIN, "gold": [[LEASE.index(PETS), LEASE.index(PETS) + len(PETS)]]},
    {**PLAIN, "style": "keywords", "question": "rent  due", "reference": "", "gold": [[LEASE.index(RENT), LEASE.index(RENT) + len(RENT)]]},
    {**PLAIN, "document": "questions/corpus/acme.txt", "question": "Who pays for a recall?", "reference": "Acme supply", "gold": [[SUPPLY.index(RECALL), SUPPLY.index(RECALL) + len(RECALL)]]},
    {**PLAIN, "question": "Who insures the roof?", "gold": []},
]  # fmt: skip


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder: a document beside the questions, one in their corpus, and another one there that no question is about."""
    monkeypatch.delenv("PINCITE_DATA", raising=False)
    for path, text in {
        "docs/quay.txt": LEASE,
        "questions/corpus/acme.txt": SUPPLY,
        "questions/corpus/other.txt": "NOTE\n\nNothing is said here.",
    }.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
    write(tmp_path, ROWS)
    return tmp_path


def write(data: Path, rows: list[dict[str, object]], split: str = "dev") -> Path:
    path = data / "questions" / f"{split}.jsonl"
    path.write_text("\n".join([*map(json.dumps, rows), ""]), encoding="utf-8")
    return path


def questions(data: Path) -> list[WrittenQuestion]:
    return read_questions(data / "questions" / "dev.jsonl")


# Reading


def test_questions_are_read_in_order_with_single_spaces(data: Path) -> None:
    found = questions(data)
    assert [one.question for one in found] == [
        "May pets be kept?",
        "rent due",
        "Who pays for a recall?",
        "Who insures the roof?",
    ]
    assert found[0] == WrittenQuestion("docs/quay.txt", "plain", "May pets be kept?", "the Quay lease", ((141, 176),))
    assert found[3].gold == ()


def test_empty_lines_are_passed_over(data: Path) -> None:
    path = data / "questions" / "dev.jsonl"
    path.write_text("\n\n" + path.read_text() + "\n  \n")
    assert len(read_questions(path)) == len(ROWS)


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("docs/quay.txt", "docs/quay.txt"),
        ("questions/corpus/a/acme.txt", "a/acme.txt"),
        ("legalbench-rag/corpus/cuad/x.txt", "cuad/x.txt"),
        ("other/corpus/x.txt", "other/corpus/x.txt"),
    ],
)
def test_a_document_is_called_by_its_path_below_the_corpora(path: str, name: str) -> None:
    assert document_id(path) == name


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("{", "line 2: expected"),
        ("[]", "line 2: expected"),
        (json.dumps(PLAIN), r"line 2: expected.*gold"),
        (json.dumps({**PLAIN, "gold": [[1]]}), "line 2: expected"),
        (json.dumps({**PLAIN, "gold": [["a", "b"]]}), "line 2: expected"),
    ],
)
def test_a_bad_line_is_named(data: Path, line: str, said: str) -> None:
    path = write(data, ROWS[:1])
    path.write_text(path.read_text() + line)
    with pytest.raises(DataError, match=said):
        read_questions(path)


def test_a_file_that_is_not_there_or_empty_is_named(data: Path) -> None:
    with pytest.raises(DataError, match=r"train\.jsonl: cannot be read .*SPLIT\.jsonl"):
        read_questions(data / "questions" / "train.jsonl")
    with pytest.raises(DataError, match="no questions in it"):
        read_questions(write(data, []))


# How a question is put


def test_a_reference_is_put_beside_the_question_always_in_the_same_form() -> None:
    seen = set()
    for at in range(200):
        question = WrittenQuestion("a.txt", "plain", f"May item {at} be kept?", "the Acme NDA", ())
        assert "the Acme NDA" in question.named
        assert f"ay item {at} be kept" in question.named
        assert question.named == replace(question, style="other", gold=((0, 1),)).named
        seen.add(question.named.replace(str(at), "N"))
    assert len(seen) == len(SENTENCES)
    assert {"[the Acme NDA] May item N be kept?", "In the Acme NDA, may item N be kept?"} <= seen


def test_keywords_stay_keywords() -> None:
    asked = [WrittenQuestion("a.txt", "keywords", f"rent {at}", "Acme", ()) for at in range(60)]
    seen = {one.named.replace(one.question, "rent") for one in asked}
    assert seen == {"Acme rent", "rent Acme", "Acme: rent", "rent, Acme"}
    assert len(seen) == len(KEYWORDS)


@pytest.mark.parametrize(
    ("form", "documents"),
    [
        ("given", {"docs/quay.txt", "acme.txt"}),
        ("bare", {"docs/quay.txt", "acme.txt", "other.txt"}),
        ("named", {"docs/quay.txt", "acme.txt", "other.txt"}),
    ],
)
def test_a_pool_has_the_documents_that_are_searched(data: Path, form: str, documents: set[str]) -> None:
    """Where the document is given nothing else is read; otherwise everything in the corpora is."""
    pool = question_pool(data, questions(data), form)
    assert {document.id for document in pool.documents} == documents
    written, first = questions(data)[0], pool.questions["questions"][0]
    assert first.query == (written.named if form == "named" else written.question)
    assert first.answers == (PETS,)
    assert first.gold == (Span("docs/quay.txt", 141, 176),)
    assert (first.where is not None and first.where.documents == ("docs/quay.txt",)) is (form == "given")
    assert first.style == "plain"


def test_a_named_question_needs_a_reference(data: Path) -> None:
    named = question_pool(data, questions(data), "named").questions["questions"]
    assert len(named) == 3
    assert len(question_pool(data, questions(data), "bare").questions["questions"]) == 4
    write(data, ROWS[1:2])
    with pytest.raises(DataError, match="no question has a reference; use --form given or --form bare"):
        question_pool(data, questions(data), "named")


def test_a_limit_keeps_the_first_questions(data: Path) -> None:
    pool = question_pool(data, questions(data), "named", 2)
    assert [one.style for one in pool.questions["questions"]] == ["plain", "plain"]
    assert {document.id for document in question_pool(data, questions(data), "given", 1).documents} == {"docs/quay.txt"}


@pytest.mark.parametrize(
    ("change", "error", "said"),
    [
        ({"gold": [[0, 9999]]}, DataError, r"\[0, 9999\] lies outside docs/quay.txt, which has 177 characters"),
        ({"gold": [[-1, 5]]}, DataError, "lies outside"),
        ({"gold": [[7, 7]]}, DataError, "lies outside"),
        ({"document": "docs/gone.txt", "gold": []}, DataError, r"gone\.txt: no such document; --data is"),
    ],
)
def test_a_question_whose_answer_cannot_be_checked_is_refused(
    data: Path, change: dict[str, object], error: type[Exception], said: str
) -> None:
    write(data, [{**ROWS[0], **change}])
    with pytest.raises(error, match=said):
        question_pool(data, questions(data), "given")


def test_a_document_of_the_corpus_that_is_not_there_is_refused(data: Path) -> None:
    write(data, [{**ROWS[0], "document": "questions/corpus/gone.txt"}])
    for form in FORMS:
        with pytest.raises(DataError, match=r"gone\.txt"):
            question_pool(data, questions(data), form)


def test_an_unknown_form_lists_the_legal_ones(data: Path) -> None:
    with pytest.raises(UsageError, match="named, given, bare"):
        question_pool(data, questions(data), "spoken")


# Figures


def made_run(result: SetResult) -> BenchmarkRun:
    return BenchmarkRun("made", "keep", 1.0, 1.0, {}, {"questions": result})


def test_each_style_has_its_own_figures() -> None:
    example = Example("q", (), (), (), None)
    result = SetResult((example,) * 3, {"found": [1.0, 0.0, 0.5], "whole": [1.0, 1.0, 0.0]}, ("b", "a", "b"))
    assert style_figures(made_run(result)) == {
        "a": {"queries": 1.0, "found": 0.0, "whole": 1.0},
        "b": {"queries": 2.0, "found": 0.75, "whole": 0.5},
    }


@pytest.mark.parametrize(
    ("likelihoods", "auroc", "hidden"),
    [
        ([(True, 0.9), (False, 0.1)], 1.0, 0.0),
        ([(True, 0.1), (False, 0.9)], 0.0, 1.0),
        ([(True, 0.6), (False, 0.6)], 0.5, 0.0),
        ([(True, 0.9), (True, 0.4), (False, 0.6)], 0.5, 0.5),
        ([(True, 0.5), (False, 0.2), (False, 0.7)], 0.5, 0.0),  # one half is not below one half
    ],
)
def test_likelihoods_tell_what_is_answered(likelihoods: list[tuple[bool, float]], auroc: float, hidden: float) -> None:
    run = made_run(SetResult((), {}, (), tuple(likelihoods)))
    found = question_likelihoods(run)
    assert (found["auroc"], found["hidden"]) == (pytest.approx(auroc), pytest.approx(hidden))
    assert 0 <= found["calibration_error"] <= 1


@pytest.mark.parametrize("likelihoods", [(), ((True, 0.9),), ((False, 0.1), (False, 0.2))])
def test_without_both_kinds_of_questions_nothing_is_told(likelihoods: tuple[tuple[bool, float], ...]) -> None:
    assert question_likelihoods(made_run(SetResult((), {}, (), likelihoods))) == {}


def test_a_method_is_run_on_the_questions_and_only_answered_ones_are_measured(data: Path) -> None:
    for form in FORMS:
        run = run_method(method("context"), question_pool(data, questions(data), form), "keep", None)
        figures = style_figures(run)
        assert figures["plain"]["queries"] == 2
        assert figures["plain"]["document@1"] == 1.0
        assert figures["plain"]["whole@1"] == 1.0
        assert ("keywords" in figures) is (form != "named")


# The dev set


def test_written_questions_of_every_seventh_train_document_are_a_dev_set(data: Path) -> None:
    names = [f"docs/quay-{at}.txt" for at in range(60)]
    for name in names:
        (data / name).write_text(LEASE, encoding="utf-8")
    write(data, [{**row, "document": name} for name in names for row in (ROWS[0], ROWS[3])], "train")
    (found,) = dev_sets(data)
    assert found.name == WRITTEN
    kept = [document.id for document in found.documents]
    assert kept == [name for name in names if held_out(name)]
    assert 2 <= len(kept) <= 20
    assert len(found.asked) == 2 * len(kept)
    assert {where.documents[0] for _, where in found.asked if where is not None} == set(kept)


def test_a_folder_without_dev_sets_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="neither legalbench-rag/"):
        dev_sets(tmp_path)


# The command


def test_the_command_prints_a_table_by_style_and_writes_json(data: Path) -> None:
    out = data / "out.json"
    shown = run(
        *("benchmark", "questions", "--data", str(data / "questions"), "--form", "given", "--method", "bm25"),
        *("--method", "context", "--json", str(out)),
    )
    assert shown.returncode == 0, shown.stderr
    assert "questions dev, given: 2 documents" in shown.stdout
    for words in (
        ["bm25", "all", "3"],
        ["context", "all", "3"],
        ["context", "keywords", "1"],
        ["context", "plain", "2"],
    ):
        assert any(line.split()[:3] == words for line in shown.stdout.splitlines())
    first, second = json.loads(out.read_text(encoding="utf-8"))["runs"]
    assert (first["method"], second["method"]) == ("bm25", "context")
    assert second["form"] == "given"
    assert set(second["styles"]) == {"keywords", "plain"}
    assert second["styles"]["plain"]["whole@1"] == 1.0
    assert "auroc" not in second  # nothing judged it


def test_the_default_method_says_how_likely_answers_are(data: Path) -> None:
    out = data / "out.json"
    shown = run("benchmark", "questions", "--data", str(data / "questions"), "--form", "bare", "--json", str(out))
    assert shown.returncode == 0, shown.stderr
    (figures,) = json.loads(out.read_text(encoding="utf-8"))["runs"]
    assert 0.0 <= figures["auroc"] <= 1.0
    assert f"AUROC {figures['auroc']:.4f}" in shown.stdout


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["--split", "none"], 1, "none.jsonl: cannot be read"),
        (["--form", "spoken"], 2, "named, given, bare"),
        (["--method", "magic"], 2, "unknown method 'magic'"),
        (["--json", "no/such/folder/out.json"], 1, "does not exist; make it first"),
    ],
)
def test_what_is_wrong_is_one_clear_message(data: Path, arguments: list[str], code: int, said: str) -> None:
    shown = run("benchmark", "questions", "--data", str(data / "questions"), *arguments, cwd=data)
    assert shown.returncode == code
    assert said in " ".join(shown.stderr.replace("│", " ").split())
    assert shown.stdout == ""
