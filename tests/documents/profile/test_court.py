"""Captions of court papers as courts print them, in one column and in two; all written for the project."""

import pytest

from pincite.documents.profile import profile
from pincite.text import Document
from pincite.text.kinds import same_kind

PAPERS = [
    (
        """Jane Q. Attorney (SBN 123456)
LAW OFFICES OF JANE ATTORNEY
100 Main Street
Los Angeles, CA 90012
Attorneys for Plaintiff Acme Widgets, Inc.

UNITED STATES DISTRICT COURT
CENTRAL DISTRICT OF CALIFORNIA

ACME WIDGETS, INC., a California corporation, ) Case No. CV 12-04567 GAF (JCx)
Plaintiff, )
) STIPULATION FOR ENTRY OF CONSENT
vs. ) JUDGMENT AND PERMANENT INJUNCTION
BOLT TRADING CO., LTD.; and DOES 1-10, )
Defendants. )

Plaintiff Acme Widgets and defendant Bolt Trading stipulate as follows:
""",
        [
            "Acme Widgets, Inc. v. Bolt Trading Co., Ltd.",
            "Stipulation for Entry of Consent Judgment and Permanent Injunction",
        ],
        ["brief"],
    ),
    (
        """IN THE UNITED STATES DISTRICT COURT
FOR THE MIDDLE DISTRICT OF NORTH CAROLINA

STATE OF NORTH CAROLINA, )
)
Plaintiff, )
)
v. ) 1:15CV123
)
GREEN RIVER POWER COMPANY, INC., )
)
Defendant. )

MEMORANDUM OPINION AND ORDER

SCHROEDER, District Judge.

This is an action for penalties. The motion to dismiss is DENIED.
""",
        ["State of North Carolina v. Green River Power Company, Inc.", "Memorandum Opinion and Order"],
        ["order", "judgment"],
    ),
    (
        """UNITED STATES BANKRUPTCY COURT
SOUTHERN DISTRICT OF NEW YORK
-----------------------------------x
In re: : Chapter 11
HARBOR LIGHTS HOTELS, LLC, : Case No. 19-11234 (SCC)
Debtor. :
-----------------------------------x
ORDER AUTHORIZING THE DEBTOR TO OBTAIN POSTPETITION FINANCING
Upon the motion of the debtor""",
        ["In re Harbor Lights Hotels, LLC", "Order Authorizing the Debtor to Obtain Postpetition Financing"],
        ["order"],
    ),
    (
        """Case 3:11-cv-00123-WHA Document 27 Filed 02/03/12 Page 1 of 7

IN THE UNITED STATES DISTRICT COURT
FOR THE NORTHERN DISTRICT OF CALIFORNIA

MARIA GONZALEZ and JOHN SMITH, on behalf of themselves and all others similarly situated,
Plaintiffs,
v.
NORTHERN FREIGHT LINES, INC.,
Defendant.
No. C 11-00123 WHA
ORDER GRANTING MOTION TO COMPEL ARBITRATION
INTRODUCTION
In this putative class action""",
        ["Gonzalez v. Northern Freight Lines, Inc.", "Order Granting Motion to Compel Arbitration"],
        ["order"],
    ),
    (
        """SUPREME COURT OF THE STATE OF NEW YORK
COUNTY OF KINGS
--------------------------------------X
PETER O'MALLEY,
                              Plaintiff,               Index No. 501234/2016
          -against-
THE CITY OF NEW YORK and METRO PAVING CORP.,
                              Defendants.
--------------------------------------X
DECISION AND ORDER
""",
        ["O'Malley v. The City of New York", "Decision and Order"],
        ["order", "judgment"],
    ),
]


@pytest.mark.parametrize(("text", "titles", "kinds"), PAPERS, ids=[case[1][0] for case in PAPERS])
def test_a_court_paper_is_called_by_its_caption(text: str, titles: list[str], kinds: list[str]) -> None:
    named = profile(Document("d001.txt", text))
    assert named.title.casefold() in [title.casefold() for title in titles]
    assert any(same_kind(named.kind, kind) for kind in kinds)
    assert named.court
    assert named.docket
