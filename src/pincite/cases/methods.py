"""The methods of case retrieval by name: the published ones to the letter, and what goes past them."""

from pincite.cases.analysis import Analysis
from pincite.cases.choosing import TermChoice
from pincite.cases.joining import Joining
from pincite.cases.ranking import CaseMethod
from pincite.cases.scoring import SegmentBm25
from pincite.cases.segments import Windows
from pincite.errors import one_of

PAPER = SegmentBm25("robertson", 0.9, 0.4)
LUCENE = SegmentBm25("lucene", 0.9, 0.4)
WHOLE = Windows(size=0)


def _published(name: str, segments: int | None, size: int, stride: int, bm25: SegmentBm25) -> CaseMethod:
    return CaseMethod(name, windows=Windows(size, stride), query_windows=Windows(size, stride, segments), bm25=bm25)


METHODS = {
    method.name: method
    for method in (
        CaseMethod("document", windows=WHOLE, bm25=LUCENE),
        _published("paper", None, 10, 5, PAPER),
        _published("segments", None, 10, 5, LUCENE),
        _published("paper-10-10-5", 10, 10, 5, LUCENE),
        _published("paper-25-10-10", 25, 10, 10, LUCENE),
        _published("paper-all-10-5", None, 10, 5, LUCENE),
        CaseMethod("sum", bm25=LUCENE, joining=Joining("sum")),
        CaseMethod("smooth", bm25=LUCENE, joining=Joining("smooth")),
        CaseMethod("rank", bm25=LUCENE, joining=Joining("rank")),
        CaseMethod("coverage", bm25=LUCENE, joining=Joining("coverage")),
        CaseMethod("bigrams", Analysis(bigrams=True), windows=WHOLE, bm25=LUCENE),
        CaseMethod("common", windows=WHOLE, bm25=LUCENE, common=0.3),
        CaseMethod("terms-idf", windows=WHOLE, bm25=LUCENE, choice=TermChoice("idf", 50)),
        CaseMethod("terms-kl", windows=WHOLE, bm25=LUCENE, choice=TermChoice("kl", 50)),
        CaseMethod("dates", windows=WHOLE, bm25=LUCENE, dates=True),
        CaseMethod("both", bm25=LUCENE, whole=1.0),
    )
}
DEFAULT = "both"


def case_method(name: str) -> CaseMethod:
    """The method of that name; `default` is what `pincite cases rank` uses."""
    found = METHODS.get(DEFAULT if name == "default" else name)
    if found is None:
        raise one_of("method", name, [*METHODS, "default"])
    return found
