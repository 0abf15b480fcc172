"""What goes in and out by REST, as models: the OpenAPI document is made of them."""

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from pincite.text import Filter

DocumentId = Annotated[str, Field(examples=["corpus/contracts/lease-14-garnet-quay-2019.txt"])]
Day = Annotated[str, Field(examples=["2019-01-01"], max_length=40)]


class Strict(BaseModel):
    """What comes in: a name that is not known is an error."""

    model_config = ConfigDict(extra="forbid", strict=True)


class FilterSchema(Strict):
    """Which documents may answer."""

    documents: list[Annotated[str, Field(max_length=1000)]] = Field(
        default_factory=list, max_length=500, description="Ids, or parts of ids or titles that only one has."
    )
    kind: str = Field(default="", max_length=200, examples=["lease"])
    party: str = Field(default="", max_length=200, examples=["Garnet Quay"])
    metadata: dict[str, str] = Field(default_factory=dict, description="Further keys and values.")
    after: Day = ""
    before: Day = ""

    def to_filter(self) -> Filter | None:
        more = {"documents": self.documents, "kind": self.kind, "party": self.party}
        return Filter.of({**self.metadata, **more, "after": self.after, "before": self.before})


class SearchOptions(Strict):
    """How a question is answered."""

    k: int = Field(default=10, ge=1, description="How many passages.")
    filters: FilterSchema = Field(default_factory=lambda: FilterSchema())
    fast: bool = Field(default=False, description="Without the re-ranker: less exact, quicker, and no likelihood.")
    granularity: str = Field(default="sentence", pattern="^(sentence|clause|section|words)$")
    explain: bool = Field(default=False, description="With the words of the question that stand in each passage.")
    collection: str | None = Field(default=None, description="Else the first one.")


class SearchBody(SearchOptions):
    """A question."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"examples": [{"query": "May the tenant underlet?", "k": 3, "filters": {"kind": "lease"}}]},
    )
    query: str = Field(min_length=1, description='A "quoted phrase" must stand in every passage, a -word must not.')


class BatchBody(SearchOptions):
    """Several questions; `Accept: application/x-ndjson` gets the answers as they come, a line each."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"examples": [{"queries": ["May the tenant underlet?", "Who insures?"], "fast": True}]},
    )
    queries: list[str] = Field(min_length=1, max_length=1000)


class CompareBody(Strict):
    """One question over many documents."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"query": "May copies be kept?", "filters": {"kind": "nda"}}]}
    )
    query: str = Field(min_length=1)
    filters: FilterSchema = Field(default_factory=lambda: FilterSchema())
    collection: str | None = None


class PartShape(BaseModel):
    score: float
    rank: int | None


class HitShape(BaseModel):
    """A passage: `text` is the document's text from `start` to `end`, exactly."""

    rank: int
    score: float
    document: DocumentId
    title: str
    page: int | None
    start: int
    end: int
    text: str
    heading_path: list[str]
    parts: dict[str, PartShape]
    citation: str = Field(examples=["LEASE OF OFFICE PREMISES, § 2.16, p. 4"])
    matched: list[str] | None = None


class MeantShape(BaseModel):
    id: DocumentId
    belief: float
    why: str


class UnderstoodShape(BaseModel):
    documents: list[MeantShape]
    question: str


class Envelope(BaseModel):
    """An answered question."""

    query: str
    understood: UnderstoodShape
    notes: list[str]
    answered: float | None = Field(description="How likely it is that the question is answered at all.")
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
    added: str
    sha256: str


class DocumentPage(BaseModel):
    documents: list[DocumentShape]
    next: str | None = Field(description="The cursor of the next page; null on the last one.")


class HeadingShape(BaseModel):
    level: int
    heading: str
    start: int = Field(description="Where the text under it begins.")


class OutlineShape(BaseModel):
    document: DocumentId
    headings: list[HeadingShape]


class TextShape(BaseModel):
    document: DocumentId
    start: int
    end: int
    characters: int = Field(description="Of the whole text.")
    text: str


class PassageShape(BaseModel):
    document: DocumentId
    title: str
    page: int | None
    start: int
    end: int
    text: str
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
    """RFC 9457."""

    model_config = ConfigDict(extra="allow")
    type: str = Field(examples=["urn:pincite:problem:not-found"])
    title: str
    status: int
    detail: str
    request_id: str | None = None
    errors: list[dict[str, Any]] | None = None
