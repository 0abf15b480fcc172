"""Reads an Outlook message (.msg) as the same document that its .eml file gives."""

from collections.abc import Iterator
from email import message_from_string, policy
from io import BytesIO
from typing import Any

from pincite.documents.failures import Unreadable
from pincite.documents.html import html_text
from pincite.documents.mail import mail_document
from pincite.documents.part import Container, ContainerPart
from pincite.documents.request import ReadRequest

_HEADERS, _DISPLAY_TO, _DISPLAY_CC = 0x007D, 0x0E04, 0x0E03
_ATTACH_METHOD, _EMBEDDED_MESSAGE, _DISPLAY_NAME, _CONTENT_ID = 0x3705, 5, 0x3001, 0x3712
"""Property numbers from [MS-OXPROPS], and the attach method of a message inside a message."""


def read_msg(request: ReadRequest) -> Container:
    """The message and its attachments."""
    from oxmsg import Message

    message = Message.load(BytesIO(request.data))
    text = message.body or ""
    if not text.strip() and message.html_body:
        text = html_text(ReadRequest(message.html_body.encode(), request.name, request.document_id))
    return Container(mail_document(request, "msg", _headers(message), text), _parts(request, message))


def _headers(message: Any) -> dict[str, str]:
    """The headers as sent, else the ones in the properties of the message."""
    properties = message.properties
    sent = message_from_string(str(properties.str_prop_value(_HEADERS) or ""), policy=policy.default)
    people = [person for person in message.recipients if person.email_address or person.name]
    everyone = ", ".join(f"{person.name} <{person.email_address}>" for person in people)
    when = message.sent_date
    return {
        "Subject": str(message.subject or ""),
        "From": _line(message.sender or ""),
        "To": _line(sent["To"] or properties.str_prop_value(_DISPLAY_TO) or everyone),
        "Cc": _line(sent["Cc"] or properties.str_prop_value(_DISPLAY_CC) or ""),
        "Date": when.strftime("%a, %d %b %Y %H:%M:%S %z") if when else _line(sent["Date"] or ""),
    }


def _line(value: object) -> str:
    return " ".join(str(value).replace("\0", "").split())


def _parts(request: ReadRequest, message: Any) -> Iterator[ContainerPart]:
    for number, attachment in enumerate(message.attachments, 1):
        properties = attachment.properties
        name = str(attachment.file_name or properties.str_prop_value(_DISPLAY_NAME) or f"attachment {number}")
        name = name.replace("\0", "")
        data = attachment.file_bytes
        if properties.int_prop_value(_ATTACH_METHOD) == _EMBEDDED_MESSAGE:
            advice = "is a message inside a message; open it in Outlook and save it as a separate file"
            yield ContainerPart(name, Unreadable(f"{request.name}/{name}", "unknown format", advice))
        elif data is not None and not (str(attachment.mime_type).startswith("image/") and _is_inline(attachment)):
            yield ContainerPart(name, data)


def _is_inline(attachment: Any) -> bool:
    """Whether the body shows the attachment, which then has a content id."""
    return bool(attachment.properties.str_prop_value(_CONTENT_ID))
