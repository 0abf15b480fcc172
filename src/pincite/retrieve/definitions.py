"""Definitions: which terms a unit defines, and which a question asks the definition of."""

import re

_DEFINES = re.compile(
    r"[“\"]\s*([A-Z][^”\"]{1,60}?)\s*[”\"]\s*(?:\([^)]*\)\s*)?"
    r"(?:means?\b|shall\s+(?:mean|have\s+the\s+meaning)|ha(?:s|ve)\s+the\s+meaning|is\s+defined|refers?\s+to|:)"
)
_QUOTED = re.compile(r"[“\"]([^”\"]{2,60})[”\"]")
_DEFINITION_OF = re.compile(
    r"\b(?:definition|meaning)\s+of\s+(?:the\s+term\s+)?[“\"]?([A-Za-z][\w\s&-]{2,50}?)[”\"]?(?:\?|$|\s+(?:in|under)\b)",
    re.IGNORECASE,
)
_HOW_DEFINED = re.compile(
    r"\bhow\s+(?:is|are)\s+(?:the\s+term\s+)?[“\"]?([\w\s&-]{2,50}?)[”\"]?\s+defined", re.IGNORECASE
)


def defined_terms(text: str) -> tuple[str, ...]:
    """The terms that a text defines, in lower case.

    >>> defined_terms("“Superior Proposal” means any bona fide proposal")
    ('superior proposal',)
    """
    if "“" not in text and '"' not in text:
        return ()
    return tuple(" ".join(term.lower().split()) for term in _DEFINES.findall(text))


def terms_asked(question: str) -> frozenset[str]:
    """The terms that a question quotes or asks the definition of, in lower case.

    >>> sorted(terms_asked("What is the definition of Superior Proposal?"))
    ['superior proposal']
    """
    found = [*_QUOTED.findall(question), *_DEFINITION_OF.findall(question), *_HOW_DEFINED.findall(question)]
    return frozenset(" ".join(term.lower().split()) for term in found)
