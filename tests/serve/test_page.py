"""The page without a browser: what it shows, escapes and hands out; several collections; reports."""

import csv
import io
import shutil
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from pincite.serve.app import application
from pincite.serve.highlight import Highlight, blocks, occurrences
from pincite.text import Document, Source
from tests.serve.conftest import LOCAL, client_of

LEASE = "corpus/contracts/lease-14-garnet-quay-2019.txt"
ATTACK = '<script>window.hacked = 1</script> & <img src=x onerror=alert(1)> "quoted"'


def test_an_answer_shows_its_place_and_why(client: TestClient) -> None:
    page = client.get("/", params={"q": "Under the Garnet Quay lease, may the tenant underlet?"}).text
    assert "Understood as a question about" in page
    assert "LEASE OF OFFICE PREMISES, § 2.1" in page
    assert "<mark>" in page
    assert "Words of the question in it" in page
    assert f"/documents/{LEASE}?start=" in page


def test_a_link_opens_a_document_at_the_place(client: TestClient) -> None:
    page = client.get(f"/documents/{LEASE}", params={"start": 6195, "end": 6386}).text
    assert '<mark class="hit" id="hit">2.18  The Tenant may underlet' in page
    assert 'href="#at-' in page


def test_every_link_of_the_outline_leads_somewhere(client: TestClient) -> None:
    import re

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
    asked = {"q": "What law governs the agreement?", "kind": "licence"}
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


def test_several_collections_are_kept_apart(sample_index: Path, own_index: Path, tmp_path: Path) -> None:
    other = Path(shutil.copytree(own_index, tmp_path / "leases.pincite"))
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
    assert "There is no such thing" in answer.text
    assert client.get("/nothing").status_code == 404


@pytest.mark.parametrize(
    "marks", [[], [Highlight(4, 9, "hit")], [Highlight(4, 9, "hit"), Highlight(0, 30, "other-0"), Highlight(6, 20, "find-0")]]
)
def test_blocks_hold_the_whole_text(marks: list[Highlight]) -> None:
    text = "\ufeffTitle here\n\n1. The rent\n   is due.\n\n\n2. Pages\nend here."
    document = Document("a", text, source=Source(page_starts=(0, 40)))
    made = blocks(document, marks, {13: "1. The rent"})
    held = "".join(piece.text for block in made for piece in block.pieces)
    assert "".join(held.split()) == "".join(text.split())
    for block in made:
        whole = "".join(piece.text for piece in block.pieces)
        assert text[block.start : block.start + len(whole)] == whole
    assert 13 in {block.start for block in made}
    assert [block.page for block in made if block.page] == [1, 2]
    hits = [piece for block in made for piece in block.pieces if piece.kind == "hit"]
    assert "".join(piece.text for piece in hits) == (text[4:9] if marks else "")


def test_words_are_found_whatever_the_white_space() -> None:
    assert occurrences("one\ntwo one  TWO", "one two", 9) == [(0, 7), (8, 16)]
    assert occurrences("a.c abc", "a.c", 9) == [(0, 3)]
    assert occurrences("aaa", "a", 2) == [(0, 1), (1, 2)]
