"""Whether a passage holds a value of the kind that is asked for."""

import pytest

from pincite.search.values import VALUES, holds


@pytest.mark.parametrize(
    ("kind", "text", "held"),
    [
        ("amount", "The fee is $250,000.", True),
        ("amount", "a deposit of £34,200", True),
        ("amount", "€ 12 for each unit", True),
        ("amount", "interest at 4% a year", True),
        ("amount", "four per cent above the base rate", True),
        ("amount", "cover of at least GBP 10,000,000", True),
        ("amount", "The price is 3.5 million.", True),
        ("amount", "fifty basis points", True),
        ("amount", "Spare parts are delivered free of charge.", True),
        ("amount", "The fee is due on 4 May 2021.", False),
        ("amount", "within thirty (30) days", False),
        ("date", "on the first day of March", True),
        ("date", "dated 2021", True),
        ("date", "on 3/31/2010", True),
        ("date", "within thirty (30) days", True),
        ("date", "on the Effective Date", True),
        ("date", "The Supplier shall notify the Buyer promptly.", True),
        ("date", "The Supplier shall notify the Buyer.", False),
        ("date", "in lot 1900375", False),
        ("period", "within ten days", True),
        ("period", "for five (5) years", True),
        ("period", "a 30-day period", True),
        ("period", "six calendar months", True),
        ("period", "The licence is perpetual.", True),
        ("period", "until the Closing", True),
        ("period", "the days of the week", False),
        ("period", "a fee of $500", False),
        ("number", "in two counterparts", True),
        ("number", "not more than 40 users", True),
        ("number", "in several counterparts", False),
        ("number", "No one may enter through the toner room.", True),
        ("number", "through the toner room", False),
        ("person", "The landlord insures the building.", True),
        ("person", "decided by an arbitrator", True),
        ("person", "you may cancel", True),
        ("person", "It takes effect at once.", False),
        ("place", "the courts of the State of Ohio", True),
        ("place", "410 Saltbrush Road, Wilmington", True),
        ("place", "write to help@wrenfield.example", True),
        ("place", "see https://wrenfield.example", True),
        ("place", "The rent is due monthly.", False),
        ("colour", "The door is red.", False),
        ("", "The fee is $250,000.", False),
    ],
)
def test_a_text_holds_a_value_of_a_kind(kind: str, text: str, held: bool) -> None:
    assert holds(text, kind) is held


@pytest.mark.parametrize("kind", VALUES)
def test_an_empty_text_holds_nothing(kind: str) -> None:
    assert not holds("", kind)
