"""Draws pages of shown passages for reading by eye: is any running matter left, is anything missing?

python benchmarks/running_matter.py DOCUMENT... [--pages 200] [--seed 1] [--characters 3000] [--hidden]

Documents are files or folders. A page is a run of neighbouring units of one document, as hits show them, one unit a
paragraph, about 3,000 characters long; every document has the same chance for each of its pages. With --hidden the
hidden text is printed instead, each with the words before and behind it: what must not be there is a sentence, a
heading or a cell of a table.
"""

import argparse
import random
from pathlib import Path

from pincite.documents import files_below, read_files
from pincite.documents.hidden import with_hidden
from pincite.segment import Clauses

AROUND = 60
"""Characters printed before and behind what is hidden."""


def documents(paths):
    """The documents in files and folders, with their hidden edges."""
    files = []
    for path in map(Path, paths):
        files += files_below(path, []) if path.is_dir() else [(path, path.name)]
    for reading in read_files(files):
        yield from map(with_hidden, reading.documents)


def unit_pages(document, characters):
    """The shown units of a document, in pages."""
    page, length = [], 0
    for unit in Clauses()(document):
        shown = " ".join(document.shown(unit.start, unit.end).split())
        page.append(f"[{unit.start}-{unit.end}] {shown}")
        length += len(shown)
        if length >= characters:
            yield "\n".join(page)
            page, length = [], 0
    if page:
        yield "\n".join(page)


def hidden_pages(document, characters):
    """What is hidden of a document with the words around it, in pages."""
    page, length, text = [], 0, document.text
    for start, end in document.source.hidden:
        page.append(f"{text[max(0, start - AROUND) : start]!r} << {text[start:end]!r} >> {text[end : end + AROUND]!r}")
        length += len(page[-1])
        if length >= characters:
            yield "\n".join(page)
            page, length = [], 0
    if page:
        yield "\n".join(page)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("documents", nargs="+", help="files or folders")
    parser.add_argument("--pages", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--characters", type=int, default=3000)
    parser.add_argument("--hidden", action="store_true", help="print what is hidden instead")
    options = parser.parse_args()
    cut = hidden_pages if options.hidden else unit_pages
    pages = [
        (document.id, number, page)
        for document in documents(options.documents)
        for number, page in enumerate(cut(document, options.characters), start=1)
    ]
    chance = random.Random(options.seed)
    for name, number, page in sorted(chance.sample(pages, min(options.pages, len(pages)))):
        print(f"===== {name}, page {number}\n{page}\n")
    print(f"{min(options.pages, len(pages))} of {len(pages)} pages, seed {options.seed}")


if __name__ == "__main__":
    main()
