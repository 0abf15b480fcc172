"""Kinds of documents in questions: what "our NDAs" and "the supply contracts" are, and which kinds belong to one."""

from pincite.text.kinds import KINDS, kind_named


def kind_of_several(name: str) -> str:
    """The kind that several documents are called by; "" for a name of none.

    >>> kind_of_several("privacy policies"), kind_of_several("supply contracts"), kind_of_several("agreements")
    ('privacy policy', 'supply agreement', '')
    """
    single = f"{name[:-3]}y" if name.endswith("ies") else name.removesuffix("s")
    agreement = f"{single.removesuffix(' contract')} agreement" if single.endswith(" contract") else single
    return kind_named(name) or kind_named(single) or kind_named(agreement)


def kinds_within(kind: str) -> tuple[str, ...]:
    """The kinds that a name may mean: a software licence is a licence, too.

    >>> kinds_within("licence"), kinds_within("lease")
    (('licence', 'software licence'), ('lease',))
    """
    return tuple(other for other in KINDS if other == kind or other.endswith(f" {kind}"))
