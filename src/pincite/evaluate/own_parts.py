"""One's own retriever or re-ranker in a benchmark: named `module:Class`, judged like every other method."""

import sys
from dataclasses import replace
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import Any

from pincite.errors import UsageError
from pincite.models import Reranker
from pincite.pipeline import Method, method
from pincite.retrieve import Retriever
from pincite.segment import Segmenter, WordWindows

RERANKS = "context+encoder+rerank"
"""The method whose re-ranker is replaced by one's own."""


def own_methods(retrievers: list[str], rerankers: list[str]) -> list[Method]:
    """A method for each class that was named; each is imported and created here, so that mistakes show at once."""
    return [*map(own_retriever, retrievers), *map(own_reranker, rerankers)]


def own_retriever(name: str) -> Method:
    """A method that searches with `module:Class`, a subclass of `pincite.retrieve.Retriever`.

    The passages are those of the class attribute `segmenter`, or the seeds' windows of 500 words without one.
    """
    found = _class(name, Retriever, "retriever")
    cut = getattr(found, "segmenter", WordWindows())
    if not isinstance(cut, Segmenter):
        raise UsageError(f"{name}: its attribute `segmenter` is no Segmenter but {cut!r}")
    _created(name, found)
    return Method(name, cut, own_retriever=found)


def own_reranker(name: str) -> Method:
    """The re-ranking method with `module:Class`, a subclass of `pincite.models.Reranker`, in the place of ours.

    Only the order of its scores counts: they are fused with the other parts by reciprocal rank.
    """
    found = _class(name, Reranker, "re-ranker")
    created = _created(name, found)
    source = Path(sys.modules[found.__module__].__file__ or "")
    created.name = getattr(created, "name", "") or name
    created.sha256 = getattr(created, "sha256", "") or sha256(source.read_bytes()).hexdigest()
    return replace(method(RERANKS), own_reranker=created)


def _class(name: str, base: type[Any], kind: str) -> type[Any]:
    """The class that `module:Class` names; modules are also looked up in the working folder."""
    module, _, attribute = name.partition(":")
    if not module or not attribute:
        raise UsageError(f"{name!r} names no {kind}: write module:Class, as in my_parts:MyClass")
    if "" not in sys.path and str(Path.cwd()) not in sys.path:
        sys.path.insert(0, str(Path.cwd()))
    try:
        found = getattr(import_module(module), attribute, None)
    except ImportError as error:
        raise UsageError(
            f"{name}: the module cannot be imported ({error}); is it in this folder or installed?"
        ) from None
    if found is None:
        raise UsageError(f"{name}: the module {module} has no {attribute}")
    if not isinstance(found, type) or not issubclass(found, base):
        raise UsageError(
            f"{name} is no {kind}: it must be a subclass of {base.__module__.rsplit('.', 1)[0]}.{base.__name__} "
            "(docs/evaluation.md has a complete example)"
        )
    return found


def _created(name: str, found: type[Any]) -> Any:
    try:
        return found()
    except TypeError as error:
        raise UsageError(f"{name}: cannot be created without arguments ({error})") from None
