"""The Debug Adapter, asked by a client as an editor does."""

import io
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.debug.dapclient import COMMAND, Client
from tests.debug.debugsession import BUG
from ti99tools import Program
from ti99tools.base.errors import ScriptError
from ti99tools.fronts.wire import read_request, write


@pytest.fixture
def client() -> Iterator[Client]:
    with Client() as new_client:
        yield new_client


@pytest.fixture
def bug(tmp_path: Path) -> str:
    path = tmp_path / "bug.xb"
    path.write_text(BUG)
    return str(path)


def test_stepping_back_over_a_bug(client: Client, bug: str) -> None:
    client.launch({bug: [9]}, program=bug)
    assert client.stop() == ("breakpoint", "bug.xb:9")
    assert client.variables()["BEST"] == "9.99999E+**"
    assert client.ask("dataBreakpointInfo", name="BEST")["dataId"] == "BEST"
    client.ask("setDataBreakpoints", breakpoints=[{"dataId": "BEST"}])
    client.ask("reverseContinue", threadId=1)
    body = client.event("stopped")
    assert body["reason"] == "data breakpoint"
    assert "BEST: 100 to 9.99999E+**, by this statement" in body["description"]
    assert client.go("stepBack") == ("step", "bug.xb:14")
    assert client.go("stepBack") == ("step", "bug.xb:13")
    assert client.ask("evaluate", expression="4-I", context="watch")["result"] == "0"
    frames = client.ask("stackTrace", threadId=1)["stackFrames"]
    assert [frame["name"] for frame in frames] == ["GOSUB (line 110)", "program (line 100)"]
    assert frames[1]["line"] == 5
    assert frames[0]["source"]["path"] == bug
    client.ask("setDataBreakpoints", breakpoints=[])
    assert client.go("continue") == ("breakpoint", "bug.xb:9")
    assert client.go("continue")[0] == "pause"
    client.ask("continue", threadId=1)
    client.event("terminated")


def test_a_value_is_set(client: Client, bug: str) -> None:
    client.launch({bug: [15, 20]}, program=bug)
    client.stop()
    found = client.ask("setVariable", variablesReference=0, name="S", value="4*I+3")
    assert found["value"] == "7"
    assert client.go("stepIn")[1] == "bug.xb:17"
    assert client.variables()["BEST"] == "7"
    assert client.go("continue")[1] == "bug.xb:20"
    client.ask("stackTrace", threadId=1)
    outer = client.ask("scopes", frameId=2)["scopes"][0]["variablesReference"]
    refused = client.refused("setVariable", variablesReference=outer, name="BEST", value="1")
    assert "step out first" in refused
    assert client.go("reverseContinue")[1] == "bug.xb:15"
    assert client.variables()["S"] == "7"


def test_a_later_basic_in_the_launch_configuration(client: Client, tmp_path: Path) -> None:
    path = tmp_path / "later.xb"
    path.write_text("CALL HEX(255,A$)\nPRINT A$\n")
    client.launch({str(path): [2]}, program=str(path), basic="rxb")
    assert client.stop() == ("breakpoint", "later.xb:2")
    assert client.variables()["A$"] == '"00FF"'


def test_steps(client: Client, bug: str) -> None:
    client.launch(program=bug, stopOnEntry=True)
    assert client.stop() == ("entry", "bug.xb:3")
    places = [
        client.go(order)[1]
        for order in (
            "next",
            "next",
            "next",
            "stepIn",
            "stepIn",
            "stepOut",
            "stepBack",
            "reverseContinue",
        )
    ]
    assert places == [
        "bug.xb:4",
        "bug.xb:5",
        "bug.xb:6",
        "bug.xb:7",
        "bug.xb:20",
        "bug.xb:8",
        "bug.xb:22",
        "bug.xb:3",
    ]


def test_scopes_of_a_sub_and_of_its_caller(client: Client, bug: str) -> None:
    client.launch({bug: [20]}, program=bug)
    assert client.stop()[1] == "bug.xb:20"
    assert client.variables(0) == {"ROUND": "1", "POINTS": "33", "T": "0"}
    outer = client.variables(1)
    assert outer["S"] == "33"
    assert outer["HIGH()"] == "7 elements"
    assert client.ask("evaluate", expression="HIGH(1)+1", frameId=2)["result"] == "34"
    array = client.ask("evaluate", expression="high", frameId=2)
    rows = client.ask("variables", variablesReference=array["variablesReference"])["variables"]
    assert [(row["name"], row["value"]) for row in rows[:2]] == [
        ("HIGH(0)", "0"),
        ("HIGH(1)", "33"),
    ]
    assert list(client.variables(0, scope=1)) == [f"{n:02}" for n in range(1, 25)]


def test_breakpoints_are_verified_moved_and_refused(client: Client, bug: str) -> None:
    client.ask("initialize")
    client.send("launch", program=bug)
    client.event("initialized")
    found = client.ask(
        "setBreakpoints",
        source={"path": bug},
        breakpoints=[
            {"line": 12},
            {"line": 15, "condition": "I=2"},
            {"line": 99},
            {"line": 15, "condition": "I+"},
        ],
    )["breakpoints"]
    assert [(one["verified"], one.get("line")) for one in found] == [
        (True, 13),
        (True, 15),
        (False, None),
        (False, None),
    ]
    assert "lines with statements are 3 to 22" in found[2]["message"]
    assert "I+ is not an expression" in found[3]["message"]
    client.ask(
        "setBreakpoints", source={"path": bug}, breakpoints=[{"line": 15, "condition": "I=2"}]
    )
    client.ask("configurationDone")
    assert client.stop() == ("breakpoint", "bug.xb:15")
    assert client.ask("evaluate", expression="I")["result"] == "2"


def test_an_error_is_an_exception_and_can_be_left_backwards(client: Client, tmp_path: Path) -> None:
    path = tmp_path / "p.xb"
    path.write_text("FOR I=1 TO 3\n  CALL HCHAR(3-I,1,65)\nNEXT I\n")
    client.launch(program=str(path))
    body = client.event("stopped")
    assert body["reason"] == "exception"
    assert "BAD VALUE" in body["text"]
    assert client.go("stepBack") == ("step", "p.xb:2")
    assert client.ask("evaluate", expression="3-I")["result"] == "0"


@pytest.mark.parametrize("keys", ["BOB\n", "BOB\\n"])
def test_keys_from_the_configuration(client: Client, tmp_path: Path, keys: str) -> None:
    path = tmp_path / "p.xb"
    path.write_text("INPUT N$\nPRINT N$\n")
    client.launch({str(path): [2]}, program=str(path), keys=keys)
    assert client.stop() == ("breakpoint", "p.xb:2")
    assert client.variables()["N$"] == '"BOB"'


def test_keys_from_the_console(client: Client, tmp_path: Path) -> None:
    path = tmp_path / "p.xb"
    path.write_text('INPUT "NAME? ":N$\nPRINT "HI ";N$\n')
    client.launch(program=str(path))
    assert "type BOB\\n" in client.event("stopped")["description"]
    assert "NAME?" in client.ask("evaluate", expression="screen", context="repl")["result"]
    client.ask("evaluate", expression=r"type BOB\n", context="repl")
    assert client.stop()[0] == "pause"
    assert client.variables()["N$"] == '"BOB"'


def test_pause_and_breakpoints_while_it_runs(client: Client, tmp_path: Path) -> None:
    path = tmp_path / "p.xb"
    path.write_text("again:\nN=N+1\nIF N<9999999 THEN again\nPRINT N\n")
    client.launch(program=str(path), maxSeconds=1000000)
    assert "pause it first" in client.refused("stackTrace", threadId=1)
    assert "pause it first" in client.refused("next", threadId=1)
    client.ask("pause", threadId=1)
    assert client.stop()[0] == "pause"
    client.ask("continue", threadId=1)
    client.ask("setBreakpoints", source={"path": str(path)}, breakpoints=[{"line": 2}])
    assert client.stop() == ("breakpoint", "p.xb:2")
    client.ask("setBreakpoints", source={"path": str(path)}, breakpoints=[])
    client.ask("continue", threadId=1)
    client.ask("disconnect")
    client.event("terminated")


def test_without_debugging_it_runs_to_its_end(client: Client, bug: str) -> None:
    client.launch({bug: [13]}, program=bug, noDebug=True, stopOnEntry=True)
    assert "the program ended" in client.event("output")["output"]
    client.event("terminated")
    assert client.event("exited")["exitCode"] == 0


def test_restart(client: Client, bug: str) -> None:
    client.launch({bug: [{"line": 13, "condition": "I=3"}]}, program=bug)
    assert client.stop() == ("breakpoint", "bug.xb:13")
    assert client.go("restart") == ("breakpoint", "bug.xb:13")
    assert client.ask("evaluate", expression="I")["result"] == "3"


def test_a_program_without_a_source(client: Client, tmp_path: Path) -> None:
    path = tmp_path / "p.bin"
    path.write_bytes(Program.from_listing("100 A=1\n110 B=2\n").to_program_bytes())
    client.launch(program=str(path), stopOnEntry=True)
    client.event("stopped")
    (frame,) = client.ask("stackTrace", threadId=1)["stackFrames"]
    content = client.ask("source", sourceReference=frame["source"]["sourceReference"])["content"]
    assert content.splitlines()[frame["line"] - 1] == "100 A=1"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({}, 'add "program": "game.xb"'),
        ({"program": "none.xb"}, "no such file"),
        ({"program": 7}, "program in the launch configuration is 7; it is written as a text"),
        ({"program": "BUG", "seed": True}, "seed in the launch configuration is True"),
        ({"program": "BUG", "stopOnEntri": True}, "did you mean stopOnEntry?"),
        ({"program": "BUG", "disks": {"DSK2": "none.dsk"}}, "none.dsk"),
        ({"program": "BUG", "script": "none.keys"}, "none.keys"),
        ({"program": "BUG", "seed": 3}, "asks for no seed"),
        ({"program": "BUG", "cwd": "/none"}, "cwd /none: No such file"),
        ({"program": "BUG", "start": "X"}, "not a disk image"),
    ],
)
def test_a_wrong_launch_configuration_says_what_to_do(
    client: Client, bug: str, arguments: dict[str, object], says: str
) -> None:
    client.ask("initialize")
    if arguments.get("program") == "BUG":
        arguments = {**arguments, "program": bug}
    assert says in client.refused("launch", **arguments)


def test_requests_that_cannot_be_answered(client: Client, bug: str) -> None:
    client.ask("initialize")
    assert 'use "request": "launch"' in client.refused("attach")
    assert "nothing was launched" in client.refused("setBreakpoints", source={"path": bug})
    client.launch(program=bug, stopOnEntry=True)
    client.stop()
    assert "gotoTargets is not supported" in client.refused("gotoTargets")
    assert "holds numbers" in client.refused("setVariable", name="I", value='"X"')
    assert "wrong arguments" in client.refused("scopes")
    assert "did you mean BEST?" in client.refused("evaluate", expression="BESTT")
    assert "the program has gone on" in client.refused("variables", variablesReference=77)
    assert client.go("stepBack")[0] == "entry"


def test_messages_that_are_none() -> None:
    out = io.BytesIO()
    write(out, {"seq": 1})
    assert read_request(io.BytesIO(out.getvalue())) == {"seq": 1}
    assert read_request(io.BytesIO()) is None
    for wrong in (
        b"hello\n",
        b"Content-Length: x\r\n\r\n",
        b"Content-Length: 3\r\n\r\n{x}",
        b"Content-Length: 2\r\n\r\n[]",
    ):
        with pytest.raises(ScriptError, match="Debug Adapter Protocol; this is for editors"):
            read_request(io.BytesIO(wrong))


def test_somebody_who_is_no_editor_is_told() -> None:
    with Client([*COMMAND]) as person:
        assert person.process.stdin is not None
        assert person.process.stderr is not None
        person.process.stdin.write(b"break 12\n")
        person.process.stdin.flush()
        assert person.process.wait(20) == 2
        assert b"this is for editors" in person.process.stderr.read()


def test_json_is_all_that_is_written(client: Client, bug: str) -> None:
    client.launch(program=bug)
    client.event("stopped")
    assert all(json.dumps(event) for event in client.events)
