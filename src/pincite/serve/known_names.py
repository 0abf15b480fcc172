"""Refuses query parameters and form fields that a route does not know, instead of ignoring them."""

from collections.abc import Iterable

from fastapi import Request
from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute

from pincite.serve.errors import Invalid

FORMS = ("multipart/form-data", "application/x-www-form-urlencoded")


async def only_known(request: Request) -> None:
    """Raises an error that lists the known names if a request has another one."""
    route = request.scope.get("route")
    if not isinstance(route, APIRoute):
        return
    _refuse("query parameter", request.query_params, _names(route.dependant, "query_params"))
    if request.headers.get("content-type", "").lower().startswith(FORMS):
        _refuse("form field", await request.form(), _names(route.dependant, "body_params"))


def _names(dependant: Dependant, kind: str) -> list[str]:
    own = [field.alias for field in getattr(dependant, kind)]
    return [*own, *(name for inner in dependant.dependencies for name in _names(inner, kind))]


def _refuse(kind: str, given: Iterable[str], known: list[str]) -> None:
    unknown = [name for name in given if name not in known]
    if unknown:
        there = f"the known ones are: {', '.join(known)}" if known else "there are none here"
        raise Invalid(f"unknown {kind} {unknown[0][:100]!r}; {there}")
