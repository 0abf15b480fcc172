"""The names by which citations call parties: enough to tell them apart, and no more."""

import pytest

from pincite.documents.profile.short_names import short_name, short_parties


@pytest.mark.parametrize(
    ("name", "defined", "short"),
    [
        ("Halden Robotics, Inc.", (), "Halden"),
        ("The Halden Company", (), "Halden"),
        ("China Shippers Bank Co., Ltd., New York Branch", (), "China Shippers"),
        ("Industrial and Maritime Bank of Orrick Limited", (), "Industrial and Maritime Bank of Orrick"),
        ("U.S. Pilots Corp.", (), "U.S. Pilots"),
        ("International Harbour Machines Corporation", ("IHM",), "IHM"),
        ("The Harbor Manhattan Bank", (), "Harbor Manhattan"),
        ("The University of Tensaw", (), "University of Tensaw"),
        ("First National Bank of Tensaw", (), "First National Bank of Tensaw"),
        ("Smith Micro Sails, Inc.", (), "Smith Micro"),
        ("Systems Sails Products, Inc.", (), "Systems Sails"),
        ("Desktop Anchors, Inc.", (), "Desktop Anchors"),
        ("F. Halden-La Quay Ltd", (), "Halden-La Quay"),
        ("2205000 Ontario Limited", (), "2205000 Ontario"),
        ("Cool Anchors Inc.", ("COOL ANCH",), "COOL ANCH"),
        ("Cadence Merger Sub LLC", ("Merger Consideration",), "Cadence Merger"),
    ],
)
def test_a_party_is_called_by_what_tells_it_apart(name: str, defined: tuple[str, ...], short: str) -> None:
    assert short_name(name, defined) == short


@pytest.mark.parametrize(
    ("names", "shorts"),
    [
        (["Halden Parent, LLC", "Halden Merger Sub, Inc.", "Orrick, Inc."], ("Halden", "Orrick")),
        (
            ["Pier Natural Resources Company", "Pier Natural Resources USA, Inc.", "Ann D. Marsh"],
            ("Pier Natural", "Marsh"),
        ),
        (["December 20", "Halden Bottling Co."], ("Halden Bottling",)),
        (["December", "Halden Bottling Co."], ("Halden Bottling",)),
        (["May Halden", "Ann Orrick"], ("Halden", "Orrick")),
        (["Halden Acquisition Corp.", "Orrick Merger Sub, Inc."], ("Halden Acquisition", "Orrick Merger")),
    ],
)
def test_the_two_sides_are_named(names: list[str], shorts: tuple[str, ...]) -> None:
    assert short_parties(names) == shorts
