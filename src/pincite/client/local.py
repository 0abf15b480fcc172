"""An index in a folder behind the same calls as a server, so that programs work with either."""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from pincite.client.models import (
    CasesLike,
    ComparedDocument,
    DocumentInfo,
    DocumentText,
    OutlineHeading,
    SearchAnswer,
    parsed,
)
from pincite.errors import UsageError
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
        offset: int = 0,
        generation: int | None = None,
    ) -> SearchAnswer:
        """The passages that answer a question, best first. `offset` skips some, for the next page; with `generation` of
        the first page an error tells that the index has changed since."""
        now = self._generation(generation)
        request = SearchRequest(query, k + offset, where_of(filters), granularity, fast=fast)
        answer = self.index.answer([request])[0]
        self._generation(generation)
        page = replace(answer, hits=answer.hits[offset:])
        return parsed(SearchAnswer, {**page.to_dict(explain=explain), "generation": now})

    def _generation(self, wanted: int | None) -> int:
        now = self.index.engine.generation
        if wanted is not None and wanted != now:
            raise UsageError(f"the index has changed since generation {wanted}; begin again with the first page")
        return now

    def search_many(
        self, queries: Sequence[str], k: int = 10, *, filters: Mapping[str, Any] | None = None, fast: bool = False
    ) -> list[SearchAnswer]:
        """The answers to several questions, in their order."""
        where, now = where_of(filters), self.index.engine.generation
        answers = self.index.answer([SearchRequest(query, k, where, fast=fast) for query in queries])
        return [parsed(SearchAnswer, {**answer.to_dict(), "generation": now}) for answer in answers]

    async def asearch(self, query: str, k: int = 10, **options: Any) -> SearchAnswer:
        """`search` in a thread."""
        return await asyncio.to_thread(self.search, query, k, **options)

    def compare(self, query: str, *, filters: Mapping[str, Any] | None = None) -> list[ComparedDocument]:
        """One question asked of many documents; those in which nothing was found come last."""
        return [parsed(ComparedDocument, row.to_dict()) for row in self.index.compare(query, where=where_of(filters))]

    def similar_cases(
        self,
        document: str = "",
        *,
        text: str = "",
        k: int = 10,
        filters: Mapping[str, Any] | None = None,
        later: bool = False,
        date: str = "",
    ) -> CasesLike:
        """The cases most like a judgment: one of the index, or the text of another."""
        if bool(document) == bool(text.strip()):
            raise UsageError("name a document of the index, or give the text of a judgment: one of the two")
        case = self.index.document(document) if document else text
        answer = self.index.similar_cases(case, k, where_of(filters), later=later, date=date)
        return parsed(CasesLike, answer.to_dict())

    def documents(
        self,
        *,
        kind: str = "",
        party: str = "",
        after: str = "",
        before: str = "",
        where: Mapping[str, Any] | None = None,
    ) -> Iterator[DocumentInfo]:
        """All documents that match; `where` is a condition as in `filters`."""
        named = Filter.of({"kind": kind, "party": party, "after": after, "before": before}) or Filter()
        for record in self.index.every_document(named.also(where or {}) or None):
            yield parsed(DocumentInfo, listing(record))

    def document(self, document_id: str) -> DocumentInfo:
        return parsed(DocumentInfo, listing(self.index.record(document_id)))

    def text(self, document_id: str, start: int | None = None, end: int | None = None) -> DocumentText:
        """The text of a document, or a range of it."""
        whole = self.index.document(document_id).text
        first, last = start or 0, len(whole) if end is None else end
        return DocumentText(document_id, first, last, len(whole), whole[first:last])

    def outline(self, document_id: str) -> list[OutlineHeading]:
        """The headings of a document."""
        return [OutlineHeading(level, heading, start) for level, heading, start in self.index.outline(document_id)]

    def facets(self, *keys: str, where: Mapping[str, Any] | None = None, limit: int = 100) -> dict[str, dict[str, int]]:
        """How many documents have each value of these keys, or of all, the most frequent first."""
        return self.index.facets(*keys, where=Filter().also(where or {}) or None, most=limit)


def where_of(filters: Mapping[str, Any] | None) -> Filter | None:
    """The filter that REST would make of the same object: metadata of one's own stand under `metadata`."""
    if not filters:
        return None
    given = dict(filters)
    own, condition = given.pop("metadata", {}), given.pop("where", {})
    return ((Filter.of({**own, **given}) or Filter()).also(condition)) or None
