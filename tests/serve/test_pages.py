"""The pages without a browser: what they show, escape and hand out; several collections; reports."""

import csv
import io
import re
import shutil
from pathlib import Path

from starlette.testclient import TestClient

from pincite.serve.app import application
from tests.serve.conftest import LEASE, LOCAL, client_of, token

ATTACK = '<script>window.hacked = 1</script> & <img src=x onerror=alert(1)> "quoted"'


def test_an_answer_shows_its_place_and_why(client: TestClient) -> None:
    page = client.get("/", params={"q": "Under the Garnet Quay lease, may the tenant underlet?"}).text
    assert "Understood as a question about" in page
    assert "Lease of Office Premises § 2.1" in page
    assert "<mark>" in page
    assert "Words of the question in this passage" in page
    assert f"/documents/{LEASE}?start=" in page


def test_a_question_that_nothing_answers_says_so(client: TestClient) -> None:
    page = client.get("/", params={"q": "governing law", "after": "2030-01-01", "fast": "true"}).text
    assert "Nothing found" in page
    assert "filter" in page.split('class="note"')[1].split("</p>")[0]


def test_a_link_opens_a_document_at_the_place(client: TestClient) -> None:
    page = client.get(f"/documents/{LEASE}", params={"start": 6195, "end": 6386}).text
    assert '<mark class="hit" id="hit">2.18  The Tenant may underlet' in page
    assert 'href="#at-' in page


def test_every_link_of_the_outline_leads_somewhere(client: TestClient) -> None:
    page = client.get(f"/documents/{LEASE}").text
    wanted = set(re.findall(r'href="#(at-\d+)"', page))
    assert wanted
    assert wanted <= set(re.findall(r'id="(at-\d+)"', page))


def test_text_from_a_document_is_never_markup(writer: TestClient) -> None:
    html = f"<html><head><title>Deed</title></head><body><p>The grantor {ATTACK.replace('<', '&lt;')} conveys.</p></body></html>"
    files = [
        ("files", ("deed.html", html)),
        ("files", ("<b>note.txt", f"NOTE\n\nThe clause says {ATTACK} and ends.\n")),
    ]
    assert writer.post("/v1/documents", files=files).status_code == 201
    for name in ("uploads/deed.html", "uploads/<b>note.txt"):
        page = writer.get(f"/documents/{name}").text
        assert "<script>window" not in page
        assert "<img src=x" not in page
        assert "&lt;script&gt;window.hacked" in page
        assert "<b>note" not in page
    assert "<b>note" not in writer.get("/documents").text
    found = writer.get("/", params={"q": "What does the clause say of window.hacked?", "fast": "true"}).text
    assert "<script>window" not in found


def test_a_comparison_can_be_taken_away(client: TestClient) -> None:
    asked = {"q": "What law governs the agreement?", "kind": "nda"}
    page = client.get("/compare", params=asked).text
    assert "documents answer" in page
    table = client.get("/compare", params={**asked, "form": "csv"})
    assert table.headers["content-disposition"] == 'attachment; filename="comparison.csv"'
    rows = list(csv.reader(io.StringIO(table.text.removeprefix("\ufeff"))))
    assert rows[0][:3] == ["Document", "Answering passage", "Page"]
    assert len(rows) >= 3
    word = client.get("/compare", params={**asked, "form": "docx"})
    from docx import Document as Word

    read = Word(io.BytesIO(word.content))
    assert [cell.text for cell in read.tables[0].rows[0].cells][:2] == rows[0][:2]
    assert len(read.tables[0].rows) == len(rows)


def test_reports_are_opened_from_the_page_and_nothing_else(sample_index: Path, tmp_path: Path) -> None:
    folder = tmp_path / "reports"
    (folder / "mini").mkdir(parents=True)
    (folder / "mini" / "index.html").write_text("<h1>Figures</h1><script>alert(1)</script>")
    (tmp_path / "secret.html").write_text("secret")
    with client_of(sample_index, reports=folder) as client:
        assert "/reports/mini/index.html" in client.get("/reports").text
        report = client.get("/reports/mini/index.html")
        assert "<h1>Figures</h1>" in report.text
        assert "sandbox" in report.headers["content-security-policy"]
        assert "script-src" not in report.headers["content-security-policy"]
        for name in ("../secret.html", "..%2fsecret.html", "mini/../../secret.html"):
            assert client.get(f"/reports/{name}").status_code == 404


def test_several_collections_are_kept_apart(sample_index: Path, tmp_path: Path) -> None:
    other = Path(shutil.copytree(sample_index, tmp_path / "leases.pincite"))
    app = application([sample_index, other])
    with TestClient(app, base_url=LOCAL) as client:
        names = [entry["name"] for entry in client.get("/v1/collections").json()["collections"]]
        assert names == ["contracts", "leases"]
        files = [("files", ("charter.txt", "CHARTER\n\nThe vessel Aurelia sails in May.\n"))]
        assert client.post("/v1/documents", params={"collection": "leases"}, files=files).status_code == 201
        asked = {"query": "When does Aurelia sail?", "k": 1, "fast": True}
        found = client.post("/v1/search", json={**asked, "collection": "leases"}).json()["hits"]
        assert found[0]["document"] == "uploads/charter.txt"
        first = client.post("/v1/search", json=asked).json()["hits"]
        assert all(hit["document"] != "uploads/charter.txt" for hit in first)
        assert client.post("/v1/search", json={**asked, "collection": "none"}).status_code == 404
        assert "leases</option>" in client.get("/").text


def test_a_page_that_is_not_there_is_a_page(client: TestClient) -> None:
    answer = client.get("/documents/nothing.txt")
    assert answer.status_code == 404
    assert "<h1>Not found</h1>" in answer.text
    assert client.get("/nothing").status_code == 404


def test_pages_have_no_inline_script_or_style(client: TestClient) -> None:
    for path in ("/?q=rent&fast=true", "/documents", f"/documents/{LEASE}?q=rent", "/compare?q=law&kind=lease"):
        page = client.get(path).text
        assert not re.search(r"<script(?![^>]*\bsrc=)", page)
        assert not re.search(r"<style|\sstyle=|\son[a-z]+=", page)


def test_a_form_shows_and_changes_the_collection_it_was_sent_to(sample_index: Path, tmp_path: Path) -> None:
    first, second = (Path(shutil.copytree(sample_index, tmp_path / f"{name}.pincite")) for name in ("one", "two"))
    with TestClient(application([first, second]), base_url=LOCAL) as client:
        page = client.get("/documents", params={"collection": "two"})
        sent = client.post(
            "/documents/add",
            data={"token": token(page), "collection": "two"},
            files=[("files", ("x.txt", "LEASE\n\nThe rent is 100 pounds a year.\n"))],
        )
        assert "<h1>two</h1>" in sent.text
        assert 'name="collection" value="two"' in sent.text
