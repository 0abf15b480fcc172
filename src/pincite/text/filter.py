"""A filter: which documents a search may look at."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from pincite.errors import UsageError
from pincite.text.conditions import AND, DATE, MATTER, NOT, OR, canonical, condition, has_value
from pincite.text.dates import iso_date
from pincite.text.document import Document


@dataclass(frozen=True, slots=True)
class Filter:
    """Admits a document if it is one of `documents` (where any are named), has all of `metadata`, its date lies in
    the range, both ends included, and it belongs to one of `matters` (where any are named). A document without a date
    is in no range.

    >>> Filter(metadata={"kind": "lease"}).admits(Document("a", "", metadata={"kind": "Lease"}))
    True
    >>> Filter(documents=("a", "b")).admits(Document("c", ""))
    False
    >>> Filter(after="2020-01-01").fits("a", {"date": "2019-12-31"})
    False
    >>> Filter(after="1 March 2020").after
    '2020-03-01'
    >>> Filter(matters=("7", "8")).fits("a", {"matter": "9"})
    False
    """

    documents: tuple[str, ...] = ()
    metadata: Mapping[str, str] = field(default_factory=dict)
    after: str = ""
    before: str = ""
    condition: str = ""
    """Anything beyond single values, in the grammar of `conditions`: JSON, as `canonical` writes it."""
    matters: tuple[str, ...] = ()
    """Who may see what is decided by it, so the names must be equal to the letter."""

    def __post_init__(self) -> None:
        for name in ("after", "before"):
            text = getattr(self, name)
            day = iso_date(text) if text else ""
            if text and not day:
                raise UsageError(f"{name}: {text[:40]!r} is not a date; write 2024-03-31 or 31 March 2024")
            object.__setattr__(self, name, day)

    @classmethod
    def of(cls, where: "Filter | Mapping[str, object] | None") -> "Filter | None":
        """A filter out of a mapping: `document` or `documents`, `after`, `before`, and metadata, with `and`, `or`,
        `not` and the operators of `conditions`; None for nothing.

        >>> Filter.of({"kind": "lease", "after": "2020"})
        Filter(documents=(), metadata={'kind': 'lease'}, after='2020-01-01', before='', condition='', matters=())
        """
        if where is None or isinstance(where, Filter):
            return where or None
        given = {key: value for key, value in where.items() if value not in ("", None, (), [])}
        named = given.pop("documents", given.pop("document", ()))
        documents = (named,) if isinstance(named, str) else tuple(named)  # type: ignore[arg-type]
        after, before = str(given.pop("after", "")), str(given.pop("before", ""))
        beyond = {
            key: value
            for key, value in given.items()
            if key in (AND, OR, NOT) or isinstance(value, Mapping | list | tuple)
        }
        metadata = {key: str(value) for key, value in given.items() if key not in beyond}
        return cls(documents, metadata, after, before, canonical(beyond) if beyond else "") or None

    def also(self, where: "Mapping[str, object]") -> "Filter":
        """The filter with a further condition, which must hold, too."""
        if not where:
            return self
        added = canonical(where)
        both = f'{{"and": [{self.condition}, {added}]}}' if self.condition else added
        return replace(self, condition=both)

    def among(self, documents: Sequence[str]) -> "Filter":
        """The filter with these ids in the place of the names that it was given."""
        return replace(self, documents=tuple(documents))

    @property
    def key(self) -> tuple[object, ...]:
        """The same for equal filters."""
        said = tuple(sorted(self.metadata.items()))
        return (self.documents, said, self.after, self.before, self.condition, self.matters)

    def __bool__(self) -> bool:
        """Whether it leaves anything out."""
        return any((self.documents, self.metadata, self.after, self.before, self.condition, self.matters))

    def admits(self, document: Document) -> bool:
        return self.fits(document.id, document.metadata)

    def fits(self, document_id: str, metadata: Mapping[str, str]) -> bool:
        """Whether a document of that name, with that metadata, is admitted."""
        if self.documents and document_id not in self.documents:
            return False
        if self.matters and metadata.get(MATTER) not in self.matters:
            return False
        if not all(has_value(metadata, key, value) for key, value in self.metadata.items()):
            return False
        if self.condition and not condition(self.condition).holds(metadata):
            return False
        if not (self.after or self.before):
            return True
        date = metadata.get(DATE, "")
        return bool(date) and (not self.after or date >= self.after) and (not self.before or date <= self.before)
