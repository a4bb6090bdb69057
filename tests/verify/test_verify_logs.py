"""Logs from anywhere: complete, truncated, tampered and foreign ones, in every form of file."""

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from ti99tools import DiskImage
from ti99tools.app.verify import judge_logs
from ti99tools.fronts.cli.main import cli
from ti99tools.games.making.finding import game_names
from ti99tools.games.models.playlog import LogKind, PlayLog, read
from ti99tools.games.verify.judging import judge
from ti99tools.games.verify.loading import adapter
from ti99tools.games.verify.scenario import make
from ti99tools.media.disk import records
from ti99tools.media.disk.containers.hfe import create_hfe
from ti99tools.media.disk.hostfiles import build_tifiles
from ti99tools.media.disk.tifile import DiskFile

GAMES = game_names()
KINDS = (LogKind.COMPLETE, LogKind.TRUNCATED, LogKind.TAMPERED, LogKind.FOREIGN)


def log_of(game: str, kind: LogKind, seed: int = 3) -> list[bytes]:
    """The records of a match's log, made into one of a kind."""
    log = make(adapter(game), seed)[1]
    events = log.events
    match kind:
        case LogKind.TRUNCATED:
            log = replace(log, events=events[: len(events) // 2], complete=False)
        case LogKind.TAMPERED:
            log = replace(log, events=(*events[:-2], events[-1]))
        case LogKind.FOREIGN:
            log = replace(log, game="CHESS")
    return lines(log)


def lines(log: PlayLog) -> list[bytes]:
    return [line.encode() for line in log.lines()]


def test_a_blank_after_the_goal_of_a_die_that_fell_out_is_none_of_an_event() -> None:
    log = log_of("dicerack", LogKind.COMPLETE)
    old = [line + b" " if line.startswith(b"OUT ") else line for line in log]
    assert old != log
    assert judge(read(old), adapter("dicerack").model) is None


def as_disk(log: Sequence[bytes]) -> bytes:
    image = DiskImage.new(name="LOGS")
    image.add(DiskFile.display_var("MATCH", log))
    return image.to_bytes()


def as_hfe(log: Sequence[bytes]) -> bytes:
    image = DiskImage.from_bytes(as_disk(log))
    return create_hfe(bytes(image.volume.data), image.geometry)


def as_tifiles(log: Sequence[bytes]) -> bytes:
    return build_tifiles(records.store(DiskFile.display_var("MATCH", log)))


def as_text(log: Sequence[bytes]) -> bytes:
    return b"\r\n".join(log) + b"\r\n"


def run(*args: str) -> Result:
    return CliRunner().invoke(cli, ["verify", *args])


@pytest.mark.parametrize("form", [as_disk, as_hfe, as_tifiles, as_text])
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.value)
@pytest.mark.parametrize("game", GAMES)
def test_each_kind_of_each_game_in_each_form(
    game: str, kind: LogKind, form: Callable[[Sequence[bytes]], bytes], tmp_path: Path
) -> None:
    path = tmp_path / "log"
    path.write_bytes(form(log_of(game, kind)))
    (verdict,) = judge_logs(path)
    assert verdict.kind is kind, verdict
    assert (verdict.mismatch is not None) == (kind is LogKind.TAMPERED)


@pytest.mark.parametrize("game", GAMES)
def test_wherever_a_log_breaks_off_it_is_truncated(game: str, tmp_path: Path) -> None:
    path = tmp_path / "log"
    whole = as_text(log_of(game, LogKind.COMPLETE))
    begun = len(b"".join(whole.splitlines(keepends=True)[:1]))
    for end in range(begun, len(whole) - 6, max(1, len(whole) // 60)):
        path.write_bytes(whole[:end])
        (verdict,) = judge_logs(path)
        assert verdict.kind is LogKind.TRUNCATED, (whole[:end][-40:], verdict)


@pytest.mark.parametrize(
    ("log", "kind", "says"),
    [
        (["TI99LOG 2 D5000 1.0", "SEED 1", "END"], LogKind.FOREIGN, "another form"),
        (["TI99LOG 1 D5000 1.0"], LogKind.TRUNCATED, "ends before its seed"),
        (["TI99LOG 1 D5000 1.0", "SEED X", "END"], LogKind.TAMPERED, "second line is SEED X"),
        (["TI99LOG 1 D5000 1.0", "SEED 1", "é", "END"], LogKind.TAMPERED, ":3: not a line"),
        (["TI99LOG 1 D5000 0.9", "SEED 1", "X", "END"], LogKind.FOREIGN, "the rules here are of"),
        (["TI99LOG 1 D5000 1.1", "SEED 1", "ROLL", "END"], LogKind.TAMPERED, "does NOT follow"),
    ],
)
def test_logs_that_cannot_be_read(log: list[str], kind: LogKind, says: str, tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_text("\n".join(log) + "\n")
    (verdict,) = judge_logs(path)
    assert verdict.kind is kind
    assert says in verdict.says


def test_several_logs_on_several_disks(tmp_path: Path) -> None:
    image = DiskImage.new(name="LOGS")
    both = [*log_of("d5000", LogKind.COMPLETE), *log_of("d5000", LogKind.TRUNCATED, 4)]
    image.add(DiskFile.display_var("BOTH", both))
    image.add(DiskFile.display_var("BAD", log_of("lambo", LogKind.TAMPERED)))
    first, second = tmp_path / "a.dsk", tmp_path / "b.tfi"
    image.save(first)
    second.write_bytes(as_tifiles(log_of("dimraw", LogKind.FOREIGN)))
    result = run("--log", str(first), "--log", str(second), "--machine", "TI-99/4A, Gotek")
    assert result.exit_code == 1
    rows = [row for row in result.stdout.splitlines() if row.startswith(str(tmp_path))]
    assert [row.partition("played on TI-99/4A, Gotek, ")[2].split(":")[0] for row in rows] == [
        "tampered",
        "complete",
        "truncated",
        "foreign",
    ]
    assert rows[1].startswith(f"{first}:BOTH #1: D5000 1.1, seed ")
    data = json.loads(run("--log", str(second), "--machine", "MAME", "--json").stdout)
    assert (data[0]["kind"], data[0]["machine"], data[0]["game"]) == ("foreign", "MAME", "CHESS")


def test_exit_codes(tmp_path: Path) -> None:
    good, foreign, none = (tmp_path / name for name in ("good", "foreign", "none"))
    good.write_bytes(as_text(log_of("d5000", LogKind.TRUNCATED)))
    foreign.write_bytes(as_text(log_of("d5000", LogKind.FOREIGN)))
    none.write_bytes(as_tifiles([b"HELLO"]))
    assert run("--log", str(good)).exit_code == 0
    assert run("--log", str(good), "--log", str(foreign)).exit_code == 2
    result = run("--log", str(good), "--log", str(none))
    assert result.exit_code == 2
    assert "truncated: follows the rules" in result.stdout
    assert f"error: {none}: no play log is in this file; switch it on" in result.stderr
    result = run("--machine", "MAME")
    assert result.exit_code == 2
    assert "add --log FILE" in result.stderr
