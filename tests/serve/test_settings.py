"""The settings file."""

from pathlib import Path

import pytest

from pincite.errors import PinciteError
from pincite.serve.settings import Settings


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("colour = 3", "unknown setting"),
        ("threads = 'two'", "of type int"),
        ("threads = 0", "at least"),
        ("=", "read"),
    ],
)
def test_settings_that_make_no_sense_are_refused(tmp_path: Path, content: str, said: str) -> None:
    file = tmp_path / "serve.toml"
    file.write_text(content)
    with pytest.raises(PinciteError, match=said):
        Settings.read(file)


def test_settings_are_read_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "serve.toml"
    file.write_text('threads = 3\nfile_seconds = 5\naudit = "a.jsonl"\n')
    assert Settings.read(file) == Settings(threads=3, file_seconds=5, audit="a.jsonl")
