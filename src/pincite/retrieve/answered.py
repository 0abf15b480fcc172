"""An answered question as it leaves: the envelope that programs get, and a hit among the words around it."""

import re
from dataclasses import dataclass, replace

from pincite.retrieve.answers import LIKELY, Answer, Meant
from pincite.text import Hit
from pincite.text.sentences import sentence_spans
from pincite.text.stems import stems

AROUND = 160
"""So many characters before and behind a hit are shown with it."""

LONG_HIT = 500
"""Of a longer hit only the best sentence is marked."""

HEADING_WORDS = 6
"""With fewer different words than this, a sentence is taken for a heading."""


@dataclass(frozen=True, slots=True)
class Answered:
    """A question with its hits, what was understood of it, and notes."""

    question: str
    hits: list[Hit]
    asked: str = ""
    meant: tuple[Meant, ...] = ()
    notes: tuple[str, ...] = ()
    likely: float | None = None
    """How likely it is that the question is answered at all."""

    @classmethod
    def of(cls, question: str, answer: Answer) -> "Answered":
        return cls(question, list(answer.hits), answer.understood.question, answer.meant, answer.notes, answer.answered)

    def if_likely(self) -> "Answered":
        """The same, without hits where the question is probably not answered."""
        if self.likely is None or self.likely >= LIKELY:
            return self
        return replace(self, hits=[], notes=(f"probably not answered here (likelihood {self.likely:.2f})",))


def shaped(answer: Answered, *, explain: bool = False) -> list[dict[str, object]]:
    """The hits of a question; with `explain` also the words of the question that stand in them."""
    return [
        {**hit.to_dict(), "matched": matched_words(answer.asked or answer.question, hit)} if explain else hit.to_dict()
        for hit in answer.hits
    ]


def enveloped(answer: Answered, *, explain: bool = False) -> dict[str, object]:
    """The shape of one answered question."""
    notes = list(answer.notes) if answer.hits else [*answer.notes, "nothing was found"]
    return {
        "query": answer.question,
        "understood": {
            "documents": [meant._asdict() for meant in answer.meant],
            "question": answer.asked or answer.question,
        },
        "notes": notes,
        "answered": answer.likely,
        "hits": shaped(answer, explain=explain),
    }


def matched_words(question: str, hit: Hit) -> list[str]:
    """The words of a hit whose stems the question has, each once, as they are written."""
    wanted = set(stems(question))
    words = re.findall(r"[^\W_]+", hit.text)
    return list(dict.fromkeys(word.lower() for word in words if set(stems(word)) & wanted))


def in_context(question: str, hit: Hit, around: int = AROUND) -> tuple[str, str, str]:
    """What stands before the words to mark, those words, and what stands behind.

    A short hit is marked whole, among its surroundings; of a long one the sentence that fits the question best.
    """
    if len(hit.text) > LONG_HIT:
        start, end = best_sentence(question, hit.text)
        return hit.text[:start], hit.text[start:end], hit.text[end:]
    text = hit.document.text
    start = text.rfind(" ", 0, max(0, hit.start - around)) + 1 if hit.start > around else 0
    end = text.find(" ", min(len(text), hit.end + around))
    return text[start : hit.start], hit.text, text[hit.end : end if end >= 0 else len(text)]


def best_sentence(question: str, text: str) -> tuple[int, int]:
    """Where the sentence of `text` stands that shares most words with the question, for its length.

    A heading shares many and answers nothing: it is marked only where there is no fuller sentence.
    """
    wanted = set(stems(question))

    def overlap(span: tuple[int, int]) -> tuple[bool, float]:
        found = set(stems(text[span[0] : span[1]]))
        return len(found) >= HEADING_WORDS, len(found & wanted) / (len(found) + 8)

    return max(sentence_spans(text, across_lines=True), key=overlap, default=(0, 0))


def flowing(text: str) -> str:
    """Wrapped lines flow together on the screen; what leaves as data keeps its line ends."""
    return re.sub(r"[ \t\ufeff]*(?:\n[ \t]*)+", lambda gap: "\n" if gap.group().count("\n") > 1 else " ", text)
