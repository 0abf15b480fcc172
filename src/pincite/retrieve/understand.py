"""Query understanding: which part of a question names a document, which documents it names, and what is asked."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from pincite.retrieve.names import Names
from pincite.text.stopwords import NLTK_ENGLISH

KIND_WORDS = frozenset(
    """agreement agreements contract contracts nda ndas non disclosure nondisclosure confidentiality confidential policy
    privacy lease licence license merger supply services service employment distribution distributor mutual statement
    notice terms deed arrangement document plan acquisition master msa extract form template letter amendment sow
    """.split()
)
COMPANY_WORDS = frozenset(
    """inc incorporated corp corporation co company llc ltd limited llp lp plc gmbh ag sa sas ab bv nv pty parent target
    holding holdings group""".split()
)
GLUE = frozenset(
    """the a an our their its this that my your his her of between and by for with from to s dated as in on at under per
    signed entered into among vs v or including
    """.split()
)
OPENERS = frozenset(
    """may can does do did is are was were what who whom whose when which how shall must will would could should has
    have had where why if tell explain describe list give information am any whether under
    """.split()
)
_LEAD = re.compile(
    r"^\s*(?:please\s+)?(?:consider(?:ing)?|regarding|concerning|under|in|per|pursuant\s+to|according\s+to|for|as\s+regards|"
    r"with\s+(?:respect|regard|reference)\s+to|based\s+on|looking\s+at|as\s+per|re|on|from|about|reading|given|within)\b",
    re.IGNORECASE,
)
_BEFORE = re.compile(
    r"(?:\b(?:as\s+set\s+out|as\s+stated|set\s+out|stated|provided|contained|found|found)?\s*\b(?:in|under|of|per|by|from|with|for|"
    r"pursuant\s+to|according\s+to|within|to|between|about|on)\s+)?(?:the|our|their|its|this|that|my|your|a|an)?\s*$",
    re.IGNORECASE,
)
_SEPARATORS = tuple(map(re.compile, (r"\s*;", r"\s+[-–—]\s+", r":(?=\s)")))
_QUOTED = re.compile(r"[\"“][^\"”]*[\"”]")
_CLOSING = re.compile(r"(?:[’']s\b)?(?:[.\"”’)]+(?=[?,;:\s]|$))?")
_TOKEN = re.compile(r"[^\W_]+")
_TIDY = ((re.compile(r"\s+([?.,;:!])"), r"\1"), (re.compile(r"[,;:]+(?=[?.!])"), ""), (re.compile(r"\s{2,}"), " "))

BREAKERS = frozenset("in under according per pursuant within about regarding".split())
"""Between two names these words begin another thought."""

ENOUGH, ENOUGH_WITH_NAME = 0.34, 0.2
"""A document must hold this share of what a reference says to be meant by it; less will do where a name is known."""
KEEP = 0.72
"""Documents with at least this share of the best one's score are kept, in proportion to belief."""
SHARPNESS = 18.0
KIND_IMPORTANCE, OTHER_IMPORTANCE = 0.35, 0.7
"""Beside a name (1), how much "Supply Agreement" and other words of a reference count."""


class Belief(NamedTuple):
    """A document that a question may be about: its place in the collection, how sure, and the words that say so."""

    position: int
    belief: float
    why: str


@dataclass(frozen=True, slots=True)
class Understood:
    """A question taken apart. Without documents it is searched over everything."""

    question: str
    reference: str = ""
    documents: tuple[Belief, ...] = ()
    notes: tuple[str, ...] = ()


def understand(query: str, names: Names, body_share: Callable[[str], float] | None = None) -> Understood:
    """Takes a query apart. `body_share` says in what share of the documents' texts a word stands: a word that is
    everywhere names nothing, unless it is quoted or capitalised."""
    tokens = [(match.group().lower(), match.start(), match.end()) for match in _TOKEN.finditer(query)]
    anchors = [
        at for at, (word, start, _) in enumerate(tokens) if _is_anchor(query, word, start, at, names, body_share)
    ]
    span = _extent(query, tokens, anchors)
    if span is None:
        return Understood(query.strip())
    reference, question = query[span[0] : span[1]], _without(query, *span)
    words = [word for word, start, end in tokens if span[0] <= start and end <= span[1] and word not in GLUE]
    words = [word for word in words if word not in ("consider", "regarding", "concerning", "according", "pursuant")]
    if not question or not words:
        return Understood(query.strip())
    known = {tokens[at][0] for at in anchors} & set(words)
    importance = {word: _importance(word, names) for word in words} | dict.fromkeys(known, 1.0)
    beliefs = _beliefs(names, importance, ENOUGH_WITH_NAME if known else ENOUGH)
    if not beliefs:
        note = f"no document is called {reference.strip(' ,;:?')!r}: all documents were searched"
        return Understood(question, reference, (), (note,))
    return Understood(question, reference, beliefs)


def _is_anchor(
    query: str, word: str, start: int, at: int, names: Names, body_share: Callable[[str], float] | None
) -> bool:
    """Whether a word of the query singles out few documents by their names."""
    if word in KIND_WORDS or word in COMPANY_WORDS or word in GLUE or word in NLTK_ENGLISH or word in OPENERS:
        return False
    rarity = names.rarity(word)
    if not rarity or rarity > max(2, 0.25 * names.count):
        return False
    if start > 0 and query[start - 1] in "\"“'‘":
        return True
    everywhere = body_share(word) if body_share else 0.0
    few = 2 / max(names.count, 1)
    if query[start].isupper() and at > 0:
        return everywhere <= max(0.35, few) and not word.isdigit()
    return len(word) >= 3 and not word.isdigit() and everywhere <= max(0.05, few) and names.count >= 3


def _extent(query: str, tokens: Sequence[tuple[str, int, int]], anchors: list[int]) -> tuple[int, int] | None:
    """Where the reference stands: a lead before ";" or a comma, else the words around the anchors."""
    lead = _LEAD.match(query)
    for separator in _separators(query):
        named = any(tokens[at][2] <= separator.start() for at in anchors)
        opening = tokens[0][0] not in OPENERS if tokens else False
        if (named and (lead or opening)) or (lead and separator.group().strip() == ";"):
            return 0, separator.end()
    if lead and anchors:
        commas = [
            place for place in (match.start() for match in re.finditer(r"[,:]", query)) if _opens(query, place + 1)
        ]
        behind = [place for place in commas if any(tokens[at][2] <= place for at in anchors)]
        if behind:
            return 0, behind[0] + 1
    if not anchors:
        return None
    first, last = _cluster(query, tokens, anchors)
    while first > 0 and _joins(
        tokens[first - 1][0], query[tokens[first - 1][2] : tokens[first][1]], query, tokens[first - 1]
    ):
        first -= 1
    while last + 1 < len(tokens) and _joins_right(query, tokens, last):
        last += 1
    while first < last and tokens[first][0] in GLUE:
        first += 1
    start, end = tokens[first][1], tokens[last][2]
    if start > 0 and query[start - 1] in '"“‘':
        start -= 1
    if end < len(query) and query[end] in '"”':
        end += 1
    closing = _CLOSING.match(query, end)
    end = closing.end() if closing else end
    found = _BEFORE.search(query[:start])
    return (found.start() if found else start), end


def _separators(query: str) -> list[re.Match[str]]:
    """What may part a reference from its question, the surest first; nothing inside quotation marks."""
    masked = _QUOTED.sub(lambda quoted: "x" * len(quoted.group()), query)
    return [found for pattern in _SEPARATORS for found in pattern.finditer(masked)]


def _opens(query: str, place: int) -> bool:
    word = _TOKEN.search(query, place)
    return word is not None and word.group().lower() in OPENERS


def _cluster(query: str, tokens: Sequence[tuple[str, int, int]], anchors: list[int]) -> tuple[int, int]:
    """The run of anchors that belong together: between them only names, kinds and glue."""
    groups: list[list[int]] = [[anchors[0]]]
    for at in anchors[1:]:
        between = tokens[groups[-1][-1] + 1 : at]
        if all(_is_namelike(query, token) for token in between) and len(between) <= 8:
            groups[-1].append(at)
        else:
            groups.append([at])
    best = max(groups, key=lambda group: (len({tokens[at][0] for at in group}), group[0]))
    return best[0], best[-1]


def _is_namelike(query: str, token: tuple[str, int, int]) -> bool:
    word, start, _ = token
    if word in BREAKERS:
        return False
    return word in KIND_WORDS or word in COMPANY_WORDS or word in GLUE or query[start].isupper() or word.isdigit()


def _joins(word: str, gap: str, query: str, token: tuple[str, int, int]) -> bool:
    if any(mark in gap for mark in ";?!:,"):
        return False
    return (
        word in KIND_WORDS
        or word in COMPANY_WORDS
        or word in ("the", "our", "of", "between", "with", "and", "a", "an")
        or (query[token[1]].isupper() and token[1] > 0 and word not in OPENERS)
    )


def _joins_right(query: str, tokens: Sequence[tuple[str, int, int]], last: int) -> bool:
    word, start, _ = tokens[last + 1]
    gap = query[tokens[last][2] : start]
    if any(mark in gap for mark in ";?!:"):
        return False
    if word in KIND_WORDS or word in COMPANY_WORDS or word == "s":
        return True
    if query[start].isupper() and word not in OPENERS and "," not in gap:
        return True
    if word in ("and", "of", "for", "with") and last + 2 < len(tokens):
        after, place, _ = tokens[last + 2]
        return query[place].isupper() or after in KIND_WORDS or (word == "with" and query[place].isupper())
    return False


def _without(query: str, start: int, end: int) -> str:
    """What is asked: the query without the reference, tidied."""
    before, after = query[:start].rstrip(" ,"), query[end:].lstrip(" ,;:")
    if (
        before
        and after
        and after[0] not in "?.!,;"
        and not re.search(r"\b(?:in|under|of|per|from|by|with|for|to)$", before)
    ):
        # "what does [the Acme policy] say about cookies": something must stand where the name stood.
        middle = (
            " the document "
            if re.search(r"\b(?:does|do|did|is|are|has|have|can|may|will|shall|must|if|that)$", before)
            else " "
        )
    else:
        middle = " "
    text = (
        re.sub(r"\b(?:in|under|of|per|from|by|with|for|to|according to|pursuant to)$", "", before).rstrip()
        + middle
        + after
    )
    for pattern, replacement in _TIDY:
        text = pattern.sub(replacement, text)
    return text.strip(" ,;:")


def _importance(word: str, names: Names) -> float:
    """How much a word of a reference matters; one that no document knows speaks against all of them."""
    if word in KIND_WORDS or word in COMPANY_WORDS:
        return KIND_IMPORTANCE
    return OTHER_IMPORTANCE if len(names.weights(word)[0]) else 1.0


def _beliefs(names: Names, words: dict[str, float], enough: float) -> tuple[Belief, ...]:
    """The documents that the words name, in proportion to belief."""
    scores = names.score(words)
    best = float(scores.max()) if len(scores) else 0.0
    if best < enough:
        return ()
    kept = np.flatnonzero(scores >= KEEP * best)
    weights = np.exp(SHARPNESS * (scores[kept] - best))
    weights /= weights.sum()
    order = sorted(range(len(kept)), key=lambda at: (-weights[at], names.key(int(kept[at]))))
    found = []
    for at in order:
        position = int(kept[at])
        matched = [word for word in words if names.names(word, position)]
        found.append(Belief(position, float(weights[at]), f"named by: {', '.join(matched)}"))
    return tuple(found)
