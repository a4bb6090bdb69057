"""Sessions of commands: what they are made of, and that what is checked of them can fail."""

from random import Random

import pytest

from tests.fuzz import export
from tests.fuzz.fuzzcore import Attempt, Fault
from tests.fuzz.fuzzprograms import is_taken
from tests.fuzz.fuzzsessions import check_memory, check_new, check_run, left_by, played, states
from tests.fuzz.fuzzstates import GENTLE, HARSH, LOOKS, STATEMENTS, Session, session
from ti99tools import Console
from ti99tools.computer.console import forgetting
from ti99tools.computer.console.forgetting import FORGOTTEN, ProgramState, Transition
from ti99tools.computer.interp.run.execution import Execution
from ti99tools.language.prescan.symbols import MemoryTaken

RANDOM = Session(("100 RANDOMIZE 5::ON WARNING NEXT", "110 PRINT RND"), ("TRACE", "PRINT RND;"))


def keep(monkeypatch: pytest.MonkeyPatch, way: Transition, part: ProgramState) -> None:
    """Have a way of starting or ending keep one part more."""
    table = {**FORGOTTEN, way: tuple(one for one in FORGOTTEN[way] if one is not part)}
    monkeypatch.setattr(forgetting, "FORGOTTEN", table)


def twins(session: Session) -> tuple[Console, Console]:
    return played(session, "whole", Random(1)), played(session, "whole", Random(1))


def test_sessions_are_made_of_all_that_there_is() -> None:
    sessions = [session(Random(seed)) for seed in range(400)]
    typed = {line for one in sessions for line in one.typed}
    assert {*GENTLE, *HARSH, *LOOKS, *STATEMENTS} <= typed
    lines = [line for one in sessions for line in one.source]
    assert sum(map(is_taken, lines)) > 0.95 * len(lines)


@pytest.mark.parametrize("part", [ProgramState.RND, ProgramState.ROW])
def test_a_run_that_keeps_too_much_is_noticed(
    monkeypatch: pytest.MonkeyPatch, part: ProgramState
) -> None:
    check_run(*twins(RANDOM))
    keep(monkeypatch, Transition.RUN, part)
    with pytest.raises(Fault, match="RUN after the session"):
        check_run(*twins(Session(("100 PRINT RND",), (*RANDOM.typed, "PRINT RND;"))))


def test_a_run_that_keeps_options_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    session = Session(("100 PRINT 1/0", "110 ON WARNING NEXT"), ())
    check_run(*twins(session))
    keep(monkeypatch, Transition.RUN, ProgramState.OPTIONS)
    with pytest.raises(Fault, match="RUN after the session"):
        check_run(*twins(session))


# Options that NEW kept would not show: typed lines warn whatever they say, and RUN sets them anew.
@pytest.mark.parametrize(
    "part", [ProgramState.TRACE, ProgramState.RND, ProgramState.TEXT, ProgramState.PROGRAM]
)
def test_a_new_that_keeps_too_much_is_noticed(
    monkeypatch: pytest.MonkeyPatch, part: ProgramState
) -> None:
    check_new(*twins(RANDOM))
    keep(monkeypatch, Transition.NEW, part)
    with pytest.raises(Fault, match="after the session's NEW"):
        check_new(*twins(RANDOM))


def test_a_name_counted_twice_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    console, _ = twins(RANDOM)
    console.command("A=5")
    check_memory(console)
    monkeypatch.setattr(MemoryTaken, "built_in", lambda taken, name: taken.take(1))
    console.command("CALL CLEAR")
    with pytest.raises(Fault, match="counted"):
        check_memory(console)


def test_a_form_that_ends_otherwise_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    one = Attempt(Random("states 3"))
    states(one)
    at_line = Execution.at_line

    def scrolling(execution: Execution, number: int, index: int) -> None:
        execution.rt.machine.screen.scroll()
        at_line(execution, number, index)

    monkeypatch.setattr(Execution, "at_line", scrolling)
    session = Session(("100 PRINT 1", "110 PRINT 2"), ())
    plain, careful = (left_by(played(session, form, Random(1))) for form in ("whole", "careful"))
    assert plain.differences(careful).startswith("rows")


def test_exported_sessions_stay_clear_of_what_the_machine_does_not_survive() -> None:
    for seed in range(3):
        case = export.case_of("states", seed)
        assert case["area"] == "random-states"
        assert {"X", "BAD", "M", "D"} <= case["disk_in"].keys()
        assert any(step.get("type", "").strip() for step in case["script"])
    astray = Session(("100 BREAK",), ("RETURN", "CON"))
    assert played(astray, "whole", Random(1)).remarks
