"""Strings in two arrays, so that a million of them can lie on disk and be looked up there."""

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

import numpy as np
from numpy.typing import NDArray


class Strings:
    """Strings by number: number n is `letters[first[n]:first[n + 1]]` in UTF-8.

    >>> Strings.of(["rent", "due"])[1]
    'due'
    """

    def __init__(self, letters: NDArray[np.uint8], first: NDArray[np.int64]) -> None:
        self.letters = letters
        self.first = first

    @classmethod
    def of(cls, strings: Iterable[str]) -> "Strings":
        encoded = [string.encode("utf-8", "surrogatepass") for string in strings]
        lengths = np.fromiter(map(len, encoded), dtype=np.int64, count=len(encoded))
        letters = np.frombuffer(b"".join(encoded), dtype=np.uint8)
        return cls(letters, np.concatenate((np.zeros(1, dtype=np.int64), np.cumsum(lengths))))

    def __len__(self) -> int:
        return len(self.first) - 1

    def __getitem__(self, number: int) -> str:
        return self.encoded(number).decode("utf-8", "surrogatepass")

    def __iter__(self) -> Iterator[str]:
        return (self[number] for number in range(len(self)))

    def encoded(self, number: int) -> bytes:
        places = self._places
        return self._letters[places[number] : places[number + 1]].tobytes()

    @cached_property
    def _letters(self) -> memoryview:
        return np.ascontiguousarray(self.letters).data

    @cached_property
    def _places(self) -> memoryview:
        return np.ascontiguousarray(self.first).data


class Terms(Mapping[str, int]):
    """The numbers of strings that stand in order: found by halving, without reading them all.

    >>> Terms(Strings.of(["due", "rent"])).get("rent")
    1
    """

    def __init__(self, strings: Strings) -> None:
        self.strings = strings

    def __len__(self) -> int:
        return len(self.strings)

    def __iter__(self) -> Iterator[str]:
        return iter(self.strings)

    def __getitem__(self, term: str) -> int:
        wanted = term.encode("utf-8", "surrogatepass")
        low, high = 0, len(self.strings)
        while low < high:
            middle = (low + high) // 2
            if self.strings.encoded(middle) < wanted:
                low = middle + 1
            else:
                high = middle
        if low == len(self.strings) or self.strings.encoded(low) != wanted:
            raise KeyError(term)
        return low
