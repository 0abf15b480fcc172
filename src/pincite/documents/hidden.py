"""Looks for what is not to be shown of a document, once."""

from dataclasses import replace

from pincite.documents.markdown_marks import joined, markdown_marks
from pincite.documents.running_matter import running_matter
from pincite.text import Document
from pincite.text.passage import Edges


def with_hidden(document: Document) -> Document:
    """The document with its hidden edges; the same one where they were looked for before."""
    if document.source.hidden is not None:
        return document
    return replace(document, source=replace(document.source, hidden=tuple(_hidden(document))))


def _hidden(document: Document) -> list[Edges]:
    if document.source.reader != "markdown":
        return running_matter(document.text)
    return joined([*markdown_marks(document.text), *running_matter(document.text)])
