"""The marks of Markdown are hidden, its words are shown, and offsets stay those of the file."""

import pytest

from pincite.documents.hidden import with_hidden
from pincite.documents.markdown_marks import markdown_marks
from pincite.documents.read import read_bytes
from pincite.segment import Clauses
from pincite.text.shown_text import ShownText
from tests.documents.made_pages import PAGES, flat, lease, sentence

CASES = [
    ("emphasis", "The **rent** is *due* and __paid__ or _not_.", "The rent is due and paid or not."),
    ("emphasis in emphasis", "***The* rent** is ~~not~~ due.", "The rent is not due."),
    ("emphasis inside a word", "un*frigging*believable, snake_case_name", "unfriggingbelievable, snake_case_name"),
    (
        "asterisks that are none",
        "2*3*4 and 5 * 6 and [***] and [*****] days",
        "2*3*4 and 5 * 6 and [***] and [*****] days",
    ),
    ("a blank to fill in", "this ______ day of ___________", "this ______ day of ___________"),
    ("a link", "See [the plan](/plan.md) now.", "See the plan now."),
    ("a link with a title", 'See [the plan](/a_(b).md "The plan") now.', "See the plan now."),
    ("a link by reference", "See [the plan][p] and [p].\n\n[p]: /plan.md", "See the plan and p.\n\n"),
    ("brackets that are no link", "The [Company] pays [amount].", "The [Company] pays [amount]."),
    ("an image", "Sign here ![a line](line.png) please.", "Sign here  please."),
    ("an address", "Write to <https://a.b/c_d_e> or <a@b.org>.", "Write to https://a.b/c_d_e or a@b.org."),
    ("an escape", "1\\. Rent is 5\\*6 \\[net\\].", "1. Rent is 5*6 [net]."),
    ("code", "The key `a*b*c` is ``x`y``.", "The key a*b*c is x`y."),
    ("a tag", 'The <b class="x">rent</b> is <span>due</span>.', "The rent is due."),
    ("a break between words", "rent<br />due", "rent due"),
    ("a blank in angle brackets", "<Company Name> pays <amount>.", "<Company Name> pays <amount>."),
    ("a comment", "Rent <!-- not\nthis --> is due.", "Rent  is due."),
    ("headings", "# Lease #\n\nRent\n----\n\nIt is due.", "Lease\n\nRent\n\nIt is due."),
    ("a quotation", "> The rent\n> is due.", "The rent\nis due."),
    ("a fence", "Run:\n\n```sh\nrm *all*\n```\n\nDone.", "Run:\n\nrm *all*\n\nDone."),
    ("front matter", "---\ntitle: Lease\n---\n\nIt is due.", "\n\nIt is due."),
    ("a rule", "One.\n\n* * *\n\nTwo.", "One.\n\nTwo."),
    ("a table", "| A | B |\n|---|:-:|\n| 1 | 2 |", "| A | B |\n| 1 | 2 |"),
    ("list items", "* one *a*\n* two\n- three", "* one a\n* two\n- three"),
]


@pytest.mark.parametrize(("name", "text", "shown"), CASES, ids=[name for name, _, _ in CASES])
def test_marks_are_hidden_and_words_are_shown(name: str, text: str, shown: str) -> None:
    assert ShownText.of(text, markdown_marks(text)).text == shown


def test_units_of_a_markdown_file_show_no_marks_and_keep_the_offsets_of_the_file() -> None:
    data = b"# Lease\n\n## Rent\n\nThe **rent** is due on the [first day](#day) of _every_ month of the year.\n"
    document = with_hidden(read_bytes(data, "a.md", "a.md").documents[0])
    assert document.text.encode() == data
    (unit,) = Clauses()(document)
    assert document.shown(unit.start, unit.end) == "The rent is due on the first day of every month of the year."
    assert document.text[unit.start : unit.end].startswith("The **rent** is due on the [first day](#day)")
    assert unit.heading_path[-1] == "Rent"


def test_running_matter_in_markdown_is_hidden_too() -> None:
    text = lease(lambda n: f"- {n} -", flat)
    document = with_hidden(read_bytes(text.encode(), "a.md", "a.md").documents[0])
    shown = [" ".join(document.shown(unit.start, unit.end).split()) for unit in Clauses()(document)]
    assert [text for text in shown if "garden" in text] == [sentence(n) for n in range(1, PAGES + 1)]


@pytest.mark.parametrize(
    "text", ["[" * 3000, "*" * 3000, "**a " * 1500, "<" * 3000, "`" * 3000, "![" * 1500, "[a](" * 800]
)
def test_marks_without_partners_take_no_time(text: str) -> None:
    assert isinstance(markdown_marks(text), list)
