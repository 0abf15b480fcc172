"""Whether symbolic links below a root are followed: a choice that the index remembers for each root."""

from pincite.engine.contract import Store

KIND = "links"
"""The kind of record of a root whose links are followed."""


def follows_links(store: Store, root: str) -> bool:
    return store.stored_record(KIND, root) is not None


def remember_links(store: Store, root: str, follow: bool) -> None:
    if follow == follows_links(store, root):
        return
    if follow:
        store.put_record(KIND, root, "true")
    else:
        store.delete_record(KIND, root)
