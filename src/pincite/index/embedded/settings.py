"""Settings of the embedded engine: when fragments are written and merged, and how vectors are searched."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class EmbeddedSettings:
    """The defaults suit collections from ten to a million passages."""

    recent_characters: int = 100_000
    """Text that may wait outside fragments: a search prepares it in memory in about 25 ms."""
    missing_vectors: int = 2_000
    """Vectors of a fragment that may be read from the database; with more missing, the fragment is written again."""
    fragment_units: int = 100_000
    """Units of a new fragment, about; fragments are merged later."""
    merge_ratio: int = 12
    """A fragment with at least this part of the next larger one's units is merged with it."""
    gone_share: float = 0.25
    """A fragment with a greater share of removed units is written again."""
    approximate_from: int = 50_000
    """Vectors from which on a fragment gets an approximate index."""
    exact_up_to: int = 50_000
    """Units in scope up to which vectors are compared one by one."""
    cached_characters: int = 64_000_000
    """Text kept in memory of the documents that were used last."""
    checked_bytes: int = 64 << 20
    """A fragment file up to this size is verified whole whenever it is opened; a larger one by size, and by `check`."""
