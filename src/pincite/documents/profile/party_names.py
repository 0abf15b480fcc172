"""Reads the name of a company, body or person at a place in a sentence."""

import re

from pincite.documents.profile.vocabulary import MONTHS, ROLES, STATES

FORM = re.compile(
    r"(?:Inc|INC|Incorporated|INCORPORATED|Corp|CORP|Corporation|CORPORATION|Company|COMPANY|Co|CO|LLC|L\.L\.C"
    r"|Ltd|LTD|Limited|LIMITED|LLP|L\.L\.P"
    r"|LP|L\.P|PLC|plc|Plc|P\.L\.C|GmbH|GMBH|AG|S\.A|SA|SAS|S\.A\.S|S\.p\.A|SpA|S\.P\.A|S\.r\.l|S\.R\.L|Srl"
    r"|SARL|AB|A/S|ASA|Oyj?|a\.s|B\.V|BV|N\.V|NV|K\.K|KK"
    r"|Pty|PTY|Pte|PTE|Sdn|SDN|Bhd|BHD|N\.A|NA|P\.C|ULC|(?<=,\s)(?:inc|llc|ltd|corp))(?![\w-])\.?"
)
"""The legal form at the end of a company's name."""
_BRANCH = re.compile(r",?\s+(?:New\s+York|NEW\s+YORK|London|LONDON)\s+(?:Branch|BRANCH)\b")
_WORD = re.compile(
    r"[A-Z0-9][\w&.'’\-/@+*®™!]*|&|[-–/](?=\s[A-Z])|[a-z]\w*[A-Z]\w*|[a-z]\d\w*(?=\s[A-Z])|(?:[a-z]\.){2,}|e-[a-z]\w*|[A-Za-z]\w*\.(?:com|net|org)\b"
    r"|(?:de|du|la|van|von|der|di|del)(?=\s+[A-Z])"
)
_CONNECTOR = re.compile(r"(?:of|for|the|in|at)(?:\s+the)?(?=\s+[A-Z])")
_AND = re.compile(
    r"(?:and|AND)\s+(?=(?i:Loan|Sons|Associates|Trust|Commercial|Savings|Mechanics|Medicine|Country|Casualty|Development"
    r"|Technology|Engineering|Sciences?|Trading|Telecommunications|Electric|Gas|Industrial|Education|Culture|Entertainment"
    r"|Recreation|Refining|Marketing|Insurance|Annuity|Life|Casualty|Surety|Indemnity|Marine|Chemical|Light|Power|Company|Research)\b)"
)
_BODY_OF = re.compile(
    r"\b(?:Institute|Department|Cent(?:re|er)|Ministry|Bureau|Board|Council|Society|School|College|Academy|Administration"
    r"|Agency)\s+(?:of|for)\b",
    re.IGNORECASE,
)
"""A body whose name goes on behind "and": "Institute of Grassland and Environmental Research"."""
_MORE = re.compile(r"(?:and|AND)\s+(?=[A-Z][a-zA-Z]+(?:\s+[A-Z][a-zA-Z]+){0,2}\s*(?:,|\())")
_ENDS = re.compile(r"AND|Dated|DATED|BETWEEN|AMONG|By:")
"""Words with a capital before which a name ends."""
_HOUSE = re.compile(r"\d{2,}\s+(?![A-Z][\w]*,?\s+(?:Inc|LLC|Ltd|LP|Corp)\b)")
"""The number of a house: the name ends before it."""
_COMMA = re.compile(r",\s*")
_NATIONAL = re.compile(
    r"(?:National|NATIONAL)\s+(?:Association|ASSOCIATION)\b|[A-Z][A-Za-z]+(?:\s[A-Z][A-Za-z]+)?,\s+N\.A\b"
)
"""What follows a comma in the name of a bank: "Wachovia Bank, National Association", "Bank One, Texas, N.A."."""
_GENERATION = re.compile(r"(?:Jr|Sr|JR|SR|III?|IV)(?![\w])")
_PARTNERS = re.compile(
    r"[A-Z][\w’'-]+\s+&\s+[A-Z][\w’'-]+,?\s+(?:Inc|LLP|LLC|Co|Ltd)\b|\([A-Z]\w+\)\s+(?:Ltd|Limited|Inc|LLC)\b"
)
_PLACE = re.compile(r"\([A-Z][A-Za-z.]+(?:\s[A-Z]\w+)?\)(?=\s+[A-Z(]|,\s*[A-Z])")
_SKIPPED = re.compile(
    r"(?:[\s,;:.\[\]*_“”\"●•·–-]++|(?:Mr|Ms|Mrs)\./?\s*|[IVX]{1,4}\.\s|and\b|And\b|AND\b|&\s|between\b|among(?:st)?\b|by\b|BETWEEN\b|\([\w]{1,4}\)"
    r"|\d{1,2}[.)]\s|the\s+following(?:\s+(?:\w+\s+)?parties(?:[^:(]{0,60}:)?)?|its\s+[A-Z]\w+,\s+(?=[A-Z])|[a-z]+(?:\s[a-z]+){0,3},\s+(?=[A-Z])|parties\s+below\b[^:]{0,80}:|(?:on\s+)?the\s+(?:one"
    r"|other)\s+(?:hand|part|side)|the\s+(?=[A-Z])|Party\s+[A-D]\s*:|with\b|each\s+of\b)+"
)
BOUNDARY = re.compile(
    r"(?<=\S)\s*,?\s+(?:and|AND|And|(?<=[.),]\s)&)\s*[:,]?\s+(?:on\s+the\s+other\s+(?:hand|part|side),?\s+)?(?:(?:\(\w{1,3}\)|\d{1,2}[.)])\s*)?(?:by\s+|between\s+"
    r"|among\s+)?(?:its\s+[A-Z]\w+,\s+)?(?=(?:the\s+)?(?:[A-Z0-9]|e-|(?:[a-z]\.){2}|[a-z]\w*[A-Z]|[a-z]\w*\.com\b))"
    r"|\s(?:[-–]\s*)?\((?:\d|[a-z]|i{1,3}|iv)\)\s+(?=[A-Z])|\s[-–]\s*(?:and|AND)\s*[-–]\s+|\s●\s+"
    r"|;\s*(?:and\s+)?(?=\(\w{1,3}\)\s|\d{1,2}[.)]\s|[A-Z])"
    r"|[”\"’*]\s*\)\s*[,.]?\s*(?=[A-Z(]|\d{2,4}\s(?:Inc|LLC|Ltd|Corp)\b)"
    r"|(?<![\w])(?:Inc|INC|LLC|L\.L\.C|Ltd|LTD|Corp|CORP|N\.A|LP"
    r"|L\.P)\.?,\s+(?=[A-Z][\w&.'’-]*(?:\s+[A-Z][\w&.'’-]*){0,6},?\s+(?:Inc|INC|LLC|Ltd|LTD|Corp|CORP|N\.A|LP"
    r"|L\.P)\b)"
    r"|\b(?:corporation|company|partnership|association|trust|individual),\s+(?=[A-Z][\w&.'’-]*(?:\s+[A-Z][\w&.'’-]*){0,6},?\s+"
    r"(?:Inc|INC|LLC|Ltd|LTD|Corp|CORP|N\.A|LP|L\.P|LIMITED|Limited)\b)"
    r"|\bagreement\s+with\s+|\bwith\s+(?=[A-Z]\w+[\w\s,.&]{2,60}\((?:the\s+)?[“\"])|(?:\bpay"
    r"|\border)\s+(?:to\s+)?(?:the\s+order\s+of\s+)?(?=[“\"]?[A-Z])"
    r"|\b(?:[Ll]enders|hereto|thereto|herein|therein),\s+(?=[A-Z])"
    r"|,?\s+and,?\s+\(?solely\s+(?:for|with)\s[^“”\"]{5,200}?[,)]\s+(?=[A-Z][\w&.'’-]*(?:\s+[A-Z][\w&.'’-]*){0,6},?\s+"
    r"(?:Inc|INC|LLC|L\.L\.C|Ltd|LTD|Corp|CORP|LP|L\.P|LIMITED|Limited)\b)"
    r"|\sjoin\s+(?=[A-Z])|\bguarantees\s+to\s+(?=[A-Z])|\sin\s+fav(?:o|ou)r\s+of\s+"
)
"""What stands between two parties."""
_NOT_FIRST = re.compile(
    rf"(?:Effective|Agreement|Contract|Party|Parties|Recitals?|Whereas|WHEREAS|Witnesseth|WITNESSETH|Article"
    rf"|ARTICLE|Section|SECTION|Exhibit|EXHIBIT|Schedule|Suite|Street|Attention|Attn|Tel|Telephone|Fax|Page"
    rf"|Dated?|DATED|This|THIS|That|Such|Each|All|Any|It|As|For|On|If|To|Of|OF|An?|No|Not|Whether|Where|When|Both|Either"
    rf"|FOR\s+VALUE|KNOW\s+ALL|Certain|Capitalized|Subject|Pursuant|NOW|Now|BETWEEN|AMONG|RECITALS|BACKGROUND|PREAMBLE|TABLE|Source"
    rf"|SOURCE|You|Your|We|Our|I(?=\s)|In|Upon|Under|Unless|There|These|Those|Its|Wholly|Indirect|His|Her|Their|Who|Which|What"
    rf"|Address|Registered|Legal|Name|Title|CFO|CEO|Copyright|Cover|Common\s+Stock|Common\s+Paper|Default|Primary"
    rf"|Secondary|Chief|Financial\s+Director|General\s+Director|Executive\s+Marketing|President|Vice\s+President"
    rf"|Secretary|Introduction|Articles?|The\s+Products?|Products?|South\s+America|(?:{MONTHS}|{MONTHS.upper()})(?=[\W_]*(?:\d|$)))\b",
)
_GENERIC = re.compile(
    rf"(?:the\s+)?(?:(?:Subsidiar(?:y|ies)|Companies|Limited|Incorporated|Trustees?|Affiliates?|{STATES}"
    rf"|U\.S\.A?\.?)\.?\s*)+"
    rf"|(?:(?:{STATES}|Limited\s+Liability|Joint\s+Stock|Federal|Foreign|Public"
    rf"|Private)\s+){{0,3}}(?:[Cc]orporation|[Cc]ompany|(?:[Ll]imited\s+)?[Pp]artnership"
    rf"|Limited\s+Liability\s+Company|Association)"
    r"|.*\bInsurance\s+Fund|Foreign\s+Investment|Federal\s+Deposit.*|Securities\s+(?:and|&)\s+Exchange.*",
    re.IGNORECASE,
)
_ADDRESS = re.compile(
    r"\b(?:Street|Avenue|Ave|Road|Drive|Boulevard|Blvd|Suite|Floor|Parkway|Lane|Highway|Tower|Plaza|Circle"
    r"|P\.?O\.?\s+Box|City|County|District)\b\.?$|^\d+\s+\w+\s+(?:St|Rd|Dr)\b|^[A-Z]{2}\s+\d{5}"
    r"|\b\d{5}(?:-\d{4})?$",
    re.IGNORECASE,
)
_WITH_INITIAL = re.compile(r"[A-Z][A-Za-z'’-]+\s+[A-Z]\.\s+[A-Z][A-Za-z'’-]+")
"""A person: "Robert W. Lane"."""
_LABELS = frozenset("owner contractor landlord tenant borrower lender licensor licensee buyer seller purchaser".split())
"""Roles that stand before a name without a colon where a form was filled in."""
_NEVER = frozenset(
    """is made entered agree agrees follows insert undersigned statement disclosure covenant disclaimer whereas
    identified excluded including limitations liability hereby affirmed both are provided therein conditions
    effective vat fiscal code entities affiliates listed""".split()
)
"""Words that stand in no name."""
_SPEAKS = frozenset("your you our we when accepts".split())
"""Words that stand in no name without a legal form."""
_SUBJECTS = frozenset(
    """company customer distributor supplier licensee licensor buyer seller purchaser vendor client contractor
    consultant employee executive employer landlord tenant borrower lender affiliate recipient reseller""".split()
)
"""Roles with which a sentence about a party begins: "Company Imports the Products"."""
_STUMP = re.compile(
    r"\bTrade\s+Register|\bTo$|\bN(?:ame|AME)$|(\w)\1{4,}|\b(?:The|THE|In|IN|For|FOR|By|BY|This|THIS|Not|NOT|As|AS|Of|OF|On|ON)$|\s\d+\.\d*(?:\s|$)|^[A-Z]\.\s\w+$"
)
_NO_ONE = frozenset(
    """thereto hereto parties other certain lending institutions advisors several each listed herein named signatory
    from time i ii iii iv""".split()
)
MOST_WORDS = 14


def read_name(text: str, at: int) -> tuple[str, int, int]:
    """The name that begins at a place, behind words such as "and" and numbers, with its edges; "" if there is none.

    >>> read_name("(1) Acme Robotics (Beijing) Co., Ltd., a company", 0)
    ('Acme Robotics (Beijing) Co., Ltd.', 4, 37)
    """
    skipped = _SKIPPED.match(text, at)
    start = skipped.end() if skipped else at
    if (
        skipped
        and re.search(r"\bthe\s+$", skipped.group(), re.IGNORECASE)
        and text[start : start + 10].startswith(("University", "First", "Bank", "Chase"))
    ):
        start = text.rindex("he ", at, start) - 1
    if _NOT_FIRST.match(text, start):
        return "", start, start
    end, words, formed = start, 0, False
    linked: re.Match[str] | None = None
    here = start
    while words < MOST_WORDS:
        if words and (form := FORM.match(text, here)):
            end, formed = form.end(), True
            words += 1
            if _goes_on(text, end):
                here = _skip(text, end)
                if linked := _CONNECTOR.match(text, here):
                    here = _skip(text, linked.end())
                continue
            break
        if word := _WORD.match(text, here):
            if linked and text[start:end].isupper() and word.group().isalpha() and not word.group().isupper():
                break
            if (words >= 2 and _HOUSE.match(text, here)) or (words and _ENDS.fullmatch(word.group())):
                break
            end = word.end()
            words += 1
            if (
                word.group().endswith(".")
                and len(word.group()) > 3
                and not re.fullmatch(r"(?:[A-Za-z]\.)+|(?:Mr|Mrs|Dr|St|Jr|Sr|No|Bros)\.", word.group())
            ):
                end -= 1
                break
        elif place := _PLACE.match(text, here):
            end = place.end()
        else:
            break
        comma = _COMMA.match(text, end)
        if comma and any(more.match(text, comma.end()) for more in (FORM, _PARTNERS, _NATIONAL, _GENERATION)):
            here = comma.end()
            continue
        if text[end : end + 1] != " ":
            break
        here = end + 1
        if linked := (_CONNECTOR.match(text, here) or _AND.match(text, here) or _body_goes_on(text, start, here)):
            here = _skip(text, linked.end())
    if formed and (branch := _BRANCH.match(text, end)):
        end = branch.end()
    first, _, rest = text[start:end].partition(" ")
    if formed and first.lower() in _LABELS and FORM.search(rest) and len(rest.split()) > 1:
        start += len(first) + 1
    name = text[start:end].strip(" ,;:&-–")
    return (name, start, start + len(name)) if _is_name(name, formed=formed) else ("", start, end)


def _goes_on(text: str, end: int) -> bool:
    """Whether a name goes on behind a legal form: "Co., Ltd.", "Limited Liability Company", "Company of America"."""
    behind = text[end : end + 40]
    more = re.match(r",?\s+", behind)
    if more is None:
        return False
    rest = behind[more.end() :]
    return bool(
        FORM.match(rest)
        or re.match(r"(?:Liability|LIABILITY|Partnership|PARTNERSHIP)\b|(?:of|for|OF)\s+[A-Z]", rest)
        or (
            not more.group().startswith(",")
            and re.match(r"(?:USA|U\.S\.A\.|Holdings|International|Group|[IVX]+|[1-9])\b(?!\s*[(/%])", rest)
        )
    )


def _body_goes_on(text: str, start: int, here: int) -> re.Match[str] | None:
    return _MORE.match(text, here) if _BODY_OF.search(text, start, here) else None


def _skip(text: str, at: int) -> int:
    found = re.match(r"[,\s]+", text[at : at + 5])
    return at + found.end() if found else at


def _is_name(name: str, *, formed: bool) -> bool:
    if len(name) < 2 or len(name) > 110 or not any(map(str.isalpha, name)):
        return False
    words = re.findall(r"[A-Za-z]+", name.lower())
    if all(word in ROLES or word.removesuffix("s") in ROLES or word in _NO_ONE for word in words):
        return False
    if not _NEVER.isdisjoint(words) or _STUMP.search(name) or not (formed or _SPEAKS.isdisjoint(words)):
        return False
    if len(words) > 1 and words[0] in _SUBJECTS and not formed:
        return False
    if (
        _GENERIC.fullmatch(name)
        or FORM.fullmatch(name)
        or (_ADDRESS.search(name) and not _WITH_INITIAL.fullmatch(name))
    ):
        return False
    if re.match(r"(?:CERTIFICATE|Certificate|ARTICLES|Articles|BYLAWS|Bylaws)\s+(?:OF|of)\b", name):
        return False
    return formed or not re.search(
        r"\b(?:Agreement|AGREEMENT|Contract|CONTRACT|Form|Plan|Act|Lease|Amendment|AMENDMENT|Version|Terms|Date)\b",
        name,
    )
