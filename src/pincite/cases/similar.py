"""Cases like this one: for a judgment of an index, or any other, the cases of the index that are most like it, and why.

What is read of the collection is kept until the collection changes, so that only the first question waits for it.
"""

import threading
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Protocol

import numpy as np

from pincite.cases.blend import BlendRanker, CaseBlend
from pincite.cases.case_set import CaseSet
from pincite.cases.dates import decided
from pincite.cases.named_cases import named_cases
from pincite.cases.ranking import CaseRanker, CaseTexts, Reason
from pincite.cases.selection import DEFAULT as OUTSTANDING
from pincite.cases.words import WORD, Progress
from pincite.engine.contract import Engine
from pincite.engine.records import DocumentRecord, Page
from pincite.errors import DataError, UsageError
from pincite.text import Document, Filter, Hit
from pincite.text.dates import iso_date
from pincite.text.order import check_k

MOST_CASES = 20_000
"""Documents that are compared at most; a filter narrows them."""
KEPT = 2
"""Selections of documents whose texts are kept in memory."""
LOADED = 200
"""Documents that are loaded at a time."""
TERMS, SHOWN = 12, 8
"""Shared words, and authorities in common, that a result names."""
LEFT_OUT = "decided after"
"""How the note on later cases begins."""
LONGEST_CITED = 1_000_000
"""Characters in which citations by reporter are looked for."""


@dataclass(frozen=True, slots=True)
class CaseInfo:
    """What is known of a case: its id in the index ("" for one that is not there), title, court and date."""

    document: str
    title: str
    court: str = ""
    date: str = ""

    def to_dict(self) -> dict[str, object]:
        return {"document": self.document, "title": self.title, "court": self.court, "date": self.date}


@dataclass(frozen=True, slots=True)
class Stretch:
    """A stretch of a judgment: `text` is its text from `start` to `end`."""

    start: int
    end: int
    text: str
    page: int | None
    citation: str

    @classmethod
    def of(cls, document: Document, start: int, end: int) -> "Stretch":
        hit = Hit.of(document, (start, end), (), 0.0, 1, {})
        return cls(start, end, hit.text, hit.page, hit.citation)

    def to_dict(self) -> dict[str, object]:
        named = {"start": self.start, "end": self.end, "text": self.text}
        return {**named, "page": self.page, "citation": self.citation}


@dataclass(frozen=True, slots=True)
class SimilarCase:
    """A case, the two stretches that match best, what both cite, and why it was found."""

    rank: int
    score: float
    stands_out: bool
    """Whether its score stands out from those of the other cases."""
    case: CaseInfo
    mine: Stretch | None
    """The stretch of the query; None where the two share no word."""
    its: Stretch | None
    shared_words: tuple[str, ...]
    in_common: tuple[str, ...]
    """The authorities that both judgments cite."""
    why: tuple[str, ...]

    def to_dict(self) -> dict[str, object]:
        return {
            "rank": self.rank,
            "score": self.score,
            "stands_out": self.stands_out,
            **self.case.to_dict(),
            "query_passage": self.mine.to_dict() if self.mine else None,
            "passage": self.its.to_dict() if self.its else None,
            "shared_words": list(self.shared_words),
            "in_common": list(self.in_common),
            "why": list(self.why),
        }


@dataclass(frozen=True, slots=True)
class SimilarAnswer:
    """The cases like a judgment, best first, and notes on what was left out."""

    query: CaseInfo
    cases: tuple[SimilarCase, ...]
    compared: int
    """How many cases it was compared with."""
    notes: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, object]:
        return {
            "query": self.query.to_dict(),
            "compared": self.compared,
            "notes": list(self.notes),
            "cases": [case.to_dict() for case in self.cases],
        }


@dataclass(frozen=True, slots=True, eq=False)
class _Library:
    """The documents that a filter admits, read."""

    records: dict[str, DocumentRecord]
    texts: CaseTexts


class CaseCollection(Protocol):
    """What is needed of an index: its engine, and the documents that a filter admits."""

    engine: Engine

    def documents(
        self, where: Filter | None = None, *, cursor: str = "", limit: int = 100, visible: Filter | None = None
    ) -> Page[DocumentRecord]: ...


class SimilarCases:
    """Finds the cases of an index that are like a judgment; `Index.similar_cases` is the way to it. It may be shared
    between threads, which take turns.

    >>> from pincite import Index
    >>> index = Index.create(":memory:")
    >>> index.add_text("mill", "Rao v Sen. The lease of the mill was ended for rent in arrears.", vectors="none")
    >>> index.add_text("silk", "Nair v Das. Customs duty was due on silk.", vectors="none")
    >>> SimilarCases(index).like("The lessor ended the lease for arrears of rent.", k=1).cases[0].case.document
    'mill'
    """

    def __init__(self, index: CaseCollection, method: CaseBlend | None = None) -> None:
        from pincite.cases.methods import BLEND

        self.index, self.method = index, method or BLEND
        self._lock = threading.Lock()
        self._libraries: OrderedDict[tuple[object, ...], _Library] = OrderedDict()

    def like(
        self,
        case: str | Document,
        k: int = 10,
        where: Filter | Mapping[str, object] | None = None,
        *,
        later: bool = False,
        date: str = "",
        visible: Filter | None = None,
        progress: Progress | None = None,
    ) -> SimilarAnswer:
        """The `k` cases most like `case`: the text of a judgment, or a document (`index.document(name)` for one of the
        index). Cases that were decided after it are left out unless `later`; its date is `date`, or what its text and
        metadata say. `where` filters the cases, `visible` says which the asker may see at all."""
        check_k(k)
        if date and not iso_date(date):
            raise UsageError(f"date: {date[:40]!r} is not a date; write 2024-03-31 or 31 March 2024")
        query = Document("", case) if isinstance(case, str) else case
        if not query.text.strip():
            raise DataError("the judgment has no text; a scanned one needs text recognition first")
        with self._lock:
            library = self._library(Filter.of(where), visible, progress)
            return self._answer(library, query, k, iso_date(date) if date else "", later)

    def _library(self, where: Filter | None, visible: Filter | None, progress: Progress | None) -> _Library:
        with self.index.engine.view() as view:
            generation = view.generation
        key = (generation, where.key if where else None, visible.key if visible else None)
        if key not in self._libraries:
            records = {record.id: record for record in self._records(where, visible)}
            if len(records) > MOST_CASES:
                raise UsageError(
                    f"{len(records)} documents are too many to compare; filter them by court, date or kind"
                )
            ids, documents = list(records), []
            for first in range(0, len(ids), LOADED):
                documents += [loaded.document for loaded in self.index.engine.load(ids[first : first + LOADED])]
            for old in [old for old in self._libraries if old[0] != generation]:
                del self._libraries[old]
            self._libraries[key] = _Library(records, CaseTexts(documents, progress, keep=True))
        self._libraries.move_to_end(key)
        while len(self._libraries) > KEPT:
            self._libraries.popitem(last=False)
        return self._libraries[key]

    def _records(self, where: Filter | None, visible: Filter | None) -> Iterator[DocumentRecord]:
        cursor, is_first = "", True
        while cursor or is_first:
            page = self.index.documents(where, cursor=cursor, limit=1000, visible=visible)
            yield from page.items
            cursor, is_first = page.next, False

    def _answer(self, library: _Library, query: Document, k: int, date: str, later: bool) -> SimilarAnswer:
        info = self._info(library, query, date)
        pool, notes = self._pool(library, query, info.date, later)
        if not pool:
            return SimilarAnswer(info, (), 0, (*notes, "there is no other case to compare it with"))
        candidates = library.texts.candidates
        cases = CaseSet(candidates, (query,), pools={query.id: frozenset(pool)})
        ranker = BlendRanker(cases, self.method, library.texts)
        (ranking,) = ranker.rank()
        outstanding = OUTSTANDING.count(ranking.scores)
        places = {case.id: at for at, case in enumerate(candidates)}
        named = ranker.names.within(query.text)
        similar = np.argsort(-ranker.similarity[0], kind="stable")
        similar = similar[similar != places.get(query.id, -1)][: self.method.among]
        citing = np.asarray(ranker.graph[similar].sum(axis=0)).ravel()
        some_left_out = any(note.startswith(LEFT_OUT) for note in notes)
        similar_cases = f"the {len(similar)} cases most like the judgment{', later ones included,' * some_left_out}"
        own = _authorities(query)
        found = []
        for rank, (name, score) in enumerate(zip(ranking.cases[:k], ranking.scores[:k].tolist(), strict=True), start=1):
            document = candidates[places[name]]
            reason = ranker.reason(0, name)
            mine, its = _stretches(query, document, reason)
            words = _shared_words(mine, its, ranker.first)
            common = _in_common(own, _authorities(document))
            why = _why(int(citing[places[name]]), similar_cases, places[name] in named, common, words)
            stands_out = rank <= outstanding
            case = _described(library.records[name])
            found.append(SimilarCase(rank, round(score, 6), stands_out, case, mine, its, words, common, why))
        return SimilarAnswer(info, tuple(found), len(pool), tuple(notes))

    def _info(self, library: _Library, query: Document, date: str) -> CaseInfo:
        record = library.records.get(query.id) or (self.index.engine.record(query.id) if query.id else None)
        if record is not None:
            known = _described(record)
            return CaseInfo(known.document, known.title, known.court, date or known.date or decided(query.text))
        title = query.title or next((line.strip() for line in query.text.splitlines() if line.strip()), "")
        return CaseInfo("", title[:200], "", date or iso_date(query.metadata.get("date", "")) or decided(query.text))

    def _pool(self, library: _Library, query: Document, date: str, later: bool) -> tuple[list[str], list[str]]:
        """The candidates of a query, and what was left out of them."""
        same = [case.id for case in library.texts.candidates if case.id != query.id and case.sha256 == query.sha256]
        pool = [case for case in library.records if case != query.id and case not in same]
        notes = [f"{name}: has the same text; left out" for name in same]
        empty = [case.id for case in library.texts.candidates if not case.text.strip() and case.id != query.id]
        notes += [f"{name}: has no text; it matches nothing" for name in empty]
        if later:
            return pool, notes
        if not date:
            notes.append("no date was found in the judgment: cases that may be later are not left out; give its date")
            return pool, notes
        dates = {name: library.records[name].described.get("date", "") for name in pool}
        behind = [name for name in pool if dates[name] > date]
        undated = sum(not found for found in dates.values())
        if behind:
            notes.append(f"{LEFT_OUT} {date}, and left out: {len(behind)} of {len(pool)} cases")
        if undated:
            notes.append(f"without a date that can be read, and not left out: {undated} of {len(pool)} cases")
        return [name for name in pool if dates[name] <= date], notes


def _described(record: DocumentRecord) -> CaseInfo:
    known = record.described
    return CaseInfo(record.id, record.title, known.get("court", ""), known.get("date", ""))


def _stretches(query: Document, case: Document, reason: Reason | None) -> tuple[Stretch, Stretch] | tuple[None, None]:
    if reason is None:
        return None, None
    mine = Stretch.of(query, reason.query.start, reason.query.end)
    return mine, Stretch.of(case, reason.case.start, reason.case.end)


def _shared_words(mine: Stretch | None, its: Stretch | None, ranker: CaseRanker) -> tuple[str, ...]:
    """Words of both stretches, the rarest of the collection first."""
    if mine is None or its is None:
        return ()
    both = set(WORD.findall(mine.text.lower())) & set(WORD.findall(its.text.lower()))
    terms = {word: ranker.method.analysis.term(word) for word in both if word.isalpha() and len(word) > 2}
    idf = {word: float(ranker.index.idf[ranker.vocabulary[term]]) for word, term in terms.items() if term}
    return tuple(sorted(idf, key=lambda word: (-idf[word], word))[:TERMS])


def _authorities(case: Document) -> dict[object, str]:
    """What a judgment cites: cases by the names of their parties, not its own, and citations by reporter."""
    own = named_cases(f"{case.title}\n{case.text.strip().partition(chr(10))[0]}")
    found: dict[object, str] = {key: held.text for key, held in named_cases(case.text).items() if key not in own}
    if find_spec("eyecite"):
        from pincite.cases.citations import citations

        cited = (one.text for one in citations(case.text[:LONGEST_CITED]))
        found |= {one: one for one in cited if any(map(str.isdigit, one))}
    return found


def _in_common(mine: dict[object, str], its: dict[object, str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(its[key] for key in mine if key in its))[:SHOWN]


def _why(
    citing: int, similar_cases: str, is_named: bool, common: Sequence[str], words: Sequence[str]
) -> tuple[str, ...]:
    found = []
    if is_named:
        found.append("The judgment itself names this case.")
    if citing:
        verb = "names" if citing == 1 else "name"
        found.append(f"{citing} of {similar_cases} {verb} this case.")
    if common:
        found.append(f"Both cite {'; '.join(common)}.")
    if words:
        found.append(f"The two passages share: {', '.join(words)}.")
    return tuple(found)
