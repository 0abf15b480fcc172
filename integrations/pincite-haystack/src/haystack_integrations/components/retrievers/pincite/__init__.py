"""Pincite in Haystack: `PinciteRetriever`."""

from haystack_integrations.components.retrievers.pincite.retriever import PinciteRetriever

__all__ = ["PinciteRetriever"]
