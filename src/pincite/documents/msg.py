"""Reads an Outlook message (.msg) as the same document that its .eml would give."""

from collections.abc import Iterator
from email import message_from_string, policy
from io import BytesIO
from typing import Any

from pincite.documents.failures import Unreadable
from pincite.documents.request import ReadRequest
from pincite.documents.html import html_text
from pincite.documents.mail import mail_document
from pincite.documents.part import Container, ContainerPart

_HEADERS, _DISPLAY_TO, _DISPLAY_CC = 0x007D, 0x0E04, 0x0E03
_ATTACHED_HOW, _EMBEDDED_MESSAGE, _SHOWN_NAME, _CONTENT_ID = 0x3705, 5, 0x3001, 0x3712
"""Numbers of properties, as [MS-OXPROPS] lists them."""


def read_msg(given: ReadRequest) -> Container:
    """The message itself and its attachments."""
    from oxmsg import Message

    message = Message.load(BytesIO(given.data))
    text = message.body or ""
    if not text.strip() and message.html_body:
        text = html_text(ReadRequest(message.html_body.encode(), given.name, given.document_id))
    return Container(mail_document(given, "msg", _headers(message), text), _parts(given, message))


def _headers(message: Any) -> dict[str, str]:
    """The headers as sent, else what Outlook keeps in the message's properties."""
    sent = message_from_string(str(message.properties.str_prop_value(_HEADERS) or ""), policy=policy.default)
    people = [person for person in message.recipients if person.email_address or person.name]
    everyone = ", ".join(f"{person.name} <{person.email_address}>" for person in people)
    properties = message.properties
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


def _parts(given: ReadRequest, message: Any) -> Iterator[ContainerPart]:
    for number, attachment in enumerate(message.attachments, 1):
        properties = attachment.properties
        name = str(attachment.file_name or properties.str_prop_value(_SHOWN_NAME) or f"attachment {number}")
        name = name.replace("\0", "")
        data = attachment.file_bytes
        if properties.int_prop_value(_ATTACHED_HOW) == _EMBEDDED_MESSAGE:
            advice = "is a message inside a message; open it in Outlook and save it as a file of its own"
            yield ContainerPart(name, Unreadable(f"{given.name}/{name}", "unknown format", advice))
        elif data is not None and not (str(attachment.mime_type).startswith("image/") and _is_inline(attachment)):
            yield ContainerPart(name, data)


def _is_inline(attachment: Any) -> bool:
    """Whether the body shows the picture: it then has a content id."""
    return bool(attachment.properties.str_prop_value(_CONTENT_ID))
