"""Special files are refused with a reason, and never waited for."""

import os
import socket
from pathlib import Path

import pytest

from pincite.documents import Unreadable, read_file
from pincite.documents.regular_file import NotRegularError, open_regular


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="named pipes need POSIX")
def test_a_named_pipe_does_not_block(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.txt"
    os.mkfifo(pipe)
    with pytest.raises(NotRegularError):
        open_regular(pipe)
    with pytest.raises(Unreadable, match=r"pipe\.txt: cannot be read \(it is a named pipe, not a file\)") as caught:
        read_file(pipe, "pipe")
    assert caught.value.reason == "cannot be opened"


def test_a_folder_and_a_socket_and_a_device_are_no_files(tmp_path: Path) -> None:
    with pytest.raises(Unreadable, match="a folder"):
        read_file(tmp_path, "folder")
    with pytest.raises(Unreadable, match="a device"):
        read_file(Path(os.devnull), "null")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "socket"))
        with pytest.raises(Unreadable):
            read_file(tmp_path / "socket", "socket")


def test_a_link_is_read_as_what_it_leads_to(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Rent.")
    (tmp_path / "b.txt").symlink_to(tmp_path / "a.txt")
    with open_regular(tmp_path / "b.txt") as file:
        assert file.read() == b"Rent."
