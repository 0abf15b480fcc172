"""Typing errors as people make them, for the questions that models are trained on."""

import random

LEAST = 5
"""Shorter words are left as they are."""


def mistyped(text: str, chance: random.Random) -> str:
    """The text with one long word mistyped: a letter left out, doubled, or swapped with the next; or the word cut.

    >>> mistyped("termination for convenience", random.Random(3))
    'terminatioon for convenience'
    """
    words = text.split(" ")
    places = [at for at, word in enumerate(words) if len(word) >= LEAST and word.isalpha()]
    if not places:
        return text
    at = chance.choice(places)
    word = words[at]
    letter = chance.randrange(1, len(word) - 1)
    words[at] = chance.choice(
        (
            word[:letter] + word[letter + 1 :],
            word[:letter] + word[letter] + word[letter:],
            word[:letter] + word[letter + 1] + word[letter] + word[letter + 2 :],
            word[: max(4, len(word) - 3)],
        )
    )
    return " ".join(words)
