"""Builds the office files that the tests read: .docx from raw XML, .msg as a compound file, zips."""

import struct
import zipfile
from collections.abc import Mapping, Sequence
from io import BytesIO
from itertools import pairwise

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
MC = "http://schemas.openxmlformats.org/markup-compatibility/2006"
SPACES = f'xmlns:w="{W}" xmlns:mc="{MC}" xmlns:wps="urn:wps" xmlns:v="urn:v"'
TYPES = '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>'


def packed(members: Mapping[str, bytes | str] | Sequence[tuple[str, bytes | str]], **options: int) -> bytes:
    """A zip of these members."""
    buffer = BytesIO()
    pairs = list(members.items()) if isinstance(members, Mapping) else list(members)
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, **options) as archive:
        for name, data in pairs:
            archive.writestr(name, data)
    return buffer.getvalue()


def docx(body: str, **parts: str) -> bytes:
    """A Word file. `parts` are the insides of numbering, styles, footnotes, endnotes."""
    members = {
        "[Content_Types].xml": TYPES,
        "word/document.xml": f"<w:document {SPACES}><w:body>{body}</w:body></w:document>",
    }
    for name, inside in parts.items():
        members[f"word/{name}.xml"] = f"<w:{name} {SPACES}>{inside}</w:{name}>"
    return packed(members)


def p(text: str = "", style: str = "", num: tuple[int, int] | None = None, inside: str = "", more: str = "") -> str:
    """A paragraph: of plain text, or with the XML `inside`."""
    properties = f'<w:pStyle w:val="{style}"/>' if style else ""
    if num is not None:
        properties += f'<w:numPr><w:ilvl w:val="{num[1]}"/><w:numId w:val="{num[0]}"/></w:numPr>'
    return f"<w:p><w:pPr>{properties}{more}</w:pPr>{inside or r(text)}</w:p>"


def r(text: str, properties: str = "") -> str:
    return f'<w:r><w:rPr>{properties}</w:rPr><w:t xml:space="preserve">{text}</w:t></w:r>'


def level(depth: int, form: str, text: str, start: int = 1, more: str = "") -> str:
    return f'<w:lvl w:ilvl="{depth}"><w:start w:val="{start}"/><w:numFmt w:val="{form}"/>{more}<w:lvlText w:val="{text}"/></w:lvl>'


def abstract(number: int, *levels: str) -> str:
    return f'<w:abstractNum w:abstractNumId="{number}">{"".join(levels)}</w:abstractNum>'


def num(number: int, of: int, override: str = "") -> str:
    return f'<w:num w:numId="{number}"><w:abstractNumId w:val="{of}"/>{override}</w:num>'


def table(*rows: Sequence[str]) -> str:
    """A table whose cells are XML."""
    return (
        "<w:tbl>"
        + "".join(f"<w:tr>{''.join(f'<w:tc>{cell}</w:tc>' for cell in row)}</w:tr>" for row in rows)
        + "</w:tbl>"
    )


def msg(
    subject: str, body: str, sender: str, to: str, sent: int, attachments: Mapping[str, bytes] | None = None
) -> bytes:
    """An Outlook message; `sent` is the time in seconds since 1970."""
    strings = {0x001A: "IPM.Note", 0x0037: subject, 0x1000: body, 0x0C1A: sender, 0x0C1F: sender, 0x0E04: to}
    time = struct.pack("<HHIQ", 0x0040, 0x0039, 6, (sent + 11_644_473_600) * 10_000_000)
    mask = struct.pack("<HHIII", 0x0003, 0x340D, 6, 0x0004_0000, 0)
    files = dict(attachments or {})
    header = struct.pack("<8x4I8x", 0, len(files), 0, len(files))
    tree: dict[str, object] = _properties(strings, {}, header, time + mask)
    for number, (name, data) in enumerate(files.items()):
        how = struct.pack("<HHIII", 0x0003, 0x3705, 6, 1, 0)
        tree[f"__attach_version1.0_#{number:08X}"] = _properties({0x3707: name}, {0x3701: data}, b"\0" * 8, how)
    return compound(tree)


def _properties(
    strings: Mapping[int, str], binaries: Mapping[int, bytes], header: bytes, fixed: bytes
) -> dict[str, object]:
    tree: dict[str, object] = {}
    rows = fixed
    for number, text in strings.items():
        data = text.encode("utf-16-le")
        tree[f"__substg1.0_{number:04X}001F"] = data
        rows += struct.pack("<HHIII", 0x001F, number, 6, len(data) + 2, 0)
    for number, data in binaries.items():
        tree[f"__substg1.0_{number:04X}0102"] = data
        rows += struct.pack("<HHIII", 0x0102, number, 6, len(data), 0)
    tree["__properties_version1.0"] = header + rows
    return tree


FREE, END, FAT = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD
SECTOR, MINI, CUTOFF = 512, 64, 4096


def compound(tree: Mapping[str, object]) -> bytes:
    """A compound file ([MS-CFB], version 3): folders are mappings, streams are bytes."""
    entries: list[dict[str, object]] = [{"name": "Root Entry", "kind": 5, "data": b"", "child": FREE, "right": FREE}]
    _enter(entries, 0, tree)
    mini = b""
    mini_fat: list[int] = []
    sectors: list[bytes] = []
    fat: list[int] = []

    def store(data: bytes) -> int:
        if not data:
            return END
        first = len(sectors)
        parts = [data[i : i + SECTOR].ljust(SECTOR, b"\0") for i in range(0, len(data), SECTOR)]
        sectors.extend(parts)
        fat.extend([*range(first + 1, first + len(parts)), END])
        return first

    for entry in entries[1:]:
        data = entry["data"]
        assert isinstance(data, bytes)
        if entry["kind"] == 2 and 0 < len(data) < CUTOFF:
            count = -(-len(data) // MINI)
            entry["start"] = len(mini_fat)
            mini_fat += [*range(len(mini_fat) + 1, len(mini_fat) + count), END]
            mini += data.ljust(count * MINI, b"\0")
        else:
            entry["start"] = store(data) if entry["kind"] == 2 else 0
    entries[0]["data"] = mini
    entries[0]["start"] = store(mini)
    mini_table = b"".join(struct.pack("<I", number) for number in mini_fat)
    mini_start = store(mini_table + b"\xff" * (-len(mini_table) % SECTOR))
    directory = b"".join(map(_entry, entries))
    while len(directory) % SECTOR:
        directory += _entry({"name": "", "kind": 0, "data": b"", "child": FREE, "right": FREE, "start": 0})
    directory_start = store(directory)
    fat_sectors = 1
    while (len(fat) + fat_sectors) * 4 > fat_sectors * SECTOR:
        fat_sectors += 1
    fat_start = len(sectors)
    fat += [FAT] * fat_sectors
    fat_table = b"".join(struct.pack("<I", number) for number in fat).ljust(fat_sectors * SECTOR, b"\xff")
    difat = [*range(fat_start, fat_start + fat_sectors)]
    header = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 16 + struct.pack("<5H6x", 0x3E, 3, 0xFFFE, 9, 6)
    header += struct.pack(
        "<9I", 0, fat_sectors, directory_start, 0, CUTOFF, mini_start, -(-len(mini_table) // SECTOR), END, 0
    )
    header += struct.pack("<109I", *difat, *[FREE] * (109 - len(difat)))
    return header + b"".join(sectors) + fat_table


def _enter(entries: list[dict[str, object]], parent: int, tree: Mapping[str, object]) -> None:
    """Add the members of a folder. They form a plain chain, which readers accept as a tree."""
    numbers: list[int] = []
    for name, content in sorted(tree.items(), key=lambda item: (len(item[0]), item[0].upper())):
        numbers.append(len(entries))
        is_stream = isinstance(content, bytes)
        entries.append(
            {
                "name": name,
                "kind": 2 if is_stream else 1,
                "data": content if is_stream else b"",
                "child": FREE,
                "right": FREE,
            }
        )
        if isinstance(content, Mapping):
            _enter(entries, numbers[-1], content)
    for one, two in pairwise(numbers):
        entries[one]["right"] = two
    if numbers:
        entries[parent]["child"] = numbers[0]


def _entry(entry: Mapping[str, object]) -> bytes:
    name = str(entry["name"]).encode("utf-16-le")
    data = entry["data"]
    assert isinstance(data, bytes)
    size = len(name) + 2 if name else 0
    packed = name.ljust(64, b"\0") + struct.pack("<HBB", size, entry["kind"], 1)
    packed += struct.pack("<III", FREE, entry["right"], entry["child"]) + b"\0" * 36
    return packed + struct.pack("<IQ", entry["start"], len(data))
