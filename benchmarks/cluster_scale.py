"""A collection on an OpenSearch cluster beside one in a folder: indexing, disk, and queries of 1, 4 and 16 clients.

    make cluster
    python benchmarks/cluster_scale.py [--passages 100000,300000] [--at opensearch://127.0.0.1:19200] [--json FILE]
    make cluster-down

The passages, their vectors and the questions are those of benchmarks/index.py: no encoder is timed, and no re-ranker.
Clients are threads of one process, as in a server. The collections have no replicas. One engine is asked after the
other, in turns, so that whatever else the machine does disturbs both.
"""

import argparse
import json
import shutil
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import local
from time import perf_counter
from uuid import uuid4

import numpy as np

from index import K, ask_for, ask_pincite, disk, generated_documents, pincite_encoder, put_documents
from pincite.engine.embedding import embed
from pincite.index.embedded import EmbeddedEngine
from pincite.index.opensearch import OpenSearchEngine

CLIENTS = (1, 4, 16)
RUN = Path(__file__).resolve().parent.parent / "cluster" / "run"


def built(engine, size):
    """Seconds for the documents, and for the vectors."""
    started = perf_counter()
    put_documents(engine, generated_documents(size))
    stored = perf_counter()
    embed(engine, pincite_encoder())
    return {"documents_s": stored - started, "vectors_s": perf_counter() - stored}


def asked_by(engine, size, clients, count):
    """Milliseconds of each question, and questions a second, of so many clients at once."""
    asked, vectors = ask_for(size, count)
    own = local()

    def ask(at):
        if not hasattr(own, "encoder"):
            own.encoder = pincite_encoder()
        own.encoder.question = vectors[at]
        started = perf_counter()
        answer = ask_pincite(engine, own.encoder, asked[at])
        took = perf_counter() - started
        assert len(answer.hits) == K
        assert "dense" in answer.hits[0].parts
        return took

    with ThreadPoolExecutor(clients) as pool:
        started = perf_counter()
        times = list(pool.map(ask, range(count)))
        whole = perf_counter() - started
    p50, p95 = np.quantile(times, [0.5, 0.95]) * 1e3
    return {"p50_ms": float(p50), "p95_ms": float(p95), "per_s": count / whole}


def stored_bytes(engine):
    """What the cluster stores of a collection, index by index."""
    engine.cluster.request("POST", f"/{engine.index('*')}/_flush")
    found = engine.cluster.request("GET", f"/{engine.index('*')}/_stats/store")["indices"]
    return {name: one["primaries"]["store"]["size_in_bytes"] for name, one in sorted(found.items())}


def at_size(size, cluster, shards, count):
    address = f"{cluster}/scale-{uuid4().hex[:8]}"
    rows = {"folder": {}, "cluster": {}}
    with tempfile.TemporaryDirectory(prefix="pincite-scale-") as temporary:
        folder = Path(temporary) / "scale.pincite"
        EmbeddedEngine.create(folder)
        OpenSearchEngine.create(f"{address}?shards={shards}&replicas=0")
        try:
            with EmbeddedEngine(folder, write=True) as engine:
                rows["folder"] |= built(engine, size)
            say("folder", size, rows["folder"])
            engine = OpenSearchEngine(address, write=True, wait=600)
            rows["cluster"] |= built(engine, size)
            parts = stored_bytes(engine)
            engine.close()
            rows["folder"]["disk_mb"] = disk(folder) / 1e6
            rows["cluster"] |= {"disk_mb": sum(parts.values()) / 1e6, "parts": parts}
            say("cluster", size, rows["cluster"])
            engines = {"folder": EmbeddedEngine(folder), "cluster": OpenSearchEngine(address)}
            for engine in engines.values():
                asked_by(engine, size, 1, 5)  # both are warm
            for clients in CLIENTS:
                for name, engine in engines.items():
                    row = asked_by(engine, size, clients, count)
                    rows[name][f"{clients} clients"] = row
                    say(f"{name}, {clients} clients", size, row)
            for engine in engines.values():
                engine.close()
        finally:
            OpenSearchEngine.drop(address)
            shutil.rmtree(folder, ignore_errors=True)
    return rows


def say(name, size, row):
    shown = (f"{key} {value:,.1f}" for key, value in row.items() if not isinstance(value, dict))
    print(f"{size:>9,} {name:>20} " + "  ".join(shown), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--passages", default="100000,300000")
    parser.add_argument("--at", default="", help="the cluster; that of 'make cluster' unless one is named")
    parser.add_argument("--shards", type=int, default=3)
    parser.add_argument("--queries", type=int, default=100)
    parser.add_argument("--json", type=Path)
    asked = parser.parse_args()
    cluster = asked.at or subprocess.run([RUN, "address"], check=True, capture_output=True, text=True).stdout.strip()
    found = {}
    for size in map(int, asked.passages.split(",")):
        found[size] = at_size(size, cluster, asked.shards, asked.queries)
        if asked.json:
            asked.json.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
