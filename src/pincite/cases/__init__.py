"""Case retrieval: for a whole judgment, the earlier cases that it should cite."""

from pincite.cases.case_set import CaseSet
from pincite.cases.ranking import CaseMethod, CaseRanker, CaseRanking, Reason
from pincite.cases.selection import Selection

__all__ = ["CaseMethod", "CaseRanker", "CaseRanking", "CaseSet", "Reason", "Selection"]
