"""When the keys of a script are given: where the program asks, and nowhere else."""

from __future__ import annotations

import pytest

from ti99tools import Console, Program
from ti99tools.computer.console.asking import LIVELY, LONG, QUIET, Look, Question
from ti99tools.computer.console.questions import deciding_names
from ti99tools.computer.interp.compile.units import Listing
from ti99tools.hardware.machine.clock import FRAME

QUESTION = """\
200 DISPLAY AT(1,1):"LETTER?"
210 CALL KEY(3,K,S)::IF S<1 THEN 210
220 A$=A$&CHR$(K)::N=N+1::IF N<3 THEN 110
230 END
"""
LOST = "IF S=1 THEN L$=L$&CHR$(K)"
SUBROUTINE = f"500 CALL KEY(3,K,S)::{LOST}\n510 RETURN\n"
BEFORE = {
    "one": f"110 CALL KEY(3,K,S)::{LOST}\n",
    "two": f"110 CALL KEY(3,K,S)::{LOST}\n120 CALL KEY(3,K,S)::{LOST}\n",
    "three": "".join(f"{n} CALL KEY(3,K,S)::{LOST}\n" for n in (110, 120, 130)),
    "one place, three times": f"110 FOR I=1 TO 3::CALL KEY(3,K,S)::{LOST}\n120 NEXT I\n",
    "a subroutine": f"110 GOSUB 500::GOSUB 500::GOSUB 500\n{SUBROUTINE}",
    "a counted loop": f"110 T=0\n120 CALL KEY(3,K,S)::{LOST}\n130 T=T+1::IF T<9 THEN 120\n",
    "a pause": f"110 FOR I=1 TO 60::CALL KEY(3,K,S)::{LOST}\n120 NEXT I\n",
    "a pause in parts": f"110 FOR J=1 TO 9::GOSUB 500::NEXT J\n{SUBROUTINE}",
    "sounds": "110 CALL SOUND(50,440,2)::CALL SOUND(50,440,2)\n",
    "joysticks": "110 CALL JOYST(1,X,Y)::CALL JOYST(2,X,Y)\n",
    "an element is counted": (
        "110 CALL WAIT(T(2),L$)::CALL WAIT(T(3),L$)\n500 SUB WAIT(T,L$)::T=0\n"
        f"510 CALL KEY(3,K,S)::{LOST}\n520 T=T+1::IF T<9 THEN 510\n530 SUBEND\n"
    ),
    "the other half": f"110 CALL KEY(1,K,S)::{LOST}\n120 CALL KEY(2,K,S)::{LOST}\n",
}
"""What a program does before its question. LOST keeps the keys that it takes there."""


def program(before: str) -> Program:
    """The program with its subroutine at the end."""
    lines = [*before.splitlines(), *QUESTION.splitlines(), "100 CALL CLEAR"]
    return Program.from_listing("\n".join(sorted(lines)) + "\n")


def answered(console: Console, before: str) -> tuple[str, str]:
    """The keys that the question got, and those that something before it took."""
    console.load(program(before))
    console.start()
    console.type("ABC")
    console.wait(30)
    lost = console.variables["L$"] if "L$" in before else ""
    return str(console.variables["A$"]), str(lost)


@pytest.mark.parametrize("before", BEFORE.values(), ids=BEFORE)
def test_only_the_question_gets_the_keys(before: str) -> None:
    assert answered(Console(max_seconds=60), before) == ("ABC", "")


@pytest.mark.parametrize("name", ["two", "three", "a subroutine", "a pause"])
def test_without_the_rule_they_are_lost(name: str) -> None:
    console = Console(max_seconds=60)
    console.machine.keyboard.ask(None)
    assert answered(console, BEFORE[name])[0] != "ABC"


def run_keys(listing: str, keys: str = "ABC", seconds: float = 60) -> tuple[str, float]:
    """The keys in A$ of a program, and the machine time that it took."""
    console = Console(max_seconds=seconds)
    console.load(Program.from_listing(listing))
    console.start()
    console.type(keys)
    console.wait(30)
    return str(console.variables["A$"]), console.clock.seconds


def test_a_game_in_motion_asks_all_the_time() -> None:
    moving = "100 C=C+1::CALL HCHAR(5,1+C-32*INT(C/32),42)::CALL KEY(3,K,S)::IF S<1 THEN 100\n"
    got, seconds = run_keys(moving + "110 A$=A$&CHR$(K)::GOTO 100\n")
    assert got == "ABC"
    assert seconds < 6


def test_a_question_that_blinks_is_one() -> None:
    blinking = "100 B=B+1::IF B>9 THEN B=0::CALL HCHAR(2,2,72-C)::C=40-C\n110 CALL KEY(3,K,S)\n"
    got, seconds = run_keys(blinking + "120 IF S<1 THEN 100 ELSE A$=A$&CHR$(K)::GOTO 100\n")
    assert got == "ABC"
    assert seconds < 6


def test_a_pause_that_does_not_end_is_a_question() -> None:
    endless = (
        "100 FOR I=1 TO 1E9::CALL KEY(3,K,S)::IF S<1 THEN 120\n110 A$=A$&CHR$(K)\n120 NEXT I\n"
    )
    got, seconds = run_keys(endless)
    assert got == "ABC" and 20 < seconds < 24, "the first key waits, the others do not"


def test_keyboard_and_joystick_in_turn() -> None:
    turns = "100 CALL KEY(3,K,S)::IF S=1 THEN A$=A$&CHR$(K)\n110 CALL JOYST(1,X,Y)\n"
    assert run_keys(turns + "120 CALL KEY(1,J,T)::GOTO 100\n", "1B")[0] == "1B"


def test_a_loop_that_takes_turns_asks_too() -> None:
    """As the arcade does: TURN decides which part of the joystick is looked at."""
    turns = "100 CALL KEY(3,K,S)::IF S=1 THEN A$=A$&CHR$(K)\n110 T=1-T::IF T THEN 130\n"
    got, seconds = run_keys(
        turns + "120 CALL KEY(1,J,V)::GOTO 100\n130 CALL JOYST(1,X,Y)::GOTO 100\n"
    )
    assert got == "ABC"
    assert seconds < 6


def test_a_tap_is_seen_by_whoever_looks() -> None:
    console = Console(max_seconds=60)
    console.load(program(BEFORE["a pause"]))
    console.start()
    console.tap("A")
    assert console.variables["L$"] == "A"


def test_what_a_decision_depends_on() -> None:
    listing = Program.from_listing(
        "100 CALL KEY(3,K,S)::Q=Q+1::IF K=B OR T(1)>C THEN 120 ELSE X=Y\n"
        '110 ON G GOTO 100,120::CALL JOYST(1,X,Y)::IF X+A$="Z" THEN 100\n120 END\n'
    )
    assert deciding_names(Listing(listing.lines)) == {"B", "T", "C", "G", "A$"}


def looks(*steps: tuple[int, int, int]) -> list[bool]:
    """The answers to looks, given as place, frames since the one before, and sight."""
    question, cycle, answers = Question(), 0, []
    for place, frames, sight in steps:
        cycle += frames * FRAME
        answers.append(question.asks(Look(place, cycle, sight)))
    return answers


def test_rounds_count_from_the_look_before_at_the_same_place() -> None:
    quiet = [(1, 2, 0)] * (QUIET + 1)
    assert looks(*quiet) == [False] * QUIET + [True]
    between = [step for one in quiet for step in (one, (2, 2, 0))]
    assert looks(*between).index(True) == 2 * QUIET
    changing = [(1, 90, n) for n in range(30)]
    assert not any(looks(*changing)), "single looks, something is shown between them"
    lively = [(1, 3, n) for n in range(LIVELY + 1)]
    assert looks(*lively) == [False] * LIVELY + [True]


def test_a_key_starts_the_count_anew() -> None:
    question = Question()
    answers = []
    for n in range(2 * QUIET + 2):
        answers.append(question.asks(Look(1, n * FRAME, 0)))
        if answers[-1]:
            question.forget()
    assert [n for n, asks in enumerate(answers) if asks] == [QUIET, 2 * QUIET + 1]


def test_a_loop_that_stays_long_enough_is_one_from_then_on() -> None:
    question, loop = Question(), object()

    def look(n: int) -> bool:
        return question.asks(Look(1, n * 30 * FRAME, 0, ((loop, n),)))

    first = next(n for n in range(100) if look(n))
    assert first == LONG // 30
    question.forget()
    assert [look(first + n) for n in (1, 2)] == [False, True]
