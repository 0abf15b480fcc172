"""Running matter of every kind in the middle of sentences: none of it is shown, and nothing else is lost."""

from itertools import pairwise
from time import process_time

import pytest

from pincite.documents.hidden import with_hidden
from pincite.documents.running_matter import running_matter
from pincite.segment import Clauses
from pincite.text import Document
from tests.documents.made_pages import CLOSING, FILLER, PAGES, Furniture, flat, lease, opening, sentence, wrapped

LINES: dict[str, Furniture] = {
    "number": str,
    "number in dashes": lambda n: f"- {n} -",
    "dashed number": lambda n: f"-{n}-",
    "number behind a dash": lambda n: f"- {n}",
    "page of pages": lambda n: f"Page {n} of {PAGES}",
    "page": lambda n: f"Page {n}",
    "EDGAR page": lambda n: f"<PAGE>   {n}",
    "number and EDGAR page": lambda n: f"{n}\n<PAGE>   {n + 1}",
    "number of an annex": lambda n: f"A-{n}",
    "Roman numeral": lambda n: ["i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii"][n - 1],
    "form feed": lambda n: f"{n}\n\f",
    "header": lambda n: "Lease of Twelve Flats",
    "header with number": lambda n: f"LEASE OF TWELVE FLATS   Page {n}",
    "header with number in front": lambda n: f"Page {n}   Lease of Twelve Flats",
    "header behind a number": lambda n: f"- {n} - LEASE No. 76C/01",
    "numbers of two pages": lambda n: f"{n} {n + 1}",
    "number, break, header": lambda n: f"{n}\n\n\n\n\n\nCONFIDENTIAL TREATMENT REQUESTED",
    "source": lambda n: "Source: FLATS & SONS, INC., 10-K/A, 3/5/2010",
    "number and source": lambda n: f"{n}\n\nSource: FLATS & SONS, INC., DRS (on S-1), 3/5/2010\n\n\n\n",
    "file name": lambda n: "ex-10.htm",
    "file name of an exhibit": lambda n: "d17789dex1033.htm" if n % 2 else "d17789exv10w33.htm",
    "file name with number": lambda n: f"ex10-1.htm   {n}",
    "printed web page": lambda n: f"3/2/22, 6:53 PM EX-2.1\n\nhttps://www.sec.gov/Archives/edgar/d1dex21.htm {n}/86",
    "appellate stamp": lambda n: f"Appellate Case: 21-800 Document: 010110462922 Date Filed: 01/11/2021 Page: {n}",
    "court stamp": lambda n: f"Case 17-3510, Document 1-1, 10/31/2017, 2161300, Page{n} of {PAGES}",
    "district court stamp": lambda n: f"Case 2:15-cv-01739-DGC Document 3 Filed 09/20/19 Page {n} of {PAGES}",
    "Bates number": lambda n: f"FLATS{n:06}",
    "Bates number with a dash": lambda n: f"FLT-{n:07}",
    "dashes": lambda n: "-" * 30,
    "dashes of EDGAR": lambda n: "- " + "-" * 30,
    "equals signs": lambda n: "=" * 20,
    "asterisks": lambda n: "*" * 20,
    "page break of underscores": lambda n: f"{n}\n\n\n\n\n\n{'_' * 16}",
    "EDGAR tags": lambda n: "<TABLE>\n<S>  <C>\n</TABLE>",
    "notice of what was left out": lambda n: (
        f"{n}\n\n[*] Certain information on this page has been omitted and filed separately\n"
        "with the Commission. Confidential treatment has been requested with respect to\nthe omitted portions."
    ),
    "notice before the number": lambda n: (
        "*** Portions of this exhibit have been redacted pursuant to a request for confidential treatment. "
        f"An unredacted version of this exhibit has been filed separately with the U.S. Securities Commission.\n\n{n}"
    ),
    "stamp of a request": lambda n: f"[***] Confidential Treatment Requested\n\n{n}",
    "stamp with a name": lambda n: "Confidential Treatment Requested by Flats & Sons, Inc.",
    "name with a full stop": lambda n: "Flats & Sons, Inc.",
    "exhibit number": lambda n: "Exhibit 10.38",
    "number of a draft": lambda n: f"{n}\n\n123012898v2",
    "number of a draft that comes back": lambda n: f"AG2432.386 [097]\n\n- {n} -",
    "number and exhibit number": lambda n: f"{n} 10.23",
    "number of a part and of the whole": lambda n: f"{n}    {n + 15}",
    "number behind a letter": lambda n: f"E - {n}",
    "number behind a Roman numeral": lambda n: f"III-{n}",
    "number with a full stop": lambda n: f"{n}.",
    "footer in columns": lambda n: (
        f"Lease of Flats          Flats & Sons, Inc. and Tenants          August 4, 1997        CONFIDENTIAL\n\n{n}"
    ),
    "page of an annex": lambda n: f"Annex II-Page {n}",
    "name of a web page": lambda n: "flatslease.htm",
    "line of EDGAR": lambda n: "EX-2.1 2 fl10018583_lease2-1.htm EXHIBIT 2.1",
    "stamp that goes on": lambda n: (
        "Confidential Treatment Requested and the Redacted Material has been separately filed with the Commission"
    ),
    "initials": lambda n: f"Lease of Flats                  Initials ______   _______         {n}",
    "header behind dashes": lambda n: f"- ---------------------------------- LEASE/LETTING OF FLATS          {n}",
    "remains of raised letters": lambda n: f"{n}\n\nth\n\ns t",
    "rest of the page": lambda n: "[Remainder of page intentionally left blank]",
    "signatures follow": lambda n: "[Signature page follows]",
    "signature page": lambda n: "[Signature Page to Lease of Twelve Flats]",
    "contents continued": lambda n: "TABLE OF CONTENTS (continued)",
    "row of a filing": lambda n: f"EX-10.4 {n + 1} flats_ex104.htm EX-10.4",
    "link above an exhibit": lambda n: "Back to Form 8-K",
    "centred number": lambda n: f"{' ' * 34}{n}",
    "request and what was filed": lambda n: (
        "[***] Confidential Treatment Requested and the redacted material has been separately filed with the Commission"
    ),
}
SHAPES = {"wrapped": wrapped, "flat": flat}


def words(text: str) -> list[str]:
    return text.split()


WANTED = words(lease(lambda n: " ", flat))
"""The words of the lease without its running matter."""


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("kind", LINES)
def test_lines_of_a_page_are_hidden_and_nothing_else(kind: str, shape: str) -> None:
    text = lease(LINES[kind], SHAPES[shape])
    document = with_hidden(Document("lease", text))
    assert words(document.shown(0, len(text))) == WANTED


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("kind", LINES)
def test_a_sentence_over_a_page_break_is_one_unit_of_two_pieces(kind: str, shape: str) -> None:
    text = lease(LINES[kind], SHAPES[shape])
    document = with_hidden(Document("lease", text))
    units = list(Clauses()(document))
    shown = [" ".join(document.shown(unit.start, unit.end).split()) for unit in units]
    assert [text for text in shown if "garden" in text] == [sentence(n) for n in range(1, PAGES + 1)]
    for unit in units:
        pieces = document.pieces(unit.start, unit.end)
        assert pieces[0][0] == unit.start
        assert pieces[-1][1] == unit.end
        if "garden" in text[unit.start : unit.end]:
            assert len(pieces) >= 2


INLINE: dict[str, Furniture] = {
    "number": lambda n: f" {n}\n\n\n\n\n\n",
    "dashed number": lambda n: f" -{n}-\n\n\n\n\n\n",
    "number and source": lambda n: f" {n}\n\nSource: FLATS & SONS, INC., 10-K, 3/5/2010\n\n\n\n\n\n",
    "page of pages": lambda n: f"   Page {n} of {PAGES}\n\n\n\n\n\n",
    "footer": lambda n: f"   Lease of Twelve Flats Page {n}/{PAGES}\n\n\n\n\n\n",
    "notice": lambda n: f" *** Portions of this page have been omitted and filed separately.   {n}\n\n\n\n\n\n",
    "header": lambda n: f" {n}\n\n\n\n\n\nCONFIDENTIAL EXECUTION VERSION ",
    "underscores": lambda n: f"   {n}\n\n\n\n\n\n\n\n\n________________\n\n\n",
    "underlining": lambda n: " --------- ",
    "wide underlining": lambda n: "      --------------      ",
    "EDGAR page": lambda n: f"   <PAGE>   {n}   ",
    "source": lambda n: f"   {n}   Source: FLATS & SONS, INC., 10-K, 3/5/2010\n\n\n\n",
    "number before a header": lambda n: f"\n\n\n\n- {n} -  FLATS CONTRACT {'No.' if n % 2 else 'NO.'} 076C/01   ",
    "request": lambda n: f"   *Confidential Treatment Requested   {n}\n\n\n\n\n\n",
    "rest of the page": lambda n: f" [Remainder of page intentionally left blank]   {n}\n\n\n\n\n\n",
    "number with a full stop": lambda n: f"   {n}.\n\n\n\n\n\n",
    "page of pages behind a name": lambda n: f" Page {n} of {PAGES}\n",
}


@pytest.mark.parametrize("kind", INLINE)
def test_running_matter_on_the_line_of_the_text_is_hidden_and_nothing_else(kind: str) -> None:
    text = lease(INLINE[kind], flat, between=("", ""))
    document = with_hidden(Document("lease", text))
    assert words(document.shown(0, len(text))) == WANTED
    shown = [" ".join(document.shown(unit.start, unit.end).split()) for unit in Clauses()(document)]
    assert [text for text in shown if "garden" in text] == [sentence(n) for n in range(1, PAGES + 1)]


def test_line_numbers_of_pleadings_are_hidden() -> None:
    lines = " ".join(FILLER).format(n=1).split()
    rows = [" ".join(lines[at : at + 4]) for at in range(0, len(lines), 4)][:27]
    text = "\n".join(f"{at:>2}  {row}" for at, row in enumerate(rows, start=1)) + "\n28\n"
    document = with_hidden(Document("pleading", text))
    assert words(document.shown(0, len(text))) == words(" ".join(rows))


KEPT = [
    ("a list", "The parties are:\n\n1\n\nThe landlord.\n\n2\n\nThe tenant.\n"),
    ("rows of a table", "Year\nRent\n1\n900\n2\n950\n3\n990\n4\n1020\n"),
    (
        "a blank to fill in",
        "This lease is made on the ______ day of ________, 2001, between\n________________\nand the tenant.\n",
    ),
    ("something left out", "The price is [***] and the term is [*****] years.\n\n***\n\nThe end.\n"),
    ("an omission in a statute", "The secretary shall report * * * to the senate.\n\n* * *\n\nSection ends.\n"),
    ("a section without words", "9. [intentionally left blank].\n"),
    ("a clause on signature pages", "The signature pages to this Agreement may be delivered by electronic means.\n"),
    (
        "a clause on confidential treatment",
        "The party may request confidential treatment, and may omit what is redacted.\n",
    ),
    (
        "one notice over a filing",
        "Certain portions have been omitted and filed separately with the Commission.\n\nLEASE\n",
    ),
    (
        "articles with their numbers below",
        "".join(f"ARTICLE\n{n}\n\n\n\n{FILLER[0].format(n=n) * 6}\n\n" for n in range(1, 7)),
    ),
    (
        "clauses that come back",
        "".join(f"{FILLER[0].format(n=n) * 4} and\n\nThe Closing Date\n\nis {n}.\n\n" for n in range(1, 2)),
    ),
    ("dashes between words", "The premises -- that is, the flat --- are let.\n"),
    (
        "headings",
        "".join(f"Section {n}.1 Rent\n\n{FILLER[0].format(n=n)} {FILLER[1].format(n=n)}\n\n" for n in range(9)),
    ),
    ("answers that come back", "".join(f"Schedule {n}\n\nNot applicable\n\n" for n in range(1, 9))),
    ("a page cited", "See the first paragraph on\npage 12 of the report, which is annexed.\n"),
    ("a page of pages cited", "The figures are those shown on Page 3 of 12\nof the report, which is annexed.\n"),
    ("a web page in a sentence", "The policy stands at privacy.html and may be changed.\n"),
    ("centred figures of a table", "\n\n".join(f"{' ' * 30}{n}" for n in (40, 41, 42, 43)) + "\n"),
]


@pytest.mark.parametrize(("name", "text"), KEPT, ids=[name for name, _ in KEPT])
def test_what_belongs_to_the_text_stays(name: str, text: str) -> None:
    assert running_matter(text) == []


def test_a_page_number_on_the_line_of_the_text_fits_between_known_ones() -> None:
    page = " ".join(FILLER).format(n=1)
    text = f"{page}\n\n35\n\n{page}\n\n36\n\n{page} 37\n\n\n{page}\n\n38\n\n{page}\n\n39\n\n{page}"
    document = with_hidden(Document("d", text))
    assert words(document.shown(0, len(text))) == words(" ".join([page] * 6))


def test_a_centred_number_behind_the_last_one_is_hidden_on_a_short_page() -> None:
    middle = " " * 39
    long = "The tenant pays the rent on the first day of each month.\n" * 12
    text = f"{long}\n{middle}7\n\n{long}\n{middle}8\n\nSCHEDULE B\n\nNone.\n\n{middle}9\n\nSCHEDULE C\n\nNone.\n"
    assert [text[slice(*edges)].strip() for edges in running_matter(text)] == ["7", "8", "9"]


def test_the_next_number_in_a_table_stays() -> None:
    long = "The tenant pays the rent on the first day of each month.\n" * 12
    text = f"{long}\n7\n\n{long}\n8\n\nFlat\n\n9\n\nFlat and garage\n\n10\n\nGarage\n"
    assert "9" not in {text[slice(*edges)].strip() for edges in running_matter(text)}


@pytest.mark.parametrize(
    ("line", "hidden"),
    [
        ("Lease Addendum I      Page 2 of 3", ["Page 2 of 3"]),
        ("The rent is stated on Page 2 of 3", []),
        ("The rent is stated on Page 2 of 3 of the offer.", []),
        ("Room 4 has the key, see Page 9 of 3", []),
    ],
)
def test_the_number_of_a_page_at_the_end_of_a_line(line: str, hidden: list[str]) -> None:
    text = f"The tenant pays.\n\n{line}\n\nThe landlord repairs."
    assert [text[slice(*edges)].strip() for edges in running_matter(text)] == hidden


@pytest.mark.parametrize("citation", ["2022-NCSC-1", "[2022] UKSC 5", "2021 ND 114", "[2020] EWCA Civ 12"])
def test_a_neutral_citation_is_shown_on_the_first_page_only(citation: str) -> None:
    body = "The court finds that the berth was let to the owner for the season, and that the fee was paid in full. " * 5
    text = f"MARSH v. QUAY\n\n{citation}\n\n{body}The owner shall\n\n{citation}\n\nleave it. {body}\n\n{citation}\n\n{body}"
    document = with_hidden(Document("d", text))
    shown = document.shown(0, len(text))
    assert shown.count(citation) == 1
    assert "The owner shall leave it." in " ".join(shown.split())


def test_edges_are_sorted_disjoint_and_inside() -> None:
    text = lease(LINES["number and EDGAR page"], wrapped)
    edges = running_matter(text)
    assert all(start < end for start, end in edges)
    assert all(before[1] < after[0] for before, after in pairwise(edges))
    assert 0 <= edges[0][0] <= edges[-1][1] <= len(text)


def test_the_pieces_of_a_sentence_join_without_a_gap() -> None:
    text = lease(LINES["number"], wrapped)
    document = with_hidden(Document("lease", text))
    start = text.index(opening(3)[:26])
    end = text.index(CLOSING[-20:], start) + 20
    assert "\n\n" not in document.shown(start, end)
    assert len(document.pieces(start, end)) == 2


@pytest.mark.parametrize(
    "text",
    [
        "-" * 200_000 + "x",
        "- " * 100_000 + "x",
        " " * 200_000 + "x",
        "\n" * 200_000 + "x",
        " \n" * 100_000 + "x",
        "x" + " " * 200_000,
        "_ " * 100_000 + "x",
        "1\n" * 100_000,
        "Item 1 of the list\n\n" * 20_000,
        "Page 1\n\n\n\n\n\n" * 20_000,
        "<PAGE>" * 30_000,
        "\f" * 100_000,
        "omitted " * 50_000,
        "* certain omitted " * 20_000 + "filed separately",
        "[signature page " * 20_000,
    ],
    ids=range(15),
)
def test_odd_texts_take_no_time(text: str) -> None:
    begin = process_time()
    running_matter(text)
    assert process_time() - begin < 10
