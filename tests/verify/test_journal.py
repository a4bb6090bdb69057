"""The file of a verification that can be resumed: one run at a time, and no half lines."""

from pathlib import Path
from typing import Any, BinaryIO, cast

import pytest

from ti99tools.base import hostio
from ti99tools.base.errors import TIError
from ti99tools.games.models.model import Player, Setup
from ti99tools.games.verify import journal as journals
from ti99tools.games.verify.journal import Journal
from ti99tools.games.verify.result import MatchResult
from ti99tools.games.verify.scenario import Scenario


def result(seed: int) -> MatchResult:
    scenario = Scenario("dare", Setup(seed, (Player("H", "A"),), {}), (65,), ())
    return MatchResult(
        scenario, events=1, screens=1, keys=1, seconds=2.5, lines=frozenset(), branches=frozenset()
    )


def test_results_come_back_and_the_head_must_fit(tmp_path: Path) -> None:
    path = tmp_path / "run"
    with Journal(path, "d", "virtual") as journal:
        journal.add([(7, result(7)), (8, result(8))])
    with Journal(path, "d", "virtual") as journal:
        assert journal.known == {7: result(7), 8: result(8)}
    for disk, host in (("e", "virtual"), ("d", "mame")):
        with pytest.raises(TIError, match="a run of another disk or host"):
            Journal(path, disk, host)


def test_a_second_run_is_refused_until_the_first_has_ended(tmp_path: Path) -> None:
    path = tmp_path / "run"
    with Journal(path, "d", "virtual"):
        before = path.read_bytes()
        with pytest.raises(TIError, match="wait until it has ended, or name another file"):
            Journal(path, "d", "virtual")
        assert path.read_bytes() == before
    Journal(path, "d", "virtual").close()


@pytest.mark.parametrize("cut", [1, 20])
def test_the_beginning_of_a_line_is_dropped(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "run"
    with Journal(path, "d", "virtual") as journal:
        journal.add([(7, result(7))])
        whole = path.read_bytes()
        journal.add([(8, result(8))])
    path.write_bytes(path.read_bytes()[:-cut])
    with Journal(path, "d", "virtual") as journal:
        assert list(journal.known) == [7]
        assert path.read_bytes() == whole
        journal.add([(9, result(9))])
    with Journal(path, "d", "virtual") as journal:
        assert list(journal.known) == [7, 9]


@pytest.mark.parametrize(
    "line", ["[]", "7", '"x"', "[" * 100_000, "1" * 5000, '{"seed": 7, "scenario": 3}', "{", "é"]
)
def test_a_line_of_another_form_is_told(tmp_path: Path, line: str) -> None:
    path = tmp_path / "run"
    Journal(path, "d", "virtual").close()
    with path.open("a", encoding="utf-8") as file:
        file.write(line + "\n")
    with pytest.raises(TIError, match="not a line of a verification run"):
        Journal(path, "d", "virtual")
    path.write_text(line + "\n", encoding="utf-8")
    with pytest.raises(TIError, match="run"):
        Journal(path, "d", "virtual")


class Filling:
    """A file on a disk that fills up: a write takes a few bytes, and none when `room` is gone."""

    def __init__(self, file: BinaryIO, room: int, end: BaseException | None = None) -> None:
        self._file, self._room, self._end = file, room, end
        self.fileno, self.truncate, self.close = file.fileno, file.truncate, file.close

    def write(self, data: bytes) -> int:
        piece = data[: min(self._room, 100)]
        if not piece and self._end is not None:
            raise self._end
        self._room -= len(piece)
        return self._file.write(piece)


def test_a_write_that_takes_only_a_part_is_continued(tmp_path: Path) -> None:
    path = tmp_path / "run"
    with Journal(path, "d", "virtual") as journal:
        journal._file = cast(Any, Filling(journal._file, 10_000))
        journal.add([(7, result(7)), (8, result(8))])
    with Journal(path, "d", "virtual") as journal:
        assert journal.known == {7: result(7), 8: result(8)}


@pytest.mark.parametrize(
    ("end", "message"),
    [
        (None, "cannot write: .*output folders must exist, and have room"),
        (OSError(5, "broken"), "cannot write: broken"),
        (KeyboardInterrupt(), ""),
    ],
)
def test_what_does_not_fit_leaves_the_file_as_it_was(
    tmp_path: Path, end: BaseException | None, message: str
) -> None:
    path = tmp_path / "run"
    with Journal(path, "d", "virtual") as journal:
        journal.add([(7, result(7))])
        before = path.read_bytes()
        journal._file = cast(Any, Filling(journal._file, 150, end))
        with pytest.raises(TIError if message else KeyboardInterrupt, match=message or None):
            journal.add([(8, result(8))])
        assert path.read_bytes() == before


class Interrupted(Filling):
    """A file during whose last write Ctrl-C comes."""

    def write(self, data: bytes) -> int:
        written = super().write(data)
        if written == len(data):
            raise KeyboardInterrupt
        return written


def test_a_match_that_is_written_whole_outlives_ctrl_c(tmp_path: Path) -> None:
    path = tmp_path / "run"
    with Journal(path, "d", "virtual") as journal:
        journal.add([(7, result(7))])
        file = journal._file
        journal._file = cast(Any, Interrupted(file, 10_000))
        with pytest.raises(KeyboardInterrupt):
            journal.add([(8, result(8))])
        whole = path.read_bytes()
        journal._file = cast(Any, Filling(file, 100))
        with pytest.raises(TIError):
            journal.add([(9, result(9))])
        assert path.read_bytes() == whole
    with Journal(path, "d", "virtual") as journal:
        assert journal.known == {7: result(7), 8: result(8)}


def test_a_file_of_any_length_is_read_but_not_a_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "run"
    with Journal(path, "d", "virtual") as journal:
        journal.add((seed, result(seed)) for seed in range(20))
    longest = max(map(len, path.read_bytes().splitlines(keepends=True)))
    monkeypatch.setattr(hostio.read_bytes, "__defaults__", (longest,))
    monkeypatch.setattr(hostio.read_text, "__defaults__", (longest,))
    monkeypatch.setattr(journals, "LONGEST", longest)
    with Journal(path, "d", "virtual") as journal:
        assert len(journal.known) == 20
    whole = path.read_bytes()
    monkeypatch.setattr(journals, "LONGEST", longest - 1)
    with pytest.raises(TIError, match="not a line of a verification run"):
        Journal(path, "d", "virtual")
    assert path.read_bytes() == whole


@pytest.mark.parametrize("kept", [1, 20, -1])
def test_a_head_that_was_begun_is_written_anew(tmp_path: Path, kept: int) -> None:
    path = tmp_path / "run"
    Journal(path, "d", "virtual").close()
    head = path.read_bytes()
    path.write_bytes(head[:kept])
    with Journal(path, "d", "virtual") as journal:
        journal.add([(7, result(7))])
    assert path.read_bytes().startswith(head)
    with Journal(path, "d", "virtual") as journal:
        assert list(journal.known) == [7]
