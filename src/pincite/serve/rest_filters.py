"""REST by filter: facets with counts, and the removal of all documents that a filter admits."""

from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import JSONResponse, Response
from pydantic import BaseModel, Field
from starlette.concurrency import run_in_threadpool

from pincite.serve.errors import Invalid
from pincite.serve.rest import Collection, Condition, condition_of, problems
from pincite.serve.schemas import FilterSchema, Strict
from pincite.serve.state import backend_for, noted, recorded

router = APIRouter(prefix="/v1")


class FacetValue(BaseModel):
    value: str = Field(examples=["lease"])
    count: int = Field(examples=[3])


class Facets(BaseModel):
    """The values of each key, the most frequent first."""

    facets: dict[str, list[FacetValue]]


class RemovalBody(Strict):
    """Which documents are removed. Without `expected`, nothing is: the answer says how many there would be."""

    filters: FilterSchema
    expected: int | None = Field(default=None, ge=0, description="How many documents this removes.")
    collection: str | None = Field(default=None, description="The first one if omitted.")


class RemovedByFilter(BaseModel):
    matched: int
    removed: int


@router.get("/facets", response_model=Facets, responses=problems(404), tags=["documents"])
async def get_facets(
    request: Request,
    key: Annotated[list[str] | None, Query(description="The keys; all if omitted.", max_length=50)] = None,
    where: Condition = "",
    limit: Annotated[int, Query(ge=1, le=1000, description="Values of each key.")] = 100,
    collection: Collection = None,
) -> Response:
    """How many documents have each value of a key."""
    backend = backend_for(request, collection)
    condition = condition_of(where)
    keys = tuple(key or ())
    found = await run_in_threadpool(backend.facets, keys, condition, limit)
    noted(request, backend, "list")
    shape = {name: [{"value": value, "count": n} for value, n in values.items()] for name, values in found.items()}
    return JSONResponse({"facets": shape})


@router.post("/removals", response_model=RemovedByFilter, responses=problems(404, 409), tags=["documents"])
async def delete_documents(request: Request, body: RemovalBody) -> Response:
    """Removes all documents that a filter admits, if they are as many as the caller expects; without `expected` it only
    counts them. Uploaded files are deleted with their documents."""
    backend = backend_for(request, body.collection, "write")
    where = body.filters.to_filter()
    if where is None:
        raise Invalid("filters: empty; say which documents are meant")
    named = [(await run_in_threadpool(backend.named, name)).id for name in where.documents]
    rest = where if not named else where.among(named)
    ids = [record.id for record in await run_in_threadpool(backend.documents, rest)]
    if body.expected is None:
        return JSONResponse({"matched": len(ids), "removed": 0})
    if body.expected != len(ids):
        raise Invalid(f"the filter admits {len(ids)} documents, not {body.expected}; nothing was removed")
    with recorded(request, backend, "remove", documents=ids):
        count = await run_in_threadpool(backend.remove, ids) if ids else 0
    return JSONResponse({"matched": len(ids), "removed": count})
