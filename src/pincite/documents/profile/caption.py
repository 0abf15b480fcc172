"""The name of a case and its parties, read from the caption of a court paper, in one column or two."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from pincite.documents.profile.case_parties import bare, case_parties, short_party
from pincite.documents.profile.vocabulary import DATE

MOST_LINES = 10
"""Lines before and behind "v." in which the parties are looked for."""
MOST_CAPTION_LINES = 120
FAR_RIGHT = 45
"""Blanks before a line that stands in the right column."""
NEAR_RIGHT = 30
"""Blanks before the right column where lines of the caption show it."""
COLUMN_ROWS = 3
"""Rows with the same sign that make a column of it."""
SIGNS = (")", "§", ":", "|")
"""What stands between the columns of a caption."""

_CELL = re.compile(r"[ \t]{2,}|\t")
_ONE_LINE = re.compile(
    r"^(?P<first>[A-Z0-9][^\n;|]{1,90}?),?\s+(?:v|vs|V|VS)\.?\s+(?P<second>[A-Z][^\n;|]{1,90}?)(?=\s*(?:$|;|\||,?\s+(?:No|Nos)\."
    r"|\s+(?:Case|Docket|Originating|Assigned|DC|Civil)\b|,\s+\d))"
)
_LABEL = re.compile(
    r"^\W*(?:.{0,40}?\b(?:Short\s+(?:Title|Caption)|Case\s+(?:Title|Name|Caption|Style)|Title|Caption|RE|Re|Subject)\s*:\s*"
    r"|(?:RE|Re|Title|Caption)\s+)?"
    r"(?:In\s+re\s*:\s+)?(?:(?:Appeal|Case|Docket|Nos?|Number)\b[\s.:#]*)*(?:(?:\d[\w:.-]*|\([A-Z]+\))[\s,;:–—-]+)*",
)
"""What stands before the name of a case on its line: "RE: 17-2987", "No. 17-2055,", "Short Title:"."""
_SEPARATOR = re.compile(
    r"(?:(?<=[\s,])(?:v|vs|V|VS)\.(?=\s|$)|\b(?:versus|VERSUS|Versus)\b|(?<=\n)[ \t]*(?:v|vs)[ \t]*(?=\n)"
    r"|(?<=\n)[ \t]*[-–—]\s*(?:and|v|vs|AND|V|VS)\.?\s*[-–—](?=[ \t]*\n)"
    r"|(?<=\n)[ \t]*[-–—]?\s*(?:against|AGAINST)\s*[-–—]?[ \t]*(?=\n))"
)
_IN_RE = re.compile(
    r"^(?:In\s+re|IN\s+RE|(?:In|IN)\s+(?:the|THE)\s+(?:Matter|MATTER|Estate|ESTATE)\s+(?:of|OF)"
    r"(?:\s+(?:the\s+Application|THE\s+APPLICATION)\s+(?:of|OF))?)\b[\s:.]*(?P<name>.*)$"
)
ROLE = re.compile(
    r"\b(?:(?:Counter|Cross|Third[- ]Party|Nominal)[- ]?)*(?:Plaintiffs?|Defendants?|Petitioners?|Respondents?"
    r"|Appell(?:ants?|ees?)|Claimants?|Debtors?|Movants?|Intervenors?|Applicants?|Relators?)\b(?:\(s\))?(?!['’]|\s+(?:Name|Address)\b)"
    r"(?:[\s,/–—-]*(?:(?:Counter|Cross)[- ]?)?(?:Below|Appell(?:ants?|ees?)|Plaintiffs?|Defendants?|Petitioners?"
    r"|Respondents?|Intervenors?|Claimants?)\b(?!['’]))*[\s,.]*",
    re.IGNORECASE,
)
"""What a party is in a case; "Defendant's Motion" is none."""
_STOP = re.compile(
    r"""\b(?:(?:court|clerk|filed|entered|docket|calendar|syllabus|courthouse)\b|nos?\.\s|case\s*(?:nos?\b|number|[:#\d])
    |(?:division(?:\s+\w+)?|circuit|judges?|justices?|before|between)\W*$|appellate\s+(?:district|division)|(?:district|circuit|magistrate|chief)\s+(?:judge|justice)
    |for\s+the\s+\w+\s+(?:circuit|district)|civil\s+(?:action|minutes)|index\s+no|term,?\s+\d|chapter\s+\d
    |appeal\s+from|on\s+(?:appeal|petition|writ)|petition\s+for|attorneys?\s+for|counsel\s+for|telephone\s*:
    |slip\s+opinion|per\s+curiam|(?:northern|southern|eastern|western|middle|central)\s+district|plaintiff[’']s
    |county\s+of\s+\w+\W*$|website|page\s+\d)
    |^\W*before\b|\d{4,}|\w:\d|^\W*at\s|@|[-_=*]{5,}|:$|^[A-Z]?\d+[-:]""",
    re.IGNORECASE | re.VERBOSE,
)
"""A line that belongs to no party: of the court, the docket, the clerk."""
_PLACE = re.compile(r"\W*(?:for\s+the\s+)?district\s+of\s+\w+(?:\s\w+)?\W*", re.IGNORECASE)
_PAPER = re.compile(
    r"(?:[A-Z’',.&()/-]+\s+){0,12}?(?:MEMORANDUM|ORDERS?|OPINION|JUDGMENT|COMPLAINT|MOTION|BRIEF|PETITION|STIPULATION|NOTICE"
    r"|SUMMONS|DECISION|DEMAND|DECLARATION|ANSWER|RULING|RECOMMENDATION|REPORT|SUGGESTION|INDICTMENT|CERTIFICATE|VERDICT"
    r"|SUBPOENA|AFFIDAVIT|DISCLOSURE|STATEMENT|SYLLABUS)\b[^a-z]*",
)
"""The name of the paper, which stands in the right column or under the caption."""
_NUMBER = (
    r"(?:(?:Case|Civil\s+Action|Docket|Index|Cause|C\.\s?A\.|D\.\s?C\.)\s*)?\b(?:Nos?\b\.?|Number)\s*:?\s*"
    r"[A-Z-]{0,6}\s?\d[\w:./-]*"
)
DOCKET = re.compile(rf"{_NUMBER}.*|\d{{1,2}}:\d\d-?\w{{2}}-?\d+.*|\d\d\s+Civ\.?\s+\d+.*", re.IGNORECASE)
_DOCKET_BEFORE = re.compile(rf"{_NUMBER}[,;]?\s+(?=[A-Z][A-Za-z]{{2}})", re.IGNORECASE)
_DOCKET_BEHIND = re.compile(rf"(?<=\S\S\S\S)[\s,]+(?:{DOCKET.pattern})$", re.IGNORECASE)
_MARGIN = re.compile(r"^\s*\d{1,2}(?=\s+(?!Civ|Cr|CV|CR)[A-Z(]|$)")
"""The number of a line, in the margin of a pleading."""
_NUMBERED = re.compile(r"^[ \t]{0,4}(\d{1,2})(?=[ \t]|$)", re.MULTILINE)
NUMBERED_LINES = 8
"""Lines with consecutive numbers that make pleading paper of a caption."""
_RULE = re.compile(r"^[-_=*]{5,}\s*[xX:]?\s+(?=[A-Z])")
"""The line over a caption, where the first party stands behind it."""
_IS_RULE = re.compile(r"[\s\-–—_=*]{5,}[xX]?")
_RUNS_ON = re.compile(r"(?:,|;|&|\b(?:and|of|the|for|AND|OF|THE|FOR))$")
_CONTINUES = re.compile(
    r"^(?:and\b|&|[a-z]|\(\d|(?:LITIGATION|ESTATE|TRUST|SECURITIES|PRODUCTS)\b)|\b(?:litigation|deceased)\b",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"\b(?:is|are|was|were|has|have|hereby|that|which|shall|this|we)\b|:")
"""Words that stand in no name: "v." stood in a sentence."""
_ASIDE = re.compile(r"\([^()]{3,}\)[\s,.]*")
"""A line in brackets: the number or the county of the court below."""
_PIECE = re.compile(r"(?:OF|AND|TO|FOR|RE)\b")
"""How a line of the paper's name goes on: of the right column, where it has no line of the left one beside it."""
_SAYS_WHEN = re.compile(
    r"(?:Re|Date|Time|Judge|Dept|Place|Courtroom|Ctrm|Hearing|Trial|Complaint\s+Filed|Action\s+Filed)\b[^:\n]{0,20}:",
    re.IGNORECASE,
)
"""A line of the right column that says when and where a motion is heard."""
_LOWER = re.compile(r"^[a-z]")


class Sides(NamedTuple):
    """The name of a case, where it stands, and its parties with their roles."""

    name: str
    start: int
    is_sure: bool
    parties: tuple[str, ...]
    roles: tuple[str, ...]


class _Line(NamedTuple):
    text: str
    gap: bool
    """Whether an empty line stands before it."""


def find_sides(text: str, body: str) -> Sides | None:
    """The parties of a case by its caption, which stands in `text`; `body` shows what the paper calls them."""
    left = left_column(text)
    one, two, matter = _on_one_line(text), _on_lines(text, left, body), _matter(left)
    if two and two.is_sure and (not one or two.start <= one.start):
        matter = None
    if one and two and two.is_sure and len(_key(one.parties[0])) == 1:
        one = None
    if one and two and _key(one.parties[0]) == _key(two.parties[0]) and len(two.parties) > len(one.parties):
        one = one._replace(parties=two.parties, roles=two.roles)
    readings = [reading for reading in (one, two, matter) if reading]
    return min(readings, key=lambda reading: (reading.start, not reading.is_sure), default=None)


def without_line_numbers(text: str) -> str:
    """A caption with blanks in place of the numbers of its lines, if they are numbered."""
    run: list[re.Match[str]] = []
    for found in _NUMBERED.finditer(text):
        number, last = int(found[1]), int(run[-1][1]) if run else 0
        if number == last + 1 or (not run and number <= 2):
            run.append(found)
    if len(run) < NUMBERED_LINES:
        return text
    letters = list(text)
    for found in run:
        letters[found.start(1) : found.end(1)] = " " * len(found[1])
    return "".join(letters)


def _key(name: str) -> str:
    return re.sub(r"\W+", "", name).casefold()


def left_column(text: str) -> str:
    """A caption without its right column, behind a sign, behind blanks or far to the right; as long as the text."""
    lines = text.split("\n")
    sign, rows = _column(lines[:MOST_CAPTION_LINES])
    far = _right_edge(lines[:MOST_CAPTION_LINES])
    for at, line in enumerate(lines):
        joined = next((mark for mark in SIGNS[:2] if line.count(f" {mark} ") >= COLUMN_ROWS), "")
        if joined:
            line = " ".join(line.replace(f" {joined}", " ").split())
        elif at in rows and sign:
            line = line[: _sign_at(line, sign)]
        cells = [cell for cell in _CELL.split(line) if cell]
        kept = line.rstrip()
        if len(line) - len(line.lstrip()) > far:
            kept = ""
        elif len(cells) > 1 and not ROLE.fullmatch(cells[1].strip()):
            start = line.index(cells[0])
            kept = line[: start + len(cells[0])]
        lines[at] = kept.ljust(len(lines[at]))
    return "\n".join(lines)


def _column(lines: Sequence[str]) -> tuple[str, range]:
    """The sign between the columns of a caption, and its rows."""
    for sign in SIGNS:
        rows = [at for at, line in enumerate(lines) if _sign_at(line, sign) is not None]
        if len(rows) >= COLUMN_ROWS and rows[-1] - rows[0] < 6 * len(rows):
            return sign, range(rows[0], rows[-1] + 1)
    return "", range(0)


def _right_edge(lines: Sequence[str]) -> int:
    """Blanks before a line of the right column: about as many as before the right cells of other lines."""
    edges = Counter[int]()
    for line in lines:
        cells = list(re.finditer(r"\S+(?: \S+)*", line))
        if len(cells) == 2 and cells[1].start() > NEAR_RIGHT:
            edges[cells[1].start()] += 1
    edge, count = edges.most_common(1)[0] if edges else (FAR_RIGHT, 0)
    return min(edge - 1, FAR_RIGHT) if count > 1 else FAR_RIGHT


def _sign_at(line: str, sign: str) -> int | None:
    """Where a sign stands alone between blanks or at an edge of a line; None if it does not."""
    found = re.search(rf"(?:^|(?<=\s)){re.escape(sign)}+(?=\s|$)", line)
    if found is None or (sign == ")" and line.count("(", 0, found.start()) > line.count(")", 0, found.start())):
        return None
    return found.start()


def _on_one_line(text: str) -> Sides | None:
    """ "Re: Smith v. Jones" on a line or in a column of its own, as it stands."""
    at = 0
    for line in text.split("\n"):
        cells = _CELL.split(line.strip())
        for cell in (*cells, " ".join(cells)) if len(line) < 300 else ():
            label = _LABEL.match(cell)
            rest = cell[label.end() if label else 0 :]
            found = _ONE_LINE.match(rest)
            if found is None or ROLE.search(found.group()) or _STOP.search(found.group("first")):
                continue
            first, second = (found.group(side).strip(" ,;:)") for side in ("first", "second"))
            parties = tuple(bare(name) for name in (first, second))
            broken = rest.count("(") != rest.count(")")
            return Sides("" if broken else f"{first} v. {second}", at, True, parties, ("", ""))
        at += len(line) + 1
    return None


def _on_lines(printed: str, text: str, body: str) -> Sides | None:
    """The parties before and behind "v." in a caption of several lines, given with and without its right column."""
    for found in _SEPARATOR.finditer(text):
        left, left_role = _before(text[: found.start()])
        behind = text[found.end() :]
        if printed[found.end() :].split("\n", 1)[0].strip().isupper():
            behind = _without_pieces(behind)
        right, right_role = _behind(behind, capitals=bool(left) and left[0].isupper())
        if left and right and not _SENTENCE.search(f"{left[0]} {right[0]}"):
            name = f"{short_party(left[0], body)} v. {short_party(right[0], body)}"
            roles = (left_role,) * len(left) + (right_role,) * len(right)
            return Sides(name, found.start(), bool(left_role or right_role), (*left, *right), roles)
    return None


def _without_pieces(behind: str) -> str:
    """What follows "v." without the lines of the paper's name, which began beside "v."; names end in a comma."""
    lines = behind.split("\n")
    for at, line in enumerate(lines[: 3 * MOST_LINES]):
        if ROLE.search(line):
            break
        if line.rstrip().endswith((",", ";")):
            first = at
            while first and lines[first - 1].strip():
                first -= 1
            return "\n".join(["" if row < first else kept for row, kept in enumerate(lines)])
    return behind


def _lines(lines: Sequence[str]) -> Iterator[_Line]:
    """The lines that hold words, without numbers in the margin."""
    gap = False
    for line in lines:
        stripped = _RULE.sub("", _MARGIN.sub("", line).strip(" \t|§"))
        if numbered := _DOCKET_BEFORE.match(stripped):
            stripped = stripped[numbered.end() :]
        elif not DOCKET.match(stripped):
            stripped = _DOCKET_BEHIND.sub("", stripped)
        if _IS_RULE.fullmatch(stripped):
            gap = True
        elif any(map(str.isalpha, stripped)) or _STOP.search(stripped):
            yield _Line(stripped, gap)
            gap = False
        else:
            gap = True


def _before(text: str) -> tuple[list[str], str]:
    """The parties over "v.", and their role."""
    lines = list(_lines(text.split("\n")[-3 * MOST_LINES :]))[::-1][:MOST_LINES]
    role, names = "", list[str]()
    below: _Line | None = None
    for line in lines:
        found = ROLE.search(line.text)
        name = line.text[: found.start()] if found else line.text
        if names and (found or not _belongs(line, below, names)):
            break
        if found and not role:
            role = _role(found)
        if _ASIDE.fullmatch(name) or (not names and (DOCKET.match(name) or _PAPER.fullmatch(name))):
            continue
        if _STOP.search(name) or _PAPER.fullmatch(name) or (names and _PLACE.fullmatch(name)):
            break
        if name.strip(" ,.;"):
            names.append(name)
            below = line
    return case_parties(" ".join(names[::-1])), role


def _belongs(line: _Line, below: _Line | None, names: list[str]) -> bool:
    """Whether a line is part of the names that begin on the next one."""
    numbered = names[-1].lstrip().startswith("(") and line.text.startswith("(")
    runs_on = bool(_RUNS_ON.search(line.text)) or bool(_CONTINUES.search(names[-1]))
    return numbered or runs_on or not (below and below.gap)


def _behind(text: str, *, capitals: bool) -> tuple[list[str], str]:
    """The parties behind "v.", and their role. With `capitals` a line in small letters is of another column."""
    role, names = "", list[str]()
    for line in list(_lines(text.split("\n")[: 3 * MOST_LINES]))[:MOST_LINES]:
        found = ROLE.search(line.text)
        name = line.text[: found.start()] if found else line.text
        aside = capitals and not names and not any(word.isupper() and len(word) > 2 for word in name.split())
        aside = aside or bool(_SAYS_WHEN.match(name)) or (not names and bool(_PIECE.match(name)))
        if _PAPER.fullmatch(name) or DOCKET.match(name) or (aside and name) or _ASIDE.fullmatch(name):
            if names and not found and not aside:
                break
            continue
        if _STOP.search(name) or DATE.match(name):
            break
        if names and not found and line.gap and not (_RUNS_ON.search(names[-1]) or _CONTINUES.search(name)):
            break
        names.append(name)
        if found:
            role = _role(found)
            break
    return case_parties(" ".join(names)), role


def _role(found: re.Match[str]) -> str:
    role = " ".join(found.group().replace("(s)", "").split()).strip(" ,.")
    return re.sub(r"(?<=[a-zA-Z])s\b", "", role, flags=re.IGNORECASE)


def _matter(text: str) -> Sides | None:
    """ "In re Harbor Lights Hotels, LLC"."""
    lines = list(_lines(text.split("\n")[:MOST_CAPTION_LINES]))
    for at, line in enumerate(lines):
        found = _IN_RE.match(line.text)
        if found is None:
            continue
        names = [found.group("name")] if found.group("name").strip(" :.,") else []
        for more in lines[at + 1 : at + MOST_LINES]:
            role = ROLE.search(more.text)
            if names and (more.gap or names[-1].endswith((",", "."))) and not _goes_on(names[-1], more.text):
                break
            name = more.text[: role.start()] if role else more.text
            if _STOP.search(name) or _PAPER.fullmatch(name) or not name.strip():
                break
            names.append(name)
            if role:
                break
        whole = bare(" ".join(" ".join(names).split()))
        parties = case_parties(whole)
        if whole and parties and not _STOP.search(names[0]):
            name = whole if len(parties) == 1 and len(parties[0]) < len(whole) / 2 else parties[0]
            return Sides(f"In re {name}", text.find(line.text), True, (name,), ("",))
    return None


def _goes_on(above: str, text: str) -> bool:
    return bool(
        re.search(r"(?:&|\b(?:and|of|the|for))$", above, re.IGNORECASE) or _LOWER.match(text) or _CONTINUES.search(text)
    )
