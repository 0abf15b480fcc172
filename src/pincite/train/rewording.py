"""Rewords questions, so that a model learns what is asked and not the wording."""

import random
import re

_FRAMES = (
    "{}",
    "{}?",
    "does the agreement say that {}",
    "Is it true that {}?",
    "where does it say that {}",
    "clause about: {}",
    "Please find the passage on {}",
    "tell me whether {}",
    "{} - yes or no?",
    "what does the contract say on this: {}",
)
_WORDS = {
    "receiving party": ("recipient", "the party that receives it", "receiver", "we"),
    "disclosing party": ("discloser", "the party that gives it", "the other side", "owner of the information"),
    "confidential information": (
        "confidential material",
        "secrets",
        "the information",
        "NDA material",
        "proprietary information",
    ),
    "agreement": ("contract", "NDA", "deal", "document"),
    "shall not": ("may not", "must not", "cannot", "is forbidden to", "is not allowed to"),
    "shall": ("must", "has to", "will", "is required to"),
    "may": ("can", "is allowed to", "is permitted to"),
    "disclose": ("share", "reveal", "pass on", "give"),
    "third party": ("outsider", "other company", "third person", "someone else"),
    "third-parties": ("outsiders", "other companies", "others"),
    "employees": ("staff", "personnel", "people working for it"),
    "termination": ("end", "expiry", "ending"),
    "destroy": ("delete", "get rid of", "erase"),
    "return": ("give back", "hand back", "send back"),
    "retain": ("keep", "hold on to"),
    "notify": ("inform", "tell", "warn"),
    "obligations": ("duties", "commitments"),
    "solicit": ("hire away", "poach", "recruit"),
    "representatives": ("employees", "people"),
    "information": ("data", "material"),
    "company": ("business", "firm"),
    "liability": ("responsibility for damages", "exposure"),
    "assignment": ("transfer", "assigning"),
    "governing law": ("applicable law", "which law applies"),
    "non-compete": ("competition ban", "restriction on competing"),
    "expiration date": ("end date", "when it expires"),
    "effective date": ("start date", "when it takes effect"),
    "renewal": ("extension", "renewing"),
    "definition": ("meaning",),
}
_PATTERNS = [(re.compile(rf"\b{re.escape(words)}\b", re.IGNORECASE), others) for words, others in _WORDS.items()]


def reworded(question: str, chance: random.Random) -> str:
    """The question with some words replaced, a few left out, in another frame, and sometimes in lower case.

    >>> reworded("Receiving Party shall not disclose it.", random.Random(1)) != "Receiving Party shall not disclose it."
    True
    """
    text = question.strip().rstrip("?. ")
    for pattern, others in _PATTERNS:
        if chance.random() < 0.5:
            text = pattern.sub(lambda _, others=others: chance.choice(others), text)  # type: ignore[misc]
    text = dropped(text, chance, 0.08)
    if chance.random() < 0.4:
        text = text[0].lower() + text[1:] if text else text
    if chance.random() < 0.25:
        text = text.lower()
    return chance.choice(_FRAMES).format(text)


def dropped(text: str, chance: random.Random, share: float) -> str:
    """The text without some of its words; unchanged if too few would be left."""
    words = text.split()
    kept = [word for word in words if chance.random() >= share]
    return " ".join(kept) if len(kept) >= 3 else text
