"""What a reader is given: the bytes, what to call them, and how much reading them may cost."""

from dataclasses import dataclass, field
from pathlib import PurePosixPath

from pincite.documents.failures import Unreadable
from pincite.documents.limits import Limits, Spent


@dataclass(frozen=True, slots=True)
class ReadRequest:
    """One file, or one member of a container, on its way through a reader."""

    data: bytes
    name: str
    """The path, for messages and for `Source.path`."""
    document_id: str
    limits: Limits = field(default_factory=Limits)
    depth: int = 0
    ocr: bool = True
    spent: Spent = field(default_factory=Spent)
    notes: list[str] = field(default_factory=list)
    """What a user should know although the reading went well; readers append to it."""

    @property
    def stem(self) -> str:
        return PurePosixPath(self.name.replace("\\", "/")).stem

    @property
    def suffix(self) -> str:
        return PurePosixPath(self.name.replace("\\", "/")).suffix.lower()

    def failure(self, reason: str, advice: str) -> Unreadable:
        """The error that this file cannot be read."""
        return Unreadable(self.name, reason, advice)
