"""Changes that readers see whole or not at all.

Every row says in which change it was born and in which it died. Each change has a number of its own; it writes its
rows, makes them searchable, and then one write to the state says that it is done. Readers look at rows as of the last
change that was done. A change that was given up is remembered, and what it left behind counts for nobody, even where
its writer comes back to life later.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field, replace
from threading import Event, RLock, Thread
from typing import Any
from uuid import uuid4

from pincite.engine.configuration import Configuration
from pincite.engine.contract import EMBEDDER, WRITER
from pincite.errors import ConflictError, DataError, EngineUnavailable, NotFoundError, OutputError, PinciteError
from pincite.index.opensearch.cluster import Cluster
from pincite.index.opensearch.mappings import FORMAT
from pincite.index.opensearch.rows import ALIVE

Json = dict[str, Any]

STATE = "state"
MOST_ABANDONED = 1000
"""Changes that were given up and are remembered."""
LEASE_SECONDS = 6.0
"""A lease that is not renewed for so long is taken over."""
LASTING = (WRITER, EMBEDDER)
"""Leases whose rows stay; those of others go with them."""
LOOK_SECONDS = 0.2
"""How often somebody who waits for a lease looks at it."""


@dataclass(frozen=True, slots=True)
class CollectionState:
    """What the collection is at: the last change that is done, and what must be known to read its rows."""

    generation: int = 0
    begun: int = 0
    """The last change that was begun."""
    abandoned: tuple[int, ...] = ()
    """Changes that were begun and given up."""
    configuration: str = ""
    dimensions: int = 0
    """The size of the vectors, 0 while there are none."""
    done: tuple[tuple[int, int], ...] = ()
    """The latest changes, each with the time at which it was done; they say what nobody looks at any more."""
    writer: str = ""
    """Who wrote it: no two writers write the same state."""
    format: int = FORMAT
    version: tuple[int, int] = field(default=(0, 0), compare=False)
    """What the cluster calls this version of the state."""

    def alive(self) -> Json:
        """The clause that rows of this state fulfil."""
        return rows_alive(self.generation, self.abandoned)

    def with_vectors(self) -> list[Json]:
        """The clauses of a document's row whose vectors are there."""
        return [
            {"range": {"vectors_born": {"lte": self.generation}}},
            {"range": {"vectors_died": {"gt": self.generation}}},
        ]


def rows_alive(generation: int, abandoned: tuple[int, ...]) -> Json:
    """The clause that the rows of one state fulfil."""
    died: Json = {"range": {"died": {"gt": generation}}}
    clause: Json = {"filter": [{"range": {"born": {"lte": generation}}}]}
    recent = [number for number in abandoned if number <= generation]
    if not recent:
        return {"bool": {"filter": [*clause["filter"], died]}}
    undone = {"bool": {"should": [died, {"terms": {"died": recent}}], "minimum_should_match": 1}}
    return {"bool": {"filter": [*clause["filter"], undone], "must_not": [{"terms": {"born": recent}}]}}


class StateStore:
    """The state of a collection, changed only by who has seen its last version."""

    def __init__(self, cluster: Cluster, index: str) -> None:
        self.cluster = cluster
        self.index = index

    def create(self, configuration: Configuration) -> None:
        """Writes the first state; an error where there is one."""
        state = CollectionState(configuration=configuration.to_json())
        try:
            self.cluster.put(self.index, STATE, _row(state), create=True, refresh="true")
        except ConflictError:
            raise DataError(f"{self.cluster.location}: there is an index already") from None

    def read(self) -> CollectionState:
        row = self.cluster.get(self.index, STATE)
        if row is None:
            raise NotFoundError(f"{self.cluster.location}: no such index; 'pincite index create' makes one")
        kept = row["_source"]["kept"]
        if kept["format"] > FORMAT:
            raise DataError(
                f"{self.cluster.location}: the index has format {kept['format']}, this Pincite knows {FORMAT}; "
                "install a newer Pincite"
            )
        lists = {"abandoned": tuple(kept["abandoned"]), "done": tuple((a, b) for a, b in kept["done"])}
        return CollectionState(**{**kept, **lists}, version=(row["_seq_no"], row["_primary_term"]))

    def write(self, state: CollectionState) -> CollectionState:
        """Replaces the state that was read; a `ConflictError` where somebody else has changed it meanwhile."""
        number, term = state.version
        try:
            version = self.cluster.put(self.index, STATE, _row(state), if_seq_no=number, if_primary_term=term)
        except (ConflictError, EngineUnavailable):
            now = self.read()  # the answer to our own write may have been lost
            if now != state:
                raise
            return now
        return replace(state, version=version)

    @contextmanager
    def change(self) -> Iterator["Change"]:
        """One change: everything in it is seen when it is done, or never."""
        state = self.read()
        if state.begun > state.generation and state.begun not in state.abandoned:
            state = replace(state, abandoned=(*state.abandoned, state.begun))  # its writer is gone, or will fail
        state = self._write_alone(replace(state, begun=state.begun + 1, writer=uuid4().hex))
        change = Change(state.begun, state)
        try:
            yield change
            self.cluster.refresh(change.touched)
        except BaseException:
            with suppress(PinciteError):
                self.write(replace(state, abandoned=(*state.abandoned, change.number)[-MOST_ABANDONED:]))
            raise
        configuration = change.configuration or state.configuration
        done = (*state.done, (change.number, int(self.cluster.now())))[-MOST_ABANDONED:]
        final = replace(
            state,
            generation=change.number,
            configuration=configuration,
            dimensions=change.dimensions,
            abandoned=state.abandoned[-MOST_ABANDONED:],
            done=done,
        )
        self._write_alone(final)

    def _write_alone(self, state: CollectionState) -> CollectionState:
        """Writes a step of a change; an error where another writer has taken over."""
        try:
            return self.write(state)
        except ConflictError:
            raise EngineUnavailable(
                f"{self.cluster.location}: another writer has taken over; nothing was changed, try again"
            ) from None


@dataclass(slots=True)
class Change:
    """A change while it is made."""

    number: int
    state: CollectionState
    """The state before it."""
    touched: set[str] = field(default_factory=set)
    """The indices that it has written to."""
    configuration: str = ""
    dimensions: int = 0

    def __post_init__(self) -> None:
        self.dimensions = self.state.dimensions

    def life(self) -> Json:
        """The fields of a row that begins to live."""
        return {"born": self.number, "died": ALIVE}


class Leases:
    """Leases that one process at a time holds. They are renewed while they last; who waits for one looks at whether it
    is still renewed, by its own clock: the clocks of machines need not agree."""

    def __init__(self, cluster: Cluster, index: str) -> None:
        self.cluster = cluster
        self.index = index
        self.holder = uuid4().hex
        self._held: dict[str, tuple[RLock, list[int]]] = {}
        self._observed: dict[str, tuple[tuple[int, int] | None, float]] = {}
        """For each lease the version that was seen last, and since when."""
        self._guard = RLock()

    @contextmanager
    def lease(self, name: str, patience: float) -> Iterator[None]:
        with self._guard:
            lock, depth = self._held.setdefault(name, (RLock(), [0]))
        if not lock.acquire(timeout=max(0.0, patience)):
            raise self._taken(name, patience)
        try:
            if depth[0]:
                yield
                return
            keeper = _Keeper(self, name, self._acquired(name, patience))
            depth[0] += 1
            try:
                yield
            finally:
                depth[0] -= 1
                keeper.end()
        finally:
            lock.release()

    def _acquired(self, name: str, patience: float) -> tuple[int, int]:
        started = time.monotonic()
        while True:
            row = self.cluster.get(self.index, f"lease-{name}")
            now = time.monotonic()
            version = None if row is None else (row["_seq_no"], row["_primary_term"])
            seen, since = self._observed.get(name, (None, now))
            if version != seen:
                seen, since = version, now
                self._observed[name] = seen, since
            if seen is None or row is None or row["_source"]["kept"]["holder"] == "" or now - since > LEASE_SECONDS:
                with suppress(ConflictError):
                    return self.write(name, self.holder, seen)
            if now - started > max(patience, 0.0):
                raise self._taken(name, patience)
            time.sleep(LOOK_SECONDS)

    def write(self, name: str, holder: str, version: tuple[int, int] | None) -> tuple[int, int]:
        """Writes who holds a lease, if nobody has written it meanwhile."""
        row = {"kept": {"holder": holder}}
        if version is None:
            return self.cluster.put(self.index, f"lease-{name}", row, create=True)
        number, term = version
        return self.cluster.put(self.index, f"lease-{name}", row, if_seq_no=number, if_primary_term=term)

    def drop(self, name: str, version: tuple[int, int]) -> None:
        """Lets go of a lease."""
        self._observed.pop(name, None)
        if name in LASTING:
            self.write(name, "", version)
            return
        with self._guard:
            self._held.pop(name, None)
        self.cluster.delete(self.index, f"lease-{name}", if_seq_no=version[0], if_primary_term=version[1])

    def _taken(self, name: str, patience: float) -> OutputError:
        what = "writing to" if name == "writer" else "embedding"
        return OutputError(
            f"{self.cluster.location}: somebody else is {what} the index (waited {patience:.0f} s); "
            "try again when that has finished, or wait longer with --wait SECONDS"
        )


class _Keeper:
    """Renews a lease until it ends."""

    def __init__(self, leases: Leases, name: str, version: tuple[int, int]) -> None:
        self.leases, self.name, self.version = leases, name, version
        self._ended = Event()
        self._thread = Thread(target=self._renew, daemon=True)
        self._thread.start()

    def _renew(self) -> None:
        while not self._ended.wait(LEASE_SECONDS / 3):
            try:
                self.version = self.leases.write(self.name, self.leases.holder, self.version)
            except ConflictError:
                return  # somebody has taken it over; the change that goes on will fail when it is to be done
            except PinciteError:
                continue

    def end(self) -> None:
        self._ended.set()
        self._thread.join()
        with suppress(PinciteError):
            self.leases.drop(self.name, self.version)


def _row(state: CollectionState) -> Json:
    kept = asdict(state)
    del kept["version"]
    return {"kept": kept}
