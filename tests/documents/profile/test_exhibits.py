"""Exhibits as EDGAR keeps them: titles over several lines, amendments, letters, covers, tags; all written for the project."""

import pytest

from pincite.documents.profile import profile
from pincite.text import Document

EXHIBITS = [
    (
        """<PAGE>   1
                                                                   EXHIBIT 10.7

                                FIRST AMENDMENT

                                      TO

                         LOAN AND SECURITY AGREEMENT


     This First Amendment to Loan and Security Agreement (this "Amendment") is entered into as of the 3rd day of
March, 1999, by and between NORTHFIELD SAVINGS BANK ("Bank") and HARLAN TOOL & DIE, INC., an Ohio
corporation ("Borrower"), and amends that certain Loan and Security Agreement dated June 2, 1997.
""",
        "First Amendment to Loan and Security Agreement",
        "1999-03-03",
        ["NORTHFIELD SAVINGS BANK", "HARLAN TOOL & DIE, INC."],
    ),
    (
        """EX-10.3
3
dex103.htm
EMPLOYMENT AGREEMENT WITH JANE DOE

Exhibit 10.3

AMENDED AND RESTATED

EMPLOYMENT AGREEMENT

THIS AMENDED AND RESTATED EMPLOYMENT AGREEMENT (the “Agreement”), dated as of December 31, 2008 (the “Effective Date”), is made by and between Corvus Holdings, Inc., a Delaware corporation (together with its successors and assigns, the “Company”), and Jane Q. Doe (“Executive”). The Company and Executive are parties to an employment agreement dated as of May 1, 2005 (the “Prior Agreement”).
""",
        "Amended and Restated Employment Agreement",
        "2008-12-31",
        ["Corvus Holdings, Inc.", "Jane Q. Doe"],
    ),
    (
        """                          C R E D I T   A G R E E M E N T

                          dated as of May 4, 2001

                                     among

                          BRADLEY FOODS COMPANY,
                                as Borrower,

                          THE LENDERS LISTED HEREIN,
                                as Lenders,

                                      and

                          FIRST UNION NATIONAL BANK,
                           as Administrative Agent

                                  $150,000,000
""",
        "Credit Agreement",
        "2001-05-04",
        ["BRADLEY FOODS COMPANY", "FIRST UNION NATIONAL BANK"],
    ),
    (
        """                                                                  Exhibit 10(b)

                              January 12, 2006


Mr. Peter R. Hallows
14 Elm Court
Dayton, Ohio 45402

Dear Peter:

     This letter agreement sets forth the terms of your separation from employment with Meridian Glass Corporation
(the "Company") effective January 31, 2006 (the "Separation Date").
""",
        None,
        "2006-01-12",
        ["Meridian Glass Corporation", "Peter R. Hallows"],
    ),
    (
        """<DOCUMENT>
<TYPE>EX-10.14
<SEQUENCE>3
<FILENAME>a14.txt
<DESCRIPTION>SEVERANCE AGREEMENT
<TEXT>

                               CHANGE IN CONTROL
                              SEVERANCE AGREEMENT

         AGREEMENT between Weller Industries, Inc., a Nevada corporation (the "Corporation"), and Thomas A. Beecham (the "Executive"), dated this 15th day of June 2003.
""",
        "Change in Control Severance Agreement",
        "2003-06-15",
        ["Weller Industries, Inc.", "Thomas A. Beecham"],
    ),
    (
        """AMENDMENT NO. 4 TO EMPLOYMENT AGREEMENT

         WHEREAS, R. J. Holloway ("Executive") and Burnside Oil Company (the "Company") entered into an employment agreement dated as of June 1, 1993 (the "Agreement"); and

         WHEREAS, the parties wish to amend the Agreement;

         NOW, THEREFORE, the Agreement is amended effective as of January 1, 1999 as follows:

         IN WITNESS WHEREOF, the parties have executed this Amendment as of the 1st day of January, 1999.

BURNSIDE OIL COMPANY

By: /s/ John Smith
""",
        "Amendment No. 4 to Employment Agreement",
        "1999-01-01",
        ["R. J. Holloway", "Burnside Oil Company"],
    ),
    (
        """CONSTRUCTION CONTRACT

Contract No. 2013-07

THIS CONTRACT is made effective the 1st day of August 2013.

BETWEEN:

          SILVER CREEK MINING LTD., a company incorporated under the laws of British Columbia
          (the "Owner")

AND:

          PETERSON EARTHWORKS INC.
          (the "Contractor")

WHEREAS the Owner wishes""",
        "Construction Contract",
        "2013-08-01",
        ["SILVER CREEK MINING LTD.", "PETERSON EARTHWORKS INC."],
    ),
    (
        """NINTH AMENDMENT OF FIRST AMENDED AND RESTATED
CONSTRUCTION LOAN AGREEMENT

This Ninth Amendment of First Amended and Restated Construction Loan Agreement (“Amendment”) dated effective as of the 30th day of September, 2016 is by and between PRAIRIE CREEK ENERGY, LLC, a Minnesota limited liability company (“BORROWER”), and LAKESIDE FEDERAL SAVINGS BANK, a federal savings bank ("BANK").
""",
        "Ninth Amendment of First Amended and Restated Construction Loan Agreement",
        "2016-09-30",
        ["PRAIRIE CREEK ENERGY, LLC", "LAKESIDE FEDERAL SAVINGS BANK"],
    ),
    (
        """SOFTWARE LICENSE AGREEMENT

This Software License Agreement ("Agreement") is made and entered into by and between Northgate Systems, Inc., ("Northgate") a California corporation having its principal place of business at 12 Harbour Drive, Oakland, California 94607, and Pallas Internet, Inc. ("Pallas"), a Delaware corporation having a place of business at 40 Vine Street, Albany, New York 12207 as of the last date of execution written below.

NORTHGATE SYSTEMS, INC.                 PALLAS INTERNET, INC.
By: /s/ A                           By: /s/ B
Date: 11/3/99                       Date: November 8, 1999
""",
        "Software License Agreement",
        "1999-11-08",
        ["Northgate Systems, Inc.", "Pallas Internet, Inc."],
    ),
    (
        """AGREEMENT FOR ENGINEERING, PROCUREMENT AND CONSTRUCTION SERVICES

for

PORT ORSAY LNG RECEIVING, STORAGE AND REGASIFICATION TERMINAL

by and between

PORT ORSAY LNG, L.P.
as Owner

and

KESTNER CORPORATION
as Contractor

Dated as of the 18th Day of December, 2004
""",
        "Agreement for Engineering, Procurement and Construction Services",
        "2004-12-18",
        ["PORT ORSAY LNG, L.P.", "KESTNER CORPORATION"],
    ),
]


@pytest.mark.parametrize(("text", "title", "date", "parties"), EXHIBITS, ids=[case[1] or "letter" for case in EXHIBITS])
def test_an_exhibit_says_what_it_is(text: str, title: str | None, date: str, parties: list[str]) -> None:
    named = profile(Document("d001.txt", text))
    assert title is None or named.title.casefold() == title.casefold()
    assert named.date == date
    assert [name.casefold() for name in named.parties] == [name.casefold() for name in parties]
