"""Which documents to look into: those that the question names, else the likeliest ones."""

from collections.abc import Mapping

from pincite.engine.contract import CandidateView, Scope
from pincite.models import Vectors
from pincite.query.normalise import bare_question
from pincite.query.reference import ParsedQuery
from pincite.search.scoring import ContextConfig
from pincite.text.document import DocumentKey

DEEP, NEAR = 20, 5
"""Units asked for per document looked into: by words, and by vectors."""


def candidate_documents(
    view: CandidateView,
    parsed: ParsedQuery,
    scope: Scope,
    config: ContextConfig,
    vectors: Vectors | None = None,
    least_units: int = 0,
    most: int | None = None,
) -> Mapping[DocumentKey, float]:
    """The documents to look into, at most `most`, each with how well it fits the reference (1 for the best).

    Without a reference, `least_units` is how many units they must have together, if there are that many.
    """
    most = most or config.most_documents
    named = [match.key for match in parsed.documents]
    fits = dict(zip(named, view.in_scope(named, scope), strict=True)) if named else {}
    beliefs = {match.key: match.belief for match in parsed.documents if fits[match.key]}
    if beliefs:
        best = max(beliefs.values())
        kept = sorted(beliefs, key=lambda key: (-beliefs[key], key))[:most]
        return {key: beliefs[key] / best for key in kept}
    likely = dict.fromkeys(_likely(view, parsed.question, scope, config, vectors, least_units, most), 1.0)
    return _hinted(view, parsed, scope, likely)


def _hinted(
    view: CandidateView, parsed: ParsedQuery, scope: Scope, likely: dict[DocumentKey, float]
) -> dict[DocumentKey, float]:
    """The same with the documents that the question may mean: they fit, and the others less, the more so the surer."""
    keys = [match.key for match in parsed.hints]
    hints = (
        [match for match, fits in zip(parsed.hints, view.in_scope(keys, scope), strict=True) if fits] if keys else []
    )
    if not hints:
        return likely
    raised = {match.key: 1 - hints[0].belief + match.belief for match in hints}
    return raised | {key: 1 - hints[0].belief for key in likely if key not in raised}


def _likely(
    view: CandidateView,
    question: str,
    scope: Scope,
    config: ContextConfig,
    vectors: Vectors | None,
    least_units: int,
    most: int,
) -> list[DocumentKey]:
    """The documents of the units that share most with the question, or are nearest to it, in turn."""
    if view.count(scope) <= most:
        return list(view.further(scope, (), 1 << 62))
    stems = view.language.stems(bare_question(question, view.language))
    ranked = [view.likely(stems, config.k1, config.b, DEEP * most, scope)]
    if vectors is not None:
        ranked.append(view.nearest(vectors[0], NEAR * most, scope))
    chosen: dict[DocumentKey, int] = {}
    for place in range(max(map(len, ranked))):
        for documents in ranked:
            if place < len(documents) and len(chosen) < most:
                chosen.setdefault(documents[place].key, 0)
    missing = least_units - view.unit_count(list(chosen))
    if missing > 0:
        return [*chosen, *view.further(scope, list(chosen), missing)]
    return list(chosen)
