"""A reader that turns an index into LlamaIndex's documents, or into nodes: one for each clause, sentence or list item."""

from collections.abc import Iterable, Iterator
from typing import Any

from llama_index.core.readers.base import BaseReader
from llama_index.core.schema import Document, NodeRelationship, TextNode
from llama_index.retrievers.pincite.retriever import source_of

from pincite import Document as PinciteDocument
from pincite.client.models import DocumentInfo
from pincite.client.source import PassageSource
from pincite.segment import Clauses, Segmenter


class PinciteReader(BaseReader):
    """Reads everything that an index in a folder (`index`) or a Pincite server (`url`) holds."""

    def __init__(
        self, index: str = "", url: str = "", key: str = "", collection: str = "", timeout: float = 60.0
    ) -> None:
        self._source = PassageSource(index, url, key, collection, timeout)

    def lazy_load_data(self, *args: Any, **load_kwargs: Any) -> Iterable[Document]:
        """Every document with its whole text."""
        for entry in self._source.documents():
            yield Document(id_=entry.document, text=self._source.text(entry.document), metadata=_metadata(entry))

    def lazy_load_nodes(self, segmenter: Segmenter | None = None) -> Iterator[TextNode]:
        """Every passage as a node, as Pincite's own segmenter cuts them, or another one."""
        cut = segmenter or Clauses()
        for entry in self._source.documents():
            text = self._source.text(entry.document)
            for passage in cut(PinciteDocument(entry.document, text, entry.title)):
                yield TextNode(
                    id_=f"{entry.document}:{passage.start}-{passage.end}",
                    text=text[passage.start : passage.end],
                    start_char_idx=passage.start,
                    end_char_idx=passage.end,
                    metadata=_metadata(entry),
                    relationships={NodeRelationship.SOURCE: source_of(entry.document, entry.title)},
                )

    def load_nodes(self, segmenter: Segmenter | None = None) -> list[TextNode]:
        """`lazy_load_nodes` as a list."""
        return list(self.lazy_load_nodes(segmenter))


def _metadata(entry: DocumentInfo) -> dict[str, Any]:
    named = {"title": entry.title, "kind": entry.kind, "parties": "; ".join(entry.parties), "date": entry.date}
    return {**entry.metadata, **{key: value for key, value in named.items() if value}}
