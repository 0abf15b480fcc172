"""A hit as lawyers cite it: the title, the section, the page."""

import re
from collections.abc import Sequence

from pincite.text.document import Document

_NUMBER = re.compile(
    r"(?:(?:section|clause|article|art\.?|sec\.?|§+|part|schedule|paragraph)\s*)?"
    r"(\d+(?:\.\d+)*(?:\([a-z0-9]+\))*|[IVXLC]+|\([a-z0-9]+\))(?=[.):\s]|$)",
    re.IGNORECASE,
)


def citation(document: Document, start: int, heading_path: Sequence[str]) -> str:
    """`Title, § 7.2, p. 12` for a place in a document: what is not known is left out; pages as they are printed.

    >>> citation(Document("a", "", "Lease"), 0, ("2. Rent", "2.16"))
    'Lease, § 2.16'
    """
    page = document.page_label_at(start) or str(document.page_at(start) or "")
    parts = [document.title or document.id, section(heading_path), f"p. {page}" if page else ""]
    return ", ".join(part for part in parts if part)


def section(heading_path: Sequence[str]) -> str:
    """The number of the innermost heading that has one.

    >>> section(("PART 2 - COVENANTS", "Assignment", "2.16")), section(("Article IV. Term",)), section(("Notices",))
    ('§ 2.16', '§ IV', '')
    """
    for at in range(len(heading_path) - 1, -1, -1):
        found = _NUMBER.match(heading_path[at].strip())
        if found is None:
            continue
        number = found.group(1)
        if number.startswith("("):
            outer = section(heading_path[:at])
            return f"{outer}{number}" if outer else f"§ {number}"
        return f"§ {number.rstrip('.')}"
    return ""
