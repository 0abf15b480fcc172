"""Zips: members under safe names, within limits. One unreadable member does not stop the rest."""

import pytest

from pincite.documents import Limits, Unreadable
from tests.documents.containers import ids, read
from tests.documents.offices import docx, p, packed


def test_a_zip_gives_what_is_inside() -> None:
    inner = packed({"deep.txt": "Deep."})
    data = packed({"b/lease.txt": "Rent.", "c.docx": docx(p("Word.")), "in.zip": inner, ".x": "no", "__MACOSX/y": "no"})
    reading = read(data)
    assert ids(reading) == ["a.zip/b/lease.txt", "a.zip/c.docx", "a.zip/in.zip/deep.txt"]
    assert reading.documents[2].source.path == "box/a.zip/in.zip/deep.txt"


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_names_are_made_safe_and_distinct() -> None:
    members = [
        ("../../etc/x.txt", "1"),
        ("/abs.txt", "2"),
        ("a\\b.txt", "3"),
        ("a/b.txt", "4"),
        ("a/b.txt", "5"),
        ("C:\\c.txt", "6"),
    ]
    assert ids(read(packed(members))) == [
        "a.zip/etc/x.txt", "a.zip/abs.txt", "a.zip/a/b.txt", "a.zip/a/b (2).txt", "a.zip/a/b (3).txt", "a.zip/c.txt",
    ]  # fmt: skip


def test_one_bad_member_does_not_stop_the_rest() -> None:
    data = packed(
        {"a.txt": "Good.", "b.pdf": b"%PDF-1.4 broken", "c.png": b"\x89PNG\0", "d.txt": "", "e.txt": "Good too."}
    )
    reading = read(data)
    assert ids(reading) == ["a.zip/a.txt", "a.zip/e.txt"]
    assert [(failure.name, failure.reason) for failure in reading.failures] == [
        ("box/a.zip/b.pdf", "damaged"), ("box/a.zip/c.png", "unknown format"), ("box/a.zip/d.txt", "empty"),
    ]  # fmt: skip


def test_an_encrypted_member() -> None:
    data = bytearray(packed({"a.txt": "Secret."}))
    data[6] |= 1
    data[data.index(b"PK\x01\x02") + 8] |= 1
    reading = read(bytes(data))
    assert [failure.reason for failure in reading.failures] == ["encrypted"]


@pytest.mark.parametrize(
    ("limits", "says"),
    [
        (Limits(), "more than 200 times its size"),
        (Limits(unpacked_bytes=1_000_000), "unpacks to more than 1,000,000 bytes"),
    ],
)
def test_a_zip_bomb_is_not_unpacked(limits: Limits, says: str) -> None:
    reading = read(packed({"zeros.txt": b"0" * 30_000_000}), limits=limits)
    assert not reading.documents
    assert [failure.reason for failure in reading.failures] == ["too large"]
    assert says in str(reading.failures[0])
    assert "zip bomb" in str(reading.failures[0])


def test_limits_hold_over_all_levels() -> None:
    inner = packed({f"{i}.txt": bytes([65 + i]) * 300_000 for i in range(4)})
    reading = read(packed({f"{i}.zip": inner for i in range(4)}), limits=Limits(unpacked_bytes=2_000_000))
    assert 0 < len(reading.documents) < 16
    assert {failure.reason for failure in reading.failures} == {"too large"}
    data = b"Rent."
    for _ in range(6):
        data = packed({"in.zip" if data[:2] == b"PK" else "a.txt": data})
    (failure,) = read(data).failures
    assert "nested more than 3 deep" in str(failure)
    with pytest.raises(Unreadable, match="more than 5 members"):
        read(packed({f"{i}.txt": "x" for i in range(6)}), limits=Limits(members=5))


def test_many_small_members_of_nested_zips_are_a_bomb_too() -> None:
    inner = packed({f"{at}.txt": b"The rent is due. " * 20_000 for at in range(20)})
    middle = packed({f"{at}.zip": inner for at in range(20)})
    assert len(middle) < 300_000
    reading = read(packed({"in.zip": middle}))
    assert sum(len(document.text) for document in reading.documents) < 70_000_000
    assert any("more than 200 times its size" in str(failure) for failure in reading.failures)


def test_the_text_of_a_file_has_a_limit() -> None:
    reading = read(packed({f"{at}.txt": "The rent is due. " * 10 for at in range(9)}), limits=Limits(characters=1000))
    assert len(reading.documents) == 5
    assert all("more than 1,000 characters of text" in str(failure) for failure in reading.failures)


def test_an_office_file_is_checked_like_a_zip() -> None:
    data = packed({"[Content_Types].xml": "<Types/>", "word/document.xml": b" " * 30_000_000})
    with pytest.raises(Unreadable, match="zip bomb"):
        read(data, "a.docx")
