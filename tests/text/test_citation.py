"""Citations as they stand in a memorandum."""

import pytest

from pincite.text import Document, Source
from pincite.text.citation import citation

PAGED = Source(page_starts=(0, 10), page_labels=("i", "9"))
CASE = {"kind": "judgment", "court": "2d Cir.", "docket": "17-3510", "date": "2017-10-31"}


@pytest.mark.parametrize(
    ("title", "metadata", "path", "cited"),
    [
        ("Licence Agreement", {}, ("7. Fees", "7.2"), "Licence Agreement § 7.2, p. 9"),
        ("LICENCE AGREEMENT", {}, ("Notices",), "Licence Agreement, p. 9"),
        ("Lease", {}, ("2. Rent", "2.16", "(a)", "(ii)"), "Lease § 2.16(a)(ii), p. 9"),
        ("Lease", {}, ("Section 4A. Pets",), "Lease § 4A, p. 9"),
        ("Lease", {}, ("(b) Pets",), "Lease § (b), p. 9"),
        ("Supply Terms", {}, ("ARTICLE IV", "4.2 Term"), "Supply Terms § 4.2, p. 9"),
        ("Supply Terms", {}, ("ARTICLE IV - TERM",), "Supply Terms Art. IV, p. 9"),
        ("Supply Terms", {}, ("Article 12", "(a)"), "Supply Terms Art. 12(a), p. 9"),
        ("Supply Terms", {}, ("Article 5", "Section 2"), "Supply Terms Art. 5 § 2, p. 9"),
        ("GDPR", {"kind": "regulation"}, ("Article 12", "3."), "GDPR Art. 12(3), p. 9"),
        ("DATA PROTECTION ACT", {"kind": "act"}, ("12 Rights", "(3)"), "Data Protection Act § 12(3), p. 9"),
        ("Lease", {}, ("RECITALS",), "Lease, Recitals, p. 9"),
        ("Lease", {}, ("Recitals:", "(B)"), "Lease, Recital B, p. 9"),
        ("Lease", {}, ("WHEREAS:",), "Lease, Recitals, p. 9"),
        ("Lease", {}, ("Background",), "Lease, Background, p. 9"),
        ("Lease", {}, ("BACKGROUND CHECKS",), "Lease, p. 9"),
        ("Lease", {}, ("SCHEDULE A - FEES", "3. Rates"), "Lease, Schedule A § 3, p. 9"),
        ("Lease", {}, ("Exhibit B",), "Lease, Exhibit B, p. 9"),
        ("Lease", {}, ("Schedule of Fees",), "Lease, p. 9"),
        ("SCHEDULE A", {}, ("SCHEDULE A", "3."), "deed.pdf, Schedule A § 3, p. 9"),
        ("Exhibit", {}, ("5. Term",), "deed.pdf § 5, p. 9"),
        ("EX-10.1", {}, ("5. Term",), "deed.pdf § 5, p. 9"),
        ("", {}, ("5. Term",), "deed.pdf § 5, p. 9"),
        ("  \n ", {}, (), "deed.pdf, p. 9"),
        ("Smith v. Jones", CASE, ("12.",), "Smith v. Jones, No. 17-3510 (2d Cir. 31 Oct. 2017), ¶ 12, p. 9"),
        (
            "SMITH V. JONES",
            CASE,
            ("II. DISCUSSION",),
            "Smith v. Jones, No. 17-3510 (2d Cir. 31 Oct. 2017), Part II, p. 9",
        ),
        ("Smith v. Jones", {"kind": "opinion", "date": "2017"}, (), "Smith v. Jones (2017), p. 9"),
        ("Smith v. Jones", {"kind": "judgment", "docket": "Case C-131/12"}, (), "Smith v. Jones, Case C-131/12, p. 9"),
        ("Smith v. Jones", {"kind": "judgment", "date": "someday"}, (), "Smith v. Jones, p. 9"),
        ("Licence", {"short_parties": "Halden; Orrick"}, ("7.2",), "Halden-Orrick Licence § 7.2, p. 9"),
        ("Licence", {"short_parties": "Halden-Orrick"}, ("7.2",), "Halden-Orrick Licence § 7.2, p. 9"),
        ("Licence", {"short_parties": "HALDEN; ORRICK"}, ("7.2",), "Halden-Orrick Licence § 7.2, p. 9"),
        ("Our deal", {"short_parties": "Halden; Orrick", "title": "Our deal"}, ("7.2",), "Our deal § 7.2, p. 9"),
        ("Licence", {"short_parties": "Color Spot; Orrick"}, ("7.2",), "Color Spot–Orrick Licence § 7.2, p. 9"),
        ("In re MARIA L. ORRICK", {"kind": "order"}, (), "In re Maria L. Orrick, p. 9"),
        ("ANN MARSH, et al. v. Quay LLC", {"kind": "order"}, (), "Ann Marsh, et al. v. Quay LLC, p. 9"),
        ("NAACP v. Quay LLC", {"kind": "order"}, (), "NAACP v. Quay LLC, p. 9"),
        ("Smith v. Jones", {"kind": "judgment"}, ("2022-NCSC-1",), "Smith v. Jones, p. 9"),
        ("Smith v. Jones", {"kind": "judgment"}, ("[2022] UKSC 5", "[12]"), "Smith v. Jones, ¶ 12, p. 9"),
        ("Smith v. Jones", {"kind": "judgment"}, ("2022-NCSC-1", "7."), "Smith v. Jones, ¶ 7, p. 9"),
        ("Plan", {}, ("2021 BUDGET",), "Plan, p. 9"),
        ("Lease", {}, ("17. GENERAL", "A6. CHARGES"), "Lease § A6, p. 9"),
        ("Lease", {}, ("17. GENERAL", "B2B SALES"), "Lease § 17, p. 9"),
        ("Halden Licence", {"short_parties": "Halden; Orrick"}, ("7.2",), "Halden Licence § 7.2, p. 9"),
        ("", {"short_parties": "Halden; Orrick"}, ("7.2",), "deed.pdf § 7.2, p. 9"),
        ("Licence", {"parties": "Halden Ltd; Orrick Inc"}, ("7.2",), "Licence § 7.2, p. 9"),
    ],
)
def test_a_place_is_cited_as_in_a_memo(title: str, metadata: dict[str, str], path: tuple[str, ...], cited: str) -> None:
    document = Document("deals/deed.pdf", "x" * 20, title, metadata, PAGED)
    assert citation(document, 12, path) == cited


def test_without_pages_none_are_cited() -> None:
    assert citation(Document("a", "", "Lease"), 0, ()) == "Lease"
    assert citation(Document("a", "", ""), 0, ()) == "a"
