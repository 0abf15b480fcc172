"""Cases like a judgment, for the doors of the server: the judgment is one of the collection, a text, or a file."""

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pincite.documents.limits import Limits
from pincite.documents.workers import read_files
from pincite.serve.backend import Backend
from pincite.serve.errors import Invalid, NotReadable, TooLarge
from pincite.serve.uploads import check_content, checked_name
from pincite.text import Document, Filter

if TYPE_CHECKING:
    from pincite.cases.similar import SimilarAnswer


@dataclass(frozen=True, slots=True)
class CaseQuestion:
    """A judgment (`document` of the collection, or `text`), and what is wanted."""

    document: str = ""
    text: str = ""
    k: int = 10
    where: Filter | None = None
    later: bool = False
    """Also cases that were decided after the judgment."""
    date: str = ""
    """When it was decided, if its text does not say."""


def cases_like(backend: Backend, asked: CaseQuestion) -> "SimilarAnswer":
    """The cases of the collection that are most like a judgment."""
    if bool(asked.document) == bool(asked.text.strip()):
        raise Invalid("name a document of the collection, or give the text of a judgment: one of the two")
    if not 1 <= asked.k <= backend.settings.most_hits:
        raise Invalid(f"k must be from 1 to {backend.settings.most_hits}, not {asked.k}")
    if asked.document:
        case: str | Document = backend.loaded(backend.named(asked.document).id).document
    else:
        case = asked.text
    return backend.index.similar_cases(
        case, asked.k, asked.where, later=asked.later, date=asked.date, visible=backend.visible
    )


def text_of_file(backend: Backend, name: str, data: bytes) -> str:
    """The text of an uploaded judgment, which is read in a process of its own and not kept."""
    settings = backend.settings
    if len(data) > settings.file_bytes:
        raise TooLarge(f"{name}: has {len(data):,} bytes; the limit is {settings.file_bytes:,}")
    plain = checked_name(name)
    check_content(plain, data)
    limits = Limits(
        file_bytes=settings.file_bytes,
        seconds=settings.file_seconds,
        ocr_seconds=settings.file_seconds,
        memory_bytes=settings.file_memory_bytes,
    )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / plain
        path.write_bytes(data)
        (reading,) = read_files([(path, plain)], limits, processes=1)
    text = "\n\n".join(document.text for document in reading.documents)
    if not text.strip():
        said = "; ".join(str(failure).replace(f"{folder}/", "") for failure in reading.failures)
        raise NotReadable(said or f"{plain}: no text could be read")
    return text
