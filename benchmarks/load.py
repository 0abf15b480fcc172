"""64 clients that search, upload and remove at once, against a real server: every answer is checked.

python benchmarks/load.py [--clients 64] [--seconds 180] [--json FILE]

Every upload has a word of its own. Checked is: that a hit is what stands at its place in its document, which the client
knows; that an upload whose job is done is found by its word; that a document whose removal was confirmed is not found
any more; that there is no status of 500 or more but 503 with Retry-After; that memory does not grow. The program fails
otherwise. Everything happens in a temporary folder.
"""

import argparse
import asyncio
import json
import os
import random
import sys
import tempfile
import time
from collections import Counter
from itertools import count
from pathlib import Path

import httpx
import numpy as np
import psutil

from serve import build, english, free_port, started, stop

GROWTH = 1.15
"""How much more memory the last third may use than the middle one."""
_NUMBERS = count()


class Load:
    """What the clients share: what they know, what they saw, and what was wrong."""

    def __init__(self, client, seconds):
        self.client = client
        self.until = time.monotonic() + seconds
        self.statuses = Counter()
        self.times = {}
        self.faults = []
        self.checked = Counter()
        self.words = english()[:3000]
        self.texts = {}

    async def send(self, kind, method, path, **more):
        """An answer. Where the server is busy, the client comes back when it is told to."""
        while True:
            begun = time.perf_counter()
            answer = await self.client.request(method, path, **more)
            self.statuses[kind, answer.status_code] += 1
            if answer.status_code not in (429, 503):
                self.times.setdefault(kind, []).append(time.perf_counter() - begun)
                if answer.status_code >= 500:
                    self.faults.append(f"{kind}: {answer.status_code} {answer.text[:200]}")
                return answer
            if "retry-after" not in answer.headers:
                self.faults.append(f"{kind}: {answer.status_code} without Retry-After")
            if time.monotonic() > self.until + 120:
                return answer
            await asyncio.sleep(min(2.0, float(answer.headers.get("retry-after", 1))) * random.uniform(0.5, 1.5))

    async def search(self, query, k=5, fast=True):
        answer = await self.send("search", "POST", "/v1/search", json={"query": query, "k": k, "fast": fast})
        if answer.status_code != 200:
            return []
        hits = answer.json()["hits"]
        for hit in hits:
            text = self.texts.get(hit["document"])
            if text is not None:
                self.checked["hits at their place"] += 1
                if text[hit["start"] : hit["end"]] != hit["text"]:
                    self.faults.append(f"a hit in {hit['document']} is not what stands there")
        return hits

    async def upload(self, chance):
        """A document of its own with a word of its own, or None."""
        number = next(_NUMBERS)
        word, name = f"zeugma{number:06d}x", f"load-{number:06d}.txt"
        clauses = [f"{at}. {' '.join(chance.choices(self.words, k=30)).capitalize()}." for at in range(1, 8)]
        text = f"DEED {number}\n\nThe {word} is conveyed to the grantee.\n\n" + "\n\n".join(clauses) + "\n"
        files = {"files": (name, text.encode())}
        if chance.random() < 0.3:
            answer = await self.send("upload and wait", "POST", "/v1/documents?wait=true", files=files)
            if answer.status_code != 201:
                return None
            shape = answer.json()
        else:
            answer = await self.send("upload", "POST", "/v1/documents", files=files)
            if answer.status_code != 202:
                return None
            shape = answer.json()
            while shape["state"] != "done" and time.monotonic() < self.until + 120:
                await asyncio.sleep(1.0)
                shape = (await self.send("job", "GET", f"/v1/jobs/{shape['id']}")).json()
        if shape["files"][0]["status"] != "added":
            self.faults.append(f"{name}: {shape['files'][0]}")
            return None
        document = shape["files"][0]["documents"][0]
        self.texts[document] = text
        return document, word

    async def work(self, number):
        """One client: searches mostly, uploads, finds what it uploaded, removes it and finds it no more."""
        chance, own, gone = random.Random(number), [], []
        while time.monotonic() < self.until:
            dice = chance.random()
            if dice < 0.1:
                document = await self.upload(chance)
                own += [document] if document else []
            elif dice < 0.3 and own:
                document, word = chance.choice(own)
                self.checked["uploads found"] += 1
                if document not in {hit["document"] for hit in await self.search(word)}:
                    self.faults.append(f"{document}: is stored and not found")
            elif dice < 0.4 and own:
                document, word = own.pop(chance.randrange(len(own)))
                answer = await self.send("remove", "DELETE", f"/v1/documents/{document}")
                if answer.status_code == 200:
                    gone.append((document, word))
            elif dice < 0.5 and gone:
                document, word = chance.choice(gone)
                self.checked["removed and not found"] += 1
                if document in {hit["document"] for hit in await self.search(word)}:
                    self.faults.append(f"{document}: is removed and found")
            else:
                await self.search(" ".join(chance.choices(self.words, k=5)), fast=chance.random() < 0.9)
            await asyncio.sleep(chance.uniform(0.0, 0.5))


async def memory(process, until, seen):
    """The memory of the server itself, and of all its processes, every two seconds."""
    server = psutil.Process(process.pid)
    while time.monotonic() < until:
        whole = 0
        for each in server.children(recursive=True):
            try:
                whole += each.memory_info().rss
            except psutil.Error:
                continue
        own = server.memory_info().rss
        seen.append((own >> 20, (own + whole) >> 20))
        await asyncio.sleep(2)


async def run(process, port, clients, seconds):
    limits = httpx.Limits(max_connections=clients, max_keepalive_connections=clients)
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=300, limits=limits) as client:
        load, seen = Load(client, seconds), []
        watching = asyncio.create_task(memory(process, load.until, seen))
        await asyncio.gather(*(load.work(number) for number in range(clients)))
        await watching
    third = len(seen) // 3
    middle, last = (np.array(part)[:, 0].mean() for part in (seen[third : 2 * third], seen[2 * third :]))
    if last > GROWTH * middle:
        load.faults.append(f"the server's memory grew from {middle:.0f} to {last:.0f} MB")
    return load, seen, (middle, last)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--clients", type=int, default=64)
    parser.add_argument("--seconds", type=float, default=180)
    parser.add_argument("--passages", type=int, default=5000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary) / "made.pincite"
        build(folder, options.passages)
        port = free_port()
        command = [sys.executable, "-m", "pincite", "serve", "--index", str(folder), "--port", str(port)]
        process, _ = started(command, port)
        try:
            load, seen, (middle, last) = asyncio.run(run(process, port, options.clients, options.seconds))
        finally:
            stop(process)
        from pincite import Index

        with Index.open(folder) as index:
            load.faults += index.check().faults
    print(json.dumps({"cores": os.cpu_count(), "load_average": round(os.getloadavg()[0], 1)}))
    print("| what | answers | statuses | p50 | p95 |")
    print("| --- | --- | --- | --- | --- |")
    for kind, times in sorted(load.times.items()):
        statuses = ", ".join(f"{code} {n:,}" for (own, code), n in sorted(load.statuses.items()) if own == kind)
        p50, p95 = (np.quantile(times, q) * 1e3 for q in (0.5, 0.95))
        print(f"| {kind} | {len(times):,} | {statuses} | {p50:,.0f} ms | {p95:,.0f} ms |")
    print()
    print("| checked | times |")
    print("| --- | --- |")
    for what, times in sorted(load.checked.items()):
        print(f"| {what} | {times:,} |")
    print(f"| memory of the server, middle and last third | {middle:.0f} MB, {last:.0f} MB |")
    print(f"| memory of all its processes, most | {max(whole for _, whole in seen)} MB |")
    print(f"| faults | {len(load.faults)} |")
    for fault in load.faults[:20]:
        print(fault)
    raise SystemExit(bool(load.faults))


if __name__ == "__main__":
    main()
