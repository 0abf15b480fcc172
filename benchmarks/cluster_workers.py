"""How much faster two workers embed than one: `pincite worker` beside a real cluster (make cluster).

    python benchmarks/cluster_workers.py [--workers 1,2,1,2] [--documents 48] [--at opensearch://127.0.0.1:19200]

The documents are generated, 20 passages each. Time counts from the first stored vectors to the last: loading the model
is not part of it. Each worker computes with one thread. Runs of one and two workers take turns, so that whatever else
the machine does disturbs both.
"""

import argparse
import os
import subprocess
import sys
import time
from pathlib import Path
from uuid import uuid4

from index import words
from pincite import Index
from pincite.index.opensearch import OpenSearchEngine

RUN = Path(__file__).resolve().parent.parent / "cluster" / "run"
UNITS, PATIENCE = 20, 900.0


def embedded_per_second(cluster: str, workers: int, texts: list[str]) -> float:
    """Passages that workers embed in a second."""
    address = f"{cluster}/workers-{uuid4().hex[:8]}"
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    command = [sys.executable, "-m", "pincite", "worker", "--index", address]
    with Index.create(f"{address}?replicas=0") as index:
        for number, text in enumerate(texts):
            index.add_text(f"deed-{number}", text, vectors="none")
        processes = [subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL) for _ in range(workers)]
        try:
            seen = [(time.monotonic(), index.engine.missing_units())]
            ends = time.monotonic() + PATIENCE
            while seen[-1][1]:
                if time.monotonic() > ends:
                    raise SystemExit("the workers did not finish")
                time.sleep(0.2)
                left = index.engine.missing_units()
                if left != seen[-1][1]:
                    seen.append((time.monotonic(), left))
        finally:
            for process in processes:
                process.kill()
                process.wait()
    OpenSearchEngine.drop(address)
    (first, before), (last, _) = seen[1], seen[-1]
    return before / (last - first)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--workers", default="1,2,1,2")
    parser.add_argument("--documents", type=int, default=48)
    parser.add_argument("--at", default="", help="the cluster; that of 'make cluster' unless one is named")
    asked = parser.parse_args()
    cluster = asked.at or subprocess.run([RUN, "address"], check=True, capture_output=True, text=True).stdout.strip()
    lines = [" ".join(tokens).capitalize() + "." for chunk in words(UNITS * asked.documents) for tokens in chunk]
    texts = ["\n\n".join(lines[first : first + UNITS]) for first in range(0, len(lines), UNITS)]
    for workers in map(int, asked.workers.split(",")):
        print(f"{workers} workers: {embedded_per_second(cluster, workers, texts):.1f} passages a second", flush=True)


if __name__ == "__main__":
    main()
