"""Case sets from disk: COLIEE (one flat folder, or the older folder for each query), AILA 2019, or text files."""

from collections.abc import Callable, Iterable
from pathlib import Path

from pincite.cases.case_set import CaseSet
from pincite.cases.labels import read_labels
from pincite.errors import DataError, one_of
from pincite.text import Document
from pincite.text.canonical import canonical

TASKS = {
    "precedents": ("Object_casedocs", "relevance_judgments_priorcases.txt"),
    "statutes": ("Object_statutes", "relevance_judgments_statutes.txt"),
}


def load_cases(
    form: str, data: Path, queries: Path | None = None, qrels: Path | None = None, task: str = "precedents"
) -> CaseSet:
    """Reads the task in a folder and checks it."""
    if form not in FORMATS:
        raise one_of("format", form, list(FORMATS))
    if not data.is_dir():
        raise DataError(f"{data}: no such folder")
    return FORMATS[form](data, queries, qrels, task).checked()


def _coliee(data: Path, queries: Path | None, qrels: Path | None, _: str) -> CaseSet:
    """Flat: cases and queries in one folder, with the labels in it or beside it. Older: a folder for each query, with
    `base_case.txt` and `candidates/`, whose names repeat from query to query."""
    if (data / "base_case.txt").is_file() or any(data.glob("*/base_case.txt")):
        return _coliee_folders(data, qrels)
    cases = _folder(data)
    found = qrels or next(
        (path for folder in (data, data.parent) for path in sorted(folder.glob("*labels*.json"))), None
    )
    relevant = (
        {_plain(q, cases): frozenset(_named(wanted, cases)) for q, wanted in read_labels(found).items()}
        if found
        else {}
    )
    asked = _folder(queries) if queries else [case for case in cases if case.id in relevant]
    if not asked:
        raise DataError(f"{data}: which cases are queries? Name a labels file with --qrels, or a folder with --queries")
    return CaseSet(tuple(cases), tuple(asked), relevant)


def _coliee_folders(data: Path, qrels: Path | None) -> CaseSet:
    """The folder of one query, or a folder of such folders. Each query has the candidates of its own folder."""
    one = (data / "base_case.txt").is_file()
    folders = [data] if one else sorted(path.parent for path in data.glob("*/base_case.txt"))
    above = data.parent if one else data
    found = qrels or next(
        (path for place in (above, above.parent) for path in sorted(place.glob("*labels*.json"))), None
    )
    labels = read_labels(found) if found else {}
    cases: list[Document] = []
    queries, relevant, pools = [], {}, {}
    for folder in folders:
        own = [Document(f"{folder.name}/{case.id}", case.text) for case in _folder(folder / "candidates")]
        queries.append(_read(folder / "base_case.txt", folder.name))
        pools[folder.name] = frozenset(case.id for case in own)
        if folder.name in labels:
            relevant[folder.name] = frozenset(_named((f"{folder.name}/{name}" for name in labels[folder.name]), own))
        cases += own
    return CaseSet(tuple(cases), tuple(queries), relevant, pools=pools)


def _aila(data: Path, queries: Path | None, qrels: Path | None, task: str) -> CaseSet:
    if task not in TASKS:
        raise one_of("task", task, list(TASKS))
    folder, judgments = TASKS[task]
    asked = []
    path = queries or data / "Query_doc.txt"
    for number, line in enumerate(_text(path).splitlines(), start=1):
        name, mark, text = line.partition("||")
        if line.strip() and not mark:
            raise DataError(f"{path}, line {number}: not of the form QUERY||TEXT")
        if mark:
            asked.append(Document(name.strip(), text.strip()))
    cases = [Document(case.id.removesuffix(".txt"), case.text) for case in _folder(data / folder)]
    return CaseSet(tuple(cases), tuple(asked), read_labels(qrels or data / judgments))


def _any(data: Path, queries: Path | None, qrels: Path | None, _: str) -> CaseSet:
    """Text files in a folder. Queries are in another folder, or are the files that the labels name."""
    cases = _folder(data)
    relevant = {}
    asked = _folder(queries) if queries else cases
    if qrels:
        held = read_labels(qrels)
        relevant = {_plain(query, asked): frozenset(_named(wanted, cases)) for query, wanted in held.items()}
        asked = [case for case in asked if queries or case.id in relevant]
    return CaseSet(tuple(cases), tuple(asked), relevant)


FORMATS: dict[str, Callable[[Path, Path | None, Path | None, str], CaseSet]] = {
    "coliee": _coliee,
    "aila": _aila,
    "folder": _any,
}


def _folder(folder: Path) -> list[Document]:
    if not folder.is_dir():
        raise DataError(f"{folder}: no such folder")
    found = [_read(path, path.relative_to(folder).as_posix()) for path in sorted(folder.rglob("*.txt"))]
    if not found:
        raise DataError(f"{folder}: no .txt files in this folder")
    return found


def _read(path: Path, name: str) -> Document:
    return Document(name, _text(path))


def _text(path: Path) -> str:
    try:
        return canonical(path.read_bytes().decode("utf-8"))
    except OSError as error:
        raise DataError(f"{path}: cannot be read ({error.strerror})") from None
    except UnicodeDecodeError:
        return canonical(path.read_bytes().decode("cp1252", "replace"))


def _plain(name: str, cases: Iterable[Document]) -> str:
    """The name of a file, also where a label leaves out `.txt`."""
    return _named([name], cases)[0]


def _named(names: Iterable[str], cases: Iterable[Document]) -> list[str]:
    known = {case.id for case in cases}
    return [name if name in known or f"{name}.txt" not in known else f"{name}.txt" for name in names]
