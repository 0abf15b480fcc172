"""Where a hit ends: always on the edge of a unit, and as far as its neighbours belong."""

import numpy as np
import pytest

from pincite.search.trimmer import FEATURES, Trimmer, neighbour_features
from pincite.segment import Clauses
from pincite.text import Document
from pincite.text.units import LoadedDocument, Units

TEXT = """LEASE

1. USE
The Tenant shall use the Premises as offices. The Tenant shall not keep animals there.

2. RENT
The Tenant shall pay:
(a) the rent on every quarter day;
(b) the service charge on demand; and
(c) interest on what is late.
The rent is reviewed every five years.
"""


@pytest.fixture
def held() -> LoadedDocument:
    document = Document("lease.txt", TEXT)
    return LoadedDocument(document, Units.of(Clauses()(document)))


def trimmer(**weights: float) -> Trimmer:
    return Trimmer(tuple(weights.get(name.replace(" ", "_").replace("-", "_"), 0.0) for name in FEATURES))


def unit(held: LoadedDocument, words: str) -> int:
    return next(at for at in range(len(held.units)) if words in TEXT[slice(*held.units.edges(at))])


def test_without_reason_nothing_is_taken_in(held: LoadedDocument) -> None:
    never = Trimmer((-1.0, *([0.0] * (len(FEATURES) - 1))))
    scores = np.zeros(len(held.units))
    assert all(never.extent(held, scores, at) == (0, 0) for at in range(len(held.units)))


def test_neighbours_join_by_their_score_and_nothing_is_left_out_between(held: LoadedDocument) -> None:
    scores = np.full(len(held.units), np.nan)
    middle = unit(held, "(b)")
    scores[middle - 1], scores[middle], scores[middle + 1] = 2.0, 3.0, 1.0
    before, behind = trimmer(score_of_the_neighbour=1.0).extent(held, scores, middle)
    assert (before, behind) == (1, 1)


def test_items_of_one_list_share_their_lead_in(held: LoadedDocument) -> None:
    scores = np.zeros(len(held.units))
    first, second = unit(held, "(a)"), unit(held, "(b)")
    found = neighbour_features(held, scores, first, (first, first), second)
    assert found[FEATURES.index("same lead-in")] == 1
    assert found[FEATURES.index("runs on")] == 1
    assert found[FEATURES.index("behind")] == 1


def test_a_hit_stays_within_its_limits(held: LoadedDocument) -> None:
    always = Trimmer((1.0, *([0.0] * (len(FEATURES) - 1))), most=2)
    scores = np.zeros(len(held.units))
    for at in range(len(held.units)):
        before, behind = always.extent(held, scores, at)
        assert before <= min(2, at)
        assert behind <= 2
    short = Trimmer((1.0, *([0.0] * (len(FEATURES) - 1))), longest=1)
    assert short.extent(held, scores, 1) == (0, 0)
