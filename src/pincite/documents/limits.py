"""How much a single file may cost: bytes, members, pages, seconds and memory."""

from dataclasses import dataclass, field

from pincite.documents.failures import Unreadable

MIB = 1024 * 1024
SMALL = 4 * MIB
"""What unpacks to no more than this is never called a bomb, however well it was packed."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What reading one file may cost. A file that needs more is reported as "too large" or "took too long"."""

    file_bytes: int = 512 * MIB
    unpacked_bytes: int = 1024 * MIB
    """What all members of a zip, and of the zips inside it, may hold together."""
    unpack_ratio: int = 200
    """How many times larger than its packed form a member may be."""
    members: int = 10_000
    depth: int = 3
    """How many containers (zip, e-mail) may stand inside each other."""
    pages: int = 5_000
    seconds: float = 120.0
    memory_bytes: int = 2048 * MIB


@dataclass(slots=True)
class Spent:
    """What a file and everything inside it has unpacked so far; shared by all levels of nesting."""

    limits: Limits = field(default_factory=Limits)
    unpacked: int = 0
    members: int = 0

    def member(self, name: str) -> None:
        """One more member is opened."""
        self.members += 1
        if self.members > self.limits.members:
            raise Unreadable(
                name,
                "too large",
                f"holds more than {self.limits.members:,} members and may be a zip bomb; "
                "unpack it yourself if you trust it, or raise Limits.members",
            )

    def bytes(self, name: str, count: int) -> None:
        """So many more bytes came out."""
        self.unpacked += count
        if self.unpacked > self.limits.unpacked_bytes:
            raise Unreadable(
                name,
                "too large",
                f"unpacks to more than {self.limits.unpacked_bytes:,} bytes and may be a zip bomb; "
                "unpack it yourself if you trust it, or raise Limits.unpacked_bytes",
            )

    def ratio(self, name: str, packed: int, unpacked: int) -> None:
        """Refuses a member that is far larger than its packed form."""
        if unpacked > SMALL and unpacked > self.limits.unpack_ratio * max(packed, 1):
            raise Unreadable(
                name,
                "too large",
                f"unpacks to more than {self.limits.unpack_ratio} times its size and may be a zip bomb; "
                "unpack it yourself if you trust it, or raise Limits.unpack_ratio",
            )
