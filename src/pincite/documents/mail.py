"""Reads an e-mail (.eml): its headers and body as one document, and opens what is attached."""

import re
from collections.abc import Iterator
from email import message_from_bytes, policy
from email.message import EmailMessage, MIMEPart
from email.utils import parsedate_to_datetime

from pincite.documents.text_builder import Flow, clean
from pincite.documents.request import ReadRequest
from pincite.documents.html import html_text
from pincite.documents.part import Container, ContainerPart
from pincite.text import Document

_SOFT_END = re.compile(r"(?<=\S) \n(?=[^\s>])")
"""A blank before a line end: in a format=flowed text the paragraph goes on."""
_SHOWN = ("Subject", "From", "To", "Cc", "Date")


def read_mail(given: ReadRequest) -> Container:
    """The message itself and its attachments; pictures inside the text are left out."""
    message = message_from_bytes(given.data, _class=EmailMessage, policy=policy.default)
    headers = {name: _header(message, name) for name in _SHOWN}
    body = message.get_body(preferencelist=("plain", "html"))
    text = ""
    if body is not None:
        content = _text(body)
        is_html = body.get_content_type() == "text/html"
        if str(body.get_param("format", "")).lower() == "flowed":
            content = _SOFT_END.sub(" ", content.replace("\r\n", "\n"))
        text = html_text(ReadRequest(content.encode(), given.name, given.document_id)) if is_html else content
    return Container(mail_document(given, "eml", headers, text), _parts(message, body))


def mail_document(given: ReadRequest, reader: str, headers: dict[str, str], body: str) -> Document:
    """The document of an e-mail: a line for each header, then the body."""
    flow = Flow()
    flow.add("\n".join(f"{name}: {line}" for name, line in headers.items() if line))
    flow.add(body)
    metadata = {name.lower(): headers[name] for name in ("From", "To") if headers.get(name)}
    if date := iso_date(headers.get("Date", "")):
        metadata["date"] = date
    return flow.document(given, reader, headers.get("Subject", ""), metadata)


def iso_date(date: str) -> str:
    """The day of a date header; "" if it is none.

    >>> iso_date("Tue, 3 Mar 2020 09:15:00 +0100")
    '2020-03-03'
    """
    try:
        return parsedate_to_datetime(date).date().isoformat()
    except (ValueError, TypeError, IndexError):
        return ""


def _header(message: EmailMessage, name: str) -> str:
    try:
        values = message.get_all(name, [])
    except (ValueError, IndexError, AttributeError, TypeError):
        # The standard library stumbles over some malformed headers; the raw one is better than none.
        values = [raw for key, raw in message.raw_items() if key.lower() == name.lower()]
    return " ".join(clean(", ".join(map(str, values))).split())


def _text(part: MIMEPart) -> str:
    """The text of a part; an unknown or wrong charset is read as UTF-8, else as windows-1252."""
    try:
        return str(part.get_content())
    except (LookupError, UnicodeError, ValueError):
        data = part.get_payload(decode=True)
        raw = data if isinstance(data, bytes) else b""
        try:
            return raw.decode("utf-8")
        except UnicodeDecodeError:
            return raw.decode("windows-1252", "replace")


def _parts(message: EmailMessage, body: MIMEPart | None) -> Iterator[ContainerPart]:
    """What is attached, also inside multipart parts that are no attachments themselves."""
    for number, part in enumerate(_leaves(message, body), 1):
        kind = part.get_content_type()
        name = part.get_filename()
        if kind == "message/rfc822":
            inner = part.get_payload(0) if part.is_multipart() else None
            if isinstance(inner, EmailMessage):
                yield ContainerPart(name or f"{_header(inner, 'Subject') or f'message {number}'}.eml", inner.as_bytes())
            continue
        inline = part.get_content_disposition() != "attachment"
        if kind.startswith("image/") and (inline or part.get("Content-ID")):
            continue
        if inline and not name:
            continue
        data = part.get_payload(decode=True)
        yield ContainerPart(name or f"attachment {number}", data if isinstance(data, bytes) else b"")


def _leaves(part: EmailMessage, body: MIMEPart | None) -> Iterator[EmailMessage]:
    if part is body:
        return
    if part.get_content_type() == "message/rfc822" or not part.is_multipart():
        yield part
        return
    for inner in part.iter_parts():
        if isinstance(inner, EmailMessage):
            yield from _leaves(inner, body)
