"""The engine on OpenSearch: the cluster holds the truth and finds candidates; ranking stays where it is."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any

from pincite.engine.configuration import PIPELINE, Configuration
from pincite.engine.contract import MOST_LOADED, PAGE, WRITER, Capabilities, Engine
from pincite.engine.memory import same_id, same_name
from pincite.engine.records import (
    CheckReport,
    DocumentRecord,
    File,
    MissingVectors,
    Page,
    PreparedFile,
    Root,
    StoredRecord,
    storable,
)
from pincite.engine.unit_vectors import QuantisedVectors
from pincite.errors import ConflictError, DataError, NotFoundError, UsageError
from pincite.index.opensearch.backup import dump, load
from pincite.index.opensearch.blobs import Blobs, entry, part_rows
from pincite.index.opensearch.changes import Change, CollectionState, Leases, StateStore
from pincite.index.opensearch.cluster import Cluster
from pincite.index.opensearch.location import ClusterLocation
from pincite.index.opensearch.mappings import (
    BLOBS,
    DOCUMENTS,
    FILES,
    INDICES,
    META,
    ORIGINALS,
    RECORDS,
    ROOTS,
    SPELT,
    UNITS,
    index_body,
    index_name,
    vectors_body,
    vectors_name,
)
from pincite.index.opensearch.names import has_field
from pincite.index.opensearch.originals import ClusterOriginals
from pincite.index.opensearch.rows import (
    ALIVE,
    SOUGHT_ALONE,
    DocumentRows,
    filtered_fields,
    has_vectors,
    manifest_of,
    pack_vectors,
    record_of,
    unpack_vectors,
    vector_rows,
    vectors_part,
)
from pincite.index.opensearch.upkeep import check_collection, sweep
from pincite.index.opensearch.view import ClusterView, loaded_documents
from pincite.text import Filter
from pincite.text.document import DocumentKey
from pincite.text.units import LoadedDocument

Json = dict[str, Any]

IN_A_CHANGE = 1 << 20
"""Documents that one change can number."""
MOST_REMEMBERED = 100_000
"""Counts of one state that a process keeps at hand."""
DIES = "ctx._source.died = params.change"
EMBEDDED = (
    "ctx._source.vectors_born = params.change; ctx._source.vectors_died = params.alive;"
    " ctx._source.kept.parts[params.part] = params.entries[ctx._source.number.toString()]"
)
AT_ONCE = 500
"""Documents named in one query."""


class OpenSearchEngine(Engine):
    """Any number of processes on any number of machines may open it. One at a time writes."""

    def __init__(self, address: str, *, write: bool = False, wait: float = 10.0) -> None:
        self.address = ClusterLocation.of(address)
        self.write = write
        self.wait = wait
        self.cluster = Cluster(self.address)
        self.states = StateStore(self.cluster, self.index(META))
        self.leases = Leases(self.cluster, self.index(META))
        self.blobs = Blobs(self.cluster, self.index(BLOBS))
        self._originals = ClusterOriginals(self.cluster, self.index(ORIGINALS))
        self.remembered: dict[object, Any] = {}
        """What was counted in the present state; it is forgotten with the next."""
        self._generation = -1
        self._has_spellings = False
        try:
            state = self.states.read()
        except NotFoundError:
            raise DataError(f"{self.address}: no such index; 'pincite index create {self.address}' makes one") from None
        if Configuration.from_json(state.configuration).pipeline > PIPELINE:
            raise DataError(f"{self.address}: the index was made by a newer Pincite; install a newer one")

    @classmethod
    def create(cls, address: str, language: str = "english") -> None:
        """Makes an empty collection on a cluster."""
        location = ClusterLocation.of(address)
        configuration = Configuration(language=language, written_by=f"pincite {version('pincite')}")
        configuration.read_language()
        cluster = Cluster(location)
        try:
            _check_neighbours(cluster)
            for which in INDICES:
                _create_index(cluster, index_name(location.name, which), index_body(location, which))
            StateStore(cluster, index_name(location.name, META)).create(configuration)
        finally:
            cluster.close()

    def dump(self, folder: Path, progress: Callable[[int, int], None] | None = None) -> None:
        """Writes the collection into a folder, as it is now."""
        with self.lease():
            dump(self, folder, progress)

    @classmethod
    def restore(cls, folder: Path, address: str) -> None:
        """Makes a new collection of what `dump` wrote. It can be opened when all of it is there."""
        location = ClusterLocation.of(address)
        if cls.exists(address):
            raise DataError(f"{location}: there is an index already; name a new one")
        cluster = Cluster(location)
        try:
            _check_neighbours(cluster)
            for which in INDICES:
                _create_index(cluster, index_name(location.name, which), index_body(location, which))

            def prepare(dimensions: int) -> None:
                alias = index_name(location.name, vectors_name(dimensions))
                _create_index(cluster, alias, vectors_body(location, dimensions))

            load(lambda which: index_name(location.name, which), cluster, folder, prepare)
        finally:
            cluster.close()

    @classmethod
    def drop(cls, address: str) -> None:
        """Deletes a collection with everything in it."""
        location = ClusterLocation.of(address)
        cluster = Cluster(location)
        cluster.request("DELETE", f"/{index_name(location.name, '*')}")
        cluster.close()

    @staticmethod
    def exists(address: str) -> bool:
        location = ClusterLocation.of(address)
        cluster = Cluster(location)
        try:
            StateStore(cluster, index_name(location.name, META)).read()
        except NotFoundError:
            return False
        finally:
            cluster.close()
        return True

    def index(self, which: str) -> str:
        return index_name(self.address.name, which)

    def close(self) -> None:
        self.blobs.forget()
        self.cluster.close()

    @property
    def originals(self) -> ClusterOriginals:
        return self._originals

    @property
    def capabilities(self) -> Capabilities:
        return Capabilities(exact_scores=False, purge=False)

    @property
    def location(self) -> str:
        return str(self.address)

    # Reading

    @property
    def configuration(self) -> Configuration:
        return Configuration.from_json(self.states.read().configuration)

    @property
    def generation(self) -> int:
        return self.states.read().generation

    @contextmanager
    def view(self, visible: Filter | None = None) -> Iterator[ClusterView]:
        yield self.present(visible)

    def present(self, visible: Filter | None = None) -> ClusterView:
        """The latest state: its rows stay long enough for any search."""
        state = self.states.read()
        if state.generation != self._generation or len(self.remembered) > MOST_REMEMBERED:
            self.remembered = {}
            self._generation = state.generation
        return ClusterView(self.cluster, self.address.name, state, self.blobs, visible, self.remembered)

    def documents(
        self, where: Filter | None = None, visible: Filter | None = None, *, cursor: str = "", limit: int = PAGE
    ) -> Page[DocumentRecord]:
        view = self.present(visible)
        rows = view.document_rows(where, limit + 1, after=int(cursor) if cursor else -1)
        records = [record_of(row, view.generation) for row in rows]
        return Page(records[:limit], str(records[limit - 1].number) if len(records) > limit else "")

    def record(self, document_id: str) -> DocumentRecord | None:
        state = self.states.read()
        rows = self._documents(state, [{"term": {"id": document_id}}])
        return record_of(rows[0], state.generation) if rows else None

    def records_of(self, root: str, path: str) -> Sequence[DocumentRecord]:
        state = self.states.read()
        rows = self._documents(state, _of_file(root, path))
        return [record_of(row, state.generation) for row in rows]

    def matching_names(self, part: str, limit: int, visible: Filter | None = None) -> Page[DocumentRecord]:
        view = self.present(visible)
        escaped = part.casefold().replace("\\", "\\\\").replace("*", "\\*").replace("?", "\\?")
        rows = view.document_rows(None, limit + 1, [{"wildcard": {"shown": {"value": f"*{escaped}*"}}}])
        records = [record_of(row, view.generation) for row in rows]
        return Page(records[:limit], "more" if len(records) > limit else "")

    def load(self, document_ids: Sequence[str]) -> Sequence[LoadedDocument]:
        if len(document_ids) > MOST_LOADED:
            raise UsageError(f"at most {MOST_LOADED} documents can be loaded at once, not {len(document_ids)}")
        rows = {row["id"]: row for row in self._documents(self.states.read(), [{"terms": {"id": list(document_ids)}}])}
        missing = [name for name in document_ids if name not in rows]
        if missing:
            raise NotFoundError(f"no document {missing[0]!r} in the index")
        return loaded_documents(self.blobs, [rows[name] for name in document_ids])

    def roots(self, *, cursor: str = "", limit: int = PAGE) -> Page[Root]:
        more = [{"range": {"name": {"gt": cursor}}}] if cursor else []
        rows = self._rows(self.states.read(), ROOTS, more, limit + 1, "name")
        found = [Root(row["name"], row["path"]) for row in rows]
        return Page(found[:limit], found[limit - 1].name if len(found) > limit else "")

    def files(self, root: str | None = None, *, cursor: str = "", limit: int = PAGE) -> Page[File]:
        more: list[Json] = [{"term": {"root": root}}] if root is not None else []
        if cursor:
            more.append({"range": {"place": {"gt": cursor}}})
        rows = self._rows(self.states.read(), FILES, more, limit + 1, "place")
        found = list(map(_file, rows))
        page = found[:limit]
        return Page(page, _place(page[-1].root, page[-1].path) if len(found) > limit else "")

    def file(self, root: str, path: str) -> File | None:
        rows = self._rows(self.states.read(), FILES, _of_file(root, path), 1, "place")
        return _file(rows[0]) if rows else None

    def _rows(self, state: CollectionState, which: str, clauses: Sequence[Json], limit: int, order: str) -> list[Json]:
        """Rows of a state in the order of a field."""
        query = {"bool": {"filter": [state.alive(), *clauses]}}
        found: list[Json] = []
        more: Json = {"_source": {"excludes": SOUGHT_ALONE}} if which == DOCUMENTS else {}
        while len(found) < limit:
            size = min(limit - len(found), 5000)
            rows = self.cluster.hits(self.index(which), query, size, [{order: "asc"}], **more)
            found += [row["_source"] for row in rows]
            if len(rows) < size:
                break
            more["search_after"] = rows[-1]["sort"]
        return found

    def _documents(self, state: CollectionState, clauses: Sequence[Json]) -> list[Json]:
        return self._rows(state, DOCUMENTS, clauses, 1 << 40, "number")

    def _documents_with(self, state: CollectionState, field: str, values: Sequence[Any], *more: Json) -> list[Json]:
        """The rows of documents with one of these values, however many those are."""
        some = (values[first : first + AT_ONCE] for first in range(0, len(values), AT_ONCE))
        return [row for part in some for row in self._documents(state, [{"terms": {field: part}}, *more])]

    # Changing

    @contextmanager
    def lease(self, name: str = WRITER, wait: float | None = None) -> Iterator[None]:
        with self.leases.lease(name, self.wait if wait is None else wait):
            yield

    @contextmanager
    def _changing(self) -> Iterator[Change]:
        if not self.write:
            raise UsageError(f"{self.address}: the index was opened for reading; open it for writing to change it")
        with self.lease(), self.states.change() as change:
            yield change

    def configure(self, configuration: Configuration) -> None:
        with self._changing() as change:
            change.configuration = configuration.to_json()

    def put(self, files: Sequence[PreparedFile], root: Root) -> None:
        with self._changing() as change:
            state = change.state
            known = self._rows(state, ROOTS, [{"term": {"name": root.name}}], 1, "name")
            if known and known[0]["path"] != root.path:
                raise same_name(root, known[0]["path"])
            paths = [prepared.file.path for prepared in files]
            before = self._documents_with(state, "path", paths, {"term": {"root": root.name}})
            self._check_ids(state, files, before)
            added = {row["id"]: row["kept"]["added"] for row in before}
            language = Configuration.from_json(state.configuration).read_language()
            made = list(self._made(change, files, added, language))
            if not known:
                self._put_rows(change, ROOTS, [(_digest(root.name), {"name": root.name, "path": root.path})])
            self._write_documents(change, made)
            self._replace_files(change, [prepared.file for prepared in files])
            self._end_documents(change, before)

    def _made(
        self, change: Change, files: Sequence[PreparedFile], added: Mapping[str, str], language: Any
    ) -> Iterator[DocumentRows]:
        now = datetime.now(UTC).isoformat(timespec="seconds")
        place = change.number * IN_A_CHANGE
        for prepared in files:
            for document in prepared.documents:
                document_id = document.indexed.document.id
                yield DocumentRows(document, prepared.file, place, added.get(document_id, now), language)
                place += 1

    def _check_ids(self, state: CollectionState, files: Sequence[PreparedFile], before: Sequence[Json]) -> None:
        names = [document.indexed.document.id for prepared in files for document in prepared.documents]
        if len(set(names)) < len(names):
            raise same_id(next(name for name in names if names.count(name) > 1))
        replaced = {row["number"] for row in before}
        for row in self._documents_with(state, "id", names):
            if row["number"] not in replaced:
                raise same_id(row["id"])

    def _write_documents(self, change: Change, made: Sequence[DocumentRows]) -> None:
        """Writes new documents with their units and parts, and the vectors that documents like them have."""
        if not self._has_spellings:  # of an earlier version
            if not has_field(self.cluster, self.index(DOCUMENTS), "spelt"):
                self.cluster.request("PUT", f"/{self.index(DOCUMENTS)}/_mapping", {"properties": {"spelt": SPELT}})
            self._has_spellings = True
        alike = self._alike(change.state, {one.likeness for one in made})
        known = {}
        for one in made:
            if row := alike.get(one.likeness):
                data = self.blobs.part(row["number"], vectors_part(row), manifest_of(row), row["id"])
                known[one.number] = one.row, unpack_vectors(data)
        self._put_vectors(change, list(known.values()))
        self.cluster.bulk(
            row
            for one in made
            for rows in (
                *(part_rows(self.index(BLOBS), one.number, part, data) for part, data in one.parts.items()),
                self._new_rows(change, UNITS, one.unit_rows()),
                self._new_rows(change, DOCUMENTS, [(str(one.number), one.row)]),
            )
            for row in rows
        )

    def _alike(self, state: CollectionState, likenesses: Iterable[str]) -> dict[str, Json]:
        """Documents with vectors whose units are the same to an encoder."""
        if not state.dimensions:
            return {}
        clauses = [{"terms": {"likeness": sorted(likenesses)}}, *state.with_vectors()]
        return {row["likeness"]: row for row in self._documents(state, clauses)}

    def _put_rows(self, change: Change, which: str, rows: Iterable[tuple[str, Json]]) -> None:
        """Writes rows that begin to live with the change."""
        self.cluster.bulk(self._new_rows(change, which, rows))

    def _new_rows(self, change: Change, which: str, rows: Iterable[tuple[str, Json]]) -> Iterator[tuple[Json, Json]]:
        """The writes of rows that begin to live with the change."""
        index, unique = self.index(which), which in (ROOTS, FILES)
        change.touched.add(index)
        for name, row in rows:
            action = {"index": {"_index": index, "_id": f"{change.number}-{name}" if unique else name}}
            yield action, {**row, **change.life()}

    def _end_rows(self, change: Change, which: str, clauses: Sequence[Json]) -> None:
        """Rows die with the change."""
        query = {"bool": {"filter": [change.state.alive(), *clauses]}}
        change.touched.add(self.index(which))
        self.cluster.change_rows(self.index(which), query, DIES, {"change": change.number})

    def _end_documents(self, change: Change, rows: Sequence[Json]) -> None:
        numbers = [row["number"] for row in rows]
        for first in range(0, len(numbers), AT_ONCE):
            some = numbers[first : first + AT_ONCE]
            self._end_rows(change, DOCUMENTS, [{"terms": {"number": some}}])
            self._end_rows(change, UNITS, [{"terms": {"document": some}}])
            if change.state.dimensions:
                which = vectors_name(change.state.dimensions)
                self._end_rows(change, which, [{"terms": {"document": some}}])

    def _replace_files(self, change: Change, files: Sequence[File]) -> None:
        self._end_files(change, [(file.root, file.path) for file in files])
        self._put_rows(change, FILES, ((_digest(_place(file.root, file.path)), _file_row(file)) for file in files))

    def _end_files(self, change: Change, files: Sequence[tuple[str, str]]) -> None:
        places = [_place(*file) for file in files]
        for first in range(0, len(places), AT_ONCE):
            self._end_rows(change, FILES, [{"terms": {"place": places[first : first + AT_ONCE]}}])

    def note_files(self, files: Sequence[File]) -> None:
        if files:
            with self._changing() as change:
                self._replace_files(change, files)

    def move_root(self, root: Root) -> None:
        with self._changing() as change:
            self._end_rows(change, ROOTS, [{"term": {"name": root.name}}])
            self._put_rows(change, ROOTS, [(_digest(root.name), {"name": root.name, "path": root.path})])

    def remove(self, document_ids: Iterable[str], *, purge: bool = False) -> int:
        if purge:
            raise UsageError(f"{self.address}: this engine cannot purge; remove the documents without it")
        names = sorted(set(document_ids))
        with self._changing() as change:
            rows = self._documents_with(change.state, "id", names)
            self._end_documents(change, rows)
            gone = {row["number"] for row in rows}
            empty = []
            for place in {(row["root"], row["path"]) for row in rows}:
                others = [row for row in self._documents(change.state, _of_file(*place)) if row["number"] not in gone]
                file = self._rows(change.state, FILES, _of_file(*place), 1, "place")
                if others and file:  # a sync reads it again
                    self._replace_files(change, [_file(file[0])._replace(size=-1, sha256="")])
                else:
                    empty.append(place)
            self._forget(change, empty)
        return len(rows)

    def forget_files(self, files: Iterable[tuple[str, str]]) -> int:
        places = list(files)
        with self._changing() as change:
            rows = [row for place in places for row in self._documents(change.state, _of_file(*place))]
            self._end_documents(change, rows)
            self._forget(change, places)
        return len(rows)

    def _forget(self, change: Change, places: Sequence[tuple[str, str]]) -> None:
        """Files end, and with them roots that have no others."""
        self._end_files(change, places)
        for root in {root for root, _ in places}:
            gone = [_place(*place) for place in places if place[0] == root]
            others = {"bool": {"must_not": [{"terms": {"place": gone}}]}}
            if not self._rows(change.state, FILES, [{"term": {"root": root}}, others], 1, "place"):
                self._end_rows(change, ROOTS, [{"term": {"name": root}}])

    # Vectors

    def without_vectors(self, *, limit: int = PAGE) -> Sequence[MissingVectors]:
        state = self.states.read()
        rows = self._rows(state, DOCUMENTS, [_without_vectors(state)], limit, "number")
        return [MissingVectors(row["id"], row["unit_count"]) for row in rows]

    def missing_units(self) -> int:
        state = self.states.read()
        query = {"bool": {"filter": [state.alive(), _without_vectors(state)]}}
        body = {"query": query, "size": 0, "aggs": {"units": {"sum": {"field": "unit_count"}}}}
        return int(self.cluster.search(self.index(DOCUMENTS), body)["aggregations"]["units"]["value"])

    def put_vectors(self, vectors: Mapping[DocumentKey, QuantisedVectors]) -> int:
        with self._changing() as change:
            names = [key.id for key in vectors]
            rows = {row["id"]: row for row in self._documents(change.state, [{"terms": {"id": names}}])}
            made = [(row, vectors[key]) for key in vectors if (row := rows.get(key.id)) and row["sha256"] == key.sha256]
            replaced = [row["number"] for row, _ in made if has_vectors(row, change.state.generation)]
            if replaced:
                self._end_rows(change, vectors_name(change.state.dimensions), [{"terms": {"document": replaced}}])
            self._put_vectors(change, made)
            noted = {str(row["number"]): row["kept"]["parts"][vectors_part(row)] for row, _ in made}
            if noted:
                query = {"bool": {"filter": [change.state.alive(), {"terms": {"number": list(map(int, noted))}}]}}
                parameters = {"change": change.number, "part": f"vectors_{change.number}", "entries": noted}
                change.touched.add(self.index(DOCUMENTS))
                self.cluster.change_rows(self.index(DOCUMENTS), query, EMBEDDED, {**parameters, "alive": ALIVE})
        return len(noted)

    def _put_vectors(self, change: Change, documents: Sequence[tuple[Json, QuantisedVectors]]) -> None:
        """Writes the vectors of documents, and notes them in their rows."""
        sizes = {vectors.codes.shape[1] for _, vectors in documents if len(vectors.codes)}
        for dimensions in sizes - {change.dimensions}:
            which = vectors_name(dimensions)
            _create_index(self.cluster, self.index(which), vectors_body(self._shape(), dimensions))
            change.dimensions = dimensions
        self.cluster.bulk(write for row, vectors in documents for write in self._vector_writes(change, row, vectors))

    def _shape(self) -> ClusterLocation:
        """The address with the shards and replicas that the collection has: whoever opens it need not name them."""
        found = self.cluster.request("GET", f"/{self.index(UNITS)}/_settings", flat_settings="true")
        settings = next(iter(found.values()))["settings"]
        shards, replicas = (int(settings[f"index.number_of_{what}"]) for what in ("shards", "replicas"))
        return replace(self.address, shards=shards, replicas=replicas)

    def _vector_writes(self, change: Change, row: Json, vectors: QuantisedVectors) -> Iterator[tuple[Json, Json]]:
        data = pack_vectors(vectors)
        row |= {"vectors_born": change.number, "vectors_died": ALIVE}
        row["kept"]["parts"][vectors_part(row)] = entry(data)
        yield from part_rows(self.index(BLOBS), row["number"], vectors_part(row), data)
        if len(vectors.codes):
            rows = vector_rows(row["number"], change.number, filtered_fields(row), vectors)
            yield from self._new_rows(change, vectors_name(vectors.codes.shape[1]), rows)

    def forget_vectors(self) -> None:
        with self._changing() as change:
            state = change.state
            query = {"bool": {"filter": [state.alive(), *state.with_vectors()]}}
            ends = "ctx._source.vectors_died = params.change"
            self.cluster.change_rows(self.index(DOCUMENTS), query, ends, {"change": change.number})
            if state.dimensions:
                self._end_rows(change, vectors_name(state.dimensions), [])
            before = Configuration.from_json(state.configuration)
            change.configuration = replace(before, encoder="", encoder_sha256="", dimensions=0).to_json()
            change.dimensions = 0
            change.touched.add(self.index(DOCUMENTS))

    # Small records

    def stored_record(self, kind: str, key: str) -> StoredRecord | None:
        row = self.cluster.get(self.index(RECORDS), _digest(f"{kind}\0{key}"))
        return _stored(row["_source"]) if row else None

    def stored_records(self, kind: str, *, cursor: str = "", limit: int = PAGE) -> Page[StoredRecord]:
        clauses: list[Json] = [{"term": {"kind": kind}}]
        if cursor:
            clauses.append({"range": {"key": {"gt": cursor}}})
        query = {"bool": {"filter": clauses}}
        self.cluster.refresh([self.index(RECORDS)])
        rows = self.cluster.hits(self.index(RECORDS), query, min(limit + 1, 10_000), [{"key": "asc"}])
        found = [_stored(row["_source"]) for row in rows]
        return Page(found[:limit], found[limit - 1].key if len(found) > limit else "")

    def put_record(self, kind: str, key: str, value: str, *, version: int | None = None) -> StoredRecord:
        name = _digest(f"{kind}\0{key}")
        while True:
            row = self.cluster.get(self.index(RECORDS), name)
            now = row["_source"]["version"] if row else 0
            if version is not None and version != now:
                raise ConflictError(f"{kind} {key!r} has version {now}, not {version}; look at it again")
            record = StoredRecord(key, value, now + 1)
            source = {"kind": kind, "key": key, "version": record.version, "kept": {"value": value}}
            seen = {"if_seq_no": row["_seq_no"], "if_primary_term": row["_primary_term"]} if row else {}
            try:
                self.cluster.put(self.index(RECORDS), name, source, create=row is None, **seen)
            except ConflictError:
                continue
            return record

    def delete_record(self, kind: str, key: str) -> bool:
        try:
            self.cluster.delete(self.index(RECORDS), _digest(f"{kind}\0{key}"))
        except NotFoundError:
            return False
        return True

    # Upkeep

    def tidy(self, *, more_to_come: bool = False) -> None:
        if self.write and not more_to_come:
            sweep(self)

    def check(self, *, repair: bool = False, questions: int = 200) -> CheckReport:
        return check_collection(self, repair=repair)


def _create_index(cluster: Cluster, alias: str, body: Json) -> None:
    """Makes an index under its alias; one that is there already is left as it is."""
    try:
        cluster.request("PUT", f"/{alias}-1", body)
    except DataError as error:
        if "resource_already_exists" not in str(error):
            raise


def _check_neighbours(cluster: Cluster) -> None:
    """An error where the cluster cannot search vectors."""
    plugins = str(cluster.request("GET", "/_cat/plugins", format="json", attempts=2)).lower()
    if "knn" not in plugins:
        raise DataError(
            f"{cluster.location}: the cluster lacks the plug-in k-NN (opensearch-knn); install it on every node"
        )


def _of_file(root: str, path: str) -> list[Json]:
    return [{"term": {"root": root}}, {"term": {"path": path}}]


def _without_vectors(state: CollectionState) -> Json:
    return {"bool": {"must_not": [{"bool": {"filter": state.with_vectors()}}]}}


def _place(root: str, path: str) -> str:
    return f"{root}\0{path}"


def _digest(name: str) -> str:
    return sha256(name.encode("utf-8", "surrogatepass")).hexdigest()


def _file_row(file: File) -> Json:
    kept = {
        "size": file.size,
        "modified": file.modified,
        "sha256": file.sha256,
        "failures": [storable(line) for line in file.failures],
        "notes": [storable(line) for line in file.notes],
    }
    return {"place": _place(file.root, file.path), "root": file.root, "path": file.path, "kept": kept}


def _file(row: Json) -> File:
    kept = row["kept"]
    lines = tuple(kept["failures"]), tuple(kept["notes"])
    return File(row["root"], row["path"], kept["size"], kept["modified"], kept["sha256"], *lines)


def _stored(row: Json) -> StoredRecord:
    return StoredRecord(row["key"], row["kept"]["value"], row["version"])
