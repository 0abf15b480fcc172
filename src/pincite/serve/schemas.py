"""Request and response bodies of REST. The OpenAPI document is generated from them."""

from typing import Annotated, Any, Literal

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
    where: dict[str, Any] = Field(
        default_factory=dict,
        description="A condition: `and`, `or`, `not`; by key a value, or the operators eq, in, gt, gte, lt, "
        "lte, exists, prefix.",
        examples=[{"or": [{"kind": "lease"}, {"date": {"gte": "2020-01-01"}}]}],
    )

    def to_filter(self) -> Filter | None:
        named = {"kind": self.kind, "party": self.party}
        metadata = {key: value for given in (self.metadata, named) for key, value in given.items() if value}
        return Filter.of(Filter(tuple(self.documents), metadata, self.after, self.before).also(self.where))


class SearchOptions(Strict):
    """How a question is answered."""

    k: int = Field(default=10, ge=1, description="Number of passages.")
    offset: int = Field(default=0, ge=0, description="Passages to skip, for the next page.")
    generation: int | None = Field(
        default=None,
        ge=0,
        le=2**60,
        description="`generation` of the first page: 412 if the collection has changed since, so that pages would not "
        "continue each other.",
    )
    filters: FilterSchema = Field(default_factory=lambda: FilterSchema())
    fast: bool = Field(default=False, description="Skip the re-ranker: faster, less exact, no likelihood.")
    granularity: Literal["sentence", "clause", "section", "words"] = "sentence"
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


class SpanShape(BaseModel):
    """A part of an answer. `text` is exactly the document's text from `start` to `end`."""

    start: int
    end: int
    role: Literal["answer", "lead-in"] = Field(
        description="The answer itself, or the words further up that it completes.", examples=["lead-in"]
    )
    text: str


class TermShape(BaseModel):
    """A defined term, and where the same document defines it."""

    term: str = Field(examples=["Exit Fee"])
    start: int
    end: int


class SectionShape(BaseModel):
    """A provision of the same document, and where it stands."""

    label: str = Field(examples=["§ 5.2"])
    start: int
    end: int


class PlaceShape(BaseModel):
    document: DocumentId
    start: int
    end: int


class BoxShape(BaseModel):
    """A rectangle on a page (counted from 1), in points from its lower left corner."""

    page: int = Field(examples=[4])
    left: float = Field(examples=[72.0])
    bottom: float = Field(examples=[610.5])
    right: float = Field(examples=[523.25])
    top: float = Field(examples=[622.0])


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
    spans: list[SpanShape] = Field(
        description="All parts of the answer in the order of the text; those that do not touch are apart."
    )
    terms: list[TermShape] = Field(description="Defined terms that the passage uses.")
    refers_to: list[SectionShape] = Field(description="Provisions of the document that the passage refers to.")
    also: list[PlaceShape] = Field(description="Other places that say the same.")
    why: list[str] = Field(description="Why it was found, in words.", examples=[["names the agreement"]])
    page_label: str = Field(description="The page number as printed, or the Bates number; empty without one.")
    likelihood: float | None = Field(description="Likelihood that this passage answers; null without a re-ranker.")
    boxes: list[BoxShape] = Field(description="Where the answer stands on a PDF file's pages, a box for each line.")
    metadata: dict[str, str] = Field(
        description="What is known about the document.", examples=[{"kind": "lease", "matter": "4711"}]
    )
    matched: list[str] | None = None


class MeantShape(BaseModel):
    """A document that the question is about."""

    id: DocumentId
    belief: float = Field(description="How sure that is, from 0 to 1.")
    why: str = Field(examples=["named by: garnet, quay, lease"])


class SpellingShape(BaseModel):
    """A typing error: a word of the question that no document holds, and the word that it was read as."""

    typed: str = Field(examples=["pionear"])
    read: str = Field(examples=["pioneer"])


class UnderstoodShape(BaseModel):
    """What was understood of the question."""

    documents: list[MeantShape] = Field(
        description="The documents that it names, likeliest first; none where all documents were asked."
    )
    question: str = Field(description="What is asked, without the words that name a document.")
    corrections: list[SpellingShape] = Field(
        description="Typing errors, and how they were read. A quoted word is never corrected.",
        examples=[[{"typed": "pionear", "read": "pioneer"}]],
    )


class GroupShape(BaseModel):
    """A document with the ranks of its hits."""

    document: DocumentId
    title: str = Field(examples=["LEASE OF OFFICE PREMISES"])
    ranks: list[int] = Field(description="`rank` of each of its hits, best first.", examples=[[1, 4]])


class OutlinedShape(BaseModel):
    """A heading of a document."""

    level: int = Field(description="0 or 1, from the outside.", examples=[0])
    text: str = Field(examples=["PART 5 - SERVICE CHARGE"])
    start: int = Field(description="Offset of the text under the heading.", examples=[10695])


class OverviewShape(BaseModel):
    """A document at a glance: what is known about it, and its outline. What is not known is left out."""

    model_config = ConfigDict(
        extra="allow",
        json_schema_extra={
            "examples": [
                {
                    "document": "corpus/contracts/lease-14-garnet-quay-2019.txt",
                    "title": "Lease of Office Premises",
                    "kind": "lease",
                    "parties": "FENWICK HARBOUR ESTATES LTD; TOLLIVER DESIGN STUDIO LLP",
                    "date": "2019-03-21",
                    "outline": [{"level": 0, "text": "PART 5 - SERVICE CHARGE", "start": 10695}],
                }
            ]
        },
    )
    document: DocumentId
    title: str
    kind: str = ""
    parties: str = Field(default="", description="With semicolons between them.")
    date: str = Field(default="", examples=["2019-03-21"])
    court: str = ""
    docket: str = ""
    outline: list[OutlinedShape] = Field(description="Its headings of the first two levels.")


class Envelope(BaseModel):
    """The answer to a question."""

    query: str
    understood: UnderstoodShape
    notes: list[str] = Field(
        description="Remarks for people: what was corrected, left out or not found, and which documents fit alike.",
        examples=[["read 'pionear' as 'pioneer'"]],
    )
    answered: float | None = Field(description="Likelihood that the documents answer the question at all.")
    hits: list[HitShape]
    groups: list[GroupShape] = Field(description="The hits by document, that of the best hit first.")
    overview: OverviewShape | None = Field(
        description="The document, where the question only names one and asks nothing of it; otherwise null."
    )
    generation: int | None = Field(
        default=None,
        description="Counts the changes of the collection: give it back with the `offset` of the next page. Null for a "
        "key that is limited to some matters.",
    )


class BatchAnswer(BaseModel):
    answers: list[Envelope]


class RowShape(BaseModel):
    """A document's answer. Where it probably has none, `hit` and `page` are null, `citation` and `passage` empty."""

    file: str = Field(description="The last part of the id.", examples=["lease-14-garnet-quay-2019.txt"])
    document: DocumentId
    title: str
    citation: str = Field(examples=["Lease of Office Premises § 2.16, p. 4"])
    page: int | None
    passage: str = Field(description="The answer in one line, with the words further up that lead into it.")
    likelihood: float | None
    hit: HitShape | None


class ComparisonSchema(BaseModel):
    query: str
    rows: list[RowShape] = Field(
        description="In the order in which the documents were added; those in which nothing was found last."
    )


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
    matter: str = Field(description="The matter that it belongs to.", examples=["acme"])
    metadata: dict[str, str]
    corrected: list[str] = Field(description="The fields that people corrected.", examples=[["title"]])
    added: str
    sha256: str
    duplicate_of: str | None = Field(description="The document with the same content that was added before.")
    notes: list[str] = Field(
        description="What was noticed about its file: damage, OCR, encoding.",
        examples=[["contracts/deed.pdf: text recognised (OCR) on page 2"]],
    )


class TaggedDocument(DocumentShape):
    """A document without its text, and the tag of this state of it."""

    etag: str = Field(
        description="What If-Match takes to change the document only if it is still as it is here.",
        examples=['"1f0c5e4d7ab24c9a8a8f3c1d7e5b6a90-1"'],
    )


class DocumentPage(BaseModel):
    documents: list[TaggedDocument]
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
    status: Literal["added", "same", "failed", "cancelled", "waiting", "reading"] = Field(
        description="`same`: it was stored already, unchanged. `waiting` and `reading` occur in a job that is not done."
    )
    documents: list[str]
    notes: list[str]
    problem: str | None


class Uploads(BaseModel):
    files: list[UploadedShape]


class TextBody(Strict):
    """A text under an id of the caller's own."""

    id: str = Field(min_length=1, max_length=1000, examples=["crm/4711"])
    text: str = Field(min_length=1, examples=["The rent is due on the first day of each month."])
    title: str = Field(default="", max_length=2000, examples=["Quay lease"])
    metadata: dict[str, str] = Field(default_factory=dict, examples=[{"matter": "4711"}])


class TextsBody(Strict):
    """Texts that are stored as documents."""

    texts: list[TextBody] = Field(min_length=1, max_length=1000)
    overwrite: bool = Field(default=False, description="Replace texts of the same id.")


class JobShape(BaseModel):
    """Files that were received and are being read, or were."""

    id: str = Field(examples=["0643c1a5f2e1c0-5d0b8e6f1a2c"])
    state: Literal["waiting", "reading", "done"]
    who: str = Field(description="Who sent the files.")
    done: int = Field(description="How many files have a result.")
    of: int = Field(description="How many files there are.")
    reading: list[str] = Field(description="The files that are being read now.")
    files: list[UploadedShape]
    created: str = Field(examples=["2026-11-17T09:30:00.000+00:00"])
    begun: str | None = Field(description="When the first file had a result.")
    ended: str | None


class JobPage(BaseModel):
    jobs: list[JobShape]
    next: str | None = Field(description="The cursor for the next page; null on the last page.")


class Removed(BaseModel):
    removed: int


class CollectionShape(BaseModel):
    name: str
    right: Literal["read", "write", "admin"] = Field(description="What the caller may do in it; each includes read.")
    documents: int
    passages: int
    with_vectors: int
    encoder: str | None
    generation: int | None = Field(description="Counts the changes; null for a key that is limited to some matters.")


class Collections(BaseModel):
    collections: list[CollectionShape]


class MatterShape(BaseModel):
    """A matter that the caller may see."""

    matter: str = Field(examples=["acme"])
    documents: int
    right: Literal["read", "write"] = Field(description="Whether documents may be added, changed and removed.")


class Matters(BaseModel):
    matters: list[MatterShape]


class UnreadShape(BaseModel):
    file: str
    problem: str


class UnreadFiles(BaseModel):
    files: list[UnreadShape]


class BackupMade(BaseModel):
    """A backup on the server."""

    name: str = Field(description="The folder of the backup.", examples=["contracts-2026-11-17T09-30-00.000000"])
    files: int
    bytes: int


class Health(BaseModel):
    status: Literal["ok", "ready"] = Field(examples=["ok"])
    version: str = Field(description="The version of Pincite that the server runs.", examples=["0.9.0"])


class Problem(BaseModel):
    """Problem details (RFC 9457)."""

    model_config = ConfigDict(extra="allow")
    type: str = Field(examples=["urn:pincite:problem:not-found"])
    title: str
    status: int
    detail: str
    request_id: str | None = None
    errors: list[dict[str, Any]] | None = None
