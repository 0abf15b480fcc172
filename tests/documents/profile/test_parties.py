"""Parties as preambles, covers and letters name them: banks, bodies, several on one side; all made up for the project."""

import pytest

from pincite.documents.profile import profile
from pincite.text import Document

PREAMBLES = [
    (
        "banks behind the lenders",
        "CREDIT AGREEMENT\n\nTHIS CREDIT AGREEMENT, dated as of February 20, 1998, is among Halden Corporation, a Delaware "
        'corporation, as Borrower (the "Borrower"), the Lenders parties thereto, The First National Bank of Orsay, as Agent, '
        'and The Larkin Manhattan Bank and NorthBank of Texas, N.A., as Co-Agents (the "Co-Agents").',
        [
            "Halden Corporation",
            "The First National Bank of Orsay",
            "The Larkin Manhattan Bank",
            "NorthBank of Texas, N.A.",
        ],
    ),
    (
        "a place before the form of a bank",
        "CREDIT AGREEMENT\n\nTHIS CREDIT AGREEMENT is made as of May 1, 2004 between ACME FOODS, INC., a Utah corporation, "
        'and BANK TWO, TEXAS, N.A., a national banking association ("Bank").',
        ["ACME FOODS, INC.", "BANK TWO, TEXAS, N.A."],
    ),
    (
        "roles of an agent are no party",
        "CREDIT AGREEMENT\n\nThis Credit Agreement, dated as of December 4, 2006, is among Brook Dental Group, Inc., a "
        "Delaware corporation, as Borrower, the institutions from time to time parties hereto as Lenders, Orsay National "
        "Association, as Administrative Agent, Swing Line Lender and LC Issuer, and Salle Bank National Association, as "
        "Syndication Agent. The parties hereto agree as follows:",
        ["Brook Dental Group, Inc.", "Orsay National Association", "Salle Bank National Association"],
    ),
    (
        "one hand and the other",
        "ENDORSEMENT AGREEMENT\n\nTHIS ENDORSEMENT AGREEMENT is made March 15, 2019 by and among, on the one hand, ABX Star, LLC, "
        'a Delaware limited liability company ("ABX"), and, on the other hand, Paula Marketing Fund, Inc., a Kentucky '
        'corporation ("PMF"), and Paula International, Inc. ("PI").',
        ["ABX Star, LLC", "Paula Marketing Fund, Inc.", "Paula International, Inc."],
    ),
    (
        "a trade name in brackets",
        "SPONSORSHIP AGREEMENT\n\nThis Sponsorship Agreement is entered into as of November 27, 2017 by and between Larkin Jaguars, "
        'LLC, a Delaware limited liability company ("Club"), and The Orsay Group, Inc., a Florida corporation (owner and '
        'operator of Wings and Grill) ("Sponsor").',
        ["Larkin Jaguars, LLC", "The Orsay Group, Inc."],
    ),
    (
        "and inside the name of a body",
        "COLLABORATION AGREEMENT\n\nThis Collaboration Agreement is made April 1, 2007 between the Institute of Grassland and "
        'Environmental Research ("IGER"), and Corvus, Inc., a Delaware corporation ("Corvus").',
        ["Institute of Grassland and Environmental Research", "Corvus, Inc."],
    ),
    (
        "and inside the name of a utility",
        "SERVICE AGREEMENT\n\nTHIS AGREEMENT is made November 1, 2002 between ORSAY GAS PIPELINE COMPANY, a Delaware corporation, and "
        "LARKVILLE GAS AND ELECTRIC COMPANY, a Kentucky corporation.",
        ["ORSAY GAS PIPELINE COMPANY", "LARKVILLE GAS AND ELECTRIC COMPANY"],
    ),
    (
        "names that begin with a small letter",
        "SOFTWARE LICENSE AGREEMENT\n\nThis Software License Agreement, effective this 30th day of June 1998, is between i7 Logic, "
        'Inc., with offices in Irving, Texas ("i7"), and deltafour.com, Inc., a Delaware corporation ("Licensee").',
        ["i7 Logic, Inc.", "deltafour.com, Inc."],
    ),
    (
        "a name like a street, and a generation",
        "SALARY AGREEMENT\n\nTHIS AGREEMENT is made this 1st day of December, 2003, by and between ATHENS COMMUNITY BANK, a bank in "
        'Athens, Georgia (the "Company"), ROBERT W. LANE (the "Executive") and R. Wade Mallister, Jr. (the "Trustee").',
        ["ATHENS COMMUNITY BANK", "ROBERT W. LANE", "R. Wade Mallister, Jr."],
    ),
    (
        "two places in brackets",
        "LICENCE AGREEMENT\n\nThis Licence Agreement is made 1 May 2001 between SYSTEM PRODUCTS (AFRICA) (PTY) LIMITED, a company, "
        'and UNITED HIRE (NORTH AMERICA), INC., a Delaware corporation ("Hire").',
        ["SYSTEM PRODUCTS (AFRICA) (PTY) LIMITED", "UNITED HIRE (NORTH AMERICA), INC."],
    ),
    (
        "a cover that names the roles",
        "                MARLOWE PAPER COMPANY,\n                     as Issuer\n\n                        and\n\n"
        "                 THE BANK OF ORSAY,\n                    as Trustee\n\n                     INDENTURE\n\n"
        "               Dated as of October 1, 1999\n",
        ["MARLOWE PAPER COMPANY", "THE BANK OF ORSAY"],
    ),
    (
        "a cover with a month and a role on the line of the name",
        "CREDIT AGREEMENT\n\nDATED AS OF\n\nDECEMBER 20, 1999\n\nAMONG\n\nORSAY COLA BOTTLING CO.\n\nAND\n\nLARKIN BANK, N.A., "
        "AS AGENT\n",
        ["ORSAY COLA BOTTLING CO.", "LARKIN BANK, N.A."],
    ),
    (
        "a company that is called like a month",
        "CREDIT AGREEMENT\n\nThis Credit Agreement is dated as of December 20, 1994 among December Holdings, Inc. and Orsay Bank, N.A.",
        ["December Holdings, Inc.", "Orsay Bank, N.A."],
    ),
    (
        "somebody who speaks",
        "JOINDER AGREEMENT\n\nI, MARY K. STONE, and UNITED SAVINGS BANK hereby agree that I shall participate in the Plan of 2008.",
        ["MARY K. STONE", "UNITED SAVINGS BANK"],
    ),
    (
        "who is guaranteed",
        'GUARANTY\n\nFOR VALUE RECEIVED, the undersigned, LEWIS P. GRANT, an individual residing in Austin, Texas ("Guarantor"), '
        'unconditionally guarantees to ORSAY BANK, a Texas banking association ("Bank"), the payment of all sums.',
        ["LEWIS P. GRANT", "ORSAY BANK"],
    ),
    (
        "owner and contractor",
        "STANDARD AGREEMENT\n\nmade as of the 2nd day of June, 1997\n\nBETWEEN the Owner:     Riverbend Casino Corporation\n"
        "                       100 Levee Road\n\nand the Contractor:    Hunt Builders, Inc.\n",
        ["Riverbend Casino Corporation", "Hunt Builders, Inc."],
    ),
    (
        "a form that says what to fill in",
        "STANDARD FORM OF AGREEMENT BETWEEN OWNER AND CONTRACTOR\n\nAGREEMENT made as of the tenth day of June in the year 2002\n"
        "\nBETWEEN the Owner:\n(Name, address and other information)\nLakeview Casino, LLC\n100 Shore Drive\n\nand the "
        "Contractor:\n(Name, address and other information)\nBurke Builders, Inc.\n2 Mill Road\n",
        ["Lakeview Casino, LLC", "Burke Builders, Inc."],
    ),
    (
        "borrower and lender on lines of their own",
        "LOAN MODIFICATION AGREEMENT\n\nDate:      April 1, 2009\n\nBorrower:  Twin Lakes Development, LLC, a Georgia company\n\n"
        "Lender:    Colony Bank\n\nRecitals\n",
        ["Twin Lakes Development, LLC", "Colony Bank"],
    ),
    (
        "of the first and of the second part",
        "AGREEMENT\n\nTHIS AGREEMENT made as of October 1, 2001\n\nBETWEEN:\n\nORSAY PIPELINES LTD., a body corporate "
        '("Owner")\n\n          OF THE FIRST PART\n\n- and -\n\nLARKIN BUILDERS LTD., a body corporate ("Manager")\n\n'
        "          OF THE SECOND PART\n",
        ["ORSAY PIPELINES LTD.", "LARKIN BUILDERS LTD."],
    ),
    (
        "a party for some purposes only, and one that is a number",
        "AGREEMENT AND PLAN OF MERGER\n\nThis Agreement and Plan of Merger is made as of May 1, 2021 by and among Orsay Bancorp, "
        'Inc., a Delaware corporation ("Parent"), 615 Corp., a Delaware corporation ("Merger Sub"), Larkin Corp. (the '
        '"Company"), and, solely for purposes of Sections 5.04, 6.05 (in part) and 9.17, Corvus Holdings Ltd ("Guarantor").',
        ["Orsay Bancorp, Inc.", "615 Corp.", "Larkin Corp.", "Corvus Holdings Ltd"],
    ),
    (
        "a trading name",
        "DISTRIBUTOR AGREEMENT\n\nThis Distributor Agreement is made May 1, 2010 between Orsay Concepts Inc., dba Larkin Brewing "
        'Company, an Oregon corporation ("Brewer"), and l.a.r. Beauty, Inc., a Delaware corporation (the "Company").',
        ["Orsay Concepts Inc., dba Larkin Brewing Company", "l.a.r. Beauty, Inc."],
    ),
    (
        "a role at the start of the next sentence, and no name for the other party",
        'DISTRIBUTOR AGREEMENT\n\nThis Distributor Agreement is made May 1, 2010 between Orsay Foods LLC ("Company") and '
        'XXXXXXXXXX ("Distributor"). Company Imports the products from farms (the "Products").',
        ["Orsay Foods LLC"],
    ),
    (
        "a party behind its role",
        "RESELLER AGREEMENT\n\nThis Reseller Agreement is entered into by and between Orsay Services, L.L.C., a Missouri limited "
        'liability company ("OS"), and its Reseller, Larkin, Inc., a Delaware corporation ("Larkin"). Be My Guest ("Cards") and '
        'The Cards ("Clients") are sold.',
        ["Orsay Services, L.L.C.", "Larkin, Inc."],
    ),
    (
        "a template",
        'CONTRACTOR AGREEMENT\n\nThis Contractor Agreement is made between [CLIENT NAME] ("Client") and [CONTRACTOR NAME] '
        '("Contractor").',
        [],
    ),
    (
        "a cover whose parties the table of contents follows",
        "AGREEMENT AND PLAN OF MERGER among ORSAY CORPORATION, MOON SUB CORPORATION and LARKIN SYSTEMS CORPORATION Dated as of "
        "December 8, 2020 TABLE OF CONTENTS ARTICLE I THE MERGER Section 1.01 The Merger and Officers of the Surviving "
        "Corporation ARTICLE II WARRANTIES OF THE COMPANY Required Filings and Financial Statements "
        + "1.02 Closing "
        * 400,
        ["ORSAY CORPORATION", "MOON SUB CORPORATION", "LARKIN SYSTEMS CORPORATION"],
    ),
    (
        "those who sign a letter",
        "AGENCY AGREEMENT May 21, 2015 Larkin Pharma Inc. 151 Steel Avenue Dear Mr. Hale: The undersigned, Orsay Securities Ltd. "
        '(the "Lead Agent"), Corvus Capital Inc., and Bloom & Co. Ltd. (collectively, the "Agents"), understand that you wish.',
        ["Orsay Securities Ltd.", "Corvus Capital Inc.", "Bloom & Co. Ltd."],
    ),
]


@pytest.mark.parametrize(("text", "parties"), [case[1:] for case in PREAMBLES], ids=[case[0] for case in PREAMBLES])
def test_the_parties_of_an_agreement(text: str, parties: list[str]) -> None:
    assert list(profile(Document("d001.txt", text)).parties) == parties


@pytest.mark.parametrize(
    ("text", "owner"),
    [
        (
            "---\ntitle: OrsayHub Privacy Notice\n---\n\nWe at OrsayHub care. Ask OrsayHub, or visit OrsayHub, where OrsayHub, "
            "Inc. and its parent, Larkin Corporation, answer. Larkin Corporation owns us. See OrsayHub.",
            "OrsayHub, Inc.",
        ),
        (
            "# Terms of Service\n\nThis is an agreement between you and Corvus (“we,” “us,” “our”). Disputes go to Mediation "
            "Service, Inc., and Mediation Service, Inc. decides.",
            "Corvus",
        ),
        ("This Privacy Notice explains how we, at Corvus, process information. Acme, Inc. hosts it.", "Corvus"),
    ],
)
def test_a_policy_is_of_whom_it_names(text: str, owner: str) -> None:
    assert profile(Document("d001.md", text)).parties == (owner,)
