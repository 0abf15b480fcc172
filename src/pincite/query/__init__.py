"""Questions: what they ask, which documents they name, what they demand of their answers."""

from pincite.query.operators import QueryConstraints
from pincite.query.reference import DocumentMatch, ParsedQuery, parse

__all__ = ["DocumentMatch", "ParsedQuery", "QueryConstraints", "parse"]
