"""A fitting run: reads dev questions, and writes a section of `parameters.json` and a record of the run."""

import json
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Any

from pincite.errors import DataError
from pincite.evaluate.dev_sets import CONTRACTNLI, FOREIGN, OWN, WRITTEN
from pincite.fuse.parts import part_fusion
from pincite.models import load_encoder, load_reranker
from pincite.pipeline.rerank_stage import FUSION
from pincite.train.config import FittingConfig
from pincite.train.fit_answerability import fit_answerability
from pincite.train.fit_fusion import fit_fusions
from pincite.train.fit_trimmer import fit_trimmer
from pincite.train.held_out import read_held_out

PARAMETERS = "parameters.json"
SETS = {"answerability": (CONTRACTNLI, WRITTEN, OWN, FOREIGN)}
"""The dev sets that a kind of parameters needs, where not all: those that have questions without an answer."""


def fit(
    config: FittingConfig, data: Path, out: Path, tell: Callable[[str], None] = print, own: Path | None = None
) -> Path:
    """Fits on the dev sets of a data folder, and on the held-out questions of a file `own`.
    The other sections of `parameters.json` are kept."""
    started = perf_counter()
    path = out / PARAMETERS
    held = _read(path)
    encoder, reranker = load_encoder(config.encoder), load_reranker(config.reranker)
    read = read_held_out(data, encoder, reranker, config.depth, tell, config.share, own, SETS.get(config.model))
    figures: dict[str, Any]
    match config.model:
        case "fusion":
            held["fusion"], figures = fit_fusions(read, tell)
        case "trimmer":
            way = FUSION if "fusion" in held else "fixed"
            fusion = part_fusion(way, held.get("fusion") or {"fixed": {"first": 1.0, "rerank": 0.1}})
            held["trimmer"], figures = fit_trimmer(read, fusion, tell)
        case _:
            held["answerability"], figures = fit_answerability(read, tell)
    held["depth"] = config.depth
    record = {
        "config": config.to_dict(),
        "models": {encoder.name: encoder.sha256, reranker.name: reranker.sha256},
        "questions": len(read),
        "seconds": round(perf_counter() - started, 1),
        "figures": figures,
    }
    out.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(held, indent=1) + "\n", encoding="utf-8")
    (out / f"{config.model}.json").write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    return path


def _read(path: Path) -> dict[str, Any]:
    if not path.is_file():
        return {}
    try:
        held: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise DataError(f"{path}: not JSON ({error}); delete it to start again") from None
    return held
