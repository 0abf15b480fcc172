"""The canonical text: line ends become LF, everything else stays."""

import pytest

from pincite.errors import DataError
from pincite.text.canonical import canonical, decode


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ("a\r\nb", "a\nb"),
        ("a\rb", "a\nb"),
        ("a\r\r\nb", "a\n\nb"),
        ("\ufeffa", "\ufeffa"),  # LegalBench-RAG's spans count the byte order mark
        ("a\u2028b\x0cc", "a\u2028b\x0cc"),
        ("", ""),
    ],
)
def test_line_ends_become_lf_and_nothing_else_changes(raw: str, text: str) -> None:
    assert canonical(raw) == text
    assert decode(raw.encode("utf-8"), "x.txt") == text


def test_bytes_that_are_not_utf8_are_named_never_mangled() -> None:
    with pytest.raises(DataError, match=r"lease\.txt: not UTF-8 \(byte 3: 0xe9\)"):
        decode(b"caf\xe9", "lease.txt")
