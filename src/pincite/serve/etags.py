"""ETags of documents: what If-None-Match and If-Match compare."""

import json
from collections.abc import Callable
from hashlib import sha256

from pincite.engine.records import DocumentRecord
from pincite.index.listing import listing
from pincite.serve.errors import Stale


def etag(record: DocumentRecord) -> str:
    """Changes whenever the document does, and once more when it is embedded."""
    return f'"{_state(record)}-{int(record.has_vectors)}"'


def unchanged(if_match: str) -> Callable[[DocumentRecord], None] | None:
    """A check that a document is as the caller saw it. Embedding is no change that a caller could overwrite."""
    seen = [tag.strip().removeprefix("W/").strip('"') for tag in if_match.split(",") if tag.strip()]
    if not seen or "*" in seen:
        return None

    def check(record: DocumentRecord) -> None:
        if not any(tag.rpartition("-")[0] == _state(record) for tag in seen):
            raise Stale(f"{record.id}: has changed since {if_match[:100]}; get it again, then repeat the change")

    return check


def _state(record: DocumentRecord) -> str:
    shown = {**listing(record), "vectors": None}
    return sha256(json.dumps(shown, sort_keys=True).encode()).hexdigest()[:32]
