"""Titles in capital letters, written as people write titles in a sentence."""

import re

SMALL = re.compile("a|an|and|as|at|but|by|for|from|in|into|nor|of|on|or|per|the|to|under|upon|v|via|vs|with")
"""Words that stay small inside a title."""
VERSUS = ("v", "vs", "V", "VS")
"""What stands between two parties, also behind "Inc."."""
ACRONYMS = re.compile(
    "ag|api|apa|ccpa|cda|dpa|eea|epc|esop|eu|eula|fda|gdpr|hipaa|hr|ibm|ii|iii|ip|ipo|irs|iso|it|iv|ix|jv|kg|llc|llp|lp|mnda"
    "|moa|mou|msa|na|nda|nv|plc|po|pte|rfp|se|sec|sla|sow|spa|sro|ssa|uk|us|usa|vat|vi|vii|viii|xi|xii"
)
"""Words that keep their capitals. A word without a vowel keeps them, too."""
_FORMS = {"inc": "Inc", "ltd": "Ltd", "co": "Co", "corp": "Corp", "gmbh": "GmbH", "saas": "SaaS"}
_ABBREVIATED = frozenset(("ltd", "mr", "mrs", "dr", "st", "dept", "nr", "jr", "sr", "th", "nd", "rd"))
"""Words without a vowel that are no acronyms."""
_WORD = re.compile(r"\b[^\W\d_]{1,2}[&/][^\W\d_]{1,2}\b|[^\W\d_]+(?:[.’'][^\W\d_]+)*|[^\W_]+")
_ENDS = ":.;!?–—("
"""Behind these signs a small word is written large."""


def is_capital(title: str) -> bool:
    """Whether a title is written in capital letters.

    >>> is_capital("LEASE OF UNIT 4b"), is_capital("LEASE"), is_capital("2021"), is_capital("NDA with Acme")
    (True, True, False, False)
    """
    letters = [letter for letter in title if letter.isalpha()]
    return bool(letters) and sum(map(str.isupper, letters)) >= 0.9 * len(letters)


def title_case(title: str) -> str:
    """A title in capitals with capitals at the beginnings of its words alone; any other title is left as it is.

    >>> title_case("LEASE OF OFFICE PREMISES"), title_case("IT SERVICES AGREEMENT (NDA) - ACME, LLC")
    ('Lease of Office Premises', 'IT Services Agreement (NDA) - Acme, LLC')
    >>> title_case("SMITH V. O'BRIEN & CO."), title_case("NON-DISCLOSURE AGREEMENT"), title_case("Quay lease")
    ("Smith v. O'Brien & Co.", 'Non-Disclosure Agreement', 'Quay lease')
    """
    if not is_capital(title):
        return title
    words = list(_WORD.finditer(title))
    made, place = [], 0
    for at, word in enumerate(words):
        before = title[: word.start()].rstrip()
        inside = 0 < at < len(words) - 1 and bool(before) and (before[-1] not in _ENDS or word.group() in VERSUS)
        made += [title[place : word.start()], _cased(word.group(), inside=inside)]
        place = word.end()
    return "".join((*made, title[place:]))


def _cased(word: str, *, inside: bool) -> str:
    low = word.lower()
    if inside and SMALL.fullmatch(low):
        return low
    if low in _FORMS:
        return _FORMS[low]
    if ACRONYMS.fullmatch(low) or any(map(str.isdigit, word)) or re.search(r"\w[.&/]\w", word):
        return word
    if low not in _ABBREVIATED and len(word) > 1 and not re.search("[aeiouyäöüàáâéèêíìóòôúù]", low):
        return word
    head, sign, tail = low.partition("’" if "’" in low else "'")
    if sign and len(head) == 1 and len(tail) > 1:
        tail = tail.capitalize()
    return head.capitalize() + sign + tail
