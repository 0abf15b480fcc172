"""LangChain's own suites: a retriever and a tool that behave as LangChain expects."""

import pytest
from langchain_pincite import PinciteRetriever, PinciteSearchTool
from langchain_tests.integration_tests import RetrieversIntegrationTests, ToolsIntegrationTests
from langchain_tests.unit_tests import ToolsUnitTests

from conftest import QUESTION

PLACE: dict[str, str] = {}


@pytest.fixture(scope="module", autouse=True)
def _place(index: str, address: str) -> None:
    PLACE.update(index=index, url=address)


class TestRetrieverInProcess(RetrieversIntegrationTests):
    @property
    def retriever_constructor(self) -> type[PinciteRetriever]:
        return PinciteRetriever

    @property
    def retriever_constructor_params(self) -> dict[str, object]:
        return {"index": PLACE["index"], "fast": True}

    @property
    def retriever_query_example(self) -> str:
        return QUESTION


class TestRetrieverOverRest(TestRetrieverInProcess):
    @property
    def retriever_constructor_params(self) -> dict[str, object]:
        return {"url": PLACE["url"], "fast": True}


class _Tool:
    @property
    def tool_constructor(self) -> type[PinciteSearchTool]:
        return PinciteSearchTool

    @property
    def tool_constructor_params(self) -> dict[str, object]:
        return {"retriever": PinciteRetriever(index=PLACE["index"], fast=True)}

    @property
    def tool_invoke_params_example(self) -> dict[str, object]:
        return {"query": QUESTION, "k": 2}


class TestToolUnit(_Tool, ToolsUnitTests):
    pass


class TestTool(_Tool, ToolsIntegrationTests):
    pass
