"""Several arrays in one file that can be memory-mapped."""

import json
import zlib
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pincite.errors import DataError, OutputError
from pincite.output import atomic_file

MAGIC = b"PINCITE1"
ALIGN = 64
CHUNK = 1 << 22

Arrays = Mapping[str, NDArray[np.generic]]
Written = tuple[int, int]
"""The size of a file and the CRC-32 of its bytes."""


def write_arrays(path: Path, arrays: Arrays) -> Written:
    """Writes the arrays; the file is there whole, or not at all."""
    shapes: dict[str, tuple[str, list[int], int]] = {}
    place = 0
    for name, array in arrays.items():
        shapes[name] = (array.dtype.str, list(array.shape), place)
        place += -(-array.nbytes // ALIGN) * ALIGN
    header = json.dumps(shapes).encode()
    header += b" " * (-(len(MAGIC) + 8 + len(header)) % ALIGN)
    crc = size = 0
    try:
        with atomic_file(path, durable=True, private=True) as out:
            for piece in (MAGIC, len(header).to_bytes(8, "little"), header, *_padded(arrays)):
                view = memoryview(piece).cast("B")
                out.write(view)
                crc = zlib.crc32(view, crc)
                size += len(view)
    except OSError as error:
        raise OutputError(f"{path}: cannot be written ({error.strerror}); nothing was changed") from None
    return size, crc


def _padded(arrays: Arrays) -> list[memoryview | bytes]:
    pieces: list[memoryview | bytes] = []
    for array in arrays.values():
        if array.nbytes:
            pieces.append(np.ascontiguousarray(array).reshape(-1).view(np.uint8).data)
        pieces.append(b"\0" * (-array.nbytes % ALIGN))
    return pieces


def open_arrays(path: Path) -> dict[str, NDArray[np.generic]]:
    """The arrays of a file, memory-mapped and read-only."""
    try:
        mapped = np.memmap(path, dtype=np.uint8, mode="r")
        if bytes(mapped[: len(MAGIC)]) != MAGIC:
            raise ValueError("not a file of arrays")
        length = int.from_bytes(bytes(mapped[len(MAGIC) : len(MAGIC) + 8]), "little")
        start = len(MAGIC) + 8 + length
        shapes = json.loads(bytes(mapped[len(MAGIC) + 8 : start]))
        found = {}
        for name, (kind, shape, place) in shapes.items():
            size = int(np.prod(shape)) * np.dtype(kind).itemsize
            flat = np.asarray(mapped[start + place : start + place + size])
            found[name] = flat.view(kind).reshape(shape)
    except (OSError, ValueError, TypeError) as error:
        raise DataError(f"{path}: cannot be read ({error})") from None
    return found


def checksum(path: Path) -> Written:
    """The size and CRC-32 of a file as it is now."""
    crc = size = 0
    with path.open("rb") as file:
        while chunk := file.read(CHUNK):
            crc = zlib.crc32(chunk, crc)
            size += len(chunk)
    return size, crc
