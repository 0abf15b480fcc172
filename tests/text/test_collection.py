"""Collections hold offsets, not copies, and order ties by content."""

from dataclasses import FrozenInstanceError

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.errors import DataError, UsageError
from pincite.segment import SentenceWindows
from pincite.text import Collection, Document, Filter, Hit, Passage, Source
from pincite.text.order import BLOCK, best_first, check_k

LEASE = Document("lease.txt", "Rent is due on Monday. Pets are not allowed.", metadata={"kind": "lease"})
NDA = Document("nda.txt", "Keep it secret for ever. Return all the copies.", metadata={"kind": "nda"})


def test_a_passage_is_a_slice_of_its_document() -> None:
    collection = Collection.build([LEASE, NDA], SentenceWindows())
    for position in range(len(collection)):
        passage, document = collection.passage(position), collection.document(position)
        assert document.text[passage.start : passage.end] == collection.text(position)
    assert [collection.text(position) for position in range(4)] == list(collection.texts())


def test_the_nouns_are_frozen_and_slotted() -> None:
    collection = Collection.build([LEASE], SentenceWindows())
    for noun in (LEASE, Source(), Passage("a", 0, 1), Filter(), collection, collection.hit(0, 1.0, 1, {})):
        assert not hasattr(noun, "__dict__")
        with pytest.raises((FrozenInstanceError, AttributeError, TypeError)):
            noun.id = "other"  # type: ignore[union-attr]


def test_two_documents_with_one_id_are_refused() -> None:
    with pytest.raises(DataError, match=r"lease\.txt"):
        Collection.build([LEASE, LEASE], SentenceWindows())


def test_a_passage_cannot_run_backwards() -> None:
    with pytest.raises(ValueError, match="from 5 to 3"):
        Passage("a", 5, 3)


@pytest.mark.parametrize(
    ("where", "kept"),
    [
        (None, None),
        (Filter(), [True] * 4),
        (Filter(documents=("nda.txt",)), [False, False, True, True]),
        (Filter(metadata={"kind": "lease"}), [True, True, False, False]),
        (Filter(documents=("nda.txt",), metadata={"kind": "lease"}), [False] * 4),
        (Filter(metadata={"colour": "red"}), [False] * 4),
    ],
)
def test_a_filter_admits_documents(where: Filter | None, kept: list[bool] | None) -> None:
    mask = Collection.build([LEASE, NDA], SentenceWindows()).mask(where)
    assert (None if mask is None else mask.tolist()) == kept


def test_the_order_of_ties_does_not_depend_on_names_or_order_of_files() -> None:
    one = Collection.build([LEASE, NDA], SentenceWindows())
    renamed = [Document("z.txt", LEASE.text), Document("a.txt", NDA.text)]
    other = Collection.build(reversed(renamed), SentenceWindows())
    by_tie = [
        [collection.text(int(position)) for position in np.argsort(collection.tie_order)] for collection in (one, other)
    ]
    assert by_tie[0] == by_tie[1]


def test_pages_are_found_by_offset() -> None:
    document = Document("a", "one two three", source=Source(page_starts=(0, 4, 8)))
    assert [document.page_at(offset) for offset in (0, 3, 4, 12)] == [1, 1, 2, 3]
    assert LEASE.page_at(0) is None


def test_a_hit_knows_its_place_and_its_shape() -> None:
    hit = Collection.build([LEASE], SentenceWindows()).hit(1, 0.5, 1, {})
    assert isinstance(hit, Hit)
    assert (hit.start, hit.end, hit.text) == (23, 44, "Pets are not allowed.")
    shape = {"rank", "score", "document", "title", "page", "start", "end", "text", "heading_path", "parts", "citation"}
    added = {"page_label", "likelihood", "boxes", "metadata"}
    assert set(hit.to_dict()) == shape | {"pieces", "spans", "terms", "refers_to", "also", "why"} | added
    assert hit.to_dict()["pieces"] == [[23, 44]]


@given(
    st.lists(st.sampled_from([0.0, 1.0, 2.0, -1.0]), min_size=0, max_size=3 * BLOCK),
    st.integers(1, 100),
    st.randoms(use_true_random=False),
    st.booleans(),
)
def test_best_first_is_a_sort(values: list[float], k: int, random: object, masked: bool) -> None:
    scores = np.array(values, dtype=np.float64)
    ties = list(range(len(values)))
    random.shuffle(ties)  # type: ignore[attr-defined]
    mask = [bool(random.getrandbits(1)) or not masked for _ in values]  # type: ignore[attr-defined]
    expected = sorted((at for at in range(len(values)) if mask[at]), key=lambda at: (-values[at], ties[at]))[:k]
    got = best_first(scores, k, np.array(ties, dtype=np.int64), np.array(mask, dtype=bool) if masked else None)
    assert got.tolist() == expected


def test_k_below_one_is_refused() -> None:
    assert check_k(1) == 1
    with pytest.raises(UsageError, match="at least 1, not 0"):
        check_k(0)
