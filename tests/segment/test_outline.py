"""Outlines of documents in the layouts that legal texts come in, and of documents of any size and depth."""

import time

import pytest

from pincite.segment import Clauses
from pincite.segment.outline import headings
from pincite.text import Document, Source

BODY = "The parties shall act as stated here and nobody shall object to it, whatever happens in the meantime. " * 2


def first_level(text: str, **source: object) -> list[str]:
    document = Document("d", text, source=Source(**source))  # type: ignore[arg-type]
    return [heading.text for heading in headings(document) if heading.level == 0]


ARTICLES = f"""PURCHASE AGREEMENT

TABLE OF CONTENTS

ARTICLE I DEFINITIONS.........1
1.1 Terms.........1
ARTICLE II SALE.........2
2.1 Price.........2

RECITALS

A. The seller owns a ship. {BODY}

AGREEMENT

NOW, THEREFORE, the parties agree as follows:

ARTICLE I

DEFINITIONS

1.1 Terms. {BODY}

ARTICLE II
SALE

2.1 Price. The price is stated in Section 3 of Exhibit A. {BODY}

ARTICLE III MISCELLANEOUS

3.1 Law. {BODY}

IN WITNESS WHEREOF, the parties have signed this agreement.

ACME HOLDINGS, INC.
By: ____________

EXHIBIT A
PRICES

1. {BODY}

2. {BODY}
"""


def test_articles_recitals_and_exhibits_are_the_first_level() -> None:
    assert first_level(ARTICLES) == [
        "RECITALS",
        "AGREEMENT",
        "ARTICLE I DEFINITIONS",
        "ARTICLE II SALE",
        "ARTICLE III MISCELLANEOUS",
        "EXHIBIT A PRICES",
    ]


def test_the_table_of_contents_and_signatures_are_under_no_heading() -> None:
    document = Document("d", ARTICLES)
    paths = {ARTICLES[unit.start : unit.end][:20]: unit.heading_path for unit in Clauses()(document)}
    assert paths["IN WITNESS WHEREOF, "] == ()
    assert not any(path for text, path in paths.items() if "....." in text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # A text that lost its line breaks: headings stand inside the line.
        (
            f"SUPPLY AGREEMENT The parties agree as follows: 1. Products and Payments A. Product. {BODY}See Section 2 below. "
            f"2. Term. {BODY}Notices go to Tim Orr 3. Entire Agreement. {BODY}",
            ["1. Products and Payments", "2. Term", "3. Entire Agreement"],
        ),
        # Number and title on lines of their own, the title wrapped.
        (
            f"1.\n\nTermination\nof Employment\n\n{BODY}\n\n2.\n\nSeverance\n\n{BODY}\n\n3.\n\nLaw\n\n{BODY}",
            ["1. Termination of Employment", "2. Severance", "3. Law"],
        ),
        ("".join(f"ARTICLE\n{n}\n\nTERM\n\n{BODY}\n\n" for n in (1, 2, 3)), [f"ARTICLE {n} TERM" for n in (1, 2, 3)]),
        # Run-in titles, and numbers without any.
        (f"1. Term. {BODY}\n\n2. {BODY}\n\n3. Law. {BODY}", ["1. Term", "2.", "3. Law"]),
        # Numbers of lists inside sections are not the first level.
        (
            f"1. Term. {BODY}\n\n2. Duties. The supplier shall:\n\n1. deliver;\n\n2. install;\n\n3. maintain.\n\n3. Law. {BODY}",
            ["1. Term", "2. Duties", "3. Law"],
        ),
        # Statutes and judgments.
        (f"Art. 12 Scope\n\n{BODY}\n\nArt. 13 Aim\n\n{BODY}\n\nArt. 14 Duty\n\n{BODY}", ["Art. 12 Scope", "Art. 13 Aim", "Art. 14 Duty"]),
        (f"§ 1 Scope\n\n{BODY}\n\n§ 2 Aim\n\n{BODY}\n\n§ 3 Duty\n\n{BODY}", ["§ 1 Scope", "§ 2 Aim", "§ 3 Duty"]),
        ("".join(f"[{n}] {BODY}\n\n" for n in range(1, 6)), [f"[{n}]" for n in range(1, 6)]),
        # Titles without numbers.
        (f"NOTICE\n\n{BODY}\n\nSCOPE\n\n{BODY}\n\nDUTIES\n\n{BODY}", ["SCOPE", "DUTIES"]),
        (f"{BODY}\n\nScope. {BODY}\n\nDuties. {BODY}\n\nLaw. {BODY}", ["Scope", "Duties", "Law"]),
        # An address is no outline.
        (f"UNITED STATES COURT\n\n40 Foley Square\n\nORDER\n\n{BODY}\n\nClerk of Court", []),
    ],
)  # fmt: skip
def test_first_level_of_many_layouts(text: str, expected: list[str]) -> None:
    assert first_level(text) == expected


def test_marks_of_markdown_are_not_part_of_a_heading() -> None:
    text = f"# Lease\n\n## 1\\. Term\n\n{BODY}\n\nRent\n----\n\n{BODY}"
    marked = ((0, 1), (text.index("##"), 2), (text.index("Rent"), 2))
    assert first_level(text, headings=marked) == ["1. Term", "Rent"]


def test_headings_without_text_are_in_the_outline() -> None:
    text = f"ARTICLE I TERM\n\n{BODY}\n\nARTICLE II [RESERVED]\n\nARTICLE III LAW\n\n{BODY}"
    assert first_level(text) == ["ARTICLE I TERM", "ARTICLE II [RESERVED]", "ARTICLE III LAW"]
    begins = [text[heading.start :].split()[0] for heading in headings(Document("d", text))]
    assert begins == ["The", "ARTICLE", "The"]


HUGE = {
    "10,000 headings": "".join(f"{n}. HEADING {n}\n\nIt stands over text.\n\n" for n in range(1, 10_001)),
    "thousands deep": "\n\n".join(".".join(["1"] * depth) + " A sentence of its own stands here." for depth in range(1, 1000)),
    "a single line of megabytes": BODY * 10_000 + "1. Term. " + BODY * 2_000,
    "numbers only": "1. " * 50_000,
    "articles only": "ARTICLE I " * 30_000,
    "exhibits only": "EXHIBIT A\n" * 20_000,
}  # fmt: skip


@pytest.mark.parametrize("name", HUGE)
def test_documents_of_any_size_and_depth_take_linear_time(name: str) -> None:
    document = Document("d", HUGE[name], source=Source(hidden=()))
    begun = time.process_time()
    assert all(len(unit.heading_path) < 20 for unit in Clauses()(document))
    headings(document)
    assert time.process_time() - begun < 30
