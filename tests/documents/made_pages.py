"""Builds leases of many pages in which running matter stands in the middle of sentences."""

from collections.abc import Callable

PAGES = 12
FILLER = (
    "The rent of flat {n} is due on the first day of every month, and it is paid into the account of the landlord.",
    "The landlord of flat {n} repairs the roof, the walls and the windows within a reasonable time after notice.",
    "Neither party of flat {n} is liable for loss that it could not have foreseen when the lease was signed.",
    "Notices about flat {n} are given in writing, and they take effect when they are received at the address below.",
    "The tenant of flat {n} may end this lease by notice of three months to the end of any quarter of the year.",
    "No waiver by either party of flat {n} is a waiver of any later breach, and no delay in acting is a waiver.",
)
OPENING = "The tenant of flat {n} shall keep the garden behind the house in good order and shall {how}"
CLOSING = "{what} every plant of flat {n} in it twice a week in the months of June, July and August."
HOW = ("also", "always", "often", "gladly", "then", "duly", "soon", "promptly", "daily", "fully", "well", "only")
WHAT = ("water", "prune", "feed", "clean", "turn", "dress", "shade", "shelter", "inspect", "label", "tie", "cover")

Furniture = Callable[[int], str]


def sentence(n: int) -> str:
    """The sentence that begins on page `n` and ends on the next one."""
    return f"{opening(n)} {closing(n)}"


def opening(n: int) -> str:
    return OPENING.format(n=n, how=HOW[n - 1])


def closing(n: int) -> str:
    return CLOSING.format(n=n, what=WHAT[n - 1])


def lease(furniture: Furniture, paragraph: Callable[[str], str], between: tuple[str, str] = ("\n\n", "\n\n")) -> str:
    """The lease. `paragraph` sets a paragraph; `between` stands before and behind what belongs to a page."""
    parts = ["LEASE OF TWELVE FLATS\n\n"]
    for n in range(1, PAGES + 1):
        parts += [paragraph(one.format(n=n)) + "\n\n" for one in FILLER]
        parts += [paragraph(opening(n)), between[0], furniture(n), between[1]]
        parts += [paragraph(closing(n)), "\n\n"]
    return "".join(parts)


def wrapped(text: str, width: int = 66) -> str:
    """A paragraph in lines of nearly one width, as typewriters and EDGAR set it."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        lines = [*lines[:-1], longer] if len(longer) <= width else [*lines, word]
    return "\n".join(lines)


def flat(text: str) -> str:
    """A paragraph on a line of its own."""
    return text
