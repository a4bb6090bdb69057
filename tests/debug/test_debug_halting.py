"""A console that stops before statements: what stops it, and that stops change nothing."""

from collections.abc import Callable

import pytest

from tests.shipped import shipped
from ti99tools import Console, Program
from ti99tools.app.debug.halting import Halt, Halting
from ti99tools.app.debug.inspection import View
from ti99tools.app.debug.sources import StatementLines
from ti99tools.app.debug.stops import Breakpoint, Reach, StopReason
from ti99tools.computer.console.session import RunEnd

PROGRAMS = {
    "loop": "100 FOR I=1 TO 4\n110 A=A+I :: IF A>3 THEN A=A-3 ELSE B=B+1\n120 NEXT I\n"
    "130 PRINT A;B\n",
    "nested": "100 FOR I=1 TO 3 :: FOR J=1 TO 2 :: T=T+I*J :: NEXT J :: NEXT I :: PRINT T\n",
    "gosub": "100 FOR I=1 TO 2\n110 GOSUB 200\n120 NEXT I\n130 END\n200 PRINT I\n210 RETURN\n",
    "sub": "100 FOR I=1 TO 2\n110 CALL ADD(I,T)\n120 NEXT I\n130 PRINT T\n140 END\n"
    "200 SUB ADD(A,B)\n210 B=B+A\n220 SUBEND\n",
    "error": "100 ON ERROR 200\n110 A=1/0 :: PRINT SQR(-1) :: PRINT 5\n120 END\n200 RETURN NEXT\n",
    "sound": "100 CALL SOUND(100,440,2) :: CALL SOUND(50,880,2)\n110 CALL CLEAR :: PRINT RND\n",
    "def": "100 DEF F(X)=X*X\n110 FOR I=1 TO 3 :: A=F(A+I) :: NEXT I :: PRINT A\n",
    "while": "100 I=I+1 :: IF I<50 THEN 100\n110 PRINT I\n",
}


class Ridden:
    """A console with its halts."""

    def __init__(self, listing: str) -> None:
        self.halting = Halting(lambda execution: StatementLines(execution.listing, None, "program"))
        self.console = Console(step=self.halting.step)
        self.halting.console = self.console
        self.console.load(Program.from_listing(listing))
        self.console.start()

    def work(self) -> RunEnd | None:
        """Work to the next halt (None), or to the end."""
        try:
            return self.console.resume(seconds=60)
        except Halt as halt:
            self.halting.stand(halt)
            return None

    def line(self) -> int:
        """The number of the line where it stands."""
        assert self.halting.rule.book is not None
        assert self.halting.rule.spot is not None
        return self.halting.rule.book.line(self.halting.rule.spot).number


def ended(work: Callable[[], RunEnd | None], console: Console) -> tuple[int, list[str], bytes]:
    assert work() is not None
    return console.clock.cycles, console.screen.rows, bytes(console.sound.written)


@pytest.mark.parametrize("name", PROGRAMS)
def test_stops_change_neither_time_nor_anything_else(name: str) -> None:
    plain = Console()
    plain.load(Program.from_listing(PROGRAMS[name]))
    expected = ended(plain.run, plain)
    for pace in (Reach.STEP, Reach.OVER):
        ridden = Ridden(PROGRAMS[name])
        ridden.halting.go(pace)
        stops = 0
        while (end := ridden.work()) is None:
            stops += 1
            ridden.halting.go(pace)
        assert stops > 3
        assert end is RunEnd.READY

        def over(found: RunEnd = end) -> RunEnd:
            return found

        assert ended(over, ridden.console) == expected, (name, pace, stops)


def test_breakpoints_and_their_conditions() -> None:
    ridden = Ridden(PROGRAMS["loop"])
    ridden.halting.rule.points.add(Breakpoint("", 110, numbered=True, condition="I=3"), None)
    assert ridden.work() is None
    assert ridden.halting.stop is not None
    assert ridden.line() == 110
    assert ridden.halting.stop.reason is StopReason.BREAKPOINT
    assert ridden.console.variables["I"] == 3
    ridden.halting.go(Reach.RUN)
    assert ridden.work() is RunEnd.READY
    assert ridden.halting.stop is None


def test_paces_over_and_out_of_subroutines() -> None:
    ridden = Ridden(PROGRAMS["gosub"])
    ridden.halting.rule.points.add(Breakpoint("", 200, numbered=True), None)
    assert ridden.work() is None
    assert ridden.line() == 200
    view = View(ridden.halting)
    assert [level.name for level in view.stack] == ["GOSUB", "program"]
    assert view.variables() == {"I": 1}
    ridden.halting.go(Reach.OUT)
    assert ridden.work() is None
    assert ridden.line() == 120
    ridden.halting.rule.points.breakpoints.clear()
    ridden.halting.rule.points.arm(ridden.halting.rule.book)
    for expected in (110, 120):
        ridden.halting.go(Reach.OVER)
        assert ridden.work() is None
        assert ridden.line() == expected


def test_a_game_stopped_now_and_then_goes_on_the_same() -> None:
    built = shipped("d5000")
    times = []
    stopped = 0
    for stops in (False, True):
        halting = Halting(lambda execution: StatementLines(execution.listing, None, "program"))
        console = Console({"DSK1": built.image}, step=halting.step)
        halting.console = console
        console.boot()
        number = next(line.number for line in built.program.lines if line.number >= 100)
        if stops:
            halting.rule.points.add(Breakpoint("", number, numbered=True), None)
        while True:
            try:
                console.resume(seconds=40 - console.clock.seconds)
                break
            except Halt as halt:
                stopped += 1
                halting.stand(halt)
                halting.go(Reach.RUN)
        times.append((console.clock.cycles, console.screen.rows))
    assert times[0] == times[1]
    assert stopped
