"""Kinds of documents: every name means one kind, and the documentation lists them all."""

from pathlib import Path

import pytest

from pincite.errors import UsageError
from pincite.text.kinds import KINDS, checked_kind, kind_named, same_kind

WANTED = """nda, services, consulting, supply, distribution, reseller, licence, software, employment, offer letter, severance,
lease, loan and credit, guarantee, security, construction, merger and purchase, shareholders, joint venture, franchise, agency,
sponsorship, data processing, privacy policy, terms of service, policy, retirement plan, statute, regulation, judgment, order,
brief, letter, form, other, MSA, SOW, DPA, SaaS terms, Confidentiality Agreements"""


@pytest.mark.parametrize("name", [name.strip() for name in WANTED.replace("\n", " ").split(",")])
def test_names_that_people_use(name: str) -> None:
    assert kind_named(name) in KINDS


def test_no_name_means_two_kinds() -> None:
    names = [name for kind, others in KINDS.items() for name in (kind, *others)]
    assert len(names) == len(set(names))


def test_an_unknown_kind_lists_the_known_ones() -> None:
    with pytest.raises(
        UsageError, match=r"'poem' is not a kind of document; kinds are non-disclosure agreement, .*lease"
    ):
        checked_kind("poem")
    assert checked_kind("NDA") == "non-disclosure agreement"


def test_words_of_users_are_compared_as_they_are() -> None:
    assert same_kind("Board Pack", "board pack")
    assert not same_kind("board pack", "lease")


def test_the_documentation_lists_every_kind() -> None:
    page = (Path(__file__).parents[2] / "docs" / "profiles.md").read_text(encoding="utf-8")
    for kind, others in KINDS.items():
        assert f"| {kind} | {', '.join(others)} |" in page
