"""Files as they were given to a server: those of documents, and those of jobs that still wait. They lie with the index.

A name is a path such as uploads/lease.pdf or incoming/JOB/0/lease.pdf; its first part is the area.
"""

import os
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from hashlib import file_digest, sha256
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from time import time
from typing import NamedTuple

from pincite.output import atomic_file, flush_folder

NEW = ".new-"
"""What the names of files begin with that do not have their own name yet."""


class OriginalFile(NamedTuple):
    """A file that lies with an index."""

    name: str
    modified: float
    """When it was written, in seconds since 1970."""


class Originals(ABC):
    """Files that lie with an index. Where they cannot be stored, an `OSError` or an `OutputError` is raised."""

    @abstractmethod
    def write(self, name: str, data: bytes) -> None:
        """Stores a file, in place of one of that name. It is durable when this returns."""

    @abstractmethod
    def naming(self, names: Mapping[str, str]) -> AbstractContextManager[None]:
        """Gives files second names (old to new) when the block ends without an error. What can be done for it before is
        done before, so that little can fail then."""

    @abstractmethod
    def digest(self, name: str) -> str | None:
        """The SHA-256 of a file; None where there is none."""

    @abstractmethod
    def at_hand(self, name: str) -> AbstractContextManager[Path | None]:
        """A path by which a file can be read within the block; None where there is no such file."""

    @abstractmethod
    def delete(self, names: Iterable[str]) -> None:
        """Deletes files; names of none are passed over."""

    @abstractmethod
    def files(self, area: str) -> Sequence[OriginalFile]:
        """The files of an area, by name."""

    @abstractmethod
    def clean(self) -> None:
        """Deletes what killed processes left behind. Nobody else may be writing."""


class FolderOriginals(Originals):
    """Files in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def write(self, name: str, data: bytes) -> None:
        path = self._made(name)
        with atomic_file(path, durable=True, private=True) as out:
            out.write(data)

    @contextmanager
    def naming(self, names: Mapping[str, str]) -> Iterator[None]:
        scratches = {}
        try:
            for at, (old, new) in enumerate(names.items()):
                path = self._made(new)
                scratch = path.with_name(f"{NEW}{at}.{os.getpid()}")
                scratch.unlink(missing_ok=True)
                scratches[scratch] = path
                _link(self.folder / old, scratch)
            yield
            for scratch, path in scratches.items():
                scratch.replace(path)
            for folder in {path.parent for path in scratches.values()}:
                flush_folder(folder)
        finally:
            for scratch in scratches:
                scratch.unlink(missing_ok=True)

    def digest(self, name: str) -> str | None:
        try:
            with (self.folder / name).open("rb") as file:
                return file_digest(file, "sha256").hexdigest()
        except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
            return None

    @contextmanager
    def at_hand(self, name: str) -> Iterator[Path | None]:
        path = self.folder / name
        yield path if path.is_file() else None

    def delete(self, names: Iterable[str]) -> None:
        for name in names:
            path = self.folder / name
            if path.is_file() or path.is_symlink():
                path.unlink(missing_ok=True)
            with suppress(OSError):  # folders go with their last file
                for folder in list(PurePosixPath(name).parents)[:-2]:
                    (self.folder / folder).rmdir()

    def files(self, area: str) -> Sequence[OriginalFile]:
        found = []
        for path in sorted((self.folder / area).rglob("*")):
            with suppress(OSError):  # it may go meanwhile
                if path.is_file() and not path.name.startswith("."):
                    name = path.relative_to(self.folder).as_posix()
                    found.append(OriginalFile(name, path.stat().st_mtime))
        return found

    def clean(self) -> None:
        for path in self.folder.rglob(f"{NEW}*"):
            path.unlink(missing_ok=True)

    def _made(self, name: str) -> Path:
        """The path of a file, whose folders are there."""
        path = self.folder / name
        for folder in reversed(list(PurePosixPath(name).parents)[:-1]):
            (self.folder / folder).mkdir(mode=0o700, exist_ok=True)
        return path


class MemoryOriginals(Originals):
    """Files in memory."""

    def __init__(self) -> None:
        self._kept: dict[str, tuple[bytes, float]] = {}

    def write(self, name: str, data: bytes) -> None:
        self._kept[name] = data, time()

    @contextmanager
    def naming(self, names: Mapping[str, str]) -> Iterator[None]:
        found = {new: self._kept[old] for old, new in names.items()}
        yield
        self._kept |= found

    def digest(self, name: str) -> str | None:
        return sha256(self._kept[name][0]).hexdigest() if name in self._kept else None

    def at_hand(self, name: str) -> AbstractContextManager[Path | None]:
        return file_at_hand(name, self._kept[name][0] if name in self._kept else None)

    def delete(self, names: Iterable[str]) -> None:
        for name in names:
            self._kept.pop(name, None)

    def files(self, area: str) -> Sequence[OriginalFile]:
        kept = sorted(self._kept.items())
        return [OriginalFile(name, at) for name, (_, at) in kept if name.startswith(f"{area}/")]

    def clean(self) -> None:
        """Nothing outlives the process."""


@contextmanager
def file_at_hand(name: str, data: bytes | None) -> Iterator[Path | None]:
    """A file under its own name for the time of the block, for programs that read paths."""
    if data is None:
        yield None
        return
    with TemporaryDirectory(prefix="pincite-") as folder:
        path = Path(folder) / PurePosixPath(name).name
        path.write_bytes(data)
        yield path


def _link(path: Path, to: Path) -> None:
    """A second name for a file, or a copy where the file system has none."""
    try:
        to.hardlink_to(path)
    except FileNotFoundError:
        raise
    except OSError:
        with atomic_file(to, durable=True, private=True) as out:
            out.write(path.read_bytes())
