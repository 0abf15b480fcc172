"""The pages without a browser: what they show, escape and hand out; several collections; reports."""

import csv
import io
import re
import shutil
from pathlib import Path
from urllib.parse import parse_qs

import pytest
from starlette.testclient import TestClient

from pincite.serve.app import application
from pincite.serve.backend import Backend
from tests.serve.conftest import LEASE, LOCAL, client_of, token

ATTACK = '<script>window.hacked = 1</script> & <img src=x onerror=alert(1)> "quoted"'


def test_an_answer_shows_its_place_and_why(client: TestClient) -> None:
    page = client.get("/", params={"q": "Under the Garnet Quay lease, may the tenant underlet?"}).text
    assert "Understood as a question about" in page
    assert "Lease of Office Premises § 2.1" in page
    assert "<mark>" in page
    assert "Words of the question in this passage" in page
    assert f"/documents/{LEASE}?start=" in page


def test_reasons_in_words_stand_under_why(client: TestClient) -> None:
    page = client.get("/", params={"q": "Under the Garnet Quay lease, may the tenant underlet?", "fast": "true"}).text
    why = page.split('class="why"')[1].split("</details>")[0]
    assert "<li>stands in the document that the question names</li>" in why
    assert "<li>mentions &#39;" in why


def test_a_document_that_is_only_named_is_shown_at_a_glance(client: TestClient) -> None:
    page = client.get("/", params={"q": "Garnet Quay lease", "fast": "true"}).text
    glance = page.split('class="card glance"')[1].split("</article>")[0]
    assert "<dt>Kind</dt><dd>lease</dd>" in glance
    assert "<dd>Fenwick Harbour Estates Ltd; Tolliver Design Studio LLP</dd>" in glance
    assert "<dt>Date</dt><dd>2019-03-21</dd>" in glance
    headings = re.findall(r'<li class="level-([01])"><a href="([^"]+)#hit">([^<]+)</a>', glance)
    assert [(level, text) for level, _, text in headings][:3] == [
        ("0", "PART 1 - PARTICULARS"),
        ("0", "PART 2 - TENANT&#39;S COVENANTS"),
        ("1", "Rent and outgoings"),
    ]
    assert all(re.search(r"[A-Za-z]", text) for _, _, text in headings)
    for _, address, _ in headings:
        assert 'id="hit"' in client.get(address.replace("&amp;", "&")).text
    assert "PARTIES" in page.split('<ol class="cards">')[1]


def test_opening_a_hit_searches_nothing_and_knows_the_other_hits(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = {"q": "Under the Garnet Quay lease, may the tenant underlet?", "fast": "true"}
    page = client.get("/", params=asked).text
    address = re.search(r'href="(/documents/[^"]+places=[^"]+)#hit"', page)
    assert address
    searched: list[object] = []
    monkeypatch.setattr(Backend, "search", lambda _, request: searched.append(request))
    opened = client.get(address[1].replace("&amp;", "&")).text
    assert 'id="hit"' in opened
    assert re.search(r"<span>\d+ of (1\d|[2-9])</span>", opened)
    following = re.search(r'rel="next" href="([^"]+)#hit"', opened)
    assert following
    assert 'id="hit"' in client.get(following[1].replace("&amp;", "&")).text
    assert client.get(address[1].split("?")[0], params={"start": 5, "end": 9, "places": "x.9-5.1-999999999"}).is_success
    assert not searched


@pytest.mark.parametrize("question", ["which agreements restrict hiring staff?", "governing law"])
def test_answers_from_several_documents_are_grouped(client: TestClient, question: str) -> None:
    page = client.get("/", params={"q": question, "fast": "true"}).text
    found = client.post("/v1/search", json={"query": question, "fast": True}).json()
    groups = [
        (group.split('<p class="place">')[1].split("<")[0], [int(n) for n in re.findall(r'"rank">(\d+)<', group)])
        for group in page.split('<section class="group"')[1:]
    ]
    assert groups == [(group["document"], group["ranks"]) for group in found["groups"]]
    assert len(groups) > 1
    assert f"{len(found['hits'])} passages in {len(groups)} documents" in page


@pytest.mark.parametrize(
    "asked",
    [
        {"q": "Under the Garnet Quay lease, may the tenant underlet?"},
        {"q": "May the tenant underlet?", "kind": "lease"},
    ],
)
def test_answers_of_one_document_are_not_grouped(client: TestClient, asked: dict[str, str]) -> None:
    page = client.get("/", params={**asked, "fast": "true"}).text
    assert 'class="card"' in page
    assert 'class="group"' not in page


def test_typing_errors_are_said_once(client: TestClient) -> None:
    page = client.get("/", params={"q": "servce chrage cap in the garnet quey lease", "fast": "true"}).text
    said = re.sub(r"<[^>]+>", "", page.split('class="note corrections">')[1].split("</p>")[0])
    assert said == "Read “servce” as “service”, “chrage” as “charge”, “quey” as “quay”."
    assert "quey&#39; as" not in page


TWIN = """LEASE

This Lease is made on {day} between PIONEER MILLS LTD (the "Landlord") and {tenant} (the "Tenant").

1. RENT

1.1 The Tenant shall pay rent of {rent} pounds a year by equal quarterly instalments.
"""


def test_where_several_documents_fit_alike_each_can_be_searched_alone(writer: TestClient) -> None:
    twins = {
        "pioneer-mills-lease-north.txt": TWIN.format(day="1 May 2020", tenant="ACORN LTD", rent=100),
        "pioneer-mills-lease-south.txt": TWIN.format(day="1 May 2021", tenant="BIRCH LTD", rent=200),
    }
    assert writer.post("/v1/documents?wait=true", files=[("files", twin) for twin in twins.items()]).status_code == 201
    asked = {"q": "In the Pioneer Mills lease, what is the rent?", "fast": "true", "kind": "lease"}
    page = writer.get("/", params=asked).text
    which = page.split('class="which"')[1].split("</div>")[0]
    assert "Which one is meant?" in which
    assert "fit alike" not in page.replace(which, "")
    links = [address.replace("&amp;", "&") for address in re.findall(r'href="([^"]+)"', which)]
    assert len(links) == 2
    for address, name in zip(sorted(links), sorted(twins), strict=True):
        given = {key: value for key, [value] in parse_qs(address.removeprefix("/?")).items()}
        assert given == {**asked, "document": f"uploads/{name}"}
        alone = writer.get(address).text
        assert 'class="which"' not in alone
        assert set(re.findall(r"uploads/pioneer[\w-]+\.txt(?=\?start)", alone)) == {f"uploads/{name}"}


def test_a_question_that_nothing_answers_says_so(client: TestClient) -> None:
    page = client.get("/", params={"q": "governing law", "after": "2030-01-01", "fast": "true"}).text
    assert "Nothing found" in page
    assert "filter" in page.split('class="note"')[1].split("</p>")[0]


def test_a_link_opens_a_document_at_the_place(client: TestClient) -> None:
    page = client.get(f"/documents/{LEASE}", params={"start": 6195, "end": 6386}).text
    assert '<mark class="hit" id="hit">2.18  The Tenant may underlet' in page
    assert 'href="#at-' in page


SUPPLY = """SUPPLY AGREEMENT

This Agreement is made between Acme Ltd (the “Supplier”) and Boro plc (the “Buyer”).

1. DAMAGES
1.1 The Supplier shall pay as liquidated damages:
(a) the cost of every repair; and
(b) for late delivery, 1% of the price, which the Supplier pays as set forth in Section 2.1.

2. PAYMENT
2.1 All sums are due within thirty days of an invoice.
"""


def test_a_passage_is_shown_with_what_leads_into_it_its_terms_and_its_references(writer: TestClient) -> None:
    answer = writer.post("/v1/documents?wait=true", files=[("files", ("supply.txt", SUPPLY))])
    [name] = answer.json()["files"][0]["documents"]
    start = SUPPLY.index("(b) for late")
    end = SUPPLY.index("\n", start)
    page = writer.get(f"/documents/{name}", params={"start": start, "end": end}).text
    assert '<mark class="lead" id="lead-' in page
    assert ">1.1 The Supplier shall pay as liquidated damages:</mark>" in page
    assert '<mark class="hit" id="hit">(b) for late delivery' in page
    beside = page.split('class="beside"')[1].split("</p>")[0]
    assert f"start={SUPPLY.index('2.1 All')}&amp;" in beside
    assert ">§ 2.1</a>" in beside
    assert ">Supplier</a>" in beside


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
    assert writer.post("/v1/documents?wait=true", files=files).status_code == 201
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
    assert rows[0] == ["File", "Id", "Title", "Citation", "Page", "Passage", "Likelihood"]
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
        assert (
            client.post("/v1/documents", params={"collection": "leases", "wait": "true"}, files=files).status_code
            == 201
        )
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
    for path in (
        "/?q=rent&fast=true",
        "/?q=Garnet+Quay+lease&fast=true",
        "/documents",
        f"/documents/{LEASE}?q=rent",
        "/compare?q=law&kind=lease",
    ):
        page = client.get(path).text
        assert not re.search(r"<script(?![^>]*\bsrc=)", page)
        assert not re.search(r"<style|\sstyle=|\son[a-z]+=", page)


def test_a_form_shows_and_changes_the_collection_it_was_sent_to(sample_index: Path, tmp_path: Path) -> None:
    first, second = (Path(shutil.copytree(sample_index, tmp_path / f"{name}.pincite")) for name in ("one", "two"))
    with TestClient(application([first, second]), base_url=LOCAL) as client:
        page = client.get("/documents", params={"collection": "two"})
        sent = client.post(
            "/documents/add",
            data={"token": token(page), "collection": "two", "wait": "true"},
            files=[("files", ("x.txt", "LEASE\n\nThe rent is 100 pounds a year.\n"))],
        )
        assert "<h1>two</h1>" in sent.text
        assert 'name="collection" value="two"' in sent.text
