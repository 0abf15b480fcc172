"""The OpenAPI document, made so that generators of clients understand it."""

from typing import Any

from fastapi import FastAPI
from fastapi.routing import APIRoute

from pincite.serve.idempotency import LONGEST_KEY, is_remembered
from pincite.serve.schemas import Problem

OPERATIONS = {
    "documents": "list_documents",
    "add_documents": "upload_documents",
    "text": "get_text",
    "passage": "get_passage",
    "outline": "get_outline",
    "page_image": "get_page_image",
    "document": "get_document",
    "correct": "update_document",
    "remove": "delete_document",
    "unread": "list_unread_files",
    "collections": "list_collections",
    "health": "get_health",
    "ready": "get_readiness",
    "make_backup": "create_backup",
    "metrics": "get_metrics",
    "jobs": "list_jobs",
    "job": "get_job",
    "like": "similar_cases",
    "like_file": "similar_cases_of_file",
}
"""The operation id of each route whose function has another name. Programs depend on them: they never change."""


IDEMPOTENCY = {
    "name": "Idempotency-Key",
    "in": "header",
    "required": False,
    "description": "A name of your own for this change. Sent again under it, the change is made once: the answer is "
    "the same, with another body 422, while it is being made 409.",
    "schema": {"type": "string", "maxLength": LONGEST_KEY, "title": "Idempotency-Key"},
}


def operation_id(route: APIRoute) -> str:
    """What generated clients call the function for a route."""
    return OPERATIONS.get(route.name, route.name)


def openapi(app: FastAPI) -> dict[str, Any]:
    """The document, with what FastAPI leaves out: problem details, files as binary, the header of changes, and the
    limits of the settings."""
    if app.openapi_schema is None:
        made = FastAPI.openapi(app)
        held = made.setdefault("components", {}).setdefault("schemas", {})
        held["Problem"] = Problem.model_json_schema(ref_template="#/components/schemas/{model}")
        for name in ("HTTPValidationError", "ValidationError"):
            held.pop(name, None)
        _binary(held)
        _idempotent(made.get("paths", {}))
        _limited(held, app.state.pincite.settings.most_hits)
        made["components"]["securitySchemes"] = {"key": {"type": "http", "scheme": "bearer"}}
        made["security"] = [{}, {"key": []}]
        app.openapi_schema = made
    return app.openapi_schema


def _idempotent(paths: dict[str, Any]) -> None:
    """Every change takes an Idempotency-Key, and may answer that it is being made already."""
    for path, operations in paths.items():
        for method, operation in operations.items():
            if is_remembered(method.upper(), path):
                operation.setdefault("parameters", []).append(IDEMPOTENCY)
                answers = operation["responses"]
                answers.setdefault("409", {**answers["422"], "description": "The same change is being made."})


def _limited(schemas: dict[str, Any], most_hits: int) -> None:
    """How many hits there are at most, which the server's settings say."""
    for name in ("SearchBody", "BatchBody"):
        if name in schemas:
            known = schemas[name]["properties"]
            known["k"]["maximum"], known["offset"]["maximum"] = most_hits, most_hits - 1
            known["offset"]["description"] += f" `offset` + `k` is at most {most_hits}."
    if "LikeBody" in schemas:
        schemas["LikeBody"]["properties"]["k"]["maximum"] = most_hits


def _binary(schema: Any) -> None:
    """Files are `format: binary`, which every generator knows, and not only `contentMediaType`."""
    if isinstance(schema, dict):
        if schema.get("contentMediaType") == "application/octet-stream":
            schema["format"] = "binary"
            del schema["contentMediaType"]
        for inner in schema.values():
            _binary(inner)
    elif isinstance(schema, list):
        for inner in schema:
            _binary(inner)
