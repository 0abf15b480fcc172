"""The demo's answers are right, and none is called doubtful."""

from pathlib import Path

import pytest

from pincite import Index, read_folder
from pincite.cli.demo import QUESTIONS
from pincite.search.highlight import is_doubtful

RIGHT = (
    "The Tenant may underlet the whole of the Premises",
    "The Supplier shall bear the reasonable cost of a recall",
    "obligations continue for five (5) years",
)


@pytest.fixture(scope="module")
def index(samples: Path) -> Index:
    index = Index.create(":memory:")
    index.add_documents(read_folder(samples / "corpus").documents)
    return index


@pytest.mark.parametrize(("question", "answer"), zip(QUESTIONS, RIGHT, strict=True))
def test_the_demo_answers_right_and_without_doubt(index: Index, question: str, answer: str) -> None:
    found = index.search(question, k=1)
    assert answer in " ".join(found[0].text.split())
    assert found.answered is not None
    assert found.answered >= 0.5
    assert not is_doubtful(found[0])
