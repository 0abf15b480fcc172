"""The client for ordinary programs."""

import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar

from pincite.client import calls
from pincite.client.calls import Call
from pincite.client.models import ComparedDocument, DocumentInfo, DocumentText, NewText, SearchAnswer, StoredFile
from pincite.client.sending import Connection, answer_of, check_version
from pincite.errors import UsageError

try:
    import httpx
except ImportError:
    raise UsageError("the client needs httpx: pip install 'pincite[client]'") from None

T = TypeVar("T")


class Client:
    """A connection to a server.

    with Client("http://127.0.0.1:8080", key="...") as client:
        for hit in client.search("May the tenant underlet?", k=3).hits:
            print(hit.citation, hit.text)

    `key` is an API key of `pincite keys add`; `collection` the one that is meant, the server's first one if empty. The
    first call makes sure that the server is of the same version, unless `check` is False. A busy server and broken
    connections are tried again, `retries` times. `transport` is httpx's, for tests and proxies.
    """

    def __init__(
        self,
        url: str,
        *,
        key: str = "",
        collection: str = "",
        timeout: float = 60.0,
        retries: int = 3,
        check: bool = True,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        self.connection = Connection(url, key, timeout, retries)
        self.collection = collection
        self._unchecked = check
        self._http = httpx.Client(
            base_url=self.connection.base, headers=self.connection.headers, timeout=timeout, transport=transport
        )

    def close(self) -> None:
        self._http.close()

    def __enter__(self) -> "Client":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # Searching

    def search(
        self,
        query: str,
        k: int = 10,
        *,
        filters: Mapping[str, Any] | None = None,
        fast: bool = False,
        granularity: str = "sentence",
        explain: bool = False,
    ) -> SearchAnswer:
        """The passages that answer a question, best first."""
        options = {"k": k, "fast": fast, "granularity": granularity, "explain": explain, **self._where(filters)}
        return self._send(calls.search(query, options))

    def search_many(
        self, queries: Sequence[str], k: int = 10, *, filters: Mapping[str, Any] | None = None, fast: bool = False
    ) -> list[SearchAnswer]:
        """The answers to several questions, in their order."""
        return self._send(calls.search_many(queries, {"k": k, "fast": fast, **self._where(filters)}))

    def compare(self, query: str, *, filters: Mapping[str, Any] | None = None) -> list[ComparedDocument]:
        """One question asked of many documents."""
        return self._send(calls.compare(query, self._where(filters)))

    # Documents

    def documents(
        self, *, kind: str = "", party: str = "", after: str = "", before: str = ""
    ) -> Iterator[DocumentInfo]:
        """All documents that match, page by page."""
        given = {"kind": kind, "party": party, "after": after, "before": before}
        params = {**self._params, **{key: value for key, value in given.items() if value}}
        cursor = ""
        while True:
            page, cursor = self._send(calls.documents(cursor, params))
            yield from page
            if not cursor:
                return

    def document(self, document_id: str) -> DocumentInfo:
        return self._send(calls.document(document_id, self._params))

    def text(self, document_id: str, start: int | None = None, end: int | None = None) -> DocumentText:
        """The text of a document, or a range of it."""
        return self._send(calls.text(document_id, start, end, self._params))

    def page_image(self, document_id: str, page: int, start: int | None = None, end: int | None = None) -> bytes:
        """A page of a PDF file as PNG, with a range of the text highlighted."""
        return self._send(calls.page_image(document_id, page, start, end, self._params))

    def collections(self) -> list[dict[str, Any]]:
        return self._send(calls.collections())

    # Changing

    def upload(
        self,
        *files: str | Path | tuple[str, bytes],
        metadata: Mapping[str, str] | None = None,
        replace: bool = False,
    ) -> list[StoredFile]:
        """Sends files: paths, or names with their content, and waits until they are searchable. `metadata` applies to
        each."""
        return self._send(calls.upload(files, metadata or {}, replace=replace, params=self._params))

    def add_texts(self, texts: Sequence[NewText], *, overwrite: bool = False) -> list[StoredFile]:
        """Stores texts under ids of one's own."""
        return self._send(calls.add_texts(texts, overwrite=overwrite, params=self._params))

    def update(self, document_id: str, **said: Any) -> DocumentInfo:
        """Corrects title, kind, parties or date, or sets metadata: `update(id, metadata={"matter": "4711"})`."""
        return self._send(calls.update(document_id, said, self._params))

    def delete(self, document_id: str) -> int:
        return self._send(calls.delete(document_id, self._params))

    @property
    def _params(self) -> dict[str, str]:
        return {"collection": self.collection} if self.collection else {}

    def _where(self, filters: Mapping[str, Any] | None) -> dict[str, Any]:
        return {**({"filters": dict(filters)} if filters else {}), **self._params}

    def _send(self, call: Call[T]) -> T:
        if self._unchecked:
            self._unchecked = False
            try:
                check_version(self.connection.base, self._sent(calls.health()))
            except BaseException:
                self._unchecked = True
                raise
        return self._sent(call)

    def _sent(self, call: Call[T]) -> T:
        attempt = 0
        while True:
            status, content, headers = 0, b"", httpx.Headers()
            try:
                response = self._http.request(
                    call.method,
                    call.path,
                    params=dict(call.params),
                    json=call.json,
                    files=list(call.files) or None,
                    data=dict(call.form) or None,
                )
                status, content, headers = response.status_code, response.content, response.headers
            except httpx.TransportError as error:
                if not self.connection.again(call, attempt, 0):
                    raise self.connection.unreachable(error) from None
            if status and not self.connection.again(call, attempt, status):
                answer: T = answer_of(call, status, content)
                return answer
            time.sleep(self.connection.pause(attempt, headers))
            attempt += 1
