"""Errors of MCP's tools, with what an assistant can try next."""

from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import ValidationError

from pincite.errors import NotFoundError, PinciteError
from pincite.serve.errors import Busy, NotFound

WHERE = (
    '. A condition looks like {"or": [{"kind": "lease"}, {"date": {"gte": "2020-01-01"}}]}; list_documents shows the '
    "metadata that documents have"
)


def advice(error: PinciteError) -> str:
    """What an assistant can try next."""
    if isinstance(error, NotFound | NotFoundError):
        return ". list_documents shows the ids and titles that there are"
    if isinstance(error, Busy):
        return f". Try again in {error.retry_after or 5} seconds"
    return ""


def condition_advice(error: BaseException | None, arguments: Mapping[str, Any]) -> str:
    """How to write a condition, where one was given and refused."""
    while error is not None and not isinstance(error, PinciteError | ValidationError):
        error = error.__cause__
    refused = isinstance(error, PinciteError) and not isinstance(error, NotFound | NotFoundError | Busy)
    return WHERE if refused and arguments.get("where") else ""


def unknown_tool(name: str, known: Iterable[str]) -> str:
    return f"Unknown tool: {name[:100]}. The tools are: {', '.join(known)}"


def unknown_argument(tool: str, given: Mapping[str, Any], known: Mapping[str, Any]) -> str:
    """An error that lists the arguments that a tool has; "" where all are known."""
    wrong = next((name for name in given if name not in known), None)
    return "" if wrong is None else f"{tool}: unknown argument {wrong[:100]!r}; the arguments are: {', '.join(known)}"


def invalid_arguments(tool: str, error: ValidationError, description: str) -> str:
    """What is wrong with the arguments of a tool, one after the other, and an example of right ones."""
    wrong = [f"{'.'.join(map(str, entry['loc']))}: {entry['msg']}" for entry in error.errors(include_url=False)]
    _, sign, example = description.partition("Example: ")
    shown = f". {sign}{' '.join(example.split())}" if sign else ""
    conditions = any(entry["loc"][:1] == ("where",) for entry in error.errors(include_url=False))
    return f"{tool}: {'; '.join(wrong)}{WHERE if conditions else shown}"
