"""Torture: kills, full disks, flipped bits, cut files, mutated documents, hostile archives, many writers at once.

    make torture
    python benchmarks/torture.py --kills 1000 --files 3000 --minutes 30

Prints what was tried and what survived, and fails on any loss: an acknowledged change that is gone, an answer that is
not in the document, an error that is not a clear message. Everything happens in a temporary folder.
"""

import argparse
import json
import os
import random
import resource
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from threading import Lock, Thread

from hostile_files import Torture, archives, mutated

from pincite import Index
from pincite.engine.contract import WRITER
from pincite.engine.embedding import embed
from pincite.errors import PinciteError, UsageError
from pincite.index.jobs import INCOMING, every_job, stored_job, sweep, waiting_names
from pincite.serve import ingestion
from pincite.serve.auth import Auth
from pincite.serve.backend import Backend
from pincite.testing.engine_suite import RandomVectors

OPERATIONS = ("add", "text", "sync", "remove", "purge", "tidy", "embed", "backup")
QUESTION = "when is the rent due?"
STRAY = "lies there, but the index does not know it"
"""What `check` says of an uploaded file whose removal was stopped: the next server sweeps it."""
FORKING = Lock()
"""One fork at a time: locks of the process are handed over meanwhile."""
QUEUED, QUEUE_SECONDS = 12, 12.0
"""Uploads that a server gets before it is killed, and the longest time until then."""


def text_of(name: str, version: int) -> str:
    clauses = "".join(f"{at}. The rent of {name} is due on day {at} of term {version}.\n\n" for at in range(1, 9))
    return f"LEASE {name}\n\n{clauses}"


# Kills


def work(place: Path, operation: str, names: list[str], version: int, told: Callable[[str], None]) -> None:
    """Does one kind of change again and again, and tells what is done when it is done."""
    with Index.open(place / "i.pincite", wait=30) as index:
        if operation == "embed":
            embed(index.engine, RandomVectors())
            told("embedded")
        for at, name in enumerate(names):
            match operation:
                case "text":
                    index.add_text(f"text {name}", text_of(name, version), vectors="none")
                    told(f"is text {name}\t{version}")
                case "add" | "sync":
                    (place / "files" / f"{name}.txt").write_text(text_of(name, version), encoding="utf-8")
                    (index.add if operation == "add" else index.sync)(place / "files", vectors="none")
                    told(f"is files/{name}.txt\t{version}")
                case "remove" | "purge":
                    with suppress(UsageError):  # it is not there
                        index.remove(f"text {name}", purge=operation == "purge")
                    told(f"gone text {name}")
                case "backup":
                    index.backup(place / f"backup-{version}-{at}")
                    told(f"backup {place}/backup-{version}-{at}")
                case "tidy":
                    index.engine.tidy()
                    told("tidied")


def in_child(action: Callable[[Callable[[str], None]], None], kill_after: float | None) -> tuple[int, list[str]]:
    """Runs an action in a process of its own, killed after a while; its exit status, and what it told."""
    read_end, write_end = os.pipe()
    with FORKING:
        child = os.fork()
    if child == 0:
        os.close(read_end)
        devnull = os.open(os.devnull, os.O_WRONLY)
        os.dup2(devnull, 2)
        code = 0
        try:
            action(lambda line: os.write(write_end, f"{line}\n".encode()) and None)
        except PinciteError:
            code = 3
        except BaseException:  # noqa: BLE001  (the parent counts it as a failure)
            code = 4
        os._exit(code)
    os.close(write_end)
    if kill_after is not None:
        time.sleep(kill_after)
        with suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
    with os.fdopen(read_end, "rb") as said:
        lines = said.read().decode().splitlines()
    return os.waitpid(child, 0)[1], lines


def expected(lines: list[str]) -> tuple[dict[str, str], list[Path]]:
    """What was acknowledged: the digest of each document that was stored, "" of each that was removed; and backups."""
    state, backups = {}, []
    for line in lines:
        kind, _, rest = line.partition(" ")
        if kind == "is":
            name, version = rest.split("\t")
            state[name] = digest(text_of(short(name), int(version)))
        elif kind == "gone":
            state[rest] = ""
        elif kind == "backup":
            backups.append(Path(rest))
    return state, backups


def short(name: str) -> str:
    """The name that a document's text has in it."""
    return name.removeprefix("text ").rsplit("/", 1)[-1].removesuffix(".txt")


def is_killed(status: int) -> bool:
    """Whether a process was under way when it was killed: one that had ended by itself was not."""
    return os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL


def kills(run: Torture, count: int) -> None:
    """As many kills as are wanted; a process that had ended before counts for itself."""
    killed = 0
    for turn in turns(run, "kills", 4 * count, OPERATIONS, 40):
        after = turn.chance.uniform(0.0, 0.9 if turn.operation in ("add", "sync") else 0.25)
        status, lines = in_child(turn.work, after)
        losses = turn.losses(lines)
        if is_killed(status):
            killed += 1
            run.row(f"killed in {turn.operation}").count("killed", losses)
        else:
            losses += _unclear(turn, status)
            run.row("ended before it was killed").count(turn.operation, losses)
        if killed >= count:
            return


def _unclear(turn: "Turn", status: int) -> list[str]:
    clear = not os.WIFSIGNALED(status) and os.waitstatus_to_exitcode(status) != 4
    return [] if clear else [f"{turn.place.name} {turn.at} ({turn.operation}): not a clear error ({status})"]


@dataclass
class Turn:
    """One change that is disturbed: what is done to which documents, and what the index held before."""

    place: Path
    state: dict[str, str]
    chance: random.Random
    at: int
    operation: str
    names: list[str]

    def work(self, told: Callable[[str], None]) -> None:
        work(self.place, self.operation, self.names, self.at, told)

    def losses(self, lines: list[str]) -> list[str]:
        """What is not as it was acknowledged."""
        told, backups = expected(lines)
        found = list(verified(self.place, self.state, told, self.names, self.operation, self.at))
        for backup in backups[:1]:
            found += restored(backup, self.place)
        for backup in self.place.glob("backup-*"):
            shutil.rmtree(backup)
        return [f"{self.place.name} {self.at} ({self.operation}): {loss}" for loss in found]


def turns(run: Torture, name: str, count: int, operations: Sequence[str], most: int) -> Iterator[Turn]:
    """Changes of one index, one after the other, until there were enough or time is up."""
    chance, place = random.Random(f"{run.seed} {name}"), run.folder / name
    (place / "files").mkdir(parents=True)
    Index.create(place / "i.pincite").close()
    state: dict[str, str] = {}
    for at in range(count):
        if not run.time_left():
            return
        names = [chance.choice("abcdefghijkl") for _ in range(most)]
        yield Turn(place, state, chance, at, chance.choice(operations), names)


def verified(
    place: Path, state: dict[str, str], told: dict[str, str], names: list[str], operation: str, version: int
) -> Iterator[str]:
    """What of the acknowledged changes is not there. What was under way may be done or not, but not by half."""
    with Index.open(place / "i.pincite", wait=30) as index:
        yield from index.check().faults
        there = {record.id: record.sha256 for record in index}
        under_way = {"text": "text {}", "remove": "text {}", "purge": "text {}"}
        open_ = {under_way[operation].format(name) for name in names} if operation in under_way else set()
        for name in sorted({*state, *told, *there}):
            allowed = {told[name]} if name in told else {state.get(name, "")}
            if name in open_ and name not in told:
                allowed.add("" if operation in ("remove", "purge") else digest(text_of(short(name), version)))
            file = place / name
            if name.startswith("files/") and name not in told and file.is_file():
                allowed.add(digest(file.read_text(encoding="utf-8")))  # written before an earlier kill
            if there.get(name, "") not in allowed:
                yield f"{name} is not what was acknowledged"
        state.clear()
        state.update(there)
        for hit in index.search(QUESTION, k=3, fast=True):
            if hit.document.text[hit.start : hit.end] != hit.text:
                yield f"{hit.document_id}: a hit that is not in the text"


def digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def restored(backup: Path, place: Path) -> Iterator[str]:
    try:
        with Index.restore(backup, place / "restored.pincite") as index:
            yield from index.check().faults
    except PinciteError as error:
        yield f"{backup.name}: {error}"
    shutil.rmtree(place / "restored.pincite", ignore_errors=True)


# Full disks


def full_disks(run: Torture, count: int) -> None:
    for turn in turns(run, "full", count, OPERATIONS, 12):
        most = int(10 ** turn.chance.uniform(3.0, 5.4))  # of every order of magnitude as many

        def starved(told: Callable[[str], None]) -> None:
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))  # noqa: B023
            turn.work(told)  # noqa: B023

        status, lines = in_child(starved, None)
        losses = [*turn.losses(lines), *_unclear(turn, status)]
        run.row(f"no space left in {turn.operation}").count("refused" if status else "went on", losses)


# The queue of uploads of a server


@dataclass
class Queue:
    """An index with a server's queue: what was sent under each name, and what of it was acknowledged."""

    place: Path
    chance: random.Random
    wanted: dict[str, set[int]] = field(default_factory=dict)
    """The versions that a name may have; 0 for none."""

    def send(self, turn: int, own_kills: int, told: Callable[[str], None]) -> None:
        """Sends files to a server, whose reading process is killed meanwhile; then waits for all of them."""
        ingestion.MOST_DEATHS = 10**6
        with Backend(self.place) as backend:
            jobs = []
            for at in range(QUEUED):
                name, version = self.chance.choice("abcdefgh"), 1000 * (turn + 1) + at
                told(f"sending {name}\t{version}")
                jobs.append(backend.receive([(f"{name}.txt", text_of(name, version).encode())], replace=True))
                told(f"sent {name}\t{version}\t{jobs[-1].id}")
            for _ in range(own_kills):
                time.sleep(self.chance.uniform(0.5, 4.0))
                process = backend.ingestion._process
                if process is not None and process.poll() is None:
                    process.kill()
                    told(f"killed {process.pid}")
            for job in jobs:
                backend.finished(job)
            told("finished")

    def go_on(self, jobs: list[str], told: Callable[[str], None]) -> None:
        """A new server does what the killed one had acknowledged, and what it had stored and could not acknowledge."""
        with Backend(self.place) as backend:
            unsaid = [job.id for job in every_job(backend.index.engine) if not job.is_done and job.id not in jobs]
            for job_id in [*jobs, *unsaid]:
                job = stored_job(backend.index.engine, job_id)
                if job is None:
                    told(f"lost {job_id}")
                    continue
                for done in backend.finished(job) if not job.is_done else ():
                    if done.status not in ("added", "same"):
                        told(f"lost {done.name}: {done.failure}")
        told("went on")

    def remove(self, purge: bool, told: Callable[[str], None]) -> None:
        with Index.open(self.place, wait=30) as index:
            for name in self.chance.sample("abcdefgh", 8):
                told(f"removing {name}")
                with suppress(UsageError):  # it is not there
                    index.remove(f"uploads/{name}.txt", purge=purge)
                told(f"removed {name}")

    def take(self, lines: list[str]) -> list[str]:
        """Notes what was acknowledged; the jobs of it."""
        jobs = []
        for line in lines:
            kind, _, rest = line.partition(" ")
            name, *more = rest.split("\t")
            if kind == "sending":
                self.wanted.setdefault(name, {0}).add(int(more[0]))
            elif kind == "sent":
                self.wanted[name] = {int(more[0])}
                jobs.append(more[1])
            elif kind == "removing":
                self.wanted.setdefault(name, {0}).add(0)
            elif kind == "removed":
                self.wanted[name] = {0}
        return jobs

    def losses(self) -> Iterator[str]:
        """What is not as it was acknowledged."""
        with Index.open(self.place, wait=30) as index:
            yield from (fault for fault in index.check().faults if STRAY not in fault)
            with index.engine.lease(WRITER):
                sweep(index.engine)
            yield from index.check().faults
            there = {record.id: record.sha256 for record in index}
            for name, versions in self.wanted.items():
                allowed = {digest(text_of(name, version)) if version else "" for version in versions}
                found = there.pop(f"uploads/{name}.txt", "")
                if found not in allowed:
                    yield f"uploads/{name}.txt is not what was acknowledged"
                self.wanted[name] = {v for v in versions if (digest(text_of(name, v)) if v else "") == found}
            yield from (f"{name}: nobody sent it" for name in there)
            of_jobs = {name for job in every_job(index.engine) if not job.is_done for name in waiting_names(job)}
            waiting = [file.name for file in index.engine.originals.files(INCOMING) if file.name not in of_jobs]
            if len(waiting) > 1:  # one may have been on its way when the server was killed
                yield f"files of no job wait: {waiting}"
            index.engine.originals.delete(waiting)


def queues(run: Torture, count: int) -> None:
    """Kills of a server, of its reading process, and of removals of what was uploaded."""
    chance = random.Random(f"{run.seed} queue")
    queue = Queue(run.folder / "queue.pincite", chance)
    Index.create(queue.place).close()
    for turn in range(count):
        if not run.time_left():
            return
        own_kills = 3 if turn % 2 else 0
        status, lines = in_child(
            lambda told, turn=turn, own=own_kills: queue.send(turn, own, told),
            None if own_kills else chance.uniform(1.0, QUEUE_SECONDS),
        )
        jobs = queue.take(lines)
        status_after, said = in_child(lambda told, jobs=jobs: queue.go_on(jobs, told), None)
        losses = [line for line in said if line.startswith("lost")] + list(queue.losses())
        if status_after or "went on" not in said:
            losses.append(f"the next server ended with {status_after}")
        if own_kills and (status or "finished" not in lines):
            losses.append(f"a server whose reading process was killed ended with {status}")
        losses = [f"queue {turn}: {loss}" for loss in losses]
        done = sum(line.startswith("killed") for line in lines) if own_kills else int(is_killed(status))
        row = run.row("killed: reading process of a server" if own_kills else "killed: server with uploads waiting")
        for _ in range(done):
            row.count("killed", losses)
            losses = []
        if losses or not done:
            run.row("ended before it was killed").count("upload", losses)
        status, lines = in_child(lambda told, purge=bool(turn % 2): queue.remove(purge, told), chance.uniform(0.0, 0.3))
        queue.take(lines)
        losses = [f"removal {turn}: {loss}" for loss in queue.losses()]
        if is_killed(status):
            run.row(f"killed in {'purge' if turn % 2 else 'remove'} of uploads").count("killed", losses)
        else:
            run.row("ended before it was killed").count("removal of uploads", losses)


# Flipped bits and cut files


def damage(run: Torture, count: int) -> None:
    chance = random.Random(f"{run.seed} damage")
    place = run.folder / "damage"
    place.mkdir()
    texts = {f"lease {at}": text_of(f"house {at}", at) + "Nothing else is agreed. " * 1500 for at in range(14)}
    with Index.create(place / "whole.pincite") as index:
        for name, text in texts.items():
            index.add_text(name, text, vectors="none")
        embed(index.engine, RandomVectors())
        index.engine.tidy()
    for at in range(count):
        if not run.time_left():
            break
        harmed = place / "harmed.pincite"
        shutil.rmtree(harmed, ignore_errors=True)
        shutil.copytree(place / "whole.pincite", harmed)
        files = [path for path in harmed.rglob("*") if path.is_file() and path.stat().st_size]
        path = chance.choice(files)
        data = bytearray(path.read_bytes())
        how = chance.choice(("flip", "flip", "cut", "zero"))
        spot = chance.randrange(len(data))
        if how == "flip":
            data[spot] ^= 1 << chance.randrange(8)
        elif how == "cut":
            del data[spot:]
        else:
            data[spot : spot + 4096] = bytes(len(data[spot : spot + 4096]))
        path.write_bytes(data)

        def asked(told: Callable[[str], None]) -> None:
            with Index.open(harmed, read_only=True) as index:  # noqa: B023
                answer = index.search(QUESTION, k=8, fast=True)
                wrong = [hit.document_id for hit in answer if texts[hit.document_id][hit.start : hit.end] != hit.text]
                told(f"wrong {wrong}" if wrong else f"right {len(answer)}")
                told("checked " + ("well" if not index.check().faults else "faults"))

        status, lines = in_child(asked, None)
        code = os.waitstatus_to_exitcode(status)
        losses = []
        if code not in (0, 3):
            losses.append(f"damage {at} ({how} in {path.name} at {spot}): ended with {code}")
        if any(line.startswith("wrong") for line in lines):
            losses.append(f"damage {at} ({how} in {path.name} at {spot}): {lines[0]}")
        outcome = "refused with a message" if code == 3 else "answered" if code == 0 else "ended"
        run.row(f"{'bits flipped' if how == 'flip' else 'cut' if how == 'cut' else 'a block of zeros'}").count(
            outcome, losses
        )


# Many at once


def together(run: Torture, seconds: float) -> None:
    place = run.folder / "together"
    place.mkdir()
    Index.create(place / "i.pincite").close()
    Auth.create(place / "keys.json")
    end = time.monotonic() + seconds

    def write(number: int) -> Callable[[Callable[[str], None]], None]:
        def action(told: Callable[[str], None]) -> None:
            at = 0
            while time.monotonic() < end:
                with Index.open(place / "i.pincite", wait=60) as index:
                    index.add_text(f"{number} {at}", text_of(f"{number} {at}", at), vectors="none")
                    told(f"is {number} {at}\t{at}")
                    if at % 3 == 2:
                        index.remove(f"{number} {at - 1}", purge=at % 2 == 0)
                        told(f"gone {number} {at - 1}")
                at += 1

        return action

    def read(told: Callable[[str], None]) -> None:
        with Index.open(place / "i.pincite", read_only=True) as index:
            while time.monotonic() < end:
                for hit in index.search(QUESTION, k=5, fast=True):
                    assert hit.document.text[hit.start : hit.end] == hit.text
                told("searched")

    def change_keys(told: Callable[[str], None]) -> None:
        while time.monotonic() < end:
            kept, gone = (Auth(place / "keys.json").add_key("robot", "read") for _ in range(2))
            Auth(place / "keys.json").revoke(gone.split("_")[1])
            told(f"key {kept.split('_')[1]}")
            told(f"revoked {gone.split('_')[1]}")

    actions = [*(write(at) for at in range(3)), read, read, *([change_keys] * 3)]
    told = many(actions)
    state: dict[str, str] = {}
    losses = []
    for status, lines in told:
        state |= expected(lines)[0]
        if status:
            losses.append(f"a process ended with {status}")
    with Index.open(place / "i.pincite") as index:
        there = {record.id for record in index}
        losses += [f"{name}: lost or back again" for name, wanted in state.items() if bool(wanted) != (name in there)]
        losses += index.check().faults
    keys = set(Auth(place / "keys.json").keys)
    said = [line.split() for _, lines in told for line in lines if line.startswith(("key ", "revoked "))]
    losses += [f"{kind} {number}" for kind, number in said if (number in keys) != (kind == "key")]
    row = run.row("writers, readers and key changes at once")
    row.tried += len(state) + len(said) + sum(line == "searched" for _, lines in told for line in lines)
    row.survived += row.tried - len(losses)
    row.losses += losses


def many(actions: list[Callable[[Callable[[str], None]], None]]) -> list[tuple[int, list[str]]]:
    found: list[tuple[int, list[str]]] = []
    threads = [Thread(target=lambda action=action: found.append(in_child(action, None))) for action in actions]
    for thread in threads:
        thread.start()
        time.sleep(0.05)  # one fork after the other
    for thread in threads:
        thread.join()
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--servers", type=int, default=20, help="servers whose queue of uploads is disturbed")
    parser.add_argument("--files", type=int, default=600)
    parser.add_argument("--damages", type=int, default=200)
    parser.add_argument("--full", type=int, default=60)
    parser.add_argument("--minutes", type=float, default=20.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="pincite-torture-") as folder:
        run = Torture(given.seed, Path(folder), time.monotonic())
        parts: list[tuple[str, float, Callable[[], None]]] = [
            ("kills", 0.4, lambda: kills(run, given.kills)),
            ("uploads", 0.2, lambda: queues(run, given.servers)),
            ("full disks", 0.1, lambda: full_disks(run, given.full)),
            ("damage", 0.1, lambda: damage(run, given.damages)),
            ("many at once", 0.02, lambda: together(run, 15.0)),
            ("mutated documents", 0.16, lambda: mutated(run, given.files)),
            ("hostile archives", 0.02, lambda: archives(run)),
        ]
        began = run.end
        for name, share, part in parts:  # no part can take the time of those behind it
            run.end += share * 60 * given.minutes
            part()
            print(f"{name}: done after {(time.monotonic() - began) / 60:.1f} minutes", file=sys.stderr, flush=True)
    print(f"{'tried':<44}{'times':>7}{'survived':>10}  outcomes")
    for name, row in sorted(run.rows.items()):
        outcomes = ", ".join(f"{what} {many}" for what, many in row.outcomes.most_common())
        print(f"{name:<44}{row.tried:>7}{row.survived:>10}  {outcomes}")
    losses = [loss for row in run.rows.values() for loss in row.losses]
    total, survived = (sum(getattr(row, name) for row in run.rows.values()) for name in ("tried", "survived"))
    print(f"{'all':<44}{total:>7}{survived:>10}")
    for loss in losses[:40]:
        print(f"LOST  {loss}")
    if given.json:
        shape = {name: {"tried": row.tried, "survived": row.survived, **row.outcomes} for name, row in run.rows.items()}
        given.json.write_text(json.dumps(shape, indent=1) + "\n", encoding="utf-8")
    sys.exit(bool(losses))


if __name__ == "__main__":
    main()
