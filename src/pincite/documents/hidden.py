"""Looks for what is not to be shown of a document, once."""

from dataclasses import replace
from functools import lru_cache

from pincite.documents.markdown_marks import joined, markdown_marks
from pincite.documents.running_matter import running_matter
from pincite.text import Document
from pincite.text.passage import Edges

REMEMBERED = 8
"""Texts whose hidden edges are remembered: a document is profiled, segmented and stored one after the other."""


def with_hidden(document: Document) -> Document:
    """The document with its hidden edges; the same one where they were looked for before."""
    if document.source.hidden is not None:
        return document
    hidden = _hidden(document.text, is_markdown=document.source.reader == "markdown")
    return replace(document, source=replace(document.source, hidden=hidden))


@lru_cache(maxsize=REMEMBERED)
def _hidden(text: str, *, is_markdown: bool) -> tuple[Edges, ...]:
    marks = markdown_marks(text) if is_markdown else []
    return tuple(joined([*marks, *running_matter(text)]))
