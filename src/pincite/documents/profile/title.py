"""The title of a document by evidence: what its format marks, what stands over the text, what it calls itself."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from pincite.documents.profile.court import Caption
from pincite.documents.profile.file_name import title_of_file
from pincite.documents.profile.form_title import form_title
from pincite.documents.profile.head import Head, HeadLine, cleaned, contents_start, is_boilerplate
from pincite.documents.profile.paper import find_paper
from pincite.documents.profile.preamble import Preamble
from pincite.documents.profile.vocabulary import DATE, FORMS, LEGAL_FORM, NOUN, STRONG_NOUN
from pincite.text import Document

TITLE_LENGTH = 200
"""Characters that a title may have."""
SHORT_TITLE = 4
"""Words up to which a title may have a word that makes others a sentence: "WILL"."""
SHORT_LINE = 40
"""Characters of a first line that was not broken off because it was full."""
PROSE_LINE = 110
"""Characters of a line that is of a paragraph, not of a title."""
FIRST_LINE = 2.0
"""What the first line gains if it stands alone."""
WEAK = 2.0
"""Evidence up to which the file name is the better title."""
FORM = 7.0
"""Evidence of the name of an official form, below its number."""
SUBJECT = 6.0
"""Evidence of the line "Re:" of a letter."""
LETTER_LENGTH, ATTACHED = 6000, 4.0
"""Characters of a letter behind which a heading is of what is attached to it, and what such a heading loses."""
LETTER_LINES, SUBJECT_LINES = 40, 3
"""Lines in which a letter greets somebody, and lines behind the greeting in which it may say what it is about."""
MOST_WORDS = 22
MESSAGES = ("eml", "msg", "xlsx")
"""Readers whose title is what people call the document."""
SELF_LENGTH = 1500
"""Characters in which a policy says what it is."""
MOST_LINES = 120
"""Lines from the start that are looked at."""

_SENTENCE = re.compile(
    r"\b(?:shall|will|is|are|has|have|hereby|agrees?|whereas|may|must|was|were|been|please|[Yy]ou|[Ww]e|[Yy]our|[Oo]ur)\b"
)
_STATUTE = re.compile(
    r"\b(?:short\s+title|arrangement\s+of\s+sections|this\s+act|be\s+it\s+enacted|decrees:"
    r"|comes?\s+into\s+force|this\s+regulation|the\s+legislature|enacts\s+as\s+follows)\b",
    re.IGNORECASE,
)
_NAME_OF_LAW = re.compile(
    r"\b(?:act|regulations?|code|ordinance|law|rules)(?:,?\s+(?:of\s+)?\d{4})?(?:\s*\([^)]*\))?$"
    r"|^(?:federal\s+)?(?:act|law|ordinance)\s+on\b",
    re.IGNORECASE,
)
_FRAGMENT = re.compile(
    r"^(?:The|Our|Your|We|You)\s+[a-z]|\bsection\s+of\b|^(?:In|Of|By|Under|To|At|With)\s+(?:the|this|an?)\s(?!Matter\b|Estate\b)|\b(?:of|to|and|the|for|by|with|or|in)$|\b(?i:of|to|for|by|with|in)\s+(?i:an?)$"
)
"""A piece of a sentence, not a title."""
_SALUTATION = re.compile(r"(?:Dear|To\s+Whom|Ladies\s+and\s+Gentlemen)\b", re.IGNORECASE)
_RE = re.compile(r"(?:RE|Re|SUBJECT|Subject)\s*:\s*")
_DOCKET = re.compile(r"[,;\s]+(?:Case|Docket|Index|Cause|Civil\s+Action|Appeal|Nos?\.)\s.*$|[,;\s]+\d+[:-]\w+-.*$")
"""The number of the case behind its name."""
_SAYING = re.compile(
    r"\b(?:HAVE|HAS|BEEN|WERE|IS|ARE|SHALL|WILL|HEREBY|OMITTED|PURSUANT|INCLUDING|REFERRED|REQUESTED|WITHOUT)\b"
)
_CONNECTS = re.compile(r"(?:\b(?:to|of|and|for|the|by|with|in|on|or|no\.?)(?:\s+an?)?|[-–—:&,])$", re.IGNORECASE)
_AWAITS = re.compile(r"\b(?:of|to|for|by|with|in)\s+(?:an?|the)$", re.IGNORECASE)
"""The end of a line that the next one completes, whatever its letters: "Application for a"."""
_CONTINUES = re.compile(r"^(?:to|of|and|for|with|in|on|by\s+and\s+(?:between|among)|&|\()\b", re.IGNORECASE)
_CONNECTOR = re.compile(r"(?:to|of|and|for|the)(?:\s+the)?", re.IGNORECASE)
_OPENING = re.compile(
    r"(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth)"
    r"|(?:(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|[0-9]+(?:st|nd|rd|th))\s+)?"
    r"(?:amend(?:ed|ment)(?:\s+no\.?\s*\w+)?(?:\s+and\s+(?:restated|restatement))?|restated|amended|executive|master|senior|secured|mutual"
    r"|supplemental|exclusive|non-?exclusive)\b(?:\s+(?:senior|secured|executive|officer|revolving|term))*",
    re.IGNORECASE,
)
_NUMBERED = re.compile(
    r"\s*+[(,-]?\s*+\b(?:contract|agreement|service\s+package|reference|ref|file)\b\s*+(?:no\b|number|identification|#|n°).*$|\s*+\(page\b.*$|\s++location\s+of\s+the\b.*$",
    re.IGNORECASE,
)
_TAIL = re.compile(
    r"(?:(?<=\))\s+of\s+\d{1,2}\s.*|[\s,;:–-]+(?:(?:dated|made|effective|entered|as\s+(?:amended|restated|revised)\s+(?:on|as|through))\b.*|(?:as\s+of"
    r"|by\s+and\s+(?:between|among)|between(?!\s+(?:the\s+)?owner\b)|among|this|THIS|the\s+undersigned)\b.*))$",
    re.IGNORECASE,
)
_MARKED_AS = re.compile(r"\s*\((?:form|template|draft|redacted|execution\s+(?:version|copy))\)$", re.IGNORECASE)
_TWO_FIRMS = re.compile(rf"^.+?{LEGAL_FORM.pattern}.*?\band\b.+?{LEGAL_FORM.pattern}[\s,.]*", re.IGNORECASE)
_AMENDS = re.compile(r".*?\b(?:amendment|addendum|supplement)\b.*?\bto\s+(?:the\s+)?", re.IGNORECASE)
_FIRM = re.compile(rf"^[^()]{{3,60}}?,?\s(?:{FORMS})\b\.?,?\s+(?=[A-Z])", re.IGNORECASE)
_PLAN = re.compile(r"\b(?:plan|policy|code|bylaws|guidelines)\b", re.IGNORECASE)
_SMALL_WORDS = frozenset("a an and as at by for from in into of on or the to with under".split())
_NOUN_END = re.compile(
    r"\s*(?:$|[(\[,:;–—-]|(?:of|to|for|and|between|among|by|no|number|in|on|with|under|\d)\b)", re.IGNORECASE
)
_DEFINED = re.compile(
    r"\b(?:this|the)\s+(?P<title>(?:(?!(?:of|this|the|that|such|regarding)\b)[\w’'-]+\s+){1,5}?(?:agreement"
    r"|contract|lease|licen[cs]e|deed|note|plan|policy))\s*\((?:the\s+|this\s+)?[“\"*]+(?:Agreement|Contract"
    r"|Lease|Licen[cs]e|Deed|Note|Plan|Policy)",
)
_CALLS_ITSELF = re.compile(
    r"\b(?:This|These|this|these)\s+(?P<title>(?:[A-Z][\w’'-]*\s+){0,4}?(?:Privacy|Cookie|Acceptable\s+Use)\s+(?:Policy|Notice|Statement)"
    r"|(?:[A-Z][\w’'-]*\s+){0,3}?Terms\s+(?:of|and)\s+(?:Service|Use|Sale|Conditions))\b"
)
"""What a policy calls itself in its text."""
_OFFERS = re.compile(
    r"\b(?:[Ww]e(?:\s+are|’re|'re)|I(?:\s+am|’m|'m)|is)\s+(?:very\s+)?(?:pleased|delighted|happy|excited)\s+to\s+"
    r"(?:(?:offer|confirm)\s+(?:you|our|your)|extend)\b[^.]{0,120}"
    r"\b(?:position|employment|join|role)\b"
)
"""What a letter says that offers employment."""
_AMENDING = re.compile(
    r"\bThis\s+letter\b[^.;]{0,80}?\bamend(?:s|ment\s+(?:to|of|no\.?\s*\d\s+to))\s+(?:your|our|the|that\s+certain)\s+"
    r"(?P<what>(?:[A-Z][\w’'-]*\s+){0,5}?(?:Agreement|Lease|Contract|Note|Plan))\b"
)
"""What a letter says that amends an agreement."""
_FOLLOWING = re.compile(
    r"\b(?:The\s+following|These)\s+(?P<title>terms\s+(?:and|of)\s+(?:conditions|service|use|sale))\b", re.IGNORECASE
)
_PROSE = re.compile(r"^(?![#>|*\s-])[^\n]{150,}", re.MULTILINE)
"""A paragraph: a heading behind it is of a section."""
_TWICE = re.compile(r"(?<!\S)(\S+(?:\s+\S+){1,9}?)\s+\1(?!\S)", re.IGNORECASE)
_CITED = re.compile(
    r"\bmay\s+be\s+cited\s+as\s+(?:the\s+)?[“\"]?(?P<title>[A-Z][\w’',()&-]*(?:\s+(?:[A-Z][\w’',()&-]*|of|the"
    r"|and|on|for|in|to))*?\s+(?:Act|Regulations?|Code|Law|Ordinance|Rules?|Order)(?:,?\s+(?:of\s+)?\d{4})?)\b"
)
_ASIDE = re.compile(r"\s*[,/–—-]\s")
"""What stands between a title and the names behind it in the head of a page: "Supply Agreement - ACME"."""
_FORM_FIRST = re.compile(r"^(?:Ltd|Inc|LLC|Corp|Co|LTD|INC|CORP)\b[.,]*\s+(?=[A-Z])")
"""The legal form of a company whose name stands on the line above."""
_SITE = re.compile(r"\s+[|·–—-]\s+\S.{1,40}$")
"""The name of a site behind the title of its page."""
_LAST_TWICE = re.compile(r"\b([a-zA-Z]+)\s+\1$", re.IGNORECASE)
_REPEATED = re.compile(r"\s+(?:THIS|This)\s.*$")


class FoundTitle(NamedTuple):
    """A title and what speaks for it."""

    text: str
    evidence: str


class _Candidate(NamedTuple):
    score: float
    place: int
    text: str
    evidence: str


def find_title(document: Document, head: Head, preamble: Preamble | None, caption: Caption | None) -> FoundTitle:
    """The best title, with its evidence. Where there is none it is the cleaned file name, and the evidence says so."""
    found = _candidates(document, head, preamble, caption)
    candidates = [candidate for candidate in found if candidate.text and candidate.score > WEAK]
    if not candidates:
        return FoundTitle(title_of_file(document.id), "file name")
    best = max(candidates, key=lambda candidate: (candidate.score, -candidate.place))
    return FoundTitle(best.text[:TITLE_LENGTH], best.evidence)


def _candidates(
    document: Document, head: Head, preamble: Preamble | None, caption: Caption | None
) -> Iterator[_Candidate]:
    if head.front_title:
        yield _Candidate(12, 0, _tidy(head.front_title), "front matter")
    if caption and caption.name:
        yield _Candidate(11 if caption.is_sure else 8, caption.start, caption.name, "caption")
        if any(caption.roles) or caption.name.startswith("In re "):
            yield _Candidate(11.5, caption.start, _tidy(find_paper(head, caption.start, caption.parties)), "heading")
    if cited := _CITED.search(head.text):
        yield _Candidate(13, cited.start(), _tidy(cited.group("title")), "short title")
    declared = _without_site(_tidy(document.source.title), head)
    if LEGAL_FORM.search(declared) and not NOUN.search(declared):
        declared = ""
    if declared and not is_boilerplate(declared) and len(declared.split()) > 1 - bool(NOUN.search(declared)):
        if document.source.reader in MESSAGES:
            yield _Candidate(12, 0, declared, "subject")
        known = declared.casefold() in " ".join(head.text[:4000].split()).casefold()
        fuller = any(line.level and declared.casefold().startswith(line.text.casefold()) for line in head.lines[:20])
        score = 5.5 + 2.5 * known + 7 * (fuller and not known) + bool(STRONG_NOUN.search(declared))
        yield _Candidate(score, 0, declared, "format")
    if form := form_title(head):
        yield _Candidate(FORM, 0, _tidy(form), "heading")
    if subject := _subject(head):
        yield _Candidate(SUBJECT, subject.start, _tidy(_without_label(subject.text)), "subject")
    named = _named(preamble)
    yield from _headings(head, preamble, named)
    if named:
        yield _Candidate(6.2, preamble.start if preamble else 0, named, "preamble")
    elif defined := _DEFINED.search(head.text):
        yield _Candidate(5.2, defined.start(), _tidy(defined.group("title")).title(), "preamble")
    elif amending := _amending(head):
        yield amending
    elif offer := _OFFERS.search(head.text[:SELF_LENGTH]):
        yield _Candidate(2.5, offer.start(), "Offer of Employment", "preamble")
    elif own := _CALLS_ITSELF.search(head.text[:SELF_LENGTH]):
        yield _Candidate(5.2, own.start(), own.group("title"), "preamble")
    elif own := _FOLLOWING.search(head.text[:SELF_LENGTH]):
        words = own.group("title").lower().split()
        yield _Candidate(2.6, own.start(), f"{words[0].title()} {words[1]} {words[2].title()}", "preamble")


def _without_site(declared: str, head: Head) -> str:
    """A declared title without the name of the site behind it, where the first heading is the title alone."""
    site = _SITE.search(declared)
    heading = next((line.text for line in head.lines[:20] if line.level), "")
    return heading if site and declared[: site.start()].casefold() == heading.casefold() else declared


def _amending(head: Head) -> _Candidate | None:
    """A letter that amends an agreement is called by it."""
    greeted = any(_SALUTATION.match(line.text) for line in head.lines[:LETTER_LINES])
    found = _AMENDING.search(head.text[:LETTER_LENGTH]) if greeted else None
    if found is None:
        return None
    what = " ".join(found.group("what").split())
    return _Candidate(4.5, found.start(), f"Amendment to {what}", "preamble")


def _subject(head: Head) -> HeadLine | None:
    """The line of a letter that says what it is about."""
    lines = head.lines[:LETTER_LINES]
    greeting = next((at for at, line in enumerate(lines) if _SALUTATION.match(line.text)), None)
    if greeting is None:
        return None
    found = (line for line in lines[: greeting + SUBJECT_LINES] if _RE.match(line.text))
    return next((line for line in found if len(_without_label(line.text).split()) > 1), None)


def _without_label(line: str) -> str:
    return _DOCKET.sub("", _RE.sub("", line))


def _named(preamble: Preamble | None) -> str:
    """What the preamble calls the document, if that is more than "Agreement"."""
    title = _tidy(preamble.title) if preamble else ""
    return title if len(title.split()) > 1 and NOUN.search(title) and not _SAYING.search(title.upper()) else ""


def _headings(head: Head, preamble: Preamble | None, named: str) -> Iterator[_Candidate]:
    """Lines over the text that may be its title, alone or joined with the lines around them."""
    limit = min(contents_start(head.text), preamble.start + 2 if preamble else len(head.text))
    if contents_start(head.text) < 60:
        limit = preamble.start + 2 if preamble else len(head.text)
    lines = [line for line in head.lines if line.start < limit or line.level][:MOST_LINES]
    statute = bool(_STATUTE.search(head.text[:8000]))
    is_letter = any(_SALUTATION.match(line.text) for line in lines[:12])
    first_level = 0 if is_letter else min((line.level for line in lines if line.level), default=0)
    seen_heading = False
    found = _PROSE.search(head.text, head.body_start)
    prose = found.start() if found else len(head.text)
    for group in _groups(lines):
        line = group[0]
        text = _title_of(group, named)
        if not text:
            continue
        marked = bool(line.level) and line.level == first_level and not seen_heading
        marked = marked and (line.start < prose or _names_a_document(text))
        if line.level and not is_boilerplate(text):
            seen_heading = True
        bonus = 3.0 if statute and _NAME_OF_LAW.search(text) else 0.0
        if line is head.lines[0] and (len(head.lines) == 1 or head.lines[1].gap > 1 or len(line.text) <= SHORT_LINE):
            bonus += FIRST_LINE
        yield _Candidate(
            _score(text, line, named, marked=marked, is_letter=is_letter) + bonus, line.start, text, "heading"
        )


def _groups(lines: Sequence[HeadLine]) -> Iterator[list[HeadLine]]:
    """Runs of lines that stand together and look alike; each line may also open a run of its own."""
    group: list[HeadLine] = []
    for line in lines:
        if group and not _joins(group[-1], line):
            yield group
            group = []
        group.append(line)
    if group:
        yield group


def _joins(above: HeadLine, line: HeadLine) -> bool:
    if above.inline or line.inline or above.level != line.level:
        return False
    if any(is_boilerplate(text) and not _CONNECTOR.fullmatch(text) for text in (line.text, above.text)):
        return False
    if max(len(above.text), len(line.text), line.start - above.end) > PROSE_LINE:
        return False
    alike = above.text.isupper() == line.text.isupper() or bool(_AWAITS.search(above.text))
    if line.gap <= 1:
        return alike
    if not alike or line.gap > 4:
        return False
    return bool(_CONNECTS.search(above.text) or _CONTINUES.match(line.text) or _OPENING.fullmatch(above.text))


def _title_of(group: list[HeadLine], named: str) -> str:
    """The title in a group of lines: without names of companies before it and dates behind it; "" if there is none."""
    texts = [cleaned(line.text) for line in group]
    texts = [text for text in texts if text and (_CONNECTOR.fullmatch(text) or not is_boilerplate(text))]
    nouns = [at for at, text in enumerate(texts) if NOUN.search(text)]
    if not nouns:
        return _tidy(" ".join(texts)) if group[0].level and len(texts) == 1 else ""
    first, last = 0, nouns[-1]
    while first < nouns[0] and (LEGAL_FORM.search(texts[first]) or DATE.search(texts[first])):
        first += 1
    while last + 1 < len(texts) and (_CONNECTS.search(texts[last]) or _CONTINUES.match(texts[last + 1])):
        last += 1
    if len(group) > 6:
        first = nouns[0]
        last = nouns[0]
    title = _tidy(" ".join(texts[first : last + 1]))
    return _without_firms(_to_noun(title) if group[0].inline or len(title.split()) > 8 else title, named)


def _to_noun(title: str) -> str:
    """A title cut behind its last document noun, unless what follows belongs to it ("... of Merger")."""
    nouns = list(STRONG_NOUN.finditer(title))
    if not nouns or _NOUN_END.match(title, nouns[-1].end()):
        return title
    return title[: nouns[-1].end()]


def _without_firms(title: str, named: str) -> str:
    """A title without the two companies named before it; what the preamble calls it where the title ends in that."""
    if named and title.casefold().endswith(named.casefold()) and LEGAL_FORM.search(title[: -len(named)]):
        return title[-len(named) :]
    if named and title.casefold().startswith(named.casefold()) and _ASIDE.match(title, len(named)):
        return title[: len(named)]
    amends = _AMENDS.match(title)
    lead, rest = (amends.group(), title[amends.end() :]) if amends else ("", title)
    shorter = lead + _FIRM.sub("", _TWO_FIRMS.sub("", rest))
    return shorter if STRONG_NOUN.search(shorter) and len(shorter.split()) > 1 and not _PLAN.search(shorter) else title


def _tidy(title: str) -> str:
    """A title on one line, without date, "between ..." and marks behind it."""
    line = cleaned(_REPEATED.sub("", _TWICE.sub(r"\1", " ".join(title.split()))))
    if (dated := DATE.match(line)) and NOUN.search(line, dated.end()):
        line = line[dated.end() :].lstrip(" ,:–-")
    line = _NUMBERED.sub("", _TAIL.sub("", _FORM_FIRST.sub("", _LAST_TWICE.sub(r"\1", line)))).strip(" ,;:–—-*_“”\"'")
    if (dated := _last_date(line)) and NOUN.search(line, 0, dated.start()):
        line = line[: dated.start()].rstrip(" ,:–-")
    line = _MARKED_AS.sub("", line)
    if line.endswith(")") and "(" not in line:
        line = line[:-1]
    return line if 2 <= len(line) <= TITLE_LENGTH and len(line.split()) <= MOST_WORDS else ""


def _last_date(line: str) -> re.Match[str] | None:
    """The date with which a line ends."""
    return next((found for found in DATE.finditer(line) if found.end() == len(line) and found.group("d2")), None)


def _score(text: str, line: HeadLine, named: str, *, marked: bool, is_letter: bool) -> float:
    """How much speaks for a line as title."""
    if (
        text.split()[0].lower() in ("this", "the", "whereas", "reference")
        and NOUN.search(text)
        and not marked
        and text.split()[0] != "The"
    ):
        return -5.0
    if (
        is_boilerplate(text)
        or _FRAGMENT.search(text)
        or (len(text.split()) > SHORT_TITLE and _SAYING.search(text))
        or (_SENTENCE.search(text) and not text.isupper() and len(text.split()) > 6)
    ):
        return -5.0
    score = 0.0
    if _names_a_document(text):
        score += 4
    elif NOUN.search(text):
        score += 1.5
    if marked:
        score += 5 if line.level == 1 else 4
    if text.isupper():
        score += 3
    elif _is_title_case(text):
        score += 2.5
    else:
        score -= 1
    if line.inline:
        score -= 0.5
    if len(text.split()) == 1 and not marked:
        score -= 2.5
    if line.gap >= 2:
        score += 0.5
    if text.endswith("."):
        score -= 2
    if len(text.split()) > 14:
        score -= 2
    if named and named.casefold() in text.casefold():
        score += 3
    if LEGAL_FORM.search(text) and not STRONG_NOUN.search(text):
        score -= 4
    if is_letter and line.start > LETTER_LENGTH:
        score -= ATTACHED
    return score - min(line.start, 8000) / 8000 - (1.5 if line.start > 3000 and not marked else 0)


def _names_a_document(text: str) -> bool:
    """Whether the noun of a line is what the line is about: at its end, or before "of", "to", a number, a bracket."""
    return any(_NOUN_END.match(text, found.end()) for found in STRONG_NOUN.finditer(text))


def _is_title_case(text: str) -> bool:
    words = [word for word in re.findall(r"[A-Za-z][\w'’-]*", text) if word.lower() not in _SMALL_WORDS]
    return bool(words) and sum(word[0].isupper() for word in words) >= 0.8 * len(words)
