"""The methods of case retrieval by name: the published ones to the letter, and better ones."""

from pincite.cases.aggregation import Aggregation
from pincite.cases.analysis import Analysis
from pincite.cases.blend import BlendRanker, CaseBlend
from pincite.cases.case_set import CaseSet
from pincite.cases.ranking import CaseMethod, CaseRanker, CaseTexts
from pincite.cases.rerank import CaseRerank, RerankingRanker
from pincite.cases.scoring import SegmentBm25
from pincite.cases.segments import Windows
from pincite.cases.term_selection import TermChoice
from pincite.errors import one_of

PAPER = SegmentBm25("robertson", 0.9, 0.4)
LUCENE = SegmentBm25("lucene", 0.9, 0.4)
LONG = SegmentBm25("lucene", 3.0, 0.75)
WHOLE = Windows(size=0)
ENGLISH = Analysis("english", "nltk")
TUNED = CaseMethod("document-long", ENGLISH, WHOLE, bm25=LONG)
"""For long queries: repeated words count more, and long cases count less."""
PARTS = (
    CaseMethod("coverage", ENGLISH, bm25=LUCENE, aggregation=Aggregation("coverage")),
    CaseMethod(
        "pairs",
        Analysis("english", "nltk", bigrams=True),
        bm25=SegmentBm25("lucene", 3.0, 0.75, once=True),
        aggregation=Aggregation("sum", m=3),
        common=0.2,
    ),
    TUNED,
)
"""A pair of words that a query repeats is mostly a formula of the court, so it counts once."""


def _published(name: str, segments: int | None, size: int, stride: int, bm25: SegmentBm25) -> CaseMethod:
    return CaseMethod(name, windows=Windows(size, stride), query_windows=Windows(size, stride, segments), bm25=bm25)


AnyMethod = CaseMethod | CaseBlend | CaseRerank
AnyRanker = CaseRanker | BlendRanker | RerankingRanker
BLEND = CaseBlend("blend+cited", PARTS, cited=1.0)

_ALL: tuple[AnyMethod, ...] = (
    CaseMethod("document", windows=WHOLE, bm25=LUCENE),
    _published("paper", None, 10, 5, PAPER),
    _published("segments", None, 10, 5, LUCENE),
    _published("paper-10-10-5", 10, 10, 5, LUCENE),
    _published("paper-25-10-10", 25, 10, 10, LUCENE),
    _published("paper-all-10-5", None, 10, 5, LUCENE),
    CaseMethod("sum", bm25=LUCENE, aggregation=Aggregation("sum")),
    CaseMethod("smooth", bm25=LUCENE, aggregation=Aggregation("smooth")),
    CaseMethod("rank", bm25=LUCENE, aggregation=Aggregation("rank")),
    CaseMethod("coverage", bm25=LUCENE, aggregation=Aggregation("coverage")),
    CaseMethod("bigrams", Analysis(bigrams=True), windows=WHOLE, bm25=LUCENE),
    CaseMethod("common", windows=WHOLE, bm25=LUCENE, common=0.3),
    CaseMethod("terms-idf", windows=WHOLE, bm25=LUCENE, choice=TermChoice("idf", 50)),
    CaseMethod("terms-kl", windows=WHOLE, bm25=LUCENE, choice=TermChoice("kl", 50)),
    CaseMethod("dates", windows=WHOLE, bm25=LUCENE, dates=True),
    CaseMethod("around-marks", bm25=LUCENE, around_marks=True),
    CaseMethod("no-citations", windows=WHOLE, bm25=LUCENE, drop_citations=True),
    CaseMethod("both", bm25=LUCENE, whole=1.0),
    TUNED,
    CaseBlend("document+authority", (TUNED,), authority=0.3),
    CaseBlend("blend", PARTS),
    CaseBlend("blend+authority", PARTS, authority=0.5),
    BLEND,
    CaseBlend("blend+cited+named", PARTS, cited=1.0, named=5.0),
    CaseRerank("blend+cited+dense", BLEND, "dense"),
    CaseRerank("blend+cited+rerank", BLEND, "rerank"),
)
PLAIN = tuple(
    CaseMethod(
        f"{form} k1={k1} b={b} {kind}{' once' if once else ''}",
        analysis,
        WHOLE,
        bm25=SegmentBm25(form, k1, b, once, floor=True),
    )
    for once in (False, True)
    for kind, analysis in (("words", Analysis("none", "none")), ("stems", Analysis()))
    for form in ("lucene", "robertson")
    for k1 in (0.9, 1.2, 1.5, 3.0, 6.0)
    for b in (0.4, 0.75, 1.0)
)
"""BM25 on whole cases, nothing else: `cases compare` chooses among these by cross-validation."""
METHODS = {method.name: method for method in _ALL}
DEFAULT = "blend+cited"
SLOW = ("no-citations", "blend+cited+dense", "blend+cited+rerank")
"""Methods that take minutes; `cases compare` runs them only by name."""


def ranker_of(cases: CaseSet, method: AnyMethod, read: CaseTexts | None = None) -> AnyRanker:
    """A ranker of the cases by a method. `read` holds texts that were analysed before, to share them."""
    match method:
        case CaseRerank():
            return RerankingRanker(cases, method, read)
        case CaseBlend():
            return BlendRanker(cases, method, read)
    return CaseRanker(cases, method, read)


def case_method(name: str) -> AnyMethod:
    """The method of that name; `default` is what `pincite cases rank` uses."""
    found = METHODS.get(DEFAULT if name == "default" else name)
    if found is None:
        raise one_of("method", name, [*METHODS, "default"])
    return found
