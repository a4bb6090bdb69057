"""A program is described once: the work of building each game is counted."""

from collections.abc import Iterable

import pytest

from ti99tools.games.making import artefacts
from ti99tools.games.making.finding import find_game, game_names, games_root
from ti99tools.games.making.twins import Twins
from ti99tools.language.listing.listing import scan
from ti99tools.language.optimize import line_passes, pipeline
from ti99tools.language.optimize.rows import Row, Rows
from ti99tools.language.prescan import Prescan
from ti99tools.language.syntax import parse_line


class Work:
    """The lines that a build has, and the pre-scans that it makes."""

    def __init__(self) -> None:
        self.lines: set[bytes] = set()
        self.scans = 0

    def note(self, rows: Iterable[Row]) -> None:
        """Take note of lines that a pass has written."""
        self.lines.update(row.tokens for row in rows)


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> Work:
    """The work that follows, counted from nothing."""
    done = Work()
    number, go_over, join = line_passes.numbered, Prescan.program, line_passes._one

    def numbered(rows: Rows, keep: bool) -> list[tuple[int, Row]] | None:
        numbered_rows = number(rows, keep)
        done.note([*rows, *(row for _, row in numbered_rows or ())])
        return numbered_rows

    def one(row: Row, following: Row) -> bytes | None:
        # A line may be joined with several, one after the other.
        if (joined := join(row, following)) is not None:
            done.lines.add(joined)
        return joined

    def program(prescan: Prescan) -> object:
        done.scans += 1
        return go_over(prescan)

    monkeypatch.setattr(pipeline, "numbered", numbered)
    monkeypatch.setattr(line_passes, "_one", one)
    monkeypatch.setattr(Prescan, "program", program)
    parse_line.cache_clear()
    scan.cache_clear()
    return done


@pytest.mark.parametrize("name", game_names())
def test_a_build_reads_each_line_once(name: str, work: Work) -> None:
    manifest = find_game(games_root() / name)
    twins = Twins(manifest.folder)
    generated = artefacts.generate_game(manifest, twins=twins)
    program = artefacts.as_program(generated, manifest.source_path)
    work.lines.update(line.tokens for line in program.lines)
    artefacts.optimized(generated, program, manifest.passes, twins.names, manifest.hot)
    assert parse_line.cache_info().misses <= len(work.lines)
    assert scan.cache_info().misses <= len(work.lines)
    assert work.scans <= 2
