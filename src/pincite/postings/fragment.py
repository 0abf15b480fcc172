"""A fragment: some documents prepared for searching. It is arrays only, can lie on disk, and never changes."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pincite.documents.profile import Profile
from pincite.models.vocabulary import common_words
from pincite.postings.postings import Postings, PostingsBuilder, merged
from pincite.postings.terms import Strings
from pincite.query.definitions import defined_terms
from pincite.text import Document
from pincite.text.english import ENGLISH
from pincite.text.language import Language
from pincite.text.units import Units

HEAD = 3000
"""Words among this many first characters may name a document."""
NAMED = 2
"""The count of a word of a file name, title or party in `names`; a word of the first page adds 1."""
MOST_INITIALS = 6
"""Letters of the longest abbreviation of a name."""
GRAM = 4
"""Letters of the pieces by which run-together file names are looked up."""

SHORTEST = 4
"""Letters of the shortest word whose spelling is kept."""

_WORD = re.compile(r"[^\W_]+")
_SPELT = re.compile(rf"[^\W\d_]{{{SHORTEST},}}")
_JOINED = re.compile(r"\b([A-Z])[\w’'.-]*\s*&\s*([A-Z])")
_SQUASH = re.compile(r"[\W_]+")

Flags = NDArray[np.bool_]


class IndexedDocument(NamedTuple):
    """A document as it is indexed: with what it is called, and its units."""

    document: Document
    profile: Profile
    units: Units


@dataclass(frozen=True, slots=True, eq=False)
class Fragment:
    """Documents, units and frames (what stands above units) are numbered from 0; a document's own are contiguous."""

    first_unit: NDArray[np.int64]
    first_frame: NDArray[np.int64]
    frame_of: NDArray[np.int32]
    units: Postings
    documents_with: NDArray[np.int32]
    """For every term of `units`, in how many documents it occurs."""
    frames: Postings
    defined: Postings
    """Terms that units define, and their last words."""
    names: Postings
    """Words that may name a document: `units` are documents, `counts` say where the word stands."""
    grams: Postings
    spellings: Postings
    """Words of the texts as they are spelt, other than common English words: `units` are documents."""
    squashed: Strings
    """Names of files and their folders without anything but letters and digits."""

    @classmethod
    def build(cls, entries: Iterable[IndexedDocument], language: Language) -> "Fragment":
        """Reads the words of every document once."""
        units, frames, defined, names, grams, spellings = (PostingsBuilder() for _ in range(6))
        first_unit, first_frame, frame_of, squashed = [0], [0], [np.zeros(0, np.int32)], []
        for document, profile, own in entries:
            text = document.text
            frame_of.append(own.context_of + np.int32(len(frames)))
            for start, end in zip(own.starts.tolist(), own.ends.tolist(), strict=True):
                words = document.shown(start, end)
                units.add(language.stems(words))
                defined.add(_names_of_definitions(words, language))
            for context in own.contexts:
                frames.add(language.stems(" ".join([*context.heading_path, _cut(document, context.lead_in)])))
            names.add([*NAMED * called_by(document, profile), *set(name_words(text[:HEAD]))])
            squashed.append(squashed_name(document, profile))
            grams.add(pieces_of(squashed[-1]))
            spellings.add(sorted(spelt_words(text)))
            first_unit.append(len(units))
            first_frame.append(len(frames))
        counted = units.finish()
        edges = np.array(first_unit, dtype=np.int64)
        return cls(
            edges,
            np.array(first_frame, dtype=np.int64),
            np.concatenate(frame_of),
            counted,
            _documents_with(counted, edges),
            frames.finish(),
            defined.finish(),
            names.finish(),
            grams.finish(),
            spellings.finish(),
            Strings.of(squashed),
        )

    def __len__(self) -> int:
        """The number of documents."""
        return len(self.first_unit) - 1

    def arrays(self) -> dict[str, NDArray[np.generic]]:
        """Everything as arrays by name, to be kept on disk."""
        arrays: dict[str, NDArray[np.generic]] = {
            "first_unit": self.first_unit,
            "first_frame": self.first_frame,
            "frame_of": self.frame_of,
            "documents_with": self.documents_with,
            "squashed.letters": self.squashed.letters,
            "squashed.first": self.squashed.first,
        }
        for name in POSTINGS:
            arrays |= {f"{name}.{part}": array for part, array in getattr(self, name).arrays().items()}
        return arrays

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[np.generic]]) -> "Fragment":
        """What `arrays` gave, perhaps memory-mapped. Fragments of earlier versions have no spellings."""
        postings = {
            name: Postings.from_arrays(
                {key.removeprefix(f"{name}."): array for key, array in arrays.items() if key.startswith(f"{name}.")}
            )
            for name in POSTINGS
            if f"{name}.first" in arrays or name != "spellings"
        }
        postings.setdefault("spellings", Postings.build([()] * (len(arrays["first_unit"]) - 1)))
        plain = {name: arrays[name] for name in ("first_unit", "first_frame", "frame_of", "documents_with")}
        squashed = Strings(arrays["squashed.letters"], arrays["squashed.first"])  # type: ignore[arg-type]
        return cls(**plain, **postings, squashed=squashed)  # type: ignore[arg-type]


POSTINGS = ("units", "frames", "defined", "names", "grams", "spellings")


def called_by(document: Document, profile: Profile) -> list[str]:
    """The words that a document is called by: of its file, folder, title and parties, and the initials of these."""
    companies = (*profile.parties, *profile.mentioned)
    called = (*profile.file_words, _folder(document), profile.title, *companies, *profile.short_names)
    short = {letters for name in companies for letters in (initials(name), joined_initials(name))}
    return sorted((set(name_words(" ".join(called))) | short) - {""})


def squashed_name(document: Document, profile: Profile) -> str:
    """The names of a document's file and folder without anything but letters and digits."""
    return _SQUASH.sub("", " ".join([_folder(document), *profile.file_words])).lower()


def _folder(document: Document) -> str:
    return PurePosixPath(document.id).parent.name


def initials(name: str) -> str:
    """The letters that a name of several words is often shortened to; "" where it is not.

    >>> initials("Affiliated Computer Services, Inc."), initials("The Babcock & Wilcox Company"), initials("Acme Ltd")
    ('acs', 'bw', '')
    """
    left_out = {*ENGLISH.question.companies, "the"}
    words = [word for word in _WORD.findall(name) if word[0].isupper() and word.lower() not in left_out]
    short = "".join(word[0].lower() for word in words)
    return short if 2 <= len(short) <= MOST_INITIALS else ""


def joined_initials(name: str) -> str:
    """The first letters of two names that "&" joins, whatever follows; "" where it joins none.

    >>> joined_initials("Waddell & Reed Financial, Inc."), joined_initials("Acme Ltd")
    ('wr', '')
    """
    found = _JOINED.search(name)
    return "".join(found.groups()).lower() if found else ""


def name_words(text: str) -> list[str]:
    """The words of a name, in lower case."""
    return _WORD.findall(text.lower())


def spelt_words(text: str) -> set[str]:
    """The words of a text whose spelling is kept: any but common English words.

    >>> sorted(spelt_words("The Retainage of the contract is 10 %."))
    ['retainage']
    """
    return set(_SPELT.findall(text.lower())) - common_words()


def merged_fragment(fragments: Sequence[tuple[Fragment, Flags]]) -> Fragment:
    """One fragment of several, with those of their documents that are flagged."""
    unit_counts, frame_counts, frames_before = [], [], 0
    frame_of: list[NDArray[np.int32]] = [np.zeros(0, np.int32)]
    squashed: list[str] = []
    for fragment, kept in fragments:
        unit_counts.append(np.diff(fragment.first_unit)[kept])
        frame_counts.append(np.diff(fragment.first_frame)[kept])
        places = _places(fragment.first_frame, kept, frames_before)
        frame_of.append(places[fragment.frame_of[_flags(fragment.first_unit, kept)]].astype(np.int32))
        frames_before += int(frame_counts[-1].sum())
        squashed += [fragment.squashed[int(at)] for at in np.flatnonzero(kept)]
    first_unit = _running(unit_counts)
    units = _merge(fragments, "units", "first_unit")
    return Fragment(
        first_unit,
        _running(frame_counts),
        np.concatenate(frame_of),
        units,
        _documents_with(units, first_unit),
        _merge(fragments, "frames", "first_frame"),
        _merge(fragments, "defined", "first_unit"),
        _merge(fragments, "names", ""),
        _merge(fragments, "grams", ""),
        _merge(fragments, "spellings", ""),
        Strings.of(squashed),
    )


def _merge(fragments: Sequence[tuple[Fragment, Flags]], name: str, edges: str) -> Postings:
    """The postings of that name of all fragments; `edges` says which of them belong to which document."""
    parts, before = [], 0
    for fragment, kept in fragments:
        first = getattr(fragment, edges) if edges else np.arange(len(fragment) + 1)
        place = _places(first, kept, before)
        before += int(np.count_nonzero(place >= 0))
        parts.append((getattr(fragment, name), place))
    return merged(parts, before)


def _flags(first: NDArray[np.int64], kept: Flags) -> Flags:
    return np.repeat(kept, np.diff(first))


def _places(first: NDArray[np.int64], kept: Flags, before: int) -> NDArray[np.int64]:
    """The new number of every unit: -1 where its document is left out."""
    flags = _flags(first, kept)
    return np.where(flags, np.cumsum(flags) - 1 + before, -1)


def _running(counts: Sequence[NDArray[np.int64]]) -> NDArray[np.int64]:
    return np.concatenate((np.zeros(1, np.int64), np.cumsum(np.concatenate([np.zeros(0, np.int64), *counts]))))


def _documents_with(postings: Postings, first_unit: NDArray[np.int64]) -> NDArray[np.int32]:
    """For every term, in how many documents it occurs: its units are in order, so those of a document are together."""
    owners = np.searchsorted(first_unit, postings.units, side="right")
    changes = np.concatenate(([0], np.cumsum(np.concatenate(([True], owners[1:] != owners[:-1])))))[: len(owners) + 1]
    if not len(owners):
        return np.zeros(len(postings.terms), dtype=np.int32)
    starts = postings.first[:-1]
    begins_new = np.zeros(len(starts), dtype=np.int64)
    inner = starts > 0
    begins_new[inner] = owners[starts[inner]] == owners[starts[inner] - 1]
    return (changes[postings.first[1:]] - changes[starts] + begins_new).astype(np.int32)


def _names_of_definitions(text: str, language: Language) -> list[str]:
    """The terms that a text defines, and their last words: "adverse effect" for "material adverse effect"."""
    found = []
    for term in defined_terms(text, language):
        words = term.split()
        found += [" ".join(words[first:]) for first in range(min(3, len(words)))]
    return found


def pieces_of(squashed: str) -> list[str]:
    """The pieces by which a run-together name, or a word in it, is looked up.

    >>> pieces_of("quaylease")
    ['quay', 'uayl', 'ayle', 'ylea', 'leas', 'ease']
    """
    return [squashed[at : at + GRAM] for at in range(len(squashed) - GRAM + 1)]


def _cut(document: Document, edges: tuple[int, int] | None) -> str:
    return document.shown(*edges) if edges else ""
