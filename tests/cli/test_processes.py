"""What only a real process shows: how it starts, what it imports, closed pipes, Ctrl-C, completion."""

import json
import os
import signal
import subprocess
import sys

import pytest

from tests.cli.in_process import CORPUS, ENVIRONMENT, run

COMMANDS = ("demo", "search", "documents", "run", "sweep", "score", "reproduce", "benchmark", "export", "models")
HEAVY = (
    *("numpy", "scipy", "faiss", "onnxruntime", "tokenizers", "torch", "sentence_transformers", "sqlite3"),
    *("nltk", "nupunkt", "Stemmer", "ir_measures", "eyecite", "lxml", "pypdfium2", "openpyxl", "PIL"),
    *("fastapi", "uvicorn", "mcp", "jinja2"),
)
"""What `pincite --help` and `import pincite` have no use for."""


def started(*arguments: str, **variables: str) -> subprocess.Popen[str]:
    environment = {**os.environ, **ENVIRONMENT, **variables}
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen([sys.executable, *arguments], text=True, encoding="utf-8", env=environment, **pipes)  # type: ignore[call-overload, no-any-return]


def finished(*arguments: str, **variables: str) -> tuple[int, str, str]:
    with started(*arguments, **variables) as process:
        shown, said = process.communicate()
    return process.returncode, shown, said


def test_the_module_runs_as_the_command_does() -> None:
    code, shown, said = finished("-m", "pincite", "--help")
    assert (code, said) == (0, "")
    assert "Usage: python -m pincite [OPTIONS] COMMAND" in shown
    for command in COMMANDS:
        assert command in shown


def test_a_process_prints_what_the_helper_of_these_tests_says_it_prints() -> None:
    asked = ("search", "product recall", "--corpus", CORPUS, "--method", "bm25", "--json", "-k", "2")
    inside = run(*asked)
    assert finished("-m", "pincite", *asked) == (inside.returncode, inside.stdout, inside.stderr)
    wrong = run("search", "rent", "--corpus", "nowhere")
    assert finished("-m", "pincite", "search", "rent", "--corpus", "nowhere") == (1, "", wrong.stderr)


@pytest.mark.parametrize(
    "program",
    [
        "import pincite",
        "import sys; from pincite.cli.main import main; sys.argv[1:] = ['--help']; main()",
        "import sys; from pincite.cli.main import main; sys.argv[1:] = ['index', 'add', '--help']; main()",
    ],
)
def test_help_imports_nothing_heavy(program: str) -> None:
    """Imports are what a start costs: they are counted, because seconds depend on the machine."""
    code = f"import atexit, sys; atexit.register(lambda: print('loaded:', *sys.modules, file=sys.stderr)); {program}"
    ended, _, said = finished("-c", code)
    assert ended == 0
    loaded = {name.partition(".")[0] for name in said.rpartition("loaded:")[2].split()}
    assert "pincite" in loaded
    assert loaded.isdisjoint(HEAVY), loaded & set(HEAVY)


def test_import_pincite_imports_almost_nothing_of_ours() -> None:
    _, shown, _ = finished("-c", "import sys, pincite; print(*(n for n in sys.modules if n.startswith('pincite')))")
    assert shown.split() == ["pincite"]


def test_a_reader_that_closes_its_pipe_ends_the_command_in_silence() -> None:
    with started("-m", "pincite", "documents", "--corpus", CORPUS, "--json") as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        said = process.stderr.read()
    assert (process.returncode, said) == (0, "")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT for one process")
def test_ctrl_c_is_one_line_and_exit_code_130() -> None:
    program = (
        "import sys, typer.main; from pincite.cli import main as m; from pincite.cli import search as s\n"
        "s._questions = lambda text: (print('ready', flush=True), sys.stdin.read())\n"
        f"sys.argv[1:] = ['search', '-', '--corpus', {CORPUS!r}]; m.main()"
    )
    with started("-c", program) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)
    assert (process.returncode, said) == (130, "pincite: stopped\n")


def test_completion_can_be_shown() -> None:
    code = "import sys; sys.argv = ['pincite']; from pincite.cli.main import app; app(prog_name='pincite')"
    words = {"_PINCITE_COMPLETE": "complete_bash", "COMP_WORDS": "pincite index ", "COMP_CWORD": "2"}
    _, shown, _ = finished("-c", code, **words)
    assert {"add", "sync", "check"} <= set(shown.split())


def test_questions_come_through_a_pipe() -> None:
    with started("-m", "pincite", "search", "-", "--corpus", CORPUS, "--jsonl", "--method", "bm25") as process:
        shown, _ = process.communicate("Who pays rent?\nMay the tenant keep pets? ü\n")
    assert [json.loads(line)["query"] for line in shown.splitlines()] == [
        "Who pays rent?",
        "May the tenant keep pets? ü",
    ]
