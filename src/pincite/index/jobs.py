"""Jobs: files that a server was given and has not read yet. They wait with the index, and a small record of the engine
says what became of each."""

import json
import logging
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime, timedelta
from secrets import token_hex

from pincite.engine.contract import WRITER, Engine, Store
from pincite.engine.records import StoredRecord
from pincite.errors import DataError, OutputError
from pincite.index.uploads import FOLDER, sweep_uploads
from pincite.text.conditions import MATTER

log = logging.getLogger("pincite.index")

INCOMING = "incoming"
"""The area of the originals in which the files of jobs wait."""
KIND = "job"
"""The kind of the records of jobs."""
ABANDONED_SECONDS = 3600.0
"""Age from which a file without a job is what a killed server left, and no upload that is being received."""
WAITING, READING, DONE = "waiting", "reading", "done"


@dataclass(frozen=True, slots=True)
class FileResult:
    """What became of a file: added, same, failed or cancelled."""

    status: str
    documents: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    problem: str = ""
    kind: str = ""
    """The name of the problem, for programs."""


CANCELLED = FileResult("cancelled")


@dataclass(frozen=True, slots=True)
class JobFile:
    """A file of a job. It waits as long as it has no result."""

    name: str
    size: int
    sha256: str
    result: FileResult | None = None
    stored: str = ""
    """Where it is stored, below the folder of uploads."""


@dataclass(frozen=True, slots=True)
class Job:
    """The files of one upload. It is done when each has a result."""

    id: str
    who: str
    """Who sent the files."""
    files: tuple[JobFile, ...]
    replace: bool = False
    metadata: Mapping[str, str] = field(default_factory=dict)
    """What is said of its documents."""
    created: str = ""
    begun: str = ""
    ended: str = ""

    @classmethod
    def new(
        cls, who: str, files: Iterable[JobFile], *, replace: bool = False, metadata: Mapping[str, str] | None = None
    ) -> "Job":
        """Ids are in the order of time, and cannot be guessed."""
        identifier = f"{time.time_ns() // 1000:014x}-{token_hex(6)}"
        return cls(identifier, who, tuple(files), replace, dict(metadata or {}), created=now())

    @property
    def matter(self) -> str:
        return self.metadata.get(MATTER) or FOLDER

    @property
    def is_done(self) -> bool:
        return all(file.result for file in self.files)

    @property
    def state(self) -> str:
        if self.is_done:
            return DONE
        return READING if self.begun else WAITING

    @property
    def waiting(self) -> list[int]:
        """The places of the files without a result."""
        return [at for at, file in enumerate(self.files) if file.result is None]

    @property
    def waiting_bytes(self) -> int:
        return sum(self.files[at].size for at in self.waiting)

    def with_results(self, results: "dict[int, FileResult]") -> "Job":
        """The job with the results of some files; those that have one keep it."""
        files = tuple(replace(file, result=file.result or results.get(at)) for at, file in enumerate(self.files))
        job = replace(self, files=files, begun=self.begun or now())
        return replace(job, ended=now()) if job.is_done and not job.ended else job

    def to_json(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> "Job":
        shape = json.loads(text)
        files = tuple(JobFile(**{**file, "result": _result(file["result"])}) for file in shape["files"])
        return cls(**{**shape, "files": files})


def _result(shape: dict[str, object] | None) -> FileResult | None:
    if shape is None:
        return None
    listed = {key: tuple(value) if isinstance(value, list) else value for key, value in shape.items()}
    return FileResult(**listed)  # type: ignore[arg-type]


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def waiting_name(job: Job, at: int) -> str:
    """Where one file of a job waits. It keeps its name, which readers look at."""
    return f"{INCOMING}/{job.id}/{at}/{job.files[at].name}"


def waiting_names(job: Job) -> list[str]:
    """Where the files of a job wait, or waited."""
    return [waiting_name(job, at) for at in range(len(job.files))]


def every_job(store: Store) -> Iterator[Job]:
    """All jobs, oldest first."""
    cursor = ""
    while True:
        page = store.stored_records(KIND, cursor=cursor)
        yield from map(_read, page.items)
        if not page.next:
            return
        cursor = page.next


def _read(record: StoredRecord) -> Job:
    return Job.from_json(record.value)


def stored_job(store: Store, job: str) -> Job | None:
    record = store.stored_record(KIND, job)
    return None if record is None else _read(record)


def put_job(store: Store, job: Job) -> None:
    store.put_record(KIND, job.id, job.to_json())


def finish_files(engine: Engine, job_id: str, results: dict[int, FileResult]) -> Job | None:
    """Records results, and then deletes the files that were waiting. None where the job is gone."""
    with engine.lease(WRITER):
        before = stored_job(engine, job_id)
        if before is None:
            return None
        job = before.with_results(results)
        put_job(engine, job)
    engine.originals.delete(waiting_name(job, at) for at in results)
    return job


class JobClaims:
    """The jobs that this process works off, while other processes work off others. A claim is a lease: who dies or
    hangs loses it."""

    def __init__(self, engine: Engine, most: int) -> None:
        self.engine = engine
        self.most = most
        self._claimed: dict[str, ExitStack] = {}

    def chosen(self, jobs: Mapping[str, Job]) -> dict[str, Job]:
        """Those of some jobs that are this process's own; free ones are taken, finished ones are let go of."""
        for job_id in [job_id for job_id in self._claimed if job_id not in jobs]:
            self._claimed.pop(job_id).close()
        for job_id in jobs:
            if job_id not in self._claimed and len(self._claimed) < self.most:
                claim = ExitStack()
                with suppress(OutputError):
                    claim.enter_context(self.engine.lease(f"job-{job_id}", 0))
                    self._claimed[job_id] = claim
        return {job_id: job for job_id, job in jobs.items() if job_id in self._claimed}


def forget_old_jobs(engine: Engine, most: int, days: float) -> None:
    """Forgets jobs that were done days ago, and the oldest ones beyond a number."""
    done = [job for job in every_job(engine) if job.is_done]
    oldest = (datetime.now(UTC) - timedelta(days=days)).isoformat(timespec="milliseconds")
    for at, job in enumerate(done):
        if job.ended < oldest or at < len(done) - most:
            engine.delete_record(KIND, job.id)


def forget_jobs_of(engine: Engine, documents: Sequence[str]) -> None:
    """Forgets the jobs that gave these documents, and what was left of files that no job waits for."""
    gone = set(documents)
    for job in every_job(engine):
        named = {name for file in job.files if file.result for name in file.result.documents}
        if job.is_done and named & gone:
            engine.delete_record(KIND, job.id)
            engine.originals.delete(waiting_names(job))
    sweep(engine)


def sweep(engine: Engine) -> None:
    """Deletes files that no job waits for, and uploads whose documents were removed. The writer's lease is held."""
    engine.originals.delete(_abandoned(engine))
    try:
        sweep_uploads(engine)
    except DataError as error:  # a damaged index must not keep a server from working; 'check' names the damage
        log.warning("uploads without documents are not looked for: %s", error)


def _abandoned(engine: Engine) -> list[str]:
    """The files that no job waits for, unless they are just being received."""
    there = engine.originals.files(INCOMING)
    if not there:
        return []
    jobs = {job.id: job for job in every_job(engine)}
    waiting = {waiting_name(job, at) for job in jobs.values() for at in job.waiting}
    before = time.time() - ABANDONED_SECONDS
    return [
        name for name, modified in there if name not in waiting and (name.split("/")[1] in jobs or modified < before)
    ]


def incoming_faults(engine: Engine, *, repair: bool = False) -> list[str]:
    """Files that jobs wait for and that are gone, and files that no job waits for. `repair` deletes the latter, and
    records the former as lost."""
    faults = []
    abandoned = _abandoned(engine)
    if repair:
        engine.originals.delete(abandoned)
    else:
        faults = [f"{name}: no job waits for it; 'pincite index check --repair' deletes it" for name in abandoned]
    there = {file.name for file in engine.originals.files(INCOMING)}
    for job in every_job(engine):
        for at in job.waiting:
            if waiting_name(job, at) in there or _has_result(engine, job, at):
                continue
            if repair:
                finish_files(engine, job.id, {at: FileResult("failed", problem="the file is gone; send it again")})
            else:
                faults.append(f"{INCOMING}/{job.id}: the file {job.files[at].name!r} is gone; send it again")
    return faults


def _has_result(engine: Engine, job: Job, at: int) -> bool:
    """Whether the file has been dealt with meanwhile."""
    latest = stored_job(engine, job.id)
    return latest is None or latest.files[at].result is not None
