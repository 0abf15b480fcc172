"""The client for programs with an event loop."""

import asyncio
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from types import TracebackType
from typing import Any, TypeVar

from pincite.client import calls, changes
from pincite.client.calls import Call, SentFile
from pincite.client.models import (
    BackupInfo,
    CasesLike,
    CollectionInfo,
    ComparedDocument,
    DocumentInfo,
    DocumentText,
    MatterInfo,
    NewText,
    OutlineHeading,
    PassageText,
    RemovalCount,
    SearchAnswer,
    StoredFile,
    UnreadFile,
    UploadJob,
)
from pincite.client.sending import PAUSE, Connection, answer_of, check_version, is_in_progress, still_reading
from pincite.errors import UsageError

try:
    import httpx
except ImportError:
    raise UsageError("the client needs httpx: pip install 'pincite[client]'") from None

T = TypeVar("T")


class AsyncClient:
    """A connection to a server.

    async with AsyncClient("http://127.0.0.1:8080", key="...") as client:
        answer = await client.search("May the tenant underlet?", k=3)

    `key` is an API key of `pincite keys add`; `collection` the one that is meant, the server's first one if empty. The
    first call makes sure that the server is of the same version, unless `check` is False. A busy server and broken
    connections are tried again, `retries` times; a change is made once all the same. `transport` is httpx's, for tests
    and proxies.
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
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self.connection = Connection(url, key, timeout, retries)
        self.collection = collection
        self._unchecked = check
        self._http = httpx.AsyncClient(
            base_url=self.connection.base, headers=self.connection.headers, timeout=timeout, transport=transport
        )

    async def aclose(self) -> None:
        await self._http.aclose()

    async def __aenter__(self) -> "AsyncClient":
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    # Searching

    async def search(
        self,
        query: str,
        k: int = 10,
        *,
        filters: Mapping[str, Any] | None = None,
        fast: bool = False,
        granularity: str = "sentence",
        explain: bool = False,
        offset: int = 0,
        generation: int | None = None,
    ) -> SearchAnswer:
        """The passages that answer a question, best first. `offset` skips some, for the next page; with `generation` of
        the first page an error tells that the collection has changed since."""
        options = {"k": k, "fast": fast, "granularity": granularity, "explain": explain, **self._where(filters)}
        page = {"offset": offset, **({} if generation is None else {"generation": generation})}
        return await self._send(calls.search(query, {**options, **page}))

    async def search_many(
        self, queries: Sequence[str], k: int = 10, *, filters: Mapping[str, Any] | None = None, fast: bool = False
    ) -> list[SearchAnswer]:
        """The answers to several questions, in their order."""
        return await self._send(calls.search_many(queries, {"k": k, "fast": fast, **self._where(filters)}))

    async def search_table(
        self,
        query: str,
        k: int = 10,
        *,
        form: str = "csv",
        filters: Mapping[str, Any] | None = None,
        fast: bool = False,
        offset: int = 0,
    ) -> bytes:
        """The passages as a file: csv, xlsx or docx."""
        options = {"k": k, "fast": fast, "offset": offset, **self._where(filters)}
        return await self._send(calls.table("/v1/search", query, form, options))

    async def compare(self, query: str, *, filters: Mapping[str, Any] | None = None) -> list[ComparedDocument]:
        """One question asked of many documents; those in which nothing was found come last."""
        return await self._send(calls.compare(query, self._where(filters)))

    async def compare_table(self, query: str, *, form: str = "csv", filters: Mapping[str, Any] | None = None) -> bytes:
        """A comparison as a file: csv, xlsx or docx."""
        return await self._send(calls.table("/v1/compare", query, form, self._where(filters)))

    async def similar_cases(
        self,
        document: str = "",
        *,
        text: str = "",
        k: int = 10,
        filters: Mapping[str, Any] | None = None,
        later: bool = False,
        date: str = "",
    ) -> CasesLike:
        """The cases most like a judgment: one of the collection, or the text of another. Those decided after it are
        left out unless `later`."""
        options = {"k": k, "later": later, "date": date, **self._where(filters)}
        return await self._send(calls.similar_cases(document, text, options))

    async def similar_cases_of_file(
        self,
        file: SentFile,
        *,
        k: int = 10,
        court: str = "",
        after: str = "",
        before: str = "",
        later: bool = False,
        date: str = "",
    ) -> CasesLike:
        """The cases most like a judgment in a file, which the server does not keep."""
        form = {"k": k, "court": court, "after": after, "before": before, "later": later, "date": date}
        return await self._send(calls.similar_cases_of_file(file, form, self._params))

    # Documents

    async def documents(
        self,
        *,
        kind: str = "",
        party: str = "",
        after: str = "",
        before: str = "",
        where: Mapping[str, Any] | None = None,
    ) -> AsyncIterator[DocumentInfo]:
        """All documents that match, page by page; `where` is a condition as in `filters`."""
        given = {"kind": kind, "party": party, "after": after, "before": before, **calls.condition(where)}
        params = {**self._params, **{key: value for key, value in given.items() if value}}
        cursor = ""
        while True:
            page, cursor = await self._send(calls.documents(cursor, params))
            for entry in page:
                yield entry
            if not cursor:
                return

    async def document(self, document_id: str) -> DocumentInfo:
        return await self._send(calls.document(document_id, self._params))

    async def text(self, document_id: str, start: int | None = None, end: int | None = None) -> DocumentText:
        """The text of a document, or a range of it."""
        return await self._send(calls.text(document_id, start, end, self._params))

    async def passage(self, document_id: str, start: int, end: int, *, around: int = 300) -> PassageText:
        """A range of a document's text with its citation and `around` characters on each side."""
        return await self._send(calls.passage(document_id, start, end, around, self._params))

    async def outline(self, document_id: str) -> list[OutlineHeading]:
        """The headings of a document."""
        return await self._send(calls.outline(document_id, self._params))

    async def page_image(self, document_id: str, page: int, start: int | None = None, end: int | None = None) -> bytes:
        """A page of a PDF file as PNG, with a range of the text highlighted."""
        return await self._send(calls.page_image(document_id, page, start, end, self._params))

    async def facets(
        self, *keys: str, where: Mapping[str, Any] | None = None, limit: int = 100
    ) -> dict[str, dict[str, int]]:
        """How many documents have each value of these keys, or of all, the most frequent first."""
        return await self._send(calls.facets(keys, where, limit, self._params))

    async def unread(self) -> list[UnreadFile]:
        """The files that could not be read, and why."""
        return await self._send(calls.unread(self._params))

    async def collections(self) -> list[CollectionInfo]:
        """The collections that one may search."""
        return await self._send(calls.collections())

    async def matters(self) -> list[MatterInfo]:
        """The matters that one may see."""
        return await self._send(calls.matters(self._params))

    # Changing

    async def upload(
        self,
        *files: SentFile,
        metadata: Mapping[str, str] | None = None,
        replace: bool = False,
        matter: str = "",
    ) -> list[StoredFile]:
        """Sends files: paths, or names with their content, and waits until they are searchable. `metadata` applies to
        each."""
        return await self._send(changes.upload(files, metadata or {}, matter, replace=replace, params=self._params))

    async def begin_upload(
        self,
        *files: SentFile,
        metadata: Mapping[str, str] | None = None,
        replace: bool = False,
        matter: str = "",
    ) -> UploadJob:
        """Sends files and does not wait until they are read; `wait` does."""
        return await self._send(
            changes.begin_upload(files, metadata or {}, matter, replace=replace, params=self._params)
        )

    async def job(self, job_id: str) -> UploadJob:
        """What has become of an upload."""
        return await self._send(calls.job(job_id, self._params))

    async def jobs(self) -> AsyncIterator[UploadJob]:
        """One's own uploads, the latest first; with an admin key those of everybody."""
        cursor = ""
        while True:
            page, cursor = await self._send(calls.jobs(cursor, self._params))
            for entry in page:
                yield entry
            if not cursor:
                return

    async def cancel(self, job_id: str) -> UploadJob:
        """Cancels what of an upload is not stored yet."""
        return await self._send(changes.cancel(job_id, self._params))

    async def wait(self, job: UploadJob | str, timeout: float = 600.0, *, pause: float = 0.5) -> UploadJob:
        """An upload when it is done; an error where it is not after `timeout` seconds. It goes on all the same."""
        found = await self.job(job) if isinstance(job, str) else job
        until = time.monotonic() + timeout
        while not found.is_done:
            if time.monotonic() >= until:
                raise still_reading(found, timeout)
            await asyncio.sleep(min(pause, max(0.0, until - time.monotonic())))
            found = await self.job(found.id)
        return found

    async def add_texts(self, texts: Sequence[NewText], *, overwrite: bool = False) -> list[StoredFile]:
        """Stores texts under ids of one's own."""
        return await self._send(changes.add_texts(texts, overwrite=overwrite, params=self._params))

    async def update(self, document_id: str, *, if_match: str = "", **said: Any) -> DocumentInfo:
        """Corrects title, kind, parties or date, or sets metadata: `update(id, metadata={"matter": "4711"})`. With
        `if_match` (`etag` of the document as one saw it) an error tells that somebody else has changed it."""
        return await self._send(changes.update(document_id, said, if_match, self._params))

    async def delete(self, document_id: str, *, if_match: str = "") -> int:
        """Removes a document; `if_match` as for `update`."""
        return await self._send(changes.delete(document_id, if_match, self._params))

    async def remove_where(self, filters: Mapping[str, Any], expected: int | None = None) -> RemovalCount:
        """Removes all documents that a filter admits, if they are `expected`; without it they are counted."""
        return await self._send(changes.remove_where(filters, expected, self._params))

    async def backup(self) -> BackupInfo:
        """Copies the collection into a new folder on the server; needs an admin key."""
        return await self._send(changes.backup(self._params))

    @property
    def _params(self) -> dict[str, str]:
        return {"collection": self.collection} if self.collection else {}

    def _where(self, filters: Mapping[str, Any] | None) -> dict[str, Any]:
        return {**({"filters": dict(filters)} if filters else {}), **self._params}

    async def _send(self, call: Call[T]) -> T:
        if self._unchecked:
            self._unchecked = False
            try:
                check_version(self.connection.base, await self._sent(calls.health()))
            except BaseException:
                self._unchecked = True
                raise
        return await self._sent(call)

    async def _sent(self, call: Call[T]) -> T:
        attempt, headers, until = 0, self.connection.headers_of(call), time.monotonic() + self.connection.timeout
        while True:
            status, content, said = 0, b"", httpx.Headers()
            try:
                response = await self._http.request(
                    call.method,
                    call.path,
                    params=dict(call.params),
                    json=call.json,
                    files=list(call.files) or None,
                    data=dict(call.form) or None,
                    headers=headers,
                )
                status, content, said = response.status_code, response.content, response.headers
            except httpx.TransportError as error:
                if not self.connection.again(call, attempt, 0):
                    raise self.connection.unreachable(error) from None
            if attempt and is_in_progress(status, content) and time.monotonic() < until:
                await asyncio.sleep(PAUSE)
                continue
            if status and not self.connection.again(call, attempt, status):
                answer: T = answer_of(call, status, content)
                return answer
            await asyncio.sleep(self.connection.pause(attempt, said))
            attempt += 1
