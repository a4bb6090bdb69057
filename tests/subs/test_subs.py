"""SUBs that are compiled do what they do in BASIC: values, errors, what they leave untouched."""

from pathlib import Path

import pytest

from tests.subs.provedsubs import PROVED
from tests.subs.subforms import Proved, loaded, pads
from ti99tools.base.errors import SourceError, TIError
from ti99tools.computer.console.session import Console

COUNT = """CALL INIT
CALL COUNT(N)
CALL COUNT(N)
PRINT "FIRST";N
BREAK
CALL COUNT(N)
PRINT "AGAIN";N
END
SUB COUNT(N) COMPILED
  RANGE HERE=0 TO 999
  HERE=HERE+1
  N=HERE
SUBEND
"""
FREE = {
    *range(0x00, 0x18), *range(0x1C, 0x24), *range(0x2A, 0x2E), *range(0x48, 0x6E),
    *range(0x7C, 0x7E), *range(0x90, 0xC0), *range(0xE0, 0xFA),
}  # fmt: skip
"""Bytes of the scratch pad that a LINK may change (measured), with LINK's own workspace.

The last two are among those that the console's functions change, which a LINK may call.
"""
INTERRUPT = {0x79, 0x7B, *range(0xD6, 0xD8), *range(0xDA, 0xE0)}
"""Bytes that the console's interrupt changes."""


@pytest.mark.parametrize("sub", PROVED, ids=lambda sub: sub.name)
def test_both_forms_do_the_same_and_change_only_what_they_may_of_the_scratch_pad(
    sub: Proved, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = pads(monkeypatch)
    assert sub.differ(tmp_path, 6) == []
    assert len(found) >= 6
    for before, after in found:
        changed = {at for at in range(256) if before[at] != after[at]}
        assert changed <= FREE | INTERRUPT, sorted(map(hex, changed - FREE))


@pytest.mark.slow
@pytest.mark.parametrize("sub", PROVED, ids=lambda sub: sub.name)
def test_both_forms_do_the_same_in_many_cases(sub: Proved, tmp_path: Path) -> None:
    assert sub.differ(tmp_path, 300, seed=7) == []


def shown(console: Console) -> list[str]:
    return [row.strip() for row in console.screen.rows if row.strip()]


def test_variables_last_from_call_to_call_run_clears_them_and_con_keeps_them() -> None:
    console = loaded(COUNT)
    console.run()
    assert "FIRST 2" in shown(console)
    console.type("CON\n")
    console.wait(200)
    assert "AGAIN 3" in shown(console)
    console.type("RUN\n")
    console.wait(400)
    assert "FIRST 2" in shown(console)[-5:]


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("A(N)=1", "BAD SUBSCRIPT"),
        ("ON N GOTO over", "BAD VALUE"),
        ('M=VAL("7A")', "BAD ARGUMENT"),
        ('M=ASC(SEG$("ABC",N,1))', "BAD ARGUMENT"),
        ("K=N", "BAD VALUE"),
    ],
)
def test_an_error_has_its_message_and_the_line_of_the_call(statement: str, message: str) -> None:
    console = loaded(
        f"""PRINT "BEGIN"
M=5
CALL FAIL(7,M)
END
SUB FAIL(N,M) COMPILED
  RANGE N=0 TO 20,K=0 TO 5,M=0 TO 255
  DIM A(5)
  M=M+1
  {statement}
over:
  M=9
SUBEND
"""
    )
    console.run()
    assert any(message in row for row in shown(console)), shown(console)
    assert " IN 100" in " ".join(shown(console)) or " IN 110" in " ".join(shown(console))
    assert console.variables["M"] == 6, "what it has changed before the error goes out"


def test_an_argument_outside_its_range_is_a_bad_value() -> None:
    for argument in ("21", "-1", "1.5", "1E9", ".5"):
        console = loaded(
            f"CALL TAKE({argument},B)\nEND\n"
            "SUB TAKE(A,B) COMPILED\n  RANGE A=0 TO 20,B=0 TO 99\n  B=A\nSUBEND\n"
        )
        console.run()
        assert any("BAD VALUE" in row for row in shown(console)), argument


def test_values_and_elements_are_passed_as_to_any_sub() -> None:
    console = loaded(
        """OPTION BASE 1
DIM A(4)
A(2)=5
B=7
CALL SWAP(A(2),B)
CALL SWAP(A(3),(B))
CALL SWAP(1,2)
CALL LAST(A(),C)
END
SUB SWAP(X,Y) COMPILED
  RANGE X=-99 TO 99,Y=-99 TO 99
  Z=X :: X=Y :: Y=Z
SUBEND
SUB LAST(A(),N) COMPILED
  RANGE A()=-99 TO 99
  N=A(4)
  A(4)=A(1)+8
SUBEND
"""
    )
    assert console.run() == "ready", console.screen.text
    found = [int(str(console.variables[name])) for name in ("A(2)", "A(3)", "A(4)", "B", "C")]
    assert found == [7, 5, 8, 5, 0]


REFUSED = [
    ("PRINT A", "PRINT is left to the program"),
    ('DISPLAY AT(1,1):"A"', "DISPLAY is left to the program"),
    ("INPUT A", "INPUT waits"),
    ("ACCEPT A", "ACCEPT waits"),
    ('OPEN #1:"DSK1.X"', "files are left"),
    ("ON ERROR over", "ends it"),
    ("CALL OTHER", "an interpreted SUB"),
    ("CALL SOUND(100,440,0)", "CALL SOUND"),
    ("READ A\n  DATA 1", "READ may come there without a RESTORE"),
    ("RESTORE", "about the program's DATA"),
    ("RESTORE over", "outside the SUB"),
    ("RANDOMIZE", "RANDOMIZE without a number"),
    ("END", "END and STOP"),
    ("RETURN", "RETURN may come there without a GOSUB"),
    ("FOR I=1 TO 9 :: NEXT I", "an empty loop"),
    ("CALL COLOR(1,A)", "it fails with SYNTAX ERROR"),
    ('CALL HCHAR(1,A,"A")', "it fails with STRING-NUMBER MISMATCH"),
]


@pytest.mark.parametrize(("statement", "reason"), REFUSED)
def test_what_is_not_compiled_is_refused_by_its_line(statement: str, reason: str) -> None:
    source = f"""CALL GO(A)
END
SUB OTHER
SUBEND
SUB GO(A) COMPILED
  RANGE A=1 TO 32767
  {statement}
over:
SUBEND
"""
    with pytest.raises(SourceError, match=reason.replace("^", r"\^")) as caught:
        loaded(source)
    assert caught.value.place.line == 7
    assert caught.value.remedy


def test_all_that_is_refused_is_reported_at_once_in_the_order_of_the_lines() -> None:
    source = """CALL ONE(A)
CALL TWO(A)
END
SUB ONE(A) COMPILED
  RANDOMIZE
  IF A THEN PRINT A :: OPEN #1:"DSK1.X" ELSE INPUT A
SUBEND
SUB TWO(A) COMPILED
  FOR I=1 TO 9 :: NEXT I
  DISPLAY A
SUBEND
"""
    with pytest.raises(SourceError) as caught:
        loaded(source)
    places = [(one.place.line, one.place.column) for one in (caught.value, *caught.value.others)]
    assert places == [(5, 3), (6, 13), (6, 24), (6, 46), (9, 3), (10, 3)]


def test_a_gosub_that_never_returns_and_arrays_of_two_sizes_are_refused() -> None:
    sub = "END\nSUB GO(A()) COMPILED\n  RANGE A()=0 TO 9\n  A(1)=1\nSUBEND\n"
    with pytest.raises(TIError, match="arrays of different sizes"):
        loaded("DIM A(5),B(6)\nCALL GO(A())\nCALL GO(B())\n" + sub)
    with pytest.raises(TIError, match="GOSUBs may be under way"):
        loaded("CALL GO\nEND\nSUB GO COMPILED\nagain:\n  GOSUB again\nSUBEND\n")


def test_a_name_of_more_than_six_letters_is_refused() -> None:
    with pytest.raises(SourceError, match="more than 6 letters"):
        loaded("CALL TOOLONG\nEND\nSUB TOOLONG COMPILED\n  A=1\nSUBEND\n")


@pytest.mark.parametrize(
    ("call", "refused"),
    [
        ("CALL GO(A,A,B())", True),
        ("CALL GO(A,(A),B())", False),
        ("CALL GO(B(1),A,B())", True),
        ("CALL GO(B(1),B(2),B())", True),
        ("CALL GO(1,A,B())", False),
        ("CALL GO(A,B)", True),
    ],
)
def test_arguments_that_lie_in_one_place_are_refused(call: str, refused: bool) -> None:
    source = f"""DIM B(3)
{call}
END
SUB GO(X,Y,Z())
  RANGE X=0 TO 9,Y=0 TO 9,Z()=0 TO 9
  X=Y+Z(1)
SUBEND
"""
    compiled = source.replace("Z())\n  R", "Z()) COMPILED\n  R")
    if refused:
        with pytest.raises(SourceError, match="CALL GO passes"):
            loaded(compiled)
    else:
        assert loaded(compiled).run() == "ready"


@pytest.mark.parametrize(
    ("lines", "refused"),
    [
        ("RESTORE first::READ A::CALL ITEMS(N)::READ B", 1),
        ("CALL ITEMS(N)\nIF N=7 THEN RESTORE first ELSE READ B", 2),
        ("CALL ITEMS(N)::RESTORE first::GOSUB part::READ B\nEND\npart:\nCALL ITEMS(N)\nRETURN", 1),
        ("RESTORE first\nFOR I=1 TO 2\nREAD A\nCALL ITEMS(N)\nNEXT I", 3),
        ("READ A::CALL ITEMS(N)::RESTORE\nIF N=7 THEN READ B ELSE RESTORE first::READ B", 0),
        ("FOR I=1 TO 2::RESTORE first::READ A::CALL ITEMS(N)::NEXT I", 0),
    ],
)
def test_a_read_of_the_program_comes_after_a_restore_on_each_way_from_a_call(
    lines: str, refused: int
) -> None:
    source = (
        f"N=0\n{lines}\nEND\nfirst:\nDATA 1,2,3\n"
        "SUB ITEMS(N) COMPILED\nRESTORE own\nREAD N\nown:\nDATA 7\nSUBEND\n"
    )
    if refused:
        with pytest.raises(SourceError, match="READ may go on after what ITEMS has") as caught:
            loaded(source)
        assert caught.value.place.line == refused + 1
    else:
        assert loaded(source).run() == "ready"
