"""Limits on what reading one file may cost, and the budget that counts what its containers unpack."""

from dataclasses import dataclass, field

from pincite.documents.failures import Unreadable

MIB = 1024 * 1024
ALWAYS_UNPACKED = 4 * MIB
"""Members that unpack to this many bytes or fewer are exempt from `Limits.unpack_ratio`."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What reading one file may cost. A file that needs more is `Unreadable`."""

    file_bytes: int = 512 * MIB
    """Size of the file."""
    unpacked_bytes: int = 1024 * MIB
    """Unpacked size of all members of a zip, including those of zips inside it."""
    unpack_ratio: int = 200
    """Unpacked size of a member divided by its packed size, and of all members divided by the size of the file."""
    members: int = 10_000
    """Members of a zip, including those of zips inside it."""
    depth: int = 3
    """Levels of containers (zip, e-mail) inside each other."""
    characters: int = 100_000_000
    """Characters of text in all documents of the file."""
    pages: int = 5_000
    """Pages of a PDF."""
    seconds: float = 120.0
    """Time to read the file and divide it into passages, without OCR."""
    ocr_seconds: float = 1800.0
    """Time to recognise the scanned pages of the file."""
    memory_bytes: int = 2048 * MIB
    """Memory that a worker process may allocate to read the file."""


@dataclass(slots=True)
class UnpackBudget:
    """Counts what a file and the containers inside it unpack. All levels of nesting share one budget."""

    limits: Limits = field(default_factory=Limits)
    size: int = 0
    """The size of the file that holds them all; 0 if it is not known."""
    unpacked: int = 0
    members: int = 0
    characters: int = 0

    def check_members(self, name: str, count: int) -> None:
        """Refuse a zip with `count` members before any of them is opened. Such a zip uses up the whole budget."""
        if count > self.limits.members:
            self.members = self.limits.members
            self.count_member(name)

    def count_member(self, name: str) -> None:
        """Count one more opened member."""
        self.members += 1
        if self.members > self.limits.members:
            raise _zip_bomb(name, f"holds more than {self.limits.members:,} members", "members")

    def count_bytes(self, name: str, count: int) -> None:
        """Count `count` more unpacked bytes."""
        self.unpacked += count
        if self.unpacked > self.limits.unpacked_bytes:
            raise _zip_bomb(name, f"unpacks to more than {self.limits.unpacked_bytes:,} bytes", "unpacked_bytes")
        if self.size:
            self.check_ratio(name, self.size, self.unpacked)

    def count_characters(self, name: str, count: int) -> None:
        """Count the text of one more document."""
        self.characters += count
        if self.characters > self.limits.characters:
            advice = (
                f"holds more than {self.limits.characters:,} characters of text; split it, or raise Limits.characters"
            )
            raise Unreadable(name, "too large", advice)

    def check_ratio(self, name: str, packed: int, unpacked: int) -> None:
        """Refuse a member that is far larger than its packed form."""
        if unpacked > ALWAYS_UNPACKED and unpacked > self.limits.unpack_ratio * max(packed, 1):
            raise _zip_bomb(name, f"unpacks to more than {self.limits.unpack_ratio} times its size", "unpack_ratio")


def _zip_bomb(name: str, finding: str, limit: str) -> Unreadable:
    advice = f"{finding} and may be a zip bomb; unpack it yourself if you trust it, or raise Limits.{limit}"
    return Unreadable(name, "too large", advice)
