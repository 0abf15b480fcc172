"""Documents of many kinds as they occur: forms, guaranties, letters, captions, plans, pages of sites. All written here."""

from pathlib import Path

import pytest

from pincite.documents.profile import profile
from pincite.documents.workers import read_files
from pincite.text import Document

TITLES = [
    (
        "a guaranty addressed to a lender",
        """                                                                  EXHIBIT 10.14


                              CONTINUING GUARANTY


TO:  SUNBELT COMMERCIAL CREDIT CORPORATION

         1. FOR VALUE RECEIVED, and in consideration of any loan heretofore or hereafter granted by you to
HARTMAN POOLS, INC. (the "Borrower"), the undersigned, DELIA R. HARTMAN ("Guarantor"), unconditionally
guarantees the full and prompt payment of the Indebtedness when due.

Dated: February 12, 1996.
""",
        "CONTINUING GUARANTY",
        "guarantee",
        ["DELIA R. HARTMAN", "SUNBELT COMMERCIAL CREDIT CORPORATION"],
    ),
    (
        "an official form with its name below its number",
        """OPM Form 71                                                   Rev. September 2009
Formerly Standard Form (SF) 71                         Previous editions usable

                   REQUEST FOR LEAVE OR APPROVED ABSENCE

1. Name (Last, first, middle)                      2. Employee or Social Security Number

3. Organization
""",
        "REQUEST FOR LEAVE OR APPROVED ABSENCE",
        "form",
        [],
    ),
    (
        "an official form with its name beside its number",
        """                                                              OMB No. 1615-0040; Expires 05/31/2020
Department of Homeland Security                               Form I-765, Application For
U.S. Citizenship and Immigration Services                     Employment Authorization

START HERE - Type or print in black ink.
Part 1. Reason for Applying
""",
        "Application For Employment Authorization",
        "form",
        [],
    ),
    (
        "an instrument to be recorded",
        """RECORDING REQUESTED BY AND
WHEN RECORDED MAIL TO:
Yakima Valley Bank
P.O. Box 900
Yakima, WA 98907

                 (Space above this line for Recorder's use)

                  PROMISSORY NOTE MODIFICATION AGREEMENT

THIS PROMISSORY NOTE MODIFICATION AGREEMENT ("Agreement") is dated November 8, 2010, between Cascade Orchards LLC, a
Washington limited liability company ("Borrower"), and Yakima Valley Bank ("Lender").
""",
        "PROMISSORY NOTE MODIFICATION AGREEMENT",
        "credit agreement",
        ["Cascade Orchards LLC", "Yakima Valley Bank"],
    ),
    (
        "an offer in the first person",
        """                                                       Exhibit 10.12

May 2, 2018

Devon Marsh
[Address]

Dear Devon,

On behalf of Crane Robotics, Inc. (the “Company”), I am pleased to offer you the position of Chief Financial Officer,
reporting to the Chief Executive Officer. The terms of your employment are as follows.

1. Start Date. Your first day will be June 1, 2018.
""",
        "Offer of Employment",
        "offer letter",
        ["Crane Robotics, Inc.", "Devon Marsh"],
    ),
    (
        "the name of the paper between the party and v.",
        """                    UNITED STATES DISTRICT COURT
                  NORTHERN DISTRICT OF CALIFORNIA

VANTAGE OPTICS CORP.,               Case No. 5:19-cv-04432-LHK
           Plaintiff,
                                        STIPULATED PROTECTIVE ORDER
      v.
LUMEN WORKS LTD.,
           Defendant.

     1.  PURPOSES AND LIMITATIONS
     Disclosure and discovery activity in this action are likely to involve production of private information.
""",
        "STIPULATED PROTECTIVE ORDER",
        "order",
        ["VANTAGE OPTICS CORP.", "LUMEN WORKS LTD."],
    ),
    (
        "an order whose name is in the right column",
        """                            UNITED STATES DISTRICT COURT
                           EASTERN DISTRICT OF CALIFORNIA

ANA RAMOS,                                          No. 2:14-cv-02111-TLN-EFB

                  Plaintiff,

         v.                                         ORDER

DELTA VISTA UNIFIED SCHOOL DISTRICT,

                  Defendant.


         This matter is before the court on defendant's motion for summary judgment, ECF No. 31.
""",
        "RAMOS v. DELTA VISTA UNIFIED SCHOOL DISTRICT",
        "order",
        ["ANA RAMOS", "DELTA VISTA UNIFIED SCHOOL DISTRICT"],
    ),
    (
        "an opinion with the judge who wrote it",
        """COMMONWEALTH OF PENNSYLVANIA,         :   IN THE SUPERIOR COURT OF
                                      :        PENNSYLVANIA
               Appellee               :
                                      :
          v.                          :
                                      :
ALAN DREYER,                          :
                                      :
               Appellant              :   No. 2210 EDA 2013

        Appeal from the Judgment of Sentence Entered June 12, 2013

BEFORE: BOWES, J., OTT, J., and JENKINS, J.

MEMORANDUM BY OTT, J.:                       FILED SEPTEMBER 23, 2014
""",
        "COMMONWEALTH OF PENNSYLVANIA v. DREYER",
        "judgment",
        ["COMMONWEALTH OF PENNSYLVANIA", "ALAN DREYER"],
    ),
    (
        "a plan of a bank",
        """Exhibit 10.6

GRANTHAM SAVINGS BANK
SUPPLEMENTAL EXECUTIVE RETIREMENT PLAN
(As Amended and Restated Effective January 1, 2005)

ARTICLE I
PURPOSE

1.1 The purpose of this Plan is to provide supplemental retirement benefits to certain executives.
""",
        "GRANTHAM SAVINGS BANK SUPPLEMENTAL EXECUTIVE RETIREMENT PLAN",
        "retirement plan",
        ["GRANTHAM SAVINGS BANK"],
    ),
    (
        "an agreement that is dated in its first line",
        """                                   AGREEMENT

     AGREEMENT, dated January 4, 1999, by and between Lomax Industries, Inc., a Delaware corporation (the "Company"), and
Peter V. Grasso (the "Executive").
""",
        "AGREEMENT",
        None,
        ["Lomax Industries, Inc.", "Peter V. Grasso"],
    ),
    (
        "an assignment of a lease",
        """                     ASSIGNMENT AND ASSUMPTION OF LEASE

   KNOW ALL MEN BY THESE PRESENTS, that ROOK CAFE LLC ("Assignor") hereby assigns to BEANERY HOLDINGS, INC. ("Assignee")
all of its right, title and interest in the Lease dated June 1, 2010, effective September 1, 2015.
""",
        "ASSIGNMENT AND ASSUMPTION OF LEASE",
        "assignment",
        ["ROOK CAFE LLC", "BEANERY HOLDINGS, INC."],
    ),
]


@pytest.mark.parametrize(("name", "text", "title", "kind", "parties"), TITLES, ids=[row[0] for row in TITLES])
def test_title_kind_and_parties(name: str, text: str, title: str, kind: str | None, parties: list[str]) -> None:
    found = profile(Document("d001.txt", text))
    assert found.title == title
    assert kind is None or found.kind == kind
    assert list(found.parties) == parties


@pytest.mark.parametrize(
    ("name", "date"),
    [
        ("an opinion with the judge who wrote it", "2014-09-23"),
        ("an agreement that is dated in its first line", "1999-01-04"),
    ],
)
def test_dates(name: str, date: str) -> None:
    text = next(row[1] for row in TITLES if row[0] == name)
    assert profile(Document("d001.txt", text)).date == date


def test_the_name_of_a_company_says_nothing_of_the_kind() -> None:
    text = (
        "                CERTIFICATE OF AMENDMENT\n                         OF\n             CERTIFICATE OF INCORPORATION\n"
        "                         OF\n                QUILLON SOFTWARE CORP.\n\n     QUILLON SOFTWARE CORP., a corporation of "
        "the State of Delaware, DOES HEREBY CERTIFY:\n\n     FIRST: That the Board adopted a resolution.\n"
    )
    found = profile(Document("d001.txt", text))
    assert found.kind != "software licence"
    assert list(found.parties) == ["QUILLON SOFTWARE CORP."]


def test_the_name_of_a_site_is_no_part_of_the_title(tmp_path: Path) -> None:
    page = tmp_path / "d001.html"
    page.write_text(
        "<html><head><title>Terms of Service - Skein</title></head><body><h1>Terms of Service</h1>"
        "<p>These Terms of Service govern your use of the services of Skein Inc.</p></body></html>"
    )
    (document,) = next(iter(read_files([(page, page.name)]))).documents
    assert profile(document).title == "Terms of Service"
