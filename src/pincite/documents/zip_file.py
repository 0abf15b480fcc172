"""Opens a zip: every member that is not hidden, one at a time, within the limits."""

import zipfile
from collections.abc import Iterator

from pincite.documents.failures import Unreadable
from pincite.documents.part import Container, ContainerPart, safe_name
from pincite.documents.request import ReadRequest
from pincite.documents.zip_limits import open_zip, read_member

_UTF8_FLAG = 0x800


def read_zip(request: ReadRequest) -> Container:
    """The members of a zip. An error about one member skips it; an error about the zip itself ends the reading."""
    return Container(None, _parts(request))


def _parts(request: ReadRequest) -> Iterator[ContainerPart]:
    with open_zip(request) as archive:
        for info in archive.infolist():
            name = safe_name(_member_name(info))
            if info.is_dir() or _is_hidden(name):
                continue
            try:
                data = read_member(request, archive, info, f"{request.name}/{name}")
            except Unreadable as error:
                yield ContainerPart(name, error)
                if error.name == request.name:
                    return
            else:
                yield ContainerPart(name, data)


def _is_hidden(name: str) -> bool:
    return any(step.startswith(".") or step == "__MACOSX" for step in name.split("/"))


def _member_name(info: zipfile.ZipInfo) -> str:
    """The name of a member. Old zips often have UTF-8 names without saying so."""
    if info.flag_bits & _UTF8_FLAG:
        return info.filename
    try:
        return info.filename.encode("cp437").decode("utf-8")
    except UnicodeError:
        return info.filename
