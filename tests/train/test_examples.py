"""Training examples: where they come from, and what is refused."""

import json
import random
from pathlib import Path

import pytest

from pincite.documents import read_folder
from pincite.errors import DataError, UsageError
from pincite.evaluate.wordings import WORDINGS, kind_of
from pincite.train.config import FITTED, TrainingConfig, read_config
from pincite.train.examples import TrainingExample, read_examples, write_examples
from pincite.train.lepard import from_lepard
from pincite.train.rewording import reworded
from pincite.train.sources import from_contractnli, from_legalbench_rag
from pincite.train.synthetic_examples import made_examples

CONFIGS = Path(__file__).parents[2] / "src" / "pincite" / "train" / "configs"


def test_examples_come_back_as_they_were_written(tmp_path: Path) -> None:
    examples = [TrainingExample("may pets be kept?", ("No pets.",), ("The rent is due.",), "made", "pets")]
    path = tmp_path / "train.json.gz"
    assert write_examples(path, examples) == 1
    assert read_examples(path) == examples
    first = path.read_bytes()
    write_examples(path, examples)
    assert path.read_bytes() == first


@pytest.mark.parametrize(
    ("example", "said"),
    [
        (TrainingExample(" ", ("a b",), (), "x"), "question is empty"),
        (TrainingExample("q", (), (), "x"), "no passage answers"),
        (TrainingExample("q", (" ",), ("a",), "x"), "no passage answers"),
        (TrainingExample("q", ("The  Rent",), ("the rent",), "x"), "both an answer and not an answer"),
    ],
)
def test_an_example_that_teaches_nothing_or_two_things_is_refused(
    example: TrainingExample, said: str, tmp_path: Path
) -> None:
    with pytest.raises(DataError, match=said):
        write_examples(tmp_path / "train.json.gz", [example])


def test_a_file_that_holds_no_examples_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "train.json.gz"
    path.write_bytes(b"not gzip")
    with pytest.raises(DataError, match="not a file of training examples"):
        read_examples(path)
    write_examples(path, [])
    with pytest.raises(DataError, match="no examples"):
        read_examples(path)


def test_labelled_questions_become_examples_with_hard_negatives(samples: Path) -> None:
    examples = list(from_legalbench_rag(samples, None, "all"))
    assert len(examples) > 60
    for example in examples:
        example.check("sample")
        assert len(example.negatives) >= 8
        assert ";" not in example.question[:20]
    assert list(from_legalbench_rag(samples, None, "all")) == examples


def test_contractnlis_pairs_are_reworded_and_keep_their_kind(tmp_path: Path) -> None:
    path = tmp_path / "pairs.jsonl"
    rows = [
        {
            "document": at,
            "hypothesis": "Receiving Party shall not disclose it.",
            "evidence": ["Keep it."],
            "other_spans": ["Rent."],
            "label": "Entailment",
        }
        for at in range(20)
    ]
    silent = {
        "document": 20,
        "hypothesis": "Tenant shall repair.",
        "evidence": ["Tenant repairs."],
        "other_spans": ["It is not disclosed here.", "Noise is forbidden."],
    }
    path.write_text("\n".join(map(json.dumps, [*rows, silent])), encoding="utf-8")
    *examples, last = from_contractnli(path)
    assert len({example.question for example in examples}) > 10
    assert {example.kind for example in examples} == {"Receiving Party shall not disclose it."}
    for example in examples:
        assert "Rent." in example.negatives
        assert "It is not disclosed here." in example.negatives  # of the document that does not mention it
    assert "Keep it." in last.negatives


def test_contracts_alone_make_examples(samples: Path) -> None:
    documents = read_folder(samples / "corpus").documents
    examples = list(made_examples(documents))
    assert len(examples) > 100
    assert {example.question.split()[0] for example in examples}
    for example in examples:
        example.check("made")
    assert list(made_examples(documents)) == examples


def test_lepards_rows_are_read(tmp_path: Path) -> None:
    path = tmp_path / "lepard.csv"
    path.write_text(
        'quote,destination_context,other\n"A, quoted",before it,1\nAnother quote,around it,2\n,empty,3\nThird,last,4\n',
        encoding="utf-8",
    )
    examples = list(from_lepard(path))
    assert [(e.question, e.positives, e.negatives) for e in examples] == [
        ("around it", ("Another quote",), ("A, quoted",)),
        ("last", ("Third",), ("A, quoted", "Another quote")),
    ]
    path.write_text("a,b\n1,2\n", encoding="utf-8")
    with pytest.raises(DataError, match="destination_context"):
        list(from_lepard(path))


def test_rewording_changes_words_and_is_the_same_every_time() -> None:
    question = "Receiving Party shall not disclose Confidential Information to any third party."
    found = {reworded(question, random.Random(seed)) for seed in range(50)}
    assert len(found) > 40
    assert found == {reworded(question, random.Random(seed)) for seed in range(50)}


def test_the_wordings_that_test_generalisation_are_never_made_by_rewording() -> None:
    assert len(WORDINGS) == 17
    assert all(len(set(wordings)) >= 5 for wordings in WORDINGS.values())
    asked = {wording.casefold() for wordings in WORDINGS.values() for wording in wordings}
    made = {reworded(mark, random.Random(seed)).casefold() for mark in WORDINGS for seed in range(200)}
    assert not asked & made
    assert kind_of("Does it SURVIVE the end?") == "survive"


@pytest.mark.parametrize("path", sorted(CONFIGS.glob("*.toml")), ids=lambda path: path.stem)
def test_the_configurations_can_be_read(path: Path) -> None:
    config = read_config(path)
    assert config.model == path.stem.split("-")[0]
    if isinstance(config, TrainingConfig):
        assert ("contractnli" in config.sources) == ("zero-shot" not in path.stem)
        assert len(config.weights) == len(config.sources)
    else:
        assert config.model in FITTED
        assert ("zero-shot" in config.encoder) == ("zero-shot" in config.reranker) == ("zero-shot" in path.stem)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('model = "encoder"\nstart = "x"\ncolour = 1', "unknown key 'colour'"),
        ('model = "encoder"', "'start' is missing"),
        ('start = "x"', "'model' is missing"),
        ('model = "fusion"\nencoder = "a"\nreranker = "b"\nlayers = 2', "unknown key 'layers'"),
        ('model = "magic"\nstart = "x"', "must be one of encoder, reranker"),
        ("model = ", "not TOML"),
    ],
)
def test_a_configuration_that_makes_no_sense_is_refused(text: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "a.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises((DataError, UsageError), match=said):
        read_config(path)
