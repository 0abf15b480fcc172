"""A re-ranker from a folder with an ONNX model. It reads a question and a passage together and scores the passage."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pincite.errors import ModelError
from pincite.models.onnx_encoder import CARD, MODEL, TOKENIZER, EncoderCard, open_session, open_tokenizer

BATCH = 8
"""Pairs of similar length that are read at once. Scores do not depend on it."""

INPUTS = ("input_ids", "attention_mask", "token_type_ids")
"""The inputs of the model."""


class Reranker(ABC):
    """Scores are logits: above 0 a passage more likely answers than not. A score is the same in any batch, to 1e-5."""

    name: str
    sha256: str

    @abstractmethod
    def scores(self, question: str, passages: Sequence[str]) -> NDArray[np.float64]:
        """A score for each passage."""


class OnnxReranker(Reranker):
    """A re-ranker with `model.onnx`, `tokenizer.json` and `pincite.json`, as `pincite train export` writes them."""

    def __init__(self, folder: Path, threads: int = 0) -> None:
        for name in (MODEL, TOKENIZER, CARD):
            if not (folder / name).is_file():
                raise ModelError(f"{folder}: the model folder lacks {name}; 'pincite train export' writes all of it")
        card = EncoderCard.read(folder)
        self.folder = folder
        self.name = card.name
        digest = sha256((folder / MODEL).read_bytes())
        digest.update((folder / TOKENIZER).read_bytes())
        self.sha256 = digest.hexdigest()
        self._tokenizer = open_tokenizer(folder / TOKENIZER, card)
        self._session = open_session(folder / MODEL, threads, set(INPUTS), "score")

    def scores(self, question: str, passages: Sequence[str]) -> NDArray[np.float64]:
        tokens = self._tokenizer.encode_batch([(question, passage) for passage in passages])
        order = sorted(range(len(passages)), key=lambda at: len(tokens[at].ids))
        found = np.zeros(len(passages))
        for first in range(0, len(order), BATCH):
            batch = order[first : first + BATCH]
            width = max(len(tokens[at].ids) for at in batch)
            inputs = {name: np.zeros((len(batch), width), dtype=np.int64) for name in INPUTS}
            for row, at in enumerate(batch):
                length = len(tokens[at].ids)
                inputs["input_ids"][row, :length] = tokens[at].ids
                inputs["attention_mask"][row, :length] = 1
                inputs["token_type_ids"][row, :length] = tokens[at].type_ids
            found[batch] = self._session.run(["score"], inputs)[0]
        return np.round(found, 5)
