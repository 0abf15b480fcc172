"""Pages of hits and documents by REST: limits that are declared, pages of one generation, conditions, matters."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from pincite.index import Index
from pincite.serve.auth import Auth
from pincite.serve.settings import Settings
from tests.serve.conftest import client_of, problem

ASKED: dict[str, Any] = {"query": "tenant rent", "fast": True}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "texts.pincite"
    with Index.create(place) as index:
        for at, matter in enumerate(["north", "north", "south"]):
            said = "\n\n".join(f"{n}. The tenant shall pay rent {n} on day {n + at}." for n in range(1, 8))
            index.add_text(f"lease {at}", f"LEASE\n\n{said}", metadata={"matter": matter, "floor": str(at)})
    return place


@pytest.fixture
def texts(folder: Path) -> Iterator[TestClient]:
    with client_of(folder) as client:
        yield client


def test_the_limit_of_pages_is_declared_and_said(folder: Path) -> None:
    with client_of(folder, Settings(most_hits=6)) as client:
        schemas = client.get("/v1/openapi.json").json()["components"]["schemas"]
        for name in ("SearchBody", "BatchBody"):
            known = schemas[name]["properties"]
            assert (known["k"]["maximum"], known["offset"]["maximum"]) == (6, 5)
            assert "`offset` + `k` is at most 6" in known["offset"]["description"]
        assert len(client.post("/v1/search", json={**ASKED, "k": 1, "offset": 5}).json()["hits"]) == 1
        refused = client.post("/v1/search", json={**ASKED, "k": 2, "offset": 5})
        assert "offset + k must be at most 6, not 5 + 2" in str(problem(refused, 422, "invalid")["detail"])
        refused = client.post("/v1/search", json={**ASKED, "k": 7})
        assert "k must be from 1 to 6, not 7" in str(problem(refused, 422, "invalid")["detail"])
        batch = client.post("/v1/search/batch", json={"queries": ["rent"], "fast": True, "k": 2, "offset": 5})
        assert "offset + k" in str(problem(batch, 422, "invalid")["detail"])


def test_a_page_of_another_generation_is_refused(texts: TestClient) -> None:
    first = texts.post("/v1/search", json={**ASKED, "k": 3}).json()
    tied = {**ASKED, "k": 3, "offset": 3, "generation": first["generation"]}
    assert [hit["rank"] for hit in texts.post("/v1/search", json=tied).json()["hits"]] == [4, 5, 6]
    many = {"queries": ["rent"], "fast": True, "generation": first["generation"]}
    assert texts.post("/v1/search/batch", json=many).json()["answers"][0]["generation"] == first["generation"]
    texts.post("/v1/documents", json={"texts": [{"id": "new", "text": "The tenant pays rent."}]})
    for path, body in (("/v1/search", tied), ("/v1/search/batch", many)):
        stale = problem(texts.post(path, json=body), 412, "stale")
        assert "begin again with the first page" in str(stale["detail"])
    again = texts.post("/v1/search", json={**ASKED, "k": 3}).json()["generation"]
    assert again > first["generation"]
    assert texts.get("/v1/collections").json()["collections"][0]["generation"] >= again


def test_documents_are_listed_by_condition(texts: TestClient) -> None:
    def listed(where: object, **more: object) -> list[str]:
        found = texts.get("/v1/documents", params={"where": json.dumps(where), **more})  # type: ignore[dict-item]
        assert found.status_code == 200, found.text
        return [entry["document"] for entry in found.json()["documents"]]

    assert listed({"floor": {"gte": 1}}) == ["lease 1", "lease 2"]
    assert listed({"or": [{"floor": "0"}, {"not": {"matter": "north"}}]}) == ["lease 0", "lease 2"]
    assert listed({"floor": {"in": ["1", "2"]}}, limit=1) == ["lease 1"]
    for wrong, said in (
        ('{"floor": {"above": 1}}', "unknown operator 'above'"),
        ("floor=1", "where: not JSON"),
        ("[1]", "must be an object"),
    ):
        refused = texts.get("/v1/documents", params={"where": wrong})
        assert said in str(problem(refused, 422, "invalid")["detail"])


def test_matters_are_listed_with_counts_and_rights(folder: Path, tmp_path: Path) -> None:
    auth = Auth.create(tmp_path / "keys.json")
    everything = auth.add_key("everything", "read")
    team = auth.add_key("team", "write", matters=["south:read", "west"])
    with client_of(folder, auth=auth) as client:

        def shown(key: str, path: str) -> Any:
            return client.get(path, headers={"authorization": f"Bearer {key}"}).json()

        assert shown(everything, "/v1/matters") == {
            "matters": [
                {"matter": "north", "documents": 2, "right": "read"},
                {"matter": "south", "documents": 1, "right": "read"},
            ]
        }
        assert shown(team, "/v1/matters?collection=texts") == {
            "matters": [
                {"matter": "south", "documents": 1, "right": "read"},
                {"matter": "west", "documents": 0, "right": "write"},
            ]
        }
        (seen,) = shown(team, "/v1/collections")["collections"]
        assert (seen["right"], seen["documents"], seen["generation"]) == ("write", 1, None)
        (all_of_it,) = shown(everything, "/v1/collections")["collections"]
        assert (all_of_it["right"], all_of_it["documents"]) == ("read", 3)
        assert client.get("/v1/matters").status_code == 401
        asked = client.post("/v1/search", json={**ASKED, "generation": 3}, headers={"authorization": f"Bearer {team}"})
        assert "limited to some matters" in asked.json()["detail"]
        mine = client.post("/v1/search", json=ASKED, headers={"authorization": f"Bearer {team}"}).json()
        assert mine["generation"] is None


def test_rows_of_a_comparison_have_what_a_memo_needs_and_nothing_found_comes_last(client: TestClient) -> None:
    body = {"query": "May the tenant underlet?", "filters": {"where": {"kind": {"in": ["lease", "nda"]}}}}
    rows = client.post("/v1/compare", json=body).json()["rows"]
    found = [row["hit"] is not None for row in rows]
    assert found == sorted(found, reverse=True)
    assert any(found)
    assert not all(found)
    for row in rows:
        assert row["file"] == row["document"].rsplit("/", 1)[1]
        if row["hit"]:
            assert row["citation"] == row["hit"]["citation"]
            assert row["page"] == row["hit"]["page"]
            assert " ".join(row["hit"]["text"].split()) in row["passage"]
        else:
            assert (row["citation"], row["page"], row["passage"]) == ("", None, "")
    with client.stream("POST", "/v1/compare", json=body, headers={"Accept": "application/x-ndjson"}) as sent:
        lines = [json.loads(line) for line in sent.iter_lines()]
    assert {line["document"] for line in lines} == {row["document"] for row in rows}
    assert all("passage" in line for line in lines)


@pytest.mark.parametrize("sort", ["document", "page", "likelihood"])
def test_a_sorted_table_of_the_page_has_nothing_found_last(client: TestClient, sort: str) -> None:
    page = client.get("/compare", params={"q": "May the tenant underlet?", "sort": sort}).text
    rows = ['class="nothing"' in row for row in page.split("<tr>")[2:]]
    assert len(rows) == 14
    assert rows == sorted(rows)
    assert 0 < sum(rows) < 14
