"""The command line inside this process: what `main()` prints and the code it exits with, without starting Python."""

import io
import os
import sys
from collections.abc import Iterator
from contextlib import chdir, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

from pincite.cli.main import main
from tests.conftest import SAMPLES

CORPUS, GOLD = str(SAMPLES / "corpus"), str(SAMPLES / "benchmarks" / "contracts.json")
ENVIRONMENT = {"COLUMNS": "100", "PYTHONIOENCODING": "utf-8", "NO_COLOR": "1"}


@dataclass(frozen=True, slots=True)
class Result:
    """What a command gave: named as in `subprocess.CompletedProcess`."""

    returncode: int
    stdout: str
    stderr: str


def run(*arguments: str, stdin: str = "", cwd: Path | None = None) -> Result:
    """Runs `pincite` with these arguments. Standard output and standard error stay apart."""
    with _streams(stdin) as (out, err), patch.object(sys, "argv", ["pincite", *arguments]):
        with patch.dict(os.environ, ENVIRONMENT), chdir(cwd) if cwd else nullcontext():
            code = _exit_code()
        out.flush(), err.flush()
        return Result(code, _text(out), _text(err))


def _exit_code() -> int:
    try:
        main()
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else int(ended.code is not None)
    return 0


@contextmanager
def _streams(stdin: str) -> Iterator[tuple[io.TextIOWrapper, io.TextIOWrapper]]:
    given, out, err = (io.TextIOWrapper(io.BytesIO(data), "utf-8") for data in (stdin.encode(), b"", b""))
    with patch.object(sys, "stdin", given), patch.object(sys, "stdout", out), patch.object(sys, "stderr", err):
        yield out, err


def _text(stream: io.TextIOWrapper) -> str:
    return stream.buffer.getvalue().decode("utf-8").replace("\r\n", "\n")  # type: ignore[attr-defined, no-any-return]
