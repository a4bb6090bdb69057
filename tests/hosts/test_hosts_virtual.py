"""Our console as a host: logs, screens, traced lines, sessions that do not come to their end."""

import pytest

from ti99tools import Console, DiskImage, Program
from ti99tools.computer.console.anyconsole import AnyConsole
from ti99tools.computer.console.keyscript import Press, Snap, Step, Type, Until, Wait
from ti99tools.computer.console.player import ScriptPlayer
from ti99tools.games.hosts.host import Job
from ti99tools.games.hosts.virtual import host
from ti99tools.games.making.artefacts import program_file

GAME = """100 OPEN #1:"DSK1.LOG",OUTPUT
110 PRINT #1:"TI99LOG 1 G 1.0"
120 PRINT "KEY?"
130 CALL KEY(3,K,S)
140 IF S<1 THEN 130
150 PRINT #1:"KEY";K
160 IF K=81 THEN 190
170 IF K=88 THEN CALL HCHAR(0,0,1)
180 GOTO 120
190 CLOSE #1
200 END
"""


def job(*steps: Step, source: str = GAME, **options: object) -> Job:
    image = DiskImage.new(name="T")
    image.add(program_file(Program.from_listing(source), "LOAD"))
    return Job(image.to_bytes(), steps, "LOG", **options)  # type: ignore[arg-type]


def test_a_whole_session() -> None:
    played = host().play(
        job(Until("KEY?"), Snap("asked"), Type("AB"), Press("LEFT"), Type("Q"), Until())
    )
    assert played.problem == ""
    assert played.records == (b"TI99LOG 1 G 1.0", b"KEY 65 ", b"KEY 66 ", b"KEY 8 ", b"KEY 81 ")
    assert any("KEY?" in row for row in played.screens["asked"])
    assert any("* READY *" in row for row in played.screens["final"])
    assert 2 < played.seconds < 60


def test_the_log_of_a_game_that_goes_on_is_read() -> None:
    played = host().play(job(Type("AB"), Wait(60)))
    assert played.records == (b"TI99LOG 1 G 1.0", b"KEY 65 ", b"KEY 66 ")


def test_lines_that_ran() -> None:
    played = host().play(job(Type("Q"), Until()))
    assert played.lines == {100, 110, 120, 130, 140, 150, 160, 190, 200}


@pytest.mark.parametrize(
    ("steps", "problem"),
    [
        ([Until("NEVER")], "the program waits for a key, and never showed NEVER"),
        ([Type("Q"), Until("NEVER")], "the program ended, and never showed NEVER"),
        ([Type("X"), Until()], "the program stopped: BAD VALUE IN 170"),
        ([Type("AX"), Type("Q")], "the program stopped: BAD VALUE IN 170"),
    ],
    ids=["stuck", "ended", "error", "error before"],
)
def test_sessions_that_do_not_come_to_their_end(steps: list[Step], problem: str) -> None:
    assert host().play(job(*steps)).problem == problem


def test_a_limit_of_machine_time() -> None:
    busy = "100 FOR I=1 TO 1E9 :: PRINT I :: NEXT I\n"
    played = host().play(job(Until("NEVER"), source=busy, max_seconds=20))
    assert played.problem == "more than 20 seconds of machine time"
    assert played.records is None
    assert 20 <= played.seconds < 30


def test_the_host_is_always_there() -> None:
    assert (host().name, host().missing()) == ("virtual", "")


def test_who_is_asked_answers_before_the_script() -> None:
    source = '100 INPUT "SEED? ":S\n110 INPUT "NAME? ":N$\n120 PRINT S;N$\n'
    console = Console()
    console.load(Program.from_listing(source))
    console.start()
    answered: list[str] = []

    def answer(console: AnyConsole) -> None:
        if "SEED?" in console.screen.text and not answered:
            answered.append("7")
            console.type("7\n")

    player = ScriptPlayer(console, 60, answer)
    assert player.follow([Type("BOB\n")]).done
    assert player.to_end().done
    assert " 7 BOB" in console.screen.text


@pytest.mark.parametrize(
    ("source", "problem"),
    [
        ("100 CALL SPRITE(#1,65,2,9,9,5,0)", "more than 150 seconds of machine time"),
        ("100 A=1", "the program waits for a key"),
    ],
    ids=["moving", "still"],
)
def test_a_game_whose_sprites_move_goes_on_without_keys(source: str, problem: str) -> None:
    console = Console()
    console.load(Program.from_listing(source + "\n110 CALL KEY(0,K,S)\n120 GOTO 110\n"))
    console.start()
    assert str(ScriptPlayer(console, 150).to_end()) == problem
    assert (console.clock.seconds >= 150) == ("more" in problem)
