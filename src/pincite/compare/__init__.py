"""One question asked of many documents: the rows, their export, and images of pages."""

from pincite.compare.comparison import ComparisonRow, found_first

__all__ = ["ComparisonRow", "found_first"]
