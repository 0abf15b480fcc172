"""Maintenance of fragments: recent documents are written, small fragments merged, damaged ones rebuilt."""

from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np

from pincite.index.embedded.array_file import checksum
from pincite.index.embedded.database import FRAGMENTS, Database, FragmentRow
from pincite.index.embedded.fragment_files import (
    OpenFragment,
    merge_fragments,
    remove_unknown_files,
    write_fragment,
    write_vectors,
)
from pincite.index.embedded.settings import EmbeddedSettings
from pincite.index.embedded.state import EmbeddedState
from pincite.postings.fragment import Flags, Fragment

HALF = 0.5
"""Where more vectors are to come, a fragment waits until this share of its units is embedded."""


class Maintenance:
    """Changes the fragments of an index; only its one writer does."""

    def __init__(self, database: Database, state: EmbeddedState, settings: EmbeddedSettings) -> None:
        self.database = database
        self.state = state
        self.settings = settings

    def tidy(self, look_again: Callable[[], EmbeddedState], *, more_to_come: bool = False) -> None:
        """Writes recent documents if they are many, brings missing vectors in, and merges what has become small.

        Where more vectors are to come soon, a fragment waits for half of its own.
        """
        self._drop_untrusted()
        counts = {entry.number: entry.unit_count for entry in self.state.catalogue.records if entry}
        waiting = list(self.state.recent)
        characters = {entry.number: entry.characters for entry in self.state.catalogue.records if entry}
        if sum(characters[number] for number in waiting) > self.settings.recent_characters:
            for batch in _cut(waiting, counts, self.settings.fragment_units):
                self._replace([], [self._built(batch)])
            self.state = look_again()
        for opened in self.state.opened:
            if self._lacks_vectors(opened, HALF if more_to_come else 0.0):
                sizes = np.diff(opened.fragment.first_unit).tolist()
                self._replace(
                    [opened.row], [write_vectors(self.database, opened.row, sizes, self._name(), self.settings)]
                )
        self.state = look_again()
        while group := self._to_merge():
            kept = [(opened, self._kept(opened)) for opened in group]
            self._replace(
                [opened.row for opened in group], [merge_fragments(self.database, self._name(), kept, self.settings)]
            )
            self.state = look_again()

    def rewrite_with_gone(self) -> None:
        """Rewrites every fragment that still holds something of a document that is gone."""
        self._drop_untrusted()
        for opened in self.state.opened:
            kept = self._kept(opened)
            if not kept.all():
                self._replace(
                    [opened.row],
                    [merge_fragments(self.database, self._name(), [(opened, kept)], self.settings)]
                    if kept.any()
                    else [],
                )
        remove_unknown_files(self.database)

    def repair(self) -> None:
        """Rebuilds every fragment whose files are not what was written, from the database."""
        bad = [row for row in self.database.fragments() if not _as_written(self.database, row)]
        counts = {entry.number: entry.unit_count for entry in self.state.catalogue.records if entry}
        for row in bad:
            documents = [number for number in row.documents if number in counts]
            self._replace([row], [self._built(documents)] if documents else [])
        remove_unknown_files(self.database)

    def _drop_untrusted(self) -> None:
        """Forgets fragments that could not be opened: their documents are recent again."""
        names = {opened.row.name for opened in self.state.opened}
        self._replace([row for row in self.database.fragments() if row.name not in names], [])

    def _replace(self, old: Sequence[FragmentRow], new: Sequence[FragmentRow]) -> None:
        """Puts new fragments in the place of old ones, in one change; the files of the old ones are then deleted."""
        if not old and not new:
            return
        with self.database.writing():
            self.database.delete_fragments(row.name for row in old)
            for row in new:
                self.database.put_fragment(row)
        remove_unknown_files(self.database)

    def _built(self, numbers: Sequence[int]) -> FragmentRow:
        return built_fragment(self.database, numbers, self.settings)

    def _lacks_vectors(self, opened: OpenFragment, share: float) -> bool:
        """Whether the database has many more vectors for a fragment than its files, and for more than a share of it."""
        with_vectors = {entry.number for entry in self.state.catalogue.records if entry and entry.has_vectors}
        truth = np.array([number in with_vectors for number in opened.row.documents], dtype=np.bool_)
        known = np.zeros(len(truth), dtype=np.bool_) if opened.vectors is None else opened.vectors.known
        missing = int(np.diff(opened.fragment.first_unit)[truth & ~known].sum())
        return missing > max(self.settings.missing_vectors, share * opened.row.units)

    def _to_merge(self) -> list[OpenFragment]:
        """The fragments to be merged next: two of like size, or one with much that is gone."""
        by_size = sorted(self.state.opened, key=lambda opened: opened.row.units)
        for opened in by_size:
            gone = int(np.diff(opened.fragment.first_unit)[~self._kept(opened)].sum())
            if gone > self.settings.gone_share * opened.row.units:
                return [opened]
        for small, large in pairwise(by_size):
            if self.settings.merge_ratio * small.row.units >= large.row.units:
                return [small, large]
        return []

    def _kept(self, opened: OpenFragment) -> Flags:
        """Which documents of a fragment are still there."""
        there = {entry.number for entry in self.state.catalogue.records if entry}
        return np.array([number in there for number in opened.row.documents], dtype=np.bool_)

    def _name(self) -> str:
        return _next_name(self.database)


def built_fragment(database: Database, numbers: Sequence[int], settings: EmbeddedSettings) -> FragmentRow:
    """Writes a fragment of documents; the database does not know of it yet."""
    with database.reading():
        language = database.configuration.read_language()
        found = (database.indexed(number) for number in numbers)
        fragment = Fragment.build((indexed for indexed in found if indexed is not None), language)
        return write_fragment(database, _next_name(database), fragment, numbers, settings)


def _next_name(database: Database) -> str:
    """A name that no fragment had before."""
    return f"{database.generation + 1:010d}"


def _cut(numbers: Sequence[int], counts: dict[int, int], most: int) -> list[list[int]]:
    batches: list[list[int]] = [[]]
    units = 0
    for number in numbers:
        if units > most:
            batches.append([])
            units = 0
        batches[-1].append(number)
        units += counts[number]
    return batches


def _as_written(database: Database, row: FragmentRow) -> bool:
    try:
        return all(checksum(database.folder / FRAGMENTS / name) == written for name, written in row.files.items())
    except OSError:
        return False
