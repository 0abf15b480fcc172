"""Corrections: what people say of a document in place of what was found in it, checked before it is stored."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from pincite.engine.records import DocumentRecord
from pincite.errors import UsageError
from pincite.text.dates import iso_date
from pincite.text.kinds import checked_kind

TITLE, KIND, PARTIES, DATE = "title", "kind", "parties", "date"
FIELDS = (TITLE, KIND, PARTIES, DATE, "court", "docket", "disposition", "amends")
"""What a profile finds and people can correct. Any other key is metadata of their own."""
NOBODY = ";"
"""How it is stored that a document has no parties."""
MOST_CHARACTERS = 2000
"""The longest value."""
OTHER_WORDS = ("data", "rate", "gate", "mind", "find", "count", "partner", "partners")
"""Keys that are nearly fields, and mean something else."""


@dataclass(frozen=True, slots=True)
class Correction:
    """Values by key: an empty one takes back what was said. Parties can also be added and removed one by one."""

    values: Mapping[str, str] = field(default_factory=dict)
    add_parties: Sequence[str] = ()
    remove_parties: Sequence[str] = ()

    @classmethod
    def read(cls, pairs: Iterable[str]) -> "Correction":
        """From pairs such as "title=Quay lease", "party+=Acme Ltd", "kind=".

        >>> Correction.read(["kind=nda", "party-=Bolt"])
        Correction(values={'kind': 'nda'}, add_parties=(), remove_parties=('Bolt',))
        """
        values: dict[str, str] = {}
        parties: dict[str, list[str]] = {"+": [], "-": []}
        for pair in pairs:
            key, sign, value = pair.partition("=")
            name = key.rstrip("+-").strip()
            if not sign or not name:
                raise UsageError(f"{pair!r}: write it as key=value, such as title='Quay lease' or party+='Acme Ltd'")
            if key[-1] not in "+-":
                if name in values:
                    raise UsageError(f"{name}= is given twice; give it once")
                values[name] = value.strip()
            elif name in ("party", PARTIES):
                parties[key[-1]].append(value.strip())
            else:
                raise UsageError(f"{pair!r}: += and -= go with party alone; write {name}=VALUE")
        return cls(values, tuple(parties["+"]), tuple(parties["-"]))

    @property
    def keys(self) -> list[str]:
        """What is corrected."""
        parties = [PARTIES] if self.add_parties or self.remove_parties else []
        return list(dict.fromkeys([*self.values, *parties]))

    def __bool__(self) -> bool:
        return bool(self.values or self.add_parties or self.remove_parties)

    def applied(self, record: DocumentRecord) -> dict[str, str]:
        """What is said of a document from now on: what was said before, and over it this."""
        said = {**record.metadata, **{key: checked_value(key, value) for key, value in self.values.items()}}
        if self.add_parties or self.remove_parties:
            given = said[PARTIES] if self.values.get(PARTIES) else None
            known = record.profile.parties if given is None else tuple(named_parties(given))
            said[PARTIES] = _parties(known, self.add_parties, self.remove_parties)
        return {key: value for key, value in said.items() if value}


def checked_value(key: str, value: str) -> str:
    """A value as it is stored: the kind by its own name, the date as 2024-03-31. Anything impossible is an error.

    >>> checked_value("kind", "NDA"), checked_value("date", "3 March 2021"), checked_value("parties", "A Ltd ;B AG;")
    ('non-disclosure agreement', '2021-03-03', 'A Ltd; B AG')
    """
    check_key(key)
    value = " ".join(value.split())
    if len(value) > MOST_CHARACTERS:
        raise UsageError(f"{key}: has {len(value):,} characters; the limit is {MOST_CHARACTERS:,}")
    if any(not letter.isprintable() for letter in value):
        raise UsageError(f"{key}: contains characters that cannot be printed; write it as text")
    if not value:
        return ""
    if key == KIND:
        return checked_kind(value)
    if key == PARTIES:
        return "; ".join(named_parties(value)) or NOBODY
    if key == DATE:
        day = iso_date(value)
        if not day:
            raise UsageError(f"date: {value[:40]!r} is not a date; write 2024-03-31 or 31 March 2024")
        return day
    if key == TITLE and not any(map(str.isalnum, value)):
        raise UsageError(f"title: {value[:40]!r} has no letter; title= (empty) takes a correction back")
    return value


def check_key(key: str) -> None:
    """An error for a key that is empty, or nearly the name of a field: "titel" is refused, "matter" is not."""
    low = key.strip().casefold()
    if not low or key != key.strip() or any(not letter.isprintable() or letter in "=;" for letter in key):
        raise UsageError(f"{key[:40]!r} cannot be a key; keys are words such as matter or client")
    if key in FIELDS or low in OTHER_WORDS:
        return
    if low == "party":
        raise UsageError(
            "party: set all of them with parties='A; B', add one with party+='A', remove one with party-='A'"
        )
    for name in (*FIELDS, "party"):
        if _distance(low, name) <= (2 if len(name) > 6 else 1):
            meant = PARTIES if name == "party" else name
            known = ", ".join(FIELDS)
            raise UsageError(f"no field is called {key!r}; did you mean {meant!r}? The fields are: {known}")


def named_parties(text: str) -> list[str]:
    """The names in a list that is parted by semicolons."""
    return list(dict.fromkeys(name.strip() for name in text.split(";") if name.strip()))


def corrected_fields(metadata: Mapping[str, str]) -> list[str]:
    """The fields that people corrected."""
    return [name for name in FIELDS if name in metadata]


def _parties(known: Sequence[str], added: Sequence[str], removed: Sequence[str]) -> str:
    names = list(known)
    for name in removed:
        near = [entry for entry in names if entry.casefold() == name.strip().casefold()]
        near = near or [entry for entry in names if name.strip() and name.strip().casefold() in entry.casefold()]
        if len(near) != 1:
            what = "may be any of" if near else "is none of"
            there = "; ".join(near or names) or "nobody"
            raise UsageError(f"party-={name!r}: {what} the parties: {there}")
        names.remove(near[0])
    for name in added:
        if not name.strip() or ";" in name:
            raise UsageError(f"party+={name!r}: write one name; repeat party+= for several")
        checked_value(PARTIES, name)
        names.append(" ".join(name.split()))
    unique = {name.casefold(): name for name in reversed(names)}
    return "; ".join(reversed(unique.values())) or NOBODY


def _distance(one: str, other: str) -> int:
    """How many letters must be changed, added, dropped or swapped with their neighbours.

    >>> _distance("titel", "title"), _distance("partys", "parties"), _distance("update", "date")
    (1, 2, 2)
    """
    rows = [list(range(len(other) + 1))]
    for at, letter in enumerate(one, start=1):
        row = [at]
        for place, wanted in enumerate(other, start=1):
            best = min(rows[-1][place] + 1, row[-1] + 1, rows[-1][place - 1] + (letter != wanted))
            if at > 1 and place > 1 and letter == other[place - 2] and one[at - 2] == wanted:
                best = min(best, rows[-2][place - 2] + 1)
            row.append(best)
        rows.append(row)
    return rows[-1][-1]
