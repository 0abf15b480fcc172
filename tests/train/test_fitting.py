"""Fitting fusion, trimmer and answerability on a small dev set, with the shipped models."""

import json
from pathlib import Path

import pytest

from pincite.errors import DataError
from pincite.evaluate.dev_sets import dev_sets
from pincite.fuse.parts import FUSIONS, part_fusion
from pincite.search.trimmer import FEATURES
from pincite.train.config import FittingConfig
from pincite.train.fitting import PARAMETERS, fit

SAID = {
    "h1": ("Tenant shall not keep animals.", "The Tenant shall not keep any animal in the Premises."),
    "h2": (
        "Landlord may enter the premises.",
        "The Landlord may enter the Premises to inspect them on two days' notice.",
    ),
    "h3": ("Rent shall be paid every month.", "The rent is payable monthly in advance without deduction."),
}
OTHERS = (
    "This Lease is made between the Landlord and the Tenant.",
    "The deposit is held by an agent until the end of the term.",
    "Notices are given in writing and sent to the last known address.",
    "The law of the place of the Premises governs this Lease.",
)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dev")
    (folder / "contractnli").mkdir()
    documents = []
    for number in range(12):
        held = [name for at, name in enumerate(SAID) if (number + at) % 3]
        lines = [f"Lease {number}.", *OTHERS, *(SAID[name][1] for name in held)]
        text = "\n".join(lines)
        spans = [[text.index(line), text.index(line) + len(line)] for line in lines]
        notes = {
            name: {"choice": "Entailment", "spans": [lines.index(SAID[name][1])]}
            if name in held
            else {"choice": "NotMentioned", "spans": []}
            for name in SAID
        }
        entry = {
            "file_name": f"{number}.txt",
            "text": text,
            "spans": spans,
            "annotation_sets": [{"annotations": notes}],
        }
        documents.append(entry)
    labels = {name: {"hypothesis": said} for name, (said, _) in SAID.items()}
    (folder / "contractnli" / "dev.json").write_text(
        json.dumps({"documents": documents, "labels": labels}), encoding="utf-8"
    )
    return folder


def config(model: str) -> FittingConfig:
    return FittingConfig(model, "legal-encoder", "legal-reranker", depth=6)


def test_dev_questions_without_evidence_have_no_gold(data: Path) -> None:
    (found,) = dev_sets(data)
    assert len(found.asked) == 36
    assert sum(not question.gold for question, _ in found.asked) == 12
    with pytest.raises(DataError, match="neither legalbench-rag"):
        dev_sets(data / "contractnli")


@pytest.mark.torch
def test_every_kind_is_fitted_into_one_file_with_a_record(data: Path, tmp_path: Path) -> None:
    lines: list[str] = []
    for model in ("fusion", "trimmer", "answerability"):
        path = fit(config(model), data, tmp_path, lines.append)
        record = json.loads((tmp_path / f"{model}.json").read_text())
        assert record["questions"] == 36
        assert set(record["models"]) == {"legal-encoder", "legal-reranker"}
    held = json.loads(path.read_text())
    assert path.name == PARAMETERS
    for way in FUSIONS:
        part_fusion(way, held["fusion"])
    assert len(held["trimmer"]) == len(FEATURES)
    assert record["figures"]["compared"]["auroc"] > 0.9
    assert held["answerability"]["compared"]["weights"] == held["answerability"]["weights"]  # only one set to fit on
    assert any("found@10" in line for line in lines)


def test_what_is_there_must_be_readable(data: Path, tmp_path: Path) -> None:
    (tmp_path / PARAMETERS).write_text("{", encoding="utf-8")
    with pytest.raises(DataError, match="delete it to start again"):
        fit(config("answerability"), data, tmp_path)
