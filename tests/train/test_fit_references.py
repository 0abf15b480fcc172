"""Fitting how references are told from questions, on a handful of documents."""

import json
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest

from pincite.engine.contract import CandidateView
from pincite.errors import DataError
from pincite.evaluate.questions import WrittenQuestion
from pincite.query.reference import ReferenceParser, ReferenceWeights, shipped_weights
from pincite.query.reference_spans import DOCUMENT, FEATURES
from pincite.retrieve import ContextRetriever
from pincite.segment import Clauses
from pincite.text import Collection, Document
from pincite.text.english import ENGLISH
from pincite.train.fit_references import (
    HELD_OUT,
    Reference,
    fit_on,
    fit_references,
    references_of,
    wordings,
)

NAMES = (
    *("Averley", "Brockton", "Corvane", "Dunmore", "Elstree", "Farrow", "Gadwall", "Hexley", "Ilford", "Jarrow"),
    *("Kelso", "Lusk", "Marram", "Norland", "Orbell", "Pelham", "Quarle", "Redmire", "Sable", "Tollgate"),
)
ASKED = ("Who pays the price of the goods?", "When is the notice given?", "May the goods be sent back?")
FIGURES = {"queries", "document@1", "among", "sure", "sure and right", "false references"}
Fitted = tuple[dict[str, dict[str, float]], dict[str, float]]


def named(name: str) -> str:
    return f"made/{name.lower()}-supply.txt"


TEXT = (
    "SUPPLY AGREEMENT\n\nThis Supply Agreement is made between {} Works Ltd and Buyer plc.\n\n1. PRICE\n\nThe buyer pays the"
    " price of the goods in {} days.\n\n2. NOTICE\n\nA notice is given in writing. The goods may be sent back.\n"
)
TEXTS = {named(name): TEXT.format(name, at + 5) for at, name in enumerate(NAMES)}


@pytest.fixture(scope="module")
def view() -> CandidateView:
    context = ContextRetriever()
    context.index(Collection.build([Document(name, text) for name, text in TEXTS.items()], Clauses()))
    return context.view


@pytest.fixture(scope="module")
def rows() -> list[Reference]:
    return [
        Reference(question, form.format(name), named(name), keywords=False)
        for name in NAMES
        for question, form in zip(ASKED, ("the {} agreement", "{}'s supply agreement", "{} Works"), strict=True)
    ]


@pytest.fixture(scope="module")
def fitted(rows: list[Reference], view: CandidateView) -> Fitted:
    return fit_references(rows, view, ENGLISH, lambda _: None)


def test_every_feature_has_a_weight_and_figures_are_shares(fitted: Fitted) -> None:
    weights, figures = fitted
    assert set(weights) == {"span", "document"}
    assert tuple(weights["span"]) == FEATURES
    assert tuple(weights["document"]) == DOCUMENT
    assert any(weights["span"].values())
    assert any(weights["document"].values())
    assert set(figures) == FIGURES
    assert all(0 <= figures[name] <= 1 for name in FIGURES - {"queries"})


def test_the_weights_survive_being_written_down(fitted: Fitted) -> None:
    read = ReferenceWeights.of(json.loads(json.dumps(fitted[0])))
    assert read.span.tolist() == [fitted[0]["span"][name] for name in FEATURES]
    assert read.document.tolist() == [fitted[0]["document"][name] for name in DOCUMENT]
    assert shipped_weights().span.shape == read.span.shape


@pytest.mark.parametrize("name", ["Averley", "Norland", "Tollgate"])
def test_a_reference_is_found_with_them_and_a_question_stays_whole(
    fitted: Fitted, view: CandidateView, name: str
) -> None:
    weights = ReferenceWeights.of(fitted[0])
    found = ReferenceParser(f"Under the {name} agreement, who pays the price?", view, ENGLISH, weights).parse()
    assert found.documents[0].id == named(name)
    assert found.question == "who pays the price?"
    plain = ReferenceParser("Who pays the price?", view, ENGLISH, weights).parse()
    assert (plain.documents, plain.question) == ((), "Who pays the price?")


def test_documents_that_were_held_out_are_found_as_well(fitted: Fitted, rows: list[Reference]) -> None:
    held = {row.document for row in rows if sha256(row.document.encode()).digest()[0] % HELD_OUT == 0}
    figures = fitted[1]
    assert 0 < len(held) < len(NAMES) / 2
    assert figures["queries"] >= len(held) * len(ASKED)
    assert figures["document@1"] >= 0.9
    assert figures["false references"] <= 0.1


def test_it_comes_out_the_same_every_time(fitted: Fitted, rows: list[Reference], view: CandidateView) -> None:
    told: list[str] = []
    assert fit_references(rows, view, ENGLISH, told.append) == fitted
    assert len(told) == 1
    assert told[0].endswith("held out")


def test_wordings_say_where_the_reference_stands(rows: list[Reference]) -> None:
    made = list(wordings(rows))
    references = {row.reference.lower() for row in rows}
    for query, place, document in made:
        assert document in {row.document for row in rows}
        assert place is None or query[slice(*place)].lower() in references
    without = [query for query, place, _ in made if place is None]
    assert len(without) == len(rows)
    assert {query.lower() for query in without} == {question.lower() for question in ASKED}
    assert any(query.islower() for query, place, _ in made if place)
    assert made == list(wordings(rows))
    assert made != list(wordings(rows, seed=2))


def test_a_question_without_a_reference_is_worded_once() -> None:
    ((query, place, document),) = wordings([Reference("Who pays?", "", "a.txt")])
    assert (query.lower(), place, document) == ("who pays?", None, "a.txt")


def test_references_are_those_of_written_questions() -> None:
    written = WrittenQuestion("questions/corpus/quay.txt", "keywords", "rent due", "the Quay lease", ((0, 4),))
    assert references_of([written, replace(written, style="plain", reference="")]) == [
        Reference("rent due", "the Quay lease", "quay.txt", keywords=True),
        Reference("rent due", "", "quay.txt", keywords=False),
    ]


def test_it_is_fitted_on_the_train_split_of_a_data_folder(
    tmp_path: Path, rows: list[Reference], fitted: Fitted
) -> None:
    corpus = tmp_path / "questions" / "corpus"
    for name, text in TEXTS.items():
        (corpus / name).parent.mkdir(parents=True, exist_ok=True)
        (corpus / name).write_text(text, encoding="utf-8")
    lines = [
        {"document": f"questions/corpus/{row.document}", "style": "plain", "question": row.question, "reference": row.reference, "gold": []}
        for row in rows
    ]  # fmt: skip
    (tmp_path / "questions" / "train.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    assert fit_on(tmp_path, lambda _: None) == fitted


def test_a_data_folder_without_a_train_split_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"train\.jsonl: cannot be read"):
        fit_on(tmp_path, lambda _: None)
