"""The OpenAPI document, made so that generators of clients understand it."""

from typing import Any

from fastapi import FastAPI
from fastapi.routing import APIRoute

from pincite.serve.schemas import Problem, TextBody, TextsBody

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


def operation_id(route: APIRoute) -> str:
    """What generated clients call the function for a route."""
    return OPERATIONS.get(route.name, route.name)


def openapi(app: FastAPI) -> dict[str, Any]:
    """The document, with what FastAPI leaves out: problem details, texts beside files, and files as binary."""
    if app.openapi_schema is None:
        made = FastAPI.openapi(app)
        held = made.setdefault("components", {}).setdefault("schemas", {})
        for model in (Problem, TextBody, TextsBody):
            schema = model.model_json_schema(ref_template="#/components/schemas/{model}")
            held.update(schema.pop("$defs", {}))
            held[model.__name__] = schema
        for name in ("HTTPValidationError", "ValidationError"):
            held.pop(name, None)
        upload = made.get("paths", {}).get("/v1/documents", {}).get("post")
        if upload:
            content = upload["requestBody"]["content"]
            content["application/json"] = {"schema": {"$ref": "#/components/schemas/TextsBody"}}
        _binary(held)
        made["components"]["securitySchemes"] = {"key": {"type": "http", "scheme": "bearer"}}
        made["security"] = [{}, {"key": []}]
        app.openapi_schema = made
    return app.openapi_schema


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
