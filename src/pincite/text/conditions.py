"""Conditions on what is known about a document: the grammar of filters, the same in Python, CLI, REST and MCP.

{"kind": "lease"}                                  a value; case does not matter
{"matter": {"in": ["4711", "4712"]}}               one of several; a list alone means the same
{"floor": {"gte": 3, "lt": 10}}                    a range of numbers
{"signed": {"gte": "2020-01-01"}}                  a range of dates
{"matter": {"exists": false}}                      whether anything is known
{"matter": {"prefix": "47"}}                       how a value begins
{"and": [...]}, {"or": [...]}, {"not": {...}}      several of these; several keys in one object must all hold
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from pincite.errors import UsageError
from pincite.text.dates import iso_date
from pincite.text.kinds import same_kind

PARTY, PARTIES, DATE, KIND, MATTER = "party", "parties", "date", "kind", "matter"
"""`party` is looked for among a document's `parties`; `date` is what `after` and `before` compare; a document belongs
to one `matter`."""
AND, OR, NOT = "and", "or", "not"
OPERATORS = ("eq", "in", "gt", "gte", "lt", "lte", "exists", "prefix")
MOST = 200
"""Conditions in one filter."""
DEEPEST = 10
"""Levels of `and`, `or` and `not`."""

Described = Mapping[str, str]
Test = Callable[[Described], bool]


@dataclass(frozen=True, slots=True)
class Condition:
    """A test of what is known about a document, with the keys that it asks for and the kinds that it names."""

    holds: Test
    keys: frozenset[str]
    kinds: frozenset[str]


def canonical(given: Mapping[str, Any]) -> str:
    """The condition as text, the same for equal ones; an error says which key or operator is wrong.

    >>> canonical({"or": [{"kind": "lease"}, {"floor": {"gte": 3}}]})
    '{"or": [{"kind": "lease"}, {"floor": {"gte": 3}}]}'
    """
    try:
        written = json.dumps(given, sort_keys=True, ensure_ascii=False)
    except (TypeError, ValueError):
        raise UsageError(f"the filter cannot be written as JSON: {str(given)[:100]}") from None
    condition(written)
    return written


@lru_cache(maxsize=256)
def condition(written: str) -> Condition:
    """The condition that a text states.

    >>> condition('{"floor": {"gte": 3}}').holds({"floor": "12"})
    True
    >>> condition('{"not": {"kind": "lease"}}').holds({"kind": "Lease"})
    False
    """
    reader = _Reader()
    test = reader.read(json.loads(written), 0)
    return Condition(test, frozenset(reader.keys), frozenset(reader.kinds))


def has_value(described: Described, key: str, value: str) -> bool:
    """Case does not matter; a party is found by any part of its name, a kind by its short name, too."""
    if key == PARTY:
        return value.casefold() in f"{described.get(PARTIES, '')}; {described.get(PARTY, '')}".casefold()
    if key == KIND and key in described:
        return same_kind(described[key], value)
    return key in described and described[key].casefold() == value.casefold()


class _Reader:
    """Reads one condition and remembers what it asks for."""

    def __init__(self) -> None:
        self.keys: set[str] = set()
        self.kinds: set[str] = set()
        self.count = 0

    def read(self, given: Any, depth: int) -> Test:
        if not isinstance(given, Mapping) or not given:
            raise UsageError(f'filter: {_shown(given)} is no condition; write an object such as {{"kind": "lease"}}')
        if depth > DEEPEST:
            raise UsageError(f"filter: more than {DEEPEST} levels of and, or, not")
        tests = [self._entry(str(key), value, depth) for key, value in given.items()]
        return tests[0] if len(tests) == 1 else lambda described: all(test(described) for test in tests)

    def _entry(self, key: str, value: Any, depth: int) -> Test:
        self.count += 1
        if self.count > MOST:
            raise UsageError(f"filter: more than {MOST} conditions")
        if key in (AND, OR):
            if not isinstance(value, Sequence) or isinstance(value, str) or not value:
                raise UsageError(f"filter: {key!r} takes a list of conditions, not {_shown(value)}")
            tests = [self.read(one, depth + 1) for one in value]
            join = all if key == AND else any
            return lambda described: join(test(described) for test in tests)
        if key == NOT:
            test = self.read(value, depth + 1)
            return lambda described: not test(described)
        self.keys.add(key)
        if isinstance(value, Mapping):
            return self._operators(key, value)
        return self._operator(key, "in" if isinstance(value, list | tuple) else "eq", value)

    def _operators(self, key: str, given: Mapping[str, Any]) -> Test:
        if not given:
            raise UsageError(f"filter on {key!r}: no operator; the operators are: {', '.join(OPERATORS)}")
        tests = [self._operator(key, str(name), value) for name, value in given.items()]
        return lambda described: all(test(described) for test in tests)

    def _operator(self, key: str, name: str, value: Any) -> Test:
        match name:
            case "eq":
                wanted = self._value(key, name, value)
                return lambda described: has_value(described, key, wanted)
            case "in":
                if not isinstance(value, list | tuple) or not value:
                    raise UsageError(f"filter on {key!r}: 'in' takes a list of values, not {_shown(value)}")
                several = [self._value(key, name, one) for one in value]
                return lambda described: any(has_value(described, key, one) for one in several)
            case "gt" | "gte" | "lt" | "lte":
                return _range(key, name, value)
            case "exists":
                if not isinstance(value, bool):
                    raise UsageError(f"filter on {key!r}: 'exists' takes true or false, not {_shown(value)}")
                where = PARTIES if key == PARTY else key
                return lambda described: bool(described.get(where)) is value
            case "prefix":
                if not isinstance(value, str) or not value:
                    raise UsageError(f"filter on {key!r}: 'prefix' takes a text, not {_shown(value)}")
                begins = value.casefold()
                return lambda described: described.get(key, "").casefold().startswith(begins)
        raise UsageError(f"filter on {key!r}: unknown operator {name!r}; the operators are: {', '.join(OPERATORS)}")

    def _value(self, key: str, name: str, value: Any) -> str:
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            raise UsageError(f"filter on {key!r}: {name!r} takes texts or numbers, not {_shown(value)}")
        if key == KIND:
            self.kinds.add(str(value))
        return str(value)


def _range(key: str, name: str, value: Any) -> Test:
    """Numbers are compared with numbers and dates with dates; a document whose value is neither is in no range."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return lambda described: _compares(number_of(described.get(key, "")), name, float(value))
    day = iso_date(value) if isinstance(value, str) else ""
    if not day:
        raise UsageError(
            f"filter on {key!r}: {name!r} takes a number or a date such as 2024-03-31, not {_shown(value)}"
        )
    return lambda described: _compares(iso_date(described.get(key, "")) or None, name, day)


def _compares(found: Any, name: str, bound: Any) -> bool:
    if found is None:
        return False
    match name:
        case "gt":
            return bool(found > bound)
        case "gte":
            return bool(found >= bound)
        case "lt":
            return bool(found < bound)
    return bool(found <= bound)


def number_of(text: str) -> float | None:
    """The number that a value states; None where it is none."""
    try:
        return float(text.replace(",", "").strip())
    except ValueError:
        return None


def _shown(value: Any) -> str:
    return repr(value)[:60]
