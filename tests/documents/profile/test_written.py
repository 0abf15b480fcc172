"""Statutes, leases and judgments written for the project, under names that tell nothing: what are they called?"""

import json
from pathlib import Path

import pytest

from pincite.documents.profile import profile
from pincite.documents.read import read_file
from pincite.evaluate.profiles import Found, ProfileLabel, scores

WRITTEN = Path(__file__).parents[1] / "written"
LABELS = [json.loads(line) for line in (WRITTEN / "labels.jsonl").read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("label", LABELS, ids=[label["document"] for label in LABELS])
def test_title_kind_parties_and_date(label: dict[str, list[str]]) -> None:
    document = read_file(WRITTEN / str(label["document"]), str(label["document"])).documents[0]
    named = profile(document)
    wanted = ProfileLabel(
        str(label["document"]),
        tuple(label["title"]),
        tuple(label["kind"]),
        tuple(party["name"] for party in label["parties"]),  # type: ignore[index]
        tuple(label["date"]),
        (),
        set_aside=False,
    )
    found = Found(named.title, named.kind, named.parties, named.iso_date, ())
    assert scores(wanted, found) == dict.fromkeys(("title", "kind", "parties", "date", "outline"), 1.0), found


def test_judgments_say_which_court_decided_what() -> None:
    found = {name: profile(read_file(WRITTEN / name, name).documents[0]) for name in ("d03.pdf", "d08.html", "d09.pdf")}
    assert (found["d03.pdf"].court, found["d03.pdf"].docket) == (
        "United States Court of Appeals for the Fifth Circuit",
        "19-39877",
    )
    assert found["d03.pdf"].disposition.startswith("reversed")
    assert found["d08.html"].docket == "22-cv-9417 (RJT/LMV)"
    assert found["d09.pdf"].docket == "PT-2017-004471"
    assert found["d09.pdf"].disposition == "allowed in part"
