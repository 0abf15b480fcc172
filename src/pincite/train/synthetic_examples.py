"""Synthetic training examples without labels: headings and their bodies, terms and definitions, shortened clauses."""

import random
from collections.abc import Iterator, Sequence

from pincite.documents.hidden import with_hidden
from pincite.query.definitions import defined_terms
from pincite.segment import Clauses
from pincite.text import Document
from pincite.text.units import LoadedDocument, Units
from pincite.train.examples import TrainingExample, folded
from pincite.train.rewording import dropped

NEGATIVES = 8
MOST_OF_A_DOCUMENT = 30
LEAST_WORDS = 8

_TERM = (
    "What does {} mean?",
    "definition of {}",
    "how is {} defined",
    "{} - meaning",
    'What is the definition of "{}"?',
)
_HEADING = ("{}", "clause on {}", "what does it say about {}", "{} provisions", "Is there anything on {}?")


def made_examples(documents: Sequence[Document], seed: int = 1) -> Iterator[TrainingExample]:
    """Examples from unlabelled contracts. Negatives come from the same document."""
    for document in map(with_hidden, documents):
        chance = random.Random(f"{seed} {document.sha256}")
        units = Units.of(Clauses()(document))
        texts = [document.shown(start, end) for start, end in zip(units.starts, units.ends, strict=True)]
        held = LoadedDocument(document, units)
        found = [*_of_headings(units, texts, chance), *_of_terms(texts, held, chance), *_of_clauses(texts, chance)]
        chance.shuffle(found)
        for question, at, kind in found[:MOST_OF_A_DOCUMENT]:
            heading = units.context(at).heading_path
            others = [
                texts[other]
                for other in chance.sample(range(len(texts)), min(4 * NEGATIVES, len(texts)))
                if units.context(other).heading_path != heading and folded(texts[other]) != folded(texts[at])
            ]
            if len(others) >= 2 and question.strip():
                yield TrainingExample(question, (texts[at],), tuple(dict.fromkeys(others[:NEGATIVES])), "made", kind)


def _of_headings(units: Units, texts: Sequence[str], chance: random.Random) -> Iterator[tuple[str, int, str]]:
    """A heading asks for a sentence below it. The passage does not include the heading."""
    for at, text in enumerate(texts):
        path = units.context(at).heading_path
        title = next((part.lstrip("0123456789. ()-") for part in reversed(path) if any(map(str.isalpha, part))), "")
        if len(title.split()) >= 1 and len(title) >= 4 and len(text.split()) >= LEAST_WORDS and chance.random() < 0.3:
            yield chance.choice(_HEADING).format(title.capitalize()), at, title.casefold()


def _of_terms(texts: Sequence[str], held: LoadedDocument, chance: random.Random) -> Iterator[tuple[str, int, str]]:
    for at, text in enumerate(texts):
        for term in defined_terms(text):
            yield chance.choice(_TERM).format(term.title()), at, f"definition of {term}"


def _of_clauses(texts: Sequence[str], chance: random.Random) -> Iterator[tuple[str, int, str]]:
    """About half of the words of a clause ask for the clause."""
    for at, text in enumerate(texts):
        words = text.split()
        if 12 <= len(words) <= 80 and chance.random() < 0.15:
            start = chance.randrange(0, max(1, len(words) - 18))
            yield (
                dropped(" ".join(words[start : start + 18]), chance, 0.45).strip(" ,;:.").lower(),
                at,
                f"clause {at} {text[:40]}",
            )
