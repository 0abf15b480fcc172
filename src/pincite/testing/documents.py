"""Three small documents that the suites use."""

from collections.abc import Iterable

from pincite.engine.contract import Engine
from pincite.engine.records import File, PreparedFile, Root
from pincite.index.metadata import Metadata
from pincite.index.prepare import Preparation
from pincite.segment import Clauses
from pincite.text import Document, Source

ROOT = Root("made", "/made")

LEASE = Document(
    "made/lease-quay.txt",
    "LEASE of Garnet Quay\n\n1. RENT\n\n1.1 The rent is due on the first Monday of the month.\n\n"
    "1.2 The tenant shall not keep pets in the premises.\n\n2. TERM\n\n2.1 The lease ends after ten years.",
    title="Lease of Garnet Quay",
    source=Source(path="lease-quay.txt", page_starts=(0, 60), page_labels=("i", "ii")),
)
SUPPLY = Document(
    "made/supply-caldera.txt",
    "SUPPLY AGREEMENT of Caldera Ltd\n\n1. RECALL\n\n1.1 The supplier shall bear the cost of a product recall.\n\n"
    "1.2 The buyer shall give notice of thirty days before a recall.\n\n1.3 Dated 3 March 2021.",
    title="Supply agreement of Caldera",
)
NDA = Document(
    "made/nda-tamarisk.txt",
    "NON-DISCLOSURE AGREEMENT of Tamarisk Inc\n\n1. SECRECY\n\n1.1 The recipient shall keep the information secret.\n\n"
    "1.2 The recipient may keep one copy for its records.\n\n1.3 The rent of the safe is not part of it.",
    title="Tamarisk NDA",
)
ALL = (LEASE, SUPPLY, NDA)


def prepared_file(*documents: Document, failures: tuple[str, ...] = (), **metadata: str) -> PreparedFile:
    """A file with these documents, prepared to be stored."""
    prepare = Preparation(Clauses(), metadata=Metadata(metadata))
    file = File(ROOT.name, documents[0].id, 1, 1, documents[0].sha256, failures)
    return PreparedFile(file, tuple(map(prepare, documents)))


def fill(engine: Engine, documents: Iterable[Document] = ALL) -> None:
    """Stores each document as a file of its own, in one change."""
    engine.put([prepared_file(document) for document in documents], ROOT)
