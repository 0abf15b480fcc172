"""The page in a real browser: what people see and do, with and without script, and what it must never do."""

import csv
import json
import re
import shutil
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

import pytest

from pincite.index import Index
from pincite.serve.auth import Auth
from tests.conftest import ROOT
from tests.serve.conftest import LEASE, PATIENCE, Server, served

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
CHROMIUM = shutil.which("chromium")
if CHROMIUM is None:
    pytest.skip("there is no chromium on this machine", allow_module_level=True)

pytestmark = pytest.mark.slow
SWITCHES = "no-sandbox disable-gpu disable-quic no-first-run disable-background-networking disable-component-update"
QUESTION = "Under the Garnet Quay lease, may the tenant underlet?"
ANSWER = "2.18 The Tenant may underlet the whole of the Premises"
CITED = "Fenwick Harbour–Tolliver Design Lease of Office Premises § 2.18"
OTHERS = ("corpus/contracts/nda-harrowgate-mutual-2021.txt", "corpus/contracts/services-marlowe-msa-2023.txt")
PLACE = f"/documents/{LEASE}?" + urlencode({"start": 6195, "end": 6386, "q": QUESTION}) + "#hit"
PAGES = {
    "first": "/",
    "answers": "/?" + urlencode({"q": QUESTION, "fast": "true"}),
    "filtered": "/?" + urlencode({"q": "governing law", "kind": "lease", "fast": "true"}),
    "glance": "/?" + urlencode({"q": "Garnet Quay lease", "fast": "true"}),
    "across": "/?" + urlencode({"q": "which agreements restrict hiring staff?", "fast": "true"}),
    "nothing": "/?" + urlencode({"q": "governing law", "after": "2030-01-01", "fast": "true"}),
    "document": PLACE,
    "found": f"/documents/{LEASE}?find=landlord",
    "compare": "/compare?" + urlencode({"q": "May the tenant underlet?", "documents": [LEASE, *OTHERS]}, doseq=True),
    "collection": "/documents",
    "missing": "/documents/no-such-document.txt",
}
SCREENSHOTS = ROOT / "build" / "screenshots"
VOYAGE = "On what day of voyage 250 shall the Charterer deliver the cargo?"

Page = Any
"""A tab of the browser; its type is not at hand where playwright is not installed."""
Tab = Callable[..., Page]


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with playwright.sync_playwright() as held:
        switches = [f"--{name}" for name in (*SWITCHES.split(), "disable-sync")]
        found = held.chromium.launch(executable_path=CHROMIUM, args=switches)
        yield found
        found.close()


@pytest.fixture(scope="module")
def site(server: Server) -> str:
    """Reads only."""
    return server.address


@pytest.fixture(scope="module")
def own_site(sample_index: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """To add to and to remove from: every test has names of its own."""
    folder = shutil.copytree(sample_index, tmp_path_factory.mktemp("changed") / "contracts.pincite")
    with served(Path(folder), tmp_path_factory) as server:
        yield server.address


@pytest.fixture(scope="module")
def long_site(tiny_encoder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """One PDF of 300 pages; with vectors of the small encoder, as ours would take half a minute for it."""
    folder = tmp_path_factory.mktemp("long")
    write_voyages(folder / "files" / "voyages.pdf", 300)
    with Index.create(folder / "long.pincite") as index:
        index.add(folder / "files", encoder=str(tiny_encoder))
    with served(folder / "long.pincite", tmp_path_factory) as server:
        yield server.address


def write_voyages(file: Path, pages: int) -> None:
    """A contract as long as that: eight numbered clauses on each page."""
    from reportlab.pdfgen.canvas import Canvas

    file.parent.mkdir()
    canvas = Canvas(str(file))
    for page in range(1, pages + 1):
        height = 800
        for clause in range(1, 9):
            for line in (
                f"{page}.{clause}  The Charterer shall on day {page * clause} of voyage {page} deliver to the Owner the cargo",
                f"that was loaded under bill of lading number {page * 1000 + clause}, free of lien and charge, and shall",
                f"pay hire at the agreed rate of {page * 10 + clause} dollars a day until redelivery, without set-off or",
                f"deduction; and the Owner shall give a receipt for it within {clause + page % 17} days of delivery.",
            ):
                canvas.drawString(60, height, line)
                height -= 15
            height -= 15
        canvas.showPage()
    canvas.save()


@pytest.fixture
def tab(browser: Any) -> Iterator[Tab]:
    """Opens tabs, each for somebody of their own; all are closed with the test."""
    held = []

    def opened(**options: Any) -> Page:
        held.append(browser.new_context(**options))
        held[-1].set_default_timeout(PATIENCE * 1000)
        return held[-1].new_page()

    yield opened
    for context in held:
        context.close()


def ask(page: Page, question: str) -> None:
    page.fill("#q", question)
    page.press("#q", "Enter")
    page.wait_for_url(lambda address: "q=" in address)


def words(text: str) -> str:
    """The same words with single spaces: the page keeps the line breaks of a file."""
    return " ".join(text.split())


def said(page: Page, selector: str) -> str:
    return words(page.locator(selector).first.text_content())


def wait_until_in_view(page: Page, selector: str) -> None:
    """Fails where the element does not come to lie in the window, as a whole, and stay there."""
    found, inside = page.locator(selector).first, 0
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        box = found.evaluate("node => { const {top, bottom} = node.getBoundingClientRect(); return [top, bottom]; }")
        inside = inside + 1 if 0 <= box[0] < box[1] <= page.evaluate("innerHeight") else 0
        if inside == 3:
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"{selector} lies at {box}, not in the window")


def text_file(name: str, text: str) -> dict[str, Any]:
    return {"name": name, "mimeType": "text/plain", "buffer": text.encode()}


def upload(page: Page, *files: dict[str, Any]) -> None:
    page.set_input_files("#files", list(files))
    page.click("#upload button.main")


def titles(page: Page) -> list[str]:
    return [words(title) for title in page.locator("table.list tbody th a").all_text_contents()]


# Searching


def test_a_question_gives_cards_with_place_mark_reasons_and_citation(site: str, tab: Tab) -> None:
    page = tab()
    page.goto(site)
    assert page.evaluate("document.activeElement.id") == "q"
    ask(page, QUESTION)
    assert page.input_value("#q") == QUESTION
    assert page.locator(".card").count() == 10
    assert said(page, ".count") == "10 passages"
    card = page.locator(".card").first
    assert card.locator("h2").inner_text() == "Lease of Office Premises"
    assert card.locator(".path").inner_text() == "PART 2 - TENANT'S COVENANTS › Assignment and underletting › 2.18"
    assert LEASE in card.locator(".place").inner_text()
    marked = words(card.locator("mark").inner_text())
    assert marked.startswith(ANSWER)
    assert marked.endswith("not to be unreasonably withheld.")
    assert card.locator(".cite").inner_text() == CITED
    table = card.locator(".why table")
    assert not table.is_visible()
    card.locator("summary", has_text="Why?").click()
    assert table.is_visible()
    parts = dict(
        zip(
            table.locator("tbody th").all_inner_texts(),
            table.locator("tbody td:nth-child(2)").all_inner_texts(),
            strict=True,
        )
    )
    assert {"unit", "dense", "rerank"} <= set(parts)
    assert all(re.fullmatch(r"-?\d+\.\d{4}", score) for score in parts.values())
    assert "underlet" in card.locator(".why p").inner_text()


def test_the_citation_is_copied(site: str, tab: Tab) -> None:
    page = tab(permissions=["clipboard-read", "clipboard-write"])
    page.goto(site + PAGES["answers"])
    page.locator("button.copy").first.click()
    page.locator("button.copy", has_text="Copied").wait_for()
    assert page.evaluate("navigator.clipboard.readText()") == CITED


def test_a_kind_narrows_the_cards_to_its_documents(site: str, tab: Tab) -> None:
    page = tab()
    page.goto(site)
    ask(page, "governing law")
    assert len(set(page.locator(".group > .place").all_inner_texts())) > 1
    page.click(".filters summary")
    page.select_option("select[name=kind]", "lease")
    page.click("button.main")
    page.wait_for_url(lambda address: "kind=lease" in address)
    assert set(page.locator(".card .place span:last-child").all_inner_texts()) == {LEASE}
    assert page.locator("select[name=kind]").is_visible()
    assert page.input_value("select[name=kind]") == "lease"


def test_a_document_that_is_only_named_is_shown_at_a_glance_and_its_headings_lead_into_it(site: str, tab: Tab) -> None:
    page = tab()
    page.goto(site)
    ask(page, "Garnet Quay lease")
    glance = page.locator(".glance")
    assert glance.locator("h2").inner_text() == "Lease of Office Premises"
    assert "Fenwick Harbour Estates Ltd; Tolliver Design Studio LLP" in glance.locator("dl").inner_text()
    glance.locator("a", has_text="PART 5 - SERVICE CHARGE").click()
    wait_until_in_view(page, "#hit")
    assert said(page, "#hit").startswith('5.1 "Service Charge Year" means')
    page.click("text=Back to the answers")
    assert page.locator(".glance").is_visible()


def test_a_question_about_several_documents_has_its_cards_under_each(site: str, tab: Tab) -> None:
    page = tab()
    page.goto(site + PAGES["across"])
    groups = page.locator(".group")
    named = groups.locator(":scope > .place").all_inner_texts()
    assert 1 < len(named) == len(set(named))
    ranks = [[int(rank) for rank in one.locator(".rank").all_inner_texts()] for one in groups.all()]
    assert ranks[0][0] == 1
    assert sorted(rank for ranked in ranks for rank in ranked) == list(range(1, page.locator(".card").count() + 1))
    groups.first.locator(".card h3 a").first.click()
    wait_until_in_view(page, "#hit")
    assert named[0] in page.locator(".document-head .place").first.inner_text()


def test_a_question_that_nothing_answers_says_so(site: str, tab: Tab) -> None:
    page = tab()
    page.goto(site + PAGES["nothing"])
    assert page.locator(".card").count() == 0
    assert said(page, ".count") == "Nothing found"


# Reading


def test_a_card_opens_the_document_at_its_place_which_can_be_shared(site: str, tab: Tab) -> None:
    page = tab()
    page.goto(site)
    ask(page, QUESTION)
    marked = said(page, ".card mark")
    page.locator(".card a.button").first.click()
    wait_until_in_view(page, "#hit")
    assert page.evaluate("scrollY") > 1000
    assert said(page, "#hit") == marked
    assert said(page, ".document-head .cite") == CITED
    other = tab()
    other.goto(page.url)
    wait_until_in_view(other, "#hit")
    assert said(other, "#hit") == marked
    page.go_back()
    assert page.locator(".card").count() == 10
    assert page.input_value("#q") == QUESTION
    other.click("text=Back to the answers")
    assert said(other, ".card mark") == marked
    assert other.input_value("#q") == QUESTION


def test_next_and_previous_lead_through_the_hits(site: str, tab: Tab) -> None:
    page = tab()
    page.goto(site + PLACE)
    first = said(page, "#hit")
    at, count = map(int, said(page, ".hits > span:not(.off)").split(" of "))
    assert 1 < at < count
    with page.expect_navigation():
        page.click("a[rel=next]")
    wait_until_in_view(page, "#hit")
    assert said(page, ".hits > span:not(.off)") == f"{at + 1} of {count}"
    second = said(page, "#hit")
    assert second != first
    with page.expect_navigation():
        page.keyboard.press("p")
    wait_until_in_view(page, "#hit")
    assert said(page, "#hit") == first
    with page.expect_navigation():
        page.keyboard.press("n")
    assert said(page, "#hit") == second


def test_the_first_and_the_last_hit_lead_no_further(site: str, tab: Tab) -> None:
    page = tab()
    address = f"{site}/documents/{LEASE}?" + urlencode({"q": QUESTION})
    page.goto(address)
    assert said(page, ".hits > span:not(.off)") == "– of 10"
    last = page.locator("mark.other[id]").last
    start, length = int(last.get_attribute("id").removeprefix("other-")), len(last.text_content())
    with page.expect_navigation():
        page.click("a[rel=next]")
    assert said(page, ".hits > span:not(.off)") == "1 of 10"
    assert page.locator("a[rel=prev]").count() == 0
    page.goto(f"{address}&start={start}&end={start + length}#hit")
    assert said(page, ".hits > span:not(.off)") == "10 of 10"
    assert page.locator("a[rel=next]").count() == 0


def test_words_are_found_in_a_document(site: str, tab: Tab) -> None:
    page = tab()
    page.goto(f"{site}/documents/{LEASE}")
    expected = page.locator(".text").text_content().lower().count("service charge")
    assert expected > 3
    page.fill("#find", "service  CHARGE")
    page.press("#find", "Enter")
    page.wait_for_url(lambda address: "find=" in address)
    marked = page.locator("mark.find").all_text_contents()
    assert {words(text).lower() for text in marked} == {"service charge"}
    assert said(page, ".tools [role=status]") == f"{len(marked)} found"
    assert len(marked) >= expected
    page.click("text=first")
    wait_until_in_view(page, "#find-0")
    page.fill("#find", "no such words")
    page.press("#find", "Enter")
    page.wait_for_url(lambda address: "no+such" in address)
    assert said(page, ".tools [role=status]") == "0 found"


def test_the_outline_leads_to_a_heading(site: str, tab: Tab) -> None:
    page = tab()
    page.goto(f"{site}/documents/{LEASE}")
    page.locator(".outline a", has_text="Assignment and underletting").click()
    wait_until_in_view(page, "p:target")
    wait_until_in_view(page, ".text p:text-is('Assignment and underletting')")
    wait_until_in_view(page, ".outline a:text-is('Assignment and underletting')")


def test_headings_and_nothing_else_are_shown_as_headings(site: str, tab: Tab) -> None:
    page = tab()
    page.goto(f"{site}/documents/{LEASE}")
    headings = [words(text) for text in page.locator(".text .heading").all_text_contents()]
    assert {"PART 2 - TENANT'S COVENANTS", "Assignment and underletting", "Yield up"} <= set(headings)
    assert [text for text in headings if re.match(r"\d|\(", text)] == []


# Changing


def test_a_chosen_file_is_added_listed_and_found_and_can_be_removed(own_site: str, tab: Tab) -> None:
    page = tab()
    page.goto(f"{own_site}/documents")
    before = page.locator("table.list tbody tr").count()
    upload(page, text_file("charter.txt", "CHARTER PARTY\n\nThe vessel Aurelia shall be redelivered at Genoa.\n"))
    page.wait_for_selector("#results a")
    assert said(page, "#results li.added") == "charter.txt: added"
    page.click("#results a")
    assert page.locator("table.list tbody tr").count() == before + 1
    assert "Charter Party" in titles(page)
    page.goto(own_site)
    ask(page, "Where is the vessel Aurelia redelivered?")
    assert said(page, ".card h2, .group h2") == "Charter Party"
    page.goto(f"{own_site}/documents")
    asked: list[str] = []

    def answer(dialog: Any) -> None:
        asked.append(dialog.message)
        (dialog.accept if len(asked) > 1 else dialog.dismiss)()

    page.on("dialog", answer)
    button = page.get_by_role("button", name="Remove CHARTER PARTY")
    button.click()
    assert page.locator("table.list tbody tr").count() == before + 1
    with page.expect_navigation():
        button.click()
    assert asked == ["Remove CHARTER PARTY?"] * 2
    assert page.url == f"{own_site}/documents"
    assert page.locator("table.list tbody tr").count() == before
    assert "CHARTER PARTY" not in titles(page)


def test_dropped_files_are_added(own_site: str, tab: Tab) -> None:
    page = tab()
    page.goto(f"{own_site}/documents")
    dropped = page.evaluate_handle(
        """() => {
            const held = new DataTransfer();
            held.items.add(new File(["DEED\\n\\nThe grantor Isolde conveys the water mill.\\n"], "deed.txt"));
            held.items.add(new File(["WILL\\n\\nThe testator Lancelot leaves the forge.\\n"], "will.txt"));
            return held;
        }"""
    )
    page.dispatch_event("#upload", "dragover", {"dataTransfer": dropped})
    assert "over" in page.get_attribute("#upload", "class").split()
    page.dispatch_event("#upload", "drop", {"dataTransfer": dropped})
    page.wait_for_selector("#results a")
    assert "over" not in page.get_attribute("#upload", "class").split()
    lines = [words(line) for line in page.locator("#results li").all_text_contents()]
    assert lines[:2] == ["deed.txt: added", "will.txt: added"]
    page.reload()
    assert {"Deed", "Will"} <= set(titles(page))


def test_a_file_that_cannot_be_read_says_why(own_site: str, tab: Tab) -> None:
    page = tab()
    page.goto(f"{own_site}/documents")
    before = titles(page)
    upload(page, {"name": "bad.pdf", "mimeType": "application/pdf", "buffer": b"%PDF-1.7 nothing"})
    page.wait_for_selector("#results li.failed")
    assert said(page, "#results li.failed").startswith("bad.pdf: failed – bad.pdf: is not a complete PDF")
    page.wait_for_selector("#progress", state="hidden")
    page.reload()
    assert titles(page) == before


def test_a_file_of_a_name_that_is_taken_needs_the_box_to_be_ticked(own_site: str, tab: Tab) -> None:
    page = tab()
    page.goto(f"{own_site}/documents")
    upload(page, text_file("rent.txt", "TENANCY OF THE LODGE\n\nThe rent is 100 pounds.\n"))
    page.wait_for_selector("#results li.added")
    page.reload()
    second = text_file("rent.txt", "TENANCY OF THE LODGE\n\nThe rent is 200 pounds.\n")
    upload(page, second)
    page.wait_for_selector("#results li.failed")
    assert "another file of that name" in said(page, "#results")
    page.check("input[name=replace]")
    upload(page, second)
    page.wait_for_selector("#results li.added")
    page.goto(f"{own_site}/documents/uploads/rent.txt")
    assert "200 pounds" in said(page, ".text")


def test_without_script_one_can_search_read_add_and_remove(own_site: str, tab: Tab) -> None:
    page = tab(java_script_enabled=False)
    page.goto(f"{own_site}/documents")
    upload(
        page,
        text_file("salvage.txt", "SALVAGE AGREEMENT\n\nThe salvor Ottoline tows the brig Petrel to Bergen.\n"),
        {"name": "torn.pdf", "mimeType": "application/pdf", "buffer": b"%PDF-1.7 nothing"},
    )
    page.wait_for_url("**/jobs/*")
    page.get_by_text("2 of 2 files read").wait_for()  # the page loads itself again until it is done
    assert said(page, ".results li.added").startswith("salvage.txt: added")
    assert said(page, ".results li.failed").startswith("torn.pdf: failed – torn.pdf: is not a complete PDF")
    assert page.locator("button.copy").count() == 0
    page.click(".results li.added a")
    assert "brig Petrel" in said(page, ".text")
    page.click("nav >> text=Search")
    ask(page, "Where is the brig Petrel towed?")
    marked = said(page, ".card mark")
    assert "Bergen" in marked
    assert not page.locator("button.copy").first.is_visible()
    page.locator(".card a.button").first.click()
    page.wait_for_url("**#hit")
    assert said(page, "#hit") == marked
    wait_until_in_view(page, "#hit")
    page.click("nav >> text=Collection")
    page.get_by_role("button", name="Remove SALVAGE AGREEMENT").click()
    page.wait_for_url("**/documents")
    assert "SALVAGE AGREEMENT" not in titles(page)


def test_a_place_far_below_is_shown_without_script(site: str, tab: Tab) -> None:
    page = tab(java_script_enabled=False)
    page.goto(site + PLACE)
    wait_until_in_view(page, "#hit")
    assert said(page, "#hit").startswith(ANSWER)


def test_a_shared_place_asks_for_a_login_and_is_shown_after_it(
    sample_index: Path, tmp_path: Path, started: Callable[..., Server], tab: Tab
) -> None:
    Auth.create(tmp_path / "keys.json").add_login("mira", "correct horse", "read")
    address = started(sample_index, "--auth", str(tmp_path / "keys.json")).address
    page = tab()
    page.goto(address + PLACE)
    for password in ("wrong horse", "correct horse"):
        page.get_by_label("Name").fill("mira")
        page.get_by_label("Password").fill(password)
        with page.expect_navigation():
            page.get_by_role("button", name="Log in").click()
        if password == "wrong horse":
            assert page.locator("form.login").count() == 1, said(page, "body")
            assert said(page, "[role=alert]") == "The name or the password is wrong."
    assert said(page, "h1") == "Lease of Office Premises"
    assert said(page, "#hit").startswith(ANSWER)
    page.click("nav >> text=Collection")
    assert page.locator("#upload, button.remove").count() == 0
    with page.expect_navigation():
        page.get_by_role("button", name="Log out").click()
    page.goto(f"{address}/documents")
    assert said(page, "h1") == "Log in"


# Comparing


def test_a_comparison_has_a_row_for_every_document(site: str, tab: Tab) -> None:
    page = tab()
    page.goto(f"{site}/compare")
    ask(page, "May the tenant underlet?")
    assert len(titles(page)) == 14
    assert page.locator("td.nothing").count() >= 9
    assert said(page, "td.nothing").startswith("nothing found")
    assert said(page, ".exports").startswith("14 documents are asked.")
    assert "of 14 documents answer." in said(page, "section p[role=status]")
    assert said(page, "a.passage:has-text('underlet')").startswith(ANSWER)
    page.click("a.passage:has-text('underlet')")
    wait_until_in_view(page, "#hit")
    assert said(page, "#hit").startswith(ANSWER)


def test_a_comparison_can_be_sorted(site: str, tab: Tab) -> None:
    page = tab()
    page.goto(site + PAGES["compare"])
    assert page.locator("[aria-sort]").count() == 0
    unsorted = titles(page)
    page.click("thead >> text=Document")
    page.wait_for_url("**sort=document")
    assert page.get_attribute("thead th:nth-child(1)", "aria-sort") == "ascending"
    assert titles(page) == sorted(unsorted, key=str.lower) != unsorted
    page.click("thead >> text=Likelihood")
    page.wait_for_url("**sort=likelihood")
    assert page.get_attribute("thead th:nth-child(1)", "aria-sort") is None
    assert page.get_attribute("thead th:nth-child(4)", "aria-sort") == "descending"
    likelihoods = [int(text.split()[0]) for text in page.locator("tbody td:last-child").all_inner_texts()]
    assert likelihoods == sorted(likelihoods, reverse=True)


def test_a_document_is_corrected_on_its_page(own_site: str, tab: Tab) -> None:
    page = tab()
    page.goto(f"{own_site}/documents/{LEASE}")
    page.click("text=Correct title, kind, parties, date")
    page.fill("input[name=title]", "Quay lease")
    page.fill("textarea[name=parties]", "Acme Ltd\nBolt GmbH")
    page.click(".correct button")
    assert said(page, "h1") == "Quay lease"
    assert "Acme Ltd; Bolt GmbH" in said(page, ".document-head")
    assert "corrected title, parties" in words(said(page, ".document-head"))
    page.goto(f"{own_site}/documents")
    assert page.locator("table.list .corrected").count() == 1
    page.goto(f"{own_site}/documents/{LEASE}")
    page.click("text=Correct title, kind, parties, date")
    page.fill("input[name=title]", "")
    page.fill("textarea[name=parties]", "")
    page.click(".correct button")
    assert said(page, "h1") == "Lease of Office Premises"
    assert page.locator(".corrected").count() == 0


def test_a_comparison_can_be_of_some_documents_only(site: str, tab: Tab) -> None:
    page = tab()
    page.goto(f"{site}/compare")
    page.click("text=Only some documents")
    page.check(f"input[value='{LEASE}']")
    page.check(f"input[value='{OTHERS[1]}']")
    ask(page, "May the tenant underlet?")
    assert titles(page) == ["LEASE OF OFFICE PREMISES", "MASTER SERVICES AGREEMENT"]
    assert page.is_checked(f"input[value='{LEASE}']")


def test_a_comparison_can_be_taken_away_as_csv_and_for_word(site: str, tab: Tab, tmp_path: Path) -> None:
    from docx import Document

    page = tab()
    page.goto(site + PAGES["compare"])
    for kind in ("CSV", "Word"):
        with page.expect_download() as download:
            page.click(f".exports >> text={kind}")
        download.value.save_as(tmp_path / download.value.suggested_filename)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["comparison.csv", "comparison.docx"]
    rows = list(csv.reader((tmp_path / "comparison.csv").read_text(encoding="utf-8-sig").splitlines()))
    assert rows[0] == ["File", "Id", "Title", "Citation", "Page", "Passage", "Likelihood"]
    assert len(rows) == 4
    assert CITED in [row[3] for row in rows[1:] if row[5] != "nothing found"]
    assert all(row[3] == "" for row in rows[1:] if row[5] == "nothing found")
    word = Document(str(tmp_path / "comparison.docx"))
    assert word.paragraphs[0].text == "May the tenant underlet?"
    assert [[cell.text for cell in row.cells] for row in word.tables[0].rows] == rows


# What it must never do


def test_a_tour_asks_no_other_host_and_breaks_no_rule(site: str, tab: Tab) -> None:
    page = tab()
    asked: list[str] = []
    wrong: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("websocket", lambda socket: asked.append(socket.url))
    page.on("console", lambda message: wrong.append(message.text) if message.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: wrong.append(str(error)))
    for name, path in PAGES.items():
        if name != "missing":  # which the browser would note as an error
            page.goto(site + path)
    page.goto(site)
    ask(page, QUESTION)
    page.locator(".why summary").first.click()
    page.locator(".card a.button").first.click()
    page.click("a[rel=next]")
    page.wait_for_load_state("networkidle")
    assert len(asked) > 20
    assert [address for address in asked if not address.startswith(f"{site}/")] == []
    assert wrong == []


def test_markup_in_documents_names_and_questions_is_shown_as_text(own_site: str, tab: Tab) -> None:
    page = tab()
    dialogs: list[str] = []
    page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    deed = """<html><head><title>Gift &lt;i&gt;of&lt;/i&gt; land</title></head><body><h1>Gift</h1>
        <script>window.hacked = 1</script><script src="/static/no-such.js"></script>
        <p onclick="window.hacked = 1">The donor Melisande gives the orchard <img src=x onerror="window.hacked = 1">
        to the abbey.</p><p>She writes &lt;img src=x onerror=window.hacked=1&gt; under it.</p></body></html>"""
    bond = "BOND <u>of</u> surety\n\nThe surety Peregrine says <script>alert(1)</script> to the obligee.\n"
    page.goto(f"{own_site}/documents")
    upload(
        page, {"name": "contract.html", "mimeType": "text/html", "buffer": deed.encode()}, text_file("<b>x.txt", bond)
    )
    page.wait_for_selector("#results a")
    lines = [words(line) for line in page.locator("#results li").all_text_contents()]
    assert lines[:2] == ["contract.html: added", "<b>x.txt: added"]

    def check(*shown: str) -> None:
        whole = words(page.locator("main").inner_text())
        assert [text for text in shown if text not in whole] == []
        assert page.evaluate("window.hacked") is None
        assert page.locator("script").count() == 1
        assert page.locator("main :is(script, img, b, u, i, [onclick], [onerror])").count() == 0

    check("<b>x.txt: added")
    page.reload()
    check("Gift <i>of</i> land", "BOND <u>of</u> surety", "uploads/<b>x.txt")
    page.click("text=Gift <i>of</i> land")
    check("The donor Melisande gives the orchard", "<img src=x onerror=window.hacked=1>")
    assert page.title() == "Gift <i>of</i> land – Pincite"
    page.goto(f"{own_site}/documents/uploads/{quote('<b>x.txt')}?find={quote('<script>')}")
    check("says <script>alert(1)</script> to")
    assert page.locator("mark.find").all_inner_texts() == ["<script>"]
    page.goto(own_site)
    ask(page, "<script>alert(1)</script>")
    assert page.input_value("#q") == "<script>alert(1)</script>"
    assert page.title() == "<script>alert(1)</script> – Pincite"
    check("<script>alert(1)</script>", "BOND <u>of</u> surety")
    page.goto(f"{own_site}/?q={quote(chr(34) + '><img src=x onerror=window.hacked=1>')}")
    check()
    page.goto(
        f"{own_site}/compare?" + urlencode({"q": "<b>Who</b> gives the orchard?", "documents": "uploads/<b>x.txt"})
    )
    assert page.input_value("#q") == "<b>Who</b> gives the orchard?"
    check("uploads/<b>x.txt")
    page.goto(f"{own_site}/documents/{quote('<b>none</b>')}")
    check("<b>none</b>")
    assert dialogs == []


# For everybody


def test_no_page_has_to_be_scrolled_sideways_at_200_percent_or_on_a_phone(site: str, tab: Tab) -> None:
    page = tab()
    for name, path in PAGES.items():
        page.goto(site + path)
        page.evaluate("() => document.querySelectorAll('details').forEach(node => { node.open = true; })")
        for width, height in ((600, 400), (390, 800)):
            page.set_viewport_size({"width": width, "height": height})
            measured = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
            assert measured[0] <= measured[1] == width, name
        if name in ("compare", "collection"):
            assert page.locator(".scroll").evaluate("node => node.scrollWidth > node.clientWidth")
        if name == "document":
            page.reload()
            wait_until_in_view(page, "#hit")


def test_a_word_without_end_does_not_widen_the_page(own_site: str, tab: Tab) -> None:
    page = tab(viewport={"width": 390, "height": 800})
    page.goto(f"{own_site}/documents")
    name = "n" * 150 + ".txt"
    text = f"{'T' * 200}\n\n1. The notary Quintilian keeps {'x' * 300} in the vault.\n"
    upload(page, text_file(name, text))
    page.wait_for_selector("#results a")
    for path in (
        "/?q=Quintilian",
        f"/?q={'y' * 400}",
        f"/documents/uploads/{name}?q=Quintilian&start=202&end=240",
        f"/documents/{'z' * 200}",
        "/documents",
    ):
        page.goto(own_site + path)
        assert page.evaluate("document.documentElement.scrollWidth") == 390, path
    page.goto(f"{own_site}/documents")
    upload(page, {"name": "w" * 150 + ".pdf", "mimeType": "application/pdf", "buffer": b"nothing"})
    page.wait_for_selector("#results li")
    assert page.evaluate("document.documentElement.scrollWidth") == 390


def test_the_keyboard_leads_past_the_menu_to_the_question(site: str, tab: Tab) -> None:
    page = tab()
    page.goto(site + PAGES["answers"])

    def focused() -> str:
        return words(page.evaluate("document.activeElement.textContent"))

    reached = []
    for _ in range(6):
        page.keyboard.press("Tab")
        reached.append(focused())
        assert page.locator(":focus").evaluate(
            "node => { const box = node.getBoundingClientRect(); return box.left >= 0 && box.top >= 0; }"
        )
    assert reached == ["Skip to the content", "Pincite", "Search", "Compare", "Cases", "Collection"]
    page.reload()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.id") == "q"
    for path, box in ((PAGES["answers"], "q"), (PLACE, "find"), (PAGES["compare"], "q")):
        page.goto(site + path)
        page.keyboard.press("/")
        assert page.evaluate("document.activeElement.id") == box
        value = page.input_value(f"#{box}")
        page.keyboard.type("a/b")
        assert len(page.input_value(f"#{box}")) == len(value) + 3


def test_everything_that_can_be_used_has_a_name_and_every_page_its_landmarks(site: str, tab: Tab) -> None:
    page = tab()
    nameless = """() => [...document.querySelectorAll("input:not([type=hidden]), select, textarea, button, a, summary, img, progress, table")]
        .filter(node => {
            const labels = [...(node.labels ?? [])].map(label => label.textContent).join("");
            const own = node.matches("input, select, table") ? "" : node.textContent;
            const table = node.matches("table") ? (node.caption?.textContent ?? node.querySelector("th[scope]")?.textContent) : "";
            return !(node.getAttribute("aria-label") || labels || own || table || node.alt || "").trim();
        })
        .map(node => node.outerHTML)"""
    for name, path in PAGES.items():
        page.goto(site + path)
        assert page.evaluate(nameless) == [], name
        repeated = "() => { const ids = [...document.querySelectorAll('[id]')].map(node => node.id); return ids.length - new Set(ids).size; }"
        assert page.evaluate(repeated) == 0, name
        assert page.locator("html").get_attribute("lang") == "en"
        assert page.locator("main").count() == page.locator("header.bar").count() == 1
        assert "Pincite" in page.title()


def test_the_page_is_light_or_dark_as_the_reader_has_it(site: str, tab: Tab) -> None:
    shades = {}
    for scheme in ("light", "dark"):
        page = tab(color_scheme=scheme)
        page.goto(site + PAGES["answers"])
        for name, selector in (("body", "body"), ("card", ".card"), ("mark", "mark")):
            shown = page.locator(selector).first.evaluate("node => getComputedStyle(node).backgroundColor")
            shades[scheme, name] = sum(map(int, re.findall(r"\d+", shown)[:3]))
        ink = page.locator("body").evaluate("node => getComputedStyle(node).color")
        shades[scheme, "ink"] = sum(map(int, re.findall(r"\d+", ink)[:3]))
    for name in ("body", "card", "mark"):
        assert shades["light", name] > shades["dark", name] + 200
    assert shades["light", "ink"] < 200 < 500 < shades["dark", "ink"]


# Weight: what makes pages quick, and what a busy machine cannot change


def loaded(page: Page, address: str) -> dict[str, int]:
    """Opens a page and says what was asked for, by path, and how many bytes each answer had."""
    answers: list[Any] = []
    page.goto("about:blank")
    page.on("response", lambda answer: answers.append(answer))
    page.goto(address, wait_until="networkidle")
    assert len(answers) == len({answer.url for answer in answers})
    return {urlsplit(answer.url).path: len(answer.body()) for answer in answers}


def nodes(page: Page) -> int:
    return int(page.evaluate("document.querySelectorAll('*').length"))


@pytest.fixture(scope="module")
def long_text(long_site: str) -> str:
    with urllib.request.urlopen(f"{long_site}/v1/documents/files/voyages.pdf/text", timeout=PATIENCE) as answer:
        return str(json.load(answer)["text"])


def test_the_first_page_is_light(site: str, tab: Tab) -> None:
    sizes = loaded(tab(), site)
    assert set(sizes) == {"/", "/static/style.css", "/static/script.js", "/static/icon.svg"}
    assert sum(sizes.values()) < 100_000, sizes


def test_a_document_of_300_pages_is_little_more_than_its_text(long_site: str, long_text: str, tab: Tab) -> None:
    page = tab()
    sizes = loaded(page, f"{long_site}/documents/files/voyages.pdf")
    assert page.locator(".text .page").count() == 300
    assert sizes.pop("/documents/files/voyages.pdf") < 1.6 * len(long_text)
    assert sum(sizes.values()) < 100_000, sizes
    assert nodes(page) < 5 * 300 * 9  # eight clauses and the page's own line, each also in the outline


def test_a_passage_of_a_long_document_is_shown_with_its_page_alone(long_site: str, long_text: str, tab: Tab) -> None:
    start = long_text.index("250.1 The Charterer")
    place = f"?start={start}&end={long_text.index('250.2', start)}#hit"
    page = tab()
    sizes = loaded(page, f"{long_site}/documents/files/voyages.pdf{place}")
    assert [path for path in sizes if "/pages/" in path] == ["/v1/documents/files/voyages.pdf/pages/250"]
    assert sizes["/documents/files/voyages.pdf"] < 1.6 * len(long_text)
    wait_until_in_view(page, "#hit")
    page.wait_for_function("() => document.querySelector('.picture img').naturalWidth > 0")
    wait_until_in_view(page, "#hit")
    assert "voyage 250 deliver" in said(page, "#hit")
    assert said(page, "#page-250").startswith("Page 250")


def test_an_answer_in_a_long_document_opens_at_its_place(long_site: str, long_text: str, tab: Tab) -> None:
    page = tab()
    page.goto(long_site)
    ask(page, VOYAGE)
    assert said(page, ".card .place") == "p. 250 files/voyages.pdf"
    address = long_site + page.locator(".card a.button").first.get_attribute("href")
    sizes = loaded(page, address)
    assert sizes["/documents/files/voyages.pdf"] < 1.6 * len(long_text)
    wait_until_in_view(page, "#hit")
    assert "voyage 250 deliver" in said(page, "#hit")


# Cases like this one


LET = (
    "The lessor ended the lease of the flour mill because the rent was in arrears for eleven months. The lessee answered "
    "that the lessor had taken rent in parts for years, and had waived the right of forfeiture."
)
JUDGMENTS = {
    "rao-v-sen": ("Rao v Sen", "3 May 1961", "Supreme Court", f"{LET} We follow Masud Khan v. State of Bihar."),
    "pillai-v-menon": ("Pillai v Menon", "8 August 1968", "High Court", f"{LET} In Rao v Sen it was held so. Costs follow."),
    "customs-v-ali": ("Customs v Ali", "2 July 1970", "High Court", "Customs duty was due on silk that was landed at night."),
    "ghosh-v-union": ("Ghosh v Union", "9 May 1972", "Supreme Court", "A clerk was dismissed without being heard. Notice is due."),
    "nair-v-das": ("Nair v Das", "9 June 1975", "Supreme Court", f"{LET} Masud Khan v. State of Bihar and Rao v Sen are followed."),
    "roy-v-bose": ("Roy v Bose", "5 March 1999", "Supreme Court", f"{LET} {LET} Rao v Sen is followed."),
}  # fmt: skip


@pytest.fixture(scope="module")
def cases_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("cases") / "judgments.pincite"
    with Index.create(folder) as index:
        for name, (title, date, court, body) in JUDGMENTS.items():
            text = f"{title}\n{court}\n{date}\n\nThe judgment was delivered by:\n{body}\nThe appeal is dismissed.\n"
            index.add_text(name, text, title=title, vectors="none", metadata={"court": court})
    with served(folder, tmp_path_factory) as server:
        yield server.address


def test_cases_like_a_judgment_are_found_read_and_taken_away(cases_site: str, tab: Tab, tmp_path: Path) -> None:
    page = tab(viewport={"width": 1280, "height": 900}, accept_downloads=True)
    page.goto(f"{cases_site}/cases")
    page.fill("#document", "Nair v Das")
    page.click("button:has-text('Find cases like it') >> nth=0")
    first = page.locator("ol.cases > li").first
    assert "Rao v Sen" in first.locator("h3").inner_text()
    assert "Both cite Masud Khan v. State of Bihar." in first.inner_text()
    assert first.locator(".pair blockquote").count() == 2
    assert first.locator(".pair mark").count() > 4
    shown = page.locator("ol.cases").inner_text()
    assert "Roy v Bose" not in shown  # decided after it
    assert "decided after 1975-06-09, and left out: 1 of 5 cases" in page.locator("section").inner_text()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    with page.expect_download() as taken:
        page.click("a.button:has-text('CSV')")
    taken.value.save_as(tmp_path / "cases.csv")
    rows = list(csv.reader((tmp_path / "cases.csv").open(encoding="utf-8-sig")))
    assert (rows[0][1], rows[1][1]) == ("Case", "Rao v Sen")
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=SCREENSHOTS.parent / "cases.png")
    first.locator("figcaption a").click()
    wait_until_in_view(page, "#hit")
    assert said(page, "#hit").startswith("Rao v Sen")


def test_cases_like_a_pasted_judgment_are_filtered_by_court_on_a_phone(cases_site: str, tab: Tab) -> None:
    page = tab(viewport={"width": 390, "height": 844})
    page.goto(f"{cases_site}/cases")
    page.click("text=Another judgment: a file or its text")
    page.fill("#text", f"Basu v Dutt\n1 January 1990\n\n{LET}")
    form = page.locator("form[method=post]")
    form.locator("text=Court and dates").click()
    form.locator("select[name=court]").select_option("High Court")
    form.locator("button.main").click()
    names = page.locator("ol.cases h3").all_inner_texts()
    assert "Pillai v Menon" in names[0]
    assert all("Rao" not in name for name in names)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.screenshot(path=SCREENSHOTS.parent / "cases-phone.png", full_page=True)
    page.fill("#document", "no such judgment")
    page.click("button:has-text('Find cases like it') >> nth=0")
    assert "no such judgment" in page.locator("[role=alert]").inner_text()


# To look at


def test_pictures_of_the_pages_are_kept(site: str, long_site: str, tab: Tab, tmp_path: Path) -> None:
    shown = {
        "search": f"{site}/?" + urlencode({"q": QUESTION}),
        "document": site + PLACE,
        "compare": f"{site}/compare?" + urlencode({"q": "Which law governs?"}),
        "collection": f"{site}/documents",
        "picture": f"{long_site}/documents/files/voyages.pdf?start=0&end=100",
    }
    page = tab()
    for name, address in shown.items():
        page.goto(address)
        if name == "picture":
            page.wait_for_function("() => document.querySelector('.picture img').naturalWidth > 0")
        for prefix, scheme, size in (("", "light", (1280, 900)), ("phone-dark-", "dark", (390, 844))):
            page.emulate_media(color_scheme=scheme)
            page.set_viewport_size({"width": size[0], "height": size[1]})
            if page.locator("#hit").count():
                page.locator("#hit").scroll_into_view_if_needed()
            page.wait_for_timeout(150)
            page.screenshot(path=tmp_path / f"{prefix}{name}.png")
    assert sorted(path.stem.removeprefix("phone-dark-") for path in tmp_path.glob("*.png")) == sorted([*shown] * 2)
    assert all(path.stat().st_size > 10_000 for path in tmp_path.iterdir())
    shutil.rmtree(SCREENSHOTS, ignore_errors=True)
    shutil.copytree(tmp_path, SCREENSHOTS, dirs_exist_ok=True)
