"""Request and response bodies of REST. The OpenAPI document is generated from them."""

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from pincite.index.corrections import Correction
from pincite.serve.kinds_text import KINDS_TEXT
from pincite.text import Filter

DocumentId = Annotated[str, Field(examples=["corpus/contracts/lease-14-garnet-quay-2019.txt"])]
Day = Annotated[str, Field(examples=["2019-01-01"], max_length=40)]
Name = Annotated[str, Field(max_length=500, examples=["Acme Ltd"])]


class Strict(BaseModel):
    """A request body. Unknown names are an error."""

    model_config = ConfigDict(extra="forbid", strict=True)


class FilterSchema(Strict):
    """Which documents may answer."""

    documents: list[Annotated[str, Field(max_length=1000)]] = Field(
        default_factory=list, max_length=500, description="Ids, or parts of an id or title that match one document."
    )
    kind: str = Field(default="", max_length=200, examples=["lease"], description=KINDS_TEXT)
    party: str = Field(default="", max_length=200, examples=["Garnet Quay"])
    metadata: dict[str, str] = Field(default_factory=dict, description="Other metadata keys and values.")
    after: Day = ""
    before: Day = ""

    def to_filter(self) -> Filter | None:
        named = {"kind": self.kind, "party": self.party}
        metadata = {key: value for given in (self.metadata, named) for key, value in given.items() if value}
        return Filter.of(Filter(tuple(self.documents), metadata, self.after, self.before))


class SearchOptions(Strict):
    """How a question is answered."""

    k: int = Field(default=10, ge=1, description="Number of passages.")
    filters: FilterSchema = Field(default_factory=lambda: FilterSchema())
    fast: bool = Field(default=False, description="Skip the re-ranker: faster, less exact, no likelihood.")
    granularity: str = Field(default="sentence", pattern="^(sentence|clause|section|words)$")
    explain: bool = Field(default=False, description="Include the words of the question that occur in each passage.")
    collection: str | None = Field(default=None, description="The first one if omitted.")


class SearchBody(SearchOptions):
    """A question."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"examples": [{"query": "May the tenant underlet?", "k": 3, "filters": {"kind": "lease"}}]},
    )
    query: str = Field(min_length=1, description='A "quoted phrase" must occur in every passage, a -word must not.')


class BatchBody(SearchOptions):
    """Several questions. With `Accept: application/x-ndjson` the answers are sent as they are found, one per line."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"examples": [{"queries": ["May the tenant underlet?", "Who insures?"], "fast": True}]},
    )
    queries: list[str] = Field(min_length=1, max_length=1000)


class CompareBody(Strict):
    """One question asked of many documents."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"query": "May copies be kept?", "filters": {"kind": "nda"}}]}
    )
    query: str = Field(min_length=1)
    filters: FilterSchema = Field(default_factory=lambda: FilterSchema())
    collection: str | None = None


class CorrectionBody(Strict):
    """Values in place of what was found in a document. An empty one takes a correction back; what is omitted stays."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"examples": [{"title": "Quay lease", "kind": "lease", "add_parties": ["Acme Ltd"]}]},
    )
    title: str | None = Field(default=None, max_length=2000)
    kind: str | None = Field(default=None, max_length=200, description=KINDS_TEXT)
    parties: list[Name] | None = Field(default=None, max_length=100, description="All parties; none takes them back.")
    date: str | None = Field(default=None, max_length=40, description="A day, such as 2024-03-31.")
    add_parties: list[Name] = Field(default_factory=list, max_length=100)
    remove_parties: list[Name] = Field(default_factory=list, max_length=100)
    metadata: dict[str, str] = Field(default_factory=dict, description="Values by keys of your own.")

    def to_correction(self) -> Correction:
        parties = None if self.parties is None else "; ".join(self.parties)
        named = {"title": self.title, "kind": self.kind, "parties": parties, "date": self.date}
        given = {key: value for key, value in named.items() if value is not None}
        return Correction({**self.metadata, **given}, tuple(self.add_parties), tuple(self.remove_parties))


class PartShape(BaseModel):
    score: float
    rank: int | None


PieceShape = Annotated[list[int], Field(min_length=2, max_length=2)]
"""Where a piece starts and ends."""
PIECES = Field(
    description="The slices of the document's text that are shown: `text` without page numbers, headers and markup.",
    examples=[[[812, 897]]],
)


class HitShape(BaseModel):
    """A passage. `text` is exactly the document's text from `start` to `end`."""

    rank: int
    score: float
    document: DocumentId
    title: str
    page: int | None
    start: int
    end: int
    text: str
    pieces: list[PieceShape] = PIECES
    heading_path: list[str]
    parts: dict[str, PartShape]
    citation: str = Field(examples=["Lease of Office Premises § 2.16, p. 4"])
    matched: list[str] | None = None


class MeantShape(BaseModel):
    id: DocumentId
    belief: float
    why: str


class UnderstoodShape(BaseModel):
    documents: list[MeantShape]
    question: str


class Envelope(BaseModel):
    """The answer to a question."""

    query: str
    understood: UnderstoodShape
    notes: list[str]
    answered: float | None = Field(description="Likelihood that the documents answer the question at all.")
    hits: list[HitShape]


class BatchAnswer(BaseModel):
    answers: list[Envelope]


class RowShape(BaseModel):
    """`hit` is null where the document probably does not answer."""

    document: DocumentId
    title: str
    likelihood: float | None
    hit: HitShape | None


class ComparisonSchema(BaseModel):
    query: str
    rows: list[RowShape]


class DocumentShape(BaseModel):
    """A document without its text."""

    document: DocumentId
    title: str
    kind: str
    parties: list[str]
    date: str
    pages: int | None
    characters: int
    passages: int
    vectors: bool
    metadata: dict[str, str]
    corrected: list[str] = Field(description="The fields that people corrected.", examples=[["title"]])
    added: str
    sha256: str
    duplicate_of: str | None = Field(description="The document with the same content that was added before.")
    notes: list[str] = Field(
        description="What was noticed about its file: damage, OCR, encoding.",
        examples=[["contracts/deed.pdf: text recognised (OCR) on page 2"]],
    )


class DocumentPage(BaseModel):
    documents: list[DocumentShape]
    next: str | None = Field(description="The cursor for the next page; null on the last page.")


class HeadingShape(BaseModel):
    level: int
    heading: str
    start: int = Field(description="Offset of the text under the heading.")


class OutlineShape(BaseModel):
    document: DocumentId
    headings: list[HeadingShape]


class TextShape(BaseModel):
    document: DocumentId
    start: int
    end: int
    characters: int = Field(description="Length of the whole text.")
    text: str


class PassageShape(BaseModel):
    document: DocumentId
    title: str
    page: int | None
    start: int
    end: int
    text: str
    pieces: list[PieceShape] = PIECES
    before: str
    after: str
    heading_path: list[str]
    citation: str


class UploadedShape(BaseModel):
    name: str
    status: str = Field(examples=["added", "same", "failed"])
    documents: list[str]
    notes: list[str]
    problem: str | None


class Uploads(BaseModel):
    files: list[UploadedShape]


class Removed(BaseModel):
    removed: int


class CollectionShape(BaseModel):
    name: str
    documents: int
    passages: int
    with_vectors: int
    encoder: str | None
    generation: int


class Collections(BaseModel):
    collections: list[CollectionShape]


class UnreadShape(BaseModel):
    file: str
    problem: str


class UnreadFiles(BaseModel):
    files: list[UnreadShape]


class Health(BaseModel):
    status: str = Field(examples=["ok"])


class Problem(BaseModel):
    """Problem details (RFC 9457)."""

    model_config = ConfigDict(extra="allow")
    type: str = Field(examples=["urn:pincite:problem:not-found"])
    title: str
    status: int
    detail: str
    request_id: str | None = None
    errors: list[dict[str, Any]] | None = None
