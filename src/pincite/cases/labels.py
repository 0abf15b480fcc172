"""Labels: which cases are relevant to which query, from COLIEE's JSON, a qrels file, or a table of two columns."""

import json
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pincite.errors import DataError

SHAPES = (
    'expected COLIEE\'s {"008447.txt": ["072495.txt", ...]} (a string with commas works, too), or lines of '
    "'query 0 case relevance' as in TREC, or of 'query case'"
)


def read_labels(path: Path) -> dict[str, frozenset[str]]:
    """The relevant cases of each query, with the ids that the file uses."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise DataError(f"{path}: cannot be read ({error.strerror})") from None
    except UnicodeDecodeError:
        raise DataError(f"{path}: not UTF-8 text; {SHAPES}") from None
    if text.lstrip()[:1] in ("{", "["):
        try:
            return _from_json(path, json.loads(text))
        except ValueError as error:
            raise DataError(f"{path}: not JSON ({error}); {SHAPES}") from None
    return _from_lines(path, text)


def _from_json(path: Path, content: Any) -> dict[str, frozenset[str]]:
    if not isinstance(content, Mapping):
        raise DataError(f"{path}: holds a list; {SHAPES}")
    found = {}
    for query, wanted in content.items():
        if isinstance(wanted, str):
            wanted = [name.strip() for name in wanted.split(",") if name.strip()]
        if not isinstance(wanted, list) or not all(isinstance(name, str) for name in wanted):
            raise DataError(f"{path}: the labels of {query!r} are not a list of names; {SHAPES}")
        found[query] = frozenset(wanted)
    return found


def _from_lines(path: Path, text: str) -> dict[str, frozenset[str]]:
    found: defaultdict[str, set[str]] = defaultdict(set)
    for number, line in enumerate(text.splitlines(), start=1):
        fields = line.split()
        if not fields:
            continue
        if len(fields) == 4 and fields[3].lstrip("-").isdigit():
            query, _, case, relevance = fields
        elif len(fields) == 2:
            query, case, relevance = *fields, "1"
        else:
            raise DataError(f"{path}, line {number}: {line[:60]!r} is not a label; {SHAPES}")
        found[query]  # a query whose cases are all irrelevant is still labelled
        if int(relevance) > 0:
            found[query].add(case)
    if not found:
        raise DataError(f"{path}: holds no labels; {SHAPES}")
    return {query: frozenset(cases) for query, cases in found.items()}
