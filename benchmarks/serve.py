"""The server under load from a second process: latency, throughput beside a bare endpoint, memory, start, first page.

python benchmarks/serve.py [--passages 100000] [--clients 16] [--seconds 60] [--requests 20000] [--json FILE]

The collection is made as in benchmarks/index.py (passages of 60 to 100 words, 250 to a document), of English words:
made-up ones fall into many tokens and would make the encoder look slow. The vectors of its passages are drawn, those of
the questions are made by the project's encoder, as a user's are. Every question is another one. The server and the
clients share the machine, on the loopback address.
"""

import argparse
import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import psutil
from lexical import questions as word_questions

from index import DIMENSIONS, GivenVectors, generated_documents, put_documents, words

HERE = Path(__file__).resolve()


def english():
    """The whole words that the encoder's tokenizer knows, in its order."""
    from pincite.models.shipped import ENCODER, SHIPPED

    held = json.loads((SHIPPED[ENCODER].folder / "tokenizer.json").read_text("utf-8"))["model"]["vocab"]
    return [word for word in sorted(held, key=held.get) if len(word) > 2 and word.isascii() and word.isalpha()]


def build(folder, size):
    from pincite.engine.embedding import embed
    from pincite.index.embedded import EmbeddedEngine
    from pincite.models import Encoder, load_encoder
    from pincite.models.shipped import ENCODER

    class Drawn(Encoder):
        """Vectors out of a hat, under the name of the encoder that reads the questions."""

        name, dimensions = ENCODER, DIMENSIONS

        def __init__(self):
            self.sha256 = load_encoder(ENCODER).sha256
            self.vectors = GivenVectors()

        def encode(self, texts, progress=None):
            return self.vectors.draw(len(texts))

    EmbeddedEngine.create(folder)
    with EmbeddedEngine(folder, write=True) as engine:
        put_documents(engine, generated_documents(size, english()))
        embed(engine, Drawn(), name=ENCODER)


def asked(count):
    sample = next(words(10_000, vocabulary=english()))
    return [" ".join(tokens) for tokens in word_questions(sample, count)]


def bare(folder, port):
    """What one would write in five minutes: an endpoint that calls the library."""
    import uvicorn
    from fastapi import FastAPI
    from pydantic import BaseModel

    from pincite import Index

    app = FastAPI()
    index = Index.open(folder, read_only=True)
    index.search("warm up", fast=True)

    class Asked(BaseModel):
        query: str
        k: int = 10
        fast: bool = True

    @app.post("/v1/search")
    async def search(asked: Asked):
        return {"hits": [hit.to_dict() for hit in index.search(asked.query, asked.k, fast=asked.fast)]}

    @app.get("/v1/ready")
    async def ready():
        return {}

    uvicorn.run(app, host="127.0.0.1", port=port, access_log=False, log_level="error")


async def client(port, questions, until, times, errors, most):
    """One connection that asks, waits for the answer, and asks again."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    while time.perf_counter() < until and len(times) < most:
        body = json.dumps({"query": next(questions), "k": 10, "fast": True}).encode()
        head = (
            f"POST /v1/search HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        started = time.perf_counter()
        writer.write(head.encode() + body)
        answer = await reader.readuntil(b"\r\n\r\n")
        length = next(
            int(line.split(b":")[1]) for line in answer.lower().split(b"\r\n") if line.startswith(b"content-length")
        )
        found = await reader.readexactly(length)
        times.append(time.perf_counter() - started)
        if b" 200 " not in answer[:20] or b'"hits"' not in found:
            errors.append(answer[:80].decode())
    writer.close()


def load(port, clients, seconds, most):
    """Runs in the second process; prints what it saw."""
    from itertools import cycle

    async def run():
        questions = cycle(asked(4000))
        times, errors = [], []
        started = time.perf_counter()
        await asyncio.gather(*(client(port, questions, started + seconds, times, errors, most) for _ in range(clients)))
        spent = time.perf_counter() - started
        quantiles = {f"p{q}_ms": round(float(np.quantile(times, q / 100)) * 1e3, 1) for q in (50, 95, 99)}
        shape = {"requests": len(times), "errors": len(errors), "per_second": round(len(times) / spent, 1), **quantiles}
        print(json.dumps(shape))

    asyncio.run(run())


def second_process(port, clients, seconds, most=10**9):
    command = [sys.executable, str(HERE), "--load", str(port), str(clients), str(seconds), str(most)]
    return json.loads(subprocess.run(command, check=True, capture_output=True).stdout)


def free_port():
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        return held.getsockname()[1]


def started(command, port):
    """A server, and the seconds until it answered."""
    import urllib.request

    begun = time.perf_counter()
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    while time.perf_counter() - begun < 120:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/v1/ready", timeout=5):
                return process, time.perf_counter() - begun
        except OSError:
            time.sleep(0.02)
    raise SystemExit("the server did not start")


def stop(process):
    process.send_signal(signal.SIGTERM)
    process.wait(30)


def first_page(port):
    """Bytes and milliseconds in Chromium, where it is installed."""
    from shutil import which

    if which("chromium") is None:
        return {}
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        flags = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
        browser = play.chromium.launch(executable_path=which("chromium"), args=flags)
        sizes = []
        page = browser.new_page()
        page.on("response", lambda answer: sizes.append(len(answer.body())))
        page.goto(f"http://127.0.0.1:{port}/")
        spent = page.evaluate("performance.getEntriesByType('navigation')[0].loadEventEnd")
        browser.close()
    return {"bytes": sum(sizes), "milliseconds": round(spent)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--passages", type=int, default=100_000)
    parser.add_argument("--clients", type=int, default=16)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--requests", type=int, default=20_000)
    parser.add_argument("--index", type=Path, help="keep the collection here, or use the one that is there")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.index or Path(temporary) / "made.pincite"
        if not folder.exists():
            print(f"building {options.passages} passages ...", file=sys.stderr)
            build(folder, options.passages)
        port = free_port()
        command = [sys.executable, "-m", "pincite", "serve", "--index", str(folder), "--port", str(port)]
        stop(started(command, port)[0])
        process, ready = started(command, port)
        result = {"passages": options.passages, "cores": os.cpu_count(), "ready_seconds": round(ready, 2)}
        result["first_page"] = first_page(port)
        result["load"] = second_process(port, options.clients, options.seconds)
        memory = psutil.Process(process.pid)
        before = memory.memory_info().rss
        result["long"] = second_process(port, options.clients, 3600, options.requests)
        result["memory_mb"] = {"before": before >> 20, "after": memory.memory_info().rss >> 20}
        stop(process)
        port = free_port()
        process, _ = started([sys.executable, str(HERE), "--bare", str(folder), str(port)], port)
        second_process(port, options.clients, 3)
        result["bare"] = second_process(port, options.clients, options.seconds / 3)
        stop(process)
        result["ratio"] = round(result["load"]["per_second"] / result["bare"]["per_second"], 2)
    print(json.dumps(result, indent=1))
    if options.json:
        options.json.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--load"]:
        port, clients, seconds, most = sys.argv[2:]
        load(int(port), int(clients), float(seconds), int(most))
    elif sys.argv[1:2] == ["--bare"]:
        bare(Path(sys.argv[2]), int(sys.argv[3]))
    else:
        main()
