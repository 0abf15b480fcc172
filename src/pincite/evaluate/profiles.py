"""How well documents are profiled: title, kind, parties, date, first-level outline, against hand-written labels."""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from pincite.documents.profile import Profile, profile
from pincite.documents.workers import read_files
from pincite.errors import DataError
from pincite.index.listing import outline
from pincite.models import Progress
from pincite.segment import Clauses
from pincite.text import Document
from pincite.text.kinds import kind_named, same_kind
from pincite.text.units import LoadedDocument, Units

HALVES = ("report", "work", "all")
"""`report`: the half that was set aside before any rule was written; `work`: the half that rules are written on."""
MEASURES = ("title", "kind", "parties", "date", "outline")
MOST_VARIANTS = 3
NO_DATE = "none"
_WORD = re.compile(r"\d+(?:\.\d+)+|\w+")
_MONTH = re.compile(r"\d{4}-\d{2}")
_SUFFIXES = frozenset(
    """inc incorporated corp corporation co company llc ltd limited llp lp plc gmbh ag sa sas srl spa ab as bv nv pty
    pte kk na l p c s a b v n the""".split()  # noqa: SIM905
)


@dataclass(frozen=True, slots=True)
class ProfileLabel:
    """What a reader says of a document: accepted titles, kinds and dates, the parties, and the first-level headings."""

    document: str
    """The path below the data folder."""
    titles: tuple[str, ...]
    kinds: tuple[str, ...]
    parties: tuple[str, ...]
    dates: tuple[str, ...]
    outline: tuple[str, ...]
    set_aside: bool


@dataclass(frozen=True, slots=True)
class Found:
    """What the program says of the same document."""

    title: str
    kind: str
    parties: tuple[str, ...]
    date: str
    outline: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ProfileRow:
    """One document: what was found, and how right it is, from 0 to 1 for each of `MEASURES`."""

    label: ProfileLabel
    found: Found
    scores: dict[str, float]


def read_labels(path: Path, half: str = "all") -> list[ProfileLabel]:
    """The labels of a file with one JSON object a line, of one half or of both."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise DataError(f"{path}: the labels cannot be read ({error.strerror}); name the file with --labels") from None
    labels = [_label(path, at, line) for at, line in enumerate(lines, start=1) if line.strip()]
    return [label for label in labels if half == "all" or label.set_aside == (half == "report")]


def _label(path: Path, at: int, line: str) -> ProfileLabel:
    try:
        entry = json.loads(line)
        titles, kinds = tuple(entry["title"]), tuple(entry["kind"])
        label = ProfileLabel(
            str(entry["document"]),
            titles,
            kinds,
            tuple(party["name"] for party in entry["parties"]),
            tuple(entry["date"]),
            tuple(entry["outline"]),
            bool(entry["set_aside"]),
        )
    except (ValueError, KeyError, TypeError) as error:
        raise DataError(
            f"{path}, line {at}: not a label ({type(error).__name__}: {error}); docs/contracts.md shows one"
        ) from None
    unknown = [kind for kind in kinds if not kind_named(kind)]
    if unknown or not 1 <= len(titles) <= MOST_VARIANTS or not kinds or not label.dates:
        fault = (
            f"unknown kind {unknown[0]!r}" if unknown else f"1 to {MOST_VARIANTS} titles, a kind and a date are needed"
        )
        raise DataError(f"{path}, line {at}: {fault}")
    return label


def measure_profiles(
    data: Path, labels: Sequence[ProfileLabel], *, renamed: bool, progress: Progress | None = None
) -> Iterator[ProfileRow]:
    """A row for each document. With `renamed` files are called d001.ext, d002.ext ... in one folder."""
    missing = [label.document for label in labels if not (data / label.document).is_file()]
    if missing:
        raise DataError(
            f"{data}: {len(missing)} labelled documents are not there, the first is {missing[0]!r}; "
            "give their folder with --data"
        )
    files = [(data / label.document, _called(label, at, renamed=renamed)) for at, label in enumerate(labels, start=1)]
    for at, (label, reading) in enumerate(zip(labels, read_files(files), strict=True), start=1):
        found = _found(reading.documents[0]) if reading.documents else Found("", "", (), "", ())
        yield ProfileRow(label, found, scores(label, found))
        if progress:
            progress(at, len(labels))


def _called(label: ProfileLabel, at: int, *, renamed: bool) -> str:
    return f"d{at:03}{Path(label.document).suffix}" if renamed else label.document


def _found(document: Document) -> Found:
    named = profile(document)
    headings = outline(LoadedDocument(document, Units.of(Clauses()(document))))
    first = tuple(heading.text for heading in headings if heading.level == 0)
    return Found(named.title, named.kind, named.parties, _date(named), first)


def _date(named: Profile) -> str:
    """The date as labels give it: without a day where the document has none."""
    return named.date if _MONTH.fullmatch(named.date) else named.iso_date


def scores(label: ProfileLabel, found: Found) -> dict[str, float]:
    """How right a profile is, from 0 to 1 for each of `MEASURES`."""
    return {
        "title": float(_words(found.title) in map(_words, label.titles)),
        "kind": float(any(same_kind(found.kind or "other", kind) for kind in label.kinds)),
        "parties": f1(found.parties, label.parties, lambda one, other: _party(one) == _party(other)),
        "date": float((found.date or NO_DATE) in label.dates),
        "outline": f1(found.outline, label.outline, same_line),
    }


def f1(found: Sequence[str], wanted: Sequence[str], same: Callable[[str, str], bool]) -> float:
    """The harmonic mean of precision and recall, each entry matched once; 1 where nothing is to be found, nor found."""
    if not found and not wanted:
        return 1.0
    left = list(wanted)
    for entry in found:
        match = next((at for at, other in enumerate(left) if same(entry, other)), None)
        if match is not None:
            del left[match]
    return 2 * (len(wanted) - len(left)) / (len(found) + len(wanted))


def same_line(one: str, other: str) -> bool:
    """Whether two headings are the same line: equal words, or one cut short.

    >>> same_line("1. TERM", "1 Term"), same_line("ARTICLE I", "Article I - Definitions"), same_line("1.", "1.1 Term")
    (True, True, False)
    """
    left, right = _words(one), _words(other)
    shorter = min(len(left), len(right))
    return shorter > 0 and left[:shorter] == right[:shorter]


def _words(text: str) -> tuple[str, ...]:
    return tuple(_WORD.findall(text.casefold()))


def _party(name: str) -> tuple[str, ...]:
    words = _words(name)
    return tuple(word for word in words if word not in _SUFFIXES) or words


def means(rows: Iterable[ProfileRow]) -> dict[str, float]:
    """The mean of each measure."""
    rows = list(rows)
    return {name: sum(row.scores[name] for row in rows) / len(rows) if rows else 0.0 for name in MEASURES}
