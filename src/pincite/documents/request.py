"""The request that a reader answers: the bytes of a file, its name, and the limits on reading it."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath
from posixpath import splitext

from pincite.documents.failures import Unreadable
from pincite.documents.limits import Limits, UnpackBudget

OCR_LANGUAGE = "eng"
"""The language of scanned pages, unless another is chosen. Names are those of tesseract."""


@dataclass(frozen=True, slots=True)
class ReadRequest:
    """One file, or one part of a container, to be read."""

    data: bytes
    name: str
    """The path, for messages and for `Source.path`."""
    document_id: str
    limits: Limits = field(default_factory=Limits)
    depth: int = 0
    """How many containers surround the file."""
    ocr: bool = True
    """Whether scanned pages may be recognised."""
    ocr_language: str = OCR_LANGUAGE
    """The languages of scanned pages, by tesseract's names: "eng", or "eng+deu"."""
    on_page: Callable[[int, int], None] | None = None
    """Is told (done, all) while scanned pages are recognised."""
    budget: UnpackBudget = field(default_factory=UnpackBudget)
    notes: list[str] = field(default_factory=list)
    """Remarks for the user about a file that was read. Readers add to them with `note`."""
    failures: list[Unreadable] = field(default_factory=list)
    """What could not be read of a file that gives a document all the same."""

    @property
    def stem(self) -> str:
        return PurePosixPath(self._path).stem

    @property
    def suffix(self) -> str:
        return splitext(self._path)[1].lower()

    @property
    def _path(self) -> str:
        return self.name.replace("\\", "/")

    def for_part(self, name: str, data: bytes) -> "ReadRequest":
        """The request for a part of this container."""
        return replace(
            self,
            data=data,
            name=f"{self.name}/{name}",
            document_id=f"{self.document_id}/{name}",
            depth=self.depth + 1,
            notes=[],
            failures=[],
        )

    def note(self, remark: str) -> None:
        """Add a remark for the user about this file."""
        self.notes.append(f"{self.name}: {remark}")

    def failure(self, reason: str, advice: str) -> Unreadable:
        """The error for a file that cannot be read."""
        return Unreadable(self.name, reason, advice)
