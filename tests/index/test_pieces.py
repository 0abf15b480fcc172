"""An index keeps what is hidden: hits, models, pages and exports show pieces, and offsets stay those of the text."""

import json
from pathlib import Path

import pytest

from pincite import Index
from pincite.cli.show import _plain
from pincite.engine.unit_vectors import context_texts
from pincite.engine.wire import dump, load
from pincite.index.packing import pack_source, unpack_source
from pincite.search.highlight import in_context, matched_words
from pincite.serve.highlight import Highlight, blocks
from pincite.text import Hit, Source
from tests.documents.made_pages import lease, sentence, wrapped

QUESTION = "Which plants of flat 5 are turned twice a week?"


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Hit:
    """The hit in an index that was closed and opened again."""
    folder = tmp_path_factory.mktemp("pieces")
    (folder / "lease.txt").write_text(lease(lambda n: f"- {n} -\n<PAGE>   {n + 1}", wrapped), encoding="utf-8")
    with Index.create(folder / "i.pincite") as index:
        index.add(folder / "lease.txt")
    with Index.open(folder / "i.pincite", read_only=True) as index:
        return index.search(QUESTION, 1).hits[0]


def test_a_hit_has_pieces_and_its_text_is_still_the_slice(found: Hit) -> None:
    assert found.text == found.document.text[found.start : found.end]
    assert "- 5 -" in found.text
    assert " ".join(found.shown.split()) == sentence(5)
    assert "".join(found.document.text[start:end] for start, end in found.pieces) == found.shown
    assert found.pieces[0][0] == found.start
    assert found.pieces[-1][1] == found.end
    assert len(found.pieces) == 2
    shape = found.to_dict()
    assert shape["pieces"] == [list(edges) for edges in found.pieces]
    assert json.loads(json.dumps(shape))["text"] == found.text


def test_what_is_shown_around_a_hit_has_no_running_matter(found: Hit) -> None:
    before, marked, behind = in_context(QUESTION, found, 900)
    assert not any(mark in before + marked + behind for mark in ("<PAGE>", "- 5 -", "- 4 -"))
    assert " ".join(marked.split()) == sentence(5)
    assert "page" not in matched_words("page 5 of the plants", found)


def test_the_page_of_a_document_shows_pieces_and_marks_the_whole_hit(found: Hit) -> None:
    shown = blocks(found.document, [Highlight(found.start, found.end, "hit")], {})
    words = " ".join(piece.text for block in shown for piece in block.pieces)
    assert "<PAGE>" not in words
    assert "- 5 -" not in words
    marked = [piece.text for block in shown for piece in block.pieces if piece.kind == "hit"]
    assert [" ".join(text.split()) for text in marked] == [sentence(5)]
    assert all(found.document.text[block.start :].startswith(block.pieces[0].text[:5]) for block in shown)


def test_a_source_comes_back_with_its_hidden_edges() -> None:
    for hidden in (None, (), ((3, 5), (8, 13))):
        source = Source("a.txt", hidden=hidden)
        assert unpack_source(pack_source(source)) == source
        assert load(dump(source)) == source


def test_models_read_pieces(tmp_path: Path) -> None:
    with Index.create(tmp_path / "i.pincite") as index:
        index.add_text("lease", lease(lambda n: f"Page {n} of 12", wrapped))
        texts = context_texts(index.loaded("lease"))
        assert not any("Page" in text for text in texts)
        assert any(sentence(7) in text for text in texts)
        phrase = index.search('garden "shall soon shade every plant"', 1)
        assert [" ".join(hit.shown.split()) for hit in phrase] == [sentence(7)]
        assert "Page" not in _plain(index.search("the garden of flat 7", 3))
