"""The kind of a document: by its title, else by what it amends, else by the words of its first page."""

import re
from typing import NamedTuple

from pincite.documents.profile.court import Caption
from pincite.documents.profile.form_title import is_official_form
from pincite.documents.profile.head import Head, cleaned
from pincite.documents.profile.vocabulary import FORMS

FIRST_PAGE = 3500
"""Characters that decide where the title does not."""

_TITLE_KINDS = (
    ("non-disclosure agreement", r"non[\s-]*disclosure|confidentiality|\bm?nda\b|secrecy"),
    ("data processing agreement", r"data\s+(?:processing|protection)\s+(?:agreement|addendum|terms)|\bdpa\b"),
    ("privacy policy", r"privacy|cookies?\b"),
    ("franchise agreement", r"franchis"),
    (
        "terms of service",
        r"terms\s+(?:of|and)\s+(?:service|use|sale|conditions)|\bterms\s+for\b|(?:additional|supplemental|program|product|site|website|platform)\s+terms\b|user\s+agreement|terms\s+&\s+conditions",
    ),
    (
        "severance agreement",
        r"severance|separation|termination\s+(?:protection|benefits?)|continuity\s+agreement|change[\s-]+(?:in|of)[\s-]+control|retention\s+agreement",
    ),
    (
        "retirement plan",
        r"retirement|pension|salary\s+continuation|401\s*\(?k|deferred\s+compensation|supplemental\s+executive",
    ),
    (
        "incentive plan",
        r"(?:stock|equity|incentive|bonus|option|award|restricted)\b.*\b(?:plan|award|units?|grant)\b"
        r"|(?:stock|share)\s+option\s+agreement|^option\s+agreement",
    ),
    ("offer letter", r"offer\s+(?:letter|of\s+employment)|employment\s+offer"),
    (
        "consulting agreement",
        r"consult|independent\s+(?:developer\s+or\s+)?contractor|advisory\s+(?:services\s+)?agreement"
        r"|contractor\s+agreement",
    ),
    ("employment agreement", r"employ(?:ment|ee)|executive\s+(?:agreement|services)"),
    (
        "joint venture agreement",
        r"joint\s+venture|partnership\s+agreement|operating\s+agreement|limited\s+liability\s+company\s+agreement",
    ),
    (
        "merger or purchase agreement",
        r"merger|(?:asset|stock|share|securities|unit|equity|interests?|business)\s+(?:purchase|sale|acquisition|exchange)|acquisition"
        r"|purchase\s+and\s+sale|business\s+combination|transaction\s+agreement|contribution\s+agreement|^purchase\s+agreement",
    ),
    ("guarantee", r"guarant(?:y|ee)\b(?!d)|(?:capital|liquidity|equity)\s+(?:contribution\s+and\s+)?maintenance"),
    ("credit agreement", r"\bloan\s+and\s+security\b"),
    ("assignment", r"^(?:deed\s+of\s+|bill\s+of\s+sale\s+and\s+)?assignment\b"),
    ("security agreement", r"security\s+(?:agreement|deed)|pledge|mortgage|deed\s+of\s+trust|collateral|debenture\b"),
    (
        "construction contract",
        r"construction(?!\s+loan)|owner\s+and\s+(?:general\s+|design-builder|construction\s+manager|contractor)|engineering,?\s+procurement|\bepc\b|design[\s/-]build|building\s+contract",
    ),
    ("credit agreement", r"\bcredit\b|\bloan\b|promissory|\bnotes?\b|facility|financing|indenture"),
    ("lease", r"\b(?:sub)?lease\b|tenancy|rental"),
    (
        "shareholders agreement",
        r"(?:stock|share)holders?|voting|registration\s+rights|investors?\s+rights|stand[\s-]?still|lock[\s-]?up"
        r"|nomination|affiliate\s+letter",
    ),
    ("sponsorship agreement", r"sponsor(?!ed\s+research)|endors"),
    ("outsourcing agreement", r"outsourc"),
    ("reseller agreement", r"resell|re-sell|remarket|value[\s-]added\s+(?!distrib)"),
    (
        "software licence",
        r"software|\bsaas\b|hosting|end[\s-]user|\beula\b|source\s+code|application\s+service|open\s+source"
        r"|web\s*site\s+(?:development|services)|small\s+business\s+license|platform\s+(?:licen|service)",
    ),
    ("agency agreement", r"agency|\bagent\b|sales\s+representative|underwriting|placement"),
    ("transportation agreement", r"transport|carriage|shipping|freight|charter|pipeline|gathering"),
    ("distribution agreement", r"distribut"),
    ("maintenance agreement", r"maintenance|support\s+(?:services\s+)?agreement"),
    (
        "supply agreement",
        r"suppl(?:y|ier)|manufactur|purchase\s+order|off-?take|tolling|sale\s+of\s+goods|procurement",
    ),
    (
        "collaboration agreement",
        r"collaborat|co-?operat|alliance|development|research|commerciali[sz]ation|consortium|teaming",
    ),
    ("marketing agreement", r"marketing|promotion|co-?brand|affiliate|advertis|referral|merchandis|programming"),
    ("assignment", r"assign|transfer\s+agreement|conveyance|intellectual\s+property\s+agreement|bill\s+of\s+sale"),
    ("settlement agreement", r"settlement|release|mutual\s+termination"),
    ("indemnification agreement", r"indemnif|indemnity|hold\s+harmless"),
    ("licence", r"licen[cs]"),
    (
        "services agreement",
        r"(?<!certificate of )servic(?:es?|ing)\b|\bmsa\b|\bsow\b|statement\s+of\s+work|management\s+agreement"
        r"|administration",
    ),
    (
        "policy",
        r"polic(?:y|ies)|code\s+of\s+(?:conduct|ethics)|guidelines?|procedures?|handbook|incident\s+response"
        r"|reinstatement|\bstandards\b|\bstandard$|records|\bguide\b",
    ),
    ("regulation", r"\bregulations?\b|\brules\b|directive|by-?laws"),
    ("statute", r"\bact\b|\bcode\b|statute|ordinance|\blaw\b|\bbill\b"),
    ("letter", r"letter"),
    ("other", r"non-?\s?compet|not\s+to\s+compete|non-?\s?solicit"),
    ("form", r"\bform\b|application|questionnaire|checklist|certificat"),
)
_KINDS = tuple((kind, re.compile(pattern, re.IGNORECASE)) for kind, pattern in _TITLE_KINDS)
_UP_TO_NOUN = re.compile(r".{0,80}?\b(?:agreement|contract)\b(?=\s+(?:for|with|regarding|under)\b)", re.IGNORECASE)
"""What a title says before "for": what follows may hold the names of others."""
_OF_FIRM = re.compile(rf"\s+of\s+(?:[\w&.’'-]+,?\s+){{1,5}}(?:{FORMS})\.?$", re.IGNORECASE)
"""The company at the end of a title, whose name says nothing of the kind."""
_WORDS = {
    "employment agreement": r"\b(?:employment|executive|base\s+salary)\b",
    "severance agreement": r"\bseverance|termination\s+of\s+employment\b",
    "credit agreement": r"\b(?:borrower|lenders?|loan|credit)\b",
    "lease": r"\b(?:landlord|tenant|lessor|lessee|premises|rent)\b",
    "licence": r"\blicen[cs](?:e|or|ee|ed)\b",
    "software licence": r"\bsoftware\b",
    "distribution agreement": r"\bdistribut(?:or|ion)\b",
    "supply agreement": r"\b(?:supply|supplier|manufactur\w+|purchase\s+orders?)\b",
    "services agreement": r"\bservices?\b",
    "merger or purchase agreement": r"\b(?:merger|purchaser?|seller|shares)\b",
    "privacy policy": r"\b(?:privacy|personal\s+(?:data|information)|cookies)\b",
    "non-disclosure agreement": r"\b(?:confidential\s+information|disclos(?:ing|er)|recipient)\b",
    "consulting agreement": r"\bconsult(?:ant|ing)\b",
    "shareholders agreement": r"\b(?:stockholders?|shareholders?|voting)\b",
}
_BY_WORDS = tuple((kind, re.compile(pattern, re.IGNORECASE)) for kind, pattern in _WORDS.items())
_AMENDS = re.compile(
    r"\b(?:amendments?|amendatory\s+agreement|supplements?|addend(?:um|a)|joinder(?:\s+agreement)?|modification|waiver|extension)\b(?:\s+(?:agreement|and\s+\w+))?"
    r"\s*(?:\(?(?:no|number|#|n°)?\.?\s*\(?[\w]{0,6}\)?\s*)?(?:,?\s*dated\s+[\w\s,]+?)?\s*(?:to|of)\s+(?:the\s+|that\s+certain\s+)?(?P<what>[^\n]{4,160})",
    re.IGNORECASE,
)
_IS_AMENDMENT = re.compile(
    r"\b(?:amendment|amendatory|addendum|supplement(?!al)|joinder|modification)\b", re.IGNORECASE
)
_NAMED_IN_TEXT = re.compile(
    r"\b(?:amend(?:s|ed|ment\s+(?:to|of))?|supplement(?:s|ed)?|modif(?:y|ies|ied)|reference\s+is\s+(?:hereby\s+)?made\s+to)\s+(?:and\s+\w+\s+)?(?:the|that\s+certain|a\s+certain|their|to)\s+"
    r"(?:fully\s+executed\s+|certain\s+)?(?P<what>(?:[A-Z][\w&’'-]*\s+|and\s+|of\s+|[a-z]+\s+){0,8}?(?:Agreement|Contract|Lease|Plan|Note|License|agreement))\b",
)
_AMENDS_IN_TEXT = re.compile(
    r"\b(?:Amendment|AMENDMENT)\b[^;]{0,120}?\bto\s+(?:the|that\s+certain)\s+(?P<what>(?:[A-Z][\w&’'-]*\s+|and\s+|of\s+){0,8}?"
    r"(?:Agreement|AGREEMENT|Contract|CONTRACT|Lease|LEASE|Plan|PLAN|Note|NOTE|License|LICENSE|Indenture|INDENTURE))\b"
)
_EXHIBIT_TO = re.compile(
    r"^\s*(?:exhibit|schedule|annex|appendix|attachment)\s+[\w.-]{1,5}\s+to\s+(?:the\s+)?(?P<what>[^\n]{4,120})",
    re.IGNORECASE,
)
_TAIL = re.compile(r"\s*(?:,|\(|\bdated\b|\bas\s+of\b|\bbetween\b|\bby\s+and\b|\bamong\b).*$", re.IGNORECASE)
_DOCKET_SHEET = re.compile(r"\b(?:DOCKET\s+FOR\s+CASE|DOCKETING\s+NOTICE|Date\s+Filed\s*\|)", re.IGNORECASE)
_ACTIVIST = re.compile(
    r"\b(?:nominat\w+|stand-?still|proxy|beneficially\s+own\w*|annual\s+meeting|stockholders?|shareholders?)\b",
    re.IGNORECASE,
)
MOST_ACTIVIST = 8
MOST_SPOKEN = 8
"""Times that a first page says "we" and "you" where it is a policy."""
_SPEAKS = re.compile(r"\b(?:we|you|our|your|us)\b", re.IGNORECASE)
_BINDS = re.compile(
    r"\bthis\s+(?:\w+\s+){0,3}(?:agreement|contract|lease|deed|amendment|letter|plan|note)\b|\bthe\s+parties\b|\bwitness\b",
    re.IGNORECASE,
)
_JUDGES = re.compile(
    r"\b(?:Circuit\s+Judges?|(?:Chief\s+)?Justice|Opinion\s+of\s+the\s+Court|PER\s+CURIAM|Judgment"
    r"|Argued\b.{0,60}\bDecided|appeals?\s+from\s+(?:the|an?|his|her|their)|[Ww]e\s+(?:affirm|reverse|hold))\b"
)
_NAME_OF_PAPER = re.compile(
    r"(?:[A-Z][\w’'-]*\s+|of\s+|the\s+){0,4}?(?:Judgment|Opinion|Order|Memorandum|Decision|Ruling|Complaint|Brief|Motion)"
    r"(?:\s+(?:and|&)\s+(?:[A-Z]\w*\s+)?(?:Order|Judgment|Opinion|Decree))?[\s.*]*"
)
"""A line in title case that holds nothing but the name of a paper."""
_COURT_KINDS = (
    (
        "brief",
        r"\b(?:complaint|motion|brief|memorandum\s+(?:of\s+(?:law|points)|in\s+(?:support|opposition))|petition"
        r"|answer\s+(?:to|and)|(?:defendant|respondent)(?:s|[’']s|s[’'])?\s+answer|counter-?claim|opposition\s+to|reply\s+(?:to|in)|stipulation|notice\s+of\s+(?:motion|appeal|removal)|declaration\s+of|affidavit)\b",
    ),
    ("order", r"\b(?:order|injunction|decree|civil\s+minutes|minute\s+entry)\b"),
    ("judgment", r"\b(?:judgment|opinion|decision|ruling|per\s+curiam|memorandum(?!\s+(?:(?:and|&)\s+order|to\b)))\b"),
)


_LETTER = re.compile(
    r"^\s*To\s+All\s+Parties\s*:|^\s*(?:RE|Re|Case\s+Style)\s*:[^\n]{1,120}\sv\.?\s|^\s*MEMORANDUM\s+TO\s+COUNSEL",
    re.MULTILINE,
)
"""Signs of a letter of the clerk that greets nobody."""
_OF_ANOTHER = re.compile(r"^(?:ON\s+)?(?:APPEAL|PETITION|CERTIORARI|WRIT)\b.*\b(?:FROM|REVIEW|TO)\b")
"""What a decision is about: "APPEAL FROM THE JUDGMENT OF", "PETITION FOR REVIEW OF AN ORDER"."""
_AGREED = re.compile(r"\b(?:agreement|contract|lease|note|plan|policy|licen[cs]e)\b", re.IGNORECASE)
_ORDER = re.compile(r"\b(?:protective\s+order|order)$", re.IGNORECASE)
_CELL = re.compile(r"[ \t]{2,}|(?:^|\s)[)§|:]+(?=\s|$)")
"""What stands between the columns of a caption."""
_COURT_PATTERNS = tuple((kind, re.compile(pattern, re.IGNORECASE)) for kind, pattern in _COURT_KINDS)


class Kind(NamedTuple):
    """The kind of a document, what part of another it is, and the name of that other."""

    kind: str
    part: str
    """ "amendment", "exhibit" or ""."""
    amends: str


def find_kind(title: str, head: Head, caption: Caption | None, file_words: str) -> Kind:
    """The kind, by the strongest evidence there is."""
    first_page = head.text[head.body_start : head.body_start + FIRST_PAGE]
    part, amends = _part(title, first_page)
    if caption is not None:
        kind = _court_kind(title, head)
        if kind == "other" and is_official_form(head):
            kind = "form"
        if caption.court or kind != "other":
            return Kind(kind, part, amends)
    if is_official_form(head) and not _AGREED.search(title):
        return Kind("form", part, amends)
    for place in (amends, title) if part == "amendment" else (title, amends):
        if found := kind_in(place):
            return Kind(_contested(found, first_page + head.text[FIRST_PAGE : 3 * FIRST_PAGE]), part, amends)
    if _SALUTATION.search(first_page):
        return Kind("letter", part, amends)
    return Kind(kind_in(file_words) or _by_words(first_page, head.text), part, amends)


_SALUTATION = re.compile(r"^[\s*#]*Dear\s", re.MULTILINE)


def kind_in(title: str) -> str:
    """The kind that a title names; "" if it names none.

    >>> kind_in("Amended and Restated Credit Agreement"), kind_in("Master Agreement")
    ('credit agreement', '')
    """
    title = _OF_FIRM.sub("", title)
    named = _UP_TO_NOUN.match(title)
    places = (named.group(), title) if named else (title,)
    return next((kind for place in places for kind, pattern in _KINDS if pattern.search(place)), "")


def _contested(kind: str, text: str) -> str:
    """Co-operation between a company and shareholders who nominate directors is a matter of shareholders."""
    activist = kind == "collaboration agreement" and len(_ACTIVIST.findall(text)) >= MOST_ACTIVIST
    return "shareholders agreement" if activist else kind


def _part(title: str, first_page: str) -> tuple[str, str]:
    """Whether a document amends another or is attached to it, and the name of that other."""
    if found := _EXHIBIT_TO.match(first_page):
        return "exhibit", _named(found.group("what"))
    if not _IS_AMENDMENT.search(title):
        return "", ""
    found = _AMENDS.search(title)
    if found and _named(found.group("what")):
        return "amendment", _named(found.group("what"))
    page = " ".join(first_page.split())
    inside = _NAMED_IN_TEXT.search(page) or _AMENDS_IN_TEXT.search(page)
    before = re.match(
        r"(?P<what>.+?\b(?:plan|agreement|lease|contract))\s+(?:joinder|amendment|addendum)", title, re.IGNORECASE
    )
    return "amendment", before.group("what") if before else _named(inside.group("what")) if inside else ""


def _named(text: str) -> str:
    return _TAIL.sub("", " ".join(text.split())).strip(" .;:“”\"'")


def _court_kind(title: str, head: Head) -> str:
    """Judgment, order, brief, letter: by the title, else by the lines over the text."""
    if _SALUTATION.search(head.text[:6000]) or _LETTER.search(head.text[:6000]):
        return "letter"
    if title.casefold().startswith("stipulat") and not _ORDER.search(title):
        return "brief"
    if _DOCKET_SHEET.search(head.text[:3000]):
        return "other"
    cells = [cell for line in head.lines if line.start < 5000 for cell in _CELL.split(line.text)]
    near = [cleaned(cell) for cell in cells]
    lines = [
        line
        for line in near
        if (line.isupper() and len(line.split()) <= 16 and not _OF_ANOTHER.search(line))
        or _NAME_OF_PAPER.fullmatch(line)
    ]
    for place in (title, *lines):
        found = [(match.start(), kind) for kind, pattern in _COURT_PATTERNS if (match := pattern.search(place))]
        if found:
            return min(found)[1]
    return "judgment" if _JUDGES.search(head.text[:8000]) else "other"


def _by_words(first_page: str, text: str) -> str:
    """The kind whose words stand most often on the first page; "other" where none stands there often.

    A text that binds nobody and speaks to its readers is a policy.
    """
    if not _BINDS.search(text) and len(_SPEAKS.findall(first_page)) >= MOST_SPOKEN:
        return "policy"
    counts = [(len(pattern.findall(first_page)), kind) for kind, pattern in _BY_WORDS]
    most, kind = max(counts)
    return kind if most >= 4 else "other"
