"""The door for people: pages made on the server, which work without script."""

from fastapi import APIRouter

from pincite.serve.pages import collecting, comparisons, logins, reading, reports, searching
from pincite.serve.pages.rendering import problem_page

router = APIRouter(include_in_schema=False)
for part in (searching, collecting, reading, comparisons, reports, logins):
    router.include_router(part.router)

__all__ = ["problem_page", "router"]
