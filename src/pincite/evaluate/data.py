"""Where the benchmark data lies."""

import os
from pathlib import Path

from pincite.errors import DataError


def data_folder(given: Path | None) -> Path:
    """The folder that was given, else `$PINCITE_DATA`: it holds legalbench-rag/ and perhaps contractnli/."""
    folder = folder_of_data(given)
    benchmark_folder(folder / "legalbench-rag")
    return folder


def folder_of_data(given: Path | None) -> Path:
    """The folder that was given, else `$PINCITE_DATA`, whatever it holds."""
    named = os.environ.get("PINCITE_DATA")
    if given is None and not named:
        raise DataError(
            "where is the data? Give --data DIR, or set PINCITE_DATA to the folder that holds legalbench-rag/"
        )
    return given or Path(named or "")


def benchmark_folder(given: Path | None, name: str = "legalbench-rag") -> Path:
    """The folder that was given, else `$PINCITE_DATA/legalbench-rag`."""
    named = os.environ.get("PINCITE_DATA")
    if given is None and not named:
        raise DataError(
            f"where is the data? Give --data DIR, or set PINCITE_DATA to the folder that holds {name}/ "
            "(its corpus/ and benchmarks/; docs/reproduce.md says where to get it)"
        )
    folder = given or Path(named or "") / name
    if not (folder / "corpus").is_dir() or not (folder / "benchmarks").is_dir():
        raise DataError(f"{folder}: no corpus/ and benchmarks/ in it; docs/reproduce.md says what belongs there")
    return folder
