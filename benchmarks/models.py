"""How fast the project's own models are: encoding beside torch, a whole answer with and without the re-ranker, loading.

python benchmarks/models.py [--questions 30] [--depth 100] [--passages N] [--rounds 5]

Encoding: passages of the sample contracts, int8 ONNX beside the same shape in torch fp32 (the extra `minilm`).
Answers: questions of the sample benchmark, each of which names its contract of more than 100 passages; vectors are made
before. Medians; one process, all cores, rounds in turns.
"""

import argparse
import json
from dataclasses import replace
from statistics import median
from time import perf_counter

from pincite.cli.demo import samples_folder
from pincite.documents import read_folder
from pincite.models import load_encoder, load_reranker
from pincite.models.minilm import minilm_folder
from pincite.models.torch_encoder import TorchEncoder
from pincite.pipeline import METHODS
from pincite.pipeline.methods import DEFAULT, FAST
from pincite.segment import Clauses
from pincite.text import Collection


def timed(work):
    started = perf_counter()
    work()
    return perf_counter() - started


def encoding(texts, rounds):
    ours = load_encoder("legal-encoder")
    folder = minilm_folder()
    if folder is None:
        print("encoding: torch is not here (the extra minilm); ours alone")
        print(f"  {len(texts) / timed(lambda: ours.encode(texts)):.0f} passages a second")
        return
    torch = TorchEncoder(str(folder))
    rows = [(timed(lambda: ours.encode(texts)), timed(lambda: torch.encode(texts))) for _ in range(rounds)]
    mine, its = (median(row[at] for row in rows) for at in (0, 1))
    print(f"encoding {len(texts)} passages: int8 {len(texts) / mine:.0f}, torch fp32 {len(texts) / its:.0f} a second")
    print(f"  ratio {its / mine:.2f}")


def answering(name, questions, documents, depth):
    chosen = METHODS[name]
    stage = replace(chosen.rerank.load(), depth=depth) if chosen.rerank else None
    retriever = chosen.build(load_encoder(chosen.encoder), None, stage)
    retriever.index(Collection.build(documents, Clauses()))
    retriever.search(questions[0])
    times = [timed(lambda question=question: retriever.search(question)) for question in questions]
    read = f", {depth} candidates re-ranked" if stage else ""
    print(f"{name}{read}: p50 {1000 * median(times):.0f} ms, slowest {1000 * max(times):.0f} ms")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--questions", type=int, default=30)
    parser.add_argument("--depth", type=int, default=100)
    parser.add_argument("--passages", type=int, help="encode only the first N passages")
    parser.add_argument("--rounds", type=int, default=5)
    asked = parser.parse_args()
    samples = samples_folder()
    documents = list(read_folder(samples / "corpus").documents)
    units = Collection.build(documents, Clauses())
    texts = [
        document.text[start:end]
        for document, held in zip(units.documents, units.units, strict=True)
        for start, end in zip(held.starts.tolist(), held.ends.tolist(), strict=True)
    ]
    tests = json.loads((samples / "benchmarks" / "contracts.json").read_text(encoding="utf-8"))["tests"]
    questions = [test["query"] for test in tests][: asked.questions]
    for kind, load in (("legal-encoder", load_encoder), ("legal-reranker", load_reranker)):
        print(f"loading {kind}: {1000 * timed(lambda load=load, kind=kind: load(kind)):.0f} ms")
    encoding(texts[: asked.passages], asked.rounds)
    answering(FAST, questions, documents, asked.depth)
    for depth in sorted({40, asked.depth}):
        answering(DEFAULT, questions, documents, depth)


if __name__ == "__main__":
    main()
