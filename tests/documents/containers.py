"""Helpers for the tests of containers."""

from pincite.documents import Limits
from pincite.documents.read import FileReading, read_bytes


def read(data: bytes, name: str = "a.zip", limits: Limits = Limits()) -> FileReading:  # noqa: B008
    return read_bytes(data, f"box/{name}", name, limits)


def ids(reading: FileReading) -> list[str]:
    return [document.id for document in reading.documents]
