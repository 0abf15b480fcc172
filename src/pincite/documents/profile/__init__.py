"""The profile of a document: what it is called, what kind it is, whose it is, and its date, each by evidence."""

from pincite.documents.profile.file_name import file_words
from pincite.documents.profile.profile import Profile, profile, titled

__all__ = ["Profile", "file_words", "profile", "titled"]
