"""Keys that a script holds: in a compiled program they go down as long after its first look."""

from typing import Any

import pytest

from ti99tools.compiler.pace import Pace
from ti99tools.computer.console.session import Console
from ti99tools.games.conformance.as_cartridge import compiled_case, differing
from ti99tools.games.conformance.in_step import beginning
from ti99tools.games.conformance.playback import play

SOURCE = """\
100 CALL CLEAR
110 PRINT "GO"
120 CALL KEY(0,K,S)::IF S=1 THEN A$=A$&CHR$(K)
130 CALL SOUND(150,440,9)
140 T=T+1::IF T<22 THEN 120
150 PRINT A$
"""


def case_with(*steps: dict[str, Any]) -> dict[str, Any]:
    """A case as our console plays it in Extended BASIC."""
    script = [{"until": {"text": "GO"}}, *steps, {"until": "ready"}]
    case: dict[str, Any] = {"id": "keys", "source": SOURCE.splitlines(), "script": script}
    case["expect"] = {"final": {"rows": play(case).final.rows}}
    return case


@pytest.mark.parametrize(("first", "found"), [(22, ""), (28, "ABCD")])
def test_rounds_find_the_same_keys(first: int, found: str) -> None:
    """A round takes ten frames. Only keys of three of them are new to CALL KEY, not to the tone."""
    steps: list[dict[str, Any]] = [{"wait": first}]
    for key in "ABCD":
        steps += [{"down": key}, {"wait": 14}, {"up": key}, {"wait": 26}]
    case = case_with(*steps)
    rows = [row.strip(" \x1f") for row in case["expect"]["final"]["rows"]]
    assert ("ABCD" in rows) == bool(found)
    assert differing(case, compiled_case(case, pace=Pace.BASIC)) == []


def test_other_scripts_are_played_as_they_are() -> None:
    case = case_with({"wait": 9})
    assert beginning(case, Console) is None
