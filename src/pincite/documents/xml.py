"""Parses XML from untrusted files: no entities, no document types, no network, no giant trees."""

from typing import Any

from pincite.documents.request import ReadRequest


def parse(given: ReadRequest, data: bytes, part: str) -> Any:
    """The root element of a part of an office file."""
    from lxml import etree

    if b"<!DOCTYPE" in data or b"<!ENTITY" in data:
        raise given.failure("damaged", f"{part} declares a document type, which no office program writes; save it anew")
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False, remove_comments=True, remove_pis=True
    )
    try:
        root = etree.fromstring(data, parser)
    except etree.XMLSyntaxError as error:
        raise given.failure("damaged", f"{part} is no XML ({error}); save it anew with its own program") from None
    if root.getroottree().docinfo.internalDTD is not None:
        raise given.failure("damaged", f"{part} declares a document type, which no office program writes; save it anew")
    return root


def local(element: Any) -> str:
    """An element's name without its namespace, as transitional and strict files differ only there."""
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def value(element: Any, name: str = "val") -> str | None:
    """An attribute in the element's own namespace."""
    if element is None:
        return None
    space = element.tag.rpartition("}")[0]
    found = element.get(f"{space}}}{name}" if space else name)
    return str(found) if found is not None else None


def child(element: Any, *path: str) -> Any:
    """The first child of that name, and its first child of the next name, and so on; None if there is none."""
    for name in path:
        if element is None:
            return None
        element = next((inner for inner in element if local(inner) == name), None)
    return element


def is_on(element: Any) -> bool:
    """Whether a switch is there and not turned off."""
    return element is not None and (value(element) or "true") not in ("0", "false", "off", "none")
