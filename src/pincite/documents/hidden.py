"""Looks for what is not to be shown of a document, once."""

from dataclasses import replace

from pincite.documents.running_matter import running_matter
from pincite.text import Document


def with_hidden(document: Document) -> Document:
    """The document with its hidden edges; the same one where they were looked for before."""
    if document.source.hidden is not None:
        return document
    return replace(document, source=replace(document.source, hidden=tuple(running_matter(document.text))))
