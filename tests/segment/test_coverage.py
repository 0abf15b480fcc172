"""Nothing is lost: text outside units is a heading, running matter, an empty signature line, or blank."""

import random
import re
from pathlib import Path

import pytest

from pincite.documents import read_files, read_folder
from pincite.documents.hidden import with_hidden
from pincite.segment import Clauses
from pincite.segment.lines import is_empty_signature
from pincite.segment.outline import Outline, paragraphs, shown_divisions
from pincite.segment.shown_document import ShownDocument
from pincite.segment.titles import is_title
from pincite.segment.verbs import HEADING_WORDS, is_sentence
from pincite.text import Document
from pincite.text.lines import text_lines
from tests.conftest import SAMPLES

_VERB = re.compile(r"\b(?:shall|may|must|is|are)\b", re.IGNORECASE)
SAMPLE = 12
"""Files of each folder that the ordinary run reads."""


def is_text(heading: str, *, is_whole: bool) -> bool:
    """Whether what is called a heading says something, so that it must lie in a unit: it is longer than any heading, or
    it ends with a full stop and has a verb. Titles before a sentence may be whole sentences in title case."""
    if len(heading.split()) > HEADING_WORDS:
        return True
    if is_whole:
        return is_sentence(heading)
    return heading.rstrip().endswith(".") and bool(_VERB.search(heading)) and not is_title(heading.strip(" ."))


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
        if body > block.start and not is_text(heading, is_whole=body == block.end):
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


@pytest.mark.data
@pytest.mark.parametrize("suffix", [".md", ".docx", ".pdf", ".html"])
def test_no_text_of_real_files_in_other_formats_is_lost(data: Path, suffix: str) -> None:
    files = [(path, path.name) for path in sorted((data / "real").rglob(f"*{suffix}"))]
    documents = [document for reading in read_files(files) for document in reading.documents]
    assert documents
    for document in documents:
        assert lost(document) == [], document.id


@pytest.mark.slow
@pytest.mark.data
@pytest.mark.parametrize("folder", ["legalbench-rag/corpus", "real"])
def test_no_text_of_any_real_document_is_lost(data: Path, folder: str) -> None:
    for path in sorted((data / folder).rglob("*.txt")):
        assert lost(Document(path.name, path.read_text(encoding="utf-8", errors="replace"))) == [], path
