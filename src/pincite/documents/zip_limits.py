"""Opens zips and reads their members within the limits. Sizes in the zip's headers are not trusted."""

import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO

from pincite.documents.failures import Unreadable
from pincite.documents.request import ReadRequest

CHUNK_BYTES = 1024 * 1024
"""Bytes unpacked between two checks of the limits."""
_ENCRYPTED_FLAG = 0x1


@contextmanager
def open_zip(request: ReadRequest) -> Iterator[zipfile.ZipFile]:
    """Open the zip in the bytes of a file."""
    try:
        archive = zipfile.ZipFile(BytesIO(request.data))
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError) as error:
        raise request.failure("damaged", f"cannot be unpacked ({error}); copy it again, or save it again") from None
    with archive:
        request.budget.check_members(request.name, len(archive.infolist()))
        yield archive


def read_member(request: ReadRequest, archive: zipfile.ZipFile, info: zipfile.ZipInfo, name: str) -> bytes:
    """The bytes of a member. Errors about the member call it `name`."""
    if info.flag_bits & _ENCRYPTED_FLAG:
        raise Unreadable(name, "encrypted", "needs a password; unpack it with the password and read the result")
    request.budget.count_member(request.name)
    chunks: list[bytes] = []
    size = 0
    try:
        with archive.open(info) as member:
            while chunk := member.read(CHUNK_BYTES):
                size += len(chunk)
                request.budget.count_bytes(request.name, len(chunk))
                request.budget.check_ratio(name, min(info.compress_size, len(request.data)), size)
                chunks.append(chunk)
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, NotImplementedError) as error:
        raise Unreadable(name, "damaged", f"cannot be unpacked ({error}); copy it again") from None
    return b"".join(chunks)
