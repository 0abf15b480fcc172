"""What a user says of documents: key=value for all of them, or a CSV or JSON file that says it for each."""

import csv
import io
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pincite.errors import DataError, UsageError
from pincite.text.canonical import decode
from pincite.text.dates import iso_date

NAMES = ("document", "id", "path", "file", "name")
"""A column of a CSV file with one of these names says which document a row is about."""


@dataclass(frozen=True, slots=True)
class Metadata:
    """`everywhere` applies to every document, `each` to those whose id is, or ends in, the given name."""

    everywhere: Mapping[str, str] = field(default_factory=dict)
    each: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.everywhere or self.each)

    def of(self, document_id: str, before: Mapping[str, str]) -> dict[str, str]:
        """What is known of a document: what was said before, and over it what is said now.

        >>> Metadata({"matter": "7"}, {"a.txt": {"kind": "lease"}}).of("leases/a.txt", {"kind": "deed", "desk": "9"})
        {'kind': 'lease', 'desk': '9', 'matter': '7'}
        """
        parts = document_id.split("/")
        names = ["/".join(parts[at:]) for at in range(len(parts) - 1, -1, -1)]
        said: dict[str, str] = {}
        for name in names:
            said |= self.each.get(name, {})
        return {**before, **self.everywhere, **said}

    def checked(self, where: str) -> "Metadata":
        """The same, if what is said for every document can be: a date must be one."""
        return Metadata(_checked(self.everywhere, where), self.each)

    def unused(self, ids: Iterable[str]) -> list[str]:
        """A note on the names that no document has."""
        ends = {"/".join(parts[at:]) for name in ids for parts in [name.split("/")] for at in range(len(parts))}
        lost = [name for name in self.each if name not in ends]
        return [f"the metadata file names {len(lost)} unknown documents: {', '.join(lost[:5])}"] if lost else []

    @classmethod
    def read(cls, file: Path | None, pairs: Iterable[str] = ()) -> "Metadata":
        """From a file (.csv or .json) and pairs like "matter=4711"."""
        everywhere = _checked(dict(map(_pair, pairs)), "--set")
        if file is None:
            return cls(everywhere)
        try:
            text = decode(file.read_bytes(), file)
        except OSError as error:
            raise DataError(f"{file}: cannot be read ({error.strerror})") from None
        each = _from_json(text, file) if file.suffix.lower() == ".json" else _from_csv(text, file)
        return cls(everywhere, {name: _checked(values, f"{file}, {name}") for name, values in each.items()})


def _pair(text: str) -> tuple[str, str]:
    key, sign, value = text.partition("=")
    if not sign or not key.strip():
        raise UsageError(f"{text!r} is not of the form key=value")
    return key.strip(), value.strip()


def _checked(values: Mapping[str, str], where: str) -> dict[str, str]:
    if values.get("date") and not iso_date(values["date"]):
        raise UsageError(f"{where}: {values['date']!r} is not a date; write 2024-03-31 or 31 March 2024")
    return dict(values)


def _from_csv(text: str, file: Path) -> dict[str, dict[str, str]]:
    rows = csv.DictReader(io.StringIO(text.lstrip("\ufeff"), newline=""))
    try:
        read = list(rows)
    except csv.Error as error:
        raise DataError(f"{file}: not a CSV file ({error})") from None
    column = next((name for name in rows.fieldnames or () if name.strip().lower() in NAMES), None)
    if column is None:
        raise DataError(f"{file}: no column says which document a row is about; name one of them 'document'")
    found: dict[str, dict[str, str]] = {}
    for row in read:
        values = {key.strip(): value.strip() for key, value in row.items() if key and key != column and value}
        found[(row[column] or "").strip()] = values
    return found


def _said(value: object) -> str:
    """A value as filters compare it: nothing for null, several parted by semicolons."""
    if isinstance(value, list):
        return "; ".join(map(str, value))
    return "" if value is None else str(value)


def _from_json(text: str, file: Path) -> dict[str, dict[str, str]]:
    try:
        given = json.loads(text)
        if isinstance(given, list):
            column = next(name for name in NAMES if all(name in row for row in given))
            given = {row[column]: {key: value for key, value in row.items() if key != column} for row in given}
        return {name: {key: _said(value) for key, value in values.items()} for name, values in given.items()}
    except (ValueError, AttributeError, TypeError, StopIteration) as error:
        raise DataError(
            f"{file}: neither a JSON object of documents nor an array of objects with a 'document' ({error})"
        ) from None
