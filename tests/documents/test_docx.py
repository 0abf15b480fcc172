"""Word files: the text is what Word shows."""

from pathlib import Path

import pytest

from pincite.documents.failures import Unreadable
from pincite.documents.read import read_bytes
from pincite.text import Document
from tests.documents.offices import abstract, docx, level, num, p, packed, r, table


def read(body: str, **parts: str) -> Document:
    return read_bytes(docx(body, **parts), "a.docx", "a.docx").documents[0]


def blocks(body: str, **parts: str) -> list[str]:
    return read(body, **parts).text.split("\n\n")


LEGAL = abstract(
    0,
    level(0, "decimal", "%1."),
    level(1, "decimal", "%1.%2"),
    level(2, "lowerLetter", "(%3)"),
    level(3, "lowerRoman", "(%4)"),
)


def test_several_levels_and_their_restart() -> None:
    body = p("Term", num=(1, 0)) + p("Start", num=(1, 1)) + p("one", num=(1, 2)) + p("two", num=(1, 2))
    body += (
        p("deep", num=(1, 3))
        + p("End", num=(1, 1))
        + p("three", num=(1, 2))
        + p("Rent", num=(1, 0))
        + p("Due", num=(1, 1))
    )
    assert blocks(body, numbering=LEGAL + num(1, 0)) == [
        "1. Term", "1.1 Start", "(a) one", "(b) two", "(i) deep", "1.2 End", "(a) three", "2. Rent", "2.1 Due",
    ]  # fmt: skip


def test_two_lists_of_one_definition_share_their_count_unless_one_restarts() -> None:
    override = '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="5"/></w:lvlOverride>'
    numbering = LEGAL + num(1, 0) + num(2, 0) + num(3, 0, override)
    body = p("a", num=(1, 0)) + p("b", num=(2, 0)) + p("c", num=(3, 0)) + p("d", num=(3, 0)) + p("none", num=(0, 0))
    assert blocks(body, numbering=numbering) == ["1. a", "2. b", "5. c", "6. d", "none"]


def test_an_override_may_bring_its_own_level() -> None:
    override = f'<w:lvlOverride w:ilvl="0">{level(0, "upperRoman", "Part %1", 4)}</w:lvlOverride>'
    assert blocks(p("x", num=(1, 0)), numbering=LEGAL + num(1, 0, override)) == ["Part IV x"]


@pytest.mark.parametrize(
    ("form", "text", "start", "label"),
    [
        ("upperLetter", "%1)", 27, "AA)"),
        ("lowerRoman", "%1.", 9, "ix."),
        ("decimalZero", "§ %1", 7, "§ 07"),
        ("ordinal", "%1", 22, "22nd"),
        ("bullet", "\uf0b7", 1, "-"),
        ("decimal", "Article %1 –", 3, "Article 3 –"),
    ],
)
def test_number_formats(form: str, text: str, start: int, label: str) -> None:
    numbering = abstract(0, level(0, form, text, start)) + num(1, 0)
    assert blocks(p("x", num=(1, 0)), numbering=numbering) == [f"{label} x"]


def test_legal_numbering_and_levels_that_do_not_restart() -> None:
    numbering = abstract(
        0,
        level(0, "upperRoman", "%1."),
        level(1, "decimal", "%1.%2", more="<w:isLgl/>"),
        level(2, "decimal", "%3)", more='<w:lvlRestart w:val="0"/>'),
    )
    body = p("a", num=(1, 0)) + p("b", num=(1, 1)) + p("c", num=(1, 2)) + p("d", num=(1, 0)) + p("e", num=(1, 2))
    assert blocks(body, numbering=numbering + num(1, 0)) == ["I. a", "1.1 b", "1) c", "II. d", "2) e"]


STYLES = (
    '<w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/></w:style>'
    '<w:style w:styleId="H1"><w:name w:val="heading 1"/><w:pPr><w:outlineLvl w:val="0"/><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style>'
    '<w:style w:styleId="H2"><w:name w:val="heading 2"/><w:pPr><w:numPr><w:ilvl w:val="1"/><w:numId w:val="1"/></w:numPr></w:pPr></w:style>'
    '<w:style w:styleId="Own"><w:name w:val="Own"/><w:basedOn w:val="H2"/></w:style>'
    '<w:style w:styleId="T"><w:name w:val="Title"/></w:style>'
    '<w:style w:type="character" w:styleId="Gone"><w:name w:val="Gone"/><w:rPr><w:vanish/></w:rPr></w:style>'
)


def test_styles_number_and_make_headings() -> None:
    body = (
        p("LEASE", "T") + p("Rent", "H1") + p("Due", "Own") + p("It is due monthly.") + p("Term", "H1") + p("Ten", "H2")
    )
    document = read(body, numbering=LEGAL + num(1, 0), styles=STYLES)
    assert document.text.split("\n\n") == ["LEASE", "1. Rent", "1.1 Due", "It is due monthly.", "2. Term", "2.1 Ten"]
    assert document.title == "LEASE"
    found = [(document.text[start:].split("\n")[0], level) for start, level in document.source.headings]
    assert found == [("1. Rent", 1), ("1.1 Due", 2), ("2. Term", 1), ("2.1 Ten", 2)]
    assert document.place_at(document.text.index("monthly")) == "paragraph 4"


def test_changes_are_read_as_accepted() -> None:
    inside = (
        r("The rent is ")
        + f'<w:del w:id="1">{r("EUR 100").replace("w:t", "w:delText")}</w:del>'
        + f'<w:ins w:id="2">{r("EUR 200")}</w:ins>'
        + f"<w:moveFrom>{r(' gone')}</w:moveFrom><w:moveTo>{r(' come')}</w:moveTo>"
    )
    assert blocks(p(inside=inside)) == ["The rent is EUR 200 come"]
    joined = p("First ", more="<w:rPr><w:del/></w:rPr>") + p("second.", num=(1, 0)) + p("Third.", num=(1, 0))
    assert blocks(joined, numbering=LEGAL + num(1, 0)) == ["1. First second.", "2. Third."]


def test_notes_follow_their_paragraph() -> None:
    notes = '<w:footnote w:id="0" w:type="separator"><w:p/></w:footnote>'
    notes += f'<w:footnote w:id="2">{p("See the deed.")}{p("Page 4.")}</w:footnote>'
    ends = f'<w:endnote w:id="2">{p("Not yet filed.")}</w:endnote>'
    inside = (
        r("Rent")
        + '<w:r><w:footnoteReference w:id="2"/></w:r>'
        + r(" is due.")
        + '<w:r><w:endnoteReference w:id="2"/></w:r>'
    )
    document = read(p(inside=inside) + p("Next."), footnotes=notes, endnotes=ends)
    assert document.text.split("\n\n") == [
        "Rent[1] is due.[2]",
        "[1] See the deed. Page 4.",
        "[2] Not yet filed.",
        "Next.",
    ]
    assert document.place_at(document.text.index("Page 4")) == "footnote 1"


def test_tables_are_rows() -> None:
    merged = "<w:tcPr><w:vMerge/></w:tcPr>"
    body = p("Fees") + table(
        [p("Item"), p("Fee")],
        ['<w:tcPr><w:vMerge w:val="restart"/></w:tcPr>' + p("Work"), p("EUR 10") + p("per hour")],
        [merged + p("hidden"), table([p("x"), p("y")], [p("z"), p("")])],
    )
    document = read(body + p("End"))
    assert document.text == "Fees\n\nItem | Fee\nWork | EUR 10 per hour\n | x / y; z\n\nEnd".replace("\n |", "\n|")
    assert document.place_at(document.text.index("per hour")) == "table 1, row 2"


def test_a_table_of_one_column_is_a_frame() -> None:
    assert blocks(table([p("One.") + p("Two.")], [p("Three.")])) == ["One.", "Two.", "Three."]


def test_a_text_box_is_read_once() -> None:
    box = f"<w:txbxContent>{p('Boxed.')}</w:txbxContent>"
    alternative = (
        f"<w:r><mc:AlternateContent><mc:Choice><w:drawing><wps:txbx>{box}</wps:txbx></w:drawing></mc:Choice>"
        f"<mc:Fallback><w:pict><v:textbox>{box}</v:textbox></w:pict></mc:Fallback></mc:AlternateContent></w:r>"
    )
    assert blocks(p(inside=r("Around.") + alternative)) == ["Around.", "Boxed."]
    fallback = (
        f"<w:r><mc:AlternateContent><mc:Fallback><w:pict>{box}</w:pict></mc:Fallback></mc:AlternateContent></w:r>"
    )
    assert blocks(p(inside=r("Around.") + fallback)) == ["Around.", "Boxed."]


def test_fields_links_controls_signs_and_hidden_text() -> None:
    field = (
        '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>REF x</w:instrText></w:r>'
        '<w:r><w:fldChar w:fldCharType="separate"/></w:r>'
        + r("clause 4")
        + '<w:r><w:fldChar w:fldCharType="end"/></w:r>'
    )
    inside = r("See ") + field + f"<w:hyperlink>{r(' here')}</w:hyperlink>"
    inside += f"<w:sdt><w:sdtPr><w:alias/></w:sdtPr><w:sdtContent>{r(' and')}</w:sdtContent></w:sdt>"
    inside += (
        r(" secret", "<w:vanish/>") + r(" secret", '<w:rStyle w:val="Gone"/>') + r(" shown", '<w:vanish w:val="0"/>')
    )
    inside += (
        '<w:r><w:tab/><w:t>co</w:t><w:noBreakHyphen/><w:t>op</w:t><w:br/><w:t>line</w:t><w:sym w:char="F0FE"/></w:r>'
    )
    assert blocks(p(inside=inside), styles=STYLES) == ["See clause 4 here and shown co-op\nline☒"]


def test_strict_files_are_read_like_others() -> None:
    space = "http://purl.oclc.org/ooxml/wordprocessingml/main"
    strict = f'<x:document xmlns:x="{space}"><x:body><x:p><x:r><x:t>Strict.</x:t></x:r></x:p></x:body></x:document>'
    data = packed({"[Content_Types].xml": "<Types/>", "word/document.xml": strict})
    assert read_bytes(data, "a.docx", "a").documents[0].text == "Strict."


@pytest.mark.parametrize(
    ("part", "what"),
    [
        ('<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', "declares a document type"),
        ("<w:document", "is not valid XML"),
        ("<a/>", "has no body"),
    ],
)
def test_bad_parts_are_errors(part: str, what: str) -> None:
    with pytest.raises(Unreadable, match=rf"a\.docx: .*{what}") as caught:
        read_bytes(packed({"[Content_Types].xml": "<Types/>", "word/document.xml": part}), "a.docx", "a")
    assert caught.value.reason == "damaged"


def test_an_empty_file_is_an_error() -> None:
    with pytest.raises(Unreadable) as caught:
        read(p(""))
    assert caught.value.reason == "empty"


def test_the_header_of_the_pages_may_name_the_document(tmp_path: Path) -> None:
    import docx

    from pincite.documents.read import read_file

    made = docx.Document()
    made.sections[0].header.paragraphs[0].text = "Mutual Non-Disclosure Agreement"
    made.add_paragraph("The recipient keeps the information secret for two years after it was disclosed.")
    made.save(str(tmp_path / "d1.docx"))
    document = read_file(tmp_path / "d1.docx", "d1.docx").documents[0]
    assert document.title == "Mutual Non-Disclosure Agreement"
    assert "Mutual" not in document.text
