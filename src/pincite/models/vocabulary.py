"""Common English words: those that the shipped encoder reads whole."""

import json
from functools import cache

from pincite.models.onnx_encoder import TOKENIZER
from pincite.models.shipped import ENCODER, SHIPPED


@cache
def common_words() -> frozenset[str]:
    """The words of the tokenizer's vocabulary that are no pieces of words; none where the model is not installed."""
    try:
        content = json.loads((SHIPPED[ENCODER].folder / TOKENIZER).read_text(encoding="utf-8"))
        return frozenset(word for word in content["model"]["vocab"] if word.isalpha())
    except (OSError, ValueError, KeyError, TypeError):
        return frozenset()
