"""Damaged PDFs: every flipped bit in a stream of a page is noticed, with the page, and whole files stay silent."""

import random
import re
import zlib
from io import BytesIO

import pytest
from reportlab import rl_config
from reportlab.pdfgen.canvas import Canvas

from pincite.documents import FileReading
from pincite.documents.pdf_damage import Damage, find_damage, is_cut_off
from pincite.documents.pdf_objects import streams
from pincite.documents.read import read_bytes
from tests.documents.pdfs import PROSE, lines, pdf, picture, wrapped


def three_pages() -> bytes:
    return pdf(*(lines(f"Page {number}.", *wrapped(PROSE * 4, 430)) for number in (1, 2, 3)))


@pytest.fixture(params=["ascii85", "binary"])
def whole(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bytes:
    monkeypatch.setattr(rl_config, "useA85", int(request.param == "ascii85"))
    return three_pages()


def flipped(data: bytes, at: int, bit: int = 0) -> bytes:
    return data[:at] + bytes([data[at] ^ 1 << bit]) + data[at + 1 :]


def contents(data: bytes) -> list[tuple[int, int]]:
    """Where the content streams of the pages stand, in order."""
    return [match.span(1) for match in re.finditer(rb"(?<!end)stream\r?\n(.*?)endstream", data, re.DOTALL)]


def reading(data: bytes) -> FileReading:
    return read_bytes(data, "a.pdf", "a.pdf")


def test_a_whole_file_has_no_notes(whole: bytes) -> None:
    assert reading(whole).notes == ()
    assert len(contents(whole)) == 3


@pytest.mark.parametrize("page", [1, 2, 3])
def test_a_flipped_bit_names_its_page(whole: bytes, page: int) -> None:
    start, end = contents(whole)[page - 1]
    chance = random.Random(page)
    for at in chance.sample(range(start + 2, end - 8), 12):
        found = find_damage(flipped(whole, at), with_pictures=False)
        assert [damage.pages for damage in found] == [(page - 1,)]
    middle = (start + end) // 2
    (note,) = reading(flipped(whole, middle)).notes
    assert re.fullmatch(
        rf"a\.pdf: damaged \(object \d+\): text of page {page} may be missing or wrong; copy it .*", note
    )


def test_a_misspelt_filter_is_damage(whole: bytes) -> None:
    assert find_damage(whole.replace(b"/FlateDecode", b"/FlateDecoee", 1), with_pictures=False)


def test_a_file_that_is_cut_off_says_so() -> None:
    whole = pdf(*(lines(f"Page {number}.", *wrapped(PROSE * 4, 430)) for number in range(1, 30)))
    assert not is_cut_off(whole)
    cut = whole[: whole.rindex(b"xref")]
    assert is_cut_off(cut)
    assert any("the end of the file is missing" in note for note in reading(cut).notes)


def test_a_picture_is_checked_only_where_its_text_is_recognised() -> None:
    data = pdf(picture(["Rent is due."]))
    (stream,) = [stream for stream in streams(data) if stream.is_picture]
    bad = flipped(data, data.index(stream.content) + len(stream.content) // 2)
    assert find_damage(bad, with_pictures=False) == []
    assert find_damage(bad, with_pictures=True) == [Damage(stream.number, (0,))]


def test_an_older_version_of_a_stream_does_not_count(whole: bytes) -> None:
    bad = flipped(whole, sum(contents(whole)[0]) // 2)
    number = find_damage(bad, with_pictures=False)[0].number
    newer = zlib.compress(b"BT /F1 11 Tf 72 700 Td (New.) Tj ET")
    update = b"%d 0 obj\n<< /Length %d /Filter /FlateDecode >>\nstream\n%s\nendstream\nendobj\n" % (
        number,
        len(newer),
        newer,
    )
    assert find_damage(bad + update, with_pictures=False) == []


def test_a_stream_without_its_checksum_is_whole() -> None:
    content = b"BT /F1 11 Tf 72 700 Td (Whole.) Tj ET"
    packed = zlib.compress(content)[:-4]
    source = b"1 0 obj\n<< /Length %d /Filter /FlateDecode >>\nstream\n%s\nendstream\nendobj\n" % (len(packed), packed)
    assert find_damage(source, with_pictures=True) == []
    half = packed[: len(packed) // 2]
    assert find_damage(source.replace(packed, half), with_pictures=True) == [Damage(1, ())]


def test_objects_packed_in_a_stream_lead_to_their_pages() -> None:
    content = zlib.compress(b"BT (Rent) Tj ET" * 20)
    broken = content[:20] + bytes([content[20] ^ 4]) + content[21:]
    parts = {
        1: b"<< /Type /Catalog /Pages 2 0 R >>",
        2: b"<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 >>",
        3: b"<< /Type /Page /Parent 2 0 R /Contents 8 0 R >>",
        4: b"<< /Type /Page /Parent 2 0 R /Contents 9 0 R >>",
    }
    heads, body = b"", b""
    for number, part in parts.items():
        heads += b"%d %d " % (number, len(body))
        body += part + b" "
    packed = zlib.compress(heads + body)
    table = b"7 0 obj\n<< /Type /ObjStm /N 4 /First %d /Length %d /Filter /FlateDecode >>\nstream\n" % (
        len(heads),
        len(packed),
    )
    stream = b"%d 0 obj\n<< /Length %d /Filter /FlateDecode >>\nstream\n%s\nendstream\nendobj\n"
    good, bad = stream % (8, len(content), content), stream % (9, len(broken), broken)
    data = table + packed + b"\nendstream\nendobj\n" + good + bad
    assert find_damage(data, with_pictures=False) == [Damage(9, (1,))]
    torn = data.replace(packed, flipped(packed, len(packed) // 2))
    assert Damage(7, ()) in find_damage(torn, with_pictures=False)


def test_an_encrypted_file_that_opens_is_not_called_damaged() -> None:
    from reportlab.lib.pdfencrypt import StandardEncryption

    buffer = BytesIO()
    canvas = Canvas(buffer, encrypt=StandardEncryption("", ownerPassword="owner"))
    canvas.drawString(72, 700, "The rent is due monthly.")
    canvas.save()
    assert reading(buffer.getvalue()).notes == ()
