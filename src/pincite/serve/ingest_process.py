"""The process that works off the jobs of a server: it reads the files that wait, commits them together, and embeds.

It runs beside the server with a low priority, so that searches keep their speed, and ends with it. Whenever it is
killed, the next one goes on: a file waits until its documents and its result are stored.
"""

import json
import logging
import os
import queue
import signal
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, NoReturn

from filelock import FileLock

from pincite.documents.worker import Outcome
from pincite.documents.workers import WorkerPool
from pincite.engine.contract import WRITER
from pincite.errors import EngineUnavailable, OutputError, PinciteError
from pincite.index import Index
from pincite.index.jobs import (
    FileResult,
    Job,
    JobClaims,
    every_job,
    finish_files,
    forget_old_jobs,
    stored_job,
    sweep,
    waiting_name,
)
from pincite.index.opensearch.location import is_cluster
from pincite.serve import uploads
from pincite.serve.errors import NotReadable
from pincite.serve.settings import Settings
from pincite.serve.uploads import ReadFile, Uploaded

log = logging.getLogger("pincite.serve.ingest")
LOCK = "ingest.lock"
"""Held by the process that works off the jobs of an index: two servers of one index do not read a file twice."""
NICENESS = 5
"""How much lower than the server's its priority is."""
LOOK, EMBED = "look", "embed"
"""What the server says: there are new jobs, there is something to embed."""
SLOW_SECONDS = 10.0
"""Time after which a file that is being read no longer takes the place of another."""
SLOW_FILES = 8
"""Slow files that may be read beside the others."""
COMMIT_SECONDS = 1.0
"""Files that become ready within this time are committed together."""
BUSY_FILES, BUSY_SECONDS = 64, 4.0
"""The same where more files than these wait: after each commit searches prepare their state again."""
EMBED_SECONDS = 120.0
"""How long embedding may wait for them."""
COMMIT_FILES = 256
COMMIT_CHARACTERS = 4_000_000
"""A commit takes no more than this, about."""
TELL_SECONDS = 0.2
"""How often the server is told what is being read."""
LOOK_SECONDS = 5.0
"""How often jobs of other servers are looked for."""
STALLED_SECONDS = 5.0
"""Time until a commit is tried again that failed because the disk is full, or because another process writes."""
MOST_CLAIMED = 8
"""Jobs that one process takes at once, where others work beside it."""
FORGET_SECONDS = 60.0
"""How often old jobs are forgotten."""

Tell = Callable[[dict[str, object]], None]


class FileKey(NamedTuple):
    """A file of a job."""

    job: str
    at: int


class _FileAtHand(NamedTuple):
    """Where a file can be read, until it is let go of."""

    path: Path
    held: ExitStack


class _Ready(NamedTuple):
    """A file that can be committed, or whose outcome is known already."""

    key: FileKey
    name: str
    file: ReadFile | None
    outcome: Uploaded | None
    since: float


@dataclass(slots=True)
class Ingester:
    """Works off jobs. `step` does what can be done now; `events` says what happened meanwhile."""

    index: Index
    settings: Settings
    tell: Tell
    pool: WorkerPool
    events: "queue.SimpleQueue[str | tuple[FileKey, Future[Outcome]]]" = field(default_factory=queue.SimpleQueue)
    jobs: dict[str, Job] = field(default_factory=dict)
    """The jobs that are not done, oldest first."""
    running: dict[FileKey, float] = field(default_factory=dict)
    """The files that are being read, and since when."""
    ready: list[_Ready] = field(default_factory=list)
    at_hand: dict[FileKey, _FileAtHand] = field(default_factory=dict)
    """The files that are being read or were read and are not committed."""
    embedding: "EmbeddingThread | None" = None
    claims: JobClaims | None = None
    """Which jobs are this process's own, where others work beside it."""
    told: str = ""
    told_at: float = 0.0
    looked_at: float = 0.0
    forgot_at: float = 0.0
    stalled_until: float = 0.0
    unembedded: bool = False
    embedded_at: float = field(default_factory=time.monotonic)

    def step(self) -> None:
        """Takes in what happened, starts readings, and commits what is due."""
        with suppress(queue.Empty):
            self._take(self.events.get(timeout=self._patience))
            while True:
                self._take(self.events.get_nowait())
        if time.monotonic() - self.looked_at > LOOK_SECONDS:
            self.look()
        self._start_readings()
        if self._is_due():
            self._commit()
        self._embed_in_time()
        self._forget_sometimes()
        self._tell_progress()

    @property
    def _patience(self) -> float:
        return TELL_SECONDS if self.running or self.ready else COMMIT_SECONDS

    def _take(self, event: "str | tuple[FileKey, Future[Outcome]]") -> None:
        if event == LOOK:
            self.look()
        elif event == EMBED and self.embedding is not None:
            self.embedding.wanted.set()
        elif not isinstance(event, str):
            self._take_reading(*event)

    def look(self) -> None:
        """Reads which jobs there are."""
        self.looked_at = time.monotonic()
        jobs = {job.id: job for job in every_job(self.index.engine) if not job.is_done}
        self.jobs = jobs if self.claims is None else self.claims.chosen(jobs)

    # Reading

    def _start_readings(self) -> None:
        waiting = self._waiting()
        while self._has_room and (key := next(waiting, None)) is not None:
            job, now = self.jobs[key.job], time.monotonic()
            file = job.files[key.at]
            path = self._at_hand(key, job)
            if path is None:
                gone = NotReadable(f"{file.name}: the file is gone; send it again")
                self.ready.append(_Ready(key, file.name, None, Uploaded(file.name, "failed", failure=gone), now))
                continue
            known = self._settled(job, key.at)
            if known is not None:
                self.ready.append(_Ready(key, file.name, None, known, now))
                continue
            self.running[key] = now
            future = self.pool.submit(uploads.reading_task(file.stored, path))
            future.add_done_callback(lambda done, key=key: self.events.put((key, done)))  # type: ignore[misc]

    def _at_hand(self, key: FileKey, job: Job) -> Path | None:
        """Where a file that waits can be read; None where it is gone."""
        if key not in self.at_hand:
            held = ExitStack()
            path = held.enter_context(self.index.engine.originals.at_hand(waiting_name(job, key.at)))
            if path is None:
                return None
            self.at_hand[key] = _FileAtHand(path, held)
        return self.at_hand[key].path

    def _let_go(self, key: FileKey) -> None:
        if (held := self.at_hand.pop(key, None)) is not None:
            held.held.close()

    def _settled(self, job: Job, at: int) -> Uploaded | None:
        """The outcome for a file that need not be read. One that cannot be looked at holds up no other."""
        file = job.files[at]
        try:
            return uploads.settled(self.index, file.stored, file.sha256, job.matter, replace=job.replace)
        except (OutputError, EngineUnavailable):
            raise  # the file waits
        except Exception as error:
            log.exception("cannot look at a file")
            failure = NotReadable(f"{file.name}: cannot be stored ({type(error).__name__})")
            return Uploaded(file.name, "failed", failure=failure)

    @property
    def _has_room(self) -> bool:
        """A file that takes long holds up no other: it keeps its process, and another one is started."""
        slow = sum(time.monotonic() - begun > SLOW_SECONDS for begun in self.running.values())
        return len(self.running) - slow < self.settings.readers and slow <= SLOW_FILES

    def _waiting(self) -> Iterator[FileKey]:
        """The files that can be read now: of each job in turn, and of one name only the first that was sent."""
        held = {entry.key for entry in self.ready} | self.running.keys()
        busy = Counter(key.job for key in self.running)
        names: set[str] = set()
        turns: list[tuple[int, FileKey]] = []
        for job in self.jobs.values():
            turn = busy[job.id]
            for at in job.waiting:
                name = job.files[at].stored
                if name not in names and (key := FileKey(job.id, at)) not in held:
                    turns.append((turn, key))
                    turn += 1
                names.add(name)
        return iter([key for _, key in sorted(turns)])

    def _take_reading(self, key: FileKey, done: "Future[Outcome]") -> None:
        self.running.pop(key, None)
        job = self.jobs.get(key.job)
        if job is None:
            self._let_go(key)
            return
        name, now = job.files[key.at].name, time.monotonic()
        try:
            place, waiting, path = job.files[key.at].stored, waiting_name(job, key.at), self.at_hand[key].path
            file = uploads.read_file(place, waiting, path, done.result(), job.metadata, replace=job.replace)
        except Exception as error:
            log.exception("cannot take in what was read of a file")
            failure = NotReadable(f"{name}: cannot be read ({type(error).__name__})")
            self.ready.append(_Ready(key, name, None, Uploaded(name, "failed", failure=failure), now))
            return
        self.ready.append(_Ready(key, name, file, None, now))

    # Committing

    def _is_due(self) -> bool:
        now = time.monotonic()
        if not self.ready or now < self.stalled_until:
            return False
        much = sum(entry.file.characters for entry in self.ready if entry.file) > COMMIT_CHARACTERS
        patience = BUSY_SECONDS if self._is_busy else COMMIT_SECONDS
        late = now - min(entry.since for entry in self.ready) >= patience
        return much or late or not self.running or len(self.ready) >= COMMIT_FILES

    def _commit(self) -> None:
        batch = sorted(self.ready[:COMMIT_FILES], key=lambda entry: entry.key)  # in the order in which they were sent
        self.ready = self.ready[COMMIT_FILES:]
        try:
            with self.index.engine.lease(WRITER):
                latest = {entry.key.job: stored_job(self.index.engine, entry.key.job) for entry in batch}
                wanted = [entry for entry in batch if _is_wanted(latest[entry.key.job], entry.key)]
                self._finish(wanted, self._committed([entry for entry in wanted if entry.file]))
            for entry in batch:
                self._let_go(entry.key)
            self.index.engine.tidy(more_to_come=bool(self.running or self.ready))
            self.tell({"committed": True})
        except (OutputError, EngineUnavailable) as error:
            log.warning("cannot commit files: %s", error)
            self.stalled_until = time.monotonic() + STALLED_SECONDS
            self.tell({"stalled": sorted({entry.key.job for entry in batch})})
            self.look()
            self.ready = [entry for entry in batch if self._is_open(entry.key)] + self.ready

    def _is_open(self, key: FileKey) -> bool:
        return key.job in self.jobs and self.jobs[key.job].files[key.at].result is None

    def _committed(self, batch: list[_Ready]) -> dict[FileKey, Uploaded]:
        files = [entry.file for entry in batch if entry.file]
        try:
            return {entry.key: done for entry, done in zip(batch, uploads.commit(self.index, files), strict=True)}
        except (OutputError, EngineUnavailable):
            raise  # the files wait
        except Exception as error:
            if len(batch) > 1:  # one bad file harms no other
                return {key: done for entry in batch for key, done in self._committed([entry]).items()}
            log.exception("cannot commit a file")
            failure = NotReadable(f"{batch[0].name}: cannot be stored ({type(error).__name__})")
            return {batch[0].key: Uploaded(batch[0].name, "failed", failure=failure)}

    def _finish(self, batch: list[_Ready], committed: dict[FileKey, Uploaded]) -> None:
        """Records the outcomes."""
        results: dict[str, dict[int, FileResult]] = {}
        for entry in batch:
            outcome = entry.outcome or committed[entry.key]
            results.setdefault(entry.key.job, {})[entry.key.at] = outcome.to_result()
        for job_id, outcomes in results.items():
            job = finish_files(self.index.engine, job_id, outcomes)
            if job is None or job.is_done:
                self.jobs.pop(job_id, None)
            else:
                self.jobs[job_id] = job
            if job is not None:
                self.tell({"job": job.to_json()})
        self.unembedded |= any(done.status == "added" for done in committed.values())
        self._embed_in_time()

    def _embed_in_time(self) -> None:
        """Has new documents embedded. Where many files wait, those come first for a while: each is then searchable by
        words sooner."""
        now = time.monotonic()
        if self.unembedded and (not self._is_busy or now - self.embedded_at > EMBED_SECONDS):
            self.unembedded, self.embedded_at = False, now
            if self.embedding is not None:
                self.embedding.wanted.set()

    @property
    def _is_busy(self) -> bool:
        return sum(len(job.waiting) for job in self.jobs.values()) > BUSY_FILES

    # Telling

    def _forget_sometimes(self) -> None:
        if time.monotonic() - self.forgot_at > FORGET_SECONDS:
            self.forgot_at = time.monotonic()
            with suppress(OutputError):
                forget_old_jobs(self.index.engine, self.settings.jobs_kept, self.settings.job_days)

    def _tell_progress(self) -> None:
        """Tells the server which files are being read, and whether there is nothing to do."""
        reading: dict[str, list[str]] = {}
        for key in sorted(self.running):
            if key.job in self.jobs:
                reading.setdefault(key.job, []).append(self.jobs[key.job].files[key.at].name)
        embedding = self.embedding is not None and (self.embedding.wanted.is_set() or self.embedding.is_busy)
        idle = not (self.jobs or self.running or self.ready or self.unembedded or embedding)
        said = json.dumps([reading, idle])
        now = time.monotonic()
        if said != self.told and now - self.told_at >= TELL_SECONDS:
            self.told, self.told_at = said, now
            self.tell({"reading": reading, "idle": idle})


def _is_wanted(job: Job | None, key: FileKey) -> bool:
    """Whether a file still waits: its job may have been cancelled."""
    return job is not None and job.files[key.at].result is None


class EmbeddingThread(threading.Thread):
    """Embeds whenever it is wanted, a batch at a time; others may write in between."""

    def __init__(self, index: Index, *, shared: bool = False) -> None:
        super().__init__(name="pincite-embedding", daemon=True)
        self.index = index
        self.shared = shared
        self.wanted = threading.Event()
        self.is_busy = False

    def run(self) -> None:
        while True:
            self.wanted.wait()
            self.is_busy = True
            self.wanted.clear()
            try:
                while self.index.embed_share() if self.shared else self.index.embed():  # until nothing is left
                    pass
            except (OutputError, EngineUnavailable) as error:
                log.warning("cannot embed documents now: %s", error)
                time.sleep(STALLED_SECONDS)
                self.wanted.set()
            except PinciteError as error:
                log.warning("cannot embed documents: %s", error)
            except Exception:  # the thread must go on: more documents come
                log.exception("cannot embed documents")
            finally:
                self.is_busy = False


def serve(location: str, settings: str) -> None:
    """Works off the jobs of an index until standard input is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # of the terminal, meant for the server
    os.nice(NICENESS)
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what libraries print goes to the log
    logging.basicConfig(stream=sys.stderr, level=logging.INFO, format="%(asctime)s %(name)s %(message)s")

    def tell(message: dict[str, object]) -> None:
        out.write(json.dumps(message).encode() + b"\n")
        out.flush()

    events: queue.SimpleQueue[str | tuple[FileKey, Future[Outcome]]] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(events,), daemon=True).start()
    chosen = Settings(**json.loads(settings))
    if is_cluster(location):
        _work(location, chosen, tell, events)
    with FileLock(Path(location) / LOCK, mode=0o600):
        _work(location, chosen, tell, events)


def _work(
    location: str, settings: Settings, tell: Tell, events: "queue.SimpleQueue[str | tuple[FileKey, Future[Outcome]]]"
) -> NoReturn:
    """Works off jobs without end; on a cluster beside other processes."""
    shared = is_cluster(location)
    with Index.open(location, wait=30.0, model_threads=1) as index:
        _clean(index)
        pool = uploads.reader_pool(index, settings, settings.readers + SLOW_FILES)
        embedding = EmbeddingThread(index, shared=shared)
        claims = JobClaims(index.engine, MOST_CLAIMED) if shared else None
        ingester = Ingester(index, settings, tell, pool, events, embedding=embedding, claims=claims)
        embedding.start()
        while True:
            try:
                ingester.step()
            except (OutputError, EngineUnavailable) as error:
                log.warning("%s", error)
                time.sleep(STALLED_SECONDS)


def work(location: str, settings: Settings) -> NoReturn:
    """A worker of its own: works off jobs of a cluster until it is ended, and embeds."""
    events: queue.SimpleQueue[str | tuple[FileKey, Future[Outcome]]] = queue.SimpleQueue()
    events.put(EMBED)
    threading.Thread(target=_remind, args=(events,), daemon=True).start()
    _work(location, settings, lambda _: None, events)


def _remind(events: "queue.SimpleQueue[str | tuple[FileKey, Future[Outcome]]]") -> None:
    """Documents may come in by other ways than jobs: what has no vectors is looked for now and then."""
    while True:
        time.sleep(EMBED_SECONDS / 4)
        events.put(EMBED)


def _clean(index: Index) -> None:
    """Deletes what a killed process left."""
    with suppress(OutputError, EngineUnavailable), index.engine.lease(WRITER):
        index.engine.originals.clean()
        sweep(index.engine)


def _listen(events: "queue.SimpleQueue[str | tuple[FileKey, Future[Outcome]]]") -> None:
    """Takes in what the server says. When the server exits, this process exits, too, whatever it is doing."""
    for line in sys.stdin.buffer:
        events.put(line.decode().strip())
    os._exit(0)
