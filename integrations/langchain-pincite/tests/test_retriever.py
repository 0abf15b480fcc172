"""What the retriever and the tool give: exact passages that can be cited and highlighted, in every way of calling."""

import asyncio
import importlib.util
from pathlib import Path

import pytest
from langchain_core.runnables import ConfigurableField, RunnableLambda
from langchain_pincite import PinciteRetriever, PinciteSearchTool

from conftest import QUESTION, SAMPLES
from pincite import Index
from pincite.errors import UsageError


@pytest.fixture(params=["index", "url"])
def retriever(request: pytest.FixtureRequest, index: str, address: str) -> PinciteRetriever:
    place = {"index": index} if request.param == "index" else {"url": address}
    return PinciteRetriever(**place, fast=True, k=3)


def test_passages_are_exact_and_can_be_highlighted(retriever: PinciteRetriever, index: str) -> None:
    with Index.open(index, read_only=True) as opened:
        for found in retriever.invoke(QUESTION):
            about = found.metadata
            text = opened.document(about["source"]).text
            assert text[about["start"] : about["end"]] == found.page_content
            assert found.id == f"{about['source']}:{about['start']}-{about['end']}"
            assert {"citation", "page", "page_label", "boxes", "likelihood", "spans", "title"} <= about.keys()
            assert about["document_metadata"]["kind"]


def test_both_modes_answer_the_same(index: str, address: str) -> None:
    local, remote = PinciteRetriever(index=index, fast=True), PinciteRetriever(url=address, fast=True)
    assert local.invoke(QUESTION) == remote.invoke(QUESTION)


def test_sync_async_batch_and_stream_agree(retriever: PinciteRetriever) -> None:
    once = retriever.invoke(QUESTION)
    assert len(once) == 3
    assert asyncio.run(retriever.ainvoke(QUESTION)) == once
    assert retriever.batch([QUESTION, "Who insures?"])[0] == once
    assert asyncio.run(retriever.abatch([QUESTION]))[0] == once
    assert list(retriever.stream(QUESTION)) == [once]


def test_it_composes_and_is_configured_at_run_time(retriever: PinciteRetriever) -> None:
    chain = retriever.configurable_fields(k=ConfigurableField(id="k")) | RunnableLambda(len)
    assert chain.invoke(QUESTION) == 3
    assert chain.with_config(configurable={"k": 1}).invoke(QUESTION) == 1


def test_filters_narrow(retriever: PinciteRetriever) -> None:
    found = retriever.invoke("confidential information", filters={"kind": "nda"})
    assert found
    assert {one.metadata["document_metadata"]["kind"] for one in found} == {"non-disclosure agreement"}


def test_the_tool_tells_citations_and_keeps_the_documents(index: str) -> None:
    tool = PinciteSearchTool(retriever=PinciteRetriever(index=index, fast=True))
    said = tool.invoke({"type": "tool_call", "id": "1", "name": tool.name, "args": {"query": QUESTION, "k": 1}})
    assert said.content.startswith(f"[1] {said.artifact[0].metadata['citation']}\n")
    assert said.artifact[0].page_content in said.content


def test_an_agent_cannot_leave_the_documents_it_was_given(index: str) -> None:
    tool = PinciteSearchTool(retriever=PinciteRetriever(index=index, fast=True, filters={"kind": "lease"}))
    said = tool.invoke(
        {"type": "tool_call", "id": "1", "name": tool.name, "args": {"query": "confidential", "kind": "nda"}}
    )
    assert {one.metadata["document_metadata"]["kind"] for one in said.artifact} <= {"lease"}


@pytest.mark.parametrize("given", [{}, {"index": "a", "url": "http://b"}, {"index": "a", "key": "k"}])
def test_where_the_passages_come_from_must_be_clear(given: dict[str, str]) -> None:
    with pytest.raises((UsageError, ValueError), match=r"give either index|go with url"):
        PinciteRetriever(**given)


def test_the_key_is_not_shown(address: str) -> None:
    assert "geheim" not in repr(PinciteRetriever(url=address, key="geheim"))


def test_the_example_runs(capsys: pytest.CaptureFixture[str]) -> None:
    path = Path(__file__).parents[1] / "example.py"
    spec = importlib.util.spec_from_file_location("example", path)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.main(str(SAMPLES))
    assert "underlet" in capsys.readouterr().out
