"""A typed client of a Pincite server: `Client` and `AsyncClient`; `LocalClient` does the same with a folder's index.

Needs the extra `client` (httpx): pip install 'pincite[client]'
"""

from typing import TYPE_CHECKING, Any

from pincite.client.errors import ClientError, ServerProblem
from pincite.client.local import LocalClient
from pincite.client.models import (
    AnswerBox,
    AnswerHit,
    AnswerPart,
    AnswerSpanText,
    BackupInfo,
    CasePassage,
    CasesLike,
    CollectionInfo,
    ComparedDocument,
    DocumentInfo,
    DocumentText,
    FoundCase,
    JudgmentInfo,
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

if TYPE_CHECKING:
    from pincite.client.asynchronous import AsyncClient
    from pincite.client.synchronous import Client

_HTTP = {"Client": "pincite.client.synchronous", "AsyncClient": "pincite.client.asynchronous"}


def __getattr__(name: str) -> Any:
    """The clients that need httpx are imported when they are asked for: `LocalClient` works without it."""
    from importlib import import_module

    if name not in _HTTP:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HTTP[name]), name)


__all__ = [
    "AnswerBox",
    "AnswerHit",
    "AnswerPart",
    "AnswerSpanText",
    "AsyncClient",
    "BackupInfo",
    "CasePassage",
    "CasesLike",
    "Client",
    "ClientError",
    "CollectionInfo",
    "ComparedDocument",
    "DocumentInfo",
    "DocumentText",
    "FoundCase",
    "JudgmentInfo",
    "LocalClient",
    "MatterInfo",
    "NewText",
    "OutlineHeading",
    "PassageText",
    "RemovalCount",
    "SearchAnswer",
    "ServerProblem",
    "StoredFile",
    "UnreadFile",
    "UploadJob",
]
