"""Readers: from files to documents, one file per format."""

from pincite.documents.folder import Reading, read_folder
from pincite.documents.text_file import read_text_file

__all__ = ["Reading", "read_folder", "read_text_file"]
