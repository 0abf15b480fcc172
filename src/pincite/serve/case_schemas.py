"""Request and response bodies of "cases like this one", for REST and MCP."""

from dataclasses import replace

from pydantic import BaseModel, ConfigDict, Field

from pincite.serve.schemas import Day, DocumentId, FilterSchema, Strict
from pincite.text import Filter


class CaseFilters(FilterSchema):
    """Which cases may be found."""

    court: str = Field(default="", max_length=500, examples=["Supreme Court of India"])

    def to_filter(self) -> Filter | None:
        rest = super().to_filter() or Filter()
        return Filter.of(replace(rest, metadata={**rest.metadata, **({"court": self.court} if self.court else {})}))


class LikeBody(Strict):
    """A judgment of the collection (`document`), or the text of another one."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"examples": [{"text": "The lessor ended the lease for arrears of rent.", "k": 3}]},
    )
    document: str = Field(default="", max_length=1000)
    text: str = Field(default="", description="A larger one can be sent as a file.")
    k: int = Field(default=10, ge=1, description="Number of cases.")
    filters: CaseFilters = Field(default_factory=lambda: CaseFilters())
    later: bool = Field(default=False, description="Also cases that were decided after the judgment.")
    date: Day = Field(default="", description="When it was decided, if its text does not say.")
    collection: str | None = Field(default=None, description="The first one if omitted.")


class StretchShape(BaseModel):
    start: int
    end: int
    text: str
    page: int | None
    citation: str


class CaseInfoShape(BaseModel):
    document: str
    title: str
    court: str
    date: str


class SimilarCaseShape(BaseModel):
    rank: int
    score: float
    stands_out: bool
    document: DocumentId
    title: str
    court: str
    date: str
    query_passage: StretchShape | None
    passage: StretchShape | None
    shared_words: list[str]
    in_common: list[str]
    why: list[str]


class LikeAnswer(BaseModel):
    """The cases, best first, each with the two passages that match best."""

    query: CaseInfoShape
    compared: int
    notes: list[str]
    cases: list[SimilarCaseShape]
