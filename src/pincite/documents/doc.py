"""Reads Word's old .doc through LibreOffice, where it is installed."""

import shutil
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

from pincite.documents.docx import read_docx
from pincite.documents.request import ReadRequest
from pincite.text import Document

PROGRAMS = ("soffice", "libreoffice")


def read_doc(given: ReadRequest) -> Document:
    """The document, converted to .docx on the way."""
    program = next((found for name in PROGRAMS if (found := shutil.which(name))), None)
    if program is None:
        raise given.failure("not installed", "is in Word's old format; install LibreOffice, or save it as .docx")
    with tempfile.TemporaryDirectory(prefix="pincite-doc-") as folder:
        home = Path(folder)
        (home / "in.doc").write_bytes(given.data)
        command = [
            program, "--headless", "--norestore", "--nolockcheck",
            f"-env:UserInstallation={(home / 'profile').as_uri()}",
            "--convert-to", "docx", "--outdir", str(home / "out"), str(home / "in.doc"),
        ]  # fmt: skip
        try:
            done = subprocess.run(
                command,
                capture_output=True,
                timeout=max(1.0, 0.9 * given.limits.seconds),
                check=False,
                preexec_fn=_without_memory_limit if sys.platform != "win32" else None,
            )
        except subprocess.TimeoutExpired:
            raise given.failure(
                "took too long",
                f"LibreOffice needed more than {given.limits.seconds:g} s; save it as .docx, or raise Limits.seconds",
            ) from None
        converted = home / "out" / "in.docx"
        if not converted.exists():
            said = done.stderr.decode("utf-8", "replace").strip().split("\n")[-1]
            raise given.failure("damaged", f"LibreOffice cannot convert it ({said}); save it as .docx with Word")
        return read_docx(replace(given, data=converted.read_bytes()), reader="doc")


def _without_memory_limit() -> None:
    """LibreOffice reserves far more address space than it uses; the limit on this process is not for it."""
    import resource

    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    resource.setrlimit(resource.RLIMIT_AS, (hard, hard))
