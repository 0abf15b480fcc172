"""Titles in capitals, as they are cited."""

import pytest

from pincite.text.title_case import title_case


@pytest.mark.parametrize(
    ("title", "shown"),
    [
        ("LEASE OF OFFICE PREMISES", "Lease of Office Premises"),
        ("THE LEASE", "The Lease"),
        ("AMENDMENT NO. 2 TO THE LEASE", "Amendment No. 2 to the Lease"),
        ("IT SERVICES AGREEMENT", "IT Services Agreement"),
        ("MUTUAL NDA", "Mutual NDA"),
        ("NDA", "NDA"),
        ("JOINT VENTURE AGREEMENT OF ACME, LLC AND BOLT GMBH", "Joint Venture Agreement of Acme, LLC and Bolt GmbH"),
        ("ACME INC. - TERMS OF USE", "Acme Inc. - Terms of Use"),
        ("SHAREHOLDERS’ AGREEMENT", "Shareholders’ Agreement"),
        ("EMPLOYEE'S HANDBOOK", "Employee's Handbook"),
        ("SMITH V. O'BRIEN", "Smith v. O'Brien"),
        ("U.S. BANK N.A. CREDIT AGREEMENT", "U.S. Bank N.A. Credit Agreement"),
        ("PHASE II STUDY: A PROTOCOL", "Phase II Study: A Protocol"),
        ("FORM 10-K", "Form 10-K"),
        ("AT&T AND NORRHOLM TURBINES A/S", "AT&T and Norrholm Turbines A/S"),
        ("SALES AND/OR SERVICE", "Sales and/or Service"),
        ("DATA PROTECTION ACT 2018", "Data Protection Act 2018"),
        ("ÜBEREINKUNFT ÜBER DIE WÄHRUNG", "Übereinkunft Über Die Währung"),
        ("Quay lease", "Quay lease"),
        ("iPhone Supply Terms", "iPhone Supply Terms"),
        ("2021", "2021"),
        ("", ""),
    ],
)
def test_a_title_is_shown_as_people_write_it(title: str, shown: str) -> None:
    assert title_case(title) == shown
    assert title_case(shown) == shown
