"""Finds the first level of a document: its articles or sections, headed recitals before them, attachments after."""

import re
from collections.abc import Sequence

from pincite.segment.attachments import attachments, is_border
from pincite.segment.candidates import BARE, Candidate, candidates
from pincite.segment.chains import Chain, best_chain, missing
from pincite.segment.contents import without_contents
from pincite.segment.division import Division, DivisionKind
from pincite.segment.marked import marked_divisions
from pincite.segment.recitals import recitals
from pincite.segment.titles import Shape
from pincite.text import Document
from pincite.text.passage import Edges

KEYWORD_STYLES = ("chapter", "part", "article", "section")
"""Styles with a keyword, outermost first."""
NUMBER_STYLES = ("number", "roman", "letter", BARE)
"""Numbers in square brackets count the paragraphs of a judgment, whose divisions have headings."""
LEAST_ROOM = 100
"""Characters from one number to the next, on average, below which numbers are a list and not divisions."""
LEAST_BARE = 4
"""Numbers that a chain of numbers without full stops must have."""
COVER = 200
"""Characters at the start of a text in which nothing is attached: a filing's own exhibit number stands there."""
FIRST_PART = 20_000
"""Characters in which recitals are looked for where there are no numbers."""
MARKUP = 3
"""Characters that a mark of Markdown may have. It may stand inside a number, before its full stop, and stays."""
LATE = 0.7
"""Share of a text behind which numbers open no divisions."""
SMALL_PART = 0.4
"""Share of the numbered text up to which numbers with a keyword are inside one division."""
_BARE_KEYWORD = re.compile(r"\b(?:article|section|chapter|part|exhibit|schedule|annex|appendix)\s*$", re.IGNORECASE)


def divisions(document: Document) -> list[Division]:
    """The first-level divisions of a document in order."""
    text = _masked(document.text, document.source.hidden or ())
    marked = marked_divisions(document.text, document.source.headings)
    found = without_contents(text, candidates(text))
    borders = [candidate.start for candidate in found if is_border(candidate)]
    chain = first_level(found, borders, len(text))
    if chain.links and _is_late(chain, len(text)):
        chain = Chain()
    if marked and not _is_inside_one(chain, marked):
        return marked
    attached = attachments(text, found, chain.last if chain.links else COVER)
    if chain.links and attached:
        chain = Chain(tuple(link for link in chain.links if link.start < attached[0].start), chain.score)
    numbered = [_division(text, link) for link in chain.links]
    main = [
        *recitals(text, numbered[0].start if numbered else FIRST_PART),
        *numbered,
        *(_division(text, one)._replace(kind=DivisionKind.ATTACHMENT) for one in attached),
    ]
    if marked and main:
        return [*(one for one in marked[:-1] if _before(one, marked, main[0])), *main]
    return main


def _is_late(chain: Chain, end: int) -> bool:
    """Whether mere numbers begin so late that they are a list in one of the last divisions, as a court's orders."""
    return chain.links[0].style in NUMBER_STYLES and chain.start > LATE * end


def _is_inside_one(chain: Chain, marked: Sequence[Division]) -> bool:
    """Whether the numbers of a document are all under one of its marked headings, and more than these."""
    if len(chain.links) < 2 * len(marked):
        return False
    return not any(chain.start < division.start < chain.last for division in marked)


def _before(division: Division, marked: Sequence[Division], first: Division) -> bool:
    """Whether a marked heading stands over a part of its own before the first numbered division."""
    following = marked[marked.index(division) + 1]
    return following.start < first.start


def _masked(text: str, hidden: Sequence[Edges]) -> str:
    """The text with line breaks in place of what is hidden, so that offsets stay. A number that belongs to the keyword
    on the line above it ("ARTICLE", "1") is not hidden."""
    pieces: list[str] = []
    at = 0
    for start, end in hidden:
        if end - start <= MARKUP and "\n" not in text[start:end]:
            continue
        if not _BARE_KEYWORD.search(text[max(0, start - 20) : start]):
            filler = "\n" if "\n" in text[max(0, start - 1) : end + 1] else " "
            pieces += [text[at:start], filler * (end - start)]
            at = end
    return "".join([*pieces, text[at:]])


def first_level(found: Sequence[Candidate], borders: Sequence[int], end: int) -> Chain:
    """The chain of the outermost style."""
    chains = {
        style: best_chain([candidate for candidate in found if candidate.style == style], borders, end)
        for style in (*KEYWORD_STYLES, *NUMBER_STYLES)
    }
    best = Chain()
    for style in (*KEYWORD_STYLES, *NUMBER_STYLES):
        chain = chains[style]
        if _is_division(chain) and (not best.links or _is_outside(chain, best)):
            best = chain
    return best


def _is_division(chain: Chain) -> bool:
    """Whether a chain is long enough, and its numbers stand over text and not in a list of words."""
    count = len(chain.links)
    if count < 2:
        return False
    style = chain.links[0].style
    if style in KEYWORD_STYLES:
        return chain.score / count >= 2.0
    if style == BARE:
        return count >= LEAST_BARE and missing(chain) == 0 and chain.links[0].value == 1 and _room(chain) >= LEAST_ROOM
    if count == 2:
        return all(link.title.shape in (Shape.CAPITALS, Shape.HEADING) for link in chain.links)
    return chain.score / count >= 1.2 and _room(chain) >= LEAST_ROOM


def _room(chain: Chain) -> float:
    """Characters from one number to the next, on average."""
    return (chain.last - chain.start) / (len(chain.links) - 1)


def _is_outside(chain: Chain, best: Chain) -> bool:
    """Whether a chain of an inner style is nevertheless the first level: the other is a small part inside one of its
    divisions, or comes after it and is shorter."""
    span, other = chain.last - chain.start, best.last - best.start
    if chain.start >= best.start:
        return False
    if chain.last < best.start:
        return len(chain.links) > len(best.links) and span > other
    within = max(link.start for link in chain.links if link.start < best.start)
    following = min((link.start for link in chain.links if link.start > within), default=0)
    return following > best.last and other < SMALL_PART * span


def _division(text: str, candidate: Candidate) -> Division:
    is_titled = bool(candidate.title.text) or candidate.style not in NUMBER_STYLES
    end = max(candidate.end, candidate.title.end)
    title = " ".join(text[candidate.start : end].replace("\\", "").replace("*", "").split())
    return Division(candidate.start, end, title, is_titled)
