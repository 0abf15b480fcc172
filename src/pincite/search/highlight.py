"""A hit among the words around it: what to mark, and which words of the question it holds."""

import re
from typing import NamedTuple

from pincite.text import Hit
from pincite.text.english import ENGLISH
from pincite.text.hit import ANSWER, GAP, LEAD_IN
from pincite.text.language import Language

AROUND = 160
"""Characters shown before and behind a hit."""

LONG_HIT = 500
"""In a longer hit only the best sentence is marked."""

HEADING_WORDS = 6
"""A sentence with fewer different words is taken for a heading."""

DOUBTFUL = 0.2
"""A hit with a lower likelihood is called doubtful."""

AROUND_IT = "around"
"""The role of what stands around a hit."""


class ShownPiece(NamedTuple):
    """A piece of what is shown of a hit: the answer, what leads into it, or what stands around."""

    text: str
    role: str


def is_doubtful(hit: Hit) -> bool:
    """Whether a hit by itself probably does not answer."""
    return hit.likelihood is not None and hit.likelihood < DOUBTFUL


def matched_words(question: str, hit: Hit, language: Language = ENGLISH) -> list[str]:
    """The words of a hit whose stems the question has, each once, as they are written."""
    wanted = set(language.stems(question))
    words = dict.fromkeys(re.findall(r"[^\W_]+", hit.shown.lower()))
    return [word for word in words if not wanted.isdisjoint(language.stems(word))]


def in_context(question: str, hit: Hit, around: int = AROUND) -> tuple[str, str, str]:
    """What stands before the words to mark, those words, and what stands behind.

    A short hit is marked whole, among its surroundings; of a long one the sentence that fits the question best.
    """
    shown = hit.shown
    if len(shown) > LONG_HIT:
        start, end = best_sentence(question, shown)
        return shown[:start], shown[start:end], shown[end:]
    document, text = hit.document, hit.document.text
    start = text.rfind(" ", 0, max(0, hit.start - around)) + 1 if hit.start > around else 0
    end = text.find(" ", min(len(text), hit.end + around))
    end = end if end >= 0 else len(text)
    return document.shown(start, hit.start), shown, document.shown(hit.end, end)


def shown_pieces(question: str, hit: Hit, around: int = AROUND) -> list[ShownPiece]:
    """A hit with what leads into it, in the order of the text. Dots stand between pieces that do not touch; with a
    lead-in nothing else is shown before the hit.

    >>> from pincite.text import Document
    >>> lease = Document("a", "The Tenant shall pay:\\n(a) rent;\\n(b) interest.")
    >>> found = Hit.of(lease, (32, 45), (), 1.0, 1, {}, lead_ins=((0, 21),))
    >>> [piece.text for piece in shown_pieces("interest", found)]
    ['The Tenant shall pay:', ' [...] ', '(b) interest.']
    """
    before, marked, behind = in_context(question, hit, around)
    spans = [span for span in hit.spans if span.role == LEAD_IN and span.end <= hit.start]
    pieces: list[ShownPiece] = []
    for at, (start, end, _) in enumerate(spans):
        following = spans[at + 1].start if at + 1 < len(spans) else hit.start
        between = hit.document.shown(end, following)
        gap = GAP if between.strip() else between
        pieces += [ShownPiece(hit.document.shown(start, end), LEAD_IN), ShownPiece(gap, AROUND_IT)]
    whole = len(hit.shown) > LONG_HIT
    if whole or not spans:
        pieces.append(ShownPiece(before, AROUND_IT))
    pieces += [ShownPiece(marked, ANSWER), ShownPiece(behind, AROUND_IT)]
    return [piece for piece in pieces if piece.text]


def best_sentence(question: str, text: str, language: Language = ENGLISH) -> tuple[int, int]:
    """Where the sentence of `text` stands that shares most words with the question, for its length.

    A heading shares many and answers nothing: it is marked only where there is no fuller sentence.
    """
    wanted = set(language.stems(question))

    def overlap(span: tuple[int, int]) -> tuple[bool, float]:
        found = set(language.stems(text[span[0] : span[1]]))
        return len(found) >= HEADING_WORDS, len(found & wanted) / (len(found) + 8)

    return max(language.sentences(text, across_lines=True), key=overlap, default=(0, 0))


def flowing(text: str) -> str:
    """Wrapped lines flow together on the screen; what leaves as data keeps its line ends."""
    return re.sub(
        r"(?!(?<=[ \t\ufeff])[ \t\ufeff])[ \t\ufeff]*+(?:\n[ \t]*+)++",
        lambda gap: "\n" if gap.group().count("\n") > 1 else " ",
        text,
    )
