"""Trimming: which units around the best one belong to the same answer."""

from pincite.trim.trimmer import Trimmer, neighbour_features

__all__ = ["Trimmer", "neighbour_features"]
