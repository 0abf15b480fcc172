"""Captions in two columns: the name of the paper, the parties; as text and as PDF. All written for the project."""

import re
from io import BytesIO
from pathlib import Path

import pytest
from reportlab.pdfgen.canvas import Canvas

from pincite.documents.profile import profile
from pincite.documents.profile.profile import titled
from pincite.documents.workers import read_files
from pincite.text import Document

PAPERS = [
    (
        "pleading paper",
        """Case 3:14-cv-01234-WHO   Document 27   Filed 03/04/15   Page 1 of 9


 1
 2
 3
 4
 5                         UNITED STATES DISTRICT COURT
 6                       NORTHERN DISTRICT OF CALIFORNIA
 7
 8   KAREN PRUITT,                          Case No. 14-cv-01234-WHO
 9                  Plaintiff,
10           v.                             ORDER GRANTING DEFENDANT'S
                                            MOTION TO DISMISS
11   HELIX FITNESS, INC.,
                                            Re: Dkt. No. 15
12                  Defendant.
13
14          Defendant Helix Fitness, Inc. moves to dismiss the complaint. For the reasons below the motion
15   is GRANTED with leave to amend.
16                                  BACKGROUND
17          Plaintiff bought a membership in 2012.
""",
        "ORDER GRANTING DEFENDANT'S MOTION TO DISMISS",
        ["KAREN PRUITT", "HELIX FITNESS, INC."],
    ),
    (
        "a declaration with the name beside both parties",
        """ADA MERROW (SBN 123456)
amerrow@merrowlaw.example
MERROW, TULL WALKUP, MELODIA, KELLY & SCHOENBERGER FINCH
650 California Street, 26th Floor
San Francisco, CA 94108
Telephone: (415) 555-0110

Attorneys for Plaintiffs

                        UNITED STATES DISTRICT COURT
                       NORTHERN DISTRICT OF CALIFORNIA
                           SAN FRANCISCO DIVISION

JOHN TRAN and MARK TRAN,                    Case No. 3:17-cv-05678-SI
            Plaintiffs,
      v.                                    DECLARATION OF MARK TRAN IN
                                            SUPPORT OF PLAINTIFFS' MOTION FOR
BAY CITY TRANSIT AUTHORITY,                 SUMMARY JUDGMENT

            Defendant.                      Date: May 4, 2018
                                            Time: 10:00 a.m.

I, Mark Tran, declare as follows:
""",
        "DECLARATION OF MARK TRAN IN SUPPORT OF PLAINTIFFS' MOTION FOR SUMMARY JUDGMENT",
        ["JOHN TRAN", "MARK TRAN", "BAY CITY TRANSIT AUTHORITY"],
    ),
    (
        "a name that begins beside v.",
        """        UNITED STATES DISTRICT COURT
        NORTHERN DISTRICT OF CALIFORNIA

LOUISE BECK,
              Plaintiff (s),                   No. C 08-04567 MHP
        v.
                                               ORDER SETTING INITIAL CASE
ORION CABLE CO.,                               MANAGEMENT CONFERENCE
              Defendant(s).                    AND ADR DEADLINES

IT IS HEREBY ORDERED that this action is assigned to the Honorable Vera Stoat.
""",
        "ORDER SETTING INITIAL CASE MANAGEMENT CONFERENCE AND ADR DEADLINES",
        ["LOUISE BECK", "ORION CABLE CO."],
    ),
    (
        "- against -",
        """UNITED STATES DISTRICT COURT
SOUTHERN DISTRICT OF NEW YORK
------------------------------------------------------x
MALCOLM GREER,

                            Plaintiff,                      14 Civ. 2211 (PAE)

              -against-                                     STIPULATION AND ORDER
                                                            OF DISMISSAL
UPTON TIRE CO.,

                            Defendant.
------------------------------------------------------x

       IT IS HEREBY STIPULATED AND AGREED by and between the parties that the action is dismissed.

Dated: August 5, 2014
""",
        "STIPULATION AND ORDER OF DISMISSAL",
        ["MALCOLM GREER", "UPTON TIRE CO."],
    ),
    (
        "signs and a possessive",
        """STATE OF NORTH CAROLINA                    IN THE GENERAL COURT OF JUSTICE
                                             SUPERIOR COURT DIVISION
COUNTY OF WAKE                                     18 CVS 004455

ELLEN VOSS,                            )
                                       )
                  Plaintiff,           )
                                       )      DEFENDANT'S ANSWER AND
      v.                               )      AFFIRMATIVE DEFENSES
                                       )
PINECREST DENTAL GROUP, P.C.,          )
                                       )
                  Defendant.           )

      NOW COMES Defendant and answers the Complaint.
""",
        "DEFENDANT'S ANSWER AND AFFIRMATIVE DEFENSES",
        ["ELLEN VOSS", "PINECREST DENTAL GROUP, P.C."],
    ),
    (
        "findings of a magistrate judge",
        """Case 4:16-cv-00321-A-BJ   Document 18   Filed 12/01/17   Page 1 of 14   PageID 644

                   IN THE UNITED STATES DISTRICT COURT
                    FOR THE NORTHERN DISTRICT OF TEXAS
                           FORT WORTH DIVISION

PATRICIA LOGAN,                          §
           Plaintiff,                    §
                                         §
VS.                                      §   CIVIL ACTION NO. 4:16-CV-321-A
                                         §
NORA A. BIRCHALL,                      §
ACTING COMMISSIONER OF                   §
SOCIAL SECURITY,                         §
           Defendant.                    §

      FINDINGS, CONCLUSIONS, AND RECOMMENDATION OF THE
            UNITED STATES MAGISTRATE JUDGE
             AND NOTICE AND ORDER

      Plaintiff filed this action.
""",
        "FINDINGS, CONCLUSIONS, AND RECOMMENDATION OF THE UNITED STATES MAGISTRATE JUDGE AND NOTICE AND ORDER",
        ["PATRICIA LOGAN", "NORA A. BIRCHALL"],
    ),
    (
        "a form of the courts",
        """AO 440 (Rev. 06/12) Summons in a Civil Action

                      UNITED STATES DISTRICT COURT
                                     for the
                             Western District of Michigan

               Helen Boer                          )
                                                   )
                Plaintiff(s)                       )
                   v.                              )       Civil Action No. 1:19-cv-00123
               Dune Rentals LLC                    )
                                                   )
               Defendant(s)                        )

                          SUMMONS IN A CIVIL ACTION

To: (Defendant's name and address) Dune Rentals LLC
A lawsuit has been filed against you.
""",
        "SUMMONS IN A CIVIL ACTION",
        ["Helen Boer", "Dune Rentals LLC"],
    ),
    (
        "an unpublished opinion",
        """Filed 5/14/13  P. v. Ortega CA2/6
                  NOT TO BE PUBLISHED IN THE OFFICIAL REPORTS
California Rules of Court, rule 8.1115(a), prohibits courts and parties from citing or relying on opinions not certified for
publication or ordered published, except as specified by rule 8.1115(b).

              IN THE COURT OF APPEAL OF THE STATE OF CALIFORNIA

                             SECOND APPELLATE DISTRICT

                                       DIVISION SIX


THE PEOPLE,                                                    2d Crim. No. B239999
                                                             (Super. Ct. No. 2010012345)
     Plaintiff and Respondent,                                   (Ventura County)

v.

LUIS ORTEGA,

     Defendant and Appellant.


              Luis Ortega appeals from the judgment after conviction by jury.
""",
        "PEOPLE v. ORTEGA",
        ["THE PEOPLE", "LUIS ORTEGA"],
    ),
    (
        "notice of motion with date and department",
        """TULL FINCH GRAYLING
180 Montgomery Street
San Francisco, California 94104
Tel: (415) 555-0120

Attorneys for Plaintiff and the Proposed Class


                SUPERIOR COURT OF THE STATE OF CALIFORNIA

                         COUNTY OF ALAMEDA

MARIA VEGA, individually and on behalf of     ) Case No. RG09876543
all others similarly situated,                )
                                              ) PLAINTIFFS' NOTICE OF MOTION AND
              Plaintiff,                      ) MOTION FOR CLASS CERTIFICATION
                                              )
       vs.                                    ) Date: June 3, 2011
                                              ) Time: 2:00 p.m.
ORCHARD SUPPLY, INC.; and DOES 1 through 50,  ) Dept.: 17
inclusive,                                    )
                                              ) Judge: Hon. Vera A. Stoat
              Defendants.                     )
______________________________________________)

TO ALL PARTIES AND THEIR ATTORNEYS OF RECORD:
""",
        "PLAINTIFFS' NOTICE OF MOTION AND MOTION FOR CLASS CERTIFICATION",
        ["MARIA VEGA", "ORCHARD SUPPLY, INC."],
    ),
    (
        "numbered lines and a proposed order",
        """1   PAUL K. GRAYLING (State Bar No. 100000)
2   GRAYLING COVINGTON & BURLING LLP STOAT LLP
3   One Front Street
4   San Francisco, CA 94111
5   Attorneys for Defendant
6
7
8                     UNITED STATES DISTRICT COURT
9                    NORTHERN DISTRICT OF CALIFORNIA
10
11  TARA LOWE,                            Case No.: 3:12-cv-04321-EMC
12                 Plaintiff,
13          v.                            JOINT STIPULATION AND [PROPOSED]
14  ZENITH APPS, INC.,                    ORDER EXTENDING TIME TO
15                 Defendant.             RESPOND TO COMPLAINT
16
17          Pursuant to Civil Local Rule 6-1(a), the parties stipulate as follows.
""",
        "JOINT STIPULATION AND PROPOSED ORDER EXTENDING TIME TO RESPOND TO COMPLAINT",
        ["TARA LOWE", "ZENITH APPS, INC."],
    ),
    (
        "dotted rules",
        """UNITED STATES DISTRICT COURT
SOUTHERN DISTRICT OF NEW YORK

- - - - - - - - - - - - - - - - - - - - - x
                                          :
SALLY REID,                               :
                                          :   13 Civ. 4455 (RJS)
                   Plaintiff,             :
                                          :
            - against -                   :
                                          :
CITY OF NEW YORK,                         :
                                          :
                   Defendant.             :
- - - - - - - - - - - - - - - - - - - - - x


        PLAINTIFF'S MEMORANDUM OF LAW IN OPPOSITION TO
                DEFENDANT'S MOTION TO STRIKE


                                    JONES & BROWN LLP
                                    Attorneys for Plaintiff
                                    1 Broadway
""",
        "PLAINTIFF'S MEMORANDUM OF LAW IN OPPOSITION TO DEFENDANT'S MOTION TO STRIKE",
        ["SALLY REID", "CITY OF NEW YORK"],
    ),
    (
        "clerk's notice",
        """                  UNITED STATES DISTRICT COURT
                 NORTHERN DISTRICT OF CALIFORNIA

DEAN BAKER,                             Case No. 13-cv-00112-JST
            Plaintiff,
        v.                              CLERK'S NOTICE SETTING CASE
                                        MANAGEMENT CONFERENCE
FULLER ENTERPRISES,
            Defendant.

TO ALL PARTIES AND COUNSEL OF RECORD:
""",
        "CLERK'S NOTICE SETTING CASE MANAGEMENT CONFERENCE",
        ["DEAN BAKER", "FULLER ENTERPRISES"],
    ),
]


@pytest.mark.parametrize(("text", "title", "parties"), [row[1:] for row in PAPERS], ids=[row[0] for row in PAPERS])
def test_a_paper_is_called_by_its_name(text: str, title: str, parties: list[str]) -> None:
    named = profile(titled(Document("d001.txt", text)))
    assert named.title == title
    assert list(named.parties) == parties


def test_the_same_papers_as_pdf(tmp_path: Path) -> None:
    files = []
    for at, (_, text, _, _) in enumerate(PAPERS):
        path = tmp_path / f"d{at:03}.pdf"
        path.write_bytes(_drawn(text))
        files.append((path, path.name))
    for (name, _, title, parties), reading in zip(PAPERS, read_files(files), strict=True):
        named = profile(reading.documents[0])
        assert (name, named.title) == (name, title)
        assert (name, list(named.parties)) == (name, parties)


def _drawn(text: str) -> bytes:
    """A page on which each run of words stands where it stands in the text."""
    buffer = BytesIO()
    canvas = Canvas(buffer, pagesize=(612, 792))
    canvas.setFont("Times-Roman", 11)
    for row, line in enumerate(text.split("\n")):
        for run in re.finditer(r"\S+(?: \S+)*", line):
            left = min(50 + 5.3 * run.start(), 588 - canvas.stringWidth(run.group()))
            canvas.drawString(max(left, 20), 740 - 13 * row, run.group())
    canvas.save()
    return buffer.getvalue()
