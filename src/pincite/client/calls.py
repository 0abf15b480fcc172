"""The requests of the client that change nothing: what is sent, and how the answer is read. Sending them is up to the
two clients."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from json import dumps
from pathlib import Path
from typing import Any, Generic, TypeVar
from urllib.parse import quote

from pincite.client.models import (
    CasesLike,
    CollectionInfo,
    ComparedDocument,
    DocumentInfo,
    DocumentText,
    MatterInfo,
    OutlineHeading,
    PassageText,
    SearchAnswer,
    UnreadFile,
    UploadJob,
    parsed,
)
from pincite.compare.export import MEDIA_TYPES
from pincite.errors import DataError, UsageError, one_of

T = TypeVar("T")
PAGE = 200
"""Documents or jobs in a page of a listing."""
SentFile = str | Path | tuple[str, bytes]
"""A file to send: its path, or its name with its content."""


@dataclass(frozen=True, slots=True)
class Call(Generic[T]):
    """One request. A change carries a key of its own (Idempotency-Key), so that it too may be sent again after a broken
    connection."""

    method: str
    path: str
    read: Callable[[Any], T]
    params: Mapping[str, Any] = field(default_factory=dict)
    json: Any = None
    files: Sequence[tuple[str, tuple[str, bytes]]] = ()
    form: Mapping[str, str] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    is_change: bool = False
    is_binary: bool = False


def health() -> Call[Mapping[str, Any]]:
    return Call("GET", "/v1/health", dict)


# Searching


def search(query: str, options: Mapping[str, Any]) -> Call[SearchAnswer]:
    return Call("POST", "/v1/search", _one(SearchAnswer), json={"query": query, **options})


def search_many(queries: Sequence[str], options: Mapping[str, Any]) -> Call[list[SearchAnswer]]:
    return Call("POST", "/v1/search/batch", _many(SearchAnswer, "answers"), json={"queries": list(queries), **options})


def compare(query: str, options: Mapping[str, Any]) -> Call[list[ComparedDocument]]:
    return Call("POST", "/v1/compare", _many(ComparedDocument, "rows"), json={"query": query, **options})


def table(path: str, query: str, form: str, options: Mapping[str, Any]) -> Call[bytes]:
    """The answer to a search or a comparison as a file."""
    if form not in MEDIA_TYPES:
        raise one_of("format of an export", form, list(MEDIA_TYPES))
    return Call(
        "POST", path, bytes, json={"query": query, **options}, headers={"accept": MEDIA_TYPES[form]}, is_binary=True
    )


def similar_cases(document: str, text: str, options: Mapping[str, Any]) -> Call[CasesLike]:
    if bool(document) == bool(text.strip()):
        raise UsageError("name a document of the collection, or give the text of a judgment: one of the two")
    return Call("POST", "/v1/cases/like", _one(CasesLike), json={"document": document, "text": text, **options})


def similar_cases_of_file(file: SentFile, form: Mapping[str, Any], params: Mapping[str, Any]) -> Call[CasesLike]:
    said = {key: _plain(value) for key, value in form.items() if value}
    return Call(
        "POST", "/v1/cases/like/file", _one(CasesLike), params=params, files=[("file", content_of(file))], form=said
    )


# Documents


def documents(cursor: str, params: Mapping[str, Any]) -> Call[tuple[list[DocumentInfo], str]]:
    def read(body: Any) -> tuple[list[DocumentInfo], str]:
        return [parsed(DocumentInfo, entry) for entry in body["documents"]], body["next"] or ""

    return Call("GET", "/v1/documents", read, params={**params, "limit": PAGE, "cursor": cursor})


def document(document_id: str, params: Mapping[str, Any]) -> Call[DocumentInfo]:
    return Call("GET", path_of(document_id), _one(DocumentInfo), params=params)


def text(document_id: str, start: int | None, end: int | None, params: Mapping[str, Any]) -> Call[DocumentText]:
    return Call("GET", path_of(document_id, "text"), _one(DocumentText), params={**params, **_range(start, end)})


def passage(document_id: str, start: int, end: int, around: int, params: Mapping[str, Any]) -> Call[PassageText]:
    given = {**params, "start": start, "end": end, "around": around}
    return Call("GET", path_of(document_id, "passage"), _one(PassageText), params=given)


def outline(document_id: str, params: Mapping[str, Any]) -> Call[list[OutlineHeading]]:
    return Call("GET", path_of(document_id, "outline"), _many(OutlineHeading, "headings"), params=params)


def page_image(
    document_id: str, page: int, start: int | None, end: int | None, params: Mapping[str, Any]
) -> Call[bytes]:
    given = {**params, **_range(start, end)}
    return Call("GET", path_of(document_id, f"pages/{page}"), bytes, params=given, is_binary=True)


def facets(
    keys: Sequence[str], where: Mapping[str, Any] | None, limit: int, params: Mapping[str, Any]
) -> Call[dict[str, dict[str, int]]]:
    def read(body: Any) -> dict[str, dict[str, int]]:
        return {key: {one["value"]: one["count"] for one in values} for key, values in body["facets"].items()}

    given = {**params, **condition(where), "limit": limit, **({"key": list(keys)} if keys else {})}
    return Call("GET", "/v1/facets", read, params=given)


def unread(params: Mapping[str, Any]) -> Call[list[UnreadFile]]:
    return Call("GET", "/v1/unread", _many(UnreadFile, "files"), params=params)


def job(job_id: str, params: Mapping[str, Any]) -> Call[UploadJob]:
    return Call("GET", f"/v1/jobs/{quote(job_id, safe='')}", _one(UploadJob), params=params)


def jobs(cursor: str, params: Mapping[str, Any]) -> Call[tuple[list[UploadJob], str]]:
    def read(body: Any) -> tuple[list[UploadJob], str]:
        return [parsed(UploadJob, entry) for entry in body["jobs"]], body["next"] or ""

    return Call("GET", "/v1/jobs", read, params={**params, "limit": PAGE, "cursor": cursor})


# The server


def collections() -> Call[list[CollectionInfo]]:
    return Call("GET", "/v1/collections", _many(CollectionInfo, "collections"))


def matters(params: Mapping[str, Any]) -> Call[list[MatterInfo]]:
    return Call("GET", "/v1/matters", _many(MatterInfo, "matters"), params=params)


# What requests are made of


def path_of(document_id: str, behind: str = "") -> str:
    """With its slashes written as %2F an id may end in anything."""
    return f"/v1/documents/{quote(document_id, safe='')}{'/' * bool(behind)}{behind}"


def condition(where: Mapping[str, Any] | None) -> dict[str, str]:
    """A condition as a query parameter."""
    return {"where": dumps(dict(where))} if where else {}


def content_of(given: SentFile) -> tuple[str, bytes]:
    """The name and the content of a file."""
    if isinstance(given, tuple):
        return given
    path = Path(given)
    try:
        return path.name, path.read_bytes()
    except OSError as error:
        raise DataError(f"{path}: cannot be read ({error.strerror})") from None


def _one(kind: type[T]) -> Callable[[Any], T]:
    return lambda body: parsed(kind, body)


def _many(kind: type[T], name: str) -> Callable[[Any], list[T]]:
    return lambda body: [parsed(kind, entry) for entry in body[name]]


def _range(start: int | None, end: int | None) -> dict[str, int]:
    return {key: value for key, value in {"start": start, "end": end}.items() if value is not None}


def _plain(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
