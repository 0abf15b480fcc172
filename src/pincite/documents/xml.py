"""Parses XML from untrusted files: no entities, no document types, no network, no huge trees."""

from typing import Any

from pincite.documents.failures import Unreadable
from pincite.documents.request import ReadRequest


def parse(request: ReadRequest, data: bytes, part: str) -> Any:
    """The root element of a part of an office file."""
    from lxml import etree

    if b"<!DOCTYPE" in data or b"<!ENTITY" in data:
        raise _document_type(request, part)
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False, remove_comments=True, remove_pis=True
    )
    try:
        root = etree.fromstring(data, parser)
    except etree.XMLSyntaxError as error:
        advice = f"{part} is not valid XML ({error}); save it again with the program that created it"
        raise request.failure("damaged", advice) from None
    if root.getroottree().docinfo.internalDTD is not None:
        raise _document_type(request, part)
    return root


def _document_type(request: ReadRequest, part: str) -> Unreadable:
    advice = f"{part} declares a document type, which no office program does; save it again with an office program"
    return request.failure("damaged", advice)


def local_name(element: Any) -> str:
    """The name of an element without its namespace. Transitional and strict files differ only in namespaces."""
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def value(element: Any, name: str = "val") -> str | None:
    """The value of an attribute in the namespace of the element."""
    if element is None:
        return None
    namespace = element.tag.rpartition("}")[0]
    attribute = element.get(f"{namespace}}}{name}" if namespace else name)
    return str(attribute) if attribute is not None else None


def child(element: Any, *path: str) -> Any:
    """The descendant at a path of names, taking the first child of each name; None if there is none."""
    for name in path:
        if element is None:
            return None
        element = next((inner for inner in element if local_name(inner) == name), None)
    return element


def is_on(element: Any) -> bool:
    """Whether a switch is present and not turned off."""
    return element is not None and (value(element) or "true") not in ("0", "false", "off", "none")
