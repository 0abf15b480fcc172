"""Readers: from files to documents, one file per format."""

from pincite.documents.failures import Unreadable
from pincite.documents.folder import FolderContents, files_below, read_folder
from pincite.documents.limits import Limits
from pincite.documents.read import FileReading, read_file
from pincite.documents.text_file import read_text_file
from pincite.documents.workers import Derived, derive_files, read_files

__all__ = [
    "Derived",
    "FileReading",
    "FolderContents",
    "Limits",
    "Unreadable",
    "derive_files",
    "files_below",
    "read_file",
    "read_files",
    "read_folder",
    "read_text_file",
]
