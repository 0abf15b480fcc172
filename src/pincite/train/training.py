"""One training run: examples in, weights, a curve and a record out; stopped in the middle, it goes on."""

import json
import math
import platform
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from pincite.errors import DataError, ModelError
from pincite.train.backbone import Weights, build, weights_of, write_rows
from pincite.train.config import TrainingConfig
from pincite.train.examples import TrainingExample, file_hash, read_examples
from pincite.train.rewording import dropped

Tell = Callable[[str], None]
EXAMPLES, DEV = "train.json.gz", "dev.json.gz"
CHECKPOINT, RECORD, RESULT = "checkpoint.pt", "record.json", "weights.npz"
RAGGED = 0.3
"""So many questions lose a few words whenever they are seen."""


class Model:
    """The transformer with what stands on it, and how a batch of examples becomes a loss."""

    def __init__(self, config: TrainingConfig, weights: Weights, tokenizer: Any, device: str) -> None:
        import torch

        self.config = config
        self.device = device
        self.tokenizer = tokenizer
        self.body = build(weights, config.layers)
        self.head = torch.nn.Linear(self.body.config.hidden_size, 1)
        if "classifier.weight" in weights:
            with torch.no_grad():
                self.head.weight.copy_(torch.from_numpy(np.array(weights["classifier.weight"]).reshape(1, -1)))
                self.head.bias.copy_(torch.from_numpy(np.array(weights["classifier.bias"])))
        self.whole = torch.nn.ModuleDict({"body": self.body, "head": self.head}).to(device)

    def encoded(self, rows: Sequence[Any]) -> dict[str, Any]:
        """Tokens of texts, or of pairs of texts, padded to the longest."""
        import torch

        tokens = self.tokenizer.encode_batch(list(rows))
        width = max(len(row.ids) for row in tokens)

        def padded(values: Sequence[Sequence[int]]) -> Any:
            return torch.tensor([[*row, *[0] * (width - len(row))] for row in values], device=self.device)

        return {
            "input_ids": padded([row.ids for row in tokens]),
            "attention_mask": padded([row.attention_mask for row in tokens]),
            "token_type_ids": padded([row.type_ids for row in tokens]),
        }

    def scores(self, pairs: Sequence[tuple[str, str]]) -> Any:
        """Re-ranker: how well each passage answers its question."""
        return self.head(self.body(**self.encoded(pairs)).pooler_output)[:, 0]

    def vectors(self, texts: Sequence[str]) -> Any:
        """Encoder: the normalised mean of the token vectors."""
        import torch

        inputs = self.encoded(texts)
        hidden = self.body(**inputs).last_hidden_state
        mask = inputs["attention_mask"].unsqueeze(-1)
        return torch.nn.functional.normalize((hidden * mask).sum(1) / mask.sum(1).clamp(min=1), dim=-1)

    def loss(self, batch: Sequence[TrainingExample], chance: random.Random) -> Any:
        questions = [
            dropped(example.question, chance, 0.12) if chance.random() < RAGGED else example.question
            for example in batch
        ]
        if self.config.model == "encoder":
            return self._contrast(batch, questions, chance)
        return self._listwise(batch, questions, chance)

    def _listwise(self, batch: Sequence[TrainingExample], questions: Sequence[str], chance: random.Random) -> Any:
        import torch

        pairs, sizes = [], []
        for example, question in zip(batch, questions, strict=True):
            wrong = chance.sample(example.negatives, min(self.config.negatives, len(example.negatives)))
            rows = [chance.choice(example.positives), *wrong]
            pairs += [(question, row) for row in rows]
            sizes.append(len(rows))
        scores = self.scores(pairs).float().split(sizes)
        listwise = torch.stack([-torch.log_softmax(row, 0)[0] for row in scores if len(row) > 1]).mean()
        right = torch.cat([torch.eye(1, len(row), device=row.device)[0] for row in scores])
        weight = torch.where(right > 0, 4.0, 1.0)
        point = torch.nn.functional.binary_cross_entropy_with_logits(torch.cat(list(scores)), right, weight)
        return listwise + self.config.pointwise * point

    def _contrast(self, batch: Sequence[TrainingExample], questions: Sequence[str], chance: random.Random) -> Any:
        import torch

        passages, kinds, owners = [], [], []
        for at, example in enumerate(batch):
            passages.append(chance.choice(example.positives))
            kinds.append(example.kind or example.question)
            owners.append(at)
        for at, example in enumerate(batch):
            for row in chance.sample(example.negatives, min(self.config.negatives, len(example.negatives))):
                passages.append(row)
                kinds.append("")
                owners.append(at)
        similar = self.vectors(questions) @ self.vectors(passages).T / self.config.temperature
        # Another question's answer is no wrong answer if both ask the same; nor is what was not judged for this one.
        same = torch.tensor(
            [
                [kinds[row] == kinds[column] and row != owners[column] for column in range(len(passages))]
                for row in range(len(batch))
            ],
            device=self.device,
        )
        similar = similar.float().masked_fill(same, -1e4)
        return torch.nn.functional.cross_entropy(similar, torch.arange(len(batch), device=self.device))

    def ranks(self, examples: Sequence[TrainingExample]) -> dict[str, float]:
        """On held-out examples: how often an answer comes first among its negatives, and the mean reciprocal rank."""
        import torch

        first, reciprocal = 0, 0.0
        self.whole.eval()
        with torch.no_grad(), torch.autocast(self.device, torch.bfloat16, enabled=self.device == "cuda"):
            for example in examples:
                rows = [*example.positives, *example.negatives]
                if self.config.model == "encoder":
                    found = (self.vectors([example.question]) @ self.vectors(rows).T)[0]
                else:
                    found = self.scores([(example.question, row) for row in rows])
                values = found.float().cpu().numpy()
                best = values[: len(example.positives)].max()
                rank = 1 + int((values[len(example.positives) :] > best).sum())
                first += rank == 1
                reciprocal += 1 / rank
        self.whole.train()
        return {"first": first / max(1, len(examples)), "mrr": reciprocal / max(1, len(examples))}


def train(config: TrainingConfig, data: Path, out: Path, device: str = "auto", tell: Tell = print) -> Path:
    """Trains on the examples of a folder, which also holds the start, and writes the weights with a record of all that
    made them."""
    import tokenizers
    import torch

    examples, dev, start = data / EXAMPLES, data / DEV, data / config.start
    tokenizer = data / config.tokenizer
    for path in (examples, start, tokenizer):
        if not path.exists():
            raise DataError(f"{path}: not there; docs/training.md says where it comes from")

    device = ("cuda" if torch.cuda.is_available() else "cpu") if device == "auto" else device
    if device == "cuda" and not torch.cuda.is_available():
        raise ModelError("there is no GPU here; train with --device cpu, or --device auto")
    torch.manual_seed(config.seed)
    reader = tokenizers.Tokenizer.from_file(str(tokenizer))
    reader.enable_truncation(config.max_tokens)
    reader.no_padding()
    model = Model(config, weights_of(start), reader, device)
    kept = [example for example in read_examples(examples) if example.source in config.sources]
    held_out = read_examples(dev)[:800] if dev.exists() else []
    steps = _schedule(config, kept)
    optimiser = torch.optim.AdamW(_groups(model.whole), lr=config.learning_rate)
    out.mkdir(parents=True, exist_ok=True)
    curve, done = _resume(out / CHECKPOINT, model, optimiser)
    started = perf_counter()
    tell(
        f"{config.model}: {len(kept)} examples, {len(steps)} steps on {device}"
        + (f", from step {done}" if done else "")
    )
    running = 0.0
    for step in range(done, len(steps)):
        for group in optimiser.param_groups:
            group["lr"] = config.learning_rate * _pace(step, len(steps), config.warmup)
        batch = [kept[at] for at in steps[step]]
        with torch.autocast(device, torch.bfloat16, enabled=device == "cuda"):
            loss = model.loss(batch, random.Random(f"{config.seed} {step}"))
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.whole.parameters(), 1.0)
        optimiser.step()
        running += float(loss.detach())
        if (step + 1) % 100 == 0 or step + 1 == len(steps):
            figures = {"step": step + 1, "loss": running / (step % 100 + 1), "seconds": perf_counter() - started}
            running = 0.0
            if held_out and ((step + 1) % 500 == 0 or step + 1 == len(steps)):
                figures |= {f"dev_{name}": value for name, value in model.ranks(held_out).items()}
            curve.append(figures)
            tell("  ".join(f"{name} {value:.4g}" for name, value in figures.items()))
        if (step + 1) % config.checkpoint_every == 0:
            _save(out / CHECKPOINT, model, optimiser, curve, step + 1)
    write_rows(out / RESULT, _weights(model))
    record = {
        "config": config.to_dict(),
        "examples": {"file": examples.name, "sha256": file_hash(examples), "used": len(kept)},
        "dev": {"file": dev.name, "sha256": file_hash(dev)} if dev.exists() else None,
        "start": {"file": start.name, "sha256": file_hash(start) if start.is_file() else ""},
        "versions": {"python": platform.python_version(), "torch": torch.__version__, "numpy": np.__version__},
        "device": torch.cuda.get_device_name() if device == "cuda" else "cpu",
        "seconds": perf_counter() - started,
        "curve": curve,
    }
    (out / RECORD).write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    (out / CHECKPOINT).unlink(missing_ok=True)
    return out / RESULT


def _schedule(config: TrainingConfig, examples: Sequence[TrainingExample]) -> list[list[int]]:
    """Which examples are seen in which step: every epoch shuffled anew, sources in their proportion."""
    weight = dict(zip(config.sources, config.weights or [1.0] * len(config.sources), strict=True))
    chance = random.Random(config.seed)
    seen: list[int] = []
    for _ in range(config.epochs):
        epoch: list[int] = []
        for at, example in enumerate(examples):
            times = weight[example.source]
            epoch += [at] * (int(times) + (chance.random() < times % 1))
        chance.shuffle(epoch)
        seen += epoch
    return [seen[first : first + config.lists] for first in range(0, len(seen) - config.lists + 1, config.lists)] or [
        seen
    ]


def _pace(step: int, total: int, warmup: float) -> float:
    first = max(1, int(warmup * total))
    if step < first:
        return (step + 1) / first
    return 0.5 * (1 + math.cos(math.pi * (step - first) / max(1, total - first)))


def _groups(model: Any) -> list[dict[str, Any]]:
    plain = [value for name, value in model.named_parameters() if "LayerNorm" in name or name.endswith("bias")]
    rest = [value for name, value in model.named_parameters() if not ("LayerNorm" in name or name.endswith("bias"))]
    return [{"params": rest, "weight_decay": 0.01}, {"params": plain, "weight_decay": 0.0}]


def _save(path: Path, model: Model, optimiser: Any, curve: list[dict[str, float]], step: int) -> None:
    import torch

    fresh = path.with_suffix(".new")
    state = {
        "model": model.whole.state_dict(),
        "optimiser": optimiser.state_dict(),
        "chance": torch.get_rng_state(),
        "curve": curve,
        "step": step,
    }
    torch.save(state, fresh)
    fresh.rename(path)


def _resume(path: Path, model: Model, optimiser: Any) -> tuple[list[dict[str, float]], int]:
    import torch

    if not path.is_file():
        return [], 0
    try:
        held = torch.load(path, map_location=model.device)
        model.whole.load_state_dict(held["model"])
        optimiser.load_state_dict(held["optimiser"])
        torch.set_rng_state(held["chance"].cpu())
    except (RuntimeError, KeyError, ValueError, EOFError) as error:
        raise ModelError(f"{path}: the checkpoint is not of this run ({error}); delete it to start anew") from None
    return held["curve"], int(held["step"])


def _weights(model: Model) -> Weights:
    body = {
        name: value.float().cpu().numpy()
        for name, value in model.body.state_dict().items()
        if value.is_floating_point()
    }
    if model.config.model == "encoder":
        return body
    head = model.head.state_dict()
    return body | {f"classifier.{name}": value.float().cpu().numpy() for name, value in head.items()}
