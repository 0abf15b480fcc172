"""The configuration of a run: a TOML file in which every key is known."""

import tomllib
from dataclasses import MISSING, asdict, dataclass, fields
from pathlib import Path
from typing import Any

from pincite.errors import DataError, UsageError


@dataclass(frozen=True, slots=True)
class TrainingConfig:
    """What is trained, from what, on what, and how."""

    model: str
    """encoder or reranker."""
    start: str
    """The start weights: a folder with a Hugging Face model, an ONNX file with int8 weights, or a .npz of ours."""
    tokenizer: str = "tokenizer.json"
    """The start's own tokenizer, in Hugging Face's format."""
    layers: int = 0
    """So many layers of the start are kept, evenly spaced; 0 keeps all."""
    sources: tuple[str, ...] = ("cuad", "maud", "contractnli", "made")
    weights: tuple[float, ...] = ()
    """How often an example of each source is seen in an epoch; 1 each where nothing is said."""
    epochs: int = 3
    lists: int = 24
    """Examples in a batch."""
    negatives: int = 12
    max_tokens: int = 192
    learning_rate: float = 3e-5
    warmup: float = 0.1
    temperature: float = 0.05
    pointwise: float = 0.3
    """Re-ranker: the weight of the loss that makes a score mean something on its own."""
    seed: int = 1
    checkpoint_every: int = 500

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class FittingConfig:
    """Which small parameters are fitted on dev, and for which models."""

    model: str
    """fusion, trimmer or answerability."""
    encoder: str
    reranker: str
    depth: int = 40
    """So many of the best units are read by the re-ranker."""

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


TRAINED, FITTED = ("encoder", "reranker"), ("fusion", "trimmer", "answerability")


def read_config(path: Path) -> TrainingConfig | FittingConfig:
    """The configuration in a file; its key `model` says of what."""
    try:
        values: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise DataError(f"{path}: cannot be read ({error.strerror})") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise DataError(f"{path}: not TOML ({error})") from None
    model = values.get("model")
    if model not in TRAINED + FITTED:
        said = "is missing" if model is None else f"must be one of {', '.join(TRAINED + FITTED)}, not {model!r}"
        raise UsageError(f"{path}: the key 'model' {said}")
    kind: type[TrainingConfig] | type[FittingConfig] = TrainingConfig if model in TRAINED else FittingConfig
    known = {field.name: field for field in fields(kind)}
    for key in values:
        if key not in known:
            raise UsageError(f"{path}: unknown key {key!r}; the known ones are: {', '.join(sorted(known))}")
    for key, field in known.items():
        if field.default is MISSING and key not in values:
            raise UsageError(f"{path}: the key {key!r} is missing")
    given: dict[str, Any] = {key: tuple(held) if isinstance(held, list) else held for key, held in values.items()}
    return kind(**given)
