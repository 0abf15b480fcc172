"""The shipped int8 models beside torch with the same weights as floats, on the sample corpus."""

import json
from pathlib import Path

import numpy as np
import pytest

from pincite.documents import read_folder
from pincite.models import load_encoder, load_reranker
from pincite.models.shipped import SHIPPED
from pincite.segment import Clauses
from pincite.text import Collection
from tests.conftest import SAMPLES

pytestmark = pytest.mark.torch

COSINE, SCORE = 0.99, 0.25
"""The least mean cosine of vectors, and the greatest mean difference of scores (logits from about -10 to 8)."""


def torch_model(kind: str, name: str):  # type: ignore[no-untyped-def]
    import tokenizers

    from pincite.train.backbone import weights_of
    from pincite.train.config import TrainingConfig
    from pincite.train.training import Model

    config = TrainingConfig(kind, "start", max_tokens=512 if kind == "encoder" else 192)
    reader = tokenizers.Tokenizer.from_file(str(SHIPPED[name].folder / "tokenizer.json"))
    model = Model(config, weights_of(SHIPPED[name].folder / "model.onnx"), reader, "cpu")
    model.whole.eval()
    return model


@pytest.fixture(scope="module")
def passages() -> list[str]:
    documents = read_folder(SAMPLES / "corpus").documents
    lease = next(document for document in documents if "garnet" in document.id)
    held = Collection.build([lease], Clauses())
    edges = zip(held.units[0].starts.tolist(), held.units[0].ends.tolist(), strict=True)
    return [lease.text[start:end] for start, end in edges][:80]


@pytest.fixture(scope="module")
def questions() -> list[str]:
    path: Path = SAMPLES / "benchmarks" / "contracts.json"
    tests = json.loads(path.read_text(encoding="utf-8"))["tests"]
    return [test["query"] for test in tests if "lease" in test["query"].lower()][:8]


@pytest.mark.parametrize("name", [model.name for model in SHIPPED.values() if model.kind == "encoder"])
def test_the_encoder_ranks_as_torch_does(name: str, passages: list[str], questions: list[str]) -> None:
    import torch

    ours, model = load_encoder(name), torch_model("encoder", name)
    with torch.no_grad():
        wanted, asked = model.vectors(passages).numpy(), model.vectors(questions).numpy()
    found, put = ours.encode(passages), ours.encode(questions)
    assert float((wanted * found).sum(axis=1).mean()) > COSINE
    same = np.argmax(asked @ wanted.T, axis=1) == np.argmax(put @ found.T, axis=1)
    assert same.mean() >= 0.75
    assert _agreement(asked @ wanted.T, put @ found.T) > 0.95


@pytest.mark.parametrize("name", [model.name for model in SHIPPED.values() if model.kind == "re-ranker"])
def test_the_re_ranker_ranks_as_torch_does(name: str, passages: list[str], questions: list[str]) -> None:
    import torch

    ours, model = load_reranker(name), torch_model("reranker", name)
    with torch.no_grad():
        wanted = np.stack([model.scores([(q, text) for text in passages]).numpy() for q in questions])
    found = np.stack([ours.scores(question, passages) for question in questions])
    assert float(np.abs(wanted - found).mean()) < SCORE
    assert (np.argmax(wanted, axis=1) == np.argmax(found, axis=1)).mean() >= 0.75
    assert _agreement(wanted, found) > 0.95


def _agreement(one: np.ndarray, two: np.ndarray) -> float:
    """The mean rank correlation over the questions."""
    ranks = [np.argsort(np.argsort(values, axis=1), axis=1) for values in (one, two)]
    return float(np.mean([np.corrcoef(a, b)[0, 1] for a, b in zip(*ranks, strict=True)]))
