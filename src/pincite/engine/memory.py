"""The engine in memory: for tests, for small collections, and for documents that nobody wants on disk."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import count
from threading import RLock
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from pincite.engine.catalogue import Catalogue
from pincite.engine.configuration import Configuration
from pincite.engine.contract import (
    EMBEDDER,
    MOST_LOADED,
    PAGE,
    WRITER,
    Capabilities,
    Engine,
    containing,
    every_document,
)
from pincite.engine.fragment_view import FragmentState, FragmentView
from pincite.engine.originals import MemoryOriginals
from pincite.engine.records import (
    CheckReport,
    DocumentRecord,
    File,
    MissingVectors,
    Page,
    PreparedDocument,
    PreparedFile,
    Root,
    StoredRecord,
)
from pincite.engine.unit_vectors import DECIMALS, QuantisedVectors
from pincite.errors import ConflictError, DataError, NotFoundError, UsageError
from pincite.models import Vectors
from pincite.postings.fragment import Flags, Fragment, IndexedDocument
from pincite.postings.fragments import Fragments, UnitLayout
from pincite.text import Filter
from pincite.text.document import DocumentKey
from pincite.text.units import LoadedDocument

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class _Kept:
    """A document with its record and its vectors."""

    record: DocumentRecord
    indexed: IndexedDocument
    vectors: QuantisedVectors | None = None

    @property
    def loaded(self) -> LoadedDocument:
        return LoadedDocument(self.indexed.document, self.indexed.units)


class MemoryEngine(Engine):
    """Everything in this process. A state is prepared for searching when the first question after a change comes."""

    def __init__(self, configuration: Configuration | None = None) -> None:
        self._configuration = configuration or Configuration()
        self._lock = RLock()
        self._leases = {name: RLock() for name in (WRITER, EMBEDDER)}
        self._originals = MemoryOriginals()
        self._generation = 0
        self._numbers = count(1)
        self._kept: dict[str, _Kept] = {}
        self._roots: dict[str, str] = {}
        self._files: dict[tuple[str, str], File] = {}
        self._records: dict[tuple[str, str], StoredRecord] = {}
        self._state: tuple[FragmentState, list[_Kept]] | None = None

    @property
    def originals(self) -> MemoryOriginals:
        return self._originals

    @property
    def capabilities(self) -> Capabilities:
        return Capabilities(persistent=False, shared=False)

    @property
    def location(self) -> str:
        return ":memory:"

    @property
    def configuration(self) -> Configuration:
        return self._configuration

    def configure(self, configuration: Configuration) -> None:
        with self._changing():
            self._configuration = configuration

    @property
    def generation(self) -> int:
        return self._generation

    @contextmanager
    def _changing(self) -> Iterator[None]:
        with self._lock:
            yield
            self._generation += 1

    # Reading

    def documents(
        self, where: Filter | None = None, visible: Filter | None = None, *, cursor: str = "", limit: int = PAGE
    ) -> Page[DocumentRecord]:
        with self._lock:
            records = sorted((kept.record for kept in self._kept.values()), key=lambda record: record.number)
        catalogue = Catalogue(records)
        for filtered in (where, visible):
            if filtered is not None:
                catalogue.check(filtered)
                records = [record for record in records if filtered.fits(record.id, record.described)]
        return paged(records, cursor, limit, lambda record: f"{record.number:020d}")

    def record(self, document_id: str) -> DocumentRecord | None:
        kept = self._kept.get(document_id)
        return kept.record if kept else None

    def records_of(self, root: str, path: str) -> Sequence[DocumentRecord]:
        with self._lock:
            return [kept.record for kept in self._kept.values() if (kept.record.root, kept.record.path) == (root, path)]

    def matching_names(self, part: str, limit: int, visible: Filter | None = None) -> Page[DocumentRecord]:
        found = containing(every_document(self, None, visible), part)
        return Page(found[:limit], "more" if len(found) > limit else "")

    def load(self, document_ids: Sequence[str]) -> Sequence[LoadedDocument]:
        if len(document_ids) > MOST_LOADED:
            raise UsageError(f"at most {MOST_LOADED} documents can be loaded at once, not {len(document_ids)}")
        with self._lock:
            missing = [name for name in document_ids if name not in self._kept]
            if missing:
                raise NotFoundError(f"no document {missing[0]!r} in the index")
            return [self._kept[name].loaded for name in document_ids]

    def roots(self, *, cursor: str = "", limit: int = PAGE) -> Page[Root]:
        with self._lock:
            roots = [Root(name, path) for name, path in sorted(self._roots.items())]
        return paged(roots, cursor, limit, lambda root: root.name)

    def files(self, root: str | None = None, *, cursor: str = "", limit: int = PAGE) -> Page[File]:
        with self._lock:
            files = [file for _, file in sorted(self._files.items()) if root is None or file.root == root]
        return paged(files, cursor, limit, lambda file: f"{file.root}\0{file.path}")

    def file(self, root: str, path: str) -> File | None:
        return self._files.get((root, path))

    @contextmanager
    def view(self, visible: Filter | None = None) -> Iterator[FragmentView]:
        yield self.snapshot(visible)

    def snapshot(self, visible: Filter | None = None) -> FragmentView:
        """The present state, for as long as it is wanted: in memory it needs no transaction."""
        with self._lock:
            if self._state is None or self._state[0].generation != self._generation:
                self._state = self._prepared()
            state, kept = self._state
        return FragmentView(state.restricted(visible), lambda places: [kept[place].loaded for place in places])

    def _prepared(self) -> tuple[FragmentState, list[_Kept]]:
        kept = list(self._kept.values())
        language = self._configuration.read_language()
        fragment = Fragment.build((entry.indexed for entry in kept), language)
        fragments = Fragments([fragment], [entry.record.key for entry in kept], language)
        vectors = MemoryVectors([entry.vectors for entry in kept], fragments)
        catalogue = Catalogue([entry.record for entry in kept])
        return FragmentState(self._generation, self._configuration, fragments, catalogue, vectors), kept

    # Changing

    @contextmanager
    def lease(self, name: str = WRITER, wait: float | None = None) -> Iterator[None]:
        with self._leases[name]:
            yield

    def put(self, files: Sequence[PreparedFile], root: Root) -> None:
        with self._lock:
            if self._roots.get(root.name, root.path) != root.path:
                raise same_name(root, self._roots[root.name])
            kept = dict(self._kept)
            for prepared in files:
                file = prepared.file
                before = {entry.record.id: entry.record for entry in kept.values() if _came_from(entry, file)}
                vectors = {_embedded(entry): entry.vectors for entry in kept.values() if entry.vectors is not None}
                kept = {name: entry for name, entry in kept.items() if name not in before}
                for document in prepared.documents:
                    record = self._record(document, file)
                    if record.id in kept:
                        raise same_id(record.id)
                    if record.id in before:
                        record = replace(record, added=before[record.id].added)
                    fresh = _Kept(record, document.indexed)
                    made = vectors.get(_embedded(fresh))
                    kept[record.id] = replace(fresh, record=replace(record, has_vectors=made is not None), vectors=made)
            with self._changing():
                self._kept = kept
                self._roots[root.name] = root.path
                self._files |= {(file.file.root, file.file.path): file.file for file in files}

    def _record(self, prepared: PreparedDocument, file: File) -> DocumentRecord:
        document, profile, units = prepared.indexed
        return DocumentRecord(
            number=next(self._numbers),
            id=document.id,
            root=file.root,
            path=file.path,
            title=document.title,
            metadata=dict(prepared.metadata),
            found=dict(prepared.found),
            profile=profile,
            sha256=document.sha256,
            added=datetime.now(UTC).isoformat(timespec="seconds"),
            pages=len(document.source.page_starts),
            characters=len(document.text),
            unit_count=len(units),
            has_vectors=False,
            read_title=prepared.read_title,
            structure=prepared.structure,
        )

    def note_files(self, files: Sequence[File]) -> None:
        with self._changing():
            self._files |= {(file.root, file.path): file for file in files}

    def move_root(self, root: Root) -> None:
        with self._changing():
            self._roots[root.name] = root.path

    def remove(self, document_ids: Iterable[str], *, purge: bool = False) -> int:
        with self._changing():
            gone = [entry for name in set(document_ids) if (entry := self._kept.pop(name, None))]
            for root, path in {(entry.record.root, entry.record.path) for entry in gone}:
                if self.records_of(root, path):
                    self._files[root, path] = self._files[root, path]._replace(size=-1, sha256="")
                else:
                    self._forget([(root, path)])
            return len(gone)

    def forget_files(self, files: Iterable[tuple[str, str]]) -> int:
        with self._changing():
            gone = set(files)
            names = [name for name, kept in self._kept.items() if (kept.record.root, kept.record.path) in gone]
            for name in names:
                del self._kept[name]
            self._forget(gone)
            return len(names)

    def _forget(self, files: Iterable[tuple[str, str]]) -> None:
        for file in files:
            self._files.pop(file, None)
        used = {root for root, _ in self._files}
        self._roots = {name: path for name, path in self._roots.items() if name in used}

    # Vectors

    def without_vectors(self, *, limit: int = PAGE) -> Sequence[MissingVectors]:
        with self._lock:
            missing = [kept.record for kept in self._kept.values() if kept.vectors is None]
        return [MissingVectors(record.id, record.unit_count) for record in missing[:limit]]

    def missing_units(self) -> int:
        with self._lock:
            return sum(kept.record.unit_count for kept in self._kept.values() if kept.vectors is None)

    def put_vectors(self, vectors: Mapping[DocumentKey, QuantisedVectors]) -> int:
        stored = 0
        with self._changing():
            for key, made in vectors.items():
                kept = self._kept.get(key.id)
                if kept is not None and kept.record.sha256 == key.sha256:
                    self._kept[key.id] = _Kept(replace(kept.record, has_vectors=True), kept.indexed, made)
                    stored += 1
        return stored

    def forget_vectors(self) -> None:
        with self._changing():
            self._kept = {
                name: _Kept(replace(kept.record, has_vectors=False), kept.indexed) for name, kept in self._kept.items()
            }
            self._configuration = replace(self._configuration, encoder="", encoder_sha256="", dimensions=0)

    # Small records

    def stored_record(self, kind: str, key: str) -> StoredRecord | None:
        return self._records.get((kind, key))

    def stored_records(self, kind: str, *, cursor: str = "", limit: int = PAGE) -> Page[StoredRecord]:
        with self._lock:
            records = [record for (own, _), record in sorted(self._records.items()) if own == kind]
        return paged(records, cursor, limit, lambda record: record.key)

    def put_record(self, kind: str, key: str, value: str, *, version: int | None = None) -> StoredRecord:
        with self._lock:
            before = self._records.get((kind, key))
            now = before.version if before else 0
            if version is not None and version != now:
                raise ConflictError(f"{kind} {key!r} has version {now}, not {version}; look at it again")
            record = StoredRecord(key, value, now + 1)
            self._records[kind, key] = record
            return record

    def delete_record(self, kind: str, key: str) -> bool:
        with self._lock:
            return self._records.pop((kind, key), None) is not None

    # Upkeep

    def tidy(self, *, more_to_come: bool = False) -> None:
        """Nothing to do: a state is prepared whole."""

    def check(self, *, repair: bool = False, questions: int = 200) -> CheckReport:
        with self._lock:
            kept = list(self._kept.values())
        faults = [
            f"{entry.record.id}: its text is not what was stored"
            for entry in kept
            if entry.indexed.document.sha256 != entry.record.sha256
        ]
        figures = {
            "documents": str(len(kept)),
            "units": str(sum(entry.record.unit_count for entry in kept)),
            "documents with vectors": str(sum(entry.vectors is not None for entry in kept)),
            "encoder": self._configuration.encoder or "none yet",
            "vector search": "exact",
        }
        return CheckReport(figures, tuple(faults))

    def close(self) -> None:
        """Keeps what it holds: a memory engine ends with its process."""


class MemoryVectors:
    """The vectors of all documents in one table; a document without vectors has zeros there."""

    def __init__(self, vectors: Sequence[QuantisedVectors | None], fragments: Fragments) -> None:
        self.fragments = fragments
        self.with_vectors: Flags = np.array([made is not None for made in vectors], dtype=np.bool_)
        first = self.fragments.fragments[0].first_unit
        dimensions = next((made.codes.shape[1] for made in vectors if made is not None), 0)
        codes = np.zeros((int(first[-1]), dimensions), dtype=np.int8)
        scales = np.zeros(int(first[-1]), dtype=np.float32)
        for at, made in enumerate(vectors):
            if made is not None:
                codes[first[at] : first[at + 1]], scales[first[at] : first[at + 1]] = made
        self.table = QuantisedVectors(codes, scales)

    def cosines(self, layout: UnitLayout, questions: Vectors) -> tuple[NDArray[np.float64], Flags]:
        first = self.fragments.fragments[0].first_unit
        found = np.zeros((len(layout), len(questions)))
        embedded = self.with_vectors[layout.documents][layout.owners]
        for at, document in enumerate(layout.documents.tolist()):
            if self.with_vectors[document]:
                rows = slice(int(first[document]), int(first[document + 1]))
                own = QuantisedVectors(self.table.codes[rows], self.table.scales[rows])
                begin = int(layout.firsts[at])
                found[begin : begin + int(layout.sizes[at])] = own.cosines(questions)
        return np.round(found, DECIMALS), embedded

    def nearest(self, question: Vectors, units: int, admitted: Flags, *, exact: bool = True) -> list[tuple[int, float]]:
        first = self.fragments.fragments[0].first_unit
        cosines = np.append(np.round(self.table.cosines(question[None, :])[:, 0], DECIMALS), -1.0)
        filled = np.flatnonzero(admitted & self.with_vectors & (np.diff(first) > 0))
        best = np.maximum.reduceat(cosines, np.minimum(first[:-1], len(cosines) - 1)) if len(first) > 1 else cosines
        keys = self.fragments.keys
        ranked = sorted(filled.tolist(), key=lambda place: (-best[place], keys[place]))
        return [(place, float(best[place])) for place in ranked[:units]]


def paged(entries: Sequence[T], cursor: str, limit: int, position: Callable[[T], str]) -> Page[T]:
    """The entries behind a cursor, which is the position of the last entry before them."""
    rest = [entry for entry in entries if not cursor or position(entry) > cursor]
    page = rest[:limit]
    return Page(page, position(page[-1]) if len(rest) > limit else "")


def same_id(document_id: str) -> DataError:
    return DataError(
        f"two documents would have the id {document_id!r}; rename one, or add its folder under another --name"
    )


def same_name(root: Root, known: str) -> UsageError:
    return UsageError(
        f"two places would have the name {root.name!r}: {known} and {root.path}; give the second another with --name"
    )


def _embedded(kept: _Kept) -> tuple[object, ...]:
    """The same for documents whose units are the same to an encoder."""
    units = kept.indexed.units
    arrays = (units.starts.tobytes(), units.ends.tobytes(), units.context_of.tobytes())
    return (kept.record.sha256, kept.record.structure, *arrays, tuple(units.contexts))


def _came_from(kept: _Kept, file: File) -> bool:
    return (kept.record.root, kept.record.path) == (file.root, file.path)
