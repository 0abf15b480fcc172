"""Finds the damaged streams of a PDF, and the pages that use them: pdfium reads what is left and reports nothing."""

import re
import zlib
from base64 import a85decode
from collections.abc import Iterator
from dataclasses import dataclass

from pincite.documents.pdf_objects import Stream, pages_using, streams

_END_BYTES = 2048
"""Bytes at the end of a file in which its end mark stands."""
_CHUNK = 1 << 20
_FILTERS = re.compile(rb"/Filter\s*(?:/([^\s/<>\[\]()]+)|\[([^\]]*)\])")
_KNOWN_FILTERS = frozenset(
    b"""FlateDecode LZWDecode ASCII85Decode ASCIIHexDecode RunLengthDecode CCITTFaxDecode JBIG2Decode DCTDecode
    JPXDecode Crypt Fl LZW A85 AHx RL CCF DCT""".split()
)


@dataclass(frozen=True, slots=True)
class Damage:
    """A damaged stream. `pages` counts from 0 and is empty if the stream does not belong to single pages."""

    number: int
    pages: tuple[int, ...]


def find_damage(data: bytes, with_pictures: bool) -> list[Damage]:
    """The damaged streams that pages use. Pictures are checked only on request: most hold no text.

    The streams of an encrypted file cannot be checked.
    """
    if b"/Encrypt" in data:
        return []
    broken = [stream for stream in streams(data) if (with_pictures or not stream.is_picture) and not _is_whole(stream)]
    return list(_located(data, broken)) if broken else []


def is_cut_off(data: bytes) -> bool:
    """Whether the end mark of a PDF is missing."""
    return b"%%EOF" not in data[-_END_BYTES:]


def _located(data: bytes, broken: list[Stream]) -> Iterator[Damage]:
    """The damage with the pages it is on. A stream that no page uses, such as one of an older version, is left out."""
    users = pages_using(data, {stream.number for stream in broken})
    for stream in broken:
        if stream.is_structure or users is None:
            yield Damage(stream.number, ())
        elif users[stream.number]:
            yield Damage(stream.number, tuple(users[stream.number]))


def _is_whole(stream: Stream) -> bool:
    if stream.is_cut:
        return False
    names = _filters(stream.header)
    if not all(name in _KNOWN_FILTERS for name in names):
        return False
    content = stream.content
    try:
        if names[:1] in ([b"ASCII85Decode"], [b"A85"]) and names[1:]:
            names, content = names[1:], a85decode(content.strip().removesuffix(b"~>"))
        elif names[:1] in ([b"ASCIIHexDecode"], [b"AHx"]) and names[1:]:
            names, content = names[1:], bytes.fromhex(content.strip().removesuffix(b">").decode("ascii"))
    except ValueError:
        return False
    return names[:1] not in ([b"FlateDecode"], [b"Fl"]) or _inflates(content)


def _filters(header: bytes) -> list[bytes]:
    found = _FILTERS.search(header)
    if found is None:
        return []
    return [found[1]] if found[1] else re.findall(rb"/([^\s/<>\[\]()]+)", found[2])


def _inflates(content: bytes) -> bool:
    """Whether a stream unpacks to its end and has the right checksum. Some programs leave the checksum out."""
    try:
        return _ends(zlib.decompressobj(), content) or _ends(zlib.decompressobj(-zlib.MAX_WBITS), content[2:])
    except zlib.error:
        return False


def _ends(unpacker: "zlib._Decompress", content: bytes) -> bool:
    while content and not unpacker.eof:
        unpacker.decompress(content, _CHUNK)
        content = unpacker.unconsumed_tail
    return unpacker.eof
