"""The transformer that is trained, built from a Hugging Face folder, an ONNX file with int8 weights, or our .npz."""

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pincite.errors import ModelError

Weights = dict[str, NDArray[np.float32]]
OURS = "body."
"""What the names of an exported model begin with."""


def weights_of(path: Path) -> Weights:
    """The float weights of a model by their Hugging Face names, without a leading "bert."."""
    if path.is_dir():
        found = _from_safetensors(path)
    elif path.suffix == ".npz":
        found = _from_rows(path)
    else:
        found = _from_onnx(path)
    return {name.removeprefix("bert."): value for name, value in found.items()}


def mean_of(models: Sequence[Weights]) -> Weights:
    """The mean of the weights of models with the same start."""
    if len({tuple(sorted((name, value.shape) for name, value in model.items())) for model in models}) > 1:
        raise ModelError("the models to start from are not built alike; their mean makes no sense")
    return {name: np.mean([model[name] for model in models], axis=0, dtype=np.float32) for name in models[0]}


def _from_safetensors(folder: Path) -> Weights:
    from safetensors.numpy import load_file

    files = sorted(folder.glob("*.safetensors"))
    if not files:
        raise ModelError(f"{folder}: no .safetensors file in this folder; name a folder with a Hugging Face model")
    return {name: value.astype(np.float32) for file in files for name, value in load_file(file).items()}


def _from_rows(path: Path) -> Weights:
    """Weights that `write_rows` wrote."""
    with np.load(path) as held:
        names = sorted({name.rsplit("|", 1)[0] for name in held.files})
        return {
            name: (held[f"{name}|codes"].astype(np.float32) * held[f"{name}|scales"])
            if f"{name}|codes" in held.files
            else held[f"{name}|plain"].astype(np.float32)
            for name in names
        }


def write_rows(path: Path, weights: Weights) -> None:
    """Writes matrices as 8-bit numbers with a scale for each row, the rest as 32-bit floats: a quarter of the size."""
    arrays: dict[str, NDArray[Any]] = {}
    for name, value in weights.items():
        if value.ndim == 2 and value.size > 10_000:
            scales = np.maximum(np.abs(value).max(axis=1, keepdims=True) / 127, 1e-12).astype(np.float32)
            arrays[f"{name}|codes"] = np.rint(value / scales).astype(np.int8)
            arrays[f"{name}|scales"] = scales
        else:
            arrays[f"{name}|plain"] = value.astype(np.float32)
    np.savez_compressed(path, **arrays)  # type: ignore[arg-type]


def _from_onnx(path: Path) -> Weights:
    """Turns a BERT with int8 weights back into floats: one that `export_trained` wrote, or a dynamically quantised
    one."""
    import onnx
    from onnx import numpy_helper

    try:
        model = onnx.load(str(path))
    except Exception as error:  # noqa: BLE001 - onnx raises many kinds
        raise ModelError(f"{path}: not an ONNX model ({error})") from None
    held = {entry.name: numpy_helper.to_array(entry) for entry in model.graph.initializer}
    named = any(name.startswith(OURS) for name in held)
    return _statically_quantised(model.graph.node, held) if named else _dynamically_quantised(model.graph.node, held)


def _statically_quantised(nodes: Iterable[Any], held: Mapping[str, Any]) -> Weights:
    """Ours. A matrix is named after the bias that is added to its product, and was multiplied by what its input is
    divided by."""
    biases = {node.input[0]: node.input[1] for node in nodes if node.op_type == "Add" and node.input[1] in held}
    found: Weights = {name: value for name, value in held.items() if name.endswith((".weight", ".bias"))}
    for node in nodes:
        if node.op_type == "MatMulIntegerToFloat":
            codes, scale, divisor = (
                held[node.input[1]],
                held[node.input[3]],
                node.input[0].replace("_uint8", "_divisor"),
            )
            matrix = codes.astype(np.float32) * scale * held[divisor][:, None]
            found[biases[node.output[0]].replace(".bias", ".weight")] = np.ascontiguousarray(matrix.T)
    words = f"{OURS}embeddings.word_embeddings.weight"
    if words not in found:
        found[words] = held[f"{words}_int8"].astype(np.float32) * held[f"{words}_scale"]
    return {name.removeprefix(OURS).replace("head.", "classifier."): value for name, value in found.items()}


def _dynamically_quantised(nodes: Iterable[Any], held: Mapping[str, Any]) -> Weights:
    """A matrix is named after the node that multiplies by it."""

    def floats(name: str) -> NDArray[np.float32]:
        zero, scale = held[f"{name}_zero_point"].astype(np.float32), held[f"{name}_scale"]
        whole: NDArray[np.float32] = ((held[f"{name}_quantized"].astype(np.float32) - zero) * scale).astype(np.float32)
        return whole

    found: Weights = {}
    for name, value in held.items():
        plain = name.removesuffix("_quantized")
        if name.endswith("_quantized") and plain.endswith(".weight"):
            matrix = floats(plain)
            found[plain] = matrix if "embeddings" in plain else matrix.T
        elif value.dtype == np.float32 and re.search(r"\.(weight|bias)$", name):
            found[name] = value
    for node in nodes:
        if node.op_type == "MatMulInteger" and node.input[1].endswith("_quantized"):
            base = node.input[1].removesuffix("_quantized")
            named = re.sub(r"/MatMul.*$", "", node.name).strip("/").replace("/", ".") + ".weight"
            if base.startswith("onnx::"):
                found[named] = np.ascontiguousarray(floats(base).T)
    return found


def build(weights: Weights, layers: int = 0) -> Any:
    """A BERT with these weights. `layers` says how many of its layers are kept, evenly spaced; 0 keeps all."""
    import torch
    from transformers import BertConfig, BertModel

    count = 1 + max(int(found.group(1)) for name in weights if (found := re.match(r"encoder\.layer\.(\d+)\.", name)))
    kept = list(range(count)) if not layers else [round(at) for at in np.linspace(0, count - 1, layers)]
    words = weights["embeddings.word_embeddings.weight"]
    hidden = words.shape[1]
    config = BertConfig(
        vocab_size=words.shape[0],
        hidden_size=hidden,
        num_hidden_layers=len(kept),
        num_attention_heads=hidden // 32,
        intermediate_size=weights["encoder.layer.0.intermediate.dense.weight"].shape[0],
        max_position_embeddings=weights["embeddings.position_embeddings.weight"].shape[0],
    )
    model = BertModel(config, add_pooling_layer="pooler.dense.weight" in weights)
    state = {}
    for name in model.state_dict():
        source = re.sub(r"encoder\.layer\.(\d+)\.", lambda at: f"encoder.layer.{kept[int(at.group(1))]}.", name)
        if source in weights:
            state[name] = torch.from_numpy(np.array(weights[source]))
    missing, _ = model.load_state_dict(state, strict=False)
    missing = [name for name in missing if "position_ids" not in name]
    if missing:
        raise ModelError(f"the start weights lack {', '.join(missing[:3])}; start from the weights of a BERT")
    return model
