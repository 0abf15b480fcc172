"""Reads one file of any format. A container gives one document for each part that can be read."""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from pincite.documents.failures import Unreadable
from pincite.documents.formats import FileFormat, format_of_suffix
from pincite.documents.limits import Limits, UnpackBudget
from pincite.documents.part import Container, ContainerPart, fresh_name, safe_name
from pincite.documents.profile import titled
from pincite.documents.recognition import recognise
from pincite.documents.regular_file import NotRegularError, open_regular
from pincite.documents.request import OCR_LANGUAGE, ReadRequest
from pincite.text import Document


@dataclass(frozen=True, slots=True)
class FileReading:
    """The documents in a file, notes for the user, and the parts that could not be read."""

    documents: tuple[Document, ...]
    notes: tuple[str, ...] = ()
    failures: tuple[Unreadable, ...] = ()

    @classmethod
    def failed(cls, error: Unreadable) -> "FileReading":
        """The reading of a file that cannot be read."""
        return cls((), (), (error,))


def read_file(
    path: Path,
    document_id: str,
    limits: Limits = Limits(),  # noqa: B008
    ocr: bool = True,
    ocr_language: str = OCR_LANGUAGE,
    on_page: Callable[[int, int], None] | None = None,
) -> FileReading:
    """Read the documents in a file. Raises `Unreadable` if nothing in it can be read.

    `on_page` is told (done, all) while scanned pages are recognised.
    """
    return read_bytes(file_bytes(path, limits), str(path), document_id, limits, ocr, ocr_language, on_page)


def file_bytes(path: Path, limits: Limits = Limits()) -> bytes:  # noqa: B008
    """The bytes of a file within the limits; `Unreadable` if it cannot be opened."""
    try:
        with open_regular(path) as file:
            size = os.fstat(file.fileno()).st_size
            if size > limits.file_bytes:
                advice = f"has {size:,} bytes, the limit is {limits.file_bytes:,}; split it, or raise Limits.file_bytes"
                raise Unreadable(str(path), "too large", advice)
            return file.read()
    except NotRegularError as error:
        raise Unreadable(str(path), "cannot be opened", f"cannot be read ({error.strerror}); leave it out") from None
    except FileNotFoundError as error:
        where = "is a link that leads nowhere" if path.is_symlink() else f"cannot be opened ({error.strerror})"
        raise Unreadable(str(path), "cannot be opened", f"{where}; check that it exists") from None
    except OSError as error:
        advice = f"cannot be opened ({error.strerror}); check that it exists and that you may read it"
        raise Unreadable(str(path), "cannot be opened", advice) from None


def read_bytes(
    data: bytes,
    name: str,
    document_id: str,
    limits: Limits = Limits(),  # noqa: B008
    ocr: bool = True,
    ocr_language: str = OCR_LANGUAGE,
    on_page: Callable[[int, int], None] | None = None,
) -> FileReading:
    """Read the documents in the bytes of a file. `name` is its path, for messages and for `Source.path`."""
    budget = UnpackBudget(limits, len(data))
    return _read(ReadRequest(data, name, document_id, limits, 0, ocr, ocr_language, on_page, budget))


def memory_failure(name: str, limits: Limits) -> Unreadable:
    """The error for a file that needs more memory than it may use."""
    advice = f"needs more than {limits.memory_bytes:,} bytes of memory; split it, or raise Limits.memory_bytes"
    return Unreadable(name, "took too much memory", advice)


def _read(request: ReadRequest) -> FileReading:
    kind = "a document"
    try:
        file_format = recognise(request)
        kind = file_format.name
        _note_wrong_suffix(request, file_format)
        result = file_format.load_reader()(request)
        if isinstance(result, Document):
            request.budget.count_characters(request.name, len(result.text))
            return FileReading((titled(result),), tuple(request.notes), tuple(request.failures))
        return _read_parts(request, result)
    except Unreadable:
        raise
    except MemoryError:
        raise memory_failure(request.name, request.limits) from None
    except Exception as error:
        raise _damaged(request, kind, error) from error


def _damaged(request: ReadRequest, kind: str, error: Exception) -> Unreadable:
    """The error for a file that its parser rejects. Parsers raise exceptions of many types on malformed files."""
    cause = f"{type(error).__name__}: {' '.join(str(error).split())[:200]}"
    advice = f"cannot be read as {kind} ({cause}); save it again with the program that created it"
    return request.failure("damaged", advice)


def _note_wrong_suffix(request: ReadRequest, file_format: FileFormat) -> None:
    """Add a note if the suffix of a file promises another format than its content has."""
    promised = format_of_suffix(request.suffix)
    if promised is not None and promised != file_format:
        name = file_format.name
        request.note(f"named {request.suffix}, but its content is {name}; read as {name}")


def _read_parts(request: ReadRequest, container: Container) -> FileReading:
    """Read the container's own document and every part that can be read."""
    documents = [titled(container.document)] if container.document else []
    notes = list(request.notes)
    failures: list[Unreadable] = []
    taken: set[str] = set()
    for part in _parts(request, container):
        reading = _read_part(request, part, fresh_name(safe_name(part.name), taken))
        documents += reading.documents
        notes += reading.notes
        failures += reading.failures
    if not documents and not failures:
        raise request.failure("empty", "holds nothing that can be read; leave it out")
    return FileReading(tuple(documents), tuple(notes), tuple(failures))


def _read_part(request: ReadRequest, part: ContainerPart, name: str) -> FileReading:
    if isinstance(part.content, Unreadable):
        return FileReading.failed(part.content)
    inner = request.for_part(name, part.content)
    try:
        _check_depth(inner)
        return _read(inner)
    except Unreadable as error:
        return FileReading.failed(error)


def _check_depth(request: ReadRequest) -> None:
    """Refuse a container inside too many others."""
    limit = request.limits.depth
    if request.depth <= limit:
        return
    if recognise(ReadRequest(request.data, request.name, request.document_id)).is_container:
        advice = (
            f"is nested more than {limit} deep and may be a zip bomb; "
            "unpack it yourself if you trust it, or raise Limits.depth"
        )
        raise request.failure("too large", advice)


def _parts(request: ReadRequest, container: Container) -> Iterator[ContainerPart]:
    """The parts of a container. An error between two parts ends the iteration, but keeps the parts before it."""
    begun = container.document is not None
    try:
        for part in container.parts:
            begun = True
            yield part
    except MemoryError:
        raise
    except Exception as error:  # noqa: BLE001  (any parser, any exception: see _damaged)
        failure = error if isinstance(error, Unreadable) else _damaged(request, "a container", error)
        if not begun:
            raise failure from None
        yield ContainerPart("", failure)
