"""The objects of a PDF as they stand in the file: streams, and which pages refer to an object."""

import re
import zlib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import pairwise

_HEADER_BYTES = 1 << 16
"""Longest dictionary of a stream."""
_PIECE = 512
"""Bytes that are unpacked at once: so many may be lost before the damage."""
_OBJECT_START = re.compile(rb"(\d+)\s+\d+\s+obj\b")
_STREAM_START = re.compile(rb">>\s*stream(?:\r\n|\n|\r)")
_LENGTH = re.compile(rb"/Length\s+(\d+)(?!\s+\d+\s+R)\b")
_OBJECT = re.compile(rb"\b(\d+)\s+\d+\s+obj\b(.*?)(?:endobj|>>\s*stream\b)", re.DOTALL)
_REFERENCE = re.compile(rb"(\d+)\s+\d+\s+R\b")
_UPWARD = re.compile(rb"/(?:Parent|P|Dest|D)\s+\d+\s+\d+\s+R\b")
_KIDS = re.compile(rb"/Kids\s*\[([^\]]*)\]")
_PAGES_ROOT = re.compile(rb"/Pages\s+(\d+)\s+\d+\s+R\b")
_IS_CATALOG = re.compile(rb"/Type\s*/Catalog\b")


@dataclass(frozen=True, slots=True)
class Stream:
    """A stream with the dictionary before it."""

    number: int
    """The number of its object."""
    header: bytes
    data: bytes = field(repr=False)
    """The whole file, of which the stream is a range."""
    start: int
    end: int
    is_cut: bool
    """Whether the file ends before the stream does."""

    @property
    def content(self) -> bytes:
        return self.data[self.start : self.end]

    @property
    def is_picture(self) -> bool:
        return re.search(rb"/Subtype\s*/Image\b", self.header) is not None

    @property
    def is_structure(self) -> bool:
        """Whether it holds other objects, or the table of objects."""
        return re.search(rb"/Type\s*/(?:ObjStm|XRef)\b", self.header) is not None


def streams(data: bytes) -> list[Stream]:
    """The streams of a file. Of streams with the same number, the last one counts."""
    return list({stream.number: stream for stream in _streams(data)}.values())


def _streams(data: bytes) -> Iterator[Stream]:
    at = 0
    while found := _STREAM_START.search(data, at):
        start = found.end()
        window = data[max(at, found.start() - _HEADER_BYTES) : found.start() + 2]
        heads = list(_OBJECT_START.finditer(window))
        header = window[heads[-1].end() :] if heads else window
        end, is_cut = _end(data, start, header)
        if heads:
            yield Stream(int(heads[-1][1]), header, data, start, end, is_cut)
        at = end


def _end(data: bytes, start: int, header: bytes) -> tuple[int, bool]:
    """Where a stream ends, and whether the file ends first."""
    length = _LENGTH.search(header)
    if length:
        end = start + int(length[1])
        if data[end : end + 20].lstrip().startswith(b"endstream"):
            return end, False
    end = data.find(b"endstream", start)
    return (len(data), True) if end < 0 else (end, False)


def pages_using(data: bytes, numbers: set[int]) -> dict[int, list[int]] | None:
    """The pages, from 0, that use each of the objects. None if the file has no list of pages that can be read."""
    objects = _objects(data)
    tree = _page_tree(objects)
    if not tree:
        return None
    pages = {number for number, _ in tree}
    users: dict[int, list[int]] = {number: [] for number in numbers}
    for place, (number, above) in enumerate(tree):
        for used in numbers & _reachable(objects, [number, *above], pages):
            users[used].append(place)
    return users


def _objects(data: bytes) -> dict[int, bytes]:
    """The dictionary, or the whole content, of every object by its number."""
    found = {int(match[1]): match[2] for match in _OBJECT.finditer(data)}
    for stream in streams(data):
        if b"/ObjStm" in stream.header:
            found = {**_packed_objects(stream), **found}
    return found


def _packed_objects(stream: Stream) -> dict[int, bytes]:
    """The objects inside an object stream, as far as it can be unpacked."""
    count, first = (re.search(rb"/%s\s+(\d+)" % key, stream.header) for key in (b"N", b"First"))
    if not count or not first:
        return {}
    content, start = _unpacked(stream.content), int(first[1])
    heads = [int(word) for word in content[:start].split()[: 2 * int(count[1])] if word.isdigit()]
    places = pairwise([*heads[1::2], len(content) - start])
    return {number: content[start + one : start + two] for number, (one, two) in zip(heads[::2], places, strict=False)}


def _unpacked(content: bytes) -> bytes:
    """What can be unpacked of a stream, up to the damage."""
    unpacker = zlib.decompressobj()
    parts: list[bytes] = []
    with suppress(zlib.error):
        for at in range(0, len(content), _PIECE):
            parts.append(unpacker.decompress(content[at : at + _PIECE]))
    return b"".join(parts)


def _page_tree(objects: dict[int, bytes]) -> list[tuple[int, tuple[int, ...]]]:
    """The number of each page in order, with the numbers of the nodes above it."""
    catalogs = [content for content in objects.values() if _IS_CATALOG.search(content)]
    roots = [int(match[1]) for content in catalogs if (match := _PAGES_ROOT.search(content))]
    pages: list[tuple[int, tuple[int, ...]]] = []
    waiting: list[tuple[int, tuple[int, ...]]] = [(root, ()) for root in roots[-1:]]
    seen: set[int] = set()
    while waiting:
        number, above = waiting.pop()
        if number in seen:
            continue
        seen.add(number)
        kids = _KIDS.search(objects.get(number, b""))
        if kids is None:
            pages.append((number, above))
        else:
            below = [int(kid) for kid in _REFERENCE.findall(kids[1])]
            waiting += [(kid, (*above, number)) for kid in reversed(below)]
    return pages


def _reachable(objects: dict[int, bytes], start: list[int], pages: set[int]) -> set[int]:
    """The objects that are referred to from others, without the way to other pages."""
    seen: set[int] = set()
    waiting = list(start)
    while waiting:
        number = waiting.pop()
        if number in seen:
            continue
        seen.add(number)
        content = _UPWARD.sub(b"", _KIDS.sub(b"", objects.get(number, b"")))
        waiting += {int(other) for other in _REFERENCE.findall(content)} - pages
    return seen
