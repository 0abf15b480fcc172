"""Finds the marks of Markdown and inline HTML in a text, so that only its words are shown. Nothing is taken out."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from pincite.documents.line_gaps import closed
from pincite.documents.markdown_emphasis import emphasis_marks
from pincite.text.passage import Edges

_FRONT_MATTER = re.compile(
    r"\ufeff?(?:---[ \t]*\n.*?\n(?:---|\.\.\.)|\+\+\+[ \t]*\n.*?\n\+\+\+)[ \t]*(?=\n|\Z)", re.DOTALL
)
_FENCED = re.compile(
    r"^ {0,3}(?P<fence>`{3,}|~{3,})[^\n`]*$(?P<code>.*?)(?:^ {0,3}(?P=fence)[`~]*[ \t]*$|\Z)", re.DOTALL | re.MULTILINE
)
_LINES = re.compile(
    r"""^(?:
      [ ]{0,3}(?:=+|-+)[ \t]*$                                             # an underlined heading, or a rule
    | [ ]{0,3}(?:(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$
    | [ ]{0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*(?::?-+:?[ \t]*)?)+$            # below the head of a table
    | [ ]{0,3}\[[^\]\n]+\]:[ \t]*\S+(?:[ \t]+(?:"[^"\n]*"|'[^'\n]*'|\([^)\n]*\)))?[ \t]*$    # the target of a link
    )""",
    re.VERBOSE | re.MULTILINE,
)
_DEFINITION = re.compile(r"^ {0,3}\[([^\]\n]+)\]:[ \t]*\S", re.MULTILINE)
_LINE_STARTS = re.compile(r"^(?: {0,3}>[ \t]?)+|^ {0,3}#{1,6}(?:[ \t]+|$)|(?<=\S)[ \t]+#+[ \t]*$", re.MULTILINE)
_HEADING = re.compile(r" {0,3}#{1,6}(?:[ \t]|$)")
_TARGET = r"\((?:[^()\s\\]|\\.|\([^()\s]*\))*(?:[ \t\n]+(?:\"[^\"]*\"|'[^']*'))?[ \t]*\)"
_INLINE = re.compile(
    rf"""
      (?P<comment><!--(?:(?!<!--).)*?-->)
    | (?P<code>(?<!`)(?P<ticks>`+)(?!`)(?P<inside>(?:(?!\n[ \t]*\n).)+?)(?<!`)(?P=ticks)(?!`))
    | (?P<escape>\\)(?=[!-/:-@\[-`{{-~])
    | (?P<auto><(?=(?:https?|mailto|ftp):[^\s<>]*>)|<(?=[\w.+-]+@[\w.-]+>))
    | (?P<tag></?(?P<name>[a-zA-Z][a-zA-Z0-9-]*)
        (?:\s+[a-zA-Z_:@][\w:.@-]*(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'=<>`]+))?)*\s*/?>)
    | (?P<image>!\[[^\]]*\](?:{_TARGET}|\[[^\]\n]*\]))
    | (?P<link>(?<!\\)\[(?P<words>(?:\\.|[^\[\]\\\n]|\n(?![ \t]*\n)|\[[^\[\]\n]*\])+)\]
        (?:(?P<target>{_TARGET})|\[(?P<label>[^\]\n]*)\])?)
    """,
    re.VERBOSE | re.DOTALL,
)
_ELEMENTS = frozenset(
    """a abbr address article aside b bdi bdo big blockquote br button caption center cite code col colgroup dd del
    details dfn dir div dl dt em figcaption figure font footer form h1 h2 h3 h4 h5 h6 head header hr html i iframe img
    input ins kbd label li link main map mark menu meta nav noscript ol option p picture pre q s samp script section
    select small source span strike strong style sub summary sup table tbody td template tfoot th thead title tr tt u
    ul var video wbr""".split()
)

_PARTING = frozenset("br div dd dt hr li p td th tr".split())
"""Elements that part the words before and behind them."""


def markdown_marks(text: str) -> list[Edges]:
    """The edges of all marks, in order and apart. The words of links stay, their targets do not.

    >>> text = "# Term\\n\\nSee **the [plan](/plan.md)**.\\n"
    >>> shown, last = "", 0
    >>> for start, end in markdown_marks(text):
    ...     shown, last = shown + text[last:start], end
    >>> shown + text[last:]
    'Term\\n\\nSee the plan.\\n'
    """
    scan = _Scan(text)
    scan.run()
    whole_lines = scan.lines + list(_covered_lines(text, scan.inline))
    return joined([*scan.inline, *closed(text, whole_lines, joining=False)])


def joined(edges: list[Edges]) -> list[Edges]:
    """Edges in order; those that touch as one."""
    result: list[Edges] = []
    for start, end in sorted(edges):
        if result and start <= result[-1][1]:
            result[-1] = (result[-1][0], max(end, result[-1][1]))
        elif start < end:
            result.append((start, end))
    return result


@dataclass(slots=True)
class _Scan:
    """Collects the marks of a text: whole lines, and marks between words."""

    text: str
    lines: list[Edges] = field(default_factory=list)
    inline: list[Edges] = field(default_factory=list)
    quiet: list[Edges] = field(default_factory=list)
    """Code and link targets, in which nothing is emphasis."""

    def run(self) -> None:
        body = 0
        if front := _FRONT_MATTER.match(self.text):
            self.lines.append((1 if self.text[0] == "\ufeff" else 0, front.end()))
            body = front.end()
        labels = {name.casefold() for name in _DEFINITION.findall(self.text)}
        closing = set(re.findall(r"</([a-zA-Z][a-zA-Z0-9-]*)>", self.text))
        for block in _FENCED.finditer(self.text, body):
            self._words(body, block.start(), labels, closing)
            self.lines += [(block.start(), block.start("code")), (block.end("code"), block.end())]
            body = block.end()
        self._words(body, len(self.text), labels, closing)

    def _words(self, start: int, end: int, labels: set[str], closing: set[str]) -> None:
        """The marks outside of code blocks."""
        for line in _LINES.finditer(self.text, start, end):
            self.lines.append(line.span())
            self.quiet.append(line.span())
        for mark in _LINE_STARTS.finditer(self.text, start, end):
            at_end = mark.group()[:1].isspace() and "#" in mark.group() and mark.group().lstrip()[0] == "#"
            line_start = self.text.rfind("\n", 0, mark.start()) + 1
            if mark.start() == line_start or (at_end and _HEADING.match(self.text, line_start)):
                self.inline.append(mark.span())
        self._inline(start, end, labels, closing)
        self.inline += emphasis_marks(self.text, start, end, joined(self.quiet))

    def _inline(self, start: int, end: int, labels: set[str], closing: set[str]) -> None:
        for match in _INLINE.finditer(self.text, start, end):
            kind = match.lastgroup if match.lastgroup in ("comment", "escape", "auto", "image") else ""
            if match["code"]:
                self._hide(match.start(), match.start("inside"))
                self._hide(match.end("inside"), match.end())
                self.quiet.append(match.span())
            elif match["tag"]:
                if match["name"].lower() in _ELEMENTS or match["name"] in closing:
                    self._tag(match.start(), match.end(), match["name"].lower())
            elif match["auto"]:
                close = self.text.index(">", match.end())
                self._hide(*match.span())
                self._hide(close, close + 1)
                self.quiet.append((match.start(), close))
            elif match["link"]:
                self._link(match, labels, closing)
            elif kind:
                self._hide(*match.span())
                self.quiet.append((match.start(), match.end() + (kind == "escape")))

    def _tag(self, start: int, end: int, name: str) -> None:
        """A tag. One that parts words keeps a blank that it holds; without any it stays, or the words would be one."""
        glues = self.text[start - 1 : start].isalnum() and self.text[end : end + 1].isalnum()
        if name not in _PARTING or not glues:
            self._hide(start, end)
        elif (blank := self.text.find(" ", start, end)) >= 0:
            self._hide(start, blank)
            self._hide(blank + 1, end)

    def _link(self, match: re.Match[str], labels: set[str], closing: set[str]) -> None:
        """The brackets and the target of a link; brackets that are none stay, and so do their words."""
        label = match["label"] or match["words"]
        if match["target"] is not None or " ".join(label.casefold().split()) in labels:
            self._hide(match.start(), match.start("words"))
            self._hide(match.end("words"), match.end())
            self.quiet.append((match.end("words"), match.end()))
        self._inline(match.start("words"), match.end("words"), labels, closing)

    def _hide(self, start: int, end: int) -> None:
        self.inline.append((start, end))


def _covered_lines(text: str, marks: list[Edges]) -> Iterator[Edges]:
    """Lines on which nothing is left but marks."""
    covered = joined(list(marks))
    for at, (start, end) in enumerate(covered):
        line = text.rfind("\n", 0, start) + 1
        if text[line:start].strip() or (at and covered[at - 1][1] > line):
            continue
        last = at
        while last + 1 < len(covered) and not text[covered[last][1] : covered[last + 1][0]].strip(" \t"):
            last += 1
        stop = covered[last][1]
        after = text.find("\n", stop)
        if not text[stop : len(text) if after < 0 else after].strip() and end > start:
            yield start, stop
