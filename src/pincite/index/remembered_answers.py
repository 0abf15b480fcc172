"""Answers of a server to changes, kept as small records of the index: a change that is sent again after a restart is
not made twice."""

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pincite.engine.contract import Store
from pincite.engine.records import StoredRecord

KIND = "answer"
KEPT_SECONDS = 24 * 3600.0
"""How long an answer is remembered."""
MOST_STORED = 1000
"""Answers that an index keeps, the latest."""
LARGEST = 256 * 1024
"""Bytes of an answer beyond which it is not kept in the index."""


@dataclass(frozen=True, slots=True)
class RememberedAnswer:
    """What was asked, as a hash, and what was answered at that time."""

    asked: str
    at: float
    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes

    @classmethod
    def of(cls, asked: str, messages: Sequence[Mapping[str, Any]]) -> "RememberedAnswer":
        """The messages that a server sent."""
        first, *rest = messages
        headers = tuple((name.decode("latin-1"), value.decode("latin-1")) for name, value in first["headers"])
        return cls(asked, time.time(), first["status"], headers, b"".join(one.get("body", b"") for one in rest))


def remember(store: Store, name: str, answer: RememberedAnswer) -> None:
    """Keeps an answer in the index, unless it is large."""
    if len(answer.body) <= LARGEST:
        held = [answer.asked, answer.at, answer.status, answer.headers, answer.body.decode("latin-1")]
        store.put_record(KIND, name, json.dumps(held))


def remembered(store: Store, name: str) -> RememberedAnswer | None:
    """The answer that was kept under a name, unless it is too old."""
    found = store.stored_record(KIND, name)
    answer = None if found is None else _read(found)
    return answer if answer and answer.at >= time.time() - KEPT_SECONDS else None


def forget_old_answers(store: Store, most: int = MOST_STORED) -> None:
    """Deletes answers that are too old, and the oldest beyond a number."""
    held = sorted(((_read(record).at, record.key) for record in _every(store)), reverse=True)
    before = time.time() - KEPT_SECONDS
    for at, (when, key) in enumerate(held):
        if at >= most or when < before:
            store.delete_record(KIND, key)


def _every(store: Store) -> Iterator[StoredRecord]:
    cursor, is_first = "", True
    while cursor or is_first:
        page = store.stored_records(KIND, cursor=cursor)
        yield from page.items
        cursor, is_first = page.next, False


def _read(record: StoredRecord) -> RememberedAnswer:
    asked, at, status, headers, body = json.loads(record.value)
    return RememberedAnswer(asked, at, status, tuple((name, value) for name, value in headers), body.encode("latin-1"))
