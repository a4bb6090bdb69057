"""Names in a PROC: its parameters and locals are called as in the source."""

from pathlib import Path

import pytest

from tests.debug.dapclient import Client
from tests.debug.debugsession import answers, recipe
from ti99tools import Console, Program
from ti99tools.app.debug.debugging import Recipe
from ti99tools.app.run import RunRequest
from ti99tools.base.errors import TIError
from ti99tools.computer.console.variables import UnknownVariable
from ti99tools.language.listing.sourcemap import Routine, SourceNames

TWO = """K=5
CALL FOO(3)
CALL BAR(7)
PRINT K
PROC FOO(N)
  LOCAL K,A(2)
  K=N*2
  A(1)=K
  PRINT K
END PROC
PROC BAR(N)
  GOSUB inner
  EXIT PROC
  inner:
  PRINT N;K
  RETURN
END PROC
SUB OTHER(N)
  PRINT N
SUBEND
"""
"""K is a variable of the program and a local, N a parameter of two PROCs, A one PROC's own."""


def test_a_name_means_what_it_means_in_the_line(tmp_path: Path) -> None:
    replies = answers(
        recipe(tmp_path / "two.xb", TWO),
        "break :9 if N=3",
        "continue",
        "print K",
        "print N+A(1)",
        "watch K",
        "vars",
        "break :15",
        "continue",
        "print K",
        "print foo.k",
        "vars N",
        "where",
    )
    assert replies[2][0] == "a breakpoint: breakpoint 1, N=3"
    assert replies[2][1].rpartition("/")[2].startswith("two.xb:9 in PROC FOO, ")
    assert (replies[3], replies[4]) == (["K = 6"], ["N+A(1) = 9"])
    assert replies[5] == ["watching K (PROC FOO) = 6"]
    assert replies[6] == ["  A(1) = 6", "  BAR.N = 0", "  K = 6", "  N = 3"]
    assert replies[8][-1] == "  K (PROC FOO) = 6"
    assert (replies[9], replies[10]) == (["K = 5"], ["foo.k = 6"])
    assert replies[11] == ["  FOO.N = 3", "  N = 7"]
    levels = [row.rpartition(") ")[2] for row in replies[12]]
    assert levels == ["GOSUB", "PROC BAR", "program"]


def test_the_condition_of_a_breakpoint_names_variables_of_procs(tmp_path: Path) -> None:
    replies = answers(
        recipe(tmp_path / "two.xb", TWO),
        "break :9 if LOST.K>3",
        "break :9 if FOO.K>",
        "points",
        "break :9 if FOO.K>3",
        "continue",
    )
    assert replies[1][0].startswith("LOST.K: there is no PROC LOST; ")
    assert replies[2][0].startswith("FOO.K> is not an expression")
    assert replies[3][0].startswith("no breakpoints"), "nothing of the refused ones stays"
    assert replies[5][0] == "a breakpoint: breakpoint 1, FOO.K>3"


def test_names_of_procs_outside_of_them(tmp_path: Path) -> None:
    replies = answers(
        recipe(tmp_path / "two.xb", TWO),
        "print N",
        "print A(1)",
        "print FOO.X",
        "print LOST.N",
        "print M",
    )
    assert replies[1] == ["N is a variable of the PROCs FOO and BAR; write FOO.N or BAR.N"]
    assert replies[2] == ["A(1) = 0"]
    assert replies[3] == ["the PROC FOO has no variable X; its own are N, K, A"]
    assert replies[4][0].startswith("LOST.N: there is no PROC LOST; ")
    assert replies[5] == ["the program has no variable M"]


IN_A_SUB = (
    "CALL FOO(3)\nCALL OTHER(1)\nPROC FOO(N)\n  PRINT N\nEND PROC\nSUB OTHER(M)\n  STOP\nSUBEND\n"
)


def test_a_sub_does_not_see_variables_of_procs(tmp_path: Path) -> None:
    replies = answers(
        recipe(tmp_path / "sub.xb", IN_A_SUB),
        "break :7",
        "continue",
        "print FOO.N",
        "print LOST.N",
        "print N",
        "vars",
    )
    assert replies[3][0].startswith("FOO.N: the program is in SUB OTHER, which does not see var")
    assert replies[4][0].startswith("LOST.N: there is no PROC LOST; ")
    assert (replies[5], replies[6]) == (["SUB OTHER has no variable N"], ["  M = 1"])
    console = Console()
    console.load(Program.from_source(IN_A_SUB))
    console.run()
    assert dict(console.variables) == {"M": 1}
    with pytest.raises(UnknownVariable, match="the program is in SUB OTHER"):
        console.variables["FOO.N"]


def test_a_function_keeps_the_names_of_the_program(tmp_path: Path) -> None:
    text = "DEF F(X)=X+K\nK=5\nCALL FOO\nPROC FOO\n  LOCAL K\n  K=1\n  PRINT F(K)\nEND PROC\n"
    replies = answers(recipe(tmp_path / "def.xb", text), "break :7", "continue", "print F(K)")
    assert replies[3] == ["F(K) = 6"]


def test_names_of_procs_in_an_optimized_game(tmp_path: Path) -> None:
    (tmp_path / "g.xb").write_text(TWO)
    (tmp_path / "game.toml").write_text(
        'title="G"\nversion="1"\nsource="g.xb"\nprogram="G"\ndisk="G"\n'
    )
    replies = answers(
        Recipe.of(str(tmp_path), RunRequest()), "break :9", "continue", "print K", "vars N"
    )
    assert (replies[3], replies[4]) == (["K = 6"], ["  BAR.N/K/N = 6"]), "they share one"


def test_a_name_that_the_optimizer_gave_is_not_taken_for_one_of_the_source() -> None:
    fall = Routine(name="FALL", own={"N": "N_1"}, rows=frozenset())
    renamed, known = {"N_1": "Q", "SCORE": "N", "TOTAL": "M"}, ("N", "M", "Q", "KEPT")
    names = SourceNames([fall], renamed)
    assert names.meant("N", known) == "Q", "FALL's, not SCORE"
    assert [names.meant(name, known) for name in ("SCORE", "KEPT", "LOST")] == ["N", "KEPT", "LOST"]
    with pytest.raises(TIError, match="M is no name of the source; write TOTAL, which is M"):
        names.meant("M", known)
    assert SourceNames([], {"N": "N", "SCORE": "N"}).meant("N", known) == "N", "they share it"


def test_an_editor_shows_the_variables_of_a_proc_apart(tmp_path: Path) -> None:
    path = tmp_path / "two.xb"
    path.write_text(TWO)
    with Client() as client:
        client.launch({str(path): [{"line": 9, "condition": "FOO.K>3"}]}, program=str(path))
        assert client.stop() == ("breakpoint", "two.xb:9")
        scopes = client.ask("scopes", frameId=1)["scopes"]
        names = {
            scope["name"]: {
                row["name"]: row["value"]
                for row in client.ask("variables", variablesReference=scope["variablesReference"])[
                    "variables"
                ]
            }
            for scope in scopes
        }
        own = {"N": "3", "K": "6", "A()": "3 elements"}
        assert names["Variables of PROC FOO"] == own
        assert names["Variables"] == {"BAR.N": "0"}
        assert client.ask("evaluate", expression="K", frameId=1)["result"] == "6"
        assert client.ask("evaluate", expression="K", frameId=2)["result"] == "5"
        watched = client.ask("dataBreakpointInfo", name="K")["dataId"]
        assert watched == "K (PROC FOO)"
        assert client.ask("dataBreakpointInfo", name="K", frameId=2)["dataId"] == "K"
        outer = client.ask("scopes", frameId=2)["scopes"][0]["variablesReference"]
        found = client.ask("dataBreakpointInfo", name="K", variablesReference=outer, frameId=1)
        assert found["dataId"] == "K"
        array = client.ask("evaluate", expression="A", frameId=1)["variablesReference"]
        found = client.ask("dataBreakpointInfo", name="A(1)", variablesReference=array)
        assert found["dataId"] == "A(1) (PROC FOO)"
        stale = client.ask("dataBreakpointInfo", name="K", variablesReference=99)
        assert stale["dataId"] is None
        assert "has gone on" in stale["description"]
        client.ask("setDataBreakpoints", breakpoints=[{"dataId": watched}])
        client.ask("reverseContinue", threadId=1)
        assert "K (PROC FOO): 0 to 6" in client.event("stopped")["description"]


def test_variables_of_tests_are_called_as_in_the_source() -> None:
    console = Console()
    console.load(Program.from_source(TWO))
    console.run()
    values = console.variables
    assert (values["K"], values["FOO.K"], values["FOO.N"], values["BAR.N"]) == (5, 6, 3, 7)
    assert values["A(1)"] == values["FOO.A(1)"] == 6
    assert dict(values) == {"K": 5, "FOO.K": 6, "FOO.N": 3, "BAR.N": 7}
    assert "FOO.A()" in values.everything()
    values["FOO.K"] = 1
    assert (values["FOO.K"], values["K"]) == (1, 5)
    with pytest.raises(UnknownVariable, match="PROCs FOO and BAR; write FOO"):
        values["N"]
    with pytest.raises(UnknownVariable, match="FOO has no variable X"):
        values["FOO.X"]


def test_an_error_shows_the_names_of_the_proc(tmp_path: Path) -> None:
    from click.testing import CliRunner

    from ti99tools.fronts.cli.main import cli

    (tmp_path / "e.xb").write_text('CALL FOO(9)\nPROC FOO(N)\n  PRINT SEG$("A",N,-N)\nEND PROC\n')
    result = CliRunner().invoke(cli, ["run", str(tmp_path / "e.xb")])
    assert "N=9" in result.output
    assert "N_1" not in result.output


def test_an_error_tells_the_variables_of_a_proc_from_those_of_its_caller(tmp_path: Path) -> None:
    from click.testing import CliRunner

    from ti99tools.fronts.cli.main import cli

    (tmp_path / "e.xb").write_text(
        "N=7\nM=-5\nCALL P(SQR(M)+N,M)\nPROC P(M,N)\n  PRINT M,N\nEND PROC\n"
    )
    result = CliRunner().invoke(cli, ["run", str(tmp_path / "e.xb")])
    assert "with P.M=0, M=-5, N=7, P.N=0" in result.output
