"""Faults on a real cluster of three nodes (make cluster): nodes and workers are killed and stopped while documents are
added and searched. It fails where something acknowledged is lost, stands twice, or is answered wrongly.

    make cluster
    python benchmarks/cluster_faults.py --rounds 20 --worker-kills 50 --stops 2
    make cluster-down
"""

import argparse
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from uuid import uuid4

from pincite import Index
from pincite.engine.contract import every_document
from pincite.errors import PinciteError
from pincite.index.jobs import Job, JobFile, every_job, put_job, waiting_name
from pincite.index.opensearch import OpenSearchEngine
from pincite.index.opensearch.cluster import Cluster
from pincite.index.opensearch.location import ClusterLocation

HERE = Path(__file__).resolve().parent.parent
RUN = HERE / "cluster" / "run"
WORK = Path(os.environ.get("PINCITE_CLUSTER_FOLDER", HERE / "build" / "cluster"))
NODES = 3
PAUSE = 3.0
"""Seconds between a kill and the restart of a node."""
PATIENCE = 600.0
"""Seconds until a cluster must be whole again."""


@dataclass
class Load:
    """A writer and a reader that go on while faults happen."""

    address: str
    acknowledged: list[str] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    slowest: float = 0.0
    ended: threading.Event = field(default_factory=threading.Event)

    def start(self) -> list[threading.Thread]:
        threads = [threading.Thread(target=work, daemon=True) for work in (self._write, self._read)]
        for thread in threads:
            thread.start()
        return threads

    def _write(self) -> None:
        with Index.open(self.address, wait=30.0) as index:
            for number in range(1_000_000):
                if self.ended.is_set():
                    return
                name = f"deed-{number}"
                while not self.ended.is_set():
                    try:
                        index.add_text(name, text_of(name), vectors="none", overwrite=True)
                        self.acknowledged.append(name)
                        break
                    except PinciteError:
                        self.counts["changes refused and sent again"] += 1

    def _read(self) -> None:
        chance = random.Random(7)
        with Index.open(self.address, read_only=True) as index:
            while not self.ended.is_set():
                if not self.acknowledged:
                    time.sleep(0.1)
                    continue
                name = chance.choice(self.acknowledged)
                started = time.monotonic()
                try:
                    hits = index.search(f"What is the {mark_of(name)} fee?", k=1, fast=True)
                except PinciteError:
                    self.counts["searches refused"] += 1
                    continue
                self.slowest = max(self.slowest, time.monotonic() - started)
                right = bool(hits) and hits[0].document.id == name and hits[0].document.text == text_of(name)
                self.counts["searches answered" if right else "searches answered wrongly"] += 1


def mark_of(name: str) -> str:
    """A word that stands in one document alone."""
    return "".join(chr(ord("a") + int(digit, 16)) for digit in sha256(name.encode()).hexdigest()[:10])


def text_of(name: str) -> str:
    return f"DEED {name}\n\n1. The parties agree.\n\n2. The {mark_of(name)} fee is payable within ten days of notice."


def node_faults(rounds: int, stops: int) -> Counter[str]:
    if not rounds + stops:
        return Counter()
    address = f"{cluster()}/faults-{uuid4().hex[:8]}"
    Index.create(f"{address}?replicas=1").close()
    load = Load(address)
    threads = load.start()
    try:
        for turn in range(rounds + stops):
            time.sleep(1.0)
            node = turn % NODES + 1
            pid = int((WORK / f"node-{node}.pid").read_text())
            if turn < rounds:
                os.kill(pid, signal.SIGKILL)
                time.sleep(PAUSE)
                subprocess.run([RUN, "node", str(node)], check=True)
                load.counts["nodes killed"] += 1
            else:
                os.kill(pid, signal.SIGSTOP)
                time.sleep(30)
                os.kill(pid, signal.SIGCONT)
                load.counts["nodes stopped for 30 s"] += 1
            whole(address)
            say(f"round {turn + 1}: {len(load.acknowledged)} documents, {dict(load.counts)}")
    finally:
        load.ended.set()
        for thread in threads:
            thread.join(timeout=60)
    verify(address, load.acknowledged, load.counts)
    load.counts["slowest answer, seconds"] = round(load.slowest)
    OpenSearchEngine.drop(address)
    return load.counts


def worker_faults(kills: int) -> Counter[str]:
    address = f"{cluster()}/workers-{uuid4().hex[:8]}"
    counts: Counter[str] = Counter()
    if not kills:
        return counts
    Index.create(f"{address}?replicas=1").close()
    workers = [worker(address), worker(address)]
    chance = random.Random(11)
    names: list[str] = []
    with Index.open(address, wait=30.0) as index:
        try:
            for turn in range(kills):
                data = {f"deed-{turn}-{at}.txt": text_of(f"deed-{turn}-{at}").encode() for at in range(4)}
                job = Job.new("bench", [JobFile(n, len(d), sha256(d).hexdigest(), stored=n) for n, d in data.items()])
                for at, content in enumerate(data.values()):
                    index.engine.originals.write(waiting_name(job, at), content)
                put_job(index.engine, job)
                names += [f"uploads/{name}" for name in data]
                time.sleep(chance.uniform(0.5, 6.0))
                chosen = chance.randrange(len(workers))
                workers[chosen].kill()
                workers[chosen].wait()
                workers[chosen] = worker(address)
                counts["workers killed"] += 1
                say(f"worker {turn + 1} of {kills}")
            started = time.monotonic()
            while any(not job.is_done for job in every_job(index.engine)) or index.engine.missing_units():
                if time.monotonic() - started > 10 * PATIENCE:
                    counts["jobs not finished"] = sum(not job.is_done for job in every_job(index.engine))
                    break
                time.sleep(1)
        finally:
            for process in workers:
                process.kill()
                process.wait()
        files = [file for job in every_job(index.engine) for file in job.files]
        counts["files failed"] = sum(file.result is not None and file.result.status == "failed" for file in files)
    verify(address, names, counts)
    OpenSearchEngine.drop(address)
    return counts


def worker(address: str) -> "subprocess.Popen[bytes]":
    command = [sys.executable, "-m", "pincite", "worker", "--index", address]
    return subprocess.Popen(command, stderr=subprocess.DEVNULL)


def verify(address: str, acknowledged: list[str], counts: Counter[str]) -> None:
    """Everything acknowledged stands there once, whole."""
    with Index.open(address, read_only=True) as index:
        there = Counter(record.id for record in every_document(index.engine))
        counts["documents acknowledged"] = len(acknowledged)
        counts["documents lost"] = sum(name not in there for name in acknowledged)
        counts["documents twice"] = sum(count > 1 for count in there.values())
        for name in acknowledged:
            if name in there:
                plain = name.removeprefix("uploads/").removesuffix(".txt")
                counts["documents changed"] += index.document(name).text != text_of(plain)
        counts["faults found by check"] = len(index.check().faults)


def whole(address: str) -> None:
    """Waits until every copy of every shard is there again."""
    cluster = Cluster(ClusterLocation.of(address))
    ends = time.monotonic() + PATIENCE
    while time.monotonic() < ends:
        with suppress(PinciteError):
            health = cluster.request("GET", "/_cluster/health")
            if health["status"] == "green" and health["number_of_nodes"] == NODES:
                cluster.close()
                return
        time.sleep(0.5)
    raise SystemExit("the cluster did not become whole again")


def cluster() -> str:
    given = os.environ.get("PINCITE_OPENSEARCH")
    return given or subprocess.run([RUN, "address"], check=True, capture_output=True, text=True).stdout.strip()


def say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=20, help="kills of a node")
    parser.add_argument("--stops", type=int, default=2, help="nodes stopped for 30 s")
    parser.add_argument("--worker-kills", type=int, default=50)
    asked = parser.parse_args()
    bad = 0
    parts = {
        "nodes": lambda: node_faults(asked.rounds, asked.stops),
        "workers": lambda: worker_faults(asked.worker_kills),
    }
    for title, faults in parts.items():
        counts = faults()
        print(f"\n{title}\n| | |\n| --- | --- |")
        for name, count in counts.items():
            print(f"| {name} | {count} |", flush=True)
        wrong = ("lost", "twice", "changed", "wrongly", "faults", "not finished", "failed")
        bad += sum(count for name, count in counts.items() if any(word in name for word in wrong))
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
