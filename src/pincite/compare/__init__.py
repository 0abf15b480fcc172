"""One question over many documents: the rows, their exports, and pictures of pages."""

from pincite.compare.comparison import ComparisonRow

__all__ = ["ComparisonRow"]
