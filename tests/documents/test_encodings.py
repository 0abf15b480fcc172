"""Text in other encodings than UTF-8: recognised by what it says, noted, and kept character for character."""

import pytest

from pincite.documents.encodings import decode_other
from pincite.documents.read import read_bytes

CASES = [
    (
        "cp1252",
        "Windows-1252",
        "This “Agreement” is made – as of the Effective Date – by the Company’s affiliates, § 5.",
    ),
    ("cp1252", "Windows-1252", "café"),
    (
        "cp1252",
        "Windows-1252",
        "Le locataire s’engage à payer le loyer à l’échéance prévue, même en cas de force majeure.",
    ),
    (
        "cp1252",
        "Windows-1252",
        "Änderungen dieses Vertrages bedürfen der Schriftform. Für die Erfüllung haftet der Bürge gemäß § 5.",
    ),
    (
        "cp1250",
        "Windows-1250",
        "Najemca zobowiązuje się do zapłaty czynszu w terminie. Wszelkie zmiany wymagają formy pisemnej pod rygorem nieważności.",
    ),
    (
        "cp1250",
        "Windows-1250",
        "Tato smlouva byla uzavřena mezi smluvními stranami. Nájemce je povinen platit nájemné včas. Změny vyžadují písemnou formu.",
    ),
    (
        "cp1251",
        "Windows-1251",
        "Настоящий договор заключен между сторонами. Арендатор обязуется своевременно уплачивать арендную плату.",
    ),
    (
        "koi8_r",
        "KOI8-R",
        "Настоящий договор заключен между сторонами. Арендатор обязуется своевременно уплачивать арендную плату.",
    ),
    (
        "cp1253",
        "Windows-1253",
        "Η παρούσα σύμβαση συνάπτεται μεταξύ των μερών. Ο μισθωτής υποχρεούται να καταβάλλει το μίσθωμα εμπρόθεσμα.",
    ),
    (
        "cp1254",
        "Windows-1254",
        "İşbu sözleşme taraflar arasında akdedilmiştir. Kiracı kirayı zamanında ödemekle yükümlüdür. Değişiklikler yazılı yapılır.",
    ),
    (
        "mac_roman",
        "Mac Roman",
        "This “Agreement” is made – as of the Effective Date – by the Company’s affiliates, § 5. The “Tenant” pays.",
    ),
    (
        "shift_jis",
        "Shift JIS",
        "本契約は当事者間で締結される。賃借人は賃料を期日までに支払うものとする。契約の変更は書面によらなければならない。",
    ),
    ("gb18030", "GB 18030", "本合同由双方签订。承租人应当按期支付租金。合同的任何变更必须采用书面形式。"),
]


@pytest.mark.parametrize(("codec", "name", "text"), CASES)
def test_an_encoding_is_recognised_and_noted(codec: str, name: str, text: str) -> None:
    reading = read_bytes(text.encode(codec), "a.txt", "a.txt")
    assert reading.documents[0].text == text
    assert len(reading.notes) == 1
    assert reading.notes[0].startswith(f"a.txt: not UTF-8; read as {name}")


@pytest.mark.parametrize("text", [case[2] for case in CASES])
def test_utf8_is_utf8_whatever_it_says(text: str) -> None:
    reading = read_bytes(text.encode(), "a.txt", "a.txt")
    assert (reading.documents[0].text, reading.notes) == (text, ())


def test_line_ends_become_lf() -> None:
    assert read_bytes(b"caf\xe9 rent\r\nis due\r", "a.txt", "a.txt").documents[0].text == "café rent\nis due\n"


def test_a_few_foreign_characters_in_a_long_text_decide() -> None:
    data = b"The rent is due monthly.\n" * 100_000 + "The “Tenant” pays.\n".encode("cp1252")
    decoded = decode_other(data)
    assert decoded is not None
    assert decoded.encoding == "Windows-1252"
    assert decoded.text.endswith("The “Tenant” pays.\n")


@pytest.mark.parametrize("data", ["“Tenant” é".encode() + b"\xff", b"\xff", "Tenan\u0165 é".encode()[:-1]])
def test_damaged_utf8_and_bytes_of_no_encoding_are_refused(data: bytes) -> None:
    assert decode_other(data) is None


def test_a_page_that_names_no_encoding_is_noted_and_one_that_does_is_not() -> None:
    text = "Änderungen dieses Vertrages bedürfen der Schriftform. Für die Erfüllung haftet der Bürge."
    silent = read_bytes(f"<p>{text}".encode("cp1252"), "a.html", "a.html")
    assert silent.documents[0].text == text
    assert "read as Windows-1252" in silent.notes[0]
    named = read_bytes(f"<meta charset=windows-1252><p>{text}".encode("cp1252"), "a.html", "a.html")
    assert (named.documents[0].text, named.notes) == (text, ())
