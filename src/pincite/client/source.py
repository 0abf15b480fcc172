"""Where passages come from, for the adapters of other frameworks: an index in a folder, or a server."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from functools import cache
from typing import Any

from pincite.client.local import LocalClient
from pincite.client.models import AnswerHit, DocumentInfo, SearchAnswer
from pincite.errors import UsageError


class PassageSource:
    """Answers questions from an index (`index`) or a server (`url`), in both ways of calling."""

    def __init__(
        self, index: str = "", url: str = "", key: str = "", collection: str = "", timeout: float = 60.0
    ) -> None:
        if bool(index) == bool(url):
            raise UsageError("give either index (a folder with an index) or url (the address of a Pincite server)")
        if index and (key or collection):
            raise UsageError("key and collection go with url; an index in a folder needs neither")
        self._options: dict[str, Any] = {"key": key, "collection": collection, "timeout": timeout}
        self._url = url
        if index:
            self._client: Any = LocalClient(index)
        else:
            from pincite.client.synchronous import Client

            self._client = Client(url, **self._options)

    def search(
        self, query: str, k: int = 10, filters: Mapping[str, Any] | None = None, *, fast: bool = False
    ) -> SearchAnswer:
        """The passages that answer a question, best first."""
        answer: SearchAnswer = self._client.search(query, k, filters=filters, fast=fast)
        return answer

    async def asearch(
        self, query: str, k: int = 10, filters: Mapping[str, Any] | None = None, *, fast: bool = False
    ) -> SearchAnswer:
        """`search`, while other tasks go on."""
        if isinstance(self._client, LocalClient):
            return await self._client.asearch(query, k, filters=filters, fast=fast)
        from pincite.client.asynchronous import AsyncClient

        # A connection belongs to its event loop, and callers may have several.
        async with AsyncClient(self._url, **self._options) as client:
            return await client.search(query, k, filters=filters, fast=fast)

    def documents(self) -> Iterator[DocumentInfo]:
        """All documents, without their texts."""
        found: Iterator[DocumentInfo] = self._client.documents()
        return found

    def text(self, document_id: str) -> str:
        """The whole text of a document."""
        return str(self._client.text(document_id).text)

    def close(self) -> None:
        self._client.close()


@cache
def shared_source(
    index: str = "", url: str = "", key: str = "", collection: str = "", timeout: float = 60.0
) -> PassageSource:
    """The same source for the same place, so that copies of a retriever share one open index."""
    return PassageSource(index, url, key, collection, timeout)


def passage_id(hit: AnswerHit) -> str:
    """A name for a passage that stays the same as long as its document does."""
    return f"{hit.document}:{hit.start}-{hit.end}"


def passage_metadata(hit: AnswerHit) -> dict[str, Any]:
    """What frameworks keep beside a passage: everything that is needed to cite it and to highlight it."""
    return {
        "id": passage_id(hit),
        "source": hit.document,
        "title": hit.title,
        "citation": hit.citation,
        "page": hit.page,
        "page_label": hit.page_label,
        "start": hit.start,
        "end": hit.end,
        "heading_path": list(hit.heading_path),
        "spans": [asdict(span) for span in hit.spans],
        "boxes": [asdict(box) for box in hit.boxes],
        "score": hit.score,
        "likelihood": hit.likelihood,
        "rank": hit.rank,
        "document_metadata": dict(hit.metadata),
    }
