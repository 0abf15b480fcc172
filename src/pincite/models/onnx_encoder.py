"""An encoder from a folder with an ONNX model. It needs onnxruntime and tokenizers, not torch."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from pincite.errors import ModelError
from pincite.models.contract import BATCH, Encoder, Progress, Vectors

MODEL, TOKENIZER, CARD = "model.onnx", "tokenizer.json", "pincite.json"


@dataclass(frozen=True, slots=True)
class EncoderCard:
    """The content of `pincite.json`, which describes the model in the same folder."""

    name: str
    dimensions: int
    max_tokens: int
    quantisation: str = "none"
    query_prefix: str = ""
    passage_prefix: str = ""
    padding_token: str = "[PAD]"
    exported_from: str = ""

    def write(self, folder: Path) -> None:
        (folder / CARD).write_text(json.dumps(asdict(self), indent=2) + "\n", encoding="utf-8")

    @classmethod
    def read(cls, folder: Path) -> "EncoderCard":
        try:
            values = json.loads((folder / CARD).read_text(encoding="utf-8"))
            return cls(**{field.name: values[field.name] for field in fields(cls) if field.name in values})
        except (ValueError, TypeError) as error:
            raise ModelError(
                f"{folder / CARD}: not a model card of Pincite ({error}); export the model again"
            ) from None


class OnnxEncoder(Encoder):
    """An encoder with `model.onnx`, `tokenizer.json` and `pincite.json`, as `pincite models export` writes them."""

    def __init__(self, folder: Path, threads: int = 0) -> None:
        for name in (MODEL, TOKENIZER, CARD):
            if not (folder / name).is_file():
                raise ModelError(
                    f"{folder}: the model folder lacks {name}; 'pincite models export NAME {folder}' writes all of it"
                )
        card = EncoderCard.read(folder)
        self.folder = folder
        self.name = card.name
        self.dimensions = card.dimensions
        self.query_prefix = card.query_prefix
        self.passage_prefix = card.passage_prefix
        digest = sha256((folder / MODEL).read_bytes())
        digest.update((folder / TOKENIZER).read_bytes())
        self.sha256 = digest.hexdigest()
        self._tokenizer = open_tokenizer(folder / TOKENIZER, card)
        self._session = open_session(folder / MODEL, threads, {"input_ids", "attention_mask"}, "vector")
        self._padding_id = self._tokenizer.token_to_id(card.padding_token) or 0

    def encode(self, texts: Sequence[str], progress: Progress | None = None) -> Vectors:
        tokenized = [encoding.ids for encoding in self._tokenizer.encode_batch(list(texts))]
        by_length = sorted(range(len(texts)), key=lambda at: len(tokenized[at]))
        vectors = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        for first in range(0, len(texts), BATCH):
            batch = by_length[first : first + BATCH]
            vectors[batch] = self._run([tokenized[at] for at in batch])
            if progress:
                progress(min(first + BATCH, len(texts)), len(texts))
        return vectors

    def _run(self, rows: list[list[int]]) -> Vectors:
        width = max(map(len, rows))
        ids = np.full((len(rows), width), self._padding_id, dtype=np.int64)
        mask = np.zeros((len(rows), width), dtype=np.int64)
        for place, row in enumerate(rows):
            ids[place, : len(row)] = row
            mask[place, : len(row)] = 1
        vectors: Vectors = self._session.run(["vector"], {"input_ids": ids, "attention_mask": mask})[0]
        return vectors


def open_tokenizer(path: Path, card: EncoderCard) -> Any:
    """Opens a tokenizer. It cuts texts to the length on the card."""
    from tokenizers import Tokenizer

    try:
        tokenizer = Tokenizer.from_file(str(path))
    except Exception as error:  # noqa: BLE001 - the library raises nothing narrower
        raise ModelError(f"{path}: not a tokenizer file ({error}); export the model again") from None
    tokenizer.enable_truncation(card.max_tokens)
    tokenizer.no_padding()
    return tokenizer


def open_session(path: Path, threads: int, inputs: set[str], output: str) -> Any:
    """Opens a model, which must have these inputs and this output."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.log_severity_level = 3
    try:
        session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # noqa: BLE001 - onnxruntime's own errors derive from Exception alone
        raise ModelError(f"{path}: not a model that onnxruntime can run ({error}); export the model again") from None
    found = {entry.name for entry in session.get_inputs()}
    if found != inputs or output not in {entry.name for entry in session.get_outputs()}:
        raise ModelError(
            f"{path}: not a model of this kind that 'pincite models export' wrote (inputs {sorted(found)})"
        )
    return session
