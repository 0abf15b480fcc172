"""Web pages: the main text as a browser shows it."""

import pytest

from pincite.documents.failures import Unreadable
from pincite.documents.read import read_bytes
from pincite.text import Document


def read(page: str | bytes, name: str = "a.html") -> Document:
    return read_bytes(page.encode() if isinstance(page, str) else page, name, name).documents[0]


@pytest.mark.parametrize(
    ("page", "text"),
    [
        ("<p>One <b>t</b>wo<i>three</i>.</p><p>Four&nbsp;&amp;\n five</p>", "One twothree.\n\nFour\u00a0& five"),
        ("<p>12 Quay<br>Dublin</p>", "12 Quay\nDublin"),
        ("<pre>a\n  b\n</pre>", "a\n  b"),
        ("<script>x</script><style>y</style><p>Kept</p><p hidden>no</p><p style='display: none'>no</p>", "Kept"),
        ("<nav>Home</nav><header>Top</header><p>Kept</p><aside>Ad</aside><footer>Foot</footer>", "Kept"),
        (
            "<header>Top</header><main><header>Lead</header><p>Kept and long enough.</p></main>",
            "Lead\n\nKept and long enough.",
        ),
        ("<form><label>Name</label><input value='x'><button>Go</button></form><p>Kept</p>", "Name\n\nKept"),
        ("<ol start=3><li>a</li><li value=7>b</li><li>c</li></ol>", "3. a\n\n7. b\n\n8. c"),
        (
            "<ol type=a><li>one<ol type=I><li>two</li></ol></li><li><p>three</p><p>more</p></li></ol>",
            "a. one\n\nI. two\n\nb. three\n\nmore",
        ),
        ("<ul><li>x</li></ul>", "- x"),
        ("<table><tr><th>Item<th>Fee</tr><tr><td>Work<td>10 <b>EUR</b></tr></table>", "Item | Fee\nWork | 10 EUR"),
        ("<table><tr><td><p>One.</p><p>Two.</p></td></tr></table>", "One.\n\nTwo."),
        ("text <div>block</div> tail", "text\n\nblock\n\ntail"),
    ],
)
def test_what_is_shown(page: str, text: str) -> None:
    assert read(f"<html><body>{page}</body></html>").text == text


def test_headings_places_and_title() -> None:
    document = read("<html><title>Terms  of Use</title><body><h1>Terms</h1><p>One.</p><h2>Fees</h2><p>Two.</p>")
    assert document.title == "Terms of Use"
    assert document.source.headings == ((0, 1), (13, 2))
    assert document.place_at(document.text.index("Two")) == "/html/body/p[2]"
    assert document.source.reader == "html"
    assert read("<h2>Only</h2><p>x y</p>").title == "Only"


@pytest.mark.parametrize(
    "data",
    [
        "<p>é “q”</p>".encode(),
        "\ufeff<p>é “q”</p>".encode(),
        "<p>é “q”</p>".encode("utf-16"),
        "<p>é “q”</p>".encode("windows-1252"),
        "<meta charset='windows-1250'><p>é “q”</p>".encode("windows-1250"),
        b"<?xml version='1.0' encoding='windows-1252'?><html><body><p>\xe9 \x93q\x94</p></body></html>",
    ],
)
def test_charsets(data: bytes) -> None:
    assert read(data).text == "é “q”"


def test_a_page_without_text_is_an_error() -> None:
    with pytest.raises(Unreadable) as caught:
        read("<html><script>x</script></html>")
    assert caught.value.reason == "empty"


@pytest.mark.parametrize("count", [600, 2_500, 20_000])
@pytest.mark.parametrize("tag", ["div", "b", "blockquote"])
def test_elements_that_are_never_closed_lose_nothing(count: int, tag: str) -> None:
    page = "".join(f"<{tag}>Clause {number}. " for number in range(count))
    document = read(f"<html><head><title>Deep</title><body><h1>Terms</h1>{page}<p>The end.")
    assert document.source.title == "Deep"
    assert document.text.count("Clause") == count
    assert document.text.endswith("The end.")
    if tag == "div":
        assert document.place_at(document.text.index("Clause 7.")) == "/html/body" + "/div" * 8
        assert document.place_at(document.text.index("Clause 500.")) == "(//div)[501]"


def test_a_deep_table_and_list_are_read() -> None:
    deep = "<div>" * 3000
    document = read(f"{deep}<ol><li>One<li>Two</ol><table><tr><td>Fee<td>10<tr><td>Tax<td>2</table><p>a<p>b")
    assert document.text == "1. One\n\n2. Two\n\nFee | 10\nTax | 2\n\na\n\nb"


def test_what_follows_deep_elements_that_are_closed_stands_where_it_did() -> None:
    document = read("<div>" * 3000 + "Deep" + "</div>" * 3000 + "<ol><li>One<li>Two</ol>after<br>all")
    assert document.text == "Deep\n\n1. One\n\n2. Two\n\nafter\nall"


def test_a_long_text_in_one_element_is_read() -> None:
    assert len(read("<p>" + "word " * 2_500_000 + "end").text) == 12_500_003
