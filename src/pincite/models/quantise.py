"""Quantises models to int8 with static scales, so that results do not depend on the batch.

Dynamic quantisation takes one activation scale from the whole batch, so that the other texts of the batch change a
score. Here every scale is fixed beforehand, on the calibration sentences. A few channels of a transformer's activations
are much larger than the rest; each channel is divided by max|activation|^a / max|weight|^(1-a) and the weight's row
multiplied by it (SmoothQuant: Xiao and others, ICML 2023, with a = 0.5; 0.8 to 0.9 is best here: docs/models.md).
Weights use 7 of the 8 bits: processors without VNNI add pairs of products in 16 bits, and must give the same sums.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Float = NDArray[np.float32]
Inputs = Mapping[str, NDArray[np.int64]]


@dataclass(frozen=True, slots=True)
class QuantiseConfig:
    """The settings of the quantisation."""

    smoothing: float = 0.85
    """The exponent a of SmoothQuant: how activations and weights share the range."""
    headroom: float = 1.2
    """How far activations of other texts may exceed those of the calibration sentences, as a factor."""
    weight_limit: int = 63
    """The largest quantised weight; 63 uses 7 bits."""
    smallest_table: int = 1000
    """Embedding tables with at least this many rows are stored as int8, with a scale for each row."""


def quantise(model_path: Path, out: Path, calibration: Iterable[Inputs], config: QuantiseConfig | None = None) -> None:
    """Writes an int8 version of an fp32 ONNX model. Weight matrices and large embedding tables are quantised."""
    import onnx

    config = config or QuantiseConfig()
    model = onnx.load(str(model_path))
    Rewriter(model, _largest_inputs(model, model_path, calibration), config).rewrite()
    onnx.save(model, str(out))


def _weights(model: Any) -> dict[str, Float]:
    from onnx import numpy_helper

    return {entry.name: numpy_helper.to_array(entry) for entry in model.graph.initializer}


def _is_weight_product(node: Any, weights: Mapping[str, Float]) -> bool:
    return node.op_type == "MatMul" and node.input[1] in weights and weights[node.input[1]].ndim == 2


def _largest_inputs(model: Any, model_path: Path, calibration: Iterable[Inputs]) -> dict[str, Float]:
    """The largest magnitude of each channel of each tensor that a weight matrix multiplies."""
    import onnx
    import onnxruntime
    from onnx import TensorProto, helper

    weights = _weights(model)
    watched = sorted({node.input[0] for node in model.graph.node if _is_weight_product(node, weights)})
    probe = onnx.load(str(model_path))
    probe.graph.output.extend(helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in watched)
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(probe.SerializeToString(), options, providers=["CPUExecutionProvider"])
    largest: dict[str, Float] = {}
    for inputs in calibration:
        for name, value in zip(watched, session.run(watched, dict(inputs)), strict=True):
            channels = np.abs(value.reshape(-1, value.shape[-1])).max(axis=0)
            largest[name] = np.maximum(largest.get(name, channels), channels)
    return largest


class Rewriter:
    """Replaces nodes of a model by their int8 counterparts."""

    def __init__(self, model: Any, largest: Mapping[str, Float], config: QuantiseConfig) -> None:
        self.model = model
        self.largest = largest
        self.config = config
        self.weights = _weights(model)
        self.nodes: list[Any] = []
        self.added: list[Any] = []
        self.replaced: set[str] = set()
        self.smoothing: dict[str, Float] = {}
        self.matrices: defaultdict[str, list[Float]] = defaultdict(list)
        for node in model.graph.node:
            if _is_weight_product(node, self.weights):
                self.matrices[node.input[0]].append(self.weights[node.input[1]])

    def rewrite(self) -> None:
        from onnx import helper

        graph = self.model.graph
        for node in graph.node:
            if _is_weight_product(node, self.weights):
                self._product(node)
            elif node.op_type == "Gather" and self._is_large_table(node.input[0]):
                self._lookup(node)
            else:
                self.nodes.append(node)
        kept = [entry for entry in graph.initializer if entry.name not in self.replaced]
        del graph.node[:], graph.initializer[:]
        graph.node.extend(self.nodes)
        graph.initializer.extend(kept + self.added)
        if not any(opset.domain == "com.microsoft" for opset in self.model.opset_import):
            self.model.opset_import.append(helper.make_opsetid("com.microsoft", 1))

    def _is_large_table(self, name: str) -> bool:
        return name in self.weights and len(self.weights[name]) >= self.config.smallest_table

    def _product(self, node: Any) -> None:
        activation, weight = node.input
        if activation not in self.smoothing:
            self._quantise_activation(activation)
        smoothed = self.weights[weight] * self.smoothing[activation][:, None]
        limit = self.config.weight_limit
        scales = np.maximum(np.abs(smoothed).max(axis=0), 1e-12) / limit
        self._constant(f"{weight}_int8", np.clip(np.round(smoothed / scales), -limit, limit).astype(np.int8))
        self._constant(f"{weight}_scale", scales.astype(np.float32))
        inputs = [
            f"{activation}_uint8",
            f"{weight}_int8",
            f"{activation}_scale",
            f"{weight}_scale",
            f"{activation}_zero",
        ]
        self._node("MatMulIntegerToFloat", inputs, list(node.output), domain="com.microsoft")
        self.replaced.add(weight)

    def _quantise_activation(self, name: str) -> None:
        a = self.config.smoothing
        largest = np.maximum(self.largest[name] * self.config.headroom, 1e-5)
        weight = np.maximum(np.max([np.abs(matrix).max(axis=1) for matrix in self.matrices[name]], axis=0), 1e-5)
        smoothing = (largest**a / weight ** (1 - a)).astype(np.float32)
        self.smoothing[name] = smoothing
        self._constant(f"{name}_divisor", (1 / smoothing).astype(np.float32))
        self._constant(f"{name}_scale", np.array((largest / smoothing).max() / 127, dtype=np.float32))
        self._constant(f"{name}_zero", np.array(128, dtype=np.uint8))
        self._node("Mul", [name, f"{name}_divisor"], [f"{name}_smooth"])
        self._node("QuantizeLinear", [f"{name}_smooth", f"{name}_scale", f"{name}_zero"], [f"{name}_uint8"])

    def _lookup(self, node: Any) -> None:
        from onnx import TensorProto

        table, rows = node.input
        if table not in self.replaced:
            values = self.weights[table]
            scales = np.maximum(np.abs(values).max(axis=1, keepdims=True), 1e-12) / 127
            self._constant(f"{table}_int8", np.round(values / scales).astype(np.int8))
            self._constant(f"{table}_scale", scales.astype(np.float32))
            self.replaced.add(table)
        out = node.output[0]
        self._node("Gather", [f"{table}_int8", rows], [f"{out}_int8"], axis=0)
        self._node("Gather", [f"{table}_scale", rows], [f"{out}_scale"], axis=0)
        self._node("Cast", [f"{out}_int8"], [f"{out}_float"], to=TensorProto.FLOAT)
        self._node("Mul", [f"{out}_float", f"{out}_scale"], [out])

    def _constant(self, name: str, value: NDArray[Any]) -> None:
        from onnx import numpy_helper

        self.added.append(numpy_helper.from_array(value, name))

    def _node(self, kind: str, inputs: list[str], outputs: list[str], **attributes: Any) -> None:
        from onnx import helper

        self.nodes.append(helper.make_node(kind, inputs, outputs, **attributes))
