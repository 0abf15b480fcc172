"""Titles, kinds, parties and dates by evidence: what never is one, and what is."""

import pytest

from pincite.documents.profile import profile
from pincite.documents.profile.head import is_boilerplate
from pincite.documents.profile.kind import kind_in
from pincite.text import Document, Source

PREAMBLE = (
    'This {title} (this "Agreement") is made as of March 3, 2021 between Halden Robotics, Inc., a Delaware corporation '
    '("Halden"), and Maria L. Orrick (the "Consultant"). WHEREAS, Company, a Delaware Corporation, wishes to be served;'
)


@pytest.mark.parametrize(
    "line",
    """<PAGE>   1|Exhibit 10.1|EX-10|exv10w4|Dear Ms. Winkie,|FILED|CONFIDENTIAL TREATMENT REQUESTED|Table of Contents
    2. Services|(PAGE NUMBERS REFER TO PAPER DOCUMENT ONLY)|Dated as of March 3, 2021|ex102.htm|Exhibit|- 12 -
    Execution Version|https://www.example.org/a.htm""".replace("\n", "|").split("|"),
)
def test_boilerplate_is_never_a_title(line: str) -> None:
    text = f"{line.strip()}\n\nSUPPLY AGREEMENT\n\n{PREAMBLE.format(title='Supply Agreement')}"
    assert profile(Document("d001.txt", text)).title == "SUPPLY AGREEMENT"
    alone = profile(Document("northwind-memo.txt", f"{line.strip()}\n\nthe goods were late."))
    assert (alone.title, alone.title_evidence) == ("northwind memo", "file name")
    assert is_boilerplate(line.strip())


def test_the_preamble_names_a_document_without_a_heading() -> None:
    named = profile(Document("d001.txt", PREAMBLE.format(title="Exclusive Licence and Development Agreement")))
    assert (named.title, named.title_evidence) == ("Exclusive Licence and Development Agreement", "preamble")


def test_a_text_that_lost_its_line_breaks() -> None:
    text = f"Exhibit 10.2 SERVICES AND HOSTING AGREEMENT {PREAMBLE.format(title='SERVICES AND HOSTING AGREEMENT')}"
    assert profile(Document("d001.txt", text)).title == "SERVICES AND HOSTING AGREEMENT"


def test_front_matter_gives_its_value() -> None:
    named = profile(Document("cookies.md", "---\ntitle: GitHub Cookies\nversion: 1\n---\n\n# Cookies\n\nWe use them."))
    assert (named.title, named.title_evidence) == ("GitHub Cookies", "front matter")


def test_a_format_s_own_title_counts_only_if_it_says_something() -> None:
    page = Document("d1.html", "RETAIL LEASE\n\nThe rent is due.", source=Source("d1.html", title="Untitled document"))
    assert profile(page).title == "RETAIL LEASE"


def test_parties_with_roles_and_short_names() -> None:
    named = profile(Document("d001.txt", PREAMBLE.format(title="Consulting Agreement")))
    assert named.parties == ("Halden Robotics, Inc.", "Maria L. Orrick")
    assert named.roles == ("", "Consultant")
    assert named.short_names[0] == "Halden"


def test_no_party_is_made_of_recitals_and_places() -> None:
    text = "SOW. Company shall pay. WHEREAS, Company is a Delaware Corporation, and Delaware law governs;"
    assert profile(Document("d001.txt", text)).parties == ()


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("LEASE\n\nThis Lease is made the 3rd day of March, 2021 between A Ltd and B Ltd.", "2021-03-03"),
        ("LEASE\n\nThis Lease is made as of ____ __, 2021 between A Ltd and B Ltd.", ""),
        (
            "AMENDMENT NO. 1\n\nThis Amendment is made as of May 7, 1998 between A Ltd and B Ltd and amends the lease "
            "dated June 1, 1990.",
            "1998-05-07",
        ),
        ("LEASE\n\nThis Lease is made between A Ltd and Jo Bell, born on 2 May 1971, on 4 June 2019.", "2019-06-04"),
    ],
)
def test_the_date_is_the_document_s_own(text: str, date: str) -> None:
    assert profile(Document("d001.txt", text)).date == date


@pytest.mark.parametrize(
    ("title", "kind"),
    [
        ("Mutual Confidentiality Agreement", "non-disclosure agreement"),
        ("Amended and Restated Credit Agreement", "credit agreement"),
        ("Guaranteed Maximum Price Construction Agreement", "construction contract"),
        ("Master Agreement", ""),
    ],
)
def test_a_title_names_a_kind(title: str, kind: str) -> None:
    assert kind_in(title) == kind


def test_an_amendment_has_the_kind_of_what_it_amends() -> None:
    text = (
        "AMENDMENT NO. 2 TO EMPLOYMENT AGREEMENT\n\nThis Amendment is made as of May 7, 1998 between A Ltd and Jo Bell."
    )
    named = profile(Document("d001.txt", text))
    assert (named.kind, named.part, named.amends) == ("employment agreement", "amendment", "EMPLOYMENT AGREEMENT")
