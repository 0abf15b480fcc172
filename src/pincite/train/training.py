"""A training run: reads examples, and writes weights and a record. A stopped run resumes from its last checkpoint."""

import json
import math
import platform
import random
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from pincite.errors import DataError, ModelError
from pincite.models.reranker import INPUTS
from pincite.train.backbone import Weights, build, mean_of, weights_of, write_rows
from pincite.train.config import TrainingConfig
from pincite.train.examples import TrainingExample, file_hash, read_examples
from pincite.train.rewording import dropped
from pincite.train.tokens import Row, Tokens

Tell = Callable[[str], None]
EXAMPLES, DEV = "train.json.gz", "dev.json.gz"
CHECKPOINT, RECORD, RESULT = "checkpoint.pt", "record.json", "weights.npz"
TOGETHER = 32
"""Held-out examples in a batch."""

PART = {"cuda": 640, "cpu": 32}
"""Texts in one pass through the model: many keep a GPU busy; on a CPU, few of about the same length waste least."""

JUDGED_WRITTEN = ("written", "unanswered")
"""The sources of written questions with and without an answer."""

WINDOWS = "windows"
"""The source whose examples are long: windows of 500 words."""

RAGGED = 0.3
"""The share of questions from which a few words are dropped, drawn again for each step."""


class Model:
    """The transformer with its head, and the loss of a batch of examples."""

    def __init__(self, config: TrainingConfig, weights: Weights, tokenizer: Any, device: str) -> None:
        import torch

        self.config = config
        self.device = device
        self.half = device == "cuda" or config.half
        self.tokens = Tokens(tokenizer, config.max_tokens)
        self.body = build(weights, config.layers)
        self.head = torch.nn.Linear(self.body.config.hidden_size, 1)
        if "classifier.weight" in weights:
            with torch.no_grad():
                self.head.weight.copy_(torch.from_numpy(np.array(weights["classifier.weight"]).reshape(1, -1)))
                self.head.bias.copy_(torch.from_numpy(np.array(weights["classifier.bias"])))
        self.whole = torch.nn.ModuleDict({"body": self.body, "head": self.head}).to(device)
        self.teachers: list[Model] = []

    def _padded(self, rows: Sequence[Row]) -> dict[str, Any]:
        """The tokens of several texts, padded to the longest."""
        import torch

        width = max(len(ids) for ids, _ in rows)
        inputs = np.zeros((len(INPUTS), len(rows), width), dtype=np.int64)
        for at, (ids, types) in enumerate(rows):
            inputs[0, at, : len(ids)], inputs[1, at, : len(ids)], inputs[2, at, : len(ids)] = ids, 1, types
        return dict(zip(INPUTS, torch.from_numpy(inputs).to(self.device), strict=True))

    def scores(self, pairs: Sequence[tuple[str, str]]) -> Any:
        """Re-ranker: how well each passage answers its question."""
        return self._in_parts(pairs, lambda inputs: self.head(self.body(**inputs).pooler_output)[:, 0])

    def vectors(self, texts: Sequence[str]) -> Any:
        """Encoder: the normalised mean of the token vectors."""
        import torch

        def means(inputs: dict[str, Any]) -> Any:
            hidden = self.body(**inputs).last_hidden_state
            mask = inputs["attention_mask"].unsqueeze(-1)
            return torch.nn.functional.normalize((hidden * mask).sum(1) / mask.sum(1).clamp(min=1), dim=-1)

        return self._in_parts(texts, means)

    def _in_parts(self, rows: Sequence[Any], made: Callable[[dict[str, Any]], Any]) -> Any:
        """Applies `made` to all rows. Rows of similar length share a batch, so that little is padded."""
        import torch

        tokens = self.tokens.rows(rows)
        order = sorted(range(len(rows)), key=lambda at: len(tokens[at][0]))
        size = PART.get(self.device, 640)
        parts = [made(self._padded([tokens[at] for at in order[at : at + size]])) for at in range(0, len(order), size)]
        back = torch.tensor(order, device=self.device).argsort()
        return torch.cat(parts)[back]

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

        pairs, sizes, unjudged = [], [], []
        for example, question in zip(batch, questions, strict=True):
            wrong = chance.sample(example.negatives, min(self.config.negatives, len(example.negatives)))
            rows = [*([chance.choice(example.positives)] if example.positives else []), *wrong]
            more = chance.sample(example.unlabelled, min(self._unlabelled, len(example.unlabelled)))
            pairs += [(question, row) for row in (*rows, *more)]
            sizes.append(len(rows))
            unjudged.append(len(more))
        found = self.scores(pairs).float()
        judged = torch.repeat_interleave(torch.tensor([True, False] * len(batch)), _woven(sizes, unjudged))
        scores = found[judged.to(found.device)].split(sizes)
        lists = list(zip(batch, scores, strict=True))
        ranked = [-torch.log_softmax(row, 0)[0] for example, row in lists if example.positives and len(row) > 1]
        listwise = torch.stack(ranked).mean() if ranked else 0.0
        right = torch.cat([torch.eye(1, len(row), device=row.device)[0] * bool(one.positives) for one, row in lists])
        weight = torch.where(right > 0, 4.0, 1.0)
        point = torch.nn.functional.binary_cross_entropy_with_logits(torch.cat(list(scores)), right, weight)
        loss = listwise + self.config.pointwise * point
        if not self.teachers:
            return loss
        return loss + self._taught(found, pairs, [a + b for a, b in zip(sizes, unjudged, strict=True)])

    @property
    def _unlabelled(self) -> int:
        return self.config.unlabelled if self.teachers else 0

    def _taught(self, scores: Any, pairs: Sequence[tuple[str, str]], sizes: Sequence[int]) -> Any:
        """How far the scores are from the teachers' mean: in the order of each list, and pair by pair."""
        import torch

        with torch.no_grad():
            wanted = torch.stack([teacher.scores(pairs).float() for teacher in self.teachers]).mean(0)
        lists = zip(scores.split(list(sizes)), wanted.split(list(sizes)), strict=True)
        order = [-(torch.softmax(theirs, 0) * torch.log_softmax(ours, 0)).sum() for ours, theirs in lists]
        point = torch.nn.functional.binary_cross_entropy_with_logits(scores, torch.sigmoid(wanted))
        return torch.stack(order).mean() + self.config.pointwise * point

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
        answers = self.vectors(passages)
        similar = self.vectors(questions) @ answers.T / self.config.temperature
        # The answer of another question is not a negative if both ask the same, or if it says nearly the same.
        _, kind = np.unique(kinds, return_inverse=True)
        others = np.arange(len(batch))[:, None] != np.array(owners)
        same = torch.from_numpy((kind[: len(batch), None] == kind) & others).to(self.device)
        if self.config.alike:
            near = (answers[: len(batch)] @ answers.T).detach() > self.config.alike
            same |= near & torch.from_numpy(others).to(self.device)
        similar = similar.float().masked_fill(same, -1e4)
        return torch.nn.functional.cross_entropy(similar, torch.arange(len(batch), device=self.device))

    def ranks(self, examples: Sequence[TrainingExample]) -> dict[str, float]:
        """On held-out examples, over all and by source: how often an answer ranks above all negatives, and the mean
        reciprocal rank. Where some have no answer: how well the best score tells those apart (AUROC)."""
        import torch

        places: defaultdict[str, list[int]] = defaultdict(list)
        best: dict[bool, list[float]] = {True: [], False: []}
        self.whole.eval()
        with (
            torch.no_grad(),
            torch.autocast(self.device, torch.bfloat16, enabled=self.half),
        ):
            for at in range(0, len(examples), TOGETHER):
                batch = examples[at : at + TOGETHER]
                rows = [
                    (example.question, text) for example in batch for text in (*example.positives, *example.negatives)
                ]
                if self.config.model == "encoder":
                    questions = self.vectors([example.question for example in batch])
                    owners = [at for at, example in enumerate(batch) for _ in (*example.positives, *example.negatives)]
                    found = (questions[owners] * self.vectors([text for _, text in rows])).sum(-1)
                else:
                    found = self.scores(rows)
                sizes = [len(example.positives) + len(example.negatives) for example in batch]
                for example, values in zip(batch, found.float().cpu().split(sizes), strict=True):
                    right, wrong = values[: len(example.positives)], values[len(example.positives) :]
                    if example.source in JUDGED_WRITTEN:
                        best[bool(example.positives)].append(float(values.max()))
                    if example.positives:
                        rank = 1 + int((wrong > right.max()).sum())
                        places[""].append(rank)
                        places[f"_{example.source}"].append(rank)
        self.whole.train()
        figures = {f"first{name}": float(np.mean(np.array(held) == 1)) for name, held in places.items()}
        if best[True] and best[False]:
            higher = np.sign(np.subtract.outer(best[True], best[False]))
            figures["auroc"] = float((higher + 1).mean() / 2)
        return figures | {"mrr": float(np.mean(1 / np.array(places[""])))}


def train(config: TrainingConfig, data: Path, out: Path, device: str = "auto", tell: Tell = print) -> Path:
    """Trains on the examples of a folder, which also holds the initial weights. Writes the new weights and a record of
    the run, and returns the path of the weights."""
    import tokenizers
    import torch

    examples, dev = data / EXAMPLES, data / DEV
    starts = [data / name for name in ((config.start,) if isinstance(config.start, str) else config.start)]
    tokenizer = data / config.tokenizer
    teachers = [data / name for name in config.teachers]
    for path in (examples, tokenizer, *starts, *teachers):
        if not path.exists():
            raise DataError(f"{path}: no such file; docs/training.md says where it comes from")

    device = ("cuda" if torch.cuda.is_available() else "cpu") if device == "auto" else device
    if device == "cuda" and not torch.cuda.is_available():
        raise ModelError("there is no GPU on this machine; train with --device cpu or --device auto")
    torch.manual_seed(config.seed)
    reader = tokenizers.Tokenizer.from_file(str(tokenizer))
    model = Model(config, mean_of([weights_of(path) for path in starts]), reader, device)
    whole = replace(config, layers=0)
    model.teachers = [Model(whole, weights_of(path), reader, device) for path in teachers]
    for teacher in model.teachers:
        teacher.whole.eval()
    kept = [example for example in read_examples(examples) if example.source in config.sources]
    if config.model == "encoder":  # it learns from answers alone
        kept = [example for example in kept if example.positives]
    held_out = read_examples(dev)[-config.held_out :] if dev.exists() and config.held_out else []
    steps = _schedule(config, kept)
    optimiser = torch.optim.AdamW(_groups(model.whole), lr=config.learning_rate, fused=device == "cuda")
    out.mkdir(parents=True, exist_ok=True)
    curve, done = _resume(out / CHECKPOINT, model, optimiser)
    started = perf_counter()
    tell(
        f"{config.model}: {len(kept)} examples, {len(steps)} steps on {device}"
        + (f", from step {done}" if done else "")
    )
    running: Any = 0.0
    for step in range(done, len(steps)):
        for group in optimiser.param_groups:
            group["lr"] = config.learning_rate * _pace(step, len(steps), config.warmup)
        batch = [kept[at] for at in steps[step]]
        try:
            with torch.autocast(device, torch.bfloat16, enabled=model.half):
                loss = model.loss(batch, random.Random(f"{config.seed} {step}"))
            optimiser.zero_grad()
            loss.backward()
        except (MemoryError, torch.OutOfMemoryError):
            raise ModelError(
                f"too little memory for step {step + 1}: lower 'lists', 'negatives' or 'max_tokens' in the "
                "configuration; the same command resumes from the last checkpoint"
            ) from None
        torch.nn.utils.clip_grad_norm_(model.whole.parameters(), 1.0)
        optimiser.step()
        running = running + loss.detach()
        if (step + 1) % 100 == 0 or step + 1 == len(steps):
            figures = {"step": step + 1, "loss": float(running) / (step % 100 + 1), "seconds": perf_counter() - started}
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
        "teachers": {path.name: file_hash(path) for path in teachers},
        "start": {path.name: file_hash(path) if path.is_file() else "" for path in starts},
        "versions": {"python": platform.python_version(), "torch": torch.__version__, "numpy": np.__version__},
        "device": torch.cuda.get_device_name() if device == "cuda" else "cpu",
        "seconds": perf_counter() - started,
        "curve": curve,
    }
    (out / RECORD).write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    (out / CHECKPOINT).unlink(missing_ok=True)
    return out / RESULT


def _woven(first: Sequence[int], second: Sequence[int]) -> Any:
    import torch

    return torch.tensor([count for both in zip(first, second, strict=True) for count in both])


def _schedule(config: TrainingConfig, examples: Sequence[TrainingExample]) -> list[list[int]]:
    """The examples of each step. Each epoch is shuffled, with sources in proportion to their weights. Windows have
    batches of their own: they are long, and their questions name the document."""
    weight = dict(zip(config.sources, config.weights or [1.0] * len(config.sources), strict=True))
    chance = random.Random(config.seed)
    steps: list[list[int]] = []
    for long in (False, True):
        seen: list[int] = []
        for _ in range(config.epochs):
            epoch: list[int] = []
            for at, example in enumerate(examples):
                times = weight[example.source]
                if (example.source == WINDOWS) == long:
                    epoch += [at] * (int(times) + (chance.random() < times % 1))
            chance.shuffle(epoch)
            seen += epoch
        whole = len(seen) - len(seen) % config.lists or len(seen)
        steps += [seen[first : first + config.lists] for first in range(0, whole, config.lists)]
    chance.shuffle(steps)
    return steps


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
        raise ModelError(f"{path}: the checkpoint is not of this run ({error}); delete it to start again") from None
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
