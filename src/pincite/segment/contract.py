"""The contract of a segmenter: a document in, its passages out, in order and with exact offsets."""

from collections.abc import Iterator
from typing import ClassVar, Protocol, runtime_checkable

from pincite.text import Document, Passage


@runtime_checkable
class Segmenter(Protocol):
    """A frozen dataclass whose fields are its settings.

    Passages are in order of their start. None is empty or outside the text. If `covers` is true, every character that
    is not white space is in at least one passage.
    """

    name: ClassVar[str]
    covers: ClassVar[bool]

    def __call__(self, document: Document) -> Iterator[Passage]: ...
