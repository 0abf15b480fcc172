"""Prints and writes the cases that are like a judgment, and reads a judgment in a file."""

import shutil
import textwrap
from collections.abc import Iterator
from pathlib import Path

from pincite.cases.similar import SimilarAnswer
from pincite.cases.similar_export import as_csv, as_docx
from pincite.cli.show import safe
from pincite.documents.workers import read_files
from pincite.errors import DataError
from pincite.output import write_bytes, write_json
from pincite.text import Document

FORMS = (".csv", ".docx", ".json")
"""How a file with the cases may end."""
SHOWN = 300
"""Characters of a passage that are printed."""


def shown(answer: SimilarAnswer) -> Iterator[str]:
    """Each case with its place, why it was found, and the two passages."""
    width = max(40, shutil.get_terminal_size((80, 24)).columns)
    for found in answer.cases:
        case = found.case
        known = ", ".join(part for part in (case.court, case.date) if part)
        mark = "  (stands out)" if found.stands_out else ""
        yield f"{found.rank:3} {safe(case.title or case.document)}{f' ({safe(known)})' if known else ''}{mark}"
        yield f"    {safe(case.document)}  {found.score:.4f}"
        for line in found.why:
            yield from textwrap.wrap(safe(line), width, initial_indent="    - ", subsequent_indent="      ")
        for name, stretch in (("judgment", found.mine), ("case", found.its)):
            if stretch:
                text = " ".join(stretch.text.split())
                passage = f"[{name}, {stretch.start}-{stretch.end}] {text[:SHOWN]}{'...' * (len(text) > SHOWN)}"
                yield from textwrap.wrap(safe(passage), width, initial_indent="    ", subsequent_indent="      ")


def judgment(file: Path) -> Document:
    """A judgment in a file, of any format."""
    if not file.is_file():
        raise DataError(f"{file}: there is no such file")
    (reading,) = read_files([(file, file.name)], processes=1)
    text = "\n\n".join(document.text for document in reading.documents)
    if not text.strip():
        raise DataError("; ".join(map(str, reading.failures)) or f"{file}: no text could be read")
    title = reading.documents[0].title if len(reading.documents) == 1 else ""
    return Document("", text, title)


def write_cases(output: Path, answer: SimilarAnswer) -> None:
    """The cases as a file; its name says of which format."""
    suffix = output.suffix.lower()
    if suffix == ".json":
        write_json(output, answer.to_dict())
    else:
        write_bytes(output, as_docx(answer) if suffix == ".docx" else ("\ufeff" + as_csv(answer)).encode())
