"""How often other cases of the collection name a case: what is often cited is likelier to be noticed again."""

import re
from collections import defaultdict
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pincite.text import Document

_WORD = re.compile(r"[a-z0-9]+")
_NAMED = re.compile(r"(?=\b([a-z0-9]+ (?:v|vs|versus) [a-z0-9]+)\b)")
_AGAINST = ("v", "vs", "versus")


def named_by_others(cases: Sequence[Document]) -> NDArray[np.float64]:
    """For each case how many other texts name it by its parties, the last word before the "v" and the first behind it,
    as the logarithm of one more. A name that two cases share counts for neither."""
    places: defaultdict[str, list[int]] = defaultdict(list)
    for at, case in enumerate(cases):
        name = _name(case)
        if name:
            places[name].append(at)
    known = {name: held[0] for name, held in places.items() if len(held) == 1}
    counts = np.zeros(len(cases))
    for at, case in enumerate(cases):
        words = " ".join(_WORD.findall(case.text.lower()))
        for name in {re.sub(" (?:vs|versus) ", " v ", found) for found in _NAMED.findall(words)}:
            if known.get(name, at) != at:
                counts[known[name]] += 1
    return np.log1p(counts)


def _name(case: Document) -> str:
    """The parties of the first line, as others would write them."""
    words = _WORD.findall(case.text.lstrip("\ufeff \n").split("\n", 1)[0].lower())
    at = next((at for at, word in enumerate(words) if word in _AGAINST), 0)
    return f"{words[at - 1]} v {words[at + 1]}" if 0 < at < len(words) - 1 else ""
