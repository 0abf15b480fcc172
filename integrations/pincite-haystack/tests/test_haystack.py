"""The component in and out of pipelines: exact passages, typed outputs, and a round trip through YAML."""

import asyncio
import importlib.util
from pathlib import Path

import pytest
from haystack import Document, Pipeline
from haystack.components.joiners import DocumentJoiner
from haystack.utils import Secret
from haystack_integrations.components.retrievers.pincite import PinciteRetriever

from conftest import QUESTION, SAMPLES
from pincite import Index
from pincite.errors import UsageError


@pytest.fixture(params=["index", "url"])
def place(request: pytest.FixtureRequest, index: str, address: str) -> dict[str, str]:
    return {"index": index} if request.param == "index" else {"url": address}


def test_passages_are_exact(place: dict[str, str], index: str) -> None:
    found = PinciteRetriever(**place, top_k=3, fast=True).run(QUESTION)
    assert len(found["documents"]) == 3
    assert found["answered"] is None  # nothing judges without the re-ranker
    with Index.open(index, read_only=True) as opened:
        for one in found["documents"]:
            assert isinstance(one, Document)
            text = opened.document(one.meta["source"]).text
            assert text[one.meta["start"] : one.meta["end"]] == one.content
            assert {"citation", "page", "boxes", "likelihood"} <= one.meta.keys()
            assert one.score is not None


def test_async_gives_the_same(place: dict[str, str]) -> None:
    retriever = PinciteRetriever(**place, top_k=2, fast=True)
    assert asyncio.run(retriever.run_async(QUESTION)) == retriever.run(QUESTION)


def test_what_is_given_at_run_time_overrules(place: dict[str, str]) -> None:
    retriever = PinciteRetriever(**place, top_k=5, fast=True)
    found = retriever.run("confidential information", top_k=2, filters={"kind": "nda"})["documents"]
    assert len(found) == 2
    assert {one.meta["document_metadata"]["kind"] for one in found} == {"non-disclosure agreement"}


def test_it_works_in_a_pipeline_that_was_written_and_read_again(place: dict[str, str]) -> None:
    pipeline = Pipeline()
    pipeline.add_component("passages", PinciteRetriever(**place, top_k=2, fast=True, filters={"kind": "lease"}))
    pipeline.add_component("joined", DocumentJoiner())
    pipeline.connect("passages.documents", "joined.documents")
    again = Pipeline.loads(pipeline.dumps())
    for each in (pipeline, again):
        done = each.run({"passages": {"query": QUESTION}}, include_outputs_from={"passages"})
        assert len(done["joined"]["documents"]) == 2
        assert "answered" in done["passages"]
    assert again.to_dict() == pipeline.to_dict()


def test_a_key_is_written_as_the_name_of_its_variable() -> None:
    made = PinciteRetriever(url="http://127.0.0.1:8080", key=Secret.from_env_var("PINCITE_KEY", strict=False))
    written = made.to_dict()
    assert written["init_parameters"]["key"]["env_vars"] == ["PINCITE_KEY"]
    assert PinciteRetriever.from_dict(written).to_dict() == written


def test_where_the_passages_come_from_must_be_clear() -> None:
    with pytest.raises(UsageError, match="give either index"):
        PinciteRetriever().run(QUESTION)


def test_the_example_runs(capsys: pytest.CaptureFixture[str]) -> None:
    path = Path(__file__).parents[1] / "example.py"
    spec = importlib.util.spec_from_file_location("example", path)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.main(str(SAMPLES))
    assert "underlet" in capsys.readouterr().out
