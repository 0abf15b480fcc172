"""The forms of BM25: how rare a term is (idf) and what its occurrences in a unit are worth, each as published.

Kamphuis, de Vries, Boytsov and Lin, "Which BM25 do you mean?", ECIR 2020, compare them; N is the number of units,
df the number of units with the term, tf its count in a unit, and norm = 1 - b + b * length / mean length.
"""

from abc import ABC, abstractmethod

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Counts = NDArray[np.unsignedinteger]


class Form(ABC):
    """One form: `idf` of every term, and `gain` of the occurrences of a term."""

    @abstractmethod
    def idf(self, df: NDArray[np.int64], n: int) -> Array: ...

    def length_part(self, norm: Array, k1: float) -> Array:
        """What `gain` needs of every unit's length, computed once for all questions: k1 * norm."""
        return k1 * norm

    def gain(self, tf: Counts, length_part: Array, k1: float) -> Array:
        """What the occurrences of a term are worth: tf / (tf + k1 * norm)."""
        return tf / (tf + length_part)

    def gain_of_absence(self, k1: float) -> float:
        """What a query term is worth to a unit without it: the same for every unit, so it moves no rank."""
        return 0.0


class Robertson(Form):
    """ln((N - df + 0.5) / (df + 0.5)), which is negative for a term in more than half of the units."""

    def idf(self, df: NDArray[np.int64], n: int) -> Array:
        return np.log((n - df + 0.5) / (df + 0.5))


class Lucene(Form):
    """ln(1 + (N - df + 0.5) / (df + 0.5))."""

    def idf(self, df: NDArray[np.int64], n: int) -> Array:
        return np.log1p((n - df + 0.5) / (df + 0.5))


class Atire(Form):
    """ln(N / df), with (k1 + 1) * tf / (tf + k1 * norm)."""

    def idf(self, df: NDArray[np.int64], n: int) -> Array:
        return np.log(n / df)

    def gain(self, tf: Counts, length_part: Array, k1: float) -> Array:
        return (k1 + 1) * (tf / (tf + length_part))


class Okapi(Atire):
    """rank-bm25's BM25Okapi, the seeds' own: Robertson's idf, a negative one replaced by a quarter of the mean idf."""

    def idf(self, df: NDArray[np.int64], n: int) -> Array:
        idf = np.log(n - df + 0.5) - np.log(df + 0.5)
        # Summed by document frequency, so that the order of the documents cannot move the last digit.
        values, occurrences = np.unique(df, return_counts=True)
        mean = float(np.sum((np.log(n - values + 0.5) - np.log(values + 0.5)) * occurrences)) / max(1, len(df))
        return np.where(idf < 0, 0.25 * mean, idf)


class BM25Plus(Form):
    """ln((N + 1) / df), with a bonus delta = 0.5 for every query term (Lv and Zhai, CIKM 2011)."""

    delta = 0.5

    def idf(self, df: NDArray[np.int64], n: int) -> Array:
        return np.log((n + 1) / df)

    def gain(self, tf: Counts, length_part: Array, k1: float) -> Array:
        return (k1 + 1) * (tf / (tf + length_part)) + self.delta

    def gain_of_absence(self, k1: float) -> float:
        return self.delta


class BM25L(Form):
    """ln((N + 1) / (df + 0.5)), with counts c = tf / norm shifted by delta = 0.5 (Lv and Zhai, SIGIR 2011)."""

    delta = 0.5

    def idf(self, df: NDArray[np.int64], n: int) -> Array:
        return np.log((n + 1) / (df + 0.5))

    def length_part(self, norm: Array, k1: float) -> Array:
        return norm

    def gain(self, tf: Counts, length_part: Array, k1: float) -> Array:
        shifted = tf / length_part + self.delta
        return (k1 + 1) * shifted / (k1 + shifted)

    def gain_of_absence(self, k1: float) -> float:
        return (k1 + 1) * self.delta / (k1 + self.delta)


FORMS: dict[str, Form] = {
    "okapi": Okapi(),
    "robertson": Robertson(),
    "lucene": Lucene(),
    "atire": Atire(),
    "bm25+": BM25Plus(),
    "bm25l": BM25L(),
}
