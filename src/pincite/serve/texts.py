"""Texts that programs send under their own ids, and metadata of what is uploaded."""

import json
from collections.abc import Mapping

from pincite.errors import PinciteError
from pincite.index.metadata import Metadata
from pincite.serve.backend import Backend
from pincite.serve.errors import Conflict, Invalid, Refused
from pincite.serve.schemas import TextsBody
from pincite.serve.uploads import Uploaded
from pincite.text import Document


def store_texts(backend: Backend, body: TextsBody) -> list[Uploaded]:
    """Stores texts, and says for each what became of it."""
    for text in body.texts:
        _checked(text.metadata)
    given = [(Document(text.id, text.text, text.title), text.metadata) for text in body.texts]
    wrong = backend.add_texts(given, overwrite=body.overwrite)
    return [_outcome(text.id, failure) for text, failure in zip(body.texts, wrong, strict=True)]


def _outcome(name: str, failure: str) -> Uploaded:
    if not failure:
        return Uploaded(name, "added", (name,))
    refused: Refused = Conflict(failure) if "already" in failure else Invalid(failure)
    return Uploaded(name, "failed", failure=refused)


def uploaded_metadata(written: str) -> dict[str, str]:
    """The form field `metadata` of an upload: a JSON object whose values are texts."""
    if not written.strip():
        return {}
    try:
        given = json.loads(written)
    except ValueError as error:
        raise Invalid(f'metadata: not JSON ({error}); write {{"matter": "4711"}}') from None
    if not isinstance(given, dict) or not all(isinstance(value, str) for value in given.values()):
        raise Invalid('metadata: must be an object whose values are texts, such as {"matter": "4711"}')
    return _checked(given)


def _checked(metadata: Mapping[str, str]) -> dict[str, str]:
    try:
        return dict(Metadata(dict(metadata)).checked("metadata").everywhere)
    except PinciteError as error:
        raise Invalid(str(error)) from None
