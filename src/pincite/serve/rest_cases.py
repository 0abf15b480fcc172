"""REST for cases: those of a collection that are like a judgment."""

from typing import Annotated

from fastapi import APIRouter, File, Form, Request, UploadFile
from fastapi.responses import JSONResponse, Response
from starlette.concurrency import run_in_threadpool

from pincite.serve.backend import Backend
from pincite.serve.case_schemas import LikeAnswer, LikeBody
from pincite.serve.case_search import CaseQuestion, cases_like, text_of_file
from pincite.serve.rest import Collection, problems
from pincite.serve.state import backend_for, noted
from pincite.text import Filter

router = APIRouter(prefix="/v1/cases", tags=["cases"])


@router.post("/like", response_model=LikeAnswer, responses=problems(404))
async def like(request: Request, body: LikeBody) -> Response:
    """The cases most like a judgment: with the two passages that match best, what both cite, and why. Cases decided
    after it are left out, unless `later` asks for them."""
    backend = backend_for(request, body.collection)
    where = body.filters.to_filter()
    return await _answer(request, backend, CaseQuestion(body.document, body.text, body.k, where, body.later, body.date))


@router.post("/like/file", response_model=LikeAnswer, responses=problems(404))
async def like_file(
    request: Request,
    file: Annotated[UploadFile, File(description="The judgment. It is not kept.")],
    k: Annotated[int, Form(ge=1)] = 10,
    court: Annotated[str, Form(max_length=500)] = "",
    after: Annotated[str, Form(max_length=40)] = "",
    before: Annotated[str, Form(max_length=40)] = "",
    later: Annotated[bool, Form()] = False,
    date: Annotated[str, Form(max_length=40)] = "",
    collection: Collection = None,
) -> Response:
    """The cases most like a judgment in a file."""
    backend = backend_for(request, collection)
    where = Filter.of({"court": court, "after": after, "before": before})
    text = await run_in_threadpool(text_of_file, backend, file.filename or "", await file.read())
    return await _answer(request, backend, CaseQuestion("", text, k, where, later, date))


async def _answer(request: Request, backend: Backend, asked: CaseQuestion) -> Response:
    answer = await run_in_threadpool(cases_like, backend, asked)
    noted(request, backend, "cases", documents=[case.case.document for case in answer.cases])
    return JSONResponse(answer.to_dict())
