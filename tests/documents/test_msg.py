"""Outlook messages: the same document as the e-mail, and the attachments."""

from tests.documents.containers import ids, read
from tests.documents.offices import msg
from tests.documents.pdfs import lines, pdf


def test_an_outlook_message() -> None:
    attached = {"lease.txt": b"The rent is due.", "long.pdf": pdf(*[lines("Page.")] * 9)}
    data = msg("Lease", "Dear Bob,\r\n\r\nsee attached.", "ann@acme.example", "Bob", 1_583_223_300, attached)
    reading = read(data, "a.msg")
    assert ids(reading) == ["a.msg", "a.msg/lease.txt", "a.msg/long.pdf"]
    first = reading.documents[0]
    assert first.source.reader == "msg"
    assert first.title == "Lease"
    assert first.metadata["date"] == "2020-03-03"
    assert first.text.startswith("Subject: Lease\nFrom: ")
    assert first.text.endswith("\n\nDear Bob,\n\nsee attached.")
