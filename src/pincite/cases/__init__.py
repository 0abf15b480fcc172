"""Case retrieval: for a whole judgment, the earlier cases that it should cite."""

from pincite.cases.case_set import CaseSet
from pincite.cases.ranking import CaseMethod, CaseRanker, CaseRanking, Reason
from pincite.cases.selection import Outstanding, Selection
from pincite.cases.similar import SimilarCases

__all__ = ["CaseMethod", "CaseRanker", "CaseRanking", "CaseSet", "Outstanding", "Reason", "Selection", "SimilarCases"]
