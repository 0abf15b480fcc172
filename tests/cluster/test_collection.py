"""What people do with a collection on a cluster: the front door, backups, keys, the audit log, files and wrong addresses."""

import json
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest

from pincite import Index
from pincite.errors import DataError, EngineUnavailable, PinciteError, UsageError
from pincite.index.opensearch import OpenSearchEngine
from pincite.index.opensearch.mappings import DOCUMENTS, index_body
from pincite.serve.audit import Audit, audit_lines
from pincite.serve.shared_auth import auth_of, created_auth
from pincite.testing.engine_suite import vectors_of
from tests.cluster.test_engine import CLUSTER

pytestmark = pytest.mark.cluster

LEASE = "LEASE OF THE QUAY\n\nThe rent is due monthly. The tenant shall not keep pets."
NDA = "NON-DISCLOSURE AGREEMENT\n\nThe Recipient may keep one copy. This Agreement is governed by the laws of Texas."


@pytest.fixture
def address() -> Iterator[str]:
    address = f"{CLUSTER}/test-{uuid4().hex[:12]}"
    yield f"{address}?replicas=0"
    OpenSearchEngine.drop(address)


@pytest.fixture
def index(address: str) -> Iterator[Index]:
    with Index.create(address) as made:
        yield made


def test_the_front_door_is_the_same(index: Index) -> None:
    index.add_text("quay", LEASE, metadata={"matter": "north"})
    index.add_text("nda", NDA)
    hit = index.search("May the tenant keep pets?", k=1)[0]
    assert (hit.document.id, hit.text) == ("quay", "The tenant shall not keep pets.")
    assert index.document("quay").text[hit.start : hit.end] == hit.text
    assert "encoder" in hit.parts or "rerank" in hit.parts
    assert [record.id for record in index.every_document()] == ["quay", "nda"]
    assert not index.check().faults
    assert index.remove("quay") == 1
    assert "quay" not in [hit.document.id for hit in index.search("May the tenant keep pets?")]


def test_a_backup_can_be_restored_on_a_cluster(index: Index, tmp_path: Path) -> None:
    index.add_text("quay", LEASE)
    index.add_text("nda", NDA)
    index.remove("nda")
    index.engine.originals.write("uploads/a.txt", b"as it was given")
    index.engine.put_record("note", "1", "as it was")
    asked = "May the tenant keep pets?"
    before = [(hit.document.id, hit.start, hit.end, round(hit.score, 6)) for hit in index.search(asked)]
    made = index.backup(tmp_path / "backup")
    assert made.files > 5
    restored = f"{CLUSTER}/test-{uuid4().hex[:12]}"
    try:
        with Index.restore(tmp_path / "backup", f"{restored}?replicas=0") as again:
            assert [(hit.document.id, hit.start, hit.end, round(hit.score, 6)) for hit in again.search(asked)] == before
            assert again.engine.originals.digest("uploads/a.txt") == index.engine.originals.digest("uploads/a.txt")
            assert again.engine.stored_record("note", "1") == index.engine.stored_record("note", "1")
            assert not again.check().faults
            with pytest.raises(DataError, match="there is an index already"):
                Index.restore(tmp_path / "backup", restored)
    finally:
        OpenSearchEngine.drop(restored)
    with pytest.raises(DataError, match="restore it to opensearch://"):
        Index.restore(tmp_path / "backup", tmp_path / "folder.pincite")
    damaged = next((tmp_path / "backup").glob("units*"))
    damaged.write_bytes(damaged.read_bytes()[:-3])
    with pytest.raises(DataError, match="not as it was written"):
        Index.restore(tmp_path / "backup", f"{CLUSTER}/test-damaged")


def test_files_of_any_size_come_back_as_they_were(index: Index) -> None:
    originals = index.engine.originals
    large = bytes(range(256)) * 40_000
    for name, data in (("uploads/big.bin", large), ("uploads/empty.txt", b""), ("incoming/j/0/a.txt", b"new")):
        originals.write(name, data)
        with originals.at_hand(name) as path:
            assert path is not None
            assert path.read_bytes() == data
            assert path.name == name.rsplit("/", 1)[1]
    with originals.naming({"incoming/j/0/a.txt": "uploads/big.bin"}):
        pass
    originals.delete(["incoming/j/0/a.txt", "uploads/none.txt"])
    assert [file.name for file in originals.files("uploads")] == ["uploads/big.bin", "uploads/empty.txt"]
    with originals.at_hand("uploads/big.bin") as path:
        assert path is not None
        assert path.read_bytes() == b"new"
    with originals.at_hand("incoming/j/0/a.txt") as path:
        assert path is None
    with pytest.raises(RuntimeError), originals.naming({"uploads/big.bin": "uploads/never.txt"}):
        raise RuntimeError
    assert originals.digest("uploads/never.txt") is None


def test_vectors_have_the_shards_and_replicas_of_the_collection(address: str) -> None:
    Index.create(f"{address}&shards=2").close()
    with Index.open(address.partition("?")[0]) as index:
        index.add_text("quay", LEASE, vectors="none")
        assert isinstance(index.engine, OpenSearchEngine)
        index.engine.put_vectors(vectors_of(index.engine))
        found = index.engine.cluster.request(
            "GET", f"/{index.engine.index('vectors-*')}/_settings", flat_settings="true"
        )
        (settings,) = (one["settings"] for one in found.values())
        assert settings["index.number_of_shards"] == "2"
        assert settings["index.number_of_replicas"] == "0"


def test_words_of_texts_are_known_as_they_are_spelt(index: Index) -> None:
    clause = "The retainage is withheld until the works are complete. "
    index.add_text(
        "works", "WORKS AGREEMENT\n\n" + "The parties agree on nothing else. " * 400 + clause * 12, vectors="none"
    )
    answer = index.search("when is the retianage paid?", fast=True)
    assert answer.understood.corrections
    assert "retainage" in answer[0].text


def test_a_collection_of_an_earlier_version_learns_spellings_when_it_is_written_to(index: Index) -> None:
    """It has no field for them yet, and its documents have none."""
    engine = index.engine
    assert isinstance(engine, OpenSearchEngine)
    body = index_body(engine.address, DOCUMENTS)
    del body["mappings"]["properties"]["spelt"]
    engine.cluster.request("DELETE", f"/{engine.index(DOCUMENTS)}-1")
    engine.cluster.request("PUT", f"/{engine.index(DOCUMENTS)}-1", body)
    with engine.view() as view:
        assert view.similar_words(["retianage"]) == {}
    text = "WORKS AGREEMENT\n\n" + "The parties agree on nothing else. " * 400 + "The retainage is withheld. " * 12
    index.add_text("works", text, vectors="none")
    with engine.view() as view:
        assert view.similar_words(["retianage"]) == {"retianage": "retainage"}


def test_all_servers_know_the_same_keys_and_write_one_log(index: Index, address: str) -> None:
    with pytest.raises(DataError, match="holds no keys"):
        auth_of(address)
    key = created_auth(address).add_key("robot", "write")
    one, other = auth_of(address), auth_of(address)
    assert one.key(key) == other.key(key) is not None
    created_auth(address).revoke(next(iter(one.keys)))
    one._read_at = other._read_at = 0.0  # half a second later
    assert one.key(key) is None
    assert other.key(key) is None
    for audit in (Audit(address), Audit(address)):
        audit("mira", "search", "contracts", query="pets")
        audit.close()
    assert [json.loads(line)["who"] for line in audit_lines(index)] == ["mira", "mira"]


@pytest.mark.parametrize(
    ("address", "error", "said"),
    [
        ("opensearch://127.0.0.1:1/contracts", EngineUnavailable, "does not answer"),
        ("opensearch://me:secret@127.0.0.1:1/contracts", UsageError, "credentials do not belong into an address"),
        ("opensearch://127.0.0.1:1/Contracts", UsageError, "is no name of a collection"),
        ("opensearch://127.0.0.1:port/contracts", UsageError, "is no address of a cluster"),
        ("opensearch://127.0.0.1:1/contracts?shard=2", UsageError, "is no part of an address"),
        ("{cluster}/not-there", DataError, "no such index"),
    ],
)
def test_a_wrong_address_is_said(
    address: str, error: type[PinciteError], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pincite.index.opensearch.cluster.LATEST", 0.01)
    monkeypatch.setattr("pincite.index.opensearch.cluster.SOONEST", 0.01)
    with pytest.raises(error, match=said) as raised:
        Index.open(address.format(cluster=CLUSTER))
    assert "secret" not in str(raised.value)
