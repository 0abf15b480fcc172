"""scipy's sparse matrices (the extra `cases`)."""

from pincite.errors import UsageError

try:
    from scipy import sparse
except ImportError:
    raise UsageError("case retrieval needs scipy: pip install 'pincite[cases]'") from None

__all__ = ["sparse"]
