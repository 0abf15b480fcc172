"""Which document a user means: by its id, or by a part of an id or title that only one has."""

from collections.abc import Mapping
from difflib import get_close_matches

from pincite.errors import UsageError


def resolve(name: str, titles: Mapping[str, str]) -> str:
    """The id that a name means among these ids with their titles; an error lists what it may have meant.

    >>> resolve("quay", {"leases/quay.txt": "Lease", "nda.txt": "NDA"})
    'leases/quay.txt'
    """
    if name in titles:
        return name
    wanted = name.casefold()
    found = [key for key, title in titles.items() if wanted in key.casefold() or wanted in title.casefold()]
    if len(found) == 1:
        return found[0]
    if found:
        some = ", ".join(sorted(found)[:5]) + (", ..." if len(found) > 5 else "")
        raise UsageError(f"{name!r} may be any of {len(found)} documents: {some}")
    near = get_close_matches(name, titles, n=3, cutoff=0.3) or sorted(titles)[:3]
    such = f", such as {', '.join(near)}" if near else ""
    raise UsageError(f"no document {name!r} in the index; there are {len(titles)}{such}")
