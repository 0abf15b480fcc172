"""Word's old format and WordPerfect: converted by LibreOffice, or reported."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from pincite.documents.failures import Unreadable
from pincite.documents.limits import Limits
from pincite.documents.read import read_bytes, read_file
from tests.documents.offices import compound, docx, p
from tests.documents.sample_files import OLD_WORD

WORDPERFECT = b"\xffWPC\x20\x00\x00\x00\x01\x0a\x02\x01\x00\x00\x00\x02" + bytes(16) + b"Rent"
WORDPERFECT_IN_OLE = compound({"PerfectOffice_MAIN": WORDPERFECT})
FILES = [
    ("a.doc", OLD_WORD, "doc", "Word's old format"),
    ("a.wpd", WORDPERFECT, "wpd", "WordPerfect's format"),
    ("a.wpd", WORDPERFECT_IN_OLE, "wpd", "WordPerfect's format"),
]


@pytest.mark.parametrize(("name", "data", "reader", "says"), FILES)
def test_without_libreoffice_the_error_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, name: str, data: bytes, reader: str, says: str
) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(Unreadable, match=rf"is in {says}; install LibreOffice, or save it as \.docx") as caught:
        read_bytes(data, name, name)
    assert caught.value.reason == "not installed"


def test_an_encrypted_wordperfect_file() -> None:
    with pytest.raises(Unreadable, match="needs a password") as caught:
        read_bytes(WORDPERFECT[:12] + b"\x12\x34" + WORDPERFECT[14:], "a.wpd", "a.wpd")
    assert caught.value.reason == "encrypted"


@pytest.mark.skipif(sys.platform == "win32", reason="puts a shell script in LibreOffice's place")
@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ('while [ "$1" != --outdir ]; do shift; done; mkdir -p "$2"; cp "$CONVERTED" "$2/in.docx"', None),
        ("echo no such filter >&2; exit 1", "damaged"),
        ("sleep 20", "took too long"),
    ],
)
@pytest.mark.parametrize(("name", "data", "reader", "says"), FILES)
def test_it_is_converted_first(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    script: str,
    reason: str | None,
    name: str,
    data: bytes,
    reader: str,
    says: str,
) -> None:
    (tmp_path / "converted.docx").write_bytes(docx(p("An old lease.")))
    (tmp_path / "soffice").write_text(f"#!/bin/sh\n{script}\n")
    (tmp_path / "soffice").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    monkeypatch.setenv("CONVERTED", str(tmp_path / "converted.docx"))
    if reason is None:
        document = read_bytes(data, name, name).documents[0]
        assert (document.text, document.source.reader) == ("An old lease.", reader)
        return
    with pytest.raises(Unreadable, match=rf"^{name}: LibreOffice") as caught:
        read_bytes(data, name, name, Limits(seconds=1))
    assert caught.value.reason == reason


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("soffice"), reason="LibreOffice is not installed")
def test_a_real_file_is_read_by_libreoffice(tmp_path: Path) -> None:
    source = tmp_path / "lease.html"
    source.write_text("<html><body><h1>Lease</h1><ol><li>The rent is due.</li><li>No pets.</li></ol></body></html>")
    profile = f"-env:UserInstallation={(tmp_path / 'profile').as_uri()}"
    for made, form in ((source, "odt:writer8"), (tmp_path / "lease.odt", "doc:MS Word 97")):
        subprocess.run(
            ["soffice", "--headless", profile, "--convert-to", form, "--outdir", str(tmp_path), str(made)],
            check=True,
            capture_output=True,
            timeout=120,
        )
    document = read_file(tmp_path / "lease.doc", "lease.doc").documents[0]
    assert document.source.reader == "doc"
    assert [line for line in document.text.split("\n") if line] == ["Lease", "1. The rent is due.", "2. No pets."]
