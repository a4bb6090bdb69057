"""Progress: nothing for short work, a plain line every ten seconds for long work."""

import pytest

from ti99tools.fronts.cli.progress import PlainLines, progress


def test_lines_come_every_ten_seconds() -> None:
    clock = [0.0]
    lines: list[str] = []
    tell = PlainLines("game", 100, now=lambda: clock[0], write=lines.append)
    for second in range(1, 26):
        clock[0] = float(second)
        tell(2)
    assert lines == [
        "game: 20 of 100, 2.0/s, 40 s left",
        "game: 40 of 100, 2.0/s, 30 s left",
    ]


def test_the_last_step_and_short_work_say_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    clock = [0.0]
    lines: list[str] = []
    tell = PlainLines("game", 2, now=lambda: clock[0], write=lines.append)
    clock[0] = 60.0
    tell(2)
    assert lines == []
    with progress("game", 5) as advance:
        advance(5)
    assert capsys.readouterr().err == ""
