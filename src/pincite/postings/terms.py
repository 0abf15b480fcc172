"""Strings in two arrays, so that a million of them can lie on disk and be looked up there."""

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from hashlib import blake2b

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
    """The numbers of strings, found by their hashes: a search in one array, without reading the strings.

    >>> Terms.of(["due", "rent"]).get("rent")
    1
    """

    def __init__(self, strings: Strings, hashes: NDArray[np.uint64], numbers: NDArray[np.int32]) -> None:
        self.strings = strings
        self.hashes = hashes
        """In order; `numbers` says whose each is."""
        self.numbers = numbers

    @classmethod
    def of(cls, terms: Iterable[str]) -> "Terms":
        strings = Strings.of(terms)
        hashes = np.fromiter(
            (_hash(strings.encoded(number)) for number in range(len(strings))), np.uint64, count=len(strings)
        )
        numbers = np.argsort(hashes, kind="stable")
        return cls(strings, hashes[numbers], numbers.astype(np.int32))

    def __len__(self) -> int:
        return len(self.strings)

    def __iter__(self) -> Iterator[str]:
        return iter(self.strings)

    def __getitem__(self, term: str) -> int:
        encoded = term.encode("utf-8", "surrogatepass")
        wanted = np.uint64(_hash(encoded))
        place = int(self.hashes.searchsorted(wanted))
        while place < len(self.hashes) and self.hashes[place] == wanted:
            number = int(self.numbers[place])
            if self.strings.encoded(number) == encoded:
                return number
            place += 1
        raise KeyError(term)


def _hash(encoded: bytes) -> int:
    """The same on every machine and in every run, unlike Python's own."""
    return int.from_bytes(blake2b(encoded, digest_size=8).digest(), "little")
