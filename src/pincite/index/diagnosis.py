"""What a machine has of what Pincite needs, and how an index is; each finding with what to do about it."""

import os
import platform
import shutil
import sqlite3
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from pincite.documents.doc import PROGRAMS as OFFICES
from pincite.documents.pdf_ocr import is_available, languages
from pincite.documents.sandbox import missing_parts
from pincite.errors import PinciteError
from pincite.models.cache import cache_folder
from pincite.models.shipped import SHIPPED

WELL, POOR, BAD = "well", "poor", "bad"
PACKAGES = ("numpy", "onnxruntime", "tokenizers", "pypdfium2", "lxml")
FONTS = (Path("/usr/share/fonts"), Path("/System/Library/Fonts"), Path("C:/Windows/Fonts"))
LEAST_FREE = 1 << 30


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at: how it is, what was found, and what to do."""

    what: str
    state: str
    says: str
    advice: str = ""

    def to_dict(self) -> dict[str, str]:
        return asdict(self)


def diagnosis(index: Path | None = None) -> list[Finding]:
    """Everything that can be seen without changing anything."""
    found = [*_versions(), *_sandbox(), *_ocr(), *_offices(), *_fonts(), *_models(), *_disk()]
    return [*found, *(_index(index) if index else ())]


def _versions() -> Iterator[Finding]:
    said = f"pincite {version('pincite')}, Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}"
    yield Finding("versions", WELL, f"{said}, {platform.system()} {platform.machine()}")
    missing = []
    for name in PACKAGES:
        try:
            version(name)
        except PackageNotFoundError:
            missing.append(name)
    if missing:
        yield Finding("packages", BAD, f"missing: {', '.join(missing)}", "pip install --force-reinstall pincite")


def _sandbox() -> Iterator[Finding]:
    missing = missing_parts()
    if not missing:
        yield Finding("sandbox", WELL, "readers have no network and see no other files (Landlock, seccomp)")
    for part in missing:
        advice = "read files that you do not trust on a Linux machine with kernel 5.13 or newer"
        yield Finding("sandbox", POOR, part, advice)


def _ocr() -> Iterator[Finding]:
    if not is_available():
        advice = "install the program tesseract (on Debian and Ubuntu: apt-get install tesseract-ocr) and pincite[ocr]"
        yield Finding("OCR", POOR, "scanned pages cannot be recognised", advice)
        return
    yield Finding("OCR", WELL, f"tesseract with the languages {', '.join(languages())}")


def _offices() -> Iterator[Finding]:
    program = next((found for name in OFFICES if (found := shutil.which(name))), None)
    if program is None:
        yield Finding("old Word files", POOR, ".doc and WordPerfect files cannot be read", "install LibreOffice")
    else:
        yield Finding("old Word files", WELL, f"LibreOffice: {program}")


def _fonts() -> Iterator[Finding]:
    there = next((folder for folder in FONTS if folder.is_dir() and any(folder.rglob("*.[to]t[fc]"))), None)
    if there is None:
        advice = "install some (on Debian and Ubuntu: apt-get install fonts-dejavu)"
        yield Finding(
            "fonts", POOR, "none found: pages of PDF files without fonts of their own are drawn poorly", advice
        )
    else:
        yield Finding("fonts", WELL, str(there))


def _models() -> Iterator[Finding]:
    for model in SHIPPED.values():
        if not model.in_wheel and not model.folder.is_dir():
            continue
        try:
            model.checked()
        except PinciteError as error:
            yield Finding("models", BAD, str(error).split(";")[0], str(error).split("; ")[-1])
        else:
            yield Finding("models", WELL, f"{model.name}: as shipped ({model.sha256[:12]})")


def _disk() -> Iterator[Finding]:
    folder = cache_folder()
    there = next(path for path in (folder, *folder.parents) if path.exists())
    free = shutil.disk_usage(there).free
    if not os.access(there, os.W_OK):
        advice = "set PINCITE_CACHE to a folder that can be written"
        yield Finding("cache", POOR, f"{folder} cannot be written: vectors are made again each time", advice)
    elif free < LEAST_FREE:
        yield Finding("cache", POOR, f"{folder}: {free / 1e9:.1f} GB free", "free some space")
    else:
        yield Finding("cache", WELL, f"{folder}, {free / 1e9:.0f} GB free")


def _index(folder: Path) -> Iterator[Finding]:
    from pincite.index.index import Index

    what = "index"
    try:
        with Index.open(folder, read_only=True) as index:
            report = index.check()
            missing = int(report.figures["documents"]) - int(report.figures["documents with vectors"])
    except PinciteError as error:
        yield Finding(what, BAD, str(error))
        return
    yield Finding(what, WELL, f"{folder}: {report.figures['documents']} documents, {report.figures['units']} passages")
    for fault in report.faults:
        yield Finding(what, BAD, fault)
    if missing:
        advice = f"pincite index embed --index {folder}"
        yield Finding(what, POOR, f"{missing} documents have no vectors: they are searched by words alone", advice)
    if os.name == "posix" and folder.stat().st_mode & 0o077:
        said = "others on this machine may read the index"
        yield Finding(what, POOR, said, f"chmod -R go= {folder}")
    free = shutil.disk_usage(folder).free
    if free < LEAST_FREE:
        yield Finding(what, POOR, f"{free / 1e6:.0f} MB are free where it lies", "free some space before adding more")
