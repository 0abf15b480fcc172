"""Tells sentences from titles by their verbs, whatever their letters."""

import re

SENTENCE_WORDS = 6
"""Words from which a line with a verb is a sentence, even in capitals."""
STOPPED_WORDS = 8
"""Words from which a line that ends with a full stop is a sentence."""
HEADING_WORDS = 25
"""Words that a heading may have."""

_VERB = re.compile(
    r"\b(?:shall|may(?!\s+[0-9]|,)|will|must|should|is|are|was|were|has|have|agrees?|cannot|hereby)\b", re.IGNORECASE
)


def is_sentence(line: str) -> bool:
    """Whether a line says something: it has a verb, is long and ends with a full stop, or is longer than any heading.

    >>> is_sentence("THIS AGREEMENT SHALL BE GOVERNED BY THE LAWS OF TEXAS"), is_sentence("DATED AS OF MAY 5, 2020")
    (True, False)
    """
    words = line.split()
    if len(words) >= SENTENCE_WORDS and _VERB.search(line):
        return True
    if len(words) > HEADING_WORDS:
        return True
    return len(words) >= STOPPED_WORDS and line.rstrip().endswith(".")
