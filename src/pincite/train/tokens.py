"""Tokens for training. Each text is tokenized once, however often it is seen."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Row = tuple[NDArray[np.int64], NDArray[np.int64]]
"""The token ids of a text or of a pair of texts, and which of the two each belongs to."""


class Tokens:
    """The tokens of a BERT: [CLS] text [SEP], and for a pair the second text with [SEP]."""

    def __init__(self, tokenizer: Any, most: int) -> None:
        self.tokenizer = tokenizer
        self.most = most
        self._held: dict[str, NDArray[np.int64]] = {}
        tokenizer.no_truncation()
        tokenizer.no_padding()
        self._first, *closing = tokenizer.encode("", "").ids
        self._closing = closing[0]

    def rows(self, texts: Sequence[Any]) -> list[Row]:
        """The tokens of each text or pair of texts. Long texts are cut; of a pair, the second is cut."""
        plain = [part for text in texts for part in ((text,) if isinstance(text, str) else text)]
        fresh = sorted({text for text in plain if text not in self._held})
        for text, found in zip(fresh, self.tokenizer.encode_batch(fresh, add_special_tokens=False), strict=True):
            self._held[text] = np.array(found.ids[: self.most], dtype=np.int64)
        return [self._row(text) for text in texts]

    def _row(self, text: Any) -> Row:
        if isinstance(text, str):
            ids = self._closed(self._held[text][: self.most - 2])
            return ids, np.zeros(len(ids), dtype=np.int64)
        question, passage = (self._held[part] for part in text)
        before = self._closed(question[: self.most // 2])
        behind = np.append(passage[: self.most - len(before) - 1], self._closing)
        return np.append(before, behind), np.repeat([0, 1], [len(before), len(behind)])

    def _closed(self, ids: NDArray[np.int64]) -> NDArray[np.int64]:
        return np.concatenate([[self._first], ids, [self._closing]])
