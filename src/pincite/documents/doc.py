"""Reads Word's old .doc format and WordPerfect's .wpd through LibreOffice, if it is installed."""

import shutil
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

from pincite.documents.docx import read_docx
from pincite.documents.formats import WORDPERFECT
from pincite.documents.process_limits import lift_memory_limit
from pincite.documents.request import ReadRequest
from pincite.text import Document

_WORDPERFECT_KEY = slice(12, 14)
"""Where a WordPerfect file says that it is encrypted: bytes that are not 0."""
PROGRAMS = ("soffice", "libreoffice")
"""Names under which LibreOffice is installed."""
_TIME_SHARE = 0.9
"""Share of `Limits.seconds` that the conversion may take. The rest is for reading its result."""


def read_doc(request: ReadRequest) -> Document:
    """The document of a Word file, converted to .docx first."""
    return _read_converted(request, "doc", "Word's old format")


def read_wordperfect(request: ReadRequest) -> Document:
    """The document of a WordPerfect file, converted to .docx first."""
    if request.data.startswith(WORDPERFECT) and any(request.data[_WORDPERFECT_KEY]):
        raise request.failure("encrypted", "needs a password; save a copy without one and read that")
    return _read_converted(request, "wpd", "WordPerfect's format")


def _read_converted(request: ReadRequest, reader: str, format_name: str) -> Document:
    program = next((path for name in PROGRAMS if (path := shutil.which(name))), None)
    if program is None:
        raise request.failure("not installed", f"is in {format_name}; install LibreOffice, or save it as .docx")
    with tempfile.TemporaryDirectory(prefix="pincite-doc-") as folder:
        converted = _convert(request, program, Path(folder), f"in.{reader}")
        return read_docx(replace(request, data=converted), reader=reader)


def _convert(request: ReadRequest, program: str, folder: Path, name: str) -> bytes:
    """The bytes of the .docx file that LibreOffice writes."""
    (folder / name).write_bytes(request.data)
    command = [
        program, "--headless", "--norestore", "--nolockcheck",
        f"-env:UserInstallation={(folder / 'profile').as_uri()}",
        "--convert-to", "docx", "--outdir", str(folder / "out"), str(folder / name),
    ]  # fmt: skip
    try:
        process = subprocess.run(
            command,
            capture_output=True,
            timeout=max(1.0, _TIME_SHARE * request.limits.seconds),
            check=False,
            # LibreOffice reserves far more address space than it uses.
            preexec_fn=lift_memory_limit if sys.platform != "win32" else None,
        )
    except subprocess.TimeoutExpired:
        advice = f"LibreOffice needs more than {request.limits.seconds:g} s; save it as .docx, or raise Limits.seconds"
        raise request.failure("took too long", advice) from None
    converted = folder / "out" / "in.docx"
    if not converted.exists():
        message = process.stderr.decode("utf-8", "replace").strip().split("\n")[-1]
        raise request.failure("damaged", f"LibreOffice cannot convert it ({message}); save it as .docx")
    return converted.read_bytes()
