"""One question asked of many documents: the rows, their export, and images of pages."""

from pincite.compare.comparison import ComparisonRow

__all__ = ["ComparisonRow"]
