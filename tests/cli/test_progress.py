"""Progress without a terminal: seldom enough to read, often enough to know that it goes on."""

import io

import pytest

from pincite.cli.progress import PlainLines, stage_bars


def written(steps: list[tuple[float, str, int, int]]) -> list[str]:
    lines: list[str] = []
    clock = iter([step[0] for step in steps])
    plain = PlainLines(lines.append, clock=clock.__next__)
    for _, what, done, total in steps:
        plain(what, done, total)
    return lines


def test_quick_work_is_silent() -> None:
    assert written([(at / 100, "reading", at, 50) for at in range(1, 51)]) == []


def test_a_line_every_tenth_and_no_more_than_one_a_second() -> None:
    lines = written([(at / 10, "reading", at, 1000) for at in range(1, 1001)])
    assert 8 <= len(lines) <= 21
    assert lines[0] == "reading: 51 of 1000"


def test_slow_work_says_every_five_seconds_that_it_goes_on() -> None:
    lines = written([(float(at), "recognising a.pdf", at // 4, 400) for at in range(31)])
    assert lines == [f"recognising a.pdf: {at // 4} of 400" for at in range(5, 31, 5)]


def test_stages_are_counted_apart() -> None:
    steps = [(0.0, "reading", 1, 2), (2.0, "reading", 2, 2), (2.1, "embedding", 1, 10), (8.0, "embedding", 2, 10)]
    assert written(steps) == ["reading: 2 of 2", "embedding: 2 of 10"]


def test_lines_go_to_standard_error(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pincite.cli.progress.LINE_SECONDS", 0.0)
    with stage_bars() as progress:
        progress("reading", 1, 3)
        progress("embedding", 1, 3)
    shown = capsys.readouterr()
    assert (shown.out, shown.err) == ("", "reading: 1 of 3\nembedding; searchable by words already: 1 of 3\n")


def test_bars_in_a_terminal_come_and_go(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = io.StringIO()
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setattr("sys.stderr", screen)
    with stage_bars() as progress:
        for done in range(4):
            progress("reading", done, 3)
            progress("recognising [a].pdf", done, 3)
    assert "reading" in screen.getvalue()


def test_an_estimate_says_how_long_the_rest_takes() -> None:
    lines: list[str] = []
    times = iter([0.0, 10.0, 20.0])
    plain = PlainLines(lines.append, clock=times.__next__, estimate=True)
    for done in (0, 50, 100):
        plain("ranking", done, 200)
    assert lines == ["ranking: 50 of 200, about 30 s left", "ranking: 100 of 200, about 20 s left"]
