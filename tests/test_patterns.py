"""No pattern of ours can be stalled: each is run on text made to make it try everything."""

import json
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

import pytest

from pincite.search import signatures
from pincite.search.whole import item_marks, provision_numbers
from pincite.search.whole.references import _NAMED as REFERENCE
from pincite.text import dates

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
found, anchored = {}, {}
AT_THE_START = ("match", "fullmatch")

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

def uses(tree):
    '''For every name the methods that are called on it; "" for any other use.'''
    known, methods = {}, {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            methods[id(node.value)] = node.attr
    for node in ast.walk(tree):
        name = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else None
        if name is not None and isinstance(node.ctx, ast.Load):
            known.setdefault(name, set()).add(methods.get(id(node), ""))
    return known

re._compile = compiled
import pincite
modules, trees = [], []
for name in [module.name for module in pkgutil.walk_packages(pincite.__path__, "pincite.")]:
    if name.endswith("__main__"):
        continue
    try:
        modules.append(importlib.import_module(name))
    except ImportError:  # an extra that is not installed
        continue
    trees.append(ast.parse(open(modules[-1].__file__, encoding="utf-8").read()))
used = list(map(uses, trees))
for module, tree, own in zip(modules, trees, used):
    for name, value in vars(module).items():
        if isinstance(value, re.Pattern):
            seen = [own] if name.startswith("_") else used
            ways = {way for one in seen for way in one.get(name, ())}
            key = (value.pattern, value.flags & ~re.DEBUG)
            anchored[key] = anchored.get(key, True) and bool(ways) and ways <= set(AT_THE_START)
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    for node in dict.fromkeys(inner for function in functions for inner in ast.walk(function)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args:
            first, of = node.args[0], node.func.value
            if isinstance(of, ast.Name) and of.id == "re" and isinstance(getattr(first, "value", None), str | bytes):
                made = re.compile(first.value)  # one that is compiled when it is used
                anchored[made.pattern, made.flags] = node.func.attr in AT_THE_START
                note(made.pattern, made.flags, f"{module.__name__}:{node.lineno}")
held = {(key[0] if isinstance(key[0], str) else key[0].decode("latin-1"), key[1]): way for key, way in anchored.items()}
print(json.dumps([[where, *key, held.get((key[0], key[2]), False)] for key, where in found.items()]))
"""


class Tried(NamedTuple):
    """A pattern of ours, and whether it is only ever tried at the start of a text, never looked for inside it."""

    pattern: "re.Pattern[str] | re.Pattern[bytes]"
    is_anchored: bool


def patterns() -> Iterator[tuple[str, Tried]]:
    """Every pattern that is compiled when our modules are loaded, wherever it is kept, and those that are written out
    in functions. A process of its own loads the modules: here some are loaded already."""
    command = [sys.executable, "-W", "ignore", "-c", COLLECT]
    shown = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()[-1]
    for at, (where, text, is_bytes, flags, is_anchored) in enumerate(json.loads(shown)):
        yield f"{where}#{at}", Tried(re.compile(text.encode("latin-1") if is_bytes else text, flags), is_anchored)


FOUND = dict(sorted(patterns()))
AT_SEARCH = ("query", "search", "retrieve", "fuse", "engine", "postings", "text", "serve", "compare")
"""Packages whose patterns read questions and answers. The others read files, in processes with limits."""


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


def spent(tried: Tried, piece: str, end: str, length: int) -> float:
    """The processor's time that a pattern takes for so much of a piece."""
    pattern = tried.pattern
    said = (piece * (length // len(piece) + 1))[:length] + end
    text = said.encode() if isinstance(pattern.pattern, bytes) else said
    begun = time.process_time()
    if tried.is_anchored:
        pattern.match(text)  # type: ignore[arg-type]
    else:
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
    try:
        with Clock(LONG_SECONDS):
            spent(FOUND[name], *slowest, LONG)
    except TimeoutError:
        pytest.fail(f"{name} needs more than {LONG_SECONDS} s for {LONG} characters of {slowest[0]!r}")


def test_how_patterns_are_used_is_known() -> None:
    """One that is tried at the start alone need not be looked for in the middle of a long text."""
    anchored = {tried.pattern.pattern for tried in FOUND.values() if tried.is_anchored}
    assert {dates._ISO.pattern, item_marks._MARK.pattern, provision_numbers._HEADING.pattern} <= anchored
    assert not {item_marks._INSIDE.pattern, REFERENCE.pattern, signatures._LINE.pattern} & anchored


def test_there_are_patterns_to_try() -> None:
    assert len(FOUND) > 600


def test_patterns_in_containers_and_functions_are_found() -> None:
    packages = {name.split(":")[0] for name in FOUND}
    assert {"pincite.serve.guard", "pincite.text.english", "pincite.documents.docx"} <= packages
