"""How files are brought into an index."""

from dataclasses import dataclass, field

from pincite.documents.limits import Limits
from pincite.documents.request import OCR_LANGUAGE
from pincite.index.metadata import Metadata


@dataclass(frozen=True, slots=True)
class IngestOptions:
    """How files are read: metadata of the documents, limits for single files, how many processes read."""

    metadata: Metadata = field(default_factory=Metadata)
    limits: Limits = field(default_factory=Limits)
    processes: int | None = None
    ocr: bool = True
    retry: bool = False
    """Read files again that could not be read before."""
    reread: bool = False
    """Read all files again, with the readers of today."""
    allow_removals: bool = False
    name: str = ""
    """What ids begin with, instead of the folder's own name."""
    ocr_language: str = OCR_LANGUAGE
    """The languages of scanned pages, by tesseract's names: "eng", or "eng+deu"."""
    exclude: tuple[str, ...] = ()
    """Patterns of files to leave out from now on, such as "drafts/*.docx"."""
    include: tuple[str, ...] = ()
    """Patterns that were excluded before, to take in again."""
    follow_links: bool | None = None
    """Follow symbolic links below a folder from now on, or no longer; None: as before, at first not."""
