"""The version of what is made of a document: its text, its units and its profile."""

STRUCTURE_VERSION = 3
"""Raised whenever readers, segmenter, profile, or what models read of a unit give something else for the same file.
Documents of an earlier version answer with what is stored; `pincite index upgrade` reads them again."""

FIRST_STRUCTURE = 1
"""The version of documents that were stored before versions were recorded (0.1 and 0.2)."""
