"""Tells text that breaks off inside a sentence, at the end of a line or page: what follows is no heading."""

_LOOK_BACK = 40
"""Characters in which the last word is looked for."""
_CONJUNCTIONS = frozenset("and or but nor and/or".split())
"""Words that also end an item of a list: "...; and"."""
_OPEN_WORDS = frozenset(
    """the a an of in to by with from under upon on at for as that this these those such any each every its their his
    her our your which whose who whom is are was were be been being has have had shall will would may must can should
    not than if when where while whether unless until between among including pursuant into onto through within without
    against after before during toward towards per via hereinafter""".split()
)
"""Words after which no sentence and no title ends."""
_REFERENCES = frozenset(
    """section sections article articles exhibit exhibits schedule schedules paragraph paragraphs clause clauses
    subsection subsections annex appendix""".split()
)
"""Words that a number completes."""


def is_unfinished(text: str, end: int, *, in_list: bool = True) -> bool:
    """Whether the words before `end` break off: at a comma, an article, a preposition, an auxiliary. With `in_list`
    also at "and" and "or", behind which an item of a list may end.

    >>> [is_unfinished(line, len(line)) for line in ("THE LAWS OF", "by the Agent,", "of this Lease", "THE SCHEDULE")]
    [True, True, False, False]
    """
    word = _last_word(text, end)
    if word[-1:] == ",":
        return in_list and word[-2:-1].isalpha()
    return word in _OPEN_WORDS or (in_list and word in _CONJUNCTIONS)


def awaits_number(text: str, end: int) -> bool:
    """Whether the words before `end` end with what a number completes: "under Section".

    >>> awaits_number("pursuant to Sections", 20), awaits_number("THE SCHEDULE", 12)
    (True, False)
    """
    words = text[max(0, end - _LOOK_BACK) : end].split()
    return len(words) > 1 and words[-1].lower() in _REFERENCES and words[-2].islower()


def _last_word(text: str, end: int) -> str:
    """The last word before an offset with the signs at it, in small letters."""
    words = text[max(0, end - _LOOK_BACK) : end].split()
    return words[-1].lower().lstrip("(“\"'‘") if words else ""
