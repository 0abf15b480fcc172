"""A retriever component whose documents are exact passages."""

from typing import Any

from haystack import Document, component, default_from_dict, default_to_dict
from haystack.utils import Secret

from pincite.client.models import SearchAnswer
from pincite.client.source import PassageSource, passage_id, passage_metadata


@component
class PinciteRetriever:
    """Answers from an index in a folder (`index`) or from a Pincite server (`url`).

    `content` is the passage word for word; `meta` has what citing and highlighting need. The output `answered` is how
    likely it is that the documents answer the question at all; None without a re-ranker.
    """

    def __init__(
        self,
        index: str = "",
        url: str = "",
        key: Secret | None = None,
        collection: str = "",
        top_k: int = 10,
        filters: dict[str, Any] | None = None,
        fast: bool = False,
        timeout: float = 60.0,
    ) -> None:
        self.index, self.url, self.key, self.collection = index, url, key, collection
        self.top_k, self.filters, self.fast, self.timeout = top_k, filters, fast, timeout
        self._source: PassageSource | None = None

    def warm_up(self) -> None:
        """Opens the index or the connection, so that mistakes show before the first question."""
        if self._source is None:
            key = (self.key.resolve_value() or "") if self.key else ""
            self._source = PassageSource(self.index, self.url, key, self.collection, self.timeout)

    @component.output_types(documents=list[Document], answered=float | None)
    def run(self, query: str, top_k: int | None = None, filters: dict[str, Any] | None = None) -> dict[str, Any]:
        """The passages that answer a question, best first. `top_k` and `filters` overrule those of the component."""
        self.warm_up()
        assert self._source is not None
        return _output(self._source.search(query, top_k or self.top_k, filters or self.filters, fast=self.fast))

    @component.output_types(documents=list[Document], answered=float | None)
    async def run_async(
        self, query: str, top_k: int | None = None, filters: dict[str, Any] | None = None
    ) -> dict[str, Any]:
        """`run`, while other components go on."""
        self.warm_up()
        assert self._source is not None
        return _output(await self._source.asearch(query, top_k or self.top_k, filters or self.filters, fast=self.fast))

    def to_dict(self) -> dict[str, Any]:
        return default_to_dict(
            self,
            index=self.index,
            url=self.url,
            key=self.key.to_dict() if self.key else None,
            collection=self.collection,
            top_k=self.top_k,
            filters=self.filters,
            fast=self.fast,
            timeout=self.timeout,
        )

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> "PinciteRetriever":
        given = data.get("init_parameters", {})
        if isinstance(given.get("key"), dict):
            data = {**data, "init_parameters": {**given, "key": Secret.from_dict(given["key"])}}
        made: PinciteRetriever = default_from_dict(cls, data)
        return made

    def close(self) -> None:
        """Closes the index, or the connection."""
        if self._source is not None:
            self._source.close()
            self._source = None


def _output(answer: SearchAnswer) -> dict[str, Any]:
    documents = [
        Document(id=passage_id(hit), content=hit.text, meta=passage_metadata(hit), score=hit.score)
        for hit in answer.hits
    ]
    return {"documents": documents, "answered": answer.answered}
