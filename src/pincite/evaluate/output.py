"""Results on disk: whether they can be written is known before the work, and they appear whole or not at all."""

import json
import os
from pathlib import Path
from typing import Any

from pincite.errors import OutputError


def check_writable(path: Path) -> Path:
    """`path` itself, if a file can be written there; nothing is left behind."""
    if path.is_dir():
        raise OutputError(f"{path}: is a folder; name a file to write")
    if not path.parent.is_dir():
        raise OutputError(f"{path}: the folder {path.parent} does not exist; make it first")
    scratch = _scratch(path)
    try:
        scratch.touch()
        scratch.unlink()
    except OSError as error:
        raise OutputError(f"{path}: cannot be written ({error.strerror})") from None
    if path.exists() and not os.access(path, os.W_OK):
        raise OutputError(f"{path}: exists and must not be written")
    return path


def write_text(path: Path, text: str) -> None:
    write_bytes(path, text.encode("utf-8"))


def write_bytes(path: Path, data: bytes) -> None:
    """Writes beside the place and renames, so that a reader never sees half a file."""
    scratch = _scratch(path)
    try:
        scratch.write_bytes(data)
        scratch.replace(path)
    except OSError as error:
        raise OutputError(f"{path}: cannot be written ({error.strerror})") from None


def write_json(path: Path, value: Any) -> None:
    write_text(path, json.dumps(value, indent=1, ensure_ascii=False) + "\n")


def _scratch(path: Path) -> Path:
    return path.with_name(f".{path.name[:100]}.{os.getpid()}.part")
