"""Kinds of documents: the short names that people use for them."""

ALIASES = {
    "nda": "non-disclosure agreement",
    "confidentiality agreement": "non-disclosure agreement",
    "msa": "services agreement",
    "license": "licence",
    "license agreement": "licence",
    "licence agreement": "licence",
    "merger": "merger agreement",
    "employment": "employment agreement",
    "supply": "supply agreement",
    "distribution": "distribution agreement",
    "services": "services agreement",
    "privacy": "privacy policy",
}
"""Other names of a kind, in lower case."""


def same_kind(one: str, other: str) -> bool:
    """Whether two names mean the same kind of document.

    >>> same_kind("NDA", "Non-Disclosure Agreement"), same_kind("lease", "nda")
    (True, False)
    """
    folded = [name.strip().casefold() for name in (one, other)]
    return ALIASES.get(folded[0], folded[0]) == ALIASES.get(folded[1], folded[1])
