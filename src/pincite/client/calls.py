"""The requests of the client: what is sent, and how the answer is read. Sending them is up to the two clients."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from json import dumps
from pathlib import Path
from typing import Any, Generic, TypeVar
from urllib.parse import quote

from pincite.client.models import (
    ComparedDocument,
    DocumentInfo,
    DocumentText,
    NewText,
    SearchAnswer,
    StoredFile,
    parsed,
)
from pincite.errors import DataError

T = TypeVar("T")
PAGE = 200
"""Documents in a page of the listing."""


@dataclass(frozen=True, slots=True)
class Call(Generic[T]):
    """One request. Those that change nothing are sent again after a broken connection; all of them are where the server
    was too busy to begin."""

    method: str
    path: str
    read: Callable[[Any], T]
    params: Mapping[str, Any] = field(default_factory=dict)
    json: Any = None
    files: Sequence[tuple[str, tuple[str, bytes]]] = ()
    form: Mapping[str, str] = field(default_factory=dict)
    repeatable: bool = True
    binary: bool = False


def health() -> Call[Mapping[str, Any]]:
    return Call("GET", "/v1/health", dict)


def search(query: str, options: Mapping[str, Any]) -> Call[SearchAnswer]:
    return Call("POST", "/v1/search", lambda body: parsed(SearchAnswer, body), json={"query": query, **options})


def search_many(queries: Sequence[str], options: Mapping[str, Any]) -> Call[list[SearchAnswer]]:
    def read(body: Any) -> list[SearchAnswer]:
        return [parsed(SearchAnswer, answer) for answer in body["answers"]]

    return Call("POST", "/v1/search/batch", read, json={"queries": list(queries), **options})


def compare(query: str, options: Mapping[str, Any]) -> Call[list[ComparedDocument]]:
    def read(body: Any) -> list[ComparedDocument]:
        return [parsed(ComparedDocument, row) for row in body["rows"]]

    return Call("POST", "/v1/compare", read, json={"query": query, **options})


def documents(cursor: str, params: Mapping[str, Any]) -> Call[tuple[list[DocumentInfo], str]]:
    def read(body: Any) -> tuple[list[DocumentInfo], str]:
        return [parsed(DocumentInfo, entry) for entry in body["documents"]], body["next"] or ""

    return Call("GET", "/v1/documents", read, params={**params, "limit": PAGE, "cursor": cursor})


def document(document_id: str, params: Mapping[str, Any]) -> Call[DocumentInfo]:
    return Call("GET", _path(document_id), lambda body: parsed(DocumentInfo, body), params=params)


def text(document_id: str, start: int | None, end: int | None, params: Mapping[str, Any]) -> Call[DocumentText]:
    given = {key: value for key, value in {"start": start, "end": end}.items() if value is not None}
    return Call("GET", _path(document_id, "text"), lambda body: parsed(DocumentText, body), params={**params, **given})


def page_image(
    document_id: str, page: int, start: int | None, end: int | None, params: Mapping[str, Any]
) -> Call[bytes]:
    given = {key: value for key, value in {"start": start, "end": end}.items() if value is not None}
    return Call("GET", _path(document_id, f"pages/{page}"), bytes, params={**params, **given}, binary=True)


def upload(
    files: Sequence[str | Path | tuple[str, bytes]],
    metadata: Mapping[str, str],
    *,
    replace: bool,
    params: Mapping[str, Any],
) -> Call[list[StoredFile]]:
    form = {"wait": "true", **({"replace": "true"} if replace else {})}
    if metadata:
        form["metadata"] = dumps(dict(metadata))
    return Call(
        "POST",
        "/v1/documents",
        _stored,
        params=params,
        files=[("files", _file(given)) for given in files],
        form=form,
        repeatable=False,
    )


def add_texts(texts: Sequence[NewText], *, overwrite: bool, params: Mapping[str, Any]) -> Call[list[StoredFile]]:
    body = {"texts": [asdict(one) for one in texts], "overwrite": overwrite}
    return Call("POST", "/v1/documents", _stored, params=params, json=body, repeatable=False)


def update(document_id: str, said: Mapping[str, Any], params: Mapping[str, Any]) -> Call[DocumentInfo]:
    def read(body: Any) -> DocumentInfo:
        return parsed(DocumentInfo, body)

    return Call("PATCH", _path(document_id), read, params=params, json=dict(said))


def delete(document_id: str, params: Mapping[str, Any]) -> Call[int]:
    return Call("DELETE", _path(document_id), lambda body: int(body["removed"]), params=params, repeatable=False)


def collections() -> Call[list[dict[str, Any]]]:
    return Call("GET", "/v1/collections", lambda body: list(body["collections"]))


def _path(document_id: str, behind: str = "") -> str:
    """With its slashes written as %2F an id may end in anything."""
    return f"/v1/documents/{quote(document_id, safe='')}{'/' * bool(behind)}{behind}"


def _stored(body: Any) -> list[StoredFile]:
    return [parsed(StoredFile, entry) for entry in body["files"]]


def _file(given: str | Path | tuple[str, bytes]) -> tuple[str, bytes]:
    if isinstance(given, tuple):
        return given
    path = Path(given)
    try:
        return path.name, path.read_bytes()
    except OSError as error:
        raise DataError(f"{path}: cannot be read ({error.strerror})") from None
