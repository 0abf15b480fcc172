"""Matters: documents outside those that a caller was granted do not exist, in no answer, count, error or suggestion."""

import io
import json
import random
import shutil
import zipfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from pincite.errors import UsageError
from pincite.index import Index
from pincite.index.embedded.database import DATABASE
from pincite.index.uploads import upload_faults
from pincite.serve.auth import Auth, Grant, Who
from tests.conftest import SAMPLES
from tests.serve.conftest import LEASE, client_of, problem

CONTRACTS = sorted((SAMPLES / "corpus" / "contracts").glob("*.txt"))
QUESTIONS = (
    "Under the Garnet Quay lease, may the tenant underlet the premises?",
    "may copies be kept under the Tamarisk NDA?",
    "Which agreements are governed by the laws of Delaware?",
    "who bears the cost of a product recall",
    "tennant insurrance premisses",
    "definition of Confidential Information",
    "Section 7.2",
    "the Caldera supply agreement",
    "who are the parties to the Marlowe services agreement?",
    "when was the Halden employment agreement signed?",
    '"thirty days" notice -employee',
    "zebra quagga okapi",
)


def misleading(folder: Path) -> None:
    """Documents that would change answers if anything of them were counted: another lease of Garnet Quay under a second
    name, words that are nearly those of typing errors, and a paper that claims a matter of its own."""
    (folder / "contracts" / "lease-garnet-quay-copy.txt").write_bytes(
        (SAMPLES.parent / SAMPLES / "corpus").joinpath("contracts", "lease-14-garnet-quay-2019.txt").read_bytes()
    )
    near = " ".join(f"tennan{letter} insurranc{letter} premisse{letter}" for letter in "abcdefghijklmnopqrstuvwxyz")
    (folder / "contracts" / "tennant-tamarisk-zebra.txt").write_text(
        f"TENNANT TAMARISK ZEBRA AGREEMENT\n\n{near}\n\nThe quagga and the okapi bear the cost of a product recall.\n"
    )
    (folder / "contracts" / "claim.md").write_text("---\ntitle: Claim\nmatter: seen\n---\n\nThe zebra pays the rent.\n")


def with_vectors(folder: Path, files: Path, matters: dict[str, str]) -> Path:
    Index.create(folder).close()
    with Index.open(folder, model_threads=1) as index:
        index.add(files, name="corpus", metadata=None)
        for record in list(index):
            index.set(record.id, matter=matters[record.id.rsplit("/", 1)[-1]])
    return folder


@pytest.fixture(scope="module", params=[1, 2])
def walled(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[TestClient, TestClient]]:
    """Two clients: one of an index of everything with a key for one matter, one of an index of that matter alone."""
    base = tmp_path_factory.mktemp("walled")
    chance = random.Random(request.param)
    everything, alone = base / "everything", base / "alone"
    for folder in (everything, alone):
        (folder / "contracts").mkdir(parents=True)
    shown = set(chance.sample([path.name for path in CONTRACTS if path.name not in LEASE], 6)) | {Path(LEASE).name}
    for path in CONTRACTS:
        shutil.copy(path, everything / "contracts")
        if path.name in shown:
            shutil.copy(path, alone / "contracts")
    misleading(everything)
    names = [path.name for path in everything.rglob("*.*")]
    matters = {name: "seen" if name in shown else chance.choice(["north", "south"]) for name in names}
    with_vectors(base / "everything.pincite" / "deals.pincite", everything, matters)
    with_vectors(base / "alone.pincite" / "deals.pincite", alone, matters)
    auth = Auth.create(base / "keys.json")
    key = auth.add_key("team", "read", matters=["seen"])
    with ExitStack() as stack:
        one = stack.enter_context(client_of(base / "everything.pincite" / "deals.pincite", auth=auth))
        other = stack.enter_context(client_of(base / "alone.pincite" / "deals.pincite"))
        one.headers["authorization"] = f"Bearer {key}"
        yield one, other


def same(one: TestClient, other: TestClient, method: str, path: str, body: Any = None) -> Any:
    """The answer that both give, but for when documents were added and which request it was."""
    shapes = []
    for client in (one, other):
        answer = client.request(method, path, json=body)
        shape = without_times(answer.json())
        shapes.append((answer.status_code, shape))
    assert is_same(shapes[0], shapes[1]), shapes
    return shapes[0][1]


def is_same(one: Any, other: Any) -> bool:
    """Whether two shapes are equal. The two indexes were embedded in other batches, which moves cosines by 1e-6."""
    if isinstance(one, dict):
        return isinstance(other, dict) and one.keys() == other.keys() and all(is_same(one[k], other[k]) for k in one)
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(map(is_same, one, other))
    return bool(one == other or (isinstance(one, float) and one == pytest.approx(other, abs=2e-5)))


def without_times(shape: Any) -> Any:
    if isinstance(shape, list):
        return [without_times(entry) for entry in shape]
    if isinstance(shape, dict):
        dropped = ("added", "etag", "instance", "generation", "request_id", "right")
        return {key: without_times(value) for key, value in shape.items() if key not in dropped}
    return shape


@pytest.mark.parametrize(
    ("question", "fast"), [*((question, True) for question in QUESTIONS), *((one, False) for one in QUESTIONS[:5:2])]
)
def test_answers_are_those_of_an_index_of_the_visible_documents(
    walled: tuple[TestClient, TestClient], question: str, fast: bool
) -> None:
    found = same(*walled, "POST", "/v1/search", {"query": question, "k": 10, "fast": fast, "explain": True})
    assert {"hits", "notes", "understood"} <= found.keys()


def test_lists_counts_comparisons_and_errors_too(walled: tuple[TestClient, TestClient]) -> None:
    listed = same(*walled, "GET", "/v1/documents")["documents"]
    first = walled[0].get("/v1/documents?limit=3").json()
    rest = walled[0].get(f"/v1/documents?cursor={first['next']}").json()
    assert without_times([*first["documents"], *rest["documents"]]) == listed
    assert (len(listed), first["next"], rest["next"]) == (7, "3", None)
    assert same(*walled, "GET", "/v1/collections")["collections"][0]["documents"] == 7
    rows = same(*walled, "POST", "/v1/compare", {"query": "May copies be kept?"})["rows"]
    assert len(rows) == 7
    same(*walled, "GET", "/v1/unread")
    same(*walled, "GET", "/v1/facets")
    same(*walled, "GET", "/v1/facets?key=duplicate_of")
    like = same(*walled, "POST", "/v1/cases/like", {"document": LEASE, "later": True})
    assert like["compared"] == 6
    same(*walled, "POST", "/v1/cases/like", {"document": "claim.md"})
    for name in ("contracts/tennant-tamarisk-zebra.txt", "corpus/contracts/claim.md", "nowhere"):
        same(*walled, "GET", f"/v1/documents/{name}")
        same(*walled, "GET", f"/v1/documents/{name}/text")
        same(*walled, "GET", f"/v1/documents/{name}/passage?start=0&end=1")
        body = {"query": "rent", "filters": {"documents": [name.rsplit("/", 1)[-1]]}}
        same(*walled, "POST", "/v1/search", body)
    for filters in (
        {"metadata": {"duplicate_of": "x"}},
        {"metadata": {"colour": "red"}},
        {"kind": "poem"},
        {"documents": ["corpus"]},
        {"metadata": {"matter": "north"}},
        {"metadata": {"matter": "SEEN"}},
    ):
        same(*walled, "POST", "/v1/search", {"query": "rent", "fast": True, "filters": filters})


def test_the_pages_and_assistants_see_no_more(walled: tuple[TestClient, TestClient]) -> None:
    one, _ = walled
    for path in ("/", "/documents", "/?q=zebra+quagga", "/?q=tennant"):
        page = one.get(path).text
        assert "claim.md" not in page
        assert "tennant-tamarisk-zebra" not in page
    call = {"jsonrpc": "2.0", "id": 1, "method": "resources/list", "params": {}}
    headers = {"accept": "application/json, text/event-stream", "mcp-protocol-version": "2025-06-18"}
    answer = one.post("/mcp", json=call, headers=headers)
    assert answer.status_code == 200
    assert len(answer.json()["result"]["resources"]) == 7
    assert "claim.md" not in answer.text


@contextmanager
def callers(folder: Path, *grants: list[str], scope: str = "write") -> Iterator[list[TestClient]]:
    """A client for each list of grants, of one server."""
    auth = Auth.create(folder.parent / "keys.json")
    with client_of(folder, auth=auth) as client:
        app, made = client.app, []
        for at, granted in enumerate(grants):
            own = TestClient(app, base_url=str(client.base_url), raise_server_exceptions=False)
            own.headers["authorization"] = f"Bearer {auth.add_key(f'caller-{at}', scope, matters=granted)}"
            made.append(own)
        yield made


def upload(client: TestClient, name: str, text: str, **form: str) -> Any:
    files = {"files": (name, text.encode(), "text/plain")}
    return client.post("/v1/documents", files=files, data={"wait": "true", **form})


def test_uploads_belong_to_a_matter_and_names_do_not_collide(own_index: Path) -> None:
    with callers(own_index, ["north"], ["south"], ["north", "south"], ["north:read"]) as (north, south, both, reader):
        mine = upload(north, "lease.txt", "LEASE\n\nThe rent is 100 a month.").json()
        assert mine["files"][0]["documents"] == ["uploads/north/lease.txt"]
        other = upload(south, "lease.txt", "LEASE\n\nThe rent is 900 a month.")
        assert other.status_code == 201
        assert north.get("/v1/documents/uploads/north/lease.txt").json()["matter"] == "north"
        problem(north.get("/v1/documents/uploads/south/lease.txt"), 404, "not-found")
        assert "900" not in north.post("/v1/search", json={"query": "what is the rent?", "fast": True}).text
        problem(upload(both, "deed.txt", "DEED\n\nText."), 422, "invalid")
        assert upload(both, "deed.txt", "DEED\n\nSome text.", matter="south").status_code == 201
        problem(upload(north, "deed.txt", "DEED\n\nText.", matter="south"), 403, "forbidden")
        problem(upload(reader, "deed.txt", "DEED\n\nText.", matter="north"), 403, "forbidden")
        assert both.delete("/v1/documents/uploads/south/deed.txt").status_code == 200
        assert not (own_index / "uploads" / "south" / "deed.txt").exists()
        assert (own_index / "uploads" / "south" / "lease.txt").exists()
    with Index.open(own_index) as index:
        assert upload_faults(index.engine) == []
        (own_index / "uploads" / "south" / "stray.txt").write_text("stray")
        assert len(upload_faults(index.engine)) == 1
        assert upload_faults(index.engine, repair=True) == []


def test_a_document_moves_only_with_rights_on_both_sides(own_index: Path) -> None:
    with callers(own_index, ["north"], ["north", "south"], ["north:read", "south"]) as (north, both, reader):
        upload(north, "lease.txt", "LEASE\n\nThe rent is 100 a month.")
        mine = "/v1/documents/uploads/north/lease.txt"
        move = {"metadata": {"matter": "south"}}
        problem(north.patch(mine, json=move), 403, "forbidden")
        problem(reader.patch(mine, json=move), 403, "forbidden")
        problem(reader.patch(mine, json={"title": "X"}), 403, "forbidden")
        problem(reader.delete(mine), 403, "forbidden")
        problem(both.patch(mine, json={"metadata": {"matter": ""}}), 403, "forbidden")
        assert both.patch(mine, json=move).json()["matter"] == "south"
        problem(north.get(mine), 404, "not-found")
        problem(north.delete(mine), 404, "not-found")
        again = upload(north, "lease.txt", "LEASE\n\nThe rent is 200 a month.", replace="true").json()
        assert again["files"][0]["documents"] == ["uploads/north/lease (2).txt"]
        assert "100" in both.get(f"{mine}/text").json()["text"]


def test_duplicates_are_told_within_a_matter_alone(own_index: Path) -> None:
    with callers(own_index, ["north"], ["south"], ["north", "south"]) as (north, south, both):
        for client, name in ((north, "a.txt"), (south, "b.txt"), (north, "c.txt")):
            upload(client, name, "LEASE\n\nThe rent is 100 a month.")
        assert south.get("/v1/documents/uploads/south/b.txt").json()["duplicate_of"] is None
        assert north.get("/v1/documents/uploads/north/c.txt").json()["duplicate_of"] == "uploads/north/a.txt"
        moved = both.patch("/v1/documents/uploads/north/c.txt", json={"metadata": {"matter": "south"}}).json()
        assert moved["duplicate_of"] == "uploads/south/b.txt"


def zipped(*texts: str) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for at, text in enumerate(texts):
            archive.writestr(f"{at}.txt", text)
    return packed.getvalue()


def test_documents_of_one_file_may_part(own_index: Path) -> None:
    texts = ("LEASE\n\nThe rent is 100 a month.", "DEED\n\nThe land is conveyed.")
    with callers(own_index, ["north"], ["south"], ["north", "south"]) as (north, south, both):
        packed = zipped(*texts)
        for name in ("a.zip", "b.zip"):
            sent = {"files": (name, packed, "application/zip")}
            assert north.post("/v1/documents", files=sent, data={"wait": "true"}).status_code == 201
        second = "/v1/documents/uploads/north/b.zip/1.txt"
        assert north.get(second).json()["duplicate_of"] == "uploads/north/a.zip/1.txt"
        both.patch(second, json={"metadata": {"matter": "south"}})
        assert south.get(second).json()["duplicate_of"] is None
        assert south.get(second).json()["notes"] == []
        assert "duplicate_of" not in south.get("/v1/facets").json()["facets"]


def test_a_matter_may_have_a_long_name_in_any_script(own_index: Path) -> None:
    name = "Общество с ограниченной ответственностью Ромашка " * 3
    with callers(own_index, [name], [name.strip() + "!"]) as (one, other):
        for client in (one, other):
            done = upload(client, "lease.txt", "LEASE\n\nThe rent is 100 a month.").json()["files"][0]
            assert done["status"] == "added", done
            assert client.get(f"/v1/documents/{done['documents'][0]}").status_code == 200
        assert len(one.get("/v1/documents").json()["documents"]) == 1


def test_a_backup_holds_the_files_of_all_matters(own_index: Path, tmp_path: Path) -> None:
    with callers(own_index, ["north"]) as (north,):
        upload(north, "lease.txt", "LEASE\n\nThe rent is 100 a month.")
    with Index.open(own_index) as index:
        index.backup(tmp_path / "backup")
    with Index.restore(tmp_path / "backup", tmp_path / "again.pincite") as index:
        assert index.original("uploads/north/lease.txt").read_text().startswith("LEASE")


def test_texts_of_a_matter_have_ids_of_their_own(own_index: Path) -> None:
    with callers(own_index, ["north"], ["north", "south"]) as (north, both):
        body = {"texts": [{"id": "texts/north/a", "text": "The rent is 100 a month."}]}
        assert north.post("/v1/documents", json=body).status_code == 201
        assert north.get("/v1/documents/texts%2Fnorth%2Fa").json()["matter"] == "north"
        for name in (LEASE, "uploads/south/lease.txt", "a"):
            answer = north.post("/v1/documents", json={"texts": [{"id": name, "text": "Text."}]})
            assert "begin with 'texts/north/'" in problem(answer, 422, "invalid")["detail"]
        both.patch("/v1/documents/texts%2Fnorth%2Fa", json={"metadata": {"matter": "south"}})
        problem(north.post("/v1/documents", json={**body, "overwrite": True}), 409, "conflict")
        assert "100" in both.get("/v1/documents/texts%2Fnorth%2Fa/text").json()["text"]


def test_who_may_look_alone_may_ask_for_cases_like_a_file(own_index: Path) -> None:
    with callers(own_index, ["corpus:read"], scope="read") as (reader,):
        sent = {"file": ("judgment.txt", b"The tenant underlet the premises. The appeal is dismissed.", "text/plain")}
        assert reader.post("/v1/cases/like/file", files=sent).status_code == 200
        problem(upload(reader, "deed.txt", "DEED\n\nText."), 403, "forbidden")


def test_a_key_of_some_matters_makes_no_backups_and_reads_no_metrics(own_index: Path, tmp_path: Path) -> None:
    with callers(own_index, ["corpus"]) as (client,):
        problem(client.post("/v1/backups"), 403, "forbidden")
        problem(client.get("/v1/metrics"), 403, "forbidden")
        assert client.get("/reports").status_code == 403
        assert client.get(f"/v1/documents/{LEASE}").json()["matter"] == "corpus"


def test_a_damaged_document_is_named_to_those_who_see_everything_alone(own_index: Path) -> None:
    import sqlite3

    with sqlite3.connect(own_index / DATABASE) as database:
        database.execute("UPDATE documents SET profile = 'x' WHERE id LIKE '%tamarisk%'")
    database.close()
    auth = Auth.create(own_index.parent / "keys.json")
    with client_of(own_index, auth=auth) as client:
        body = {"query": "rent", "fast": True}
        for matters, named in (((), True), (("corpus",), False)):
            client.headers["authorization"] = f"Bearer {auth.add_key('one', 'read', matters=matters)}"
            assert ("tamarisk" in json.dumps(client.post("/v1/search", json=body).json()["notes"])) is named
            status = client.get("/v1/documents/corpus/contracts/nda-tamarisk-oneway-2023.txt").status_code
            assert (status == 404) is not named


def test_grants() -> None:
    who = Who("a", "write", matters=(Grant("north", "write"), Grant("south", "read")))
    assert (who.may_write_in("north"), who.may_write_in("south"), who.may_write_in("east")) == (True, False, False)
    assert who.visible is not None
    assert who.visible.matters == ("north", "south")
    assert Grant.read("a:b", "write") == Grant("a:b", "write")


@pytest.mark.parametrize(
    ("scope", "matter"), [("read", "north:write"), ("write", "north:admin"), ("write", " "), ("admin", "north")]
)
def test_impossible_grants_are_refused(tmp_path: Path, scope: str, matter: str) -> None:
    auth = Auth.create(tmp_path / "keys.json")
    with pytest.raises(UsageError):
        auth.add_key("a", scope, matters=[matter])
    assert auth.keys == {}


def test_grants_outlive_the_process(tmp_path: Path) -> None:
    auth = Auth.create(tmp_path / "keys.json")
    key = auth.add_key("team", "write", matters=["north", "south:read"])
    auth.add_login("mira", "a long password", "read", matters=["north"])
    again = Auth(tmp_path / "keys.json")
    found, person = again.key(key), again.login("mira", "a long password")
    assert found is not None
    assert found.matters == (Grant("north", "write"), Grant("south", "read"))
    assert person is not None
    assert person.matters == (Grant("north", "read"),)


def test_the_filters_of_the_page_count_and_offer_matters(own_index: Path) -> None:
    with callers(own_index, ["corpus", "north"], ["corpus"]) as (both, one):
        assert "<option>north" not in both.get("/").text
        upload(both, "lease.txt", "LEASE\n\nThe rent is 100 a month.", matter="north")
        page = both.get("/").text
        assert 'value="north">north (1)' in page
        assert 'value="lease">lease (2)' in page
        found = both.get("/?q=rent&matter=north&fast=true").text
        assert "uploads/north/lease.txt" in found
        assert "garnet-quay" not in found.partition('id="known-documents"')[2].partition("</datalist>")[2]
        assert 'name="matter"' not in one.get("/").text
        assert 'value="lease">lease (1)' in one.get("/").text
