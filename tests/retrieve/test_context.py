"""Context-aware retrieval on the sample contracts: the right document, the right clause, the exact span."""

from pathlib import Path

import pytest

from pincite.documents import read_folder
from pincite.errors import UsageError
from pincite.evaluate import read_benchmark
from pincite.models import load_encoder
from pincite.query.definitions import defined_terms, terms_asked
from pincite.query.normalise import bare_question
from pincite.query.thesaurus import drafted_as
from pincite.retrieve import ContextRetriever
from pincite.search import SpanConfig
from pincite.search.spans import GRANULARITIES
from pincite.segment import Clauses
from pincite.text import Collection, Document, Filter
from tests.conftest import SAMPLES

LEASE = "contracts/lease-14-garnet-quay-2019.txt"
TAMARISK = "contracts/nda-tamarisk-oneway-2023.txt"


@pytest.fixture(scope="module")
def collection() -> Collection:
    return Collection.build(read_folder(SAMPLES / "corpus").documents, Clauses())


@pytest.fixture(scope="module")
def context(collection: Collection) -> ContextRetriever:
    retriever = ContextRetriever()
    retriever.index(collection)
    return retriever


def understood_ids(context: ContextRetriever, query: str) -> list[str]:
    return [match.id for match in context.parse(query).documents]


@pytest.mark.parametrize(
    ("query", "document", "question"),
    [
        ("Consider Tamarisk's Non-Disclosure Agreement; may copies be kept?", "tamarisk", "may copies be kept?"),
        ("Under the Tamarisk NDA, may copies be kept?", "tamarisk", "may copies be kept?"),
        ("May copies be kept in our agreement with Tamarisk Biosciences?", "tamarisk", "May copies be kept?"),
        (
            "What does the Wrenfield privacy policy say about cookies?",
            "wrenfield",
            "What does the policy say about cookies?",
        ),
        ("May the tenant, according to the Garnet Quay lease, underlet?", "garnet", "May the tenant underlet?"),
        ("For the Halden document: is there a non-compete?", "halden", "is there a non-compete?"),
        ("In the file distribution veridian 2024, who bears the risk?", "veridian", "who bears the risk?"),
        ("I am reading the Belvoir / Kestrel agreement - may copies be kept?", "kestrel", "may copies be kept?"),
        ("how long is the term in the ostrava licence?", "ostrava", "how long is the term?"),
    ],
)
def test_a_reference_is_found_wherever_it_stands(
    context: ContextRetriever, query: str, document: str, question: str
) -> None:
    found = context.parse(query)
    assert document in understood_ids(context, query)[0]
    assert found.question == question
    assert document in found.documents[0].why or found.documents[0].why.startswith("named by")


@pytest.mark.parametrize("query", ["May copies be kept?", "What is the notice period?", "", "confidential information"])
def test_a_query_without_a_reference_is_searched_over_everything(context: ContextRetriever, query: str) -> None:
    assert context.parse(query).documents == ()
    assert context.parse(query).question == query


def test_a_reference_to_nothing_is_said_and_everything_is_searched(context: ContextRetriever) -> None:
    answer = context.answer("Consider the Zyxwv Holdings agreement; may copies be kept?", k=3)
    assert any("no document is called" in note for note in answer.notes)
    assert len(answer.hits) == 3


def test_an_ambiguous_reference_keeps_several_documents() -> None:
    texts = ["NDA of Acme Ltd. Copies may be kept for a year.", "LEASE of Acme Ltd. Copies of keys may be kept here."]
    documents = [Document(f"acme-{at}.txt", text) for at, text in enumerate(texts)]
    documents += [Document(f"other-{at}.txt", f"Agreement {at} of Bolt GmbH. Nothing may be kept.") for at in range(6)]
    context = ContextRetriever()
    context.index(Collection.build(documents, Clauses()))
    answer = context.answer("Under the Acme agreement, may copies be kept?")
    beliefs = {match.id: match.belief for match in answer.understood.documents}
    assert set(beliefs) == {"acme-0.txt", "acme-1.txt"}
    assert sum(beliefs.values()) == pytest.approx(1.0, abs=0.01)
    assert {hit.document_id for hit in answer.hits} == {"acme-0.txt", "acme-1.txt"}


def test_the_users_filter_wins_over_a_guess(context: ContextRetriever) -> None:
    where = Filter(documents=(LEASE,))
    hits = context.search("Under the Tamarisk NDA, may copies be kept?", k=5, where=where)
    assert {hit.document_id for hit in hits} == {LEASE}


def test_a_filter_that_fits_nothing_gives_nothing_and_says_why(context: ContextRetriever) -> None:
    answer = context.answer("May copies be kept?", where=Filter(documents=("nowhere.txt",)))
    assert answer.hits == ()
    assert any("no document fits the filter" in note for note in answer.notes)


def test_every_question_of_the_samples_goes_to_its_document(context: ContextRetriever) -> None:
    questions = read_benchmark(SAMPLES / "benchmarks" / "contracts.json").questions
    right = sum(
        context.search(question.query, k=1)[0].passage.document_id == question.gold[0].document
        for question in questions
    )
    assert right / len(questions) >= 0.97


def test_hits_are_exact_do_not_overlap_and_show_their_parts(context: ContextRetriever) -> None:
    hits = context.search("Under the Garnet Quay lease, may the tenant underlet?", k=30)
    assert [hit.rank for hit in hits] == list(range(1, len(hits) + 1))
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    seen: set[int] = set()
    for hit in hits:
        assert hit.text == hit.document.text[hit.start : hit.end]
        assert not seen & set(range(hit.start, hit.end))
        seen |= set(range(hit.start, hit.end))
        assert {"unit", "near", "document"} <= set(hit.parts)
    assert hits[0].heading_path[0] == "PART 2 - TENANT'S COVENANTS"
    assert "underlet" in hits[0].text


@pytest.mark.parametrize("granularity", GRANULARITIES)
def test_hits_grow_as_asked(collection: Collection, granularity: str) -> None:
    context = ContextRetriever(span_config=SpanConfig(granularity))
    context.index(collection)
    hit = context.search("Under the Garnet Quay lease, may the tenant underlet?", k=1)[0]
    assert hit.text == hit.document.text[hit.start : hit.end]
    assert len(hit.text.split()) >= {"sentence": 3, "clause": 3, "section": 100, "words": 30}[granularity]


def test_an_unknown_granularity_lists_the_legal_ones() -> None:
    with pytest.raises(UsageError, match="sentence, clause, section, words"):
        SpanConfig("page")


def test_the_dense_part_takes_part_where_there_is_an_encoder(collection: Collection, tiny_encoder: Path) -> None:
    context = ContextRetriever(load_encoder(str(tiny_encoder)))
    context.index(collection)
    answer = context.answer("Under the Tamarisk NDA, may copies be kept?")
    assert {"dense", "around"} <= set(answer.hits[0].parts)
    assert answer.notes == ()
    lexical = ContextRetriever()
    lexical.index(collection)
    assert any("dense part was left out" in note for note in lexical.answer("rent?").notes)


def test_an_answer_does_not_depend_on_company_names_of_files_or_order(
    collection: Collection, context: ContextRetriever
) -> None:
    queries = [question.query for question in read_benchmark(SAMPLES / "benchmarks" / "contracts.json").questions[:10]]
    together = context.search_many(queries, 5)
    assert together == [context.search(query, 5) for query in queries]
    turned = ContextRetriever()
    turned.index(Collection.build(reversed(collection.documents), Clauses()))
    for query, hits in zip(queries, together, strict=True):
        assert [hit.passage for hit in turned.search(query, 5)] == [hit.passage for hit in hits]


@pytest.mark.parametrize(
    "text",
    [
        "One sentence alone stands here.",
        "ONLY A HEADING HERE",
        "Der Mieter zahlt. Haustiere sind verboten.",
        "word " * 50,
    ],
)
def test_odd_documents_are_searched_without_error(text: str) -> None:
    context = ContextRetriever()
    context.index(Collection.build([Document("a.txt", text), Document("b.txt", text)], Clauses()))
    context.answer("Who pays?", k=3)
    context.answer(text[:60], k=3)
    assert context.search("") == []


def test_two_documents_with_one_title_are_both_kept() -> None:
    text = "MUTUAL NDA\n\nThe term is {} years from the date of signature."
    documents = [Document(f"{n}.txt", text.format(n), title="MUTUAL NDA") for n in ("two", "five")]
    context = ContextRetriever()
    context.index(Collection.build(documents, Clauses()))
    assert {hit.document_id for hit in context.search("How many years is the term?")} == {"two.txt", "five.txt"}


@pytest.mark.parametrize("megabytes", [5, pytest.param(50, marks=pytest.mark.slow)])
def test_a_document_of_many_megabytes_is_read_and_searched(megabytes: int) -> None:
    clause = "{}. The party numbered {} shall pay the sum of {} euros to the other party on demand.\n"
    text = "".join(clause.format(n, n, n) for n in range(12_000 * megabytes))
    assert len(text) > megabytes * 1_000_000
    context = ContextRetriever()
    context.index(Collection.build([Document("big.txt", text)], Clauses()))
    assert "41234" in context.search("Which party pays 41234 euros?", k=1)[0].text


@pytest.mark.parametrize(
    ("question", "bare"),
    [
        ("Does the document state that copies may be kept?", "copies may be kept"),
        ("What is the governing law of this contract?", "governing law"),
        ("Is there a cap on liability under this contract?", "cap on liability"),
        ("Who pays?", "Who pays"),
        ("Fees?", "Fees?"),
    ],
)
def test_words_that_only_make_a_question_are_left_out(question: str, bare: str) -> None:
    assert bare_question(question) == bare


def test_definitions_and_drafting_are_known() -> None:
    assert defined_terms("“Company Material Adverse Effect” means any effect") == ("company material adverse effect",)
    assert defined_terms('the word "Rent" is used here') == ()
    assert terms_asked('What is the definition of "Rent"?') == {"rent"}
    assert terms_asked("How is Superior Proposal defined?") == {"superior proposal"}
    assert "solicit" in drafted_as("Where is the no shop clause?")
    assert drafted_as("Who pays the rent?") == ""


def test_a_definition_is_found_by_its_term(context: ContextRetriever) -> None:
    hit = context.search("In the Ironbridge merger agreement, how is Superior Proposal defined?", k=1)[0]
    assert '"Superior Proposal" means' in hit.text
    assert hit.why == ("defines 'Superior Proposal'",)
