"""Nothing is lost: text outside units is a heading, running matter, an empty signature line, or blank."""

import random
from pathlib import Path

import pytest

from pincite.documents import read_folder
from pincite.documents.hidden import with_hidden
from pincite.segment import Clauses
from pincite.segment.lines import is_empty_signature
from pincite.segment.outline import Outline, paragraphs, shown_divisions
from pincite.segment.shown_document import ShownDocument
from pincite.segment.verbs import is_sentence
from pincite.text import Document
from pincite.text.lines import text_lines
from tests.conftest import SAMPLES

SAMPLE = 12
"""Files of each folder that the ordinary run reads."""


def lost(document: Document) -> list[str]:
    """Lines of a document that are in no unit and are neither heading nor running matter nor blank."""
    whole = with_hidden(document)
    shown = ShownDocument.of(whole)
    text = whole.text
    covered = bytearray(len(text))
    for start, end in whole.source.hidden or ():
        covered[start:end] = b"\1" * (end - start)
    for unit in Clauses()(whole):
        covered[unit.start : unit.end] = b"\1" * unit.length
    for block, body in paragraphs(shown.document, shown_divisions(whole, shown), Outline()):
        heading = shown.document.text[block.start : body]
        if body > block.start and not (body == block.end and is_sentence(heading)):
            start, end = shown.at(block.start), shown.at(body - 1) + 1
            covered[start:end] = b"\1" * (end - start)
    found: list[str] = []
    for start, end in text_lines(text):
        rest = "".join(text[place] for place in range(start, end) if not covered[place])
        if any(map(str.isalnum, rest)) and not is_empty_signature(rest.strip()):
            found.append(rest)
    return found


@pytest.mark.parametrize("document", read_folder(SAMPLES / "corpus").documents, ids=lambda document: document.id)
def test_no_text_of_the_samples_is_lost(document: Document) -> None:
    assert lost(document) == []


@pytest.mark.data
@pytest.mark.parametrize("folder", ["legalbench-rag/corpus", "real/edgar"])
def test_no_text_of_some_real_documents_is_lost(data: Path, folder: str) -> None:
    files = sorted((data / folder).rglob("*.txt"))
    for path in random.Random(7).sample(files, min(SAMPLE, len(files))):
        assert lost(Document(path.name, path.read_text(encoding="utf-8"))) == [], path


@pytest.mark.slow
@pytest.mark.data
@pytest.mark.parametrize("folder", ["legalbench-rag/corpus", "real"])
def test_no_text_of_any_real_document_is_lost(data: Path, folder: str) -> None:
    for path in sorted((data / folder).rglob("*.txt")):
        assert lost(Document(path.name, path.read_text(encoding="utf-8", errors="replace"))) == [], path
