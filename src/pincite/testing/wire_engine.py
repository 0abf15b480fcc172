"""An engine behind a wire: every argument and every result is serialised and read back.

Whatever passes the suite behind it can be put behind a network.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from pincite.engine.contract import Candidates, CandidateView, Engine, Store
from pincite.engine.originals import Originals
from pincite.engine.wire import dump, load
from pincite.text import Filter


def over_the_wire(value: Any) -> Any:
    """The value as it arrives on the other side."""
    return load(dump(value))


def _crossing(name: str) -> Any:
    def call(self: Any, *given: Any, **named: Any) -> Any:
        prepared = [list(value) if hasattr(value, "__next__") else value for value in given]
        return over_the_wire(getattr(self.inner, name)(*over_the_wire(prepared), **over_the_wire(named)))

    return call


def _crossing_property(name: str) -> Any:
    return property(lambda self: over_the_wire(getattr(self.inner, name)))


class _WireView:
    """A view whose answers have crossed the wire. The language is named, not sent."""

    def __init__(self, inner: CandidateView) -> None:
        self.inner = inner
        self.language, self.generation, self.notes = inner.language, inner.generation, inner.notes
        self.configuration = over_the_wire(inner.configuration)


class _WireEngine:
    """The calls that are not plain data: leases, views and files."""

    def __init__(self, inner: Engine) -> None:
        self.inner = inner

    @contextmanager
    def view(self, visible: Filter | None = None) -> Iterator[CandidateView]:
        with self.inner.view(over_the_wire(visible)) as view:
            yield WireView(view)

    @contextmanager
    def lease(self, name: str = "writer", wait: float | None = None) -> Iterator[None]:
        with self.inner.lease(name, wait):
            yield

    @property
    def originals(self) -> Originals:
        return self.inner.originals

    def close(self) -> None:
        self.inner.close()


def _members(contract: type, without: tuple[str, ...] = ()) -> dict[str, Any]:
    """Every abstract member of a contract, sent over the wire."""
    found: dict[str, Any] = {}
    for name in contract.__abstractmethods__:  # type: ignore[attr-defined]
        if name not in without:
            is_property = isinstance(getattr(contract, name), property)
            found[name] = _crossing_property(name) if is_property else _crossing(name)
    return found


WireView: Any = type("WireView", (_WireView, CandidateView), _members(CandidateView))
WireEngine: Any = type(
    "WireEngine",
    (_WireEngine, Engine),
    {
        **_members(Store, ("lease", "close", "originals")),
        **_members(Candidates, ("view",)),
        **{name: _crossing_property(name) for name in ("capabilities", "location")},
    },
)
