"""Exports trained weights as ONNX models that run without torch, in int8 if wanted."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from shutil import copyfile
from typing import Any

import numpy as np

from pincite.models.export import calibration_texts, quiet
from pincite.models.onnx_encoder import MODEL, TOKENIZER, EncoderCard
from pincite.models.quantise import Inputs, quantise
from pincite.train.backbone import build, weights_of

EXAMPLE = ("two texts of", "different length here")


def export_trained(
    weights: Path, tokenizer: Path, folder: Path, name: str, max_tokens: int, *, int8: bool = True
) -> float:
    """Writes `model.onnx`, `tokenizer.json` and `pincite.json` into a folder. Weights with a classifier are those of a
    re-ranker, others those of an encoder. Returns how far int8 is from floats on the calibration sentences: the mean
    difference of scores, or 1 less the mean cosine."""
    import tokenizers

    held = weights_of(weights)
    reader = tokenizers.Tokenizer.from_file(str(tokenizer))
    reader.enable_truncation(max_tokens)
    reader.no_padding()
    folder.mkdir(parents=True, exist_ok=True)
    copyfile(tokenizer, folder / TOKENIZER)
    pairs = "classifier.weight" in held
    full = folder / "fp32.onnx"
    _trace(_whole(held, pairs=pairs), reader, full, max_tokens, pairs=pairs)
    far = 0.0
    if int8:
        quantise(full, folder / MODEL, _calibration(reader, pairs=pairs))
        far = _difference(full, folder / MODEL, list(_calibration(reader, pairs=pairs)), pairs=pairs)
        full.unlink()
    else:
        full.rename(folder / MODEL)
    body = held["embeddings.word_embeddings.weight"]
    EncoderCard(
        name=name,
        dimensions=1 if pairs else body.shape[1],
        max_tokens=max_tokens,
        quantisation="static int8, smoothed" if int8 else "none",
        exported_from=weights.name,
    ).write(folder)
    return far


def _difference(full: Path, made: Path, inputs: Sequence[Inputs], *, pairs: bool) -> float:
    import onnxruntime

    sessions = [onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"]) for path in (full, made)]
    floats, ours = (np.concatenate([session.run(None, dict(row))[0] for row in inputs]) for session in sessions)
    return float(np.abs(floats - ours).mean()) if pairs else float(1 - (floats * ours).sum(axis=1).mean())


def _whole(weights: Any, *, pairs: bool) -> Any:
    """The transformer with its head: a score for a re-ranker, the normalised mean vector for an encoder."""
    import torch

    class Score(torch.nn.Module):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.body = build(weights)
            self.head = torch.nn.Linear(self.body.config.hidden_size, 1)
            with torch.no_grad():
                self.head.weight.copy_(torch.from_numpy(np.array(weights["classifier.weight"]).reshape(1, -1)))
                self.head.bias.copy_(torch.from_numpy(np.array(weights["classifier.bias"])))

        def forward(self, input_ids: Any, attention_mask: Any, token_type_ids: Any) -> Any:
            return self.head(self.body(input_ids, attention_mask, token_type_ids).pooler_output)[:, 0]

    class Vector(torch.nn.Module):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.body = build(weights)

        def forward(self, input_ids: Any, attention_mask: Any) -> Any:
            hidden = self.body(input_ids, attention_mask).last_hidden_state
            mask = attention_mask.unsqueeze(-1).to(hidden.dtype)
            return torch.nn.functional.normalize((hidden * mask).sum(1) / mask.sum(1).clamp(min=1e-9), dim=-1)

    return (Score() if pairs else Vector()).eval()


def _trace(model: Any, tokenizer: Any, path: Path, max_tokens: int, *, pairs: bool) -> None:
    """Traces the model as one graph for any batch size and length."""
    import torch

    inputs = [_inputs(tokenizer, text, text if pairs else None) for text in EXAMPLE]
    width = max(row["input_ids"].shape[1] for row in inputs)
    names = list(inputs[0])
    arguments = tuple(
        torch.from_numpy(
            np.concatenate([np.pad(row[name], ((0, 0), (0, width - row[name].shape[1]))) for row in inputs])
        )
        for name in names
    )
    batch, length = torch.export.Dim("batch", min=1), torch.export.Dim("length", min=2, max=max_tokens)
    with quiet():
        torch.onnx.export(
            model,
            arguments,
            str(path),
            dynamo=True,
            external_data=False,
            input_names=names,
            output_names=["score" if pairs else "vector"],
            dynamic_shapes={name: {0: batch, 1: length} for name in names},
        )


def _inputs(tokenizer: Any, text: str, other: str | None) -> dict[str, Any]:
    row = tokenizer.encode(text, other) if other is not None else tokenizer.encode(text)
    found = {"input_ids": row.ids, "attention_mask": row.attention_mask}
    if other is not None:
        found["token_type_ids"] = row.type_ids
    return {name: np.array([values], dtype=np.int64) for name, values in found.items()}


def _calibration(tokenizer: Any, *, pairs: bool) -> Iterator[Inputs]:
    """The calibration sentences. A re-ranker reads each with the next one and with itself."""
    texts = calibration_texts()
    for at, text in enumerate(texts):
        yield _inputs(tokenizer, text, texts[(at + 1) % len(texts)] if pairs else None)
        if pairs and at % 3 == 0:
            yield _inputs(tokenizer, " ".join(text.split()[:8]), text)
