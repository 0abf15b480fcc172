"""Opens a zip: every member that is not hidden, one at a time, within limits."""

import zipfile
from collections.abc import Iterator

from pincite.documents.failures import Unreadable
from pincite.documents.request import ReadRequest
from pincite.documents.zip_limits import opened, unpack
from pincite.documents.part import Container, ContainerPart, safe_name


def read_zip(given: ReadRequest) -> Container:
    """The members; a limit that is passed ends the whole zip, a member that cannot be unpacked only itself."""
    return Container(None, _parts(given))


def _parts(given: ReadRequest) -> Iterator[ContainerPart]:
    with opened(given) as archive:
        for info in archive.infolist():
            name = safe_name(_decoded(info))
            if info.is_dir() or any(step.startswith(".") or step == "__MACOSX" for step in name.split("/")):
                continue
            try:
                data = unpack(given, archive, info, f"{given.name}/{name}")
            except Unreadable as error:
                yield ContainerPart(name, error)
                if error.name == given.name:
                    return
            else:
                yield ContainerPart(name, data)


def _decoded(info: zipfile.ZipInfo) -> str:
    """A member's name. Old zips that do not say UTF-8 often hold it all the same."""
    if info.flag_bits & 0x800:
        return info.filename
    try:
        return info.filename.encode("cp437").decode("utf-8")
    except UnicodeError:
        return info.filename
