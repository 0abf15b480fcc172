"""Jobs: what was received waits, is read, and stays whole through kills, restarts, full disks and cancelling."""

import json
import os
import random
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from filelock import FileLock
from starlette.testclient import TestClient

from pincite.index import Index
from pincite.index import jobs as index_jobs
from pincite.index.jobs import INCOMING, FileResult, Job, JobFile, every_job, forget_old_jobs, put_job, stored_job
from pincite.serve import ingestion
from pincite.serve.auth import Auth
from pincite.serve.backend import Backend
from pincite.serve.errors import NotWritable
from pincite.serve.ingest_process import LOCK
from pincite.serve.settings import Settings
from tests.serve.conftest import PATIENCE, Server, client_of, problem, token, wait_until

NOTE = b"NOTE\n\nThe boats of the harbour master are green.\n"
OLD, NEW = b"LEASE\n\nThe rent is 100 pounds a year.\n", b"LEASE\n\nThe rent is 200 pounds a year.\n"


def sent(client: Any, files: dict[str, bytes], address: str = "", **more: Any) -> dict[str, Any]:
    """The job of an upload."""
    answer = client.post(f"{address}/v1/documents", files=[("files", each) for each in files.items()], **more)
    assert answer.status_code == 202, answer.text
    assert answer.headers["location"] == f"/v1/jobs/{answer.json()['id']}"
    shape: dict[str, Any] = answer.json()
    return shape


def done(client: Any, job: dict[str, Any], address: str = "", **more: Any) -> dict[str, Any]:
    """The job when it is done."""

    def look() -> dict[str, Any] | None:
        shape: dict[str, Any] = client.get(f"{address}/v1/jobs/{job['id']}", **more).json()
        return shape if shape["state"] == "done" else None

    found = wait_until(look)
    assert found
    return found


@contextmanager
def halted(folder: Path) -> Iterator[None]:
    """Nothing is read meanwhile, as if the process of another server were busy: what is received waits."""
    with FileLock(folder / LOCK):
        yield


def children_of(process: int) -> list[int]:
    """The processes that a process started, and those that they started."""
    listed = subprocess.run(["ps", "-A", "-o", "pid=,ppid="], capture_output=True, text=True, check=True).stdout
    parents = [tuple(map(int, line.split())) for line in listed.splitlines()]
    own = [pid for pid, parent in parents if parent == process]
    return own + [further for pid in own for further in children_of(pid)]


def is_running(process: int) -> bool:
    state = subprocess.run(["ps", "-o", "state=", "-p", str(process)], capture_output=True, text=True, check=False)
    return state.stdout.strip() not in ("", "Z")


def incoming(folder: Path) -> list[Path]:
    return [path for path in (folder / INCOMING).rglob("*") if path.is_file()] if (folder / INCOMING).exists() else []


def test_an_upload_is_answered_when_it_is_on_disk_and_read_afterwards(own_index: Path) -> None:
    with client_of(own_index) as client:
        with halted(own_index):
            job = sent(client, {"note.txt": NOTE, "bad.exe": b"MZ"})
            assert job["state"] == "waiting"
            assert (job["done"], job["of"]) == (1, 2)
            assert [file["status"] for file in job["files"]] == ["waiting", "failed"]
            assert [path.read_bytes() for path in incoming(own_index)] == [NOTE]
            assert client.get("/v1/documents/uploads/note.txt").status_code == 404
        found = done(client, job)
        assert found["files"][0] == {
            "name": "note.txt",
            "status": "added",
            "documents": ["uploads/note.txt"],
            "notes": [],
            "problem": None,
        }
        assert "unsupported suffix" in found["files"][1]["problem"]
        assert found["created"] <= found["begun"] <= found["ended"]
        assert client.get("/v1/documents/uploads/note.txt/text").json()["text"] == NOTE.decode()
        assert client.get("/v1/jobs").json()["jobs"][0] == found
        assert (own_index / "uploads" / "note.txt").read_bytes() == NOTE
    assert not incoming(own_index)


def test_waiting_can_be_asked_for_in_the_form_too(writer: TestClient) -> None:
    files = {"files": ("note.txt", NOTE)}
    assert writer.post("/v1/documents", files=files, data={"wait": "true"}).status_code == 201
    assert writer.post("/v1/documents?wait=true", files=files).status_code == 200
    problem(writer.get("/v1/jobs/none"), 404, "not-found")
    problem(writer.delete("/v1/jobs/none"), 404, "not-found")


def test_jobs_are_listed_page_by_page_the_latest_first(writer: TestClient) -> None:
    sent_jobs = [sent(writer, {f"{at}.txt": NOTE + str(at).encode()})["id"] for at in range(3)]
    first = writer.get("/v1/jobs", params={"limit": 2}).json()
    rest = writer.get("/v1/jobs", params={"limit": 2, "cursor": first["next"]}).json()
    assert [job["id"] for job in (*first["jobs"], *rest["jobs"])] == sent_jobs[::-1]
    assert rest["next"] is None


def test_a_job_belongs_to_who_sent_it(own_index: Path, keys: Auth, tmp_path: Path) -> None:
    log = tmp_path / "audit.jsonl"
    headers = {
        name: {"authorization": f"Bearer {keys.add_key(name, scope)}"}
        for name, scope in (("mira", "write"), ("ann", "write"), ("root", "admin"))
    }
    with client_of(own_index, Settings(audit=str(log)), keys) as client:
        job = sent(client, {"note.txt": NOTE}, headers=headers["mira"])
        assert job["who"] == "mira"
        place = f"/v1/jobs/{job['id']}"
        problem(client.get(place, headers=headers["ann"]), 404, "not-found")
        problem(client.delete(place, headers=headers["ann"]), 404, "not-found")
        assert client.get("/v1/jobs", headers=headers["ann"]).json()["jobs"] == []
        assert len(client.get("/v1/jobs", headers=headers["mira"]).json()["jobs"]) == 1
        done(client, job, headers=headers["root"])
        wait_until(lambda: "uploads/note.txt" in log.read_text())
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    assert [(line["who"], line["action"]) for line in lines] == [("mira", "receive"), ("mira", "add")]
    assert lines[1]["job"] == job["id"]
    assert "boats" not in log.read_text()


def test_a_cancelled_file_is_not_stored_and_leaves_nothing(own_index: Path) -> None:
    with client_of(own_index) as client:
        with halted(own_index):
            job = sent(client, {"note.txt": NOTE})
            cancelled = client.delete(f"/v1/jobs/{job['id']}").json()
            assert cancelled["state"] == "done"
            assert cancelled["files"][0]["status"] == "cancelled"
            assert not incoming(own_index)
        later = sent(client, {"other.txt": OLD})
        assert done(client, later)["files"][0]["status"] == "added"
        assert client.get("/v1/documents/uploads/note.txt").status_code == 404
        assert client.delete(f"/v1/jobs/{later['id']}").json()["files"][0]["status"] == "added"  # too late
        assert client.get("/v1/documents/uploads/other.txt").status_code == 200
    assert not (own_index / "uploads" / "note.txt").exists()


def test_of_two_replacements_the_one_sent_last_stays(own_index: Path) -> None:
    long = OLD + b"\n\n".join(b"%d. The tenant keeps clause %d." % (at, at) for at in range(4000))
    with Backend(own_index) as backend:
        with halted(own_index):
            jobs = [backend.receive([("a.txt", data)], replace=True) for data in (long, NEW)]
        assert [backend.finished(job)[0].status for job in jobs] == ["added", "added"]
        assert backend.loaded("uploads/a.txt").document.text == NEW.decode()


def test_corrections_stay_when_a_file_is_replaced(own_index: Path) -> None:
    with client_of(own_index) as client:
        done(client, sent(client, {"a.txt": OLD}))
        client.patch("/v1/documents/uploads/a.txt", json={"title": "Our lease", "metadata": {"room": "7"}})
        done(client, sent(client, {"a.txt": NEW}, data={"replace": "true"}))
        found = client.get("/v1/documents/uploads/a.txt").json()
        assert found["title"] == "Our lease"
        assert client.get("/v1/documents/uploads/a.txt/text").json()["text"] == NEW.decode()


def test_a_slow_file_holds_up_no_other(own_index: Path) -> None:
    slow = b"DEED\n\n" + b"\n\n".join(
        b"%d. The grantor conveys plot %d to the grantee." % (at, at) for at in range(60000)
    )
    with Backend(own_index, Settings(readers=2)) as backend:
        held = backend.receive([(f"slow-{at}.txt", slow + str(at).encode()) for at in range(4)])
        wait_until(lambda: backend.ingestion.job(held.id).reading)
        assert backend.add([("note.txt", NOTE)])[0].status == "added"
        assert not backend.ingestion.job(held.id).job.is_done
        backend.ingestion.cancel(held.id)


def test_beyond_the_limits_an_upload_is_asked_to_come_back(own_index: Path) -> None:
    for settings in (Settings(jobs_waiting=1), Settings(waiting_bytes=2 * len(NOTE))):
        with client_of(own_index, settings) as client:
            with halted(own_index):
                job = sent(client, {"note.txt": NOTE})
                refused = client.post("/v1/documents", files={"files": ("more.txt", NOTE + NOTE)})
                problem(refused, 503, "busy")
                assert int(refused.headers["retry-after"]) > 0
                assert len(incoming(own_index)) == 1
            done(client, job)
            assert done(client, sent(client, {"more.txt": NOTE + NOTE}))["files"][0]["status"] in ("added", "same")


def test_what_cannot_be_written_is_refused_and_nothing_is_half_stored(own_index: Path) -> None:
    (own_index / INCOMING).write_text("in the way", encoding="utf-8")
    with client_of(own_index) as client:
        problem(client.post("/v1/documents", files={"files": ("note.txt", NOTE)}), 503, "not-writable")
        assert client.get("/v1/jobs").json()["jobs"] == []
        (own_index / INCOMING).unlink()
        assert done(client, sent(client, {"note.txt": NOTE}))["files"][0]["status"] == "added"


def test_a_commit_that_fails_is_tried_again_until_it_succeeds(own_index: Path) -> None:
    (own_index / "uploads").write_text("in the way", encoding="utf-8")
    with Backend(own_index) as backend:
        job = backend.receive([("note.txt", NOTE)])
        with pytest.raises(NotWritable, match="received and wait"):
            backend.finished(job)
        assert [path.read_bytes() for path in incoming(own_index)] == [NOTE]
        assert backend.index.engine.record("uploads/note.txt") is None
        (own_index / "uploads").unlink()
        assert backend.finished(job)[0].status == "added"
    with Index.open(own_index) as index:
        assert not index.check().faults


def test_a_process_that_keeps_dying_is_not_started_for_ever(own_index: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[int] = []
    real = ingestion.Ingestion._start_process

    def counted(self: ingestion.Ingestion) -> None:
        started.append(1)
        real(self)

    with monkeypatch.context() as patched, Backend(own_index) as backend:
        patched.setattr(ingestion, "_START", "raise SystemExit('{} {} {}'[:0] or 3)")
        patched.setattr(ingestion.Ingestion, "_start_process", counted)
        job = backend.receive([("note.txt", NOTE)])
        with pytest.raises(NotWritable):
            backend.finished(job)
        assert len(started) == ingestion.MOST_DEATHS + 1
    with Backend(own_index) as backend:
        assert backend.finished(job)[0].status == "added"


def test_the_reading_process_may_be_killed_at_any_moment(own_index: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ingestion, "MOST_DEATHS", 10**6)
    chance = random.Random(17)
    texts = {f"deed-{at}.txt": f"DEED {at}\n\nThe grantor conveys plot {at}.\n".encode() for at in range(60)}
    with Backend(own_index, Settings(upload_files=100)) as backend:
        jobs = [backend.receive(list(texts.items())[at : at + 20]) for at in range(0, 60, 20)]
        for _ in range(8):
            process = backend.ingestion._process
            if process is not None:
                process.kill()
            time.sleep(chance.uniform(0.5, 3.0))
        outcomes = [outcome for job in jobs for outcome in backend.finished(job)]
        assert {outcome.name for outcome in outcomes} == set(texts)
        assert {outcome.status for outcome in outcomes} <= {"added", "same"}
        for name, data in texts.items():
            assert backend.loaded(f"uploads/{name}").document.text == data.decode()
    assert {path.name for path in (own_index / "uploads").iterdir() if path.name[0] != "."} == set(texts)
    assert not incoming(own_index)
    with Index.open(own_index) as index:
        assert not index.check().faults


def test_jobs_survive_a_server_that_is_killed(own_index: Path, started: Callable[..., Server]) -> None:
    server = started(own_index)
    texts = {f"deed-{at}.txt": f"DEED {at}\n\nThe grantor conveys plot {at}.\n".encode() for at in range(30)}
    jobs = [sent(httpx, {name: data}, server.address, timeout=PATIENCE) for name, data in texts.items()]
    children = children_of(server.process.pid)
    assert children
    os.kill(server.process.pid, signal.SIGKILL)
    server.process.wait()
    wait_until(lambda: not any(map(is_running, children)))
    with Index.open(own_index) as index:
        assert not index.check().faults  # what waits is no fault
    again = started(own_index)
    for job in jobs:
        (file,) = done(httpx, job, again.address, timeout=PATIENCE)["files"]
        assert file["status"] in ("added", "same")
        found = httpx.get(f"{again.address}/v1/documents/{file['documents'][0]}/text", timeout=PATIENCE).json()["text"]
        assert found == texts[file["name"]].decode()
    listed = httpx.get(f"{again.address}/v1/documents?limit=1000", timeout=PATIENCE).json()["documents"]
    uploaded = [entry["document"] for entry in listed if entry["document"].startswith("uploads/")]
    assert sorted(uploaded) == sorted(f"uploads/{name}" for name in texts)
    assert not incoming(own_index)


def test_two_servers_of_one_index_read_a_file_once(own_index: Path) -> None:
    with Backend(own_index) as first, Backend(own_index) as second:
        assert first.add([("a.txt", OLD)])[0].status == "added"
        assert second.add([("b.txt", NEW)])[0].status == "added"  # by the process of the first
        assert {"uploads/a.txt", "uploads/b.txt"} <= {entry.id for entry in second.documents()}


def test_a_backup_takes_along_what_waits(own_index: Path, tmp_path: Path) -> None:
    with Backend(own_index) as backend:
        with halted(own_index):
            job = backend.receive([("note.txt", NOTE)])
            backend.writer.submit(lambda index: index.backup(tmp_path / "backup")).result()
        backend.finished(job)
    with Index.restore(tmp_path / "backup", tmp_path / "again.pincite") as again:
        assert not again.check().faults
    with Backend(tmp_path / "again.pincite") as backend:
        assert backend.finished(job)[0].status == "added"


def waiting_job(index: Index, text: bytes = NOTE) -> Job:
    """A job as a server leaves it that is killed after the upload was acknowledged."""
    job = Job.new("mira", [JobFile("note.txt", len(text), "0" * 64)])
    index.engine.originals.write(index_jobs.waiting_name(job, 0), text)
    put_job(index.engine, job)
    return job


def test_a_check_knows_what_waits_and_repairs_what_was_left(own_index: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Index.open(own_index) as index:
        job = waiting_job(index)
        left = own_index / INCOMING / "left"
        index.engine.originals.write(f"{INCOMING}/left/0/note.txt", NOTE)
        assert not index.check().faults  # an upload that is being received
        monkeypatch.setattr(index_jobs, "ABANDONED_SECONDS", -1.0)
        assert [fault.partition(":")[0] for fault in index.check().faults] == ["incoming/left/0/note.txt"]
        assert not index.check(repair=True).faults
        assert not left.exists()
        assert len(incoming(own_index)) == 1
        shutil.rmtree(own_index / INCOMING / job.id)
        assert "is gone; send it again" in index.check().faults[0]
        assert not index.check(repair=True).faults
        repaired = stored_job(index.engine, job.id)
        assert repaired
        assert repaired.is_done


def test_a_purge_leaves_no_trace_of_an_upload(own_index: Path) -> None:
    with Index.open(own_index) as index:
        index.add_text("uploads/note.txt", NOTE.decode(), vectors="none")
        job = waiting_job(index)
        put_job(index.engine, job.with_results({0: FileResult("added", ("uploads/note.txt",))}))  # and then killed
        assert index.remove("uploads/note.txt", purge=True) == 1
        assert stored_job(index.engine, job.id) is None
    assert not incoming(own_index)
    for path in own_index.rglob("*"):
        assert not path.is_file() or b"harbour master" not in path.read_bytes()


def test_done_jobs_are_forgotten_after_some_days_or_when_they_are_many(own_index: Path) -> None:
    def job(at: int, ended: str) -> Job:
        return Job(f"{at:03d}", "mira", (JobFile("a.txt", 1, "", FileResult("added")),), created=ended, ended=ended)

    with Index.open(own_index) as index:
        put_job(index.engine, Job("000", "mira", (JobFile("a.txt", 1, ""),)))
        for at in range(1, 5):
            put_job(index.engine, job(at, "2001-01-01T00:00:00.000+00:00" if at == 1 else index_jobs.now()))
        forget_old_jobs(index.engine, most=2, days=7)
        assert [found.id for found in every_job(index.engine)] == ["000", "003", "004"]


def test_the_page_shows_how_an_upload_is_read(own_index: Path) -> None:
    with client_of(own_index) as client:
        with halted(own_index):
            page = client.get("/documents")
            files = [("files", ("note.txt", NOTE)), ("files", ("<b>.txt", OLD))]
            shown = client.post("/documents/add", data={"token": token(page)}, files=files)
            assert shown.url.path.startswith("/jobs/")
            assert "0 of 2 files read" in shown.text
            assert 'http-equiv="refresh"' in shown.text
            assert "1 upload is being read" in client.get("/documents").text
            assert client.post(f"{shown.url.path}/cancel", data={"token": "0"}).status_code == 403
        job = {"id": shown.url.path.rpartition("/")[2]}
        done(client, job)
        shown = client.get(shown.url.path)
        assert "refresh" not in shown.text
        assert "2 of 2 files read" in shown.text
        assert 'href="/documents/uploads/note.txt"' in shown.text
        assert "<b>" not in shown.text
        assert "2 of 2 files read" in client.get("/jobs").text
        cancelled = client.post(f"/jobs/{job['id']}/cancel", data={"token": token(shown)})
        assert "note.txt</strong>: added" in cancelled.text
