"""The kinds of documents, as REST and MCP describe them to programs."""

from pincite.text.kinds import KINDS

KINDS_TEXT = (
    f"A kind of document: {', '.join(KINDS)}; or another name of one, such as nda or msa; or a kind that only this "
    "collection has. Anything else is an error."
)
