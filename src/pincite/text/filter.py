"""A filter: which documents a search may look at."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from pincite.errors import UsageError
from pincite.text.dates import iso_date
from pincite.text.document import Document
from pincite.text.kinds import same_kind

PARTY, PARTIES, DATE, KIND = "party", "parties", "date", "kind"
"""`party` is looked for among a document's `parties`; `date` is what `after` and `before` compare."""


@dataclass(frozen=True, slots=True)
class Filter:
    """Admits a document if it is one of `documents` (where any are named), has all of `metadata`, and its date lies in
    the range, both ends included. A document without a date is in no range.

    >>> Filter(metadata={"kind": "lease"}).admits(Document("a", "", metadata={"kind": "Lease"}))
    True
    >>> Filter(documents=("a", "b")).admits(Document("c", ""))
    False
    >>> Filter(after="2020-01-01").fits("a", {"date": "2019-12-31"})
    False
    >>> Filter(after="1 March 2020").after
    '2020-03-01'
    """

    documents: tuple[str, ...] = ()
    metadata: Mapping[str, str] = field(default_factory=dict)
    after: str = ""
    before: str = ""

    def __post_init__(self) -> None:
        for name in ("after", "before"):
            text = getattr(self, name)
            day = iso_date(text) if text else ""
            if text and not day:
                raise UsageError(f"{name}: {text[:40]!r} is not a date; write 2024-03-31 or 31 March 2024")
            object.__setattr__(self, name, day)

    @classmethod
    def of(cls, where: "Filter | Mapping[str, object] | None") -> "Filter | None":
        """A filter out of a mapping: `document` or `documents`, `after`, `before`, and metadata; None for nothing.

        >>> Filter.of({"kind": "lease", "after": "2020"})
        Filter(documents=(), metadata={'kind': 'lease'}, after='2020-01-01', before='')
        """
        if where is None or isinstance(where, Filter):
            return where or None
        given = {key: value for key, value in where.items() if value not in ("", None, (), [])}
        named = given.pop("documents", given.pop("document", ()))
        documents = (named,) if isinstance(named, str) else tuple(named)  # type: ignore[arg-type]
        after, before = str(given.pop("after", "")), str(given.pop("before", ""))
        return cls(documents, {key: str(value) for key, value in given.items()}, after, before) or None

    @property
    def key(self) -> tuple[object, ...]:
        """The same for equal filters."""
        return (self.documents, tuple(sorted(self.metadata.items())), self.after, self.before)

    def __bool__(self) -> bool:
        """Whether it leaves anything out."""
        return bool(self.documents or self.metadata or self.after or self.before)

    def admits(self, document: Document) -> bool:
        return self.fits(document.id, document.metadata)

    def fits(self, document_id: str, metadata: Mapping[str, str]) -> bool:
        """Whether a document of that name, with that metadata, is admitted."""
        if self.documents and document_id not in self.documents:
            return False
        if not all(_has(metadata, key, value) for key, value in self.metadata.items()):
            return False
        if not (self.after or self.before):
            return True
        date = metadata.get(DATE, "")
        return bool(date) and (not self.after or date >= self.after) and (not self.before or date <= self.before)


def _has(metadata: Mapping[str, str], key: str, value: str) -> bool:
    """Case does not matter; a party is found by any part of its name, a kind by its short name, too."""
    if key == PARTY:
        return value.casefold() in f"{metadata.get(PARTIES, '')}; {metadata.get(PARTY, '')}".casefold()
    if key == KIND and key in metadata:
        return same_kind(metadata[key], value)
    return key in metadata and metadata[key].casefold() == value.casefold()
