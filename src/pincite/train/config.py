"""The configuration of a run, read from a TOML file. An unknown key is an error."""

import tomllib
from dataclasses import MISSING, asdict, dataclass, fields
from pathlib import Path
from typing import Any

from pincite.errors import DataError, UsageError


@dataclass(frozen=True, slots=True)
class TrainingConfig:
    """The settings of a training run."""

    model: str
    """encoder or reranker."""
    start: str | tuple[str, ...]
    """The initial weights: a folder with a Hugging Face model, an ONNX file with int8 weights, or our .npz file; of
    several, the mean."""
    tokenizer: str = "tokenizer.json"
    """The tokenizer of the initial model, in Hugging Face's format."""
    layers: int = 0
    """How many layers of the initial model are kept, evenly spaced; 0 keeps all."""
    sources: tuple[str, ...] = ("cuad", "maud", "contractnli", "made")
    """The sources whose examples are used."""
    weights: tuple[float, ...] = ()
    """How often an example of each source is seen in an epoch; 1 for each if empty."""
    epochs: int = 3
    lists: int = 24
    """Examples in a batch."""
    negatives: int = 12
    """Negatives of an example in a batch, at most."""
    max_tokens: int = 192
    """Longer texts are cut."""
    learning_rate: float = 3e-5
    warmup: float = 0.1
    """The share of the steps in which the learning rate rises."""
    temperature: float = 0.05
    """Encoder: divides the cosines in the loss."""
    alike: float = 0.0
    """Encoder: the answer of another question is no negative if its cosine to the question's own answer is above this;
    0 takes all."""
    pointwise: float = 0.3
    """Re-ranker: the weight of the loss on single pairs, which makes a score a likelihood."""
    teachers: tuple[str, ...] = ()
    """Re-ranker: weights of trained re-rankers whose mean score the student learns, beside the labels."""
    unlabelled: int = 0
    """With teachers: passages of an example that nobody judged, in a batch, at most."""
    seed: int = 1
    checkpoint_every: int = 500
    """Steps between checkpoints."""
    half: bool = False
    """Compute in bfloat16 on the CPU, too: about twice as fast where the CPU knows it."""
    held_out: int = 800
    """Held-out examples that are ranked for the learning curve."""

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class FittingConfig:
    """The settings of a fitting run: which parameters are fitted on dev, for which models."""

    model: str
    """fusion, trimmer or answerability."""
    encoder: str
    reranker: str
    depth: int = 40
    """How many units the re-ranker reads."""
    share: float = 1.0
    """The share of the questions that is read, chosen by their hashes."""

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


TRAINED, FITTED = ("encoder", "reranker"), ("fusion", "trimmer", "answerability")


def read_config(path: Path) -> TrainingConfig | FittingConfig:
    """The configuration in a file. The key `model` says which kind it is."""
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
