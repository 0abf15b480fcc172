"""No pattern of ours can be stalled: each is run on text made to make it try everything."""

import importlib
import pkgutil
import re
import signal
import sys
from collections.abc import Iterator
from itertools import product

import pytest

import pincite

LENGTH = 1500
SECONDS = 5.0
"""Of the processor's time: a hundredth of a second is usual."""
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


def patterns() -> Iterator[tuple[str, "re.Pattern[str] | re.Pattern[bytes]"]]:
    """Every compiled pattern that a module holds, in a name or in a list of names."""
    for module in pkgutil.walk_packages(pincite.__path__, "pincite."):
        if module.name.endswith("__main__"):
            continue
        try:
            held = vars(importlib.import_module(module.name))
        except ImportError:  # an extra that is not installed
            continue
        for name, value in held.items():
            group = value if isinstance(value, list | tuple) else value.values() if isinstance(value, dict) else [value]
            for at, entry in enumerate(group):
                if isinstance(entry, re.Pattern):
                    yield f"{module.name}.{name}[{at}]", entry


FOUND = sorted({(name, pattern) for name, pattern in patterns()}, key=lambda found: found[0])


def stop(*_: object) -> None:
    raise TimeoutError


@pytest.mark.skipif(sys.platform == "win32", reason="the timer needs POSIX")
@pytest.mark.parametrize("name", [name for name, _ in FOUND])
def test_a_pattern_ends_soon_whatever_it_reads(name: str) -> None:
    pattern = dict(FOUND)[name]
    before = signal.signal(signal.SIGVTALRM, stop)
    said = ""
    try:
        for piece, end in product(PIECES, ENDS):
            said = (piece * (LENGTH // len(piece) + 1))[:LENGTH] + end
            text = said.encode() if isinstance(pattern.pattern, bytes) else said
            signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
            for _ in pattern.finditer(text):  # type: ignore[arg-type]
                pass
            pattern.fullmatch(text)  # type: ignore[arg-type]
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    except TimeoutError:
        pytest.fail(f"{name} needs more than {SECONDS} s for {LENGTH} characters of {said[:12]!r} ... {said[-3:]!r}")
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def test_there_are_patterns_to_try() -> None:
    assert len(FOUND) > 100
