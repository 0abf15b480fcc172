"""A task of case retrieval: candidate cases, query cases, and labels that say which are relevant to which."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from pincite.errors import DataError
from pincite.text import Document


@dataclass(frozen=True, slots=True)
class CaseSet:
    """Candidates, queries and labels. A query may be one of the candidates; it is never its own answer."""

    candidates: tuple[Document, ...]
    queries: tuple[Document, ...]
    relevant: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """The ids of the relevant cases of each labelled query."""
    notes: tuple[str, ...] = ()
    pools: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """The candidates of a query that has its own list. Other queries have all candidates."""

    def checked(self) -> "CaseSet":
        """The same set without labels that cannot be right; a note names each. An error if nothing is left to rank."""
        known = {case.id for case in self.candidates}
        for kind, cases in (("candidates", self.candidates), ("queries", self.queries)):
            seen: set[str] = set()
            for case in cases:
                if case.id in seen:
                    raise DataError(f"two {kind} are called {case.id!r}; give each a name of its own")
                seen.add(case.id)
        if not self.candidates or not self.queries:
            raise DataError(f"{len(self.candidates)} cases and {len(self.queries)} queries: there is nothing to rank")
        notes = list(self.notes)
        relevant: dict[str, frozenset[str]] = {}
        asked = {query.id for query in self.queries}
        for query, wanted in self.relevant.items():
            if query not in asked:
                notes.append(f"labels of {query!r}: there is no such query; left out")
                continue
            missing = sorted(wanted - known)
            if missing:
                more = f" (nor are {len(missing) - 1} more)" if len(missing) > 1 else ""
                said = f"labels of {query!r} name {missing[0]!r}, which is not among the {len(known)} cases{more}"
                if not any(held & known for held in self.relevant.values()):
                    raise DataError(f"{said}, nor is any other labelled case; are these the labels of this folder?")
                notes.append(f"{said}; left out")
            if query in wanted:
                notes.append(f"labels of {query!r} name the query itself; left out there")
            relevant[query] = frozenset(wanted & known - {query})
        empty = [case.id for case in (*self.candidates, *self.queries) if not case.text.strip()]
        notes += [f"{name!r} is empty: it matches nothing" for name in dict.fromkeys(empty)]
        return replace(self, relevant=relevant, notes=tuple(notes))

    def judged(self) -> list[Document]:
        """The queries that have labels; an error where none has."""
        found = [query for query in self.queries if query.id in self.relevant]
        if not found:
            raise DataError("no query has labels; name a labels or qrels file with --qrels")
        return found

    def only(self, queries: Sequence[Document]) -> "CaseSet":
        return replace(self, queries=tuple(queries))
