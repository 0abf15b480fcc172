"""The engines that come with Pincite keep the contract."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from pincite.engine import Engine, MemoryEngine
from pincite.index.embedded import EmbeddedEngine
from pincite.index.embedded.settings import EmbeddedSettings
from pincite.testing.engine_suite import EngineSuite
from pincite.testing.wire_engine import WireEngine


class TestMemory(EngineSuite):
    """The engine in memory."""

    @pytest.fixture
    def engine(self) -> Engine:
        return MemoryEngine()

    @pytest.fixture
    def other_engine(self) -> Engine:
        return MemoryEngine()


class TestWire(EngineSuite):
    """The engine in memory behind a wire: everything that crosses the contract can be serialised."""

    @pytest.fixture
    def engine(self) -> Engine:
        engine: Engine = WireEngine(MemoryEngine())
        return engine

    @pytest.fixture
    def other_engine(self) -> Engine:
        engine: Engine = WireEngine(MemoryEngine())
        return engine


def opened(folder: Path, settings: EmbeddedSettings) -> Iterator[EmbeddedEngine]:
    EmbeddedEngine.create(folder)
    with EmbeddedEngine(folder, write=True, settings=settings) as engine:
        yield engine


class TestEmbedded(EngineSuite):
    """The engine in a folder. The other one puts every document into a fragment of its own, on disk."""

    @pytest.fixture
    def engine(self, tmp_path: Path) -> Iterator[Engine]:
        yield from opened(tmp_path / "one.pincite", EmbeddedSettings(missing_vectors=0))

    @pytest.fixture
    def other_engine(self, tmp_path: Path) -> Iterator[Engine]:
        settings = EmbeddedSettings(recent_characters=0, merge_ratio=0, missing_vectors=0)
        yield from opened(tmp_path / "other.pincite", settings)
