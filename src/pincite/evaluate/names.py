"""The ablations of a question's reference to its document: kept, stripped, given as a filter, reworded."""

import re
from hashlib import sha256
from pathlib import PurePosixPath

from pincite.documents.profile import file_words
from pincite.errors import one_of
from pincite.evaluate.benchmark import BenchmarkQuestion
from pincite.text import Filter

NAMES = ("keep", "strip", "filter", "reworded")
FORMS = ("at the end", "under", "in the middle", "shortened", "by party", "by file name", "as talk in front")
_SUFFIX = re.compile(
    r",?\s*\b(?:Inc|Incorporated|Corp|Corporation|Co|Company|LLC|L\.L\.C|Ltd|Limited|LLP|LP|L\.P|PLC|plc|GmbH|S\.A|B\.V|N\.V|AG)"
    r"\b\.?",
    re.IGNORECASE,
)
_PARTIES = re.compile(r"\bbetween\s+(.*)", re.IGNORECASE | re.DOTALL)


def asked(question: BenchmarkQuestion, names: str) -> tuple[str, Filter | None]:
    """The query as it is put, and the filter that goes with it."""
    match names:
        case "keep":
            return question.query, question.where
        case "strip":
            return split(question.query)[1], None
        case "filter":
            documents = tuple(sorted({span.document for span in question.gold}))
            return split(question.query)[1], Filter(documents=documents)
        case "reworded":
            return reworded(question), None
    raise one_of("way with names", names, NAMES)


def split(query: str) -> tuple[str, str]:
    """The reference before the first ";" and the question behind it; no reference where there is no ";".

    >>> split("Consider Acme's NDA; May copies be kept?")
    ("Acme's NDA", 'May copies be kept?')
    """
    reference, mark, question = query.partition(";")
    if not mark:
        return "", query.strip()
    return re.sub(r"^\s*consider\s+", "", reference, flags=re.IGNORECASE).strip(), question.strip()


def reworded(question: BenchmarkQuestion) -> str:
    """The reference moved and reworded by one of seven forms, chosen by the hash of the query.

    At the end, in front with "Under", in the middle, shortened, by a party, by the file's name, as talk in front.
    """
    reference, inner = split(question.query)
    if not reference:
        return question.query
    plain = inner.rstrip(" ?.")
    first, _, rest = plain.partition(" ")
    lowered = plain[:1].lower() + plain[1:]
    short = _short(reference)
    file = " ".join(word for word in file_words(PurePosixPath(question.gold[0].document).name) if not word.isdigit())
    forms = (
        f"{plain}, in {reference}?",
        f"Under {reference}, {lowered}?",
        f"{first}, according to {reference}, {rest}?",
        f"For the {short} document: {lowered}?",
        f"{plain} in our agreement with {short}?",
        f"In the file {file}, {lowered}?",
        f"I am reading {reference} - {lowered}?",
    )
    return forms[form_of(question)]


def form_of(question: BenchmarkQuestion) -> int:
    """Which of the forms a question gets: always the same one."""
    return int(sha256(question.query.encode()).hexdigest(), 16) % len(FORMS)


def _short(reference: str) -> str:
    """One party without the form of its company, or what a possessive names."""
    parties = _PARTIES.search(reference)
    if parties:
        named = re.split(r"\s+and\s+|\s+for\s+", parties.group(1))[0]
        quoted = re.search(r"[\"“]([^\"”]+)[\"”]", named)
        return _SUFFIX.sub("", quoted.group(1) if quoted else named).strip(' ,"“”')
    possessive = re.match(r"(?:the\s+)?(.+?)[’']s?\s", reference)
    return _SUFFIX.sub("", possessive.group(1) if possessive else reference).strip(' ,"“”')
