"""Definitions: which terms a text defines, and which a question asks the definition of."""

import re

from pincite.text.english import ENGLISH
from pincite.text.language import Language

_QUOTED = re.compile(r"[“\"]([^”\"]{2,60})[”\"]")


def defined_terms(text: str, language: Language = ENGLISH) -> tuple[str, ...]:
    """The terms that a text defines, in lower case.

    >>> defined_terms("“Superior Proposal” means any bona fide proposal")
    ('superior proposal',)
    """
    if "“" not in text and '"' not in text:
        return ()
    return tuple(" ".join(term.lower().split()) for term in language.question.defines.findall(text))


def terms_asked(question: str, language: Language = ENGLISH) -> frozenset[str]:
    """The terms that a question quotes or asks the definition of, in lower case.

    >>> sorted(terms_asked("What is the definition of Superior Proposal?"))
    ['superior proposal']
    """
    found = _QUOTED.findall(question)
    for pattern in language.question.definition_asked:
        found += pattern.findall(question)
    return frozenset(" ".join(term.lower().split()) for term in found)
