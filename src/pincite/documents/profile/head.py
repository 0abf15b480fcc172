"""The head of a document: its first lines without boilerplate, found again where a text lost its line breaks."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from pincite.documents.profile.vocabulary import NOUN, STRONG_NOUN
from pincite.text import Document
from pincite.text.canonical import BOM

HEAD_LENGTH = 40_000
"""Characters at the start of a document in which its names are looked for."""
LONG_LINE = 160
"""A longer line is a paragraph; capital lines are looked for inside it."""

_LINE = re.compile(r"[^\n]+")
_PAGE_MARK = re.compile(r"<(?:/?[A-Z]{1,12})>(?:\s*\d+)?|\f")
_SPACED = re.compile(r"(?<![A-Za-z])(?:[A-Z] ){3,}[A-Z](?![A-Za-z])")
_RULE = re.compile(r"-{5,}\s*[xX]\b|(?:[-_=*~.]\s?){3,}")
_MARKS = " \t#*=_>|~`\u00a0\u200b" + BOM
_FRONT_MATTER = re.compile(r"\A\ufeff?---[ \t]*\n(.*?)\n(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_FRONT_TITLE = re.compile(r"^title[ \t]*:[ \t]*(.+?)[ \t]*$", re.MULTILINE | re.IGNORECASE)
_FRONT_DATE = re.compile(
    r"^(?:effective(?:[ _-]date)?|date|last[ _-]?(?:updated|modified)|updated|version)[ \t]*:[ \t]*[\"'v]?"
    r"(?P<date>(?:19|20)\d\d[-./](?:0?[1-9]|1[0-2])(?:[-./](?:0?[1-9]|[12]\d|3[01]))?)\b",
    re.MULTILINE | re.IGNORECASE,
)
_LEADING_NOISE = re.compile(
    r"^(?:exhibit|ex\.?|annex|schedule|appendix"
    r"|attachment)[\s\-–—.]*(?:no\.?\s*)?(?:\(?[0-9]+[0-9.\-]*(?:\([a-z0-9]+\))*[a-z]?\)?"
    r"|[A-Z](?:-[0-9]+)?|[IVX]{1,5})\b[.:\s\-–—*]*(?=[A-Z]|$)"
    r"|^(?:execution|conformed|final|composite)\s+(?:version|copy|draft|form)\b[:\s]*"
    r"|^(?:strictly\s+)?confidential(?!\s+(?:disclosure|information|settlement|separation|severance|resignation|release|retirement|transition|agreement(?!\s+and\s+plan)|and\s))"
    r"(?:\s+treatment\s+requested(?:\s+by\s+[^.]{3,40}?(?:inc|corp|ltd"
    r"|llc)\.?)?)?\b[.:\s]*(?=[A-Z]|$)"
    r"|^AO\s?\d{2,3}[A-Z]*\s+(?:\(rev[^)]{0,20}\)\s*)?|^[A-Z]{1,5}[- ]?\d{1,4}[A-Z]{0,2},?\s+\(rev[^)]{0,20}\)\s*"
    r"|^form\s+[A-Z]{0,3}-?\d[\w-]*(?:\s+\(rev[^)]{0,20}\))?[,.:\s–—-]+(?=[A-Z])"
    r"|^form\s+of\s+(?=[A-Z])|^(?:re|subject)\s*:\s*|^\$[\d,.]+(?:\s+million)?\s+|^\[?logo\]?\s+|^project\s+[A-Z]+\s+(?=[A-Z]+\s+(?:AND\s+)?AGREEMENT)"
    r"|^\(?(?:draft|copy|original(?!\s+equipment))\)?\b[\s:]*(?=[A-Z]|$)",
    re.IGNORECASE,
)
_BOILERPLATE = re.compile(
    r"""^(?:
    <?page>?\W*\d*$ | page\s+\d | \W*\d*\W*$
    |(?:ex|exhibit|exv)[\s\-.]*\d[\w.\-()]*(?:\s*[-–].{0,12})?$ | exhibit\W*[\d.]*$ | ex[-.\d]*\w?\.(?:htm|txt)
    |\S+\.(?:htm|html|txt|doc|docx|pdf)$ | ex-?\S+\s+\d+\s+\S+\.(?:htm|txt)\b.*
    |dear\b | re\s*:\s*$ | to\s+whom\b | ladies\s+and\s+gentlemen | gentlemen
    |filed\b.{0,60}$ | received\b.{0,40}$ | entered\b.{0,30}$ | wo$ | not\s+for\s+publication | unpublished
    | published$ | sealed$
    |confidential(?:\s+treatment.*|\s+(?:and\s+proprietary|information|draft|materials?\b.*))?\W*$
    | privileged\b.* | strictly\s+confidential\b.*
    |(?:certain|portions|pursuant|double\s+asterisks|note\s*:|\*+\s*(?:certain|confidential|portions|text
    |indicates|information)|\[\s*\*+).*
    |execution\s+(?:version|copy|form).* | conformed\s+copy.* | draft\b.{0,40}$ | copy$
    | final(?:\s+(?:version|copy|draft|form|text|print)\b.{0,20})?$
    | original$ | duplicate$
    |table\s+of\s+contents.* | contents$ | index$ | quicklinks.* | back\s+to\b.* | click\s+here.* | (?:query
    |reports|utilities|help|log\s*out|home|menu|search|print|skip\s+to.*)$
    |\(?page\s+numbers?\s+refer.*
    |(?:dated|as\s+of|effective|made|date|approved|revised|last\s+(?:updated|modified|revised))\b.{0,60}\d{4}\W*$
    |by\s+and\s+(?:between|among)\b.* | between\b.{0,3}$ | among\b.{0,3}$ | and$ | by$ | with$ | to$ | for$ | from$
    |(?:in\s+)?the\s+(?:united\s+states|supreme|high|court|district|superior)\b.*
    | united\s+states\s+(?:district|court|bankruptcy).* | for\s+the\s+.{3,40}(?:circuit|district).*
    |recitals?\W*$ | w\s*i\s*t\s*n\s*e\s*s\s*s\s*e\s*t\s*h.* | whereas.* | background\W*$ | preamble\W*$
    | now,?\s+therefore.* | in\s+witness.*
    |case\s*(?:no\.?|number|:|\d).* | appellate\s+case.* | docket(?!ing).{0,40}$ | no\.\s.* | cv-\d.* | (?:civil
    |criminal)\s+action.* | source\s*:.*
    |https?:.* | www\..* | .*\.gov/.* | tel\b.* | telephone.* | fax.* | attention.* | attn.* | address.*
    |certain\s+identified.* | in\s+accordance\s+with\s+item.* | this\s+is\s+a\s+translation.*
    | \W*translation\W*$ | contract\s+no\b.* | agreement\s+no\b.*
    |(?:copyright\s*(?:©|\(c\)|\d|by\b)|©|\(c\)).* | copyright$
    | all\s+rights\s+reserved.* | version\s+[\d.]+$ | rev(?:ision)?\.?\s*[\d.]+$
    | form\s+\d\S*$ | omb\b.* | (?:[A-Z]{2,6}\s+)?form\s+[A-Z]{0,3}-?\d[\w-]*(?:\s.*\brev\b.*|\s*)$ | formerly\s.*
    | previous\s+editions?\b.* | (?:to|from|cc|via)\s*:.* | \(?space\s+above\b.* | recording\s+requested\b.*
    | (?:and\s+)?when\s+recorded\b.* | (?:after\s+recording|prepared\s+by)\b.*
    | usca\s?\w*\s.* | d\.?c\.?\s+(?:docket|no)\b.* | to\s+the\s+hon(?:orable|\.|ou?rable)?\s.* | demand\s+for\s+jury.*
    | jury\s+trial\s+demanded.* | do\s+not\s+publish | non-?argument\s+calendar | syllabus$ | slip\s+opinion
    |act\s+no\b.* | chapter\s+\d+$ | (?:last\s+)?(?:site\s+)?update.* | deposited.* | office\s+copy.*
    | entire\s+(?:agreement|contract)$
    | (?:agreement|contract|executive|key\s+terms?|deal)?\s*(?:summary|overview|at\s+a\s+glance)$ | §.* | printed\s+by.*
    | supplement\s+to\s+the\s+official.* | order\s+in\s+council\s+no.*
    | order\s+of\s+the\s+(?:lieutenant|governor).*
    |[\d\s]*(?:back\s+to\s+docket|docket\s+viewer).* | neutral\s+citation.* | (?:hearing|argument)\s+dates?.*
    | before\W*$ | appeal\s+from.* | arrangement\s+of\s+sections
    |adrmop | untitled.* | document\d*$ | microsoft\s+word.* | new\s+page.*
    )""",
    re.VERBOSE | re.IGNORECASE,
)
_CLAUSE = re.compile(
    r"^(?:\d{1,2}(?:\.\d+)*[.)]?|\([a-z0-9]{1,3}\)|[ivx]+\.|section\s+\d+\S*|article\s+(?:\d+|[ivx]+)\S*)\s+\S",
    re.IGNORECASE,
)
_CAPITAL_RUN = re.compile(
    r"(?<![\w.])[A-Z][A-Z0-9&.,'’/\-–()@®™]*(?:[ \t\u00a0]+(?:[A-Z0-9][A-Z0-9&.,'’/\-–()@®™]*|&|[-–]|(?:and|of"
    r"|to|for|the|by)(?=\s[A-Z]{2}))){1,25}(?![a-z])"
)
_SENTENCE_END = re.compile(r"(?<!\bNO)(?<!\bINC)(?<!\bCORP)(?<!\bLTD)(?<!\b[A-Z])\.\s+")
_TITLE_RUN = re.compile(
    rf"[\s\d]*+(?P<title>(?:(?:[A-Z][\w&,.'’/\-–]*|and|of|to|for|the|on|in|&|[-–]"
    rf"|#?\d+)\s+){{0,12}}?(?i:{STRONG_NOUN.pattern})(?:\s+(?i:{STRONG_NOUN.pattern}))*(?:\s+(?:\#?\s*\d+|No\.?\s*\d+|n°\s*\d+))?(?:\s+(?:and|&|to|to\s+the|of|of\s+the)\s+(?:[A-Z][\w-]*,?\s+|and\s+){{0,8}}?(?i:{STRONG_NOUN.pattern}))*(?:\s+(?:on|for|of"
    rf"|to)(?:\s+(?:[A-Z][\w-]*|and|of|the))+?(?=\s+(?:Between|BETWEEN|This|THIS|Party)\b))?)(?=\s|$)"
)
_LETTERED = re.compile(r"^[A-H]\.\s+[A-Z][a-z]")
_CONTENTS = re.compile(r"\b(?:table\s+of\s+contents|TABLE OF CONTENTS)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class HeadLine:
    """A line near the start of a document, trimmed."""

    text: str
    start: int
    end: int
    gap: int
    """Line breaks before it: 2 or more mean an empty line."""
    level: int = 0
    """The level of the heading if the format marks it as one."""
    inline: bool = False
    """Whether it was found inside a paragraph."""


@dataclass(frozen=True, slots=True)
class Head:
    """The first page or so of a document."""

    text: str
    lines: tuple[HeadLine, ...]
    front_title: str = ""
    """The title in the front matter of a Markdown file."""
    front_date: str = ""
    """The date there: effective, updated, or the version if that is a date."""
    body_start: int = 0
    levels: dict[int, int] = field(default_factory=dict)
    printed: str = ""
    """The text with its running matter: the stamps of a court, and "-v-", which looks like the number of a page."""


def head_of(document: Document, text: str) -> Head:
    """The head of a document, whose text is given without running matter.

    Texts that lost their line breaks give their runs of capitals as lines.
    """
    front_text, text = document.text[:4000], text[:HEAD_LENGTH]
    front = _FRONT_MATTER.match(front_text)
    start = front.end() if front else 0
    named = _FRONT_TITLE.search(front.group(1)) if front else None
    levels = dict(document.source.headings)
    lines = tuple(_lines(text, start, levels))
    dated = _FRONT_DATE.search(front.group(1)) if front else None
    title = named.group(1).strip("\"' ") if named else ""
    return Head(text, lines, title, dated.group("date") if dated else "", start, levels, document.text[:HEAD_LENGTH])


def _lines(text: str, start: int, levels: dict[int, int]) -> Iterator[HeadLine]:
    before = start
    for match in _LINE.finditer(text, start):
        raw = match.group()
        stripped = raw.strip(_MARKS)
        if not stripped:
            continue
        begin = match.start() + raw.index(stripped)
        gap = text.count("\n", before, begin)
        before = match.end()
        level = levels.get(match.start(), 0) or levels.get(begin, 0)
        if len(stripped) <= LONG_LINE:
            yield HeadLine(stripped, begin, begin + len(stripped), gap, level)
            continue
        yield from _inside(stripped, begin)


def _inside(paragraph: str, begin: int) -> Iterator[HeadLine]:
    """The lines of a paragraph that lost its line breaks: runs of capitals, and the words before the first sentence."""
    opening = 0
    while found := _LEADING_NOISE.match(paragraph[opening:]):
        opening += max(1, found.end())
    title = _TITLE_RUN.match(paragraph, opening)
    if title and not title.group("title").isupper() and not title.group("title").startswith(("This ", "The ")):
        edges = begin + title.start("title"), begin + title.end("title")
        yield HeadLine(title.group("title"), *edges, 2, 0, inline=True)
    for run in _CAPITAL_RUN.finditer(paragraph):
        at = run.start()
        for sentence in _SENTENCE_END.split(run.group()):
            where = paragraph.find(sentence, at)
            at = where + len(sentence)
            if NOUN.search(sentence):
                yield HeadLine(sentence.strip(), begin + where, begin + at, 2, 0, inline=True)


def cleaned(line: str) -> str:
    """A line without rules, page marks, exhibit numbers and the like around it.

    >>> cleaned("EXHIBIT 10.2   SUPPLY AGREEMENT -------"), cleaned("<PAGE>   1"), cleaned("== LEASE ==")
    ('SUPPLY AGREEMENT', '', 'LEASE')
    """
    line = re.sub(r" {2,}|\t", "  ", _PAGE_MARK.sub(" ", line))
    line = " ".join(_SPACED.sub(lambda run: run.group().replace(" ", ""), line).split())
    line = " ".join(_RULE.sub(" ", line).split()).strip(_MARKS + "-–—:;,.[]")
    if "(" not in line:
        line = line.lstrip(") ")
    while True:
        shorter = _LEADING_NOISE.sub("", line, count=1).strip(_MARKS + "-–—:;,.")
        if shorter == line:
            break
        line = shorter
    return line if any(map(str.isalpha, line)) else ""


def is_boilerplate(line: str) -> bool:
    """Whether a line can never be a title: page marks, exhibit numbers, stamps, salutations, numbered clauses.

    >>> [is_boilerplate(line) for line in ("Exhibit 10.1", "Dear Ms. Lee,", "FILED", "2. Services", "SUPPLY AGREEMENT")]
    [True, True, True, True, False]
    """
    return bool(_BOILERPLATE.match(line) or _CLAUSE.match(line) or _LETTERED.match(line))


def contents_start(text: str) -> int:
    """Where the table of contents begins; the length of the text if it has none."""
    found = _CONTENTS.search(text)
    return found.start() if found else len(text)
