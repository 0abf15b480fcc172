"""Exports a sentence-transformers model as an ONNX folder that runs without torch, and compares the two."""

import contextlib
import io
import logging
import shutil
import tempfile
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from pincite.errors import ModelError, OutputError
from pincite.models.onnx_encoder import MODEL, TOKENIZER, EncoderCard, OnnxEncoder
from pincite.models.quantise import Inputs, QuantiseConfig, quantise
from pincite.models.torch_encoder import TorchEncoder


@dataclass(frozen=True, slots=True)
class Closeness:
    """An exported model compared with its original, on the calibration sentences."""

    mean_cosine: float
    least_cosine: float
    speed_ratio: float
    megabytes: float


def calibration_texts() -> list[str]:
    """Sentences and questions from the sample contracts."""
    return files("pincite.models").joinpath("calibration.txt").read_text(encoding="utf-8").splitlines()


def export_encoder(
    name_or_folder: str, out: Path, *, int8: bool, name: str = "", config: QuantiseConfig | None = None
) -> Closeness:
    """Writes `model.onnx`, `tokenizer.json` and `pincite.json` into `out`, which must be new or empty."""
    if out.exists() and any(out.iterdir()):
        raise OutputError(f"{out}: not empty; name a new folder for the exported model")
    source = TorchEncoder(name_or_folder)
    out.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=out.parent) as scratch:
        folder = Path(scratch) / "model"
        folder.mkdir()
        _write(source, folder, int8=int8, name=name or source.name, config=config)
        closeness = _compare(source, OnnxEncoder(folder))
        if out.exists():
            out.rmdir()
        shutil.move(str(folder), str(out))
    return closeness


def _write(source: TorchEncoder, folder: Path, *, int8: bool, name: str, config: QuantiseConfig | None) -> None:
    tokenizer = source.model.tokenizer
    if getattr(tokenizer, "backend_tokenizer", None) is None:
        raise ModelError(f"{source.name}: the export needs a fast tokenizer, which this model does not have")
    tokenizer.backend_tokenizer.save(str(folder / TOKENIZER))
    full = folder / "fp32.onnx"
    _trace(source.model, full)
    if int8:
        quantise(full, folder / MODEL, _calibration_inputs(source.model), config)
        full.unlink()
    else:
        full.rename(folder / MODEL)
    EncoderCard(
        name=name,
        dimensions=source.dimensions,
        max_tokens=int(source.model.max_seq_length),
        quantisation="static int8, smoothed" if int8 else "none",
        query_prefix=source.query_prefix,
        passage_prefix=source.passage_prefix,
        padding_token=str(tokenizer.pad_token),
        exported_from=source.sha256,
    ).write(folder)


def _trace(model: Any, path: Path) -> None:
    """Traces the model with pooling and normalisation as one graph, for any batch size and length."""
    import torch

    class Whole(torch.nn.Module):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.inner = model

        def forward(self, input_ids: Any, attention_mask: Any) -> Any:
            features = self.inner({"input_ids": input_ids, "attention_mask": attention_mask})
            return torch.nn.functional.normalize(features["sentence_embedding"], dim=-1)

    example = model.tokenizer(["two texts of", "different length here"], padding=True, return_tensors="pt")
    batch, length = torch.export.Dim("batch", min=1), torch.export.Dim("length", min=2, max=int(model.max_seq_length))
    with quiet():
        torch.onnx.export(
            Whole().eval(),
            (example["input_ids"], example["attention_mask"]),
            str(path),
            dynamo=True,
            external_data=False,
            input_names=["input_ids", "attention_mask"],
            output_names=["vector"],
            dynamic_shapes={"input_ids": {0: batch, 1: length}, "attention_mask": {0: batch, 1: length}},
        )


def _calibration_inputs(model: Any) -> Iterator[Inputs]:
    for text in calibration_texts():
        encoded = model.tokenizer([text], truncation=True, max_length=model.max_seq_length, return_tensors="np")
        yield {name: encoded[name].astype(np.int64) for name in ("input_ids", "attention_mask")}


def _compare(source: TorchEncoder, exported: OnnxEncoder) -> Closeness:
    texts = calibration_texts()
    seconds = []
    vectors = []
    for encoder in (source, exported):
        encoder.encode(texts[:8])
        started = perf_counter()
        vectors.append(encoder.encode(texts))
        seconds.append(perf_counter() - started)
    cosines = (vectors[0] * vectors[1]).sum(axis=1)
    size = sum(path.stat().st_size for path in exported.folder.iterdir()) / 1e6
    return Closeness(float(cosines.mean()), float(cosines.min()), seconds[0] / seconds[1], size)


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Silences the messages and warnings of the exporter; its errors are raised."""
    before = logging.root.manager.disable
    logging.disable(logging.WARNING)
    try:
        with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.disable(before)
