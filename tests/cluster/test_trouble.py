"""Trouble with a cluster is said clearly, and nothing is lost: TLS, credentials, a full disk, lost shards, documents that
are too large, clocks that do not agree, a cluster that cannot search vectors."""

import logging
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest

from pincite import Index
from pincite.engine.contract import EVERYTHING
from pincite.errors import DataError, EngineUnavailable, OutputError
from pincite.index.jobs import Job, JobFile, put_job, stored_job, waiting_name
from pincite.index.opensearch import OpenSearchEngine
from pincite.index.opensearch.cluster import Cluster
from pincite.index.opensearch.location import AUTHORITY, CREDENTIALS, PASSWORD, USER, ClusterLocation
from pincite.index.opensearch.mappings import BLOBS, DOCUMENTS, META, UNITS, index_body, index_name
from tests.cluster.proxy import authority, certificate, proxy
from tests.cluster.test_collection import LEASE, NDA
from tests.cluster.test_engine import CLUSTER

pytestmark = pytest.mark.cluster

ASKED = "May the tenant keep pets?"
HERE = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pincite.index.opensearch.cluster.LATEST", 0.05)
    monkeypatch.setattr("pincite.index.opensearch.cluster.SOONEST", 0.05)
    monkeypatch.setattr("pincite.index.opensearch.cluster.WRITE_SECONDS", 1)
    monkeypatch.setattr("pincite.index.opensearch.cluster.PATIENCE", 3.0)


@pytest.fixture
def name() -> Iterator[str]:
    name = f"test-{uuid4().hex[:12]}"
    yield name
    OpenSearchEngine.drop(f"{CLUSTER}/{name}")


@pytest.fixture
def index(name: str) -> Iterator[Index]:
    with Index.create(f"{CLUSTER}/{name}?replicas=0") as made:
        made.add_text("quay", LEASE, vectors="none")
        yield made


def node() -> str:
    """host:port of a node."""
    host, port = ClusterLocation.of(f"{CLUSTER}/any").hosts[0]
    return f"{host}:{port}"


def answer(index: Index) -> list[str]:
    return [hit.text for hit in index.search(ASKED, k=1, fast=True)]


PETS = ["The tenant shall not keep pets."]


def cluster_of(index: Index) -> Cluster:
    assert isinstance(index.engine, OpenSearchEngine)
    return index.engine.cluster


def location_of(index: Index) -> ClusterLocation:
    return cluster_of(index).location


# TLS and credentials


def test_a_cluster_is_trusted_by_its_authority_alone(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trusted, issuer, key = authority(tmp_path, "ours")
    other, _, _ = authority(tmp_path, "theirs")
    fitting = certificate(tmp_path, issuer, key, "127.0.0.1")
    monkeypatch.setenv(AUTHORITY, str(trusted))
    with proxy(node(), fitting) as port:
        with Index.create(f"opensearchs://127.0.0.1:{port}/{name}?replicas=0") as index:
            index.add_text("quay", LEASE, vectors="none")
            assert answer(index) == PETS
        with pytest.raises(EngineUnavailable, match="opensearchs:// if it speaks TLS"):
            Index.open(f"opensearch://127.0.0.1:{port}/{name}")
        monkeypatch.setenv(AUTHORITY, str(other))
        with pytest.raises(DataError, match=rf"certificate is not trusted .*{AUTHORITY}"):
            Index.open(f"opensearchs://127.0.0.1:{port}/{name}")
        monkeypatch.delenv(AUTHORITY)
        with pytest.raises(DataError, match="certificate is not trusted"):
            Index.open(f"opensearchs://127.0.0.1:{port}/{name}")


def test_a_certificate_for_another_host_is_refused(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    trusted, issuer, key = authority(tmp_path, "ours")
    elsewhere = certificate(tmp_path, issuer, key, "10.9.8.7")
    monkeypatch.setenv(AUTHORITY, str(trusted))
    with proxy(node(), elsewhere) as port, pytest.raises(DataError, match="certificate is not trusted"):
        Index.create(f"opensearchs://127.0.0.1:{port}/{name}?replicas=0")
    Index.create(f"{CLUSTER}/{name}?replicas=0").close()  # nothing was made before


def test_a_cluster_without_tls_is_said(name: str) -> None:
    OpenSearchEngine.create(f"{CLUSTER}/{name}?replicas=0")
    with pytest.raises(DataError, match="does not speak TLS there; write opensearch://"):
        Index.open(f"opensearchs://{node()}/{name}")


def test_credentials_are_sent_and_never_said(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    OpenSearchEngine.create(f"{CLUSTER}/{name}?replicas=0")
    with proxy(node(), credentials=("mira", "sesame-7491")) as port:
        address = f"opensearch://127.0.0.1:{port}/{name}"
        for user, password in ((None, None), ("mira", "wrong-5523"), ("otto", "sesame-7491")):
            for variable, value in ((USER, user), (PASSWORD, password)):
                monkeypatch.delenv(variable, raising=False) if value is None else monkeypatch.setenv(variable, value)
            for refused in (Index.open, Index.create, Index.exists):
                with pytest.raises(DataError, match="refuses these credentials; check user, password and role") as said:
                    refused(address)
                assert "7491" not in str(said.value)
                assert "5523" not in str(said.value)
        monkeypatch.delenv(USER)
        monkeypatch.delenv(PASSWORD)
        file = tmp_path / "credentials"
        file.write_text("mira:sesame-7491\n")
        monkeypatch.setenv(CREDENTIALS, str(file))
        with Index.open(address) as index:
            index.add_text("quay", LEASE, vectors="none")
            assert answer(index) == PETS
    assert "7491" not in caplog.text
    assert "5523" not in caplog.text


# A full disk


def block(index: Index, which: str = "*", *, blocked: bool) -> None:
    """What a cluster does to the indices of a node whose disk is full, and undoes when there is space again."""
    settings = {"index.blocks.read_only_allow_delete": "true" if blocked else None}
    cluster_of(index).request("PUT", f"/{index_name(location_of(index).name, which)}/_settings", settings)


def test_a_full_disk_is_said_and_work_goes_on_when_there_is_space(index: Index) -> None:
    index.add_text("nda", NDA, vectors="none")
    block(index, blocked=True)
    started = time.monotonic()
    for change in (
        lambda: index.add_text("deed", "DEED\n\nThe fee is due at once.", vectors="none"),
        lambda: index.remove("nda"),
        lambda: index.engine.originals.write("uploads/a.txt", b"as it was given"),
        lambda: index.engine.put_record("note", "1", "as it was"),
    ):
        with pytest.raises(OutputError, match="disk is probably full: free space, then try again"):
            change()
    assert time.monotonic() - started < 10
    assert answer(index) == PETS
    assert [record.id for record in index.every_document()] == ["quay", "nda"]
    block(index, blocked=False)
    index.add_text("deed", "DEED\n\nThe fee is due at once.", vectors="none")
    assert [record.id for record in index.every_document()] == ["quay", "nda", "deed"]
    assert not index.check().faults


def test_a_disk_that_fills_up_within_a_change_leaves_nothing(index: Index) -> None:
    """The state can be written, the rows cannot."""
    block(index, UNITS, blocked=True)
    with pytest.raises(OutputError, match="disk is probably full"):
        index.add_text("nda", NDA, vectors="none")
    assert [record.id for record in index.every_document()] == ["quay"]
    block(index, UNITS, blocked=False)
    index.add_text("nda", NDA, vectors="none")
    assert [record.id for record in index.every_document()] == ["quay", "nda"]
    assert not index.check().faults


def test_files_wait_for_a_worker_while_the_disk_is_full(index: Index, tmp_path: Path) -> None:
    data = NDA.encode()
    job = Job.new("test", [JobFile("nda.txt", len(data), "", stored="nda.txt")])
    index.engine.originals.write(waiting_name(job, 0), data)
    put_job(index.engine, job)
    block(index, blocked=True)
    command = [sys.executable, "-m", "pincite", "worker", "--index", str(index.location)]
    with (tmp_path / "log").open("w") as log:
        worker = subprocess.Popen(command, stderr=log, env={**os.environ, "OMP_NUM_THREADS": "1"})
    try:
        ends = time.monotonic() + 60
        while "disk is probably full" not in (tmp_path / "log").read_text() and time.monotonic() < ends:
            time.sleep(0.2)
        assert "disk is probably full" in (tmp_path / "log").read_text()
        assert worker.poll() is None
        waiting = stored_job(index.engine, job.id)
        assert waiting is not None
        assert not waiting.is_done
        block(index, blocked=False)
        while not (waiting := stored_job(index.engine, job.id)) or not waiting.is_done:
            assert time.monotonic() < ends + 60
            time.sleep(0.2)
        assert [file.result.status for file in waiting.files if file.result] == ["added"]
        assert "uploads/nda.txt" in [record.id for record in index.every_document()]
    finally:
        worker.kill()
        worker.wait()


# A lost shard


def lost_index(index: Index, which: str) -> tuple[str, str, str]:
    """The alias of an index, the index, and one whose shard no node may hold."""
    alias = index_name(location_of(index).name, which)
    return alias, f"{alias}-1", f"{alias}-lost"


def lose(index: Index, which: str) -> None:
    """The alias points to an index whose shard is on no node."""
    alias, there, lost = lost_index(index, which)
    body = index_body(location_of(index), which)
    body["settings"]["index"]["routing.allocation.require._name"] = "nowhere"
    body["aliases"] = {}
    cluster_of(index).request("PUT", f"/{lost}", body, wait_for_active_shards="0")
    swap(index, alias, there, lost)


def bring_back(index: Index, which: str) -> None:
    alias, there, lost = lost_index(index, which)
    swap(index, alias, lost, there)
    cluster_of(index).request("DELETE", f"/{lost}")


def swap(index: Index, alias: str, old: str, new: str) -> None:
    actions = [{"remove": {"index": old, "alias": alias}}, {"add": {"index": new, "alias": alias}}]
    cluster_of(index).request("POST", "/_aliases", {"actions": actions})


@pytest.mark.parametrize("which", [UNITS, DOCUMENTS, BLOBS, META])
def test_a_lost_shard_gives_an_error_and_no_shorter_answer(index: Index, which: str) -> None:
    index.add_text("nda", NDA, vectors="none")
    fresh = Index.open(index.location, read_only=True)  # it keeps nothing at hand
    lose(index, which)
    with pytest.raises(EngineUnavailable, match=r"lost nodes|did not answer"):
        fresh.search(ASKED, k=3, fast=True)
    with pytest.raises(EngineUnavailable, match=r"lost nodes|did not answer|too busy"):
        index.add_text("deed", "DEED\n\nThe fee is due at once.", vectors="none")
    faults = fresh.check().faults
    assert len(faults) == 1
    assert f"-{which}-lost is lost: no node has a copy" in faults[0]
    bring_back(index, which)
    assert [hit.text for hit in fresh.search(ASKED, k=1, fast=True)] == PETS
    assert [record.id for record in fresh.every_document()] == ["quay", "nda"]
    assert not fresh.check().faults
    index.add_text("deed", "DEED\n\nThe fee is due at once.", vectors="none")
    assert [record.id for record in fresh.every_document()] == ["quay", "nda", "deed"]
    fresh.close()


# Large documents


def test_a_document_that_no_request_can_hold_is_refused(index: Index) -> None:
    with pytest.raises(DataError, match="larger than the cluster takes in one request"):
        index.add_text("big", NDA, metadata={"note": "x" * 110_000_000}, vectors="none")
    assert [record.id for record in index.every_document()] == ["quay"]
    index.add_text("nda", NDA, vectors="none")
    assert not index.check().faults


def test_writes_are_cut_to_what_the_cluster_takes(name: str) -> None:
    OpenSearchEngine.create(f"{CLUSTER}/{name}?replicas=0")
    text = "\n\n".join(f"{number}. The fee of schedule {number} is due at once." for number in range(1, 800))
    with proxy(node(), most_bytes=60_000) as port, Index.open(f"opensearch://127.0.0.1:{port}/{name}") as index:
        index.add_text("schedules", text, vectors="none")
        assert index.document("schedules").text == text
        assert not index.check().faults


# Clocks


@pytest.mark.parametrize("ahead", [-7200, 7200])
def test_clocks_that_do_not_agree_lose_nothing(index: Index, monkeypatch: pytest.MonkeyPatch, ahead: int) -> None:
    """The writer's clock is two hours off: neither rows that a search looks at nor files that are being received go."""
    engine = index.engine
    with engine.view() as before:
        with monkeypatch.context() as elsewhere:
            wrong = time.time() + ahead
            elsewhere.setattr(time, "time", lambda: wrong)
            elsewhere.setattr("pincite.index.opensearch.originals.time", lambda: wrong)
            index.remove("quay")
            engine.originals.write("incoming/job/0/a.txt", b"being received")
            assert abs(engine.originals.files("incoming")[0].modified - wrong) < 60
        engine.tidy()
        engine.originals.clean()
        assert abs(engine.originals.files("incoming")[0].modified - time.time()) < 60
        assert before.statistics.documents == 1
        loaded = before.load([before.likely(["pet"], 1.2, 0.75, 10, EVERYTHING)[0].key])
        assert loaded[0].document.text == LEASE
        with engine.originals.at_hand("incoming/job/0/a.txt") as path:
            assert path is not None


# No vectors


def test_a_cluster_without_k_nn_is_said() -> None:
    server = Path(os.environ.get("PINCITE_CLUSTER_FOLDER", HERE / "build" / "cluster"))
    if not (server / ".fetched").is_file():
        pytest.skip("the server's files are not at hand: cluster/run fetches them")
    folder = Path(tempfile.mkdtemp(prefix="pincite-cluster-"))
    folder.chmod(0o755)
    for part in ("lib", "knn", ".fetched"):
        (folder / part).symlink_to(server / part)
    shape = {"PINCITE_CLUSTER_FOLDER": str(folder), "PINCITE_CLUSTER_PORT": "19290", "PINCITE_CLUSTER_NODES": "1"}
    run = [str(HERE / "cluster" / "run")]
    environment = {**os.environ, **shape, "PINCITE_CLUSTER_WITHOUT": "KNNPlugin"}
    try:
        subprocess.run([*run, "up"], env=environment, check=True)
        with pytest.raises(DataError, match="lacks the plug-in k-NN"):
            Index.create("opensearch://127.0.0.1:19290/contracts")
    finally:
        subprocess.run([*run, "down"], env=environment, check=True)
        shutil.rmtree(folder, ignore_errors=True)
