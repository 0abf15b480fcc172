"""Outlines of statutes, leases and judgments written for the project: parts, chapters, articles, headed paragraphs."""

import json
from pathlib import Path

import pytest

from pincite.documents.read import read_file
from pincite.evaluate.profiles import f1, same_line
from pincite.index.listing import outline
from pincite.segment import Clauses
from pincite.text.units import LoadedDocument, Units

WRITTEN = Path(__file__).parents[1] / "documents" / "written"
LABELS = [json.loads(line) for line in (WRITTEN / "labels.jsonl").read_text(encoding="utf-8").splitlines()]
ENOUGH = 0.85


def _loaded(name: str) -> LoadedDocument:
    document = read_file(WRITTEN / name, name).documents[0]
    return LoadedDocument(document, Units.of(Clauses()(document)))


@pytest.mark.parametrize("label", LABELS, ids=[label["document"] for label in LABELS])
def test_first_level(label: dict[str, list[str]]) -> None:
    found = [heading.text for heading in outline(_loaded(str(label["document"]))) if heading.level == 0]
    assert f1(found, label["outline"], same_line) >= ENOUGH, found


@pytest.mark.parametrize(
    ("name", "number", "words"),
    [
        ("d06.pdf", "Art. 12", "Clearing House"),
        ("d04.docx", "§ 14", "boil water notice"),
        ("d09.pdf", "[19]", ""),
        ("d01.html", "§ 7", "float survey"),
    ],
)
def test_articles_and_paragraphs_are_found_by_their_number(name: str, number: str, words: str) -> None:
    loaded = _loaded(name)
    under = [
        loaded.document.shown(*loaded.units.edges(at))
        for at in range(len(loaded.units))
        if any(heading.startswith(number) for heading in loaded.units.context(at).heading_path)
    ]
    assert under
    headings = " ".join(heading.text for heading in outline(loaded) if heading.text.startswith(number))
    assert words.lower() in f"{headings} {' '.join(under)}".lower()
