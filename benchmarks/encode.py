"""The ONNX encoders beside torch on the same passages, in one run: rate, closeness, and whether the batch matters.

python benchmarks/encode.py [--model all-MiniLM-L6-v2] [--passages 600] [--trials] [--json FILE]

The passages are sentences of the sample contracts. The encoders take turns for several rounds and the best round of
each counts. The last column is the greatest difference of any vector entry when texts are encoded alone, in another
order and beside longer ones.
"""

import argparse
import json
import tempfile
from pathlib import Path
from time import perf_counter

import numpy as np

from pincite.cli.demo import samples_folder
from pincite.documents import read_folder
from pincite.models.export import export_encoder
from pincite.models.load import export_source
from pincite.models.onnx_encoder import OnnxEncoder
from pincite.models.quantise import QuantiseConfig
from pincite.models.torch_encoder import TorchEncoder
from pincite.segment import SentenceWindows
from pincite.text import Collection


def batch_difference(encoder, texts, reference):
    alone = np.concatenate([encoder.encode([text]) for text in texts])
    beside = encoder.encode([*reversed(texts), "a much longer neighbour " * 60])[:-1][::-1]
    return float(max(np.abs(alone - reference).max(), np.abs(beside - reference).max()))


def trials(source, texts):
    """How close int8 comes with other ways to share the range between activations and weights."""
    print(f"{'smoothing':>10}{'weight bits':>13}{'cosine':>10}{'least':>10}")
    reference = TorchEncoder(source).encode(texts)
    for smoothing in (0.5, 0.65, 0.8, 0.85, 0.9, 1.0):
        for limit in (127, 63):
            with tempfile.TemporaryDirectory() as folder:
                out = Path(folder) / "model"
                export_encoder(source, out, int8=True, config=QuantiseConfig(smoothing, weight_limit=limit))
                cosines = (reference * OnnxEncoder(out).encode(texts)).sum(axis=1)
            bits = 8 if limit == 127 else 7
            print(f"{smoothing:10.2f}{bits:13}{cosines.mean():10.4f}{cosines.min():10.4f}", flush=True)


def compare(source, texts, asked):
    with tempfile.TemporaryDirectory() as folder:
        encoders = {"torch fp32": TorchEncoder(source)}
        for name, int8 in (("onnx fp32", False), ("onnx int8", True)):
            export_encoder(source, Path(folder) / name, int8=int8)
            encoders[name] = OnnxEncoder(Path(folder) / name)
        vectors, seconds = {}, {}
        for _ in range(asked.rounds):
            for name, encoder in encoders.items():
                encoder.encode(texts[:32])
                started = perf_counter()
                vectors[name] = encoder.encode(texts)
                seconds[name] = min(seconds.get(name, np.inf), perf_counter() - started)
        rows = []
        for name, encoder in encoders.items():
            cosines = (vectors["torch fp32"] * vectors[name]).sum(axis=1)
            few = texts[:: max(1, len(texts) // 60)]
            rows.append(
                {
                    "encoder": name,
                    "texts_per_second": len(texts) / seconds[name],
                    "ratio_to_torch": seconds["torch fp32"] / seconds[name],
                    "mean_cosine": float(cosines.mean()),
                    "least_cosine": float(cosines.min()),
                    "batch_difference": batch_difference(encoder, few, encoder.encode(few)),
                }
            )
    words = sum(len(text.split()) for text in texts) / len(texts)
    print(f"{asked.model}: {len(texts)} sentences of {words:.0f} words on average; best of {asked.rounds} rounds")
    print(f"{'encoder':12}{'texts/s':>10}{'x torch':>10}{'cosine':>10}{'least':>10}{'batch':>12}")
    for row in rows:
        print(
            f"{row['encoder']:12}{row['texts_per_second']:10.0f}{row['ratio_to_torch']:10.2f}"
            f"{row['mean_cosine']:10.4f}{row['least_cosine']:10.4f}{row['batch_difference']:12.1e}"
        )
    if asked.json:
        asked.json.write_text(json.dumps(rows, indent=1) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--model", default="all-MiniLM-L6-v2")
    parser.add_argument("--passages", type=int, default=600)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--trials", action="store_true", help="compare ways to quantise instead")
    asked = parser.parse_args()

    documents = read_folder(samples_folder() / "corpus").documents
    texts = list(Collection.build(documents, SentenceWindows(across_lines=True)).texts())[: asked.passages]
    source = export_source(asked.model)
    if asked.trials:
        trials(source, texts)
    else:
        compare(source, texts, asked)


if __name__ == "__main__":
    main()
