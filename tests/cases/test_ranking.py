"""Case retrieval: the fast path beside the plain definition, ties, reasons, and every option."""

import json
import math
import random
from collections import Counter
from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from pincite.cases import CaseMethod, CaseRanker, CaseSet, Outstanding
from pincite.cases.aggregation import WAYS, Aggregation
from pincite.cases.analysis import Analysis
from pincite.cases.comparison import CROSSED, HINDSIGHT, compared
from pincite.cases.comparison import PLAIN as PLAIN_ROW
from pincite.cases.methods import METHODS, PLAIN, case_method, ranker_of
from pincite.cases.parameters import CaseParameters
from pincite.cases.scoring import SegmentBm25
from pincite.cases.segments import Windows
from pincite.cases.selection import (
    ALPHAS,
    BETAS,
    DEVIATIONS,
    GAMMAS,
    MOST,
    Ranked,
    Selection,
    measured,
    tuned,
    tuned_best,
    tuned_outstanding,
)
from pincite.cases.term_selection import TermChoice
from pincite.errors import UsageError
from pincite.text import Document

WORDS = [
    "appeal",
    "court",
    "judge",
    "tenant",
    "lease",
    "notice",
    "damages",
    "breach",
    "contract",
    "statute",
    "evidence",
    "witness",
    "duty",
    "care",
    "land",
]


def case(name: str, chance: random.Random, sentences: int) -> Document:
    lines = [" ".join(chance.choices(WORDS, k=chance.randint(3, 9))).capitalize() + "." for _ in range(sentences)]
    return Document(name, " ".join(lines))


@pytest.fixture(scope="module")
def cases() -> CaseSet:
    chance = random.Random(5)
    held = tuple(case(f"{at:03}.txt", chance, chance.randint(1, 40)) for at in range(25))
    return CaseSet(held, held[:6], {held[0].id: frozenset({held[3].id, held[9].id})}).checked()


def terms(analysis: Analysis, text: str) -> list[str]:
    return [term for word in text.lower().replace(".", "").split() if (term := analysis.term(word))]


def naive(cases: CaseSet, method: CaseMethod) -> list[dict[str, float]]:
    """Every pair of segments, one at a time, by the formula."""

    def segments(document: Document, windows: Windows) -> list[list[str]]:
        sentences = [part + "." for part in document.text.split(". ")]
        return [terms(method.analysis, " ".join(sentences[start:end])) for start, end in windows.of(len(sentences))]

    own = {document.id: segments(document, method.windows) for document in cases.candidates}
    everything = [terms for held in own.values() for terms in held]
    mean = sum(map(len, everything)) / len(everything)
    frequency = Counter(term for terms in everything for term in set(terms))

    def idf(term: str) -> float:
        share = (len(everything) - frequency[term] + 0.5) / (frequency[term] + 0.5)
        return math.log(share) if method.bm25.form == "robertson" else math.log(1 + share)

    def score(query: list[str], terms: list[str]) -> float:
        counts, norm = Counter(terms), 1 - method.bm25.b + method.bm25.b * len(terms) / mean
        asked = set(query) if method.bm25.once else query
        return sum(idf(term) * counts[term] / (counts[term] + method.bm25.k1 * norm) for term in asked if counts[term])

    return [
        {
            name: max(
                score(mine, its) for mine in segments(query, method.query_windows or method.windows) for its in held
            )
            for name, held in own.items()
            if name != query.id
        }
        for query in cases.queries
    ]


@pytest.mark.parametrize("form", ["robertson", "lucene"])
@pytest.mark.parametrize("windows", [Windows(10, 5), Windows(4, 4), Windows(3, 1)])
@pytest.mark.parametrize("most", [None, 2])
@pytest.mark.parametrize("once", [False, True])
def test_the_fast_path_is_the_plain_definition(
    cases: CaseSet, form: str, windows: Windows, most: int | None, once: bool
) -> None:
    method = CaseMethod(
        "x", windows=windows, query_windows=replace(windows, most=most), bm25=SegmentBm25(form, 1.2, 0.6, once)
    )
    for ranking, wanted in zip(CaseRanker(cases, method).rank(), naive(cases, method), strict=True):
        assert set(ranking.cases) == set(wanted)
        for name, score in zip(ranking.cases, ranking.scores.tolist(), strict=True):
            assert score == pytest.approx(wanted[name], abs=1e-6)
        assert ranking.scores.tolist() == sorted(ranking.scores.tolist(), reverse=True)


def test_the_query_is_never_its_own_answer_and_names_move_nothing(cases: CaseSet) -> None:
    method = case_method("segments")
    before = CaseRanker(cases, method).rank()
    assert all(ranking.query not in ranking.cases for ranking in before)
    renamed = {document.id: f"z{99 - at}" for at, document in enumerate(cases.candidates)}
    other = CaseSet(
        tuple(replace(document, id=renamed[document.id]) for document in reversed(cases.candidates)),
        tuple(replace(document, id=renamed[document.id]) for document in cases.queries),
    )
    after = CaseRanker(other, method).rank()
    for one, two in zip(before, after, strict=True):
        assert [renamed[name] for name in one.cases] == list(two.cases)
        assert one.scores.tolist() == two.scores.tolist()


def test_the_reason_is_the_best_pair_with_exact_offsets(cases: CaseSet) -> None:
    ranker = CaseRanker(cases, case_method("segments"))
    ranking = ranker.rank()[2]
    reason = ranker.reason(2, ranking.cases[0])
    assert reason is not None
    text = next(document.text for document in cases.candidates if document.id == reason.case.document_id)
    assert text[reason.case.start : reason.case.end].strip() == text[reason.case.start : reason.case.end]
    single = CaseSet(
        (Document("only", text[reason.case.start : reason.case.end]), *cases.candidates), (cases.queries[2],)
    )
    assert single.queries[0].text[reason.query.start : reason.query.end].endswith(".")


@pytest.mark.parametrize("name", [*METHODS, "default"])
def test_every_method_ranks_every_case_once(cases: CaseSet, name: str) -> None:
    for ranking in ranker_of(cases, case_method(name)).rank():
        assert sorted(ranking.cases) == sorted({c.id for c in cases.candidates} - {ranking.query})
        assert np.isfinite(ranking.scores).all()


@pytest.mark.parametrize("way", WAYS)
def test_aggregation_by_hand(way: str) -> None:
    best = np.array([[3.0, 1.0, -np.inf], [1.0, 2.0, -np.inf]], dtype=np.float32)
    found = Aggregation(way, m=2, sharpness=1.0, k=1.0)(best)
    wanted = {
        "max": [3.0, 2.0, 0.0],
        "sum": [4.0, 3.0, 0.0],
        "smooth": [math.log((math.e**3 + math.e) / 2), math.log((math.e + math.e**2) / 2), 0.0],
        "rank": [1 / 2 + 1 / 3, 1 / 3 + 1 / 2, 1 / 4 + 1 / 4],
        "coverage": [(1 + 0.5) / 2, (1 / 3 + 1) / 2, 0.0],
    }[way]
    assert found.tolist() == pytest.approx(wanted, abs=1e-6)


def test_chosen_terms_are_the_rare_ones() -> None:
    common = Document("a", "court court court lease. " * 3)
    rare = Document("b", "court estoppel. court lease.")
    cases = CaseSet((common, rare), (Document("q", "court court estoppel lease"),))
    for way in ("idf", "kl"):
        ranker = CaseRanker(cases, CaseMethod("x", choice=TermChoice(way, 1)))
        (kept,) = ranker.chosen
        assert kept is not None
        assert kept.tolist() == [ranker.vocabulary["estoppel"]]


def test_only_the_windows_around_suppressed_citations_count() -> None:
    lease, murder = Document("lease", "The lease of land was void."), Document("murder", "The murder trial was fair.")
    query = Document("q", "A murder trial. " * 12 + "The lease of land follows REFERENCE_SUPPRESSED here. ")
    for around, first in ((False, "murder"), (True, "lease")):
        method = CaseMethod("x", windows=Windows(1, 1), aggregation=Aggregation("sum", m=20), around_marks=around)
        ranker = CaseRanker(CaseSet((lease, murder), (query,)), method)
        assert ranker.rank()[0].cases[0] == first
        reason = ranker.reason(0, first)
        assert reason is not None
        assert first in query.text[reason.query.start : reason.query.end]


def test_a_later_case_cannot_be_noticed() -> None:
    early, late = Document("early", "1 May 1980\nlease breach."), Document("late", "1 May 1999\nlease breach damages.")
    query = Document("q", "Decided 3 June 1990\nlease breach damages.")
    for dates, first in ((False, "late"), (True, "early")):
        method = CaseMethod("x", windows=Windows(0), dates=dates)
        assert CaseRanker(CaseSet((early, late), (query,)), method).rank()[0].cases[0] == first


def test_the_grid_is_what_every_cell_alone_would_give() -> None:
    chance = np.random.default_rng(3)
    ranked = []
    for _ in range(4):
        scores = np.sort(chance.random(30))[::-1] * 2
        ranked.append(Ranked(scores, chance.random(30) < 0.2, 8, 2.5))
    for own in (False, True):
        best, figures = tuned(ranked, own=own)
        cells = [Selection(a, b, g, own) for a, b, g in product(ALPHAS, BETAS[:6], GAMMAS)]
        assert max(measured(ranked, cell).f1 for cell in cells) <= figures.f1 + 1e-12
        assert measured(ranked, best).f1 == pytest.approx(figures.f1)


def test_selection_keeps_above_alpha_among_beta_and_near_the_best() -> None:
    scores = np.array([1.0, 0.9, 0.5, 0.2])
    assert Selection(0.0, 200, 0.0).count(scores) == 4
    assert Selection(0.5, 200, 0.0).count(scores) == 2
    assert Selection(0.0, 3, 0.0).count(scores) == 3
    assert Selection(0.0, 200, 0.9).count(scores) == 2
    assert Selection(0.4, 200, 0.0, own=True).count(scores, 2.0) == 2
    assert Selection().count(np.array([])) == 0


def test_scores_that_stand_out_are_selected_whatever_their_scale_and_zero() -> None:
    scores = np.array([9.0, 8.0, *[1.0] * 60, *[0.0] * 60])
    assert Outstanding(3.0, 10).count(scores) == 2
    assert Outstanding(3.0, 10).count(7 * scores - 50) == 2
    assert Outstanding(3.0, 1).count(scores) == 1
    assert Outstanding(99.0, 10).count(scores) == 1
    assert Outstanding().count(np.array([])) == 0
    assert Outstanding().count(np.array([0.3])) == 1


def test_tuning_searches_both_rules_and_says_which_won() -> None:
    chance = np.random.default_rng(4)
    shifted = []
    for at in range(6):
        scores = np.sort(chance.random(60))[::-1] - 3.0 * at
        scores[: at + 1] += (
            5.0  # a different number for each query, at a level of its own: no alpha, beta or gamma fits
        )
        shifted.append(Ranked(scores, np.arange(60) <= at, at + 1))
    best, figures = tuned_best(shifted)
    assert isinstance(best, Outstanding)
    assert figures.f1 == pytest.approx(1.0)
    assert figures.f1 > max(tuned(shifted, own=own)[1].f1 for own in (False, True))
    cells = [Outstanding(c, m) for c, m in product(DEVIATIONS, MOST)]
    assert max(measured(shifted, cell).f1 for cell in cells) == pytest.approx(tuned_outstanding(shifted)[1].f1)
    published = [Ranked(np.array([2.0, 1.9, 0.1]), np.array([True, True, False]), 2)]
    assert isinstance(tuned_best(published)[0], Selection)


def test_tuned_parameters_survive_a_file(tmp_path: Path) -> None:
    for selection in (Selection(0.2, 5, 0.9, own=True), Outstanding(2.5, 7)):
        path = tmp_path / "best.json"
        path.write_text(json.dumps(CaseParameters("segments", selection).to_dict()), encoding="utf-8")
        assert CaseParameters.read(path) == CaseParameters("segments", selection)


def test_the_plain_baseline_is_chosen_on_other_queries_and_the_strongest_one_is_the_yardstick(cases: CaseSet) -> None:
    labelled = replace(cases, relevant={case.id: frozenset({cases.candidates[-1].id}) for case in cases.queries})
    rows = compared(labelled, [case_method("document"), case_method("segments")], lambda _: None, plain=PLAIN[:4])
    names = [row.method for row in rows]
    assert names == [PLAIN_ROW, HINDSIGHT, "document", "segments", CROSSED]
    plain = {row.method: row.map for row in rows if row.method in (PLAIN_ROW, HINDSIGHT, "document")}
    assert {row.baseline for row in rows} == {max(plain, key=lambda name: plain[name])}
    assert plain[HINDSIGHT] >= plain[PLAIN_ROW]
    assert rows[2].tuned_f1 is not None
    alone = compared(labelled, [case_method("segments")], lambda _: None, baseline="segments")
    assert [row.method for row in alone] == ["segments", CROSSED]
    assert alone[0].p == 1.0


def test_a_collection_of_one_case_has_an_empty_ranking(cases: CaseSet) -> None:
    alone = CaseSet(cases.candidates[:1], cases.candidates[:1]).checked()
    (ranking,) = ranker_of(alone, case_method("default")).rank()
    assert ranking.cases == ()
    assert Outstanding().count(ranking.scores) == 0


def test_a_collection_without_citations_is_ranked(cases: CaseSet) -> None:
    for name in ("blend+cited", "blend+cited+named", "blend+authority"):
        assert [r.cases for r in ranker_of(cases, case_method(name)).rank()] == [
            r.cases for r in ranker_of(cases, case_method("blend")).rank()
        ]


def test_settings_that_make_no_sense_are_refused() -> None:
    for made in (
        lambda: Windows(5, 6),
        lambda: Aggregation("magic"),
        lambda: Analysis("magic"),
        lambda: TermChoice("magic"),
        lambda: SegmentBm25(b=2.0),
        lambda: case_method("magic"),
    ):
        with pytest.raises(UsageError):
            made()


MASUD = Document("k", "Masud Khan v State Of Uttar Pradesh\nThe petition is allowed.")
NAIR = Document(
    "o", "Nair v Tamil Nadu\nIn Masud Khan and Others vs. State of U.P. it was held. Nair v Tamil Nadu is here."
)
NOTE = Document("t", "A note\nSee M/s Masud Khan v. The State of Uttar Pradesh, above, and Khan v. State.")


def test_a_case_that_others_name_has_authority() -> None:
    from pincite.cases.authority import PartyNames, authority, citing

    cases = [MASUD, NAIR, NOTE]
    graph = citing(cases, PartyNames(cases))
    assert graph.toarray().tolist() == [[0, 0, 0], [1, 0, 0], [1, 0, 0]]
    assert authority(graph).tolist() == pytest.approx([math.log(3), 0.0, 0.0])


def test_a_name_that_two_cases_share_is_nobodys() -> None:
    from pincite.cases.authority import PartyNames

    twice = Document("x", "Masud Khan v State of Bihar\nDismissed.")
    assert PartyNames([MASUD, twice]).within("Masud Khan v State of Kerala") == set()
    assert PartyNames([MASUD, twice]).within("Masud Khan v State of Bihar") == {1}
    assert PartyNames([MASUD]).within("In Khan v State, it was said.") == set()


def test_what_similar_cases_cite_counts_by_their_likeness() -> None:
    from pincite.cases.authority import PartyNames, cited_by_similar, citing

    cases = [MASUD, NAIR, NOTE]
    graph = citing(cases, PartyNames(cases))
    assert cited_by_similar(graph, np.array([0.1, 2.0, 0.5]), 1).tolist() == pytest.approx([math.log(3), 0, 0])
    assert cited_by_similar(graph, np.array([0.1, 2.0, 0.5]), 2).tolist() == pytest.approx([math.log(3.5), 0, 0])
    assert cited_by_similar(graph, np.array([0.1, 2.0, 2.0]), 1).tolist() == pytest.approx([math.log(5), 0, 0])
    assert cited_by_similar(graph, np.array([0.1, -2.0, -0.5]), 3).tolist() == [0, 0, 0]


def test_a_case_that_the_query_names_comes_first_where_that_is_asked_for() -> None:
    lease = "The lease of the mill was ended for rent in arrears and possession was claimed by the lessor."
    alike = Document("alike", f"Rao v Sen\n{lease}")
    named = Document("named", "Masud Khan v State Of Uttar Pradesh\nA petition about customs duty on silk.")
    query = Document("q", f"The lessor relied on Masud Khan vs. State of Uttar Pradesh. {lease}")
    cases = CaseSet((alike, named, NOTE), (query,), {})
    assert ranker_of(cases, case_method("blend")).rank()[0].cases[0] == "alike"
    assert ranker_of(cases, case_method("blend+cited+named")).rank()[0].cases[0] == "named"


def test_citations_have_exact_offsets_and_can_be_left_out() -> None:
    from pincite.cases.citations import citations, without_citations

    text = "See Roe v. Wade, 410 U.S. 113 (1973), and what follows."
    (found,) = citations(text)
    assert text[found.start : found.end] == found.text == "410 U.S. 113"
    assert len(without_citations(text)) == len(text)
    assert "410" not in without_citations(text)


def test_a_method_is_chosen_on_other_queries_than_it_is_measured_on() -> None:
    from pincite.cases.cross_validation import cross_validated, fold_of

    queries = [f"q{at}" for at in range(40)]
    good = [1.0 if fold_of(query) else 0.0 for query in queries]
    values, chosen = cross_validated(queries, {"plain": [0.5] * 40, "good": good})
    assert chosen[0] == "good"
    assert all(value in (0.5, 1.0, 0.0) for value in values)
    assert sum(values) < max(20.0, sum(good)) + 1e-9
