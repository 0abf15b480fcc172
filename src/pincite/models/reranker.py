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

OVERLAP, PIECES = 32, 3
"""A passage that is longer than the model reads at once is read in pieces, at most this many; each begins with the last
tokens of the one before. The best piece counts."""

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
        self._most = card.max_tokens
        self._tokenizer = open_tokenizer(folder / TOKENIZER, card)
        self._tokenizer.no_truncation()
        self._first, self._closing = self._tokenizer.encode("", "").ids[:2]
        self._session = open_session(folder / MODEL, threads, set(INPUTS), "score")

    def scores(self, question: str, passages: Sequence[str]) -> NDArray[np.float64]:
        asked, *read = self._tokenizer.encode_batch([question, *passages], add_special_tokens=False)
        before = [self._first, *asked.ids[: self._most // 2], self._closing]
        pieces = [(at, piece) for at, tokens in enumerate(read) for piece in self._pieces(tokens.ids, len(before))]
        pieces.sort(key=lambda piece: len(piece[1]))
        found = np.full(len(passages), -np.inf)
        for first in range(0, len(pieces), BATCH):
            batch = pieces[first : first + BATCH]
            width = len(before) + len(batch[-1][1]) + 1
            inputs = {name: np.zeros((len(batch), width), dtype=np.int64) for name in INPUTS}
            for row, (_, piece) in enumerate(batch):
                length = len(before) + len(piece) + 1
                inputs["input_ids"][row, :length] = [*before, *piece, self._closing]
                inputs["attention_mask"][row, :length] = 1
                inputs["token_type_ids"][row, len(before) : length] = 1
            np.maximum.at(found, [at for at, _ in batch], self._session.run(["score"], inputs)[0])
        return np.round(found, 5)

    def _pieces(self, tokens: Sequence[int], before: int) -> list[Sequence[int]]:
        """The tokens of a passage, or several pieces of them where they do not fit behind the question."""
        room = self._most - before - 1
        overlap = min(OVERLAP, room // 2)
        starts = range(0, max(1, len(tokens) - overlap), room - overlap)
        return [tokens[start : start + room] for start in starts][:PIECES]
