"""What a question is like, in numbers, so that it can choose how much each part counts."""

import re

import numpy as np
from numpy.typing import NDArray

from pincite.retrieve.asked import bare_question
from pincite.retrieve.definitions import terms_asked
from pincite.retrieve.shelves import Shelves
from pincite.retrieve.thesaurus import drafted_as
from pincite.retrieve.understand import Understood
from pincite.text.stems import stems

QUESTION = ("1", "length", "rarity of its words", "names a document", "quotes", "asks for a kind of clause")

_QUOTED = re.compile(r"[\"“”]")


def question_features(shelves: Shelves, understood: Understood) -> NDArray[np.float64]:
    """A number for each of QUESTION, all about from 0 to 1."""
    words = stems(bare_question(understood.question))
    rarity = [shelves.idf(word) for word in words if shelves.knows(word)]
    quoted = bool(_QUOTED.search(understood.question) or terms_asked(understood.question))
    return np.array(
        [
            1.0,
            min(1.0, len(words) / 20),
            round(float(np.mean(rarity)) / 10, 6) if rarity else 0.0,
            float(bool(understood.documents)),
            float(quoted),
            float(bool(drafted_as(understood.question))),
        ]
    )
