"""Writes a small encoder in our ONNX format: every word has a fixed random vector, a text the mean of its words'."""

from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

from pincite.models.onnx_encoder import EncoderCard
from tests.conftest import SAMPLES

DIMENSIONS = 48


def write_tiny_encoder(folder: Path, seed: int = 5) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    texts = [path.read_text(encoding="utf-8") for path in sorted((SAMPLES / "corpus").rglob("*.txt"))]
    words = sorted({word.lower() for text in texts for word in text.split() if word.isalpha()})
    vocabulary = {"[PAD]": 0, "[UNK]": 1, **{word: place for place, word in enumerate(words, start=2)}}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.save(str(folder / "tokenizer.json"))
    table = np.random.default_rng(seed).standard_normal((len(vocabulary), DIMENSIONS)).astype(np.float32)
    onnx.save(_model(table), str(folder / "model.onnx"))
    EncoderCard(name="tiny", dimensions=DIMENSIONS, max_tokens=64).write(folder)
    return folder


def _model(table: np.ndarray) -> onnx.ModelProto:
    nodes = [
        helper.make_node("Gather", ["table", "input_ids"], ["words"]),
        helper.make_node("Cast", ["attention_mask"], ["mask"], to=TensorProto.FLOAT),
        helper.make_node("Unsqueeze", ["mask", "last"], ["wide"]),
        helper.make_node("Mul", ["words", "wide"], ["kept"]),
        helper.make_node("ReduceSum", ["kept", "middle"], ["sum"], keepdims=0),
        helper.make_node("LpNormalization", ["sum"], ["vector"], axis=-1, p=2),
    ]
    integers = [
        helper.make_tensor_value_info(name, TensorProto.INT64, ["n", "t"]) for name in ("input_ids", "attention_mask")
    ]
    vector = helper.make_tensor_value_info("vector", TensorProto.FLOAT, ["n", DIMENSIONS])
    constants = [
        numpy_helper.from_array(table, "table"),
        numpy_helper.from_array(np.array([-1], dtype=np.int64), "last"),
        numpy_helper.from_array(np.array([1], dtype=np.int64), "middle"),
    ]
    graph = helper.make_graph(nodes, "tiny", integers, [vector], constants)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
