"""The few errors that Pincite raises: each message says what was wrong, where, and what to do."""


class PinciteError(Exception):
    """Anything that Pincite itself reports; the command line prints its message and exits with `exit_code`."""

    exit_code = 1


class UsageError(PinciteError):
    """A value cannot be used: an unknown name, `k` below 1. The message lists the legal ones."""

    exit_code = 2


class NotFoundError(UsageError):
    """There is no document of that name, or several; the message lists what there is."""


class DataError(PinciteError):
    """A folder, file, benchmark or prediction is missing, unreadable or contradicts itself."""


class DamagedDocumentError(DataError):
    """What an index has stored of a document is damaged. The rest of the index can be used without it."""

    def __init__(self, document_id: str, why: str) -> None:
        super().__init__(f"the stored document {document_id!r} is damaged ({why}); remove it, then add its file again")
        self.document_id, self.why = document_id, why


class ModelError(PinciteError):
    """A model is missing, incomplete or not the one it should be."""


class EngineUnavailable(PinciteError):  # noqa: N818
    """An engine did not answer in time or cannot be reached. The call may be repeated; nothing is half done."""


class ConflictError(PinciteError):
    """What was to be changed has been changed by somebody else meanwhile; look at it again."""


class OutputError(PinciteError):
    """A result cannot be written where it was asked for."""


def one_of(kind: str, name: str, legal: "list[str] | tuple[str, ...]") -> UsageError:
    """The error for an unknown `name`, which lists the legal ones.

    >>> str(one_of("retriever", "bm52", ["bm25", "tfidf"]))
    "unknown retriever 'bm52'; the legal ones are: bm25, tfidf"
    """
    return UsageError(f"unknown {kind} {name!r}; the legal ones are: {', '.join(legal)}")
