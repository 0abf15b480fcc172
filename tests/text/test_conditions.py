"""The grammar of filters: what each operator admits, and what is said of mistakes."""

import pytest

from pincite.errors import UsageError
from pincite.index import Index
from pincite.text import Filter
from pincite.text.conditions import canonical

LEASE = {"kind": "lease", "parties": "Acme Ltd; Boats GmbH", "date": "2021-03-03", "floor": "12", "matter": "4711-a"}


@pytest.mark.parametrize(
    ("where", "admits"),
    [
        ({"kind": "Lease"}, True),
        ({"kind": {"eq": "lease"}}, True),
        ({"kind": ["nda", "lease"]}, True),
        ({"kind": {"in": ["nda", "licence"]}}, False),
        ({"party": {"in": ["acme", "nobody"]}}, True),
        ({"floor": {"gte": 12}}, True),
        ({"floor": {"gt": 12}}, False),
        ({"floor": {"gte": 3, "lt": 10}}, False),
        ({"floor": {"lte": 12.0}}, True),
        ({"floor": {"gt": 9}}, True),  # as a number, not as a text
        ({"matter": {"gt": 9}}, False),  # no number: in no range
        ({"date": {"gte": "2021", "lt": "2022-01-01"}}, True),
        ({"date": {"lt": "3 March 2021"}}, False),
        ({"floor": {"gte": "2021-01-01"}}, False),  # no date: in no range
        ({"floor": {"exists": True}}, True),
        ({"colour": {"exists": False}}, True),
        ({"party": {"exists": True}}, True),
        ({"matter": {"prefix": "4711"}}, True),
        ({"matter": {"prefix": "-a"}}, False),
        ({"not": {"kind": "lease"}}, False),
        ({"or": [{"kind": "nda"}, {"floor": 12}]}, True),
        ({"and": [{"kind": "lease"}, {"floor": 13}]}, False),
        ({"kind": "lease", "not": {"or": [{"floor": 13}, {"matter": {"prefix": "9"}}]}}, True),
    ],
)
def test_what_each_condition_admits(where: dict[str, object], admits: bool) -> None:
    found = Filter.of(where)
    assert found is not None
    assert found.fits("a", LEASE) is admits
    assert Filter().also(where).fits("a", LEASE) is admits


@pytest.mark.parametrize(
    ("where", "message"),
    [
        ({"floor": {"above": 3}}, r"filter on 'floor': unknown operator 'above'; the operators are: eq, in, gt"),
        ({"floor": {"gte": "high"}}, r"filter on 'floor': 'gte' takes a number or a date"),
        ({"floor": {"gte": True}}, r"takes a number or a date"),
        ({"floor": {"in": "3"}}, r"'in' takes a list"),
        ({"floor": {"in": []}}, r"'in' takes a list"),
        ({"floor": {"exists": "yes"}}, r"'exists' takes true or false"),
        ({"floor": {"prefix": 4}}, r"'prefix' takes a text"),
        ({"floor": {"eq": None}}, r"'eq' takes texts or numbers"),
        ({"floor": {}}, r"no operator"),
        ({"or": {"kind": "lease"}}, r"'or' takes a list of conditions"),
        ({"not": []}, r"is no condition"),
        ({"and": [[]]}, r"is no condition"),
    ],
)
def test_a_mistake_names_the_key_the_operator_and_what_is_allowed(where: dict[str, object], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        canonical(where)


def test_conditions_are_neither_too_deep_nor_too_many() -> None:
    deep: dict[str, object] = {"kind": "lease"}
    for _ in range(12):
        deep = {"not": deep}
    with pytest.raises(UsageError, match="levels"):
        canonical(deep)
    with pytest.raises(UsageError, match="more than 200"):
        canonical({"or": [{"floor": n} for n in range(300)]})


def test_an_index_is_searched_by_conditions() -> None:
    with Index.create(":memory:") as index:
        for floor in (3, 12, 40):
            index.add_text(f"f{floor}", "The rent is due monthly.", metadata={"floor": str(floor)}, vectors="none")
        where = {"or": [{"floor": {"lt": 10}}, {"floor": 40}]}
        assert {hit.document_id for hit in index.search("rent", where=where, fast=True)} == {"f3", "f40"}
        assert [record.id for record in index.documents({"floor": {"gt": 9}}).items] == ["f12", "f40"]
        with pytest.raises(UsageError, match=r"no document has the key 'storey'; the known ones are: .*floor"):
            index.search("rent", where={"not": {"storey": 3}})
        with pytest.raises(UsageError, match="is not a kind of document"):
            index.search("rent", where={"kind": {"in": ["lease", "poem"]}})
