"""Training for real, on a CPU, with a transformer small enough for it; and what comes out, without torch."""

import json
from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pytest
from typer.testing import CliRunner

from pincite.cli.main import app
from pincite.errors import DataError, ModelError
from pincite.fuse.parts import FixedWeights
from pincite.models.onnx_encoder import OnnxEncoder
from pincite.models.reranker import OnnxReranker
from pincite.retrieve import ContextRetriever
from pincite.search.rerank import RerankStage
from pincite.segment import Clauses
from pincite.text import Collection
from pincite.train.backbone import mean_of, weights_of, write_rows
from pincite.train.config import TrainingConfig
from pincite.train.examples import TrainingExample, write_examples
from pincite.train.export import export_trained
from pincite.train.training import CHECKPOINT, RECORD, Model, train

pytestmark = pytest.mark.torch

TOPICS = ("rent", "pets", "noise", "repair", "notice", "insurance")
WORDS = [
    "[PAD]",
    "[UNK]",
    "[CLS]",
    "[SEP]",
    *TOPICS,
    "the",
    "what",
    "about",
    "clause",
    "on",
    "is",
    "due",
    "no",
    "shall",
    "tenant",
]


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Start weights, a tokenizer and examples that can be learned: the answer holds the word that is asked for."""
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

    folder = tmp_path_factory.mktemp("train")
    tokenizer = Tokenizer(models.WordLevel({word: at for at, word in enumerate(WORDS)}, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    tokenizer.save(str(folder / "tokenizer.json"))
    chance, hidden, inner = np.random.default_rng(3), 32, 64
    shapes = {
        "embeddings.word_embeddings.weight": (len(WORDS), hidden),
        "embeddings.position_embeddings.weight": (64, hidden),
        "embeddings.token_type_embeddings.weight": (2, hidden),
        "pooler.dense.weight": (hidden, hidden),
    }
    for layer in range(2):
        base = f"encoder.layer.{layer}."
        for name in ("attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense"):
            shapes[f"{base}{name}.weight"] = (hidden, hidden)
        shapes[f"{base}intermediate.dense.weight"] = (inner, hidden)
        shapes[f"{base}output.dense.weight"] = (hidden, inner)
    weights = {name: chance.normal(0, 0.08, shape).astype(np.float32) for name, shape in shapes.items()}
    for name, shape in list(shapes.items()):
        if "dense" in name or "self" in name:
            weights[name.replace(".weight", ".bias")] = np.zeros(shape[0], dtype=np.float32)
    norms = [
        "embeddings.LayerNorm",
        *(f"encoder.layer.{at}.{part}.LayerNorm" for at in range(2) for part in ("attention.output", "output")),
    ]
    for name in norms:
        weights[f"{name}.weight"], weights[f"{name}.bias"] = np.ones(hidden, np.float32), np.zeros(hidden, np.float32)
    write_rows(folder / "start.npz", weights)
    examples = [
        TrainingExample(
            f"what about {topic}",
            (f"the {topic} is due",),
            tuple(f"the {other} is due" for other in TOPICS if other != topic),
            "made",
            topic,
        )
        for topic in TOPICS
    ]
    write_examples(folder / "train.json.gz", examples * 16)
    write_examples(
        folder / "dev.json.gz", [replace(e, question=e.question.replace("what about", "clause on")) for e in examples]
    )
    return folder


def config(model: str, **settings: object) -> TrainingConfig:
    plain = TrainingConfig(
        model, "start.npz", sources=("made",), epochs=40, lists=6, negatives=3, learning_rate=1e-3, checkpoint_every=20
    )
    return replace(plain, **settings)  # type: ignore[arg-type]


@pytest.mark.parametrize("model", ["encoder", "reranker"])
def test_a_model_learns_and_says_how_it_was_made(model: str, data: Path, tmp_path: Path) -> None:
    lines: list[str] = []
    made = train(config(model, learning_rate=3e-3), data, tmp_path, "cpu", lines.append)
    record = json.loads((tmp_path / RECORD).read_text())
    assert record["curve"][-1]["loss"] < 0.9 * record["curve"][0]["loss"]
    assert record["curve"][-1]["dev_first"] > 0.5
    assert record["config"]["seed"] == 1
    assert len(record["examples"]["sha256"]) == 64
    assert weights_of(made)["embeddings.word_embeddings.weight"].shape == (len(WORDS), 32)
    assert not (tmp_path / CHECKPOINT).exists()
    assert "96 examples" in lines[0]


def test_a_student_learns_the_order_of_its_teachers(data: Path, tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    for name in ("start.npz", "tokenizer.json", "dev.json.gz"):
        (folder / name).write_bytes((data / name).read_bytes())
    for seed in (1, 2):
        made = train(
            config("reranker", learning_rate=3e-3, seed=seed), data, tmp_path / f"{seed}", "cpu", lambda _: None
        )
        (folder / f"teacher-{seed}.npz").write_bytes(made.read_bytes())
    # The labels are of one topic alone; of the others only the teachers know something.
    rent, *others = TOPICS
    told = [TrainingExample(f"what about {rent}", (f"the {rent} is due",), ("the tenant shall",), "made", rent)]
    untold = [
        TrainingExample(
            f"what about {one}", (), ("the tenant shall",), "made", one, tuple(f"the {t} is due" for t in TOPICS)
        )
        for one in others
    ]
    write_examples(folder / "train.json.gz", (told + untold) * 16)
    student = config("reranker", teachers=("teacher-1.npz", "teacher-2.npz"), unlabelled=6, learning_rate=3e-3)
    train(student, folder, tmp_path / "student", "cpu", lambda _: None)
    alone = config("reranker", learning_rate=3e-3)
    train(alone, folder, tmp_path / "alone", "cpu", lambda _: None)
    taught, untaught = (json.loads((tmp_path / name / RECORD).read_text()) for name in ("student", "alone"))
    assert taught["curve"][-1]["dev_first"] > untaught["curve"][-1]["dev_first"]
    assert sorted(taught["teachers"]) == ["teacher-1.npz", "teacher-2.npz"]


def test_a_run_can_start_from_the_mean_of_models_that_are_alike(data: Path, tmp_path: Path) -> None:
    start = weights_of(data / "start.npz")
    assert all(np.allclose(mean_of([start, start])[name], value) for name, value in start.items())
    with pytest.raises(ModelError, match="not built alike"):
        mean_of([start, {name: value for name, value in start.items() if "layer.1" not in name}])
    made = train(config("encoder", start=("start.npz", "start.npz"), epochs=1), data, tmp_path, "cpu", lambda _: None)
    assert made.is_file()


def test_the_answer_of_another_question_is_no_negative_if_it_says_nearly_the_same(data: Path) -> None:
    import torch
    from tokenizers import Tokenizer

    batch = [TrainingExample(f"what about {one}", ("the rent is due",), (), "made", one) for one in TOPICS]
    losses = []
    for alike in (0.0, 0.9):
        torch.manual_seed(1)
        reader = Tokenizer.from_file(str(data / "tokenizer.json"))
        model = Model(config("encoder", alike=alike), weights_of(data / "start.npz"), reader, "cpu")
        model.whole.eval()
        losses.append(float(model.loss(batch, Random(1)).detach()))
    assert losses[0] > 1.0  # six equal answers: each question's own is one of six
    assert losses[1] == pytest.approx(0.0, abs=1e-4)


def test_the_mean_of_two_runs_is_written_by_a_command(data: Path, tmp_path: Path) -> None:
    start = weights_of(data / "start.npz")
    write_rows(tmp_path / "other.npz", {name: value + np.float32(0.1) for name, value in start.items()})
    out = tmp_path / "mean" / "weights.npz"
    ran = CliRunner().invoke(
        app, ["train", "average", f"{data / 'start.npz'}", f"{tmp_path / 'other.npz'}", "--out", f"{out}"]
    )
    assert ran.exit_code == 0, ran.output
    assert all(np.allclose(weights_of(out)[name], value + 0.05, atol=5e-3) for name, value in start.items())


def test_a_run_that_was_stopped_goes_on_and_ends_the_same(data: Path, tmp_path: Path) -> None:
    whole = train(config("encoder", epochs=4), data, tmp_path / "whole", "cpu", lambda _: None)

    class Stop(Exception):  # noqa: N818
        pass

    def stop(line: str) -> None:
        if "step 64" in line or "loss" in line:
            raise Stop

    with pytest.raises(Stop):
        train(config("encoder", epochs=4), data, tmp_path / "stopped", "cpu", stop)
    assert (tmp_path / "stopped" / CHECKPOINT).exists()
    lines: list[str] = []
    again = train(config("encoder", epochs=4), data, tmp_path / "stopped", "cpu", lines.append)
    assert "from step" in lines[0]
    for name, value in weights_of(whole).items():
        assert np.allclose(value, weights_of(again)[name], atol=1e-6), name


def test_bad_input_is_a_clear_message(data: Path, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"nowhere.*docs/training.md"):
        train(config("encoder", start="nowhere"), data, tmp_path, "cpu")
    with pytest.raises(ModelError, match="no GPU"):
        train(config("encoder"), data, tmp_path, "cuda")
    (tmp_path / CHECKPOINT).write_bytes(b"")
    with pytest.raises(ModelError, match="checkpoint is not of this run"):
        train(config("encoder"), data, tmp_path, "cpu")


def test_too_little_memory_is_a_clear_message_and_can_be_resumed(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pincite.train.training import Model

    whole, seen = Model.loss, []

    def starved(self: Model, *arguments: object) -> object:
        seen.append(1)
        if len(seen) == 25:
            raise MemoryError
        return whole(self, *arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(Model, "loss", starved)
    with pytest.raises(ModelError, match="too little memory for step 25: lower 'lists'"):
        train(config("encoder", epochs=4), data, tmp_path, "cpu", lambda _: None)
    assert (tmp_path / CHECKPOINT).exists()
    lines: list[str] = []
    train(config("encoder", epochs=4), data, tmp_path, "cpu", lines.append)
    assert "from step 20" in lines[0]


@pytest.mark.parametrize("int8", [False, True])
def test_what_was_trained_runs_without_torch_and_gives_the_same(data: Path, tmp_path: Path, int8: bool) -> None:
    import tokenizers
    import torch

    from pincite.train.training import Model

    texts = ["the rent is due", "no pets", "the tenant shall repair", "clause on noise"]
    tolerance = 0.2 if int8 else 1e-4
    reader = tokenizers.Tokenizer.from_file(str(data / "tokenizer.json"))
    for kind in ("encoder", "reranker"):
        made = train(config(kind, epochs=2), data, tmp_path / kind, "cpu", lambda _: None)
        folder = tmp_path / f"{kind}-onnx"
        export_trained(made, data / "tokenizer.json", folder, f"tiny-{kind}", 32, int8=int8)
        torch_model = Model(config(kind), weights_of(made), reader, "cpu")
        torch_model.whole.eval()
        with torch.no_grad():
            if kind == "encoder":
                wanted = torch_model.vectors(texts).numpy()
                found = OnnxEncoder(folder).encode(texts)
            else:
                wanted = torch_model.scores([("what about rent", text) for text in texts]).numpy()
                reranker = OnnxReranker(folder)
                found = reranker.scores("what about rent", texts)
                alone = [float(reranker.scores("what about rent", [text])[0]) for text in texts]
                assert np.allclose(found, alone, atol=1e-5)
        assert np.abs(found - wanted).max() < tolerance


def test_a_re_ranker_reads_the_best_units_again(data: Path, tmp_path: Path, samples: Path) -> None:
    from pincite.documents import read_folder

    made = train(config("reranker", epochs=1), data, tmp_path / "r", "cpu", lambda _: None)
    export_trained(made, data / "tokenizer.json", tmp_path / "onnx", "tiny", 32, int8=False)
    weights = FixedWeights({"first": 1.0, "rerank": 1e4})
    stage = RerankStage(OnnxReranker(tmp_path / "onnx"), weights, depth=5)
    collection = Collection.build(read_folder(samples / "corpus").documents, Clauses())
    plain, read_again = ContextRetriever(), ContextRetriever(rerank=stage)
    for retriever in (plain, read_again):
        retriever.index(collection)
    question = "Under the Garnet Quay lease, when is the rent due?"
    before, after = plain.search(question, 20), read_again.search(question, 20)
    assert all("rerank" in hit.parts for hit in after[:5])
    assert sum("rerank" in hit.parts for hit in after) <= 5
    assert all(hit.text == hit.document.text[hit.start : hit.end] for hit in after)
    assert [hit.passage for hit in before] != [hit.passage for hit in after]
    assert [hit.score for hit in after] == sorted((hit.score for hit in after), reverse=True)
