"""The requests of the client that change something. Each is made once, however often it has to be sent."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from json import dumps
from typing import Any
from urllib.parse import quote

from pincite.client.calls import Call, SentFile, content_of, path_of
from pincite.client.models import BackupInfo, DocumentInfo, NewText, RemovalCount, StoredFile, UploadJob, parsed


def upload(
    files: Sequence[SentFile], metadata: Mapping[str, str], matter: str, *, replace: bool, params: Mapping[str, Any]
) -> Call[list[StoredFile]]:
    """Files that are searchable when the answer comes."""
    return Call(
        "POST",
        "/v1/documents",
        _stored,
        params=params,
        files=_sent(files),
        form={**_form(metadata, matter, replace), "wait": "true"},
        is_change=True,
    )


def begin_upload(
    files: Sequence[SentFile], metadata: Mapping[str, str], matter: str, *, replace: bool, params: Mapping[str, Any]
) -> Call[UploadJob]:
    """Files that are received when the answer comes."""

    def read(body: Any) -> UploadJob:
        if "state" in body:
            return parsed(UploadJob, body)
        done = tuple(_stored(body))  # everything was decided at once
        return UploadJob("", "done", "", len(done), len(done), (), done, "", None, None)

    form = _form(metadata, matter, replace)
    return Call("POST", "/v1/documents", read, params=params, files=_sent(files), form=form, is_change=True)


def add_texts(texts: Sequence[NewText], *, overwrite: bool, params: Mapping[str, Any]) -> Call[list[StoredFile]]:
    body = {"texts": [asdict(one) for one in texts], "overwrite": overwrite}
    return Call("POST", "/v1/documents", _stored, params=params, json=body, is_change=True)


def update(document_id: str, said: Mapping[str, Any], if_match: str, params: Mapping[str, Any]) -> Call[DocumentInfo]:
    def read(body: Any) -> DocumentInfo:
        return parsed(DocumentInfo, body)

    headers = _matching(if_match)
    return Call("PATCH", path_of(document_id), read, params=params, json=dict(said), headers=headers, is_change=True)


def delete(document_id: str, if_match: str, params: Mapping[str, Any]) -> Call[int]:
    headers = _matching(if_match)
    return Call(
        "DELETE",
        path_of(document_id),
        lambda body: int(body["removed"]),
        params=params,
        headers=headers,
        is_change=True,
    )


def remove_where(filters: Mapping[str, Any], expected: int | None, params: Mapping[str, Any]) -> Call[RemovalCount]:
    body = {"filters": dict(filters), **params, **({} if expected is None else {"expected": expected})}
    is_change = expected is not None
    return Call("POST", "/v1/removals", lambda found: parsed(RemovalCount, found), json=body, is_change=is_change)


def cancel(job_id: str, params: Mapping[str, Any]) -> Call[UploadJob]:
    path = f"/v1/jobs/{quote(job_id, safe='')}"
    return Call("DELETE", path, lambda body: parsed(UploadJob, body), params=params, is_change=True)


def backup(params: Mapping[str, Any]) -> Call[BackupInfo]:
    return Call("POST", "/v1/backups", lambda body: parsed(BackupInfo, body), params=params, is_change=True)


def _sent(files: Sequence[SentFile]) -> list[tuple[str, tuple[str, bytes]]]:
    return [("files", content_of(given)) for given in files]


def _form(metadata: Mapping[str, str], matter: str, replace: bool) -> dict[str, str]:
    given = {"metadata": dumps(dict(metadata)) if metadata else "", "matter": matter, "replace": "true" * replace}
    return {key: value for key, value in given.items() if value}


def _matching(if_match: str) -> dict[str, str]:
    return {"if-match": if_match} if if_match else {}


def _stored(body: Any) -> list[StoredFile]:
    return [parsed(StoredFile, entry) for entry in body["files"]]
