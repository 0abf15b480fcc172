"""Questions about a set of documents: which documents are asked, by the kind that the question names."""

from dataclasses import replace

from pincite.engine.contract import CandidateView, Scope
from pincite.errors import UsageError
from pincite.query.document_kinds import kinds_within
from pincite.query.names import IN_NAME
from pincite.query.reference import ParsedQuery
from pincite.text import Filter
from pincite.text.conditions import KIND
from pincite.text.document import DocumentKey

MOST_OF_KIND = 400
"""Documents of a kind to which those are added that are only called so."""
MOST_NAMED = 60
"""Documents that are only called so."""

NO_KIND = "no document is known to be of the kind {!r}: all documents were searched"
MORE = "{} documents are of the kind {!r}: ask for as many hits to see each of them"


def of_kind(view: CandidateView, parsed: ParsedQuery, scope: Scope, k: int) -> tuple[ParsedQuery, Scope]:
    """A question about a set, asked of the documents of the kind that it names; of all, with a note, where there is
    none."""
    kind = parsed.asked.kind
    if not kind:
        return parsed, scope
    narrow = _narrow(view, kind, scope)
    if narrow is None:
        return replace(parsed, notes=(*parsed.notes, NO_KIND.format(kind))), scope
    if parsed.documents:
        fits = view.in_scope([match.key for match in parsed.documents], narrow)
        documents = tuple(match for match, fit in zip(parsed.documents, fits, strict=True) if fit)
        return (replace(parsed, documents=documents) if len(documents) > 1 else parsed), scope
    count = view.count(narrow)
    if count > k:
        parsed = replace(parsed, notes=(*parsed.notes, MORE.format(count, kind)))
    return parsed, narrow


def _narrow(view: CandidateView, kind: str, scope: Scope) -> Scope | None:
    """The documents of a kind, and those whose file, title or folder calls them so; None where there are none."""
    where = (scope.where or Filter()).also({KIND: list(kinds_within(kind))})
    narrow = Scope(where, scope.holding)
    try:
        count = view.count(narrow)
    except UsageError:  # no document has a kind
        count = 0
    if count > MOST_OF_KIND:
        return narrow
    keys = list(view.further(narrow, (), 1 << 62)) if count else []
    ids = {key.id for key in (*keys, *_called(view, kind, scope))}
    return Scope((scope.where or Filter()).among(sorted(ids)), scope.holding) if ids else None


def _called(view: CandidateView, kind: str, scope: Scope) -> list[DocumentKey]:
    """The documents in scope that are called by every word of a kind."""
    words = [word for word in kind.replace("-", " ").split() if word not in ("or", "of")]
    evidence = view.name_evidence(words, MOST_NAMED)
    named = [
        candidate.key
        for candidate, weights in zip(evidence.documents, evidence.weights.T, strict=True)
        if (weights >= IN_NAME).all()
    ]
    return [key for key, fits in zip(named, view.in_scope(named, scope), strict=True) if fits] if named else []
