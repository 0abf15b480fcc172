"""The parties of a document, with their roles and short names: by the preamble, the cover, the signatures."""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from pincite.documents.profile.head import Head
from pincite.documents.profile.party_names import BOUNDARY, FORM, read_name
from pincite.documents.profile.preamble import END, Preamble
from pincite.documents.profile.vocabulary import FIRM_SUFFIX, LEGAL_FORM, NOUN, ROLES

MOST_PARTIES = 8
"""Parties that a profile keeps."""
LAST_LENGTH = 9000
"""Characters at the end of a document that are searched for signatures."""
OPENING_PARAGRAPHS = 14
"""Paragraphs in which parties are looked for where there is no preamble."""
FIRST_LINES = 600
"""Characters in which companies count as parties where nothing better is found."""
LETTER_OPENING = 1500
"""Characters behind the greeting of a letter in which it says who writes."""
MOST_CHUNKS = 40
MOST_BRACKETED = 200
"""Characters in brackets in which no other party is looked for."""

_QUOTED = r"[“\"'‘*]+\s*(?:the\s+|THE\s+)?(?P<short>[A-Z0-9a-z][^”\"*\n]{0,50}?)\s*,?[”\"’*]+"
_DEFINES = re.compile(
    rf"""\(\s*(?:[^()“"]{{0,90}}?[\s,])?{_QUOTED}
    |(?:referred\s+to\s+(?:herein\s+)?as|hereinafter|hereafter|called
    |known\s+as)\s*,?\s*(?:the\s+)?{_QUOTED.replace("short", "called")}
    |\(\s*(?:(?:hereinafter|hereafter|herein)\s+)?(?:referred\s+to\s+as\s+|called\s+)?(?:the\s+)?(?P<bare>[A-Z]\w+(?:\s[A-D])?)\s*\)""",
    re.VERBOSE | re.IGNORECASE,
)
_BODY = re.compile(
    r"""[,\s]*+(?:\((?:formerly|f/k/a|d/b/a|a/k/a|dba)[^)]{2,80}\)\s*+,?\s*+)?(?:(?:a/k/a|d/b/a|f/k/a|dba
    |doing\s+business\s+as|also\s+known\s+as|formerly\s+known\s+as)\s+[^,(]{2,60},?\s*)?
    (?:(?:each|both|is|being)\s+)?(?:an?|the)\s+(?:[\w.,’'()/-]+\s+){0,10}?
    (?:corporation|company|partnership|individual|person|association|trust|bank|university|institution|body
    |municipality|city|county|agency|authority
    |organi[sz]ation|foundation|society|cooperative|venture|proprietor(?:ship)?|aktieselskab|entity|firm|fund
    |resident|citizen)\b""",
    re.VERBOSE | re.IGNORECASE,
)
_TRADING = re.compile(
    r",?\s+(?:d/b/a|D/B/A|dba|DBA|doing\s+business\s+as)\s+"
    r"[A-Z0-9][\w&.'’-]*(?:\s+[A-Z0-9][\w&.'’-]*){0,5}(?:,\s+(?:Inc|INC|LLC|Ltd)\b\.?)?"
)
"""The name under which a party does business."""
_AS_ROLE = re.compile(
    r"[,\s]*\(?(?:as|in\s+its\s+capacity\s+as)\s+(?:the\s+)?(?P<role>[A-Z][\w-]*(?:\s+(?:and\s+)?(?!Dated|DATED|This|THIS)[A-Z][\w-]*){0,4})"
)
_AS_WHAT = re.compile(r",?\s+as\s+(?:the\s+|an?\s+)?[a-z][a-z -]{2,60}$", re.IGNORECASE)
_SENTENCE_END = re.compile(
    r"(?<!\bInc)(?<!\bINC)(?<!\bCorp)(?<!\bCORP)(?<!\bCo)(?<!\bLtd)(?<!\bNo)(?<!\bSt)(?<!\bAve)(?<!\bBlvd)(?<!\bMr)(?<!\bMs)(?<!\bDr)(?<!\bN)(?<!\b[A-Z])(?<!\.[A-Z])\.[”\"]?\)?\s+(?=[A-Z“\"])"
)
_LABEL = re.compile(
    r"(?P<role>Party\s+[A-D]|(?:The\s+)?(?:Buyer|Seller|buyer|seller)(?:/End-User)?|Owner|Vendor|Purchaser|Consultant|Licensor|Licensee|Lessor"
    r"|Lessee|Landlord|Tenant|Employer|Employee|Supplier|Customer|Borrower|Lender|Developer|Contractor|Client"
    r"|Disclosing\s+Party|Receiving\s+Party)(?:\s+Name)?\s*(?:\([A-Z][a-z]+\))?\s*:\s*(?=[A-Z(])"
)
_HINT = re.compile(r"^\s*(?:\([^()]{3,80}\)\s*)?")
"""What a form says of the name that is to stand under a label: "(Name, address and other information)"."""
_PARAGRAPH = re.compile(r"\S.*?(?=\n\s*\n|\Z)", re.DOTALL)
_COMMA = re.compile(r",?\s+(?=[A-Z0-9])")
_ARTICLE = re.compile(r",\s+(?:an?|each\s+an?)\s")
_OPENS = re.compile(
    r"^(?:[\s*_#|]*)(?:(?:ladies\s+and\s+gentlemen|gentlemen|dear\s+[^:,\n]{2,40})\s*[:,]\s*|whereas,?\s+|I,\s+"
    r"|preamble\s+|for\s+value\s+received,?\s+(?:the\s+undersigned,?\s+)?|(?:the\s+)?undersigned,?\s+)+",
    re.IGNORECASE,
)
_UNDERSIGNED = re.compile(r"\b[Tt]he\s+undersigned,\s+(?=[A-Z])")
_TO = re.compile(r"^[ \t]*(?:TO|To)\s*:\s*(?P<name>[A-Z][^\n]{3,80})$", re.MULTILINE)
"""To whom a guaranty is given."""
_I = re.compile(r"\s*I,\s")
_ADDRESSEE = re.compile(
    r"^[ \t]*(?:(?:Mr|Ms|Mrs|Dr)\.?\s+)?(?P<name>[A-Z][a-z]+(?:\s+[A-Z]\.)?(?:\s+[A-Z][A-Za-z'’-]+){1,2}"
    r"(?:,?\s+(?:Jr|Sr|III|II)\.?)?)[ \t]*$",
    re.MULTILINE,
)
_WRITER = re.compile(
    r"(?<![\w“\"])(?P<name>[A-Z][\w&.'’-]*(?:,?\s+(?:[A-Z][\w&.'’-]*|of|and|&)){0,6}?)\s*(?:,\s+an?\s[^()“\"]{3,60})?"
    r"\(\s*(?:(?:together|including|with)\b[^()“\"]{0,80})?(?:the\s+)?[“\"](?:the\s+)?(?P<role>Company|Bank|Corporation|Employer|Firm|Parent)[”\"]"
)
"""Who writes a letter: "Orchard Street Bancorp (the “Company”)"."""
_GENTLEMEN = re.compile(r"^[ \t]*(?:Ladies\s+and\s+Gentlemen|Gentlemen|Dear\s+Sirs?)\b", re.MULTILINE | re.IGNORECASE)
_FIRM = re.compile(rf"(?<![\w.])(?:[A-Z][\w&.'’-]*,?[ ]){{1,5}}{FORM.pattern}")
_ENDS_AS_FIRM = re.compile(
    r"\s(?:Bank|BANK|Bancorporation|BANCORPORATION|Bancorp|BANCORP|University|UNIVERSITY|Authority|AUTHORITY"
    r"|(?:National\s+)?Association|(?:NATIONAL\s+)?ASSOCIATION|Partnership|PARTNERSHIP)$"
)
_NAME_PART = re.compile(r"[A-Z][A-Za-z'’.-]*,?|[A-Z]\.|(?:Jr|Sr|III|II)\.?|de|van|von|der")
_THINGS = frozenset(
    """services service support provider products product manual operations information content system systems software
    property program agreement schedule exhibit board directors office department bank association""".split()
)
"""Words that stand in no person's name."""
_HEADING = re.compile(
    r"^[ \t]*(?:(?:\d+\.?\s*)?(?:THE\s+)?PARTIES\s*:?[ \t]*$"
    r"|(?:B\s?E\s?T\s?W\s?E\s?E\s?N|Between|by\s+and\s+(?:between|among))\b\s*:?)",
    re.MULTILINE,
)
_BETWEEN = re.compile(r"\b(?:between|among)\s+(?=[A-Z])")
_HEADING_END = re.compile(
    r"^[ \t]*(?:BACKGROUND|RECITALS?|WHEREAS|INTRODUCTION|AGREED"
    r"|IT\s+IS|NOW|1\.|PART\s+1|ARTICLE|DEFINITIONS|The\s+parties)\b",
    re.MULTILINE | re.IGNORECASE,
)
_BY = re.compile(r"^[ \t]*(?:By|BY|Per|Signed|Signature|/s/)\s*[:_/]|(?<=\s)By:\s*(?:/s/|_)", re.MULTILINE)
_SALUTATION = re.compile(
    r"^[\s*_#]*Dear\s+(?:(?:Mr|Ms|Mrs|Dr)\.?\s+)?(?P<name>[A-Z][\w'’.-]*(?:\s+[A-Z][\w'’.-]*){0,3})\s*[,:]",
    re.MULTILINE,
)


class Party(NamedTuple):
    """A party: its name, its role, and the short name that the document gives it."""

    name: str
    role: str = ""
    short: str = ""


def find_parties(text: str, head: Head, preamble: Preamble | None) -> list[Party]:
    """The parties in the order in which they are named."""
    found: list[Party] = []
    if preamble and preamble.parties[0] < preamble.parties[1]:
        found = _unique(_in_sentence(head.text[slice(*preamble.parties)]))
    for more in (
        _headed(head.text[:8000]),
        _between(head.text[:4000]),
        _labelled(head.text[:6000]),
        _on_cover(head, preamble),
        _in_opening(head, preamble),
        _signed(text),
    ):
        if len(found) >= 2:
            break
        other = _unique(more)
        kept = not any(_is_firm(party) for party in found) or any(_is_firm(party) for party in other)
        found = other if len(other) > len(found) and kept else found
    return (found or _unique(_firms(head.text[:FIRST_LINES])))[:MOST_PARTIES]


def _is_firm(party: Party) -> bool:
    return bool(LEGAL_FORM.search(party.name))


def _in_sentence(sentence: str) -> Iterator[Party]:
    """The parties in "Acme Inc., a Delaware corporation ("Acme"), and John Smith (the "Executive")"."""
    text = " ".join(sentence.split())
    at, found, over = 0, 0, len(text)
    for _ in range(MOST_CHUNKS):
        name, start, end = read_name(text, at)
        stop = _chunk_end(text, end if name else at)
        if name and (listed := _listed(text, end)):
            stop = listed
        party = _party(name, text[end:stop]) if name else None
        if start > over and not (party and party.role and _is_someone(party.name)):
            return
        if party:
            found += 1
            yield party
            if found == 2 and (ended := _SENTENCE_END.search(text, end)):
                over = ended.start()
        if stop >= len(text):
            return
        at = stop


def _chunk_end(text: str, at: int) -> int:
    """Where the next party may begin."""
    for found in BOUNDARY.finditer(text, at):
        opened = text.rfind("(", at, found.start())
        closed = text.find(")", opened, opened + MOST_BRACKETED)
        if opened < 0 or found.end() > closed:
            return found.end()
    return len(text)


def _listed(text: str, end: int) -> int:
    """Where the next name of a mere list of companies begins; 0 where no company follows at once."""
    comma = _COMMA.match(text, end)
    if comma is None:
        return 0
    name, start, _ = read_name(text, comma.end())
    return comma.end() if name and start == comma.end() and LEGAL_FORM.search(name) else 0


def _party(name: str, behind: str) -> Party | None:
    """The party with that name, if what follows shows that it is one."""
    formed = bool(LEGAL_FORM.search(name))
    body, role = _BODY.match(behind), _AS_ROLE.match(behind)
    defined = _DEFINES.search(behind)
    near = defined is not None and defined.start() <= 4
    person = is_person(name)
    if not (
        formed
        or _ENDS_AS_FIRM.search(name)
        or body
        or near
        or role
        or (person and len(behind) < 500)
        or (defined and (_ARTICLE.match(behind) or len(name.split()) > 1))
    ):
        return None
    if trading := _TRADING.match(behind):
        name = f"{name}{trading.group()}"
    short, called = "", ""
    if defined:
        word = " ".join(
            (defined.group("short") or defined.group("called") or defined.group("bare") or "").split()
        ).strip(" ,.;*")
        short, called = ("", word) if is_role(word) else (word, "")
    if role:
        called = called or role.group("role")
    return Party(name, called, short)


def is_person(name: str) -> bool:
    """Whether a name has the form of a person's.

    >>> is_person("Scott D. Sheffield"), is_person("Acme Robotics Ltd")
    (True, False)
    """
    words = name.split()
    if not 2 <= len(words) <= 4 or LEGAL_FORM.search(name) or not _THINGS.isdisjoint(name.casefold().split()):
        return False
    return all(_NAME_PART.fullmatch(word) for word in words)


def _is_someone(name: str) -> bool:
    """Whether a name is a person's, or ends as names of companies and bodies do."""
    return is_person(name) or bool(FIRM_SUFFIX.search(name))


def is_role(word: str) -> bool:
    """Whether a short name says what a party is, not who.

    >>> is_role("Company"), is_role("Acme")
    (True, False)
    """
    words = re.findall(r"[A-Za-z]+", word.lower())
    return bool(words) and all(part in ROLES for part in words)


def _headed(text: str) -> Iterator[Party]:
    """The parties under a line "PARTIES" or behind a line that begins with "Between"."""
    heading = _HEADING.search(text)
    if heading is None:
        return
    end = _HEADING_END.search(text, heading.end())
    yield from _in_sentence(text[heading.end() : end.start() if end else heading.end() + 1500])


def _between(text: str) -> Iterator[Party]:
    """The parties behind the first "between" that a company follows."""
    found = _BETWEEN.search(text)
    if found:
        limit = found.end() + 1200
        end = END.search(text, found.end(), limit)
        named = _in_sentence(text[found.end() : end.start() if end else limit])
        yield from (party for party in named if LEGAL_FORM.search(party.name) or is_person(party.name))


def _labelled(text: str) -> Iterator[Party]:
    """ "Party A: Beike Co., Ltd." and the like."""
    for label in _LABEL.finditer(text):
        behind = _HINT.sub("", text[label.end() : label.end() + 300])
        name, start, _ = read_name(" ".join(behind.split("\n")[0][:160].split()), 0)
        if name and start < 4 and _is_someone(name):
            yield Party(name, label.group("role"))


def _on_cover(head: Head, preamble: Preamble | None) -> Iterator[Party]:
    """Names on lines of their own behind "between" or "among" on the cover."""
    limit = preamble.start if preamble else 3000
    opened, waiting = False, ""
    for line in head.lines:
        text = line.text.strip(" ,;:")
        if line.start > limit or (
            opened and re.match(r"(?:dated|table\s+of|effective|\$|as\s+of|<page|[=_-]{6})", text, re.IGNORECASE)
        ):
            break
        if re.fullmatch(r"(?:by\s+and\s+)?(?:between|among(?:st)?)(?:\s+and\s+among)?", text, re.IGNORECASE):
            opened = True
            continue
        role = re.match(r"(?:as|individually\s+and\s+as)\s+(?:the\s+)?(.{3,60})$", text, re.IGNORECASE) or re.fullmatch(
            r"((?:Co-)?(?:Borrower|Lender|Agent|Administrative\s+Agent|Guarantor|Issuer|Trustee)\b.{0,40})", text
        )
        if role:
            if waiting:
                yield Party(waiting, role.group(1).strip(" ,"))
            waiting = ""
            continue
        if waiting and opened:
            yield Party(waiting)
        text = _AS_WHAT.sub("", re.sub(r"^(?:and|AND)\s+", "", text))
        name, start, _ = read_name(text, 0)
        waiting = name if name and start == 0 and len(name) > 0.6 * len(text) else ""
    if waiting and opened:
        yield Party(waiting)


def _in_opening(head: Head, preamble: Preamble | None) -> Iterator[Party]:
    """The first paragraph that names two parties, where no preamble does."""
    signing = _UNDERSIGNED.search(head.text[:4000])
    if signing:
        some = _unique(_in_sentence(head.text[signing.end() : signing.end() + 1200]))
        if to := _TO.search(head.text[: signing.start()]):
            name, _, _ = read_name(to.group("name"), 0)
            some = [some[0], Party(name)] if name and some else some
        if len(some) > 1:
            yield from some
            return
    letter = _GENTLEMEN.search(head.text[:6000])
    start = letter.start() if letter else head.body_start
    best: list[Party] = []
    greeted = _SALUTATION.search(head.text[:3000])
    for at, match in enumerate(_PARAGRAPH.finditer(head.text, start)):
        if at >= OPENING_PARAGRAPHS:
            break
        paragraph = match.group()
        opens = _OPENS.match(paragraph)
        speaks = bool(opens) and _I.match(paragraph) is not None
        if len(paragraph) < 80 and not opens:
            continue
        found = _unique(_in_sentence(paragraph[opens.end() if opens else 0 :][:1500]))
        found = [
            party
            for party in found
            if LEGAL_FORM.search(party.name)
            or ((party.role or party.short) and _is_someone(party.name))
            or (speaks and (is_person(party.name) or _ENDS_AS_FIRM.search(party.name)))
        ]
        if len(found) > len(best):
            best = found
        if len(best) >= 2:
            break
    if greeted and len(best) < 2:
        addressee = _ADDRESSEE.search(head.text, head.body_start, greeted.start())
        full = addressee.group("name") if addressee else greeted.group("name")
        if not best and (writer := _WRITER.search(head.text, greeted.end(), greeted.end() + LETTER_OPENING)):
            name, start, _ = read_name(" ".join(writer.group("name").split()), 0)
            best = [Party(name, writer.group("role"))] if name and start == 0 else []
        if " " in full:
            best.append(Party(full))
    yield from best
    del preamble


def _signed(text: str) -> Iterator[Party]:
    """Companies named over "By:" beside the signatures."""
    start = max(0, len(text) - LAST_LENGTH)
    for by in _BY.finditer(text, start):
        above = [line.strip(" ,:_*#") for line in text[max(start, by.start() - 200) : by.start()].split("\n")]
        for line in reversed([line for line in above if line][-2:]):
            name, at, _ = read_name(" ".join(line.split()), 0)
            if name and at == 0 and LEGAL_FORM.search(name):
                yield Party(name)
                break


def _unique(parties: Iterable[Party]) -> list[Party]:
    """Each party once: not again by a short name, nor under the same label."""
    seen: list[Party] = []
    for party in parties:
        key = _key(party.name)
        known = [_key(other.name) for other in seen] + [_key(other.short) for other in seen if other.short]
        if key in known or (not LEGAL_FORM.search(party.name) and any(other.startswith(key) for other in known)):
            continue
        if any(party.role == other.role and party.role.startswith("Party ") for other in seen):
            continue
        seen.append(party)
    return seen


def _firms(text: str) -> Iterator[Party]:
    """Companies named in the first lines, where nothing says who the parties are."""
    for found in _FIRM.finditer(text):
        named = " ".join(found.group().split())
        if NOUN.search(named) and (of := max(named.rfind(" OF "), named.rfind(" of "))) > 0:
            named = named[of + 4 :]
        name, start, _ = read_name(named, 0)
        if name and start == 0 and LEGAL_FORM.search(name):
            yield Party(name)


def _key(name: str) -> str:
    return re.sub(r"[\W_]+", "", name).casefold()
