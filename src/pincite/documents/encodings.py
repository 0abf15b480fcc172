"""Recognises the encoding of text that is not UTF-8, and decodes it without losing a character."""

import re
from typing import NamedTuple

NAMES = {
    "cp1252": "Windows-1252", "cp1250": "Windows-1250 (Central European)", "cp1251": "Windows-1251 (Cyrillic)",
    "cp1253": "Windows-1253 (Greek)", "cp1254": "Windows-1254 (Turkish)", "cp1255": "Windows-1255 (Hebrew)",
    "cp1256": "Windows-1256 (Arabic)", "cp1257": "Windows-1257 (Baltic)", "koi8_r": "KOI8-R (Cyrillic)",
    "mac_roman": "Mac Roman", "cp850": "DOS (code page 850)", "shift_jis": "Shift JIS (Japanese)",
    "euc_jp": "EUC-JP (Japanese)", "gb18030": "GB 18030 (Chinese)", "big5": "Big5 (Chinese)",
    "euc_kr": "EUC-KR (Korean)",
}  # fmt: skip
"""The encodings that are told apart, by Python's names, with the names that users know."""

WESTERN = "cp1252"
"""Preferred where several encodings fit equally well."""
SAMPLE_BYTES = 200_000
"""Bytes of lines with other characters than ASCII that are looked at."""

_NOT_ASCII_LINE = re.compile(rb"[^\n]*[\x80-\xff][^\n]*\n?")
_CONTROLS = re.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f-\x9f]")


class DecodedText(NamedTuple):
    """A text, and the name of the encoding it was read as."""

    text: str
    encoding: str


def decode_other(data: bytes) -> DecodedText | None:
    """The text of bytes that are not UTF-8. None if no encoding fits, or if they are UTF-8 with a few wrong bytes.

    >>> decode_other("the “Tenant” – § 5".encode("windows-1252"))
    DecodedText(text='the “Tenant” – § 5', encoding='Windows-1252')
    """
    if _is_damaged_utf8(data):
        return None
    for codec in _candidates(_sample(data)):
        try:
            text = data.decode(codec)
        except UnicodeDecodeError:
            continue
        if not _CONTROLS.search(text):
            return DecodedText(text, NAMES[codec])
    return None


def _is_damaged_utf8(data: bytes) -> bool:
    """Whether half of the characters beyond ASCII are valid UTF-8. Other encodings do not look like that by chance."""
    text = data.decode("utf-8", "replace")
    wrong = text.count("\ufffd")
    return len(text) - len(text.encode("ascii", "ignore")) >= 2 * wrong


def _sample(data: bytes) -> bytes:
    if len(data) <= SAMPLE_BYTES:
        return data
    lines: list[bytes] = []
    size = 0
    for line in _NOT_ASCII_LINE.finditer(data):
        lines.append(line[0])
        size += len(line[0])
        if size > SAMPLE_BYTES:
            break
    return b"".join(lines)


def _candidates(sample: bytes) -> list[str]:
    """The encodings that fit best. Where no language is recognised, only mostly ASCII text is believed."""
    from charset_normalizer import from_bytes

    matches = list(from_bytes(sample, cp_isolation=list(NAMES)))
    least = min((match.chaos for match in matches), default=0.0)
    best = sorted((match for match in matches if match.chaos == least), key=lambda match: -match.coherence)
    if not best or (best[0].coherence == 0 and not best[0].multi_byte_usage):
        return [WESTERN] if len(sample.decode("ascii", "ignore")) > 0.6 * len(sample) else []
    equal = [match.could_be_from_charset for match in best if match.coherence == best[0].coherence]
    names = [name for match in best for name in match.could_be_from_charset if name in NAMES]
    return list(dict.fromkeys([WESTERN, *names] if any(WESTERN in same for same in equal) else names))
