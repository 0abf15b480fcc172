"""Paths of documents that say exactly which id they mean, and texts that arrive where files do.

An id may contain slashes, so that `/v1/documents/a/text` is the text of `a`. Where the slashes of an id are written as
%2F, as generated clients write them, the id is taken as it is: `/v1/documents/a%2Ftext` is the document `a/text`.
"""

from urllib.parse import unquote

from starlette.types import ASGIApp, Receive, Scope, Send

DOCUMENTS = "/v1/documents"
TEXTS = "/v1/texts"
"""Where `POST /v1/documents` with JSON is handled, too. It has a path of its own because a client that
openapi-generator makes cannot send either files or JSON to the same one."""
SLASH = "\ue02f"
"""Stands for a slash inside an id while the route is looked for: a private character of Unicode."""


def exact_id(value: str) -> str:
    """The id as the client wrote it."""
    return value.replace(SLASH, "/")


class DocumentPaths:
    """Decides by the raw path, in which %2F and / still differ."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["path"].startswith(DOCUMENTS):
            scope["path"] = _path(scope)  # in place: the guard looks up the route here afterwards
        await self.app(scope, receive, send)


def _path(scope: Scope) -> str:
    path: str = scope["path"]
    if path == DOCUMENTS and scope["method"] == "POST":
        kind = dict(scope["headers"]).get(b"content-type", b"")
        return TEXTS if kind.partition(b";")[0].strip().lower() == b"application/json" else path
    raw = scope.get("raw_path") or b""
    first, slash, behind = raw.removeprefix(f"{DOCUMENTS}/".encode()).partition(b"/")
    if not raw.startswith(f"{DOCUMENTS}/".encode()) or b"%2f" not in first.lower():
        return path
    return f"{DOCUMENTS}/{_decoded(first).replace('/', SLASH)}{_decoded(slash + behind)}"


def _decoded(part: bytes) -> str:
    return unquote(part.decode("ascii", "replace"), errors="replace")
