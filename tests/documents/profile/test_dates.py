"""The date of a document among other dates; all made up for the project."""

import pytest

from pincite.documents.profile import profile
from pincite.text import Document

CAPTION = (
    "UNITED STATES DISTRICT COURT\nDISTRICT OF NEVADA\n\nJOHN P. ROE,\nPlaintiff,\nv.\nACME CORP.,\nDefendant.\n"
    "Case No. 2:19-cv-01234\n\nORDER\n\nThe case was transferred to this Court in August 2015 when 22 cases were filed.\n"
)
DATES = [
    (f"{CAPTION}\nDATED this 5th day of March, 2020.\n", "2020-03-05"),
    (f"{CAPTION}\nIT IS SO ORDERED.\n\nDated: March 5, 2020\n\nJane Q. Judge\n", "2020-03-05"),
    (
        f"{CAPTION}\nThe motion (filed on May 3, 2016) is granted.\n\nSO ORDERED this 9th day of June, 2016.\n",
        "2016-06-09",
    ),
    (CAPTION + "The motion is denied for these reasons. " * 90 + "\nRoe v. Bolt | 2:15-cv-1\n05/31/2019\n", ""),
    ("AGREEMENT\n\nThis Agreement, made this ____ day of June, 1999, between Acme Corp. and John P. Roe", "1999-06"),
    (
        "AGREEMENT\n\nAcme Corp., a company of Ohio, and John P. Roe, who lives there, hereby enter into this Agreement "
        '(this "Agreement") dated November 28, 2001. Acme Corp. wishes to be served.',
        "2001-11-28",
    ),
    (
        "AGREEMENT\n\nAgreement Number: N115                     Effective Date: March 1, 1996\n\nAcme Corp. and Bolt "
        "Inc. agree. The directive dated 14 May 1991 applies.",
        "1996-03-01",
    ),
    ("Last Updated: April 6, 2007     AFFILIATE AGREEMENT\n\nThe terms between Acme Corp. and you.", "2007-04-06"),
    (
        "AGREEMENT\n\nThis Agreement dated March 12,1999, between Acme Corp. and John P. Roe. Signed 13 March 1999.",
        "1999-03-12",
    ),
    ("AGREEMENT\n\nThis Agreement is effective as of the 1.4.2011 between Acme Corp. and John P. Roe.", "2011-04-01"),
    ("AGREEMENT\n\nThis Agreement is made on April. 1st 2019 between Acme Corp. and John P. Roe.", "2019-04-01"),
    (
        "AGREEMENT made as of the tenth day of June in the year 2002 between Acme Corp. and John P. Roe.",
        "2002-06-10",
    ),
    (
        "October 1, 1998\n\nMs. Ann Roe\n\nDear Ann:\n\nThis letter amends the Employment Agreement dated as of June 1, 1996 "
        "between you and Acme Corp.",
        "1998-10-01",
    ),
    (
        "October 1, 1998\n\nMs. Ann Flint\n\nDear Ann:\n\nThis letter constitutes an amendment to your Employment Agreement "
        'with Orsay Group, Inc. (the "Company") dated as of May 1, 1995.\n',
        "1998-10-01",
    ),
    ("Date: 27/05/2021\n\nLEASE\n\nAcme Corp. and Bolt Inc. agree.", "2021-05-27"),
]


@pytest.mark.parametrize(("text", "date"), DATES)
def test_the_date_is_that_of_making(text: str, date: str) -> None:
    assert profile(Document("d001.txt", text)).date == date
