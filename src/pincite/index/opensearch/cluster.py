"""Requests to a cluster: retried while it is busy, and answered whole or not at all."""

import json
import logging
import random
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any
from urllib.parse import urlencode

from pincite.errors import (
    ConflictError,
    DataError,
    EngineUnavailable,
    ModelError,
    NotFoundError,
    OutputError,
    PinciteError,
)
from pincite.index.opensearch.location import ClusterLocation, authority, credentials

Json = dict[str, Any]

SECONDS = 60.0
"""How long one request may take."""
PATIENCE = 90.0
"""Seconds after which a request is not tried again."""
WRITE_SECONDS = 20
"""How long the cluster itself waits for a shard that is to be written to and is not there."""
ATTEMPTS = 8
"""How often a request is tried while the cluster is busy or a node does not answer."""
SOONEST, LATEST = 0.1, 4.0
"""Seconds between two attempts: they double, and each is drawn by chance so that clients do not come together."""
BUSY = frozenset((429, 502, 503, 504))
LOST_NODE = frozenset(
    (
        "node_not_connected_exception",
        "node_disconnected_exception",
        "node_closed_exception",
        "connect_transport_exception",
        "receive_timeout_transport_exception",
        "send_request_transport_exception",
        "no_node_available_exception",
    )
)
"""What the cluster answers with status 500 while it has not noticed yet that a node is gone."""
BLOCKED = "cluster_block_exception"
BULK_BYTES = 8_000_000
"""Bytes of one bulk request, about."""
FETCHED = 1000
"""Rows fetched at once."""
CLOCK_SECONDS = 60.0
"""How long the difference between the cluster's clock and this machine's is taken to be the same."""


class TooLargeError(DataError):
    """A request is larger than the cluster takes."""


class Cluster:
    """The connection to one cluster. It may be shared between threads."""

    def __init__(self, location: ClusterLocation, seconds: float = SECONDS) -> None:
        try:
            from opensearchpy import OpenSearch
        except ImportError:
            raise ModelError("the engine on OpenSearch needs an extra: pip install 'pincite[opensearch]'") from None
        self.location = location
        logging.getLogger("opensearch").setLevel(logging.CRITICAL)  # errors are ours to tell
        options: Json = {"use_ssl": location.tls, "timeout": seconds, "max_retries": 0, "http_compress": True}
        if location.tls:
            options |= {"verify_certs": True, "ca_certs": authority(), "ssl_show_warn": False}
        self._client = OpenSearch(
            [{"host": host, "port": port} for host, port in location.hosts], http_auth=credentials(), **options
        )
        self._clock = -CLOCK_SECONDS, 0.0
        """When the cluster was asked for its time, and how far that is ahead of our own steady clock."""

    def close(self) -> None:
        with suppress(Exception):
            self._client.close()

    def request(self, method: str, path: str, body: Any = None, *, attempts: int = ATTEMPTS, **parameters: Any) -> Any:
        """What the cluster answers. Busy and lost nodes are tried again, each time after a longer while."""
        from opensearchpy.exceptions import ConnectionError as LostError
        from opensearchpy.exceptions import OpenSearchException, SSLError, TransportError

        target = f"{path}?{urlencode(parameters)}" if parameters else path  # the client would take some for its own
        pause, ends = SOONEST, time.monotonic() + PATIENCE
        for attempt in range(1, attempts + 1):
            is_last = attempt == attempts or time.monotonic() > ends
            try:
                return self._client.transport.perform_request(method, target, body=body)
            except SSLError as error:
                raise self._untrusted(error) from None
            except LostError as error:
                if is_last:
                    secure = "" if self.location.tls else " (opensearchs:// if it speaks TLS)"
                    raise EngineUnavailable(
                        f"{self.location}: the cluster does not answer ({_short(error)}); check the address{secure} "
                        "and that it runs, then try again"
                    ) from None
            except TransportError as error:
                if is_last or not _passes(error.status_code, _cause(error)):
                    raise self._explained(error) from None
            except OpenSearchException as error:
                raise EngineUnavailable(f"{self.location}: {_short(error)}") from None
            time.sleep(random.uniform(pause / 2, pause))
            pause = min(2 * pause, LATEST)
        raise AssertionError("unreachable")

    def now(self) -> float:
        """The time by the clock of the cluster's manager: those of its clients need not agree."""
        asked, ahead = self._clock
        if time.monotonic() - asked > CLOCK_SECONDS:
            manager = self.request("GET", "/_nodes/_cluster_manager/stats/process", filter_path="nodes.*.timestamp")
            asked = time.monotonic()
            ahead = next(iter(manager["nodes"].values()))["timestamp"] / 1000 - asked
            self._clock = asked, ahead
        return time.monotonic() + ahead

    def search(self, index: str, body: Json) -> Json:
        """The answer of every shard, or an error: what some shards cannot say would be missing silently."""
        found: Json = self.request("POST", f"/{index}/_search", body, allow_partial_search_results="false")
        if found.get("timed_out") or found["_shards"]["failed"]:
            raise EngineUnavailable(f"{self.location}: a part of the cluster did not answer; try again")
        return found

    def hits(self, index: str, query: Json, size: int, sort: Sequence[Any] = (), **more: Any) -> list[Json]:
        """The rows that a query finds, at most `size`, at most 10,000."""
        body = {"query": query, "size": size, "track_total_hits": False, **({"sort": list(sort)} if sort else {})}
        found: list[Json] = self.search(index, {**body, **more})["hits"]["hits"]
        return found

    def every(self, index: str, query: Json, order: str, **more: Any) -> Iterator[Json]:
        """All rows that a query finds, in the order of a field that no two rows share."""
        after: Json = {}
        while True:
            rows = self.hits(index, query, FETCHED, [{order: "asc"}], **after, **more)
            yield from rows
            if len(rows) < FETCHED:
                return
            after = {"search_after": rows[-1]["sort"]}

    def scan(self, index: str, query: Json) -> Iterator[Json]:
        """All rows that a query finds at this moment, by their names, however many there are."""
        moment = self.request("POST", f"/{index}/_search/point_in_time", keep_alive="5m")["pit_id"]
        try:
            after: Json = {}
            while True:
                body = {"query": query, "size": FETCHED, "track_total_hits": False, "sort": [{"_id": "asc"}]}
                found = self.request(
                    "POST",
                    "/_search",
                    {**body, **after, "pit": {"id": moment, "keep_alive": "5m"}},
                    allow_partial_search_results="false",
                )
                rows = found["hits"]["hits"]
                yield from rows
                if len(rows) < FETCHED:
                    return
                after = {"search_after": rows[-1]["sort"]}
        finally:
            with suppress(PinciteError):
                self.request("DELETE", "/_search/point_in_time", {"pit_id": [moment]}, attempts=1)

    def count(self, index: str, query: Json) -> int:
        found = self.search(index, {"query": query, "size": 0, "track_total_hits": True})
        return int(found["hits"]["total"]["value"])

    def get(self, index: str, name: str) -> Json | None:
        """A row by its name, as it was written last."""
        try:
            row: Json = self.request("GET", f"/{index}/_doc/{name}", realtime="true")
        except NotFoundError:
            return None
        return row

    def put(self, index: str, name: str, row: Json, *, create: bool = False, **parameters: Any) -> tuple[int, int]:
        """Writes a row and gives its new version; with `create` a `ConflictError` where there is one already."""
        path = f"/{index}/{'_create' if create else '_doc'}/{name}"
        answer = self.request("PUT", path, row, timeout=f"{WRITE_SECONDS}s", **parameters)
        return answer["_seq_no"], answer["_primary_term"]

    def delete(self, index: str, name: str, **parameters: Any) -> None:
        self.request("DELETE", f"/{index}/_doc/{name}", timeout=f"{WRITE_SECONDS}s", **parameters)

    def sources(self, index: str, names: Sequence[str], without: Sequence[str] = ()) -> dict[str, Json]:
        """Rows by their names, without some fields; those that are missing are left out."""
        if not names:
            return {}
        fewer: Any = {"_source_excludes": ",".join(without)} if without else {}
        answer = self.request("POST", f"/{index}/_mget", {"ids": list(names)}, **fewer)
        for row in answer["docs"]:
            if "error" in row:
                raise EngineUnavailable(f"{self.location}: a part of the cluster did not answer; try again")
        return {row["_id"]: row["_source"] for row in answer["docs"] if row.get("found")}

    def bulk(self, actions: Iterable[tuple[Json, Json | None]]) -> None:
        """Carries out many writes. What a busy cluster refuses of them is sent again; a conflict is an error."""
        for batch in _batches(actions):
            self._write(batch)

    def _write(self, batch: Sequence[tuple[Json, str]]) -> None:
        """Carries out writes at once, or in halves where that is more than the cluster takes."""
        try:
            self._write_at_once(batch)
        except TooLargeError:
            if len(batch) == 1:
                raise
            self._write(batch[: len(batch) // 2])
            self._write(batch[len(batch) // 2 :])

    def _write_at_once(self, waiting: Sequence[tuple[Json, str]]) -> None:
        pause, ends = SOONEST, time.monotonic() + PATIENCE
        for _ in range(ATTEMPTS):
            lines = "".join(line for _, line in waiting)
            waiting = self._refused(waiting, self.request("POST", "/_bulk", lines, timeout=f"{WRITE_SECONDS}s"))
            if not waiting:
                return
            if time.monotonic() > ends:
                break
            time.sleep(random.uniform(pause / 2, pause))
            pause = min(2 * pause, LATEST)
        raise EngineUnavailable(f"{self.location}: the cluster is too busy to store documents; try again")

    def _refused(self, sent: Sequence[tuple[Json, str]], answer: Json) -> list[tuple[Json, str]]:
        """Those of the writes that should be sent again."""
        if not answer.get("errors"):
            return []
        again = []
        for write, item in zip(sent, answer["items"], strict=True):
            result = next(iter(item.values()))
            status, error = result["status"], result.get("error")
            if error is None or (status == 404 and "delete" in item):
                continue
            if status == 409 and "create" in item:  # our own write of an attempt whose answer was lost
                continue
            if not _passes(status, error):
                raise self._failed(status, str(error.get("type", "")), str(error.get("reason", "")))
            again.append(write)
        return again

    def refresh(self, indices: Iterable[str]) -> None:
        """Makes what was written searchable."""
        if names := ",".join(sorted(set(indices))):
            answer = self.request("POST", f"/{names}/_refresh")
            if answer["_shards"]["failed"]:
                raise EngineUnavailable(f"{self.location}: a part of the cluster did not answer; try again")

    def change_rows(self, index: str, query: Json, source: str, parameters: Json) -> int:
        """Changes every row that a query finds by a script, and says how many those are."""
        body = {"query": query, "script": {"lang": "painless", "source": source, "params": parameters}}
        answer = self.request("POST", f"/{index}/_update_by_query", body, conflicts="abort")
        self._check_rows(answer)
        return int(answer["updated"])

    def delete_rows(self, index: str, query: Json) -> int:
        answer = self.request("POST", f"/{index}/_delete_by_query", {"query": query}, conflicts="proceed")
        self._check_rows(answer)
        return int(answer["deleted"])

    def _check_rows(self, answer: Json) -> None:
        if answer.get("failures") or answer.get("timed_out"):
            raise EngineUnavailable(f"{self.location}: some rows could not be changed; try again")

    def _explained(self, error: Any) -> PinciteError:
        cause = _cause(error)
        if error.status_code not in BUSY and _passes(error.status_code, cause):
            return self._failed(503, str(error.error), "")
        return self._failed(error.status_code, str(error.error), str(cause.get("reason", "")))

    def _failed(self, status: Any, kind: str, reason: str) -> PinciteError:
        if status == 404:
            return NotFoundError(f"{self.location}: there is no such index or row ({kind})")
        if status == 409:
            return ConflictError(f"{self.location}: somebody else has changed the collection meanwhile; try again")
        if status in (401, 403) and "block" not in kind:
            return DataError(f"{self.location}: the cluster refuses these credentials; check user, password and role")
        if "block" in kind or "read-only" in reason:
            return OutputError(
                f"{self.location}: the cluster takes no writes ({reason or kind}); its disk is probably full: free "
                "space, then try again; nothing is half done"
            )
        if status == 413:
            return TooLargeError(
                f"{self.location}: a document is larger than the cluster takes in one request; cut its metadata, or "
                "raise http.max_content_length on every node"
            )
        if status in BUSY:
            return EngineUnavailable(f"{self.location}: the cluster is busy or has lost nodes ({kind}); try again")
        return DataError(f"{self.location}: the cluster answers {status} ({kind}: {reason[:300]})")

    def _untrusted(self, error: Exception) -> DataError:
        if "WRONG_VERSION_NUMBER" in str(error):
            return DataError(f"{self.location}: the cluster does not speak TLS there; write opensearch://")
        return DataError(
            f"{self.location}: the cluster's certificate is not trusted ({_short(error)}); name the file of its "
            "authority in PINCITE_OPENSEARCH_CA"
        )


def _batches(actions: Iterable[tuple[Json, Json | None]]) -> Iterator[list[tuple[Json, str]]]:
    """Writes as lines, in batches of so many bytes."""
    batch: list[tuple[Json, str]] = []
    size = 0
    for action, source in actions:
        lines = "\n".join([json.dumps(action), *([] if source is None else [json.dumps(source)]), ""])
        if batch and size + len(lines) > BULK_BYTES:
            yield batch
            batch, size = [], 0
        batch.append((action, lines))
        size += len(lines)
    if batch:
        yield batch


def _cause(error: Any) -> Mapping[str, Any]:
    """What the cluster says about an error."""
    info = error.info if isinstance(error.info, Mapping) else {}
    cause = info.get("error")
    return cause if isinstance(cause, Mapping) else {}


def _passes(status: Any, cause: Mapping[str, Any]) -> bool:
    """Whether an error may be gone after a while: the cluster is busy or loses a node, but its disk is not full."""
    if cause.get("type") == BLOCKED:
        return status in BUSY - {429}
    kinds = {cause.get("type"), *(one.get("type") for one in cause.get("root_cause", ()))}
    inner = cause.get("caused_by")
    return status in BUSY or bool(kinds & LOST_NODE) or (isinstance(inner, Mapping) and _passes(None, inner))


def _short(error: Exception) -> str:
    return str(error).splitlines()[0][:200] if str(error) else type(error).__name__
