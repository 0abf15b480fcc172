"""Facets: how many documents have each value of a key."""

from collections import Counter, defaultdict
from collections.abc import Iterable

from pincite.engine.records import DocumentRecord
from pincite.errors import UsageError
from pincite.text.conditions import PARTIES, PARTY


def counted_values(records: Iterable[DocumentRecord], keys: Iterable[str], most: int) -> dict[str, dict[str, int]]:
    """The values of each key with their numbers of documents, the most frequent first, then by name."""
    if most < 1:
        raise UsageError(f"at least 1 value of a key must be counted, not {most}")
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for record in records:
        for key, value in record.described.items():
            values = dict.fromkeys(part.strip() for part in value.split(";")) if key == PARTIES else [value]
            counts[PARTY if key == PARTIES else key].update(one for one in values if one)
    asked = list(keys) or sorted(counts)
    for key in asked:
        if key not in counts and counts:
            raise UsageError(f"no document has the key {key!r}; the known ones are: {', '.join(sorted(counts))}")
    return {key: dict(sorted(counts[key].items(), key=lambda item: (-item[1], item[0]))[:most]) for key in asked}
