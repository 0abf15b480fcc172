"""Whether a passage holds a value of the kind that a question asks for: an amount, a date, a period, a number, a name
or a place."""

import re

WORDS = (
    "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty|ninety|hundred|"
    "thousand|million"
)
VALUES: dict[str, re.Pattern[str]] = {
    "amount": re.compile(
        r"[$€£¥]\s?\d|\b\d[\d,.]{0,30}+\s?(?:%|percent\b|per\s+cent\b|dollars?\b|euros?\b|pounds?\b|million\b|billion\b)"
        r"|\b(?:USD|EUR|GBP|US\$|CHF|RMB)\b|\bpercent(?:age)?\b|\bper\s+cent\b|\bbasis\s+points?\b|\bfree\s+of\s+charge\b",
        re.IGNORECASE,
    ),
    "date": re.compile(
        r"\b(?:january|february|march|april|june|july|august|september|october|november|december)\b"
        r"|\b\d{1,2}\s+may\b|\bmay\s+\d{1,2}\b|\b\d{1,2}[./-]\d{1,2}[./-]\d{2,4}\b|\b(?:19|20)\d\d\b"
        rf"|\b(?:\d+|{WORDS})\)?\s+(?:\w+\s+)?(?:days?|months?|years?|weeks?|hours?)\b"
        r"|\b(?:effective|closing|termination|expiration|commencement|maturity|due)\s+date\b|\bpromptly\b|\bimmediately\b",
        re.IGNORECASE,
    ),
    "period": re.compile(
        rf"\b(?:\d+|{WORDS})\)?[\s-]+(?:\w+\s+)?(?:days?|months?|years?|weeks?|hours?|minutes?|quarters?|anniversar\w+)\b"
        r"|\b(?:perpetual(?:ly)?|indefinite(?:ly)?|in\s+perpetuity|promptly|immediately|until|annually|monthly)\b",
        re.IGNORECASE,
    ),
    "number": re.compile(rf"\b(?:\d+|{WORDS})\b", re.IGNORECASE),
    "person": re.compile(
        r"\b(?:party|parties|licensor|licensee|seller|buyer|purchaser|supplier|customer|company|client|contractor|consultant"
        r"|employee|employer|executive|lender|borrower|agent|landlord|tenant|distributor|provider|recipient|owner|user|you"
        r"|we|board|committee|court|arbitrator|officer|director|manager)\b",
        re.IGNORECASE,
    ),
    "place": re.compile(
        r"\b(?:state|county|city|country|courts?|address|located|street|avenue|road|suite|office|territory|jurisdiction"
        r"|laws?|worldwide|website|email|e-mail)\b|@|https?:",
        re.IGNORECASE,
    ),
}


def holds(text: str, expected: str) -> bool:
    """Whether a text holds a value of a kind.

    >>> holds("The fee is $250,000.", "amount"), holds("The fee is due.", "amount"), holds("within ten days", "period")
    (True, False, True)
    """
    pattern = VALUES.get(expected)
    return pattern is not None and pattern.search(text) is not None
