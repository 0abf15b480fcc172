"""Reads an e-mail (.eml): its headers and body as one document, and its attachments."""

import re
from collections.abc import Iterator
from email import message_from_bytes, policy
from email.message import EmailMessage, MIMEPart
from email.utils import parsedate_to_datetime

from pincite.documents.html import html_text
from pincite.documents.part import Container, ContainerPart
from pincite.documents.request import ReadRequest
from pincite.documents.text_builder import TextBuilder, clean
from pincite.text import Document

_SOFT_LINE_END = re.compile(r"(?<=\S) \n(?=[^\s>])")
"""A blank before a line end. In format=flowed text the paragraph continues after it."""
_SHOWN_HEADERS = ("Subject", "From", "To", "Cc", "Date")


def read_mail(request: ReadRequest) -> Container:
    """The message and its attachments. Pictures inside the text are left out."""
    message = message_from_bytes(request.data, _class=EmailMessage, policy=policy.default)
    headers = {name: _header(message, name) for name in _SHOWN_HEADERS}
    body = message.get_body(preferencelist=("plain", "html"))
    text = _body_text(request, body) if body is not None else ""
    return Container(mail_document(request, "eml", headers, text), _parts(message, body))


def mail_document(request: ReadRequest, reader: str, headers: dict[str, str], body: str) -> Document:
    """The document of an e-mail: one line per header, then the body."""
    builder = TextBuilder()
    builder.add("\n".join(f"{name}: {line}" for name, line in headers.items() if line))
    builder.add(body)
    metadata = {name.lower(): headers[name] for name in ("From", "To") if headers.get(name)}
    if date := iso_date(headers.get("Date", "")):
        metadata["date"] = date
    return builder.document(request, reader, headers.get("Subject", ""), metadata)


def iso_date(date: str) -> str:
    """The day in a date header; "" if it is not a date.

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
        # The standard library fails on some malformed headers. The raw header is better than none.
        values = [raw for key, raw in message.raw_items() if key.lower() == name.lower()]
    return " ".join(clean(", ".join(map(str, values))).split())


def _body_text(request: ReadRequest, body: MIMEPart) -> str:
    content = _decoded(body)
    if str(body.get_param("format", "")).lower() == "flowed":
        content = _SOFT_LINE_END.sub(" ", content.replace("\r\n", "\n"))
    if body.get_content_type() == "text/html":
        return html_text(ReadRequest(content.encode(), request.name, request.document_id))
    return content


def _decoded(part: MIMEPart) -> str:
    """The text of a part. If its charset is unknown or wrong, it is read as UTF-8, else as windows-1252."""
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
    """The attachments, including those inside multipart parts."""
    for number, part in enumerate(_leaves(message, body), 1):
        kind = part.get_content_type()
        name = part.get_filename()
        if kind == "message/rfc822":
            inner = part.get_payload(0) if part.is_multipart() else None
            if isinstance(inner, EmailMessage):
                subject = _header(inner, "Subject") or f"message {number}"
                yield ContainerPart(name or f"{subject}.eml", inner.as_bytes())
            continue
        is_inline = part.get_content_disposition() != "attachment"
        if kind.startswith("image/") and (is_inline or part.get("Content-ID")):
            continue
        if is_inline and not name:
            continue
        data = part.get_payload(decode=True)
        yield ContainerPart(name or f"attachment {number}", data if isinstance(data, bytes) else b"")


def _leaves(part: EmailMessage, body: MIMEPart | None) -> Iterator[EmailMessage]:
    """The parts that hold no other parts, except the body. An attached message counts as one part."""
    if part is body:
        return
    if part.get_content_type() == "message/rfc822" or not part.is_multipart():
        yield part
        return
    for inner in part.iter_parts():
        if isinstance(inner, EmailMessage):
            yield from _leaves(inner, body)
