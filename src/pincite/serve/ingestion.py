"""The queue of uploads, on the server's side: receives files, keeps count of jobs, and looks after the process that
works them off."""

import itertools
import json
import logging
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from hashlib import sha256

from pincite.errors import OutputError, PinciteError
from pincite.index import Index
from pincite.index.jobs import (
    CANCELLED,
    Job,
    JobFile,
    every_job,
    finish_files,
    put_job,
    stored_job,
    waiting_name,
    waiting_names,
)
from pincite.index.uploads import FOLDER
from pincite.serve import uploads
from pincite.serve.errors import Busy, NotFound, NotWritable, Refused
from pincite.serve.ingest_process import EMBED, LOOK
from pincite.serve.settings import Settings
from pincite.serve.uploads import Uploaded
from pincite.serve.writer_thread import WriterThread
from pincite.text.conditions import MATTER

log = logging.getLogger("pincite.serve")
IDLE_SECONDS = 60.0
"""Time after which a process that has nothing to do is ended."""
WATCH_SECONDS = 0.5
"""How often jobs are looked at that somebody waits for: another server of the same index may work them off."""
FEW_TURNS = 10
"""How many times less often those are looked at that nobody waits for."""
MOST_DEATHS = 5
"""How often in a row the process may die without having finished a file."""
PAUSE_SECONDS = 60.0
"""Time until it is started again after that."""
_START = "import sys; sys.path[:] = {!r}; from pincite.serve.ingest_process import serve; serve({!r}, {!r})"


@dataclass(frozen=True, slots=True)
class JobProgress:
    """A job, and which of its files are being read now."""

    job: Job
    reading: tuple[str, ...] = ()

    @property
    def state(self) -> str:
        return "reading" if self.reading and not self.job.is_done else self.job.state

    def to_dict(self) -> dict[str, object]:
        job = self.job
        done = [Uploaded.of(file.name, file.result) for file in job.files if file.result]
        return {
            "id": job.id,
            "state": self.state,
            "who": job.who,
            "done": len(done),
            "of": len(job.files),
            "reading": list(self.reading),
            "files": [
                Uploaded.of(file.name, file.result).to_dict() if file.result else _unfinished(file, self.reading)
                for file in job.files
            ],
            "created": job.created,
            "begun": job.begun or None,
            "ended": job.ended or None,
        }


def _unfinished(file: JobFile, reading: Sequence[str]) -> dict[str, object]:
    status = "reading" if file.name in reading else "waiting"
    return {"name": file.name, "status": status, "documents": [], "notes": [], "problem": None}


@dataclass(slots=True)
class Ingestion:
    """Every method can be called from any thread."""

    location: str
    """Of the index."""
    settings: Settings
    index: Index
    """For reading."""
    writer: WriterThread
    finished: Callable[[Job], None] = lambda _: None
    """Is told of each job that is done."""
    _lookups: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1, "pincite-job-lookup"))
    """Looks jobs up: who asks for them does not wait behind searches."""
    _lock: threading.RLock = field(default_factory=threading.RLock)
    _open: dict[str, Job] | None = None
    """The jobs that are not done; None until they are needed."""
    _waiters: dict[str, "list[Future[Job]]"] = field(default_factory=dict)
    _reading: Mapping[str, Sequence[str]] = field(default_factory=dict)
    _process: "subprocess.Popen[bytes] | None" = None
    _deaths: int = 0
    _idle_since: float | None = None
    _start_at: float | None = None
    """When the process is to be started again."""
    _closed: bool = False
    _watch: threading.Thread | None = None
    _listener: threading.Thread | None = None

    # Jobs

    def receive(
        self,
        files: Sequence[tuple[str, bytes]],
        who: str,
        *,
        replace: bool = False,
        metadata: Mapping[str, str] | None = None,
    ) -> Job:
        """A job for files, which are on disk when this returns. A file that cannot be taken has its result at once."""
        self._check_room(sum(len(data) for _, data in files))
        matter = (metadata or {}).get(MATTER, "")
        accepted = [_accepted(self.index, name, data, matter) for name, data in files]
        job = Job.new(who, accepted, replace=replace, metadata=metadata)
        if job.is_done:
            return job.with_results({})
        try:
            for at in job.waiting:
                self.index.engine.originals.write(waiting_name(job, at), files[at][1])
            self.writer.submit(lambda index: put_job(index.engine, job)).result()
        except BaseException as error:
            with suppress(OSError, PinciteError):
                self.index.engine.originals.delete(waiting_names(job))
            if isinstance(error, OSError):
                raise OutputError(f"{self.location}: cannot store files ({error.strerror})") from None
            raise
        with self._lock:
            self._jobs_open()[job.id] = job
            self._say(LOOK)
        return job

    def _check_room(self, size: int) -> None:
        with self._lock:
            jobs = self._jobs_open()
            waiting = sum(job.waiting_bytes for job in jobs.values())
        if len(jobs) >= self.settings.jobs_waiting:
            raise Busy("too many uploads are waiting to be read; try again later", retry_after=10)
        if waiting and waiting + size > self.settings.waiting_bytes:
            raise Busy("too many bytes are waiting to be read; try again later", retry_after=10)

    def _jobs_open(self) -> dict[str, Job]:
        with self._lock:
            if self._open is None:
                self._open = {job.id: job for job in every_job(self.index.engine) if not job.is_done}
            return self._open

    def done(self, job: Job) -> "Future[Job]":
        """Gets the job when it is done."""
        waiter: Future[Job] = Future()
        with self._lock:
            if self._closed:
                raise Busy("the server is stopping; the files are received and will be read", retry_after=5)
            if job.is_done:
                waiter.set_result(job)
            else:
                self._waiters.setdefault(job.id, []).append(waiter)
                self._watched()
        return waiter

    def job(self, job_id: str) -> JobProgress:
        found = self._lookups.submit(stored_job, self.index.engine, job_id).result()
        if found is None:
            raise NotFound(f"no job {job_id[:100]!r}; jobs are forgotten some days after they are done")
        return self._with_progress(found)

    def jobs(self) -> list[JobProgress]:
        """All jobs, the latest first."""
        found = self._lookups.submit(lambda: list(every_job(self.index.engine))).result()
        return [self._with_progress(job) for job in reversed(found)]

    def _with_progress(self, job: Job) -> JobProgress:
        return JobProgress(job, () if job.is_done else tuple(self._reading.get(job.id, ())))

    def cancel(self, job_id: str) -> JobProgress:
        """Cancels the files of a job that are not stored yet."""

        def work(index: Index) -> Job:
            with index.engine.lease():
                job = stored_job(index.engine, job_id)
                if job is None:
                    raise NotFound(f"no job {job_id[:100]!r}; jobs are forgotten some days after they are done")
                results = {at: CANCELLED for at in job.waiting if not _is_stored(index, job.files[at])}
                return finish_files(index.engine, job_id, results) or job

        job = self.writer.submit(work).result()
        self._update(job)
        with self._lock:
            self._say(LOOK)
        return self._with_progress(job)

    # The process

    def resume(self, *, embed: bool) -> None:
        """Goes on with what an earlier server left."""
        with self._lock:
            if self._jobs_open():
                self._say(LOOK)
            if embed:
                self._say(EMBED)

    def close(self) -> None:
        """Ends the process. What it had not finished waits for the next server."""
        with self._lock:
            self._closed = True
            waiters = [waiter for held in self._waiters.values() for waiter in held]
            self._waiters.clear()
            process = self._process
            self._end_process()
        for waiter in waiters:
            waiter.set_exception(Busy("the server is stopping; the files are received and will be read", retry_after=5))
        if process is not None:
            process.wait()
        self._lookups.shutdown()
        for thread in (self._listener, self._watch):  # what was said last is taken in
            if thread is not None:
                thread.join()

    def _say(self, what: str) -> None:
        """Tells the process something; starts it if need be. The lock is held."""
        if self._closed:
            return
        self._idle_since = None
        if self._process is None and self._start_at is None:
            self._start_process()
        if self._process is not None and self._process.stdin is not None:
            with suppress(OSError):  # it died, and is started again by the thread that listens to it
                self._process.stdin.write(f"{what}\n".encode())
                self._process.stdin.flush()

    def _start_process(self) -> None:
        self._start_at = None
        command = [sys.executable, "-c", _START.format(sys.path, self.location, json.dumps(asdict(self.settings)))]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        own = (self._process,)
        self._listener = threading.Thread(target=self._listen, args=own, name="pincite-ingestion", daemon=True)
        self._listener.start()
        self._watched()

    def _end_process(self) -> None:
        """Lets the process go: it exits when its standard input is closed. The lock is held."""
        process, self._process = self._process, None
        if process is not None and process.stdin is not None:
            with suppress(OSError):
                process.stdin.close()

    def _listen(self, process: "subprocess.Popen[bytes]") -> None:
        """Takes in what the process says, until it ends."""
        assert process.stdout is not None
        for line in process.stdout:
            self._take(json.loads(line))
        process.wait()
        process.stdout.close()
        with self._lock:
            self._reading = {}
            if self._process is not process or self._closed:
                return
            self._end_process()
            self._deaths += 1
            log.warning("the process that reads uploads ended (status %s); it is started again", process.returncode)
            if self._deaths <= MOST_DEATHS:
                self._say(LOOK)
                self._say(EMBED)
                return
            log.error("the process that reads uploads ended %s times in a row; it waits a minute", self._deaths)
            self._start_at = time.monotonic() + PAUSE_SECONDS
            stalled = list(self._waiters)
        self._stall(stalled)

    def _take(self, message: dict[str, object]) -> None:
        if isinstance(text := message.get("job"), str):
            self._deaths = 0
            self._update(Job.from_json(text))
        if message.get("committed"):  # searches find the new state prepared
            with suppress(PinciteError), self.index.engine.view():
                pass
        if isinstance(jobs := message.get("stalled"), list):
            self._stall(jobs)
        if isinstance(reading := message.get("reading"), dict):
            with self._lock:
                self._reading = reading
                self._idle_since = time.monotonic() if message.get("idle") else None

    def _update(self, job: Job) -> None:
        """Takes in what has become of a job."""
        with self._lock:
            jobs = self._jobs_open()
            known = job.id in jobs
            if not job.is_done:
                if known:
                    jobs[job.id] = job
                return
            jobs.pop(job.id, None)
            waiters = self._waiters.pop(job.id, [])
        if known:
            try:
                self.finished(job)
            except OutputError as error:
                log.warning("%s", error)
        for waiter in waiters:
            waiter.set_result(job)

    def _stall(self, jobs: Sequence[str]) -> None:
        """Answers those who wait for jobs that cannot go on at the moment."""
        with self._lock:
            waiters = [waiter for job in jobs for waiter in self._waiters.pop(job, [])]
        for waiter in waiters:
            said = f"{uploads.FULL}; the files are received and wait"
            waiter.set_exception(NotWritable(said, retry_after=10))

    def _forget(self, job_id: str) -> None:
        """Drops a job that is gone, because another index lies in the folder now."""
        with self._lock:
            self._jobs_open().pop(job_id, None)
            waiters = self._waiters.pop(job_id, [])
        for waiter in waiters:
            waiter.set_exception(NotFound("the index was replaced; send the files again"))

    def _watched(self) -> None:
        """Starts the thread that looks after what nobody tells. The lock is held."""
        if self._watch is None:
            self._watch = threading.Thread(target=self._look_after, name="pincite-jobs", daemon=True)
            self._watch.start()

    def _look_after(self) -> None:
        for turn in itertools.count():
            time.sleep(WATCH_SECONDS)
            if self._closed:
                return
            with self._lock:
                jobs, now = list(self._waiters if turn % FEW_TURNS else self._jobs_open()), time.monotonic()
                if self._start_at is not None and now > self._start_at:
                    self._deaths = 0
                    self._start_at = None
                    self._say(LOOK)
                    self._say(EMBED)
                idle = self._idle_since
                if idle is not None and now - idle > IDLE_SECONDS and not self._open:
                    self._idle_since = None
                    self._end_process()
            for job_id in jobs:
                with suppress(Exception):  # the index may be replaced just now
                    job = stored_job(self.index.engine, job_id)
                    if job is None:
                        self._forget(job_id)
                    elif job.is_done:
                        self._update(job)


def _accepted(index: Index, name: str, data: bytes, matter: str) -> JobFile:
    """A file of a job. One that cannot be taken has its result already."""
    digest = sha256(data).hexdigest()
    try:
        plain = uploads.checked_name(name)
        uploads.check_content(plain, data)
    except Refused as error:
        failed = Uploaded(name, "failed", failure=error)
        return JobFile(name, len(data), digest, failed.to_result())
    return JobFile(plain, len(data), digest, stored=uploads.free_path(index, plain, matter))


def _is_stored(index: Index, file: JobFile) -> bool:
    """Whether the documents of a file are stored: the process may have died before it could say so."""
    known = index.engine.file(FOLDER, file.stored)
    return known is not None and known.sha256 == file.sha256 and bool(index.engine.records_of(FOLDER, file.stored))
