"""Searches while 1,000 files go in: latency idle and beside the ingestion, and the ingestion alone and beside searches.

python benchmarks/ingestion.py [--passages 20000] [--files 1000] [--clients 2] [--pause 0.5] [--rounds 1] [--words]

One run alternates: searches alone, files alone, both together, searches alone again, each on a fresh copy of the same
collection (made as in benchmarks/serve.py). A client asks, waits for the answer, pauses, and asks again; files are sent
50 to an upload. The server, the process that reads, and the clients share the machine, on the loopback address.
"""

import argparse
import asyncio
import json
import os
import random
import shutil
import sys
import tempfile
import time
from itertools import cycle
from pathlib import Path

import httpx
import numpy as np

from serve import asked, build, english, free_port, started, stop

AT_ONCE = 50
"""Files in one upload."""


def files_of(count):
    """Small agreements of ordinary words, every one of them another."""
    chance, words = random.Random(7), english()[:4000]

    def clause(at):
        return f"{at}. {' '.join(chance.choices(words, k=chance.randint(25, 60))).capitalize()}."

    for at in range(count):
        clauses = "\n\n".join(clause(number) for number in range(1, chance.randint(6, 18)))
        yield f"agreement-{at:04d}.txt", f"AGREEMENT {at}\n\n{clauses}\n".encode()


async def search(client, questions, fast, pause, until, times):
    while not until.is_set():
        begun = time.perf_counter()
        answer = await client.post("/v1/search", json={"query": next(questions), "k": 10, "fast": fast})
        answer.raise_for_status()
        times.append(time.perf_counter() - begun)
        await asyncio.sleep(pause)


async def ingest(client, files, vectors):
    """Seconds until all files are searchable by words, and by meaning."""
    begun, jobs = time.perf_counter(), []
    for first in range(0, len(files), AT_ONCE):
        while True:
            some = [("files", file) for file in files[first : first + AT_ONCE]]
            answer = await client.post("/v1/documents", files=some)
            if answer.status_code == 202:
                break
            await asyncio.sleep(int(answer.headers["retry-after"]))
        jobs.append(answer.json()["id"])
    for job in jobs:
        while (shape := (await client.get(f"/v1/jobs/{job}")).json())["state"] != "done":
            await asyncio.sleep(0.5)
        assert all(file["status"] == "added" for file in shape["files"]), shape
    by_words = time.perf_counter() - begun
    while vectors:
        (status,) = (await client.get("/v1/collections")).json()["collections"]
        if status["with_vectors"] == status["documents"]:
            break
        await asyncio.sleep(0.5)
    return by_words, time.perf_counter() - begun


async def phase(port, options, files, seconds):
    """Searches and files at once; either may be left out."""
    times, until = [], asyncio.Event()
    questions = cycle(asked(2000))
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=600) as client:
        for _ in range(10):
            await client.post("/v1/search", json={"query": next(questions), "fast": options.fast})
        clients = options.clients if seconds or files is None else 0
        asking = [
            asyncio.create_task(search(client, questions, options.fast, options.pause, until, times))
            for _ in range(clients)
        ]
        spent = await ingest(client, files, not options.words) if files else await asyncio.sleep(seconds, (0.0, 0.0))
        until.set()
        await asyncio.gather(*asking)
    return times, spent


def run(folder, scratch, options, files, seconds):
    copy = Path(shutil.copytree(folder, scratch / "copy.pincite"))
    port = free_port()
    process, _ = started([sys.executable, "-m", "pincite", "serve", "--index", str(copy), "--port", str(port)], port)
    try:
        return asyncio.run(phase(port, options, files, seconds))
    finally:
        stop(process)
        shutil.rmtree(copy)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--passages", type=int, default=20_000)
    parser.add_argument("--files", type=int, default=1000)
    parser.add_argument("--clients", type=int, default=2)
    parser.add_argument("--pause", type=float, default=0.5)
    parser.add_argument("--seconds", type=float, default=45, help="of searching alone, before and after")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--words", action="store_true", help="do not wait until the files are embedded")
    parser.add_argument("--fast", action="store_true", help="ask without the re-ranker")
    parser.add_argument("--index", type=Path, help="keep the collection here, or use the one that is there")
    options = parser.parse_args()
    files = list(files_of(options.files))
    idle, beside, alone, loaded = [], [], [], []
    with tempfile.TemporaryDirectory() as temporary:
        scratch = Path(temporary)
        folder = options.index or scratch / "made.pincite"
        if not folder.exists():
            print(f"building {options.passages} passages ...", file=sys.stderr)
            build(folder, options.passages)
        for _ in range(options.rounds):
            idle += run(folder, scratch, options, None, options.seconds)[0]
            alone.append(run(folder, scratch, options, files, 0)[1])
            found, spent = run(folder, scratch, options, files, options.seconds)
            beside += found
            loaded.append(spent)
            idle += run(folder, scratch, options, None, options.seconds)[0]
    quantiles = {
        name: {q: float(np.quantile(times, q)) * 1e3 for q in (0.5, 0.95)}
        for name, times in (("idle", idle), ("beside", beside))
    }
    shape = {
        "cores": os.cpu_count(),
        "load_average": os.getloadavg()[0],
        "searches": {"idle": len(idle), "beside": len(beside)},
    }
    print(json.dumps(shape))
    print("| | alone | together | ratio |")
    print("| --- | --- | --- | --- |")
    for q, name in ((0.5, "p50"), (0.95, "p95")):
        before, now = quantiles["idle"][q], quantiles["beside"][q]
        print(f"| search, {name} | {before:.0f} ms | {now:.0f} ms | {now / before:.2f} |")
    for at, name in enumerate(("searchable by words", "searchable by meaning")[: 1 if options.words else 2]):
        before, now = (float(np.mean([spent[at] for spent in times])) for times in (alone, loaded))
        print(f"| {len(files):,} files {name} | {before:.0f} s | {now:.0f} s | {now / before:.2f} |")


if __name__ == "__main__":
    main()
