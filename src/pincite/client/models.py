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


@dataclass(frozen=True, slots=True)
class ComparedDocument:
    """A document's answer to a question that many were asked; `hit` is None where it probably has none."""

    document: str
    title: str
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


@dataclass(frozen=True, slots=True)
class DocumentText:
    """A document's text, or a range of it; `characters` is the length of the whole."""

    document: str
    start: int
    end: int
    characters: int
    text: str


@dataclass(frozen=True, slots=True)
class StoredFile:
    """What became of a file or text that was sent: added, same or failed; `problem` says why."""

    name: str
    status: str
    documents: tuple[str, ...]
    notes: tuple[str, ...]
    problem: str | None


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
