"""Pincite in LangChain: `PinciteRetriever` and `PinciteSearchTool`."""

from langchain_pincite.retriever import PinciteRetriever
from langchain_pincite.tool import PinciteSearchTool

__all__ = ["PinciteRetriever", "PinciteSearchTool"]
