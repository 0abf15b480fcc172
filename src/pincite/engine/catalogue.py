"""The documents of one state by their places, and which of them a filter admits."""

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from pincite.engine.records import DocumentRecord
from pincite.errors import UsageError
from pincite.postings.fragment import Flags
from pincite.text import Filter
from pincite.text.conditions import DATE, KIND, MATTER, PARTIES, PARTY, condition
from pincite.text.kinds import checked_kind, kind_named, same_kind

ALWAYS_KNOWN = frozenset((PARTY, PARTIES, DATE, KIND, MATTER))
"""Keys that filters may use though no document has them."""


class Catalogue:
    """`records` has None for a document that is gone."""

    def __init__(self, records: Sequence[DocumentRecord | None]) -> None:
        self.records = records

    @cached_property
    def places(self) -> dict[str, int]:
        return {record.id: place for place, record in enumerate(self.records) if record}

    @cached_property
    def described(self) -> list[dict[str, str]]:
        return [record.described if record else {} for record in self.records]

    @cached_property
    def keys(self) -> frozenset[str]:
        return ALWAYS_KNOWN.union(*self.described)

    @cached_property
    def kinds(self) -> frozenset[str]:
        """The kinds that documents have, also those that only their users know."""
        return frozenset(said[KIND] for said in self.described if KIND in said)

    def check(self, where: Filter) -> None:
        """An error for a key that no document has, or a kind that is none; it lists what is known."""
        check_filter(where, self.keys, self.kinds)

    def admitted(self, where: Filter | None) -> Flags | None:
        """For every place, whether `where` admits its document; an unknown key or kind is an error."""
        if where is None:
            return None
        self.check(where)
        admitted = np.zeros(len(self.records), dtype=np.bool_)
        asked = self.places.values()
        if where.documents:
            asked = [self.places[name] for name in where.documents if name in self.places]  # type: ignore[assignment]
        plain = not (where.metadata or where.after or where.before or where.condition or where.matters)
        for place in asked:
            record = self.records[place]
            admitted[place] = record is not None and (plain or where.fits(record.id, self.described[place]))
        return admitted


def check_filter(where: Filter, keys: frozenset[str], kinds: frozenset[str]) -> None:
    """An error for a key that is not among the known ones, or a kind that is none; it lists what is known."""
    check_keys(where, keys)
    asked_for = condition(where.condition).kinds if where.condition else ()
    for asked in (where.metadata.get(KIND, ""), *sorted(asked_for)):
        if not asked or any(same_kind(asked, kind) for kind in kinds):
            continue
        try:
            checked_kind(asked)
        except UsageError as error:
            own = sorted(kind for kind in kinds if not kind_named(kind))
            raise UsageError(f"{error}{', and here also ' if own else ''}{', '.join(own)}") from None


def check_keys(where: Filter, known: frozenset[str]) -> None:
    asked = sorted(condition(where.condition).keys) if where.condition else []
    for key in (*where.metadata, *asked):
        if key not in known:
            raise UsageError(f"no document has the key {key!r}; the known ones are: {', '.join(sorted(known))}")
