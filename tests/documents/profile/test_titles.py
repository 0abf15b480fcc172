"""Titles that look like boilerplate, and what looks like a title; kinds by the title and by the text."""

import pytest

from pincite.documents.profile import profile
from pincite.documents.profile.kind import kind_in
from pincite.text import Document

PREAMBLE = (
    'This {title} (this "Agreement") is made as of March 3, 2021 between Halden Robotics, Inc., a Delaware corporation '
    '("Halden"), and Maria L. Orrick (the "Executive").'
)


@pytest.mark.parametrize(
    ("over", "named", "title"),
    [
        ("CONFIDENTIAL SEPARATION AGREEMENT AND GENERAL RELEASE", "Agreement", ""),
        ("COPYRIGHT LICENSE AGREEMENT", "Agreement", ""),
        ("ORIGINAL EQUIPMENT MANUFACTURER AGREEMENT", "Agreement", ""),
        ("Supply Agreement - HALDEN", "Supply Agreement", "Supply Agreement"),
        ("Collaboration Agreement, HAL/ ORRICK", "Collaboration Agreement", "Collaboration Agreement"),
        (
            "THIRD AMENDMENT AND WAIVER TO\nCREDIT AGREEMENT",
            "Agreement",
            "THIRD AMENDMENT AND WAIVER TO CREDIT AGREEMENT",
        ),
        ("EXHIBIT II\n\nSUPPLY AGREEMENT", "Supply Agreement", "SUPPLY AGREEMENT"),
        ("NOVEMBER 1, 2002, SUPPLY AGREEMENT", "Agreement", "SUPPLY AGREEMENT"),
        ("SUPPLY CONTRACT Contract", "Agreement", "SUPPLY CONTRACT"),
        ("SUPPLY AGREEMENT\n(FORM)", "Agreement", "SUPPLY AGREEMENT"),
        (
            "Supply Agreement for the Orrick Hotel October 29, 2015",
            "Agreement",
            "Supply Agreement for the Orrick Hotel",
        ),
        ("EX-10.33 5 d17789exv10w33.htm SUPPLY AGREEMENT\n\nSUPPLY AGREEMENT", "Agreement", "SUPPLY AGREEMENT"),
    ],
)
def test_the_line_over_the_preamble_is_the_title(over: str, named: str, title: str) -> None:
    text = f"{over}\n\n{PREAMBLE.format(title=named)}"
    assert profile(Document("d001.txt", text)).title == (title or over)


def test_a_policy_without_a_heading_says_what_it_is() -> None:
    text = (
        "Hi there! This Privacy Notice explains how we, at Corvus, process information about the visitors of the sites of our "
        "users, and what they may ask of us, in connection with the services that we provide. Read on!\n\n"
        "### Who We Are And What We Do\n\nWe are the folks behind a number of products.\n"
    )
    named = profile(Document("d001.md", text))
    assert (named.title, named.title_evidence, named.kind) == ("Privacy Notice", "preamble", "privacy policy")


@pytest.mark.parametrize(
    ("text", "title", "evidence"),
    [
        (
            "January 9, 2015\n\nThe Honorable Vera Stoat\nUnited States District Judge\n\n    Re:  Hanley v. Broad Street "
            "Realty, LLC, No. 14 Civ. 7788 (VS)\n\nDear Judge Stoat:\n\nWe write on behalf of the defendant.\n",
            "Hanley v. Broad Street Realty, LLC",
            "subject",
        ),
        (
            "Dear Tessa Orrick,\n\nWe are delighted to extend an invitation for you to join Halden Robotics Ltd as a fitter.\n\n"
            "Our general rules of work\n---------------\n\n" + "You work with us. " * 500 + "\n\n"
            "Employee Privacy Notice\n-----------------------\n\nWe keep data.\n",
            "Offer of Employment",
            "preamble",
        ),
        (
            "ORSAY GROUP, INC.\n\nOctober 1, 1998\n\nMs. Ann Flint\n12 Elm Street\n\nDear Ann:\n\nThis letter constitutes an "
            'amendment to your Employment Agreement with Orsay Group, Inc. (the "Company") dated as of May 1, 1995.\n',
            "Amendment to Employment Agreement",
            "preamble",
        ),
        (
            'The following terms and conditions ("Terms") govern all use of the site and all content that is offered there, '
            "and you accept them by using it, without changes, as they stand.\n\n## 1. Who's Who\n\nYou are you.\n",
            "Terms and Conditions",
            "preamble",
        ),
        (
            "SECOND\n\nAMENDMENT TO\n\nAMENDED AND RESTATED\n\nSUPPLY AGREEMENT\n\nMade as of May 1, 2008 by Orsay Foods, Inc.\n",
            "SECOND AMENDMENT TO AMENDED AND RESTATED SUPPLY AGREEMENT",
            "heading",
        ),
        (
            "JS 44   (Rev. 06/17)                        CIVIL COVER SHEET\n"
            + "The sheet replaces no pleading. " * 6
            + "\n"
            "provided by local rules of court.\n\nI. (a) PLAINTIFFS\n",
            "CIVIL COVER SHEET",
            "heading",
        ),
        (
            "Agreement Summary\n-----------------\n\nJob Title\n\n#### ORDINARY EMPLOYMENT AGREEMENT\n\nMadrid, 15 May 2024\n",
            "ORDINARY EMPLOYMENT AGREEMENT",
            "heading",
        ),
        (
            "ENDORSEMENT\n\nContract Number:\n\nEffective Date: July 1, 2019\n\nThe insurer has been dissolved.\n\n"
            "The DEFINITIONS section of the contract\n\nThe following definition is deleted.\n",
            "ENDORSEMENT",
            "heading",
        ),
    ],
)
def test_letters_and_forms_are_called_by_what_they_say(text: str, title: str, evidence: str) -> None:
    named = profile(Document("d001.md", text))
    assert (named.title, named.title_evidence) == (title, evidence)


def test_a_text_that_binds_nobody_and_speaks_to_its_readers_is_a_policy() -> None:
    text = "# Account Ownership\n\n" + "We keep your account safe. If you lose it, ask us, and our team helps you. " * 3
    assert profile(Document("d001.md", text)).kind == "policy"


def test_an_amendment_that_names_what_it_amends_in_its_text() -> None:
    text = (
        'WAIVER AND AMENDMENT NO. 3\n\nWAIVER AND AMENDMENT NO. 3, dated as of August 12, 2002 (this "Amendment"), to the '
        'CREDIT AGREEMENT, dated as of May 1, 2000, among PARAGON STEEL INC. (the "Borrower") and ORSAY BANK.'
    )
    named = profile(Document("d001.txt", text))
    assert (named.kind, named.amends) == ("credit agreement", "CREDIT AGREEMENT")


@pytest.mark.parametrize(
    ("title", "kind"),
    [
        ("Service Agreement for Transfer Agent Services to Larkin Credit Income Fund", "services agreement"),
        ("Sponsored Research and License Agreement", "collaboration agreement"),
        ("Unconditional Capital Maintenance Agreement", "guarantee"),
        ("Employment and Non-Competition Agreement", "employment agreement"),
        ("Non-Competition Agreement", "other"),
        ("Design/Build Contract", "construction contract"),
        ("Standard Form of Agreement Between Owner and Contractor", "construction contract"),
        ("Termination Protection Agreement", "severance agreement"),
        ("Salary Continuation Agreement", "retirement plan"),
        ("OrsayHub Sponsors Additional Terms", "terms of service"),
        ("Servicing Agreement", "services agreement"),
        ("Guide to Submitting a Takedown Notice", "policy"),
        ("Certificate of Service", "form"),
        ("Development and Option Agreement", "collaboration agreement"),
    ],
)
def test_more_titles_name_a_kind(title: str, kind: str) -> None:
    assert kind_in(title) == kind


CAPTION = (
    "IN THE UNITED STATES DISTRICT COURT\nFOR THE DISTRICT OF TENSAW\n\nANN MARSH,\n     Plaintiff,\nv.       "
    "                  Case No. 3:19-cv-00012\nQUAY LLC,\n     Defendant.\n\n{paper}\n\nThe owner of the vessel asks "
    "for possession of the berth. The court has read the papers of both sides.\n"
)


@pytest.mark.parametrize(
    ("paper", "title"),
    [
        (
            "ORDER DENYING APPLICATION FOR A\nWRIT OF POSSESSION TO THE BERTH",
            "ORDER DENYING APPLICATION FOR A WRIT OF POSSESSION TO THE BERTH",
        ),
        ("PLAINTIFF'S APPLICATION FOR A\nJUDGE TO HEAR IT", "PLAINTIFF'S APPLICATION FOR A JUDGE TO HEAR IT"),
        ("APPLICATION FOR A\n\nCertificate of Default", "MARSH v. QUAY LLC"),
    ],
)
def test_a_paper_of_a_case_is_not_cut_at_an_article(paper: str, title: str) -> None:
    assert profile(Document("a.txt", CAPTION.format(paper=paper))).title == title


@pytest.mark.parametrize("lines", ["APPLICATION FOR A\n\nPermit to Moor", "Application for a\nPermit to Moor"])
def test_a_title_goes_on_behind_an_article(lines: str) -> None:
    text = f"{lines}\n\nThis form is filled in by the owner of the vessel. It is sent to the harbour company."
    assert profile(Document("permit.txt", text)).title.casefold() == "application for a permit to moor"


def test_a_title_of_the_file_name_has_no_number_and_date() -> None:
    found = profile(Document("104519_1998-11-17_AMENDMENT TO BERTH LEASE.txt", "we agree to it.\n"))
    assert (found.title, found.title_evidence) == ("AMENDMENT TO BERTH LEASE", "file name")
