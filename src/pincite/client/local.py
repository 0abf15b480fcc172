"""An index in a folder behind the same calls as a server, so that programs work with either."""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pincite.client.models import ComparedDocument, DocumentInfo, DocumentText, SearchAnswer, parsed
from pincite.index import Index
from pincite.index.listing import listing
from pincite.search import SearchRequest
from pincite.text import Filter


class LocalClient:
    """Searches an index in this process and answers as `Client` does. Several threads may use it."""

    def __init__(self, index: str | Path | Index) -> None:
        self._owned = not isinstance(index, Index)
        self.index = index if isinstance(index, Index) else Index.open(index, read_only=True)

    def close(self) -> None:
        """Closes the index, unless it was given open."""
        if self._owned:
            self.index.close()

    def __enter__(self) -> "LocalClient":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def search(
        self,
        query: str,
        k: int = 10,
        *,
        filters: Mapping[str, Any] | None = None,
        fast: bool = False,
        granularity: str = "sentence",
        explain: bool = False,
    ) -> SearchAnswer:
        """The passages that answer a question, best first."""
        request = SearchRequest(query, k, where_of(filters), granularity, fast=fast)
        return parsed(SearchAnswer, self.index.answer([request])[0].to_dict(explain=explain))

    def search_many(
        self, queries: Sequence[str], k: int = 10, *, filters: Mapping[str, Any] | None = None, fast: bool = False
    ) -> list[SearchAnswer]:
        """The answers to several questions, in their order."""
        where = where_of(filters)
        answers = self.index.answer([SearchRequest(query, k, where, fast=fast) for query in queries])
        return [parsed(SearchAnswer, answer.to_dict()) for answer in answers]

    async def asearch(self, query: str, k: int = 10, **options: Any) -> SearchAnswer:
        """`search` in a thread."""
        return await asyncio.to_thread(self.search, query, k, **options)

    def compare(self, query: str, *, filters: Mapping[str, Any] | None = None) -> list[ComparedDocument]:
        """One question asked of many documents."""
        return [parsed(ComparedDocument, row.to_dict()) for row in self.index.compare(query, where=where_of(filters))]

    def documents(
        self, *, kind: str = "", party: str = "", after: str = "", before: str = ""
    ) -> Iterator[DocumentInfo]:
        """All documents that match."""
        where = Filter.of({"kind": kind, "party": party, "after": after, "before": before})
        cursor = ""
        while True:
            page = self.index.documents(where, cursor=cursor)
            for record in page.items:
                yield parsed(DocumentInfo, listing(record))
            if not page.next:
                return
            cursor = page.next

    def document(self, document_id: str) -> DocumentInfo:
        return parsed(DocumentInfo, listing(self.index.record(document_id)))

    def text(self, document_id: str, start: int | None = None, end: int | None = None) -> DocumentText:
        """The text of a document, or a range of it."""
        whole = self.index.document(document_id).text
        first, last = start or 0, len(whole) if end is None else end
        return DocumentText(document_id, first, last, len(whole), whole[first:last])


def where_of(filters: Mapping[str, Any] | None) -> Filter | None:
    """The filter that REST would make of the same object: metadata of one's own stand under `metadata`."""
    if not filters:
        return None
    given = dict(filters)
    own, condition = given.pop("metadata", {}), given.pop("where", {})
    return ((Filter.of({**own, **given}) or Filter()).also(condition)) or None
