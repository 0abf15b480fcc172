"""What a server answers, typed: the shapes of its OpenAPI document that programs use.

A test compares the fields with the document. Fields that a newer server adds are passed over.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from pincite.client.errors import ClientError

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class AnswerBox:
    """A rectangle on a page (counted from 1), in points from its lower left corner."""

    page: int
    left: float
    bottom: float
    right: float
    top: float


@dataclass(frozen=True, slots=True)
class AnswerSpanText:
    """A part of an answer; `role` is answer or lead-in."""

    start: int
    end: int
    role: str
    text: str


@dataclass(frozen=True, slots=True)
class AnswerPart:
    """The score and rank that one part of the search gave."""

    score: float
    rank: int | None = None


@dataclass(frozen=True, slots=True)
class AnswerHit:
    """A passage: `text` is exactly the document's text from `start` to `end`."""

    rank: int
    score: float
    document: str
    title: str
    page: int | None
    start: int
    end: int
    text: str
    citation: str
    pieces: tuple[tuple[int, int], ...] = ()
    heading_path: tuple[str, ...] = ()
    parts: dict[str, AnswerPart] = field(default_factory=dict)
    spans: tuple[AnswerSpanText, ...] = ()
    terms: tuple[dict[str, Any], ...] = ()
    refers_to: tuple[dict[str, Any], ...] = ()
    also: tuple[dict[str, Any], ...] = ()
    why: tuple[str, ...] = ()
    page_label: str = ""
    likelihood: float | None = None
    boxes: tuple[AnswerBox, ...] = ()
    metadata: dict[str, str] = field(default_factory=dict)
    matched: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class SearchAnswer:
    """The hits of a question, what was understood of it, and how likely it is that the documents answer at all."""

    query: str
    understood: dict[str, Any]
    notes: tuple[str, ...]
    answered: float | None
    hits: tuple[AnswerHit, ...]
    groups: tuple[dict[str, Any], ...] = ()
    overview: dict[str, Any] | None = None
    generation: int | None = None
    """Give it back with the `offset` of the next page; None for a key that is limited to some matters."""


@dataclass(frozen=True, slots=True)
class ComparedDocument:
    """A document's answer to a question that many were asked; `hit` is None where it probably has none."""

    file: str
    document: str
    title: str
    citation: str
    page: int | None
    passage: str
    likelihood: float | None
    hit: AnswerHit | None


@dataclass(frozen=True, slots=True)
class DocumentInfo:
    """A document without its text."""

    document: str
    title: str
    kind: str
    parties: tuple[str, ...]
    date: str
    pages: int | None
    characters: int
    passages: int
    vectors: bool
    matter: str
    metadata: dict[str, str]
    corrected: tuple[str, ...]
    added: str
    sha256: str
    duplicate_of: str | None = None
    notes: tuple[str, ...] = ()
    etag: str = ""
    """What `if_match` takes."""


@dataclass(frozen=True, slots=True)
class DocumentText:
    """A document's text, or a range of it; `characters` is the length of the whole."""

    document: str
    start: int
    end: int
    characters: int
    text: str


@dataclass(frozen=True, slots=True)
class PassageText:
    """A range of a document's text with its citation, headings and surrounding text."""

    document: str
    title: str
    page: int | None
    start: int
    end: int
    text: str
    pieces: tuple[tuple[int, int], ...]
    before: str
    after: str
    heading_path: tuple[str, ...]
    citation: str


@dataclass(frozen=True, slots=True)
class OutlineHeading:
    """A heading of a document; `start` is the offset of the text under it."""

    level: int
    heading: str
    start: int


@dataclass(frozen=True, slots=True)
class CollectionInfo:
    """A collection: `right` says what may be done in it (read, write, admin)."""

    name: str
    right: str
    documents: int
    passages: int
    with_vectors: int
    encoder: str | None
    generation: int | None


@dataclass(frozen=True, slots=True)
class MatterInfo:
    """A matter that one may see, and whether one may write in it."""

    matter: str
    documents: int
    right: str


@dataclass(frozen=True, slots=True)
class UnreadFile:
    """A file that could not be read, and why."""

    file: str
    problem: str


@dataclass(frozen=True, slots=True)
class RemovalCount:
    """How many documents a filter admits, and how many were removed."""

    matched: int
    removed: int


@dataclass(frozen=True, slots=True)
class BackupInfo:
    """A backup on the server: the name of its folder, its files and its bytes."""

    name: str
    files: int
    bytes: int


@dataclass(frozen=True, slots=True)
class CasePassage:
    """A stretch of a judgment: `text` is its text from `start` to `end`."""

    start: int
    end: int
    text: str
    page: int | None
    citation: str


@dataclass(frozen=True, slots=True)
class JudgmentInfo:
    """The judgment that others are like; `document` is empty for one that is not in the collection."""

    document: str
    title: str
    court: str
    date: str


@dataclass(frozen=True, slots=True)
class FoundCase:
    """A case like a judgment: the two passages that match best, what both cite, and why it was found."""

    rank: int
    score: float
    stands_out: bool
    document: str
    title: str
    court: str
    date: str
    query_passage: CasePassage | None
    passage: CasePassage | None
    shared_words: tuple[str, ...]
    in_common: tuple[str, ...]
    why: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CasesLike:
    """The cases like a judgment, best first; `compared` says with how many it was compared."""

    query: JudgmentInfo
    compared: int
    notes: tuple[str, ...]
    cases: tuple[FoundCase, ...]


@dataclass(frozen=True, slots=True)
class StoredFile:
    """What became of a file or text that was sent: added, same or failed; `problem` says why."""

    name: str
    status: str
    documents: tuple[str, ...]
    notes: tuple[str, ...]
    problem: str | None


@dataclass(frozen=True, slots=True)
class UploadJob:
    """Files that were received: waiting, reading or done; `files` says what became of each."""

    id: str
    state: str
    who: str
    done: int
    of: int
    reading: tuple[str, ...]
    files: tuple[StoredFile, ...]
    created: str
    begun: str | None
    ended: str | None

    @property
    def is_done(self) -> bool:
        return self.state == "done"


@dataclass(frozen=True, slots=True)
class NewText:
    """A text to be stored under an id of one's own."""

    id: str
    text: str
    title: str = ""
    metadata: dict[str, str] = field(default_factory=dict)


def parsed(kind: type[T], value: Any) -> T:
    """A dataclass out of JSON; an error where a field is missing or the value is something else."""
    if not isinstance(value, Mapping):
        raise ClientError(f"expected {kind.__name__} from the server, found {str(value)[:80]}; is it a Pincite server?")
    hints = get_type_hints(kind)
    try:
        given = {
            field.name: _typed(hints[field.name], value[field.name])
            for field in fields(kind)  # type: ignore[arg-type]
            if field.name in value
        }
        return kind(**given)
    except (TypeError, ValueError, AttributeError) as error:
        raise ClientError(
            f"the server's {kind.__name__} cannot be read ({error}); is it of the same version?"
        ) from None


def _typed(hint: Any, value: Any) -> Any:
    """The value as the type says: tuples for lists, dataclasses for objects. Plain values stay as they are."""
    if value is None:
        return None
    origin, inside = get_origin(hint), get_args(hint)
    if origin is tuple:
        return tuple(_typed(inside[0], entry) for entry in value)
    if origin is dict:
        return {key: _typed(inside[1], entry) for key, entry in value.items()}
    if type(None) in inside:
        return _typed(next(kind for kind in inside if kind is not type(None)), value)
    return parsed(hint, value) if isinstance(hint, type) and is_dataclass(hint) else value
