"""Reads numbers as legal drafting writes them: 7, VII, seven, G."""

import re

_ROMAN = re.compile(r"^M{0,3}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})$")
_SIGNS = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}
_WORDS = {
    word: value
    for value, word in enumerate("ONE TWO THREE FOUR FIVE SIX SEVEN EIGHT NINE TEN".split(), start=1)
}  # fmt: skip


def numeral(label: str) -> int | None:
    """The value of a number in digits, words or Roman numerals; 0 for other labels such as "A-1".

    >>> [numeral(label) for label in ("12", "XIV", "TWO", "A-1", "12A")]
    [12, 14, 2, 0, 12]
    """
    digits = re.match(r"[0-9]+", label)
    if digits:
        return int(digits.group())
    if label in _WORDS:
        return _WORDS[label]
    if not _ROMAN.match(label):
        return 0
    values = [_SIGNS[sign] for sign in label]
    return sum(
        -value if value < following else value for value, following in zip(values, [*values[1:], 0], strict=True)
    )
