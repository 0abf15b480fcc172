"""A retriever whose documents are exact passages, with everything that is needed to cite and highlight them."""

from typing import Any

from langchain_core.callbacks import AsyncCallbackManagerForRetrieverRun, CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from pydantic import Field, SecretStr, model_validator

from pincite.client.models import AnswerHit
from pincite.client.source import PassageSource, passage_id, passage_metadata, shared_source


class PinciteRetriever(BaseRetriever):
    """Answers from an index in a folder (`index`) or from a Pincite server (`url`).

    `page_content` is the passage word for word. `metadata` has id, source, title, citation, page, start and end in the
    document's text, boxes on the page, score and likelihood. `k` and `filters` can also be given to `invoke`.
    """

    index: str = ""
    """A folder with an index."""
    url: str = ""
    """The address of a server."""
    key: SecretStr = SecretStr("")
    """The API key for the server."""
    collection: str = ""
    """The server's collection; its first one if empty."""
    k: int = Field(default=10, ge=1)
    """How many passages are returned."""
    filters: dict[str, Any] | None = None
    """Which documents may answer, such as {"kind": "lease"}."""
    fast: bool = False
    """Skip the re-ranker."""
    likely: float = Field(default=0.0, ge=0, le=1)
    """Leave out passages that are less likely to answer."""
    timeout: float = 60.0

    @model_validator(mode="after")
    def _checked(self) -> "PinciteRetriever":
        """Mistakes in where the passages come from are said when the retriever is made."""
        _ = self._source
        return self

    @property
    def _source(self) -> PassageSource:
        return shared_source(self.index, self.url, self.key.get_secret_value(), self.collection, self.timeout)

    def _get_relevant_documents(
        self,
        query: str,
        *,
        run_manager: CallbackManagerForRetrieverRun,
        k: int | None = None,
        filters: dict[str, Any] | None = None,
    ) -> list[Document]:
        answer = self._source.search(query, k or self.k, filters or self.filters, fast=self.fast)
        return self._documents(answer.hits)

    async def _aget_relevant_documents(
        self,
        query: str,
        *,
        run_manager: AsyncCallbackManagerForRetrieverRun,
        k: int | None = None,
        filters: dict[str, Any] | None = None,
    ) -> list[Document]:
        answer = await self._source.asearch(query, k or self.k, filters or self.filters, fast=self.fast)
        return self._documents(answer.hits)

    def _documents(self, hits: tuple[AnswerHit, ...]) -> list[Document]:
        kept = [hit for hit in hits if hit.likelihood is None or hit.likelihood >= self.likely]
        return [Document(id=passage_id(hit), page_content=hit.text, metadata=passage_metadata(hit)) for hit in kept]
