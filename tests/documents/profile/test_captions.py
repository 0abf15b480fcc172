"""Papers as the courts of several countries lay them out; all cases are made up for the project."""

import pytest

from pincite.documents.profile import profile
from pincite.text import Document

PAPERS = [
    (
        "district court, columns with brackets",
        """IN THE UNITED STATES DISTRICT COURT
FOR THE EASTERN DISTRICT OF TENNESSEE
AT KNOXVILLE

DAVID R. HOLLIS,                    )
                                    )
     Plaintiff,                     )
                                    )     No. 3:17-CV-00212-TAV-HBG
v.                                  )
                                    )
COVENANT LOGISTICS, INC., and       )
MARK T. PERRY,                      )
                                    )
     Defendants.                    )

                    MEMORANDUM OPINION AND ORDER

     This civil action is before the Court on defendants' Motion for Summary Judgment [Doc. 31].

ENTER:
     s/ Thomas A. Varlan
     CHIEF UNITED STATES DISTRICT JUDGE
""",
        "Memorandum Opinion and Order",
        "judgment",
        ["David R. Hollis", "Covenant Logistics, Inc.", "Mark T. Perry"],
        "",
    ),
    (
        "district court, columns with section signs",
        """Case 4:19-cv-01234   Document 45   Filed on 03/16/20 in TXSD   Page 1 of 12
United States District Court
Southern District of Texas
ENTERED
March 16, 2020
David J. Bradley, Clerk
UNITED STATES DISTRICT COURT
SOUTHERN DISTRICT OF TEXAS
HOUSTON DIVISION

BAYOU CITY MARINE LLC,              §
                                    §
          Plaintiff,                §
                                    §
VS.                                 §   CIVIL ACTION NO. 4:19-CV-1234
                                    §
ATLANTIC HULL INSURANCE COMPANY,    §
                                    §
          Defendant.                §

MEMORANDUM AND ORDER

Pending is Defendant's Motion to Dismiss (Document No. 12).
""",
        "Memorandum and Order",
        "order",
        ["Bayou City Marine LLC", "Atlantic Hull Insurance Company"],
        "2020-03-16",
    ),
    (
        "district court, columns with colons",
        """IN THE UNITED STATES DISTRICT COURT
FOR THE EASTERN DISTRICT OF PENNSYLVANIA

ANGELA M. RUIZ                      :       CIVIL ACTION
                                    :
          v.                        :
                                    :
PENN TRANSIT AUTHORITY, et al.      :       NO. 18-4417

                                  MEMORANDUM

Bartle, J.                                              November 5, 2019

     Plaintiff Angela Ruiz has sued her former employer.
""",
        "Ruiz v. Penn Transit Authority",
        "judgment",
        ["Angela M. Ruiz", "Penn Transit Authority"],
        "2019-11-05",
    ),
    (
        "slip opinion",
        """                    UNITED STATES COURT OF APPEALS
                         FOR THE FOURTH CIRCUIT

                              No. 21-1234

COASTAL HARVEST COOPERATIVE,

                    Plaintiff - Appellant,

          v.

MARTIN J. WALSH, Secretary of Labor,

                    Defendant - Appellee.

Appeal from the United States District Court for the Eastern District of Virginia, at Alexandria. Leonie M. Brinkema, District Judge. (1:20-cv-00555-LMB)

Argued: March 9, 2022                                Decided: June 14, 2022

Before NIEMEYER, KING, and RUSHING, Circuit Judges.

Affirmed by published opinion. Judge King wrote the opinion.
""",
        "Coastal Harvest Cooperative v. Walsh",
        "judgment",
        ["Coastal Harvest Cooperative", "Martin J. Walsh"],
        "2022-06-14",
    ),
    (
        "per curiam, versus",
        """[DO NOT PUBLISH]

In the
United States Court of Appeals
For the Eleventh Circuit

____________________

No. 22-10765

Non-Argument Calendar

____________________

UNITED STATES OF AMERICA,

Plaintiff-Appellee,

versus

DEMETRIUS LAVON CARTER,

Defendant-Appellant.

____________________

Appeal from the United States District Court for the Middle District of Florida
D.C. Docket No. 8:20-cr-00321-TPB-AAS-1

____________________

Before JORDAN, BRANCH, and GRANT, Circuit Judges.

PER CURIAM:

Demetrius Carter appeals his sentence.
""",
        "United States v. Carter",
        "judgment",
        ["United States of America", "Demetrius Lavon Carter"],
        "",
    ),
    (
        "memorandum disposition, columns run together",
        """NOT FOR PUBLICATION

FILED

UNITED STATES COURT OF APPEALS
AUG 3 2021
FOR THE NINTH CIRCUIT
MOLLY C. DWYER, CLERK
U.S. COURT OF APPEALS

HELEN OKAFOR, an individual,  No. 20-55555

Plaintiff-Appellant,  D.C. No. 2:19-cv-01010-ODW-JC

v.
MEMORANDUM*
PACIFIC HOSPITALITY GROUP, INC.,

Defendant-Appellee.

Appeal from the United States District Court
for the Central District of California
Otis D. Wright II, District Judge, Presiding

Submitted July 28, 2021**
""",
        "Okafor v. Pacific Hospitality Group, Inc.",
        "judgment",
        ["Helen Okafor", "Pacific Hospitality Group, Inc."],
        "2021-08-03",
    ),
    (
        "petition for review",
        """United States Court of Appeals
for the Fifth Circuit

United States Court of Appeals
Fifth Circuit
FILED
May 17, 2022
Lyle W. Cayce
Clerk

No. 20-61007

Hartwell R. Jarkins; Patriot Ridge, L.L.C.,

Petitioners,

versus

Securities and Exchange Commission,

Respondent.

Petition for Review of an Order of the
United States Securities and Exchange Commission
No. 3-15255

Before Davis, Elrod, and Oldham, Circuit Judges.
""",
        "Jarkins v. Securities and Exchange Commission",
        "judgment",
        ["Hartwell R. Jarkins", "Patriot Ridge, L.L.C.", "Securities and Exchange Commission"],
        "2022-05-17",
    ),
    (
        "slip opinion on one line",
        """(Slip Opinion)              OCTOBER TERM, 2018

                                       Syllabus

       NOTE: Where it is feasible, a syllabus (headnote) will be released.

SUPREME COURT OF THE UNITED STATES

                                       Syllabus

        HARMON v. MIDLAND PIPELINE CO. ET AL.

CERTIORARI TO THE UNITED STATES COURT OF APPEALS FOR
               THE EIGHTH CIRCUIT

   No. 17-1107.      Argued November 27, 2018—Decided May 13, 2019
""",
        "Harmon v. Midland Pipeline Co. et al.",
        "judgment",
        ["Harmon", "Midland Pipeline Co."],
        "2019-05-13",
    ),
    (
        "complaint with numbers in the margin",
        """1 Robert L. Chan (SBN 234567)
rchan@chanlaw.com
2 CHAN & RIVERA LLP
3 555 Montgomery Street, Suite 900
San Francisco, California 94111
4 Telephone: (415) 555-0100
5 Attorneys for Plaintiff
GRANITE BAY SOFTWARE, INC.

UNITED STATES DISTRICT COURT
NORTHERN DISTRICT OF CALIFORNIA
SAN JOSE DIVISION

GRANITE BAY SOFTWARE, INC., a Delaware corporation,

Plaintiff,

v.

LUMENA NETWORKS LLC, a Nevada limited liability company,

Defendant.

Case No. 5:20-cv-04321-LHK

COMPLAINT FOR PATENT INFRINGEMENT

DEMAND FOR JURY TRIAL

Plaintiff Granite Bay Software, Inc. ("Granite Bay") alleges as follows:
""",
        "Complaint for Patent Infringement",
        "brief",
        ["Granite Bay Software, Inc.", "Lumena Networks LLC"],
        "",
    ),
    (
        "rules with x, a name in the right column",
        """UNITED STATES DISTRICT COURT
SOUTHERN DISTRICT OF NEW YORK
------------------------------------------------------------x
LORRAINE B. FEDERMAN, individually and on behalf of all others
similarly situated,

                    Plaintiff,
                                                              18 Civ. 9876 (PAE)
          -v-
                                                              OPINION & ORDER
NORTHLIGHT CAPITAL GROUP, INC.,

                    Defendant.
------------------------------------------------------------x

PAUL A. ENGELMAYER, District Judge:
""",
        "Opinion & Order",
        "judgment",
        ["Lorraine B. Federman", "Northlight Capital Group, Inc."],
        "",
    ),
    (
        "bankruptcy",
        """IN THE UNITED STATES BANKRUPTCY COURT
FOR THE DISTRICT OF DELAWARE

In re:                                 )   Chapter 11
                                       )
COPPER CANYON RETAIL HOLDINGS, LLC,    )   Case No. 20-11177 (KBO)
et al.,                                )
                                       )   (Jointly Administered)
          Debtors.                     )
                                       )   Re: Docket No. 14

FINAL ORDER (I) AUTHORIZING THE USE OF CASH COLLATERAL AND (II) GRANTING RELATED RELIEF

Upon the motion (the "Motion") of the above-captioned debtors
""",
        "Final Order (I) Authorizing the Use of Cash Collateral and (II) Granting Related Relief",
        "order",
        ["Copper Canyon Retail Holdings, LLC"],
        "",
    ),
    (
        "appellate brief",
        """No. 19-2345

IN THE
UNITED STATES COURT OF APPEALS
FOR THE SEVENTH CIRCUIT

PRAIRIE STATE WIND, LLC,
Plaintiff-Appellant,

v.

ILLINOIS COMMERCE COMMISSION, et al.,
Defendants-Appellees.

Appeal from the United States District Court
for the Northern District of Illinois, Eastern Division.
No. 1:18-cv-04567
The Honorable Gary Feinerman, Judge Presiding.

BRIEF OF PLAINTIFF-APPELLANT PRAIRIE STATE WIND, LLC

JAMES P. GARLAND
Garland & Wirth LLP
""",
        "Brief of Plaintiff-Appellant Prairie State Wind, LLC",
        "brief",
        ["Prairie State Wind, LLC", "Illinois Commerce Commission"],
        "",
    ),
    (
        "motion of two lines",
        """UNITED STATES DISTRICT COURT
MIDDLE DISTRICT OF FLORIDA
TAMPA DIVISION

TRINITY CITRUS GROWERS, INC.,

     Plaintiff,

v.                                        Case No. 8:21-cv-456-VMC-JSS

SUNBELT PACKING CO.,

     Defendant.
_______________________________________/

DEFENDANT'S MOTION TO DISMISS THE AMENDED COMPLAINT
AND INCORPORATED MEMORANDUM OF LAW

Defendant Sunbelt Packing Co. moves under Rule 12(b)(6)
""",
        "Defendant's Motion to Dismiss the Amended Complaint and Incorporated Memorandum of Law",
        "brief",
        ["Trinity Citrus Growers, Inc.", "Sunbelt Packing Co."],
        "",
    ),
    (
        "minutes",
        """UNITED STATES DISTRICT COURT
CENTRAL DISTRICT OF CALIFORNIA

CIVIL MINUTES - GENERAL

Case No. CV 18-8021 PA (ASx)  Date  January 14, 2019

Title  Jonathan Reyes v. Costal Freight Systems, Inc., et al.

Present: The Honorable PERCY ANDERSON, UNITED STATES DISTRICT JUDGE

Proceedings: IN CHAMBERS - ORDER REMANDING ACTION
""",
        "Jonathan Reyes v. Costal Freight Systems, Inc., et al.",
        "order",
        ["Jonathan Reyes", "Costal Freight Systems, Inc."],
        "2019-01-14",
    ),
    (
        "letter of the clerk",
        """United States Court of Appeals
For The Eighth Circuit
Thomas F. Eagleton U.S. Courthouse
111 South 10th Street, Room 24.329
St. Louis, Missouri 63102

Michael E. Gans  VOICE (314) 244-2400
Clerk of Court  FAX (314) 244-2780
www.ca8.uscourts.gov

September 12, 2017

Mr. Alan Bergstrom
HALVERSON & PIKE
100 Washington Avenue, Suite 2200
Minneapolis, MN 55401

RE: 17-2987 Lakes Gas Co. v. Clark Oil Trading Company

Dear Counsel:

The district court clerk has transmitted a notice of appeal in this matter.
""",
        "Lakes Gas Co. v. Clark Oil Trading Company",
        "letter",
        ["Lakes Gas Co.", "Clark Oil Trading Company"],
        "2017-09-12",
    ),
    (
        "docketing notice",
        """UNITED STATES COURT OF APPEALS
FOR THE FOURTH CIRCUIT
OFFICE OF THE CLERK
1100 East Main Street, Suite 501
Richmond, Virginia 23219-3517
www.ca4.uscourts.gov

September 8, 2017

DOCKETING NOTICE - AGENCY CASE

No. 17-2055, Dominion Ridge Coal Company v. Betty Stilwell
BRB-1: 16-0444-BLA

Petition received: 09/07/2017

The court has docketed a petition for review
""",
        "Dominion Ridge Coal Company v. Betty Stilwell",
        "other",
        ["Dominion Ridge Coal Company", "Betty Stilwell"],
        "2017-09-08",
    ),
    (
        "docketing notice with roles on the line",
        """UNITED STATES COURT OF APPEALS FOR THE SEVENTH CIRCUIT

Everett McKinley Dirksen United States Courthouse
Room 2722 - 219 S. Dearborn Street
Chicago, Illinois 60604
Office of the Clerk
Phone: (312) 435-5850
www.ca7.uscourts.gov

NOTICE OF DOCKETING - Short Form

September 22, 2017

No. 17-2991
CITY OF CHICAGO, Plaintiff - Appellee
v.
JEFFERSON B. SESSIONS III, Attorney General of the United States, Defendant - Appellant

Originating Case Information:
District Court No: 1:17-cv-05720
""",
        "City of Chicago v. Sessions",
        "other",
        ["City of Chicago", "Jefferson B. Sessions III"],
        "2017-09-22",
    ),
    (
        "order of a court of appeals",
        """United States Court of Appeals
FOR THE DISTRICT OF COLUMBIA CIRCUIT

No. 17-5236  September Term, 2017
1:17-cv-01855-RCL
Filed On: October 12, 2017 [1698765]

Public Records Watch,
Appellant
v.
Department of Homeland Security,
Appellee

ORDER

The notice of appeal was filed on October 10, 2017, and docketed in this court.
""",
        "Public Records Watch v. Department of Homeland Security",
        "order",
        ["Public Records Watch", "Department of Homeland Security"],
        "2017-10-12",
    ),
    (
        "short caption",
        """Case: 18-1234  Document: 1-1  Page: 1  Filed: 11/20/2017

UNITED STATES COURT OF APPEALS FOR THE FEDERAL CIRCUIT
717 MADISON PLACE, N.W.
WASHINGTON, D.C. 20439

PETER R. MARKSTEINER  CLERK'S OFFICE
CLERK OF COURT  202-275-8000

NOTICE OF DOCKETING

Federal Circuit Docket No.: 2018-1234
Federal Circuit Short Caption: Acme Lighting, Inc. v. Bright Ideas, LLC
Date of Docketing: November 20, 2017
Originating Tribunal: United States District Court for the Eastern District of Texas
""",
        "Acme Lighting, Inc. v. Bright Ideas, LLC",
        "other",
        ["Acme Lighting, Inc.", "Bright Ideas, LLC"],
        "2017-11-20",
    ),
    (
        "judgment, roles with commas",
        """United States Court of Appeals
For the First Circuit
_____________________

No. 17-1890

JOSE L. ALVARADO-RIVERA,

Plaintiff, Appellant,

v.

PUERTO RICO TELEPHONE COMPANY, INC.; ANA M. SOTO,

Defendants, Appellees.
__________________

Before

Howard, Chief Judge,
Torruella and Kayatta, Circuit Judges.
__________________

JUDGMENT

Entered: October 3, 2017

""",
        "Alvarado-Rivera v. Puerto Rico Telephone Company, Inc.",
        "judgment",
        ["Jose L. Alvarado-Rivera", "Puerto Rico Telephone Company, Inc.", "Ana M. Soto"],
        "2017-10-03",
    ),
    (
        "state supreme court",
        """IN THE SUPREME COURT OF THE STATE OF DELAWARE

KATHERINE L. MORSE and           §
ELLIS TRUST COMPANY,             §
                                 §   No. 345, 2018
      Plaintiffs Below,          §
      Appellants,                §   Court Below: Court of Chancery
                                 §   of the State of Delaware
      v.                         §
                                 §   C.A. No. 2017-0421
BLUEWATER PARTNERS, L.P.,        §
                                 §
      Defendant Below,           §
      Appellee.                  §

                     Submitted: January 16, 2019
                     Decided:   February 4, 2019

Before STRINE, Chief Justice; VALIHURA and VAUGHN, Justices.
                         O R D E R
""",
        "Morse v. Bluewater Partners, L.P.",
        "order",
        ["Katherine L. Morse", "Ellis Trust Company", "Bluewater Partners, L.P."],
        "2019-02-04",
    ),
    (
        "court in the right column",
        """CAUSE NO. 2019-55555

JANET MOORE AND PAUL MOORE,        §    IN THE DISTRICT COURT OF
     Plaintiffs,                   §
                                   §
v.                                 §    HARRIS COUNTY, TEXAS
                                   §
REDLINE ROOFING, LLC,              §
     Defendant.                    §    157TH JUDICIAL DISTRICT

PLAINTIFFS' ORIGINAL PETITION

TO THE HONORABLE JUDGE OF SAID COURT:
""",
        "Plaintiffs' Original Petition",
        "brief",
        ["Janet Moore", "Paul Moore", "Redline Roofing, LLC"],
        "",
    ),
    (
        "judgment on a form",
        """AO 245B (Rev. 09/19) Judgment in a Criminal Case

UNITED STATES DISTRICT COURT
Western District of Missouri

UNITED STATES OF AMERICA  JUDGMENT IN A CRIMINAL CASE
v.
TERRENCE W. BOYD  Case Number: 4:18-CR-00077-01-BP
USM Number: 33445-045

THE DEFENDANT:
pleaded guilty to count(s) 1
""",
        "Judgment in a Criminal Case",
        "judgment",
        ["United States of America", "Terrence W. Boyd"],
        "",
    ),
    (
        "neutral citation",
        """Neutral Citation Number: [2021] EWHC 1450 (Comm)
Case No: CL-2019-000412
IN THE HIGH COURT OF JUSTICE
BUSINESS AND PROPERTY COURTS OF ENGLAND AND WALES
COMMERCIAL COURT (QBD)
Royal Courts of Justice, Rolls Building
Fetter Lane, London, EC4A 1NL
Date: 27/05/2021
Before:
MR JUSTICE FOXTON
Between:
ALDERMOOR SHIPPING LIMITED
Claimant
- and -
(1) PETRA BULK CARRIERS S.A.
(2) NIKOS VASSILIOU
Defendants
Mr John Smith QC (instructed by ABC LLP) for the Claimant
Approved Judgment
""",
        "Aldermoor Shipping Limited v. Petra Bulk Carriers S.A.",
        "judgment",
        ["Aldermoor Shipping Limited", "Petra Bulk Carriers S.A.", "Nikos Vassiliou"],
        "2021-05-27",
    ),
    (
        "letter to a judge",
        """MORRIS & KESSLER LLP
1200 Avenue of the Americas
New York, NY 10036

May 4, 2021

VIA ECF

The Honorable Lewis A. Kaplan
United States District Court
Southern District of New York
500 Pearl Street
New York, NY 10007

Re: Orion Credit Fund LP v. Baltic Metals Trading Ltd., No. 20 Civ. 7788 (LAK)

Dear Judge Kaplan:

We represent plaintiff Orion Credit Fund LP and write to request an extension.
""",
        "Orion Credit Fund LP v. Baltic Metals Trading Ltd.",
        "letter",
        ["Orion Credit Fund LP", "Baltic Metals Trading Ltd."],
        "2021-05-04",
    ),
    (
        "agency",
        """UNITED STATES OF AMERICA
BEFORE THE
SECURITIES AND EXCHANGE COMMISSION

SECURITIES EXCHANGE ACT OF 1934
Release No. 84567 / November 8, 2018

ADMINISTRATIVE PROCEEDING
File No. 3-18888

In the Matter of

ZACHARY COBURN,

Respondent.

ORDER INSTITUTING CEASE-AND-DESIST PROCEEDINGS
""",
        "Order Instituting Cease-and-Desist Proceedings",
        "order",
        ["Zachary Coburn"],
        "2018-11-08",
    ),
    (
        "matter of an application",
        """SUPREME COURT OF THE STATE OF NEW YORK
COUNTY OF ALBANY
In the Matter of the Application of
FRIENDS OF HUDSON VALLEY, INC.,
Petitioner,
-against-
NEW YORK STATE DEPARTMENT OF ENVIRONMENTAL CONSERVATION,
Respondent.
DECISION, ORDER AND JUDGMENT
Index No. 901234-19
""",
        "Decision, Order and Judgment",
        "judgment",
        ["Friends of Hudson Valley, Inc.", "New York State Department of Environmental Conservation"],
        "",
    ),
    (
        "numbered parties",
        """IN THE UNITED STATES DISTRICT COURT
FOR THE WESTERN DISTRICT OF OKLAHOMA

(1) RED PLAINS ENERGY, INC.,  )
Plaintiff,  )
v.  )  Case No. CIV-19-321-D
(1) MESA TUBULARS, LLC,  )
Defendant.  )

NOTICE OF APPEAL

Notice is hereby given that Red Plains Energy, Inc. appeals
""",
        "Notice of Appeal",
        "brief",
        ["Red Plains Energy, Inc.", "Mesa Tubulars, LLC"],
        "",
    ),
    (
        "letter with a case style",
        """UNITED STATES COURT OF APPEALS
FOR THE ELEVENTH CIRCUIT

ELBERT PARR TUTTLE COURT OF APPEALS BUILDING
56 Forsyth Street, N.W.
Atlanta, Georgia 30303

David J. Smith
Clerk of Court

August 17, 2017

Appeal Number: 17-13595-E
Case Style: Delores Moore v. Walmart Stores East, LP
District Court Docket No: 8:16-cv-01990-EAK-MAP

This Court requires all counsel to file documents electronically
""",
        "Delores Moore v. Walmart Stores East, LP",
        "letter",
        ["Delores Moore", "Walmart Stores East, LP"],
        "2017-08-17",
    ),
    (
        "memorandum to counsel",
        """United States Court of Appeals
FIFTH CIRCUIT
OFFICE OF THE CLERK

LYLE W. CAYCE  TEL. 504-310-7700
CLERK  600 S. MAESTRI PLACE,
Suite 115
NEW ORLEANS, LA 70130

September 11, 2017

MEMORANDUM TO COUNSEL OR PARTIES LISTED BELOW:

No. 17-20545  Gloria Ware v. Union Pacific Railroad
USDC No. 4:16-CV-2233

Enclosed is a copy of the case caption.
""",
        "Gloria Ware v. Union Pacific Railroad",
        "letter",
        ["Gloria Ware", "Union Pacific Railroad"],
        "2017-09-11",
    ),
    (
        "letter with a number before the name",
        """UNITED STATES COURT OF APPEALS
FOR THE TENTH CIRCUIT
OFFICE OF THE CLERK
Byron White United States Courthouse
1823 Stout Street
Denver, Colorado 80257

Elisabeth A. Shumaker
Clerk of Court

October 02, 2017

Chris Wolpert
Chief Deputy Clerk

Mr. Robert Hale
Hale Law
PO Box 100
Tulsa, OK 74103

RE: 17-5093, Parker v. Farmers Mutual Insurance
Dist/Ag docket: 4:15-CV-00211-CVE-PJC

Dear Counsel:

Your appeal has been docketed
""",
        "Parker v. Farmers Mutual Insurance",
        "letter",
        ["Parker", "Farmers Mutual Insurance"],
        "2017-10-02",
    ),
    (
        "order of two paragraphs",
        """United States District Court
Northern District of California

UNITED STATES DISTRICT COURT

NORTHERN DISTRICT OF CALIFORNIA

OPEN PAYMENTS INC.,

Plaintiff,

v.

JUNIPER BANK, N.A., et al.,

Defendants.

Case No. 21-cv-01234-JST

ORDER GRANTING IN PART AND

DENYING IN PART MOTION TO DISMISS

Re: ECF No. 33

Before the Court is Defendants' motion to dismiss.
""",
        "Order Granting in Part and Denying in Part Motion to Dismiss",
        "order",
        ["Open Payments Inc.", "Juniper Bank, N.A."],
        "",
    ),
]


@pytest.mark.parametrize(
    ("text", "title", "kind", "parties", "date"), [case[1:] for case in PAPERS], ids=[case[0] for case in PAPERS]
)
def test_a_court_paper_says_what_it_is(text: str, title: str, kind: str, parties: list[str], date: str) -> None:
    named = profile(Document("d001.txt", text))
    assert named.title.casefold() == title.casefold()
    assert named.kind == kind
    assert [name.casefold() for name in named.parties] == [name.casefold() for name in parties]
    assert named.date == date
    assert named.court


@pytest.mark.parametrize(("text", "parties"), [(case[1], case[4]) for case in PAPERS], ids=[case[0] for case in PAPERS])
def test_parties_are_read_where_every_line_is_a_paragraph(text: str, parties: list[str]) -> None:
    """As readers of PDF give a page: no indents, two blanks between columns."""
    lines = [
        "  ".join(line.split("  ")[0:1] + [cell.strip() for cell in line.split("  ")[1:] if cell.strip()])
        for line in text.split("\n")
    ]
    apart = "\n\n".join(line.strip() for line in lines if line.strip())
    named = profile(Document("d001.txt", apart))
    assert [name.casefold() for name in named.parties] == [name.casefold() for name in parties]


def test_a_stamp_shows_that_a_paper_was_filed() -> None:
    text = (
        "Case 1:20-cv-02345-RDM   Document 7-2   Filed 09/01/20   Page 1 of 1\n\nNOTICE OF LODGING\n\n"
        "The plaintiff lodges the documents that are listed below.\n"
    )
    named = profile(Document("d001.txt", text))
    assert (named.docket, named.date) == ("1:20-cv-02345-RDM", "2020-09-01")


def test_a_line_that_ran_into_another_column_names_no_case() -> None:
    text = (
        "United States Court of Appeals for the Second Circuit\nDocket #: 17-3510\n\n"
        "Short Title: Harbor League Manag v. National CITY)\n\nDOCKETING NOTICE\n\nAn appeal was docketed today.\n"
    )
    assert profile(Document("d001.txt", text)).title == "DOCKETING NOTICE"


def test_a_case_that_a_sentence_cites_is_no_caption() -> None:
    text = "SUPERIOR COURT OF ARIZONA\nCase No. 12-345\n\nThe court has read\nv.\nthis is what we found to have been said.\n"
    assert profile(Document("d001.txt", text)).parties == ()
