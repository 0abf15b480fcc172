"""The project's own models: as they were shipped, the same score in any company, and clear words where one is not."""

from pathlib import Path
from shutil import copyfile, copytree

import numpy as np
import pytest

from pincite.errors import ModelError, UsageError
from pincite.models import CachedReranker, load_encoder, load_reranker, shipped
from pincite.models.onnx_encoder import OnnxEncoder
from pincite.models.reranker import OnnxReranker
from pincite.models.shipped import MODEL_CARD, RECORD, SHIPPED

QUESTION = "May the tenant underlet?"
PASSAGES = [
    "7.2 The Tenant shall not assign, underlet or part with possession of the Premises without consent.",
    "Rent is payable quarterly in advance.",
    "This Lease is governed by the laws of England and Wales, and the parties submit to the courts there. " * 4,
    "Notices.",
]


@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_model_is_whole_and_says_where_it_comes_from(name: str) -> None:
    folder = SHIPPED[name].checked()
    card = (folder / MODEL_CARD).read_text(encoding="utf-8")
    for word in ("CUAD", "MAUD", "CC BY 4.0", "Limits"):
        assert word in card
    assert ("ContractNLI's train" in card) == (":zero-shot" not in name)
    assert (folder / RECORD).is_file()


def test_what_the_wheel_carries_is_at_most_70_megabytes() -> None:
    carried = [path for model in SHIPPED.values() if model.in_wheel for path in model.folder.iterdir()]
    assert sum(path.stat().st_size for path in carried) < 70e6


@pytest.mark.parametrize("name", ["legal-encoder", "legal-encoder:zero-shot"])
def test_a_vector_does_not_depend_on_its_company(name: str) -> None:
    encoder = load_encoder(name)
    together = encoder.encode(PASSAGES)
    alone = np.concatenate([encoder.encode([text]) for text in PASSAGES])
    backwards = encoder.encode(PASSAGES[::-1])[::-1]
    one_thread = OnnxEncoder(SHIPPED[name].folder, threads=1).encode(PASSAGES)
    for other in (alone, backwards, one_thread):
        assert np.abs(together - other).max() < 1e-5
    asked = encoder.encode_queries([QUESTION])
    assert int(np.argmax(together @ asked[0])) == 0


def test_a_long_passage_is_read_in_pieces() -> None:
    reranker = load_reranker("legal-reranker")
    filler = "The parties keep accurate books of account. " * 40
    plain, behind, without = reranker.scores(QUESTION, [PASSAGES[0], filler + PASSAGES[0], filler])
    assert behind > without + 2
    assert plain > without + 2
    assert reranker.scores(QUESTION, [filler * 20])[0] == pytest.approx(reranker.scores(QUESTION, [filler * 30])[0])
    assert np.isfinite(reranker.scores("why " * 2000, PASSAGES)).all()


@pytest.mark.parametrize("name", ["legal-reranker", "legal-reranker:zero-shot"])
def test_a_score_does_not_depend_on_its_company(name: str) -> None:
    reranker = load_reranker(name)
    together = reranker.scores(QUESTION, PASSAGES)
    alone = [float(reranker.scores(QUESTION, [text])[0]) for text in PASSAGES]
    backwards = reranker.scores(QUESTION, PASSAGES[::-1])[::-1]
    one_thread = OnnxReranker(SHIPPED[name].folder, threads=1).scores(QUESTION, PASSAGES)
    for other in (alone, backwards, one_thread):
        assert np.abs(together - other).max() < 2e-5
    assert int(np.argmax(together)) == 0


def test_an_altered_or_missing_file_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    copytree(SHIPPED["legal-encoder"].folder, tmp_path / "legal-encoder")
    copytree(SHIPPED["legal-reranker"].folder, tmp_path / "legal-reranker")
    monkeypatch.setattr(shipped, "WEIGHTS", tmp_path)
    load_encoder("legal-encoder")
    model = tmp_path / "legal-encoder" / "model.onnx"
    content = bytearray(model.read_bytes())
    content[len(content) // 2] ^= 1
    model.write_bytes(content)
    with pytest.raises(ModelError, match=r"these are not the shipped files of legal-encoder.*--force-reinstall"):
        load_encoder("legal-encoder")
    (tmp_path / "legal-reranker" / "tokenizer.json").unlink()
    with pytest.raises(ModelError, match=r"tokenizer.json: missing; pip install"):
        load_reranker("legal-reranker")
    with pytest.raises(ModelError, match="use a checkout of the source"):
        load_reranker("legal-reranker:zero-shot")


def test_the_file_of_another_model_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "mixed"
    copytree(SHIPPED["legal-reranker"].folder, folder)
    copyfile(SHIPPED["legal-encoder"].folder / "model.onnx", folder / "model.onnx")
    with pytest.raises(ModelError, match="not a model of this kind"):
        load_reranker(str(folder))
    (folder / "model.onnx").write_bytes(b"not a model")
    with pytest.raises(ModelError, match="not a model that onnxruntime can run"):
        load_reranker(str(folder))


def test_an_unknown_name_lists_the_known_ones() -> None:
    with pytest.raises(UsageError, match="unknown re-ranker 'legal-encoder'"):
        load_reranker("legal-encoder")
    with pytest.raises(UsageError, match="legal-encoder:zero-shot"):
        load_encoder("legal-reranker")


def test_kept_scores_are_the_same_scores(tmp_path: Path) -> None:
    plain = load_reranker("legal-reranker")
    kept = CachedReranker(plain, tmp_path)
    first, again = kept.scores(QUESTION, PASSAGES[:2]), kept.scores(QUESTION, PASSAGES)
    assert np.abs(again - plain.scores(QUESTION, PASSAGES)).max() < 2e-5
    assert again[:2].tolist() == first.tolist()
    assert b"underlet" not in kept.path.read_bytes()


@pytest.mark.torch
def test_any_cross_encoder_of_hugging_face_re_ranks(tmp_path: Path) -> None:
    from transformers import BertConfig, BertForSequenceClassification, PreTrainedTokenizerFast

    tokenizer = PreTrainedTokenizerFast(
        tokenizer_file=str(SHIPPED["legal-reranker"].folder / "tokenizer.json"), pad_token="[PAD]", model_max_length=64
    )
    tokenizer.save_pretrained(tmp_path)
    small = BertConfig(
        vocab_size=30522, hidden_size=32, num_hidden_layers=1, num_attention_heads=2, intermediate_size=32, num_labels=1
    )
    BertForSequenceClassification(small).save_pretrained(tmp_path)
    reranker = load_reranker(str(tmp_path))
    together = reranker.scores(QUESTION, PASSAGES)
    assert np.abs(together - [float(reranker.scores(QUESTION, [text])[0]) for text in PASSAGES]).max() < 1e-4
    assert len(reranker.sha256) == 64
    two = BertConfig(
        vocab_size=30522, hidden_size=32, num_hidden_layers=1, num_attention_heads=2, intermediate_size=32, num_labels=2
    )
    BertForSequenceClassification(two).save_pretrained(tmp_path)
    with pytest.raises(ModelError, match="gives 2 numbers"):
        load_reranker(str(tmp_path))
