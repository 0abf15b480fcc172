"""Reads one file, whatever its format: a plain file gives a document, a zip or an e-mail one for each part."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from pincite.documents.failures import Unreadable
from pincite.documents.request import ReadRequest
from pincite.documents.limits import Limits, Spent
from pincite.documents.part import Container, ContainerPart, fresh_name, safe_name
from pincite.documents.formats import SUFFIX_FORMATS, sniff
from pincite.text import Document

Reader = Callable[[ReadRequest], Document | Container]


@dataclass(frozen=True, slots=True)
class FileReading:
    """What a file gave: documents, things worth knowing, and what inside it could not be read."""

    documents: tuple[Document, ...]
    notes: tuple[str, ...] = ()
    failures: tuple[Unreadable, ...] = ()


def read_file(path: Path, document_id: str, limits: Limits = Limits(), ocr: bool = True) -> FileReading:  # noqa: B008
    """The documents in a file. One that cannot be read at all raises `Unreadable`."""
    try:
        size = path.stat().st_size
        if size > limits.file_bytes:
            raise Unreadable(
                str(path),
                "too large",
                f"has {size:,} bytes, the limit is {limits.file_bytes:,}; split it, or raise Limits.file_bytes",
            )
        data = path.read_bytes()
    except OSError as error:
        raise Unreadable(
            str(path), "cannot be opened", f"cannot be opened ({error.strerror}); check that you may read it"
        ) from None
    return read_bytes(data, str(path), document_id, limits, 0, ocr)


def read_bytes(
    data: bytes,
    name: str,
    document_id: str,
    limits: Limits = Limits(),  # noqa: B008
    depth: int = 0,
    ocr: bool = True,
    spent: Spent | None = None,
) -> FileReading:
    """The documents in a file's bytes. `depth` says inside how many containers it was found."""
    given = ReadRequest(data, name, document_id, limits, depth, ocr, spent or Spent(limits))
    form = "a document"
    try:
        form = sniff(given)
        _note_name(given, form)
        result = _reader(form)(given)
        if isinstance(result, Document):
            return FileReading((result,), tuple(given.notes))
        return _read_parts(given, result)
    except Unreadable:
        raise
    except MemoryError:
        raise given.failure(
            "took too much memory",
            f"needs more than {limits.memory_bytes:,} bytes; split it, or raise Limits.memory_bytes",
        ) from None
    except Exception as error:
        raise _damaged(given, form, error) from error


def _damaged(given: ReadRequest, form: str, error: Exception) -> Unreadable:
    """Whatever a parser of other people's files raises means that the file is not as it should be."""
    said = " ".join(str(error).split())[:200]
    return given.failure(
        "damaged", f"cannot be read as {form} ({type(error).__name__}: {said}); save it anew with its own program"
    )


def _note_name(given: ReadRequest, form: str) -> None:
    """Says so where a file's suffix promises another format than its content has."""
    expected = SUFFIX_FORMATS.get(given.suffix)
    if expected is not None and expected != form:
        given.notes.append(f"{given.name}: named {given.suffix}, but its content is {form}; read as {form}")


def _read_parts(given: ReadRequest, container: Container) -> FileReading:
    """A container's own document, then what is inside it, as far as it can be read."""
    documents = [container.document] if container.document else []
    notes, failures = list(given.notes), []
    taken: set[str] = set()
    for part in _each(given, container):
        name = fresh_name(safe_name(part.name), taken)
        if isinstance(part.content, Unreadable):
            failures.append(part.content)
            continue
        inner_name, inner_id = f"{given.name}/{name}", f"{given.document_id}/{name}"
        try:
            if given.depth + 1 > given.limits.depth and _is_container(part.content, inner_name):
                raise Unreadable(
                    inner_name,
                    "too large",
                    f"is nested more than {given.limits.depth} deep and may be a zip bomb; "
                    "unpack it yourself if you trust it, or raise Limits.depth",
                )
            inner = read_bytes(
                part.content, inner_name, inner_id, given.limits, given.depth + 1, given.ocr, given.spent
            )
        except Unreadable as error:
            failures.append(error)
            continue
        documents += inner.documents
        notes += inner.notes
        failures += inner.failures
    if not documents and not failures:
        raise given.failure("empty", "holds nothing that could be read; leave it out")
    return FileReading(tuple(documents), tuple(notes), tuple(failures))


def _each(given: ReadRequest, container: Container) -> Iterator[ContainerPart]:
    """The parts; an error between them ends them, but does not undo those that came before."""
    begun = container.document is not None
    try:
        for part in container.parts:
            begun = True
            yield part
    except MemoryError:
        raise
    except Exception as error:  # noqa: BLE001  (as above)
        failure = error if isinstance(error, Unreadable) else _damaged(given, "a container", error)
        if not begun:
            raise failure from None
        yield ContainerPart("", failure)


def _is_container(data: bytes, name: str) -> bool:
    return sniff(ReadRequest(data, name, name)) in ("zip", "eml", "msg")


def _reader(form: str) -> Reader:
    """The reader of a format; each is imported only when it is needed."""
    from pincite.documents import doc, docx, html, mail, markdown, msg, pdf, rtf, text_file, xlsx, zip_file

    readers: dict[str, Reader] = {
        "text": text_file.read_text,
        "markdown": markdown.read_markdown,
        "pdf": pdf.read_pdf,
        "docx": docx.read_docx,
        "xlsx": xlsx.read_xlsx,
        "html": html.read_html,
        "rtf": rtf.read_rtf,
        "doc": doc.read_doc,
        "eml": mail.read_mail,
        "msg": msg.read_msg,
        "zip": zip_file.read_zip,
    }
    return readers[form]
