"""A small thesaurus: what lawyers call a clause, and the words that clause is drafted in."""

import re

DRAFTED_AS: dict[str, str] = {
    "no-shop": "no solicitation shall not solicit initiate encourage acquisition proposal alternative discussions inquiries",
    "go-shop": "solicit acquisition proposals during the period until",
    "fiduciary out": "board of directors determines in good faith superior proposal fiduciary duties change of recommendation",
    "fiduciary exception": "unsolicited bona fide acquisition proposal board determines in good faith superior proposal fiduciary",
    "fiduciary termination": "terminate agreement superior proposal change of recommendation definitive agreement",
    "tail provision": "within twelve months after termination enters into definitive agreement acquisition proposal termination fee",
    "matching right": "notice business days negotiate in good faith amend superior proposal",
    "breach of no-shop": "material breach of no solicitation terminate",
    "ordinary course": "conduct its business in the ordinary course consistent with past practice interim period",
    "regulatory approval": "waiting period HSR Act antitrust approvals governmental consents expired terminated obtained",
    "antitrust efforts": "reasonable best efforts divest hold separate HSR antitrust laws litigation",
    "type of consideration": "converted into the right to receive per share in cash shares of common stock merger consideration",
    "material adverse effect": "material adverse effect change event effect circumstance condition business operations",
    "specific performance": "irreparable damage injunction specific performance enforce terms",
    "anti-assignment": "may not assign transfer delegate without prior written consent",
    "change of control": "change of control merger sale of all or substantially all assets acquisition of voting securities",
    "non-compete": "shall not compete engage in competing business",
    "non-solicit": "shall not solicit hire employees customers",
    "most favored nation": "no less favorable terms prices than any other customer",
    "cap on liability": "liability shall not exceed aggregate amount limitation of liability",
    "uncapped liability": "unlimited liability limitation shall not apply",
    "liquidated damages": "liquidated damages not a penalty",
    "governing law": "governed by and construed in accordance with the laws of",
    "expiration date": "term commence effective date continue until expire initial term",
    "renewal term": "renew automatically successive periods extend term unless notice",
    "termination for convenience": "terminate at any time without cause upon days prior written notice",
    "terminated for convenience": "terminate at any time without cause upon days prior written notice",
    "covenant not to sue": "shall not contest challenge claim assert validity ownership bring action",
    "audit rights": "audit inspect books and records accountant",
    "exclusivity": "exclusive exclusively sole",
    "minimum commitment": "minimum purchase quantity order at least per year",
    "volume restriction": "maximum exceed quantity limit users number",
    "revenue or profit": "royalty percentage of revenue net sales share",
    "post-termination": "following termination continue wind-down transition survive",
    "insurance requirements": "maintain insurance coverage policy limits",
    "third-party beneficiar": "third party beneficiary benefit enforce",
    "ip ownership": "title intellectual property rights vest own assign",
    "source code": "escrow source code release",
    "return of confidential": "return or destroy copies upon termination request",
    "reverse engineer": "reverse engineer disassemble decompile",
    "residuals": "unaided memory retained",
    "compelled disclosure": "required by law court order subpoena notify",
    "force majeure": "act of god beyond reasonable control",
    "severability": "invalid unenforceable provision remaining provisions",
    "entire agreement": "supersedes all prior agreements understandings",
    "indemnity": "indemnify defend hold harmless losses claims",
}
"""Written by hand from drafting practice, knowing what kinds of clauses CUAD's and MAUD's train and dev questions ask
for. A key is looked for in the question, hyphen or blank alike."""

_KEYS = {
    key: re.compile(r"\b" + re.escape(key).replace(r"\-", r"[-\s]?").replace(r"\ ", r"[-\s]+"), re.IGNORECASE)
    for key in DRAFTED_AS
}


def drafted_as(question: str) -> str:
    """The words in which what is asked for is usually drafted; "" where the thesaurus does not know it.

    >>> drafted_as("Is there a cap on liability?")
    'liability shall not exceed aggregate amount limitation of liability'
    """
    return " ".join(words for key, words in DRAFTED_AS.items() if _KEYS[key].search(question))
