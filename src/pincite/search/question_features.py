"""What a question is like, in numbers, so that it can choose how much each part counts."""

import re

import numpy as np
from numpy.typing import NDArray

from pincite.engine.contract import CandidateView
from pincite.query.definitions import terms_asked
from pincite.query.normalise import bare_question
from pincite.query.reference import ParsedQuery
from pincite.query.thesaurus import drafted_as
from pincite.search.scoring import inverse_frequency

QUESTION = (
    *("1", "length", "rarity of its words", "names a document", "quotes", "asks for a kind of clause"),
    *("asks for a value", "is a search for words"),
)

_QUOTED = re.compile(r"[\"“”]")


def question_features(view: CandidateView, parsed: ParsedQuery) -> NDArray[np.float64]:
    """A number for each of QUESTION, all about from 0 to 1."""
    language = view.language
    words = language.stems(bare_question(parsed.question, language))
    statistics, units = view.term_statistics(words), view.statistics.units
    rarity = [inverse_frequency(statistics[word].units, units) for word in words if statistics[word].known]
    quoted = bool(_QUOTED.search(parsed.question) or terms_asked(parsed.question, language))
    return np.array(
        [
            1.0,
            min(1.0, len(words) / 20),
            round(float(np.mean(rarity)) / 10, 6) if rarity else 0.0,
            float(bool(parsed.documents)),
            float(quoted),
            float(bool(drafted_as(parsed.question, language))),
            float(bool(parsed.asked.expects)),
            float(parsed.asked.is_keywords),
        ]
    )
