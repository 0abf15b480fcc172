"""A retriever whose nodes are exact passages, with their offsets and the document they come from."""

from typing import Any

from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.callbacks.base import CallbackManager
from llama_index.core.schema import NodeRelationship, NodeWithScore, ObjectType, QueryBundle, RelatedNodeInfo, TextNode

from pincite.client.models import AnswerHit
from pincite.client.source import PassageSource, passage_id, passage_metadata

SHOWN = ("title", "citation", "page")
"""The metadata that language models and encoders see; the rest is for programs."""


class PinciteRetriever(BaseRetriever):
    """Answers from an index in a folder (`index`) or from a Pincite server (`url`).

    A node's `start_char_idx` and `end_char_idx` are the passage's place in the document's text, and its SOURCE is the
    document. `metadata` has citation, page, boxes, likelihood and the rest that highlighting needs.
    """

    def __init__(
        self,
        index: str = "",
        url: str = "",
        key: str = "",
        collection: str = "",
        similarity_top_k: int = 10,
        filters: dict[str, Any] | None = None,
        fast: bool = False,
        timeout: float = 60.0,
        callback_manager: CallbackManager | None = None,
    ) -> None:
        self._source = PassageSource(index, url, key, collection, timeout)
        self.similarity_top_k, self.filters, self.fast = similarity_top_k, filters, fast
        super().__init__(callback_manager=callback_manager)

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        answer = self._source.search(query_bundle.query_str, self.similarity_top_k, self.filters, fast=self.fast)
        return [_node(hit) for hit in answer.hits]

    async def _aretrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        answer = await self._source.asearch(query_bundle.query_str, self.similarity_top_k, self.filters, fast=self.fast)
        return [_node(hit) for hit in answer.hits]

    def close(self) -> None:
        """Closes the index, or the connection."""
        self._source.close()


def _node(hit: AnswerHit) -> NodeWithScore:
    metadata = passage_metadata(hit)
    hidden = [key for key in metadata if key not in SHOWN]
    node = TextNode(
        id_=passage_id(hit),
        text=hit.text,
        start_char_idx=hit.start,
        end_char_idx=hit.end,
        metadata=metadata,
        excluded_llm_metadata_keys=hidden,
        excluded_embed_metadata_keys=hidden,
        relationships={NodeRelationship.SOURCE: source_of(hit.document, hit.title)},
    )
    return NodeWithScore(node=node, score=hit.score)


def source_of(document: str, title: str) -> RelatedNodeInfo:
    """The document that a node comes from."""
    return RelatedNodeInfo(node_id=document, node_type=ObjectType.DOCUMENT, metadata={"title": title})
