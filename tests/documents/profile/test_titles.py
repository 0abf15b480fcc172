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
    ],
)
def test_more_titles_name_a_kind(title: str, kind: str) -> None:
    assert kind_in(title) == kind
