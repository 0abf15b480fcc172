"""Web pages for people. They are rendered on the server and work without JavaScript."""

from fastapi import APIRouter

from pincite.serve.pages import cases, collection, comparison, corrections, document, jobs, login, reports, search
from pincite.serve.pages.templates import problem_page

router = APIRouter(include_in_schema=False)
for part in (search, collection, jobs, corrections, document, comparison, cases, reports, login):
    router.include_router(part.router)

__all__ = ["problem_page", "router"]
