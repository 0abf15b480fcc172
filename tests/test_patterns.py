"""No pattern of ours can be stalled: each is run on text made to make it try everything."""

import json
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import product

import pytest

LENGTH = 1500
SECONDS = 5.0
"""Of the processor's time: a hundredth of a second is usual."""
SUSPICIOUS = 0.001
"""From so many seconds on for `LENGTH` characters a pattern may grow faster than its text."""
LONG, LONG_SECONDS = 20_000, 0.5
"""A pattern whose time grows with the square of the length takes seconds for so much."""
PIECES = (
    *("a", "A", "1", " ", "\n", "\t", ".", ",", "-", "_", "(", ")", "<", ">", "/", "&", '"', "'", "§", "é", "\x00"),
    *(
        "a ",
        "A ",
        "Aa ",
        "1.",
        "1.1",
        "(a)",
        "a, ",
        "A. ",
        "and ",
        "the ",
        "<!---->",
        "<a>",
        "<a ",
        "&#1",
        "--",
        "**",
        "[](",
    ),
    *("Inc. ", "v. ", "Section 1", "\n\n", " \n", "1 ", "x=", "http://", "a@a", "==", "...", "\r\n", "| ", "# "),
)
ENDS = ("", "!")


COLLECT = """
import ast, importlib, json, pkgutil, re, sys
found = {}

def note(pattern, flags, where):
    text = pattern if isinstance(pattern, str) else pattern.decode("latin-1")
    found.setdefault((text, isinstance(pattern, bytes), int(flags)), where)

def compiled(pattern, flags, actual=re._compile):
    made = actual(pattern, flags)
    frame = sys._getframe(1)
    while frame is not None and frame.f_globals.get("__name__") == "re":
        frame = frame.f_back
    module = frame.f_globals.get("__name__", "") if frame is not None else ""
    if module.split(".")[0] == "pincite":
        note(made.pattern, made.flags & ~re.DEBUG, f"{module}:{frame.f_lineno}")
    return made

re._compile = compiled
import pincite
for module in pkgutil.walk_packages(pincite.__path__, "pincite."):
    if module.name.endswith("__main__"):
        continue
    try:
        source = importlib.import_module(module.name).__file__
    except ImportError:  # an extra that is not installed
        continue
    for node in ast.walk(ast.parse(open(source, encoding="utf-8").read())):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args:
            first, of = node.args[0], node.func.value
            if isinstance(of, ast.Name) and of.id == "re" and isinstance(getattr(first, "value", None), str | bytes):
                made = re.compile(first.value)  # one that is compiled when it is used
                note(made.pattern, made.flags, f"{module.name}:{node.lineno}")
print(json.dumps([[where, *pattern] for pattern, where in found.items()]))
"""


def patterns() -> Iterator[tuple[str, "re.Pattern[str] | re.Pattern[bytes]"]]:
    """Every pattern that is compiled when our modules are loaded, wherever it is kept, and those that are written out
    in functions. A process of its own loads the modules: here some are loaded already."""
    command = [sys.executable, "-W", "ignore", "-c", COLLECT]
    shown = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()[-1]
    for at, (where, text, is_bytes, flags) in enumerate(json.loads(shown)):
        yield f"{where}#{at}", re.compile(text.encode("latin-1") if is_bytes else text, flags)


FOUND = dict(sorted(patterns()))
AT_SEARCH = ("query", "search", "retrieve", "fuse", "engine", "postings", "text", "serve", "compare")
"""Packages whose patterns read questions and answers. The others read files, in processes with limits."""
QUESTION, QUESTION_SECONDS = 4000, 5.0
"""Characters of the longest question that a server takes."""
QUADRATIC: tuple[str, ...] = (
    *("pincite.text.english", "pincite.text.dates", "pincite.text.provision", "pincite.text.citation"),
    *("pincite.query.asked_patterns", "pincite.query.reference_spans", "pincite.query.reference:"),
    *("pincite.search.direct", "pincite.search.highlight", "pincite.search.signatures", "pincite.search.values"),
    *("pincite.search.whole.",),
)
"""Modules with patterns whose time grows with the square of the length. They read questions and passages, and are to be
bounded there; no other module may follow them."""


def stop(*_: object) -> None:
    raise TimeoutError


class Clock:
    """Stops what takes too long."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds

    def __enter__(self) -> None:
        self.before = signal.signal(signal.SIGVTALRM, stop)
        signal.setitimer(signal.ITIMER_VIRTUAL, self.seconds)

    def __exit__(self, *_: object) -> None:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, self.before)


def spent(pattern: "re.Pattern[str] | re.Pattern[bytes]", piece: str, end: str, length: int) -> float:
    """The processor's time that a pattern takes for so much of a piece."""
    said = (piece * (length // len(piece) + 1))[:length] + end
    text = said.encode() if isinstance(pattern.pattern, bytes) else said
    begun = time.process_time()
    for _ in pattern.finditer(text):  # type: ignore[arg-type]
        pass
    pattern.fullmatch(text)  # type: ignore[arg-type]
    return time.process_time() - begun


@pytest.mark.skipif(sys.platform == "win32", reason="the timer needs POSIX")
@pytest.mark.parametrize("name", FOUND)
def test_a_pattern_ends_soon_whatever_it_reads(name: str) -> None:
    worst, slowest = 0.0, (PIECES[0], "")
    for piece, end in product(PIECES, ENDS):
        try:
            with Clock(SECONDS):
                taken = spent(FOUND[name], piece, end, LENGTH)
        except TimeoutError:
            pytest.fail(f"{name} needs more than {SECONDS} s for {LENGTH} characters of {piece!r} ... {end!r}")
        if taken > worst:
            worst, slowest = taken, (piece, end)
    if worst < SUSPICIOUS or not name.startswith(tuple(f"pincite.{package}" for package in AT_SEARCH)):
        return
    is_known = name.startswith(QUADRATIC)
    length, most = (QUESTION, QUESTION_SECONDS) if is_known else (LONG, LONG_SECONDS)
    try:
        with Clock(most):
            spent(FOUND[name], *slowest, length)
    except TimeoutError:
        pytest.fail(f"{name} needs more than {most} s for {length} characters of {slowest[0]!r}")


def test_there_are_patterns_to_try() -> None:
    assert len(FOUND) > 600


def test_patterns_in_containers_and_functions_are_found() -> None:
    packages = {name.split(":")[0] for name in FOUND}
    assert {"pincite.serve.guard", "pincite.text.english", "pincite.documents.docx"} <= packages
