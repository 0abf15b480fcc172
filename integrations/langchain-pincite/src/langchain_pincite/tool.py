"""A tool for agents: passages with their citations as text, the documents as artifact."""

from typing import Any, Literal

from langchain_core.documents import Document
from langchain_core.tools import BaseTool
from pydantic import BaseModel, Field

from langchain_pincite.retriever import PinciteRetriever


class PinciteSearchInput(BaseModel):
    """What an agent fills in."""

    query: str = Field(description="A question in plain language; it may name a document.")
    k: int = Field(default=5, ge=1, le=50, description="How many passages.")
    documents: list[str] | None = Field(default=None, description="Only these documents: ids, or parts of a title.")
    kind: str = Field(default="", description="Only documents of this kind, such as lease or nda.")


class PinciteSearchTool(BaseTool):
    """Finds exact passages. Quote them word for word, with their citation."""

    name: str = "pincite_search"
    description: str = (
        "Finds the passages of the user's legal documents that answer a question, word for word, each with its "
        "citation. Quote them exactly and give the citation. If nothing fits, say that the documents do not answer. "
        'Example: {"query": "May the tenant underlet?", "kind": "lease", "k": 3}'
    )
    args_schema: type[BaseModel] = PinciteSearchInput
    response_format: Literal["content", "content_and_artifact"] = "content_and_artifact"
    retriever: PinciteRetriever

    def _run(
        self, query: str, k: int = 5, documents: list[str] | None = None, kind: str = ""
    ) -> tuple[str, list[Document]]:
        return _told(self.retriever.invoke(query, k=k, filters=self._filters(documents, kind)))

    async def _arun(
        self, query: str, k: int = 5, documents: list[str] | None = None, kind: str = ""
    ) -> tuple[str, list[Document]]:
        return _told(await self.retriever.ainvoke(query, k=k, filters=self._filters(documents, kind)))

    def _filters(self, documents: list[str] | None, kind: str) -> dict[str, Any] | None:
        """What the agent asks for, within what the retriever's owner allows."""
        asked = {key: value for key, value in {"documents": documents, "kind": kind}.items() if value}
        return {**asked, **(self.retriever.filters or {})} or None


def _told(found: list[Document]) -> tuple[str, list[Document]]:
    if not found:
        return "Nothing was found: the documents do not answer this.", []
    passages = [f"[{number}] {one.metadata['citation']}\n{one.page_content}" for number, one in enumerate(found, 1)]
    return "\n\n".join(passages), found
