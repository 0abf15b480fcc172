"""Nodes are exact passages that know where they stand, in both modes and both ways of calling."""

import asyncio
import importlib.util
from pathlib import Path

import pytest
from llama_index.core.llms.mock import MockLLM
from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.response_synthesizers import ResponseMode, get_response_synthesizer
from llama_index.core.schema import NodeRelationship, QueryBundle
from llama_index.retrievers.pincite import PinciteReader, PinciteRetriever

from conftest import QUESTION, SAMPLES
from pincite import Index
from pincite.errors import UsageError


@pytest.fixture(params=["index", "url"])
def place(request: pytest.FixtureRequest, index: str, address: str) -> dict[str, str]:
    return {"index": index} if request.param == "index" else {"url": address}


def test_nodes_know_their_place_and_their_document(place: dict[str, str], index: str) -> None:
    found = PinciteRetriever(**place, similarity_top_k=3, fast=True).retrieve(QUESTION)
    assert len(found) == 3
    assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)
    with Index.open(index, read_only=True) as opened:
        for one in found:
            node = one.node
            source = node.relationships[NodeRelationship.SOURCE].node_id
            assert opened.document(source).text[node.start_char_idx : node.end_char_idx] == node.text
            assert {"citation", "page", "boxes", "likelihood"} <= node.metadata.keys()
            assert "boxes" not in node.get_content(metadata_mode="llm")


def test_async_gives_the_same(place: dict[str, str]) -> None:
    retriever = PinciteRetriever(**place, similarity_top_k=2, fast=True)
    assert asyncio.run(retriever.aretrieve(QueryBundle(QUESTION))) == retriever.retrieve(QUESTION)


def test_filters_narrow(place: dict[str, str]) -> None:
    found = PinciteRetriever(**place, filters={"kind": "nda"}, fast=True).retrieve("confidential information")
    assert {one.node.metadata["document_metadata"]["kind"] for one in found} == {"non-disclosure agreement"}


def test_it_drives_a_query_engine(place: dict[str, str]) -> None:
    engine = RetrieverQueryEngine(
        PinciteRetriever(**place, similarity_top_k=2, fast=True),
        get_response_synthesizer(llm=MockLLM(), response_mode=ResponseMode.COMPACT),
    )
    answer = engine.query(QUESTION)
    assert len(answer.source_nodes) == 2
    assert answer.source_nodes[0].node.text in str(answer)


def test_the_reader_gives_documents_and_nodes_that_are_slices_of_them(place: dict[str, str]) -> None:
    reader = PinciteReader(**place)
    documents = {document.id_: document for document in reader.load_data()}
    assert len(documents) == len(list(SAMPLES.rglob("*.txt")))
    nodes = reader.load_nodes()
    assert len(nodes) > len(documents)
    for node in nodes:
        whole = documents[node.relationships[NodeRelationship.SOURCE].node_id].text
        assert whole[node.start_char_idx : node.end_char_idx] == node.text


def test_where_the_passages_come_from_must_be_clear() -> None:
    with pytest.raises(UsageError, match="give either index"):
        PinciteRetriever()


def test_the_example_runs(capsys: pytest.CaptureFixture[str]) -> None:
    path = Path(__file__).parents[1] / "example.py"
    spec = importlib.util.spec_from_file_location("example", path)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.main(str(SAMPLES))
    assert "underlet" in capsys.readouterr().out
