"""E-mails: the message is a document, and so is each attachment."""

from email.message import EmailMessage

import pytest

from tests.documents.containers import ids, read
from tests.documents.pdfs import lines, pdf


def mail(html: bool = False) -> EmailMessage:
    message = EmailMessage()
    message["Subject"] = "Lease of Unit 4 — draft"
    message["From"] = "Ann <ann@acme.example>"
    message["To"] = "Bob <bob@bolt.example>"
    message["Date"] = "Tue, 03 Mar 2020 09:15:00 +0100"
    if html:
        message.set_content("<p>Dear Bob,</p><p>see <b>attached</b>.</p>", subtype="html")
    else:
        message.set_content("Dear Bob,\n\nsee attached.\n")
        message.add_alternative("<p>no</p>", subtype="html")
    return message


@pytest.mark.parametrize("html", [False, True])
def test_an_e_mail_and_its_attachments(html: bool) -> None:
    message = mail(html)
    message.add_attachment(pdf(lines("The rent is due.")), maintype="application", subtype="pdf", filename="lease.pdf")
    message.add_attachment(b"\x89PNG\0", maintype="image", subtype="png", disposition="inline", cid="<1>")
    message.add_attachment(b"\0", maintype="application", subtype="octet-stream", filename="../x.bin")
    forwarded = mail()
    forwarded.replace_header("Subject", "Earlier")
    message.add_attachment(forwarded)
    reading = read(message.as_bytes(), "a.eml")
    assert ids(reading) == ["a.eml", "a.eml/lease.pdf", "a.eml/Earlier.eml"]
    first = reading.documents[0]
    assert first.text == (
        "Subject: Lease of Unit 4 — draft\nFrom: Ann <ann@acme.example>\nTo: Bob <bob@bolt.example>\n"
        "Date: Tue, 03 Mar 2020 09:15:00 +0100\n\nDear Bob,\n\nsee attached."
    )
    assert first.title == "Lease of Unit 4 — draft"
    assert first.metadata == {"date": "2020-03-03", "from": "Ann <ann@acme.example>", "to": "Bob <bob@bolt.example>"}
    assert reading.documents[1].text == "The rent is due."
    assert [failure.name for failure in reading.failures] == ["box/a.eml/x.bin"]
