"""Names of twins in LINK's table: by CALL LOAD, or by a routine where there are many."""

from pathlib import Path

import pytest

from ti99tools import Console, Program
from ti99tools.base.errors import SourceError
from ti99tools.games.making import twins as home
from ti99tools.games.making.twins import ENTER, Twins
from ti99tools.hardware.assembler.assembling import Assembled, assemble_file
from ti99tools.language.dialect import generate
from ti99tools.language.program.editor import with_code

CODE = """
       DEF  {0}
{0}    INC  @>2600
       B    *R11
       END
"""


@pytest.mark.parametrize("count", [1, 2, 3, 7])
def test_all_names_are_found(count: int, tmp_path: Path) -> None:
    names = [f"SUB{number}" for number in range(count)]
    for name in names:
        (tmp_path / f"{name}.a99").write_text(CODE.format(name))
    calls = "".join(f"CALL {name}\n" for name in names)
    subs = "".join(f'SUB {name} ASM "{name}.a99"\nSUBEND\n' for name in names)
    twins = Twins(tmp_path)
    begin = "CALL INIT\nCALL LOAD(9728,0,0)\n"
    text = f"{begin}{calls}CALL PEEK(9728,A,B,C)\nCALL PEEK(8196,C,D)\nEND\n{subs}"
    generated = generate(text, root=tmp_path, native=twins.entered)
    assert (ENTER in generated.text) == (count > 2)
    console = Console()
    console.load(with_code(Program.from_listing(generated.text), twins.code))
    assert console.run() == "ready", console.screen.text
    assert console.variables["B"] == count
    last_free = 0x4000 - 8 * count
    assert (console.variables["C"], console.variables["D"]) == divmod(last_free, 256)


def test_a_file_with_many_twins_is_assembled_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "code.a99").write_text(
        "       DEF  ONE,TWO,THREE\nONE    EQU  $\nTWO    EQU  $\nTHREE  B    *R11\n       END\n"
    )
    read: list[str] = []

    def assembled(path: Path, library: Path | None = None) -> Assembled:
        read.append(path.name)
        return assemble_file(path, library)

    monkeypatch.setattr(home, "assemble_file", assembled)
    twins = Twins(tmp_path)
    subs = "".join(f'SUB {name} ASM "code.a99"\nSUBEND\n' for name in ("ONE", "TWO", "THREE"))
    generate(f"CALL ONE\nCALL TWO\nCALL THREE\n{subs}", root=tmp_path, native=twins.entered)
    assert read == ["code.a99"]
    assert {"ONE", "TWO", "THREE"} <= set(twins.names)


@pytest.mark.parametrize(
    ("file", "problem"),
    [("../code.a99", "outside the game's folder"), ("cod.a99", "cod.a99 does not exist")],
)
def test_a_wrong_file_is_reported_at_the_first_twin_that_names_it(
    tmp_path: Path, file: str, problem: str
) -> None:
    subs = "".join(f'SUB {name} ASM "{file}"\nSUBEND\n' for name in ("ONE", "TWO"))
    with pytest.raises(SourceError, match=problem) as caught:
        generate(f"CALL ONE\nCALL TWO\n{subs}", root=tmp_path, native=Twins(tmp_path).entered)
    assert caught.value.place.line == 3


def test_room_behind_the_code_belongs_to_it(tmp_path: Path) -> None:
    (tmp_path / "a.a99").write_text(" DEF A\nA MOV R1,@ROOM\n B *R11\nROOM BSS 100\n")
    twins = Twins(tmp_path)
    generate('CALL A\nSUB A ASM "a.a99"\nSUBEND\n', root=tmp_path, native=twins.entered)
    assert len(twins.code) == 6 + 100
    assert twins.names["A"] + len(twins.code) == 0xFFE8


def test_code_after_aorg_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.a99").write_text(" DEF A\n AORG >3000\nROOM BSS 2\nA B *R11\n")
    native = Twins(tmp_path).entered
    with pytest.raises(SourceError, match=r"a\.a99:4:1: AORG fixes where the code lies; leave"):
        generate('CALL A\nSUB A ASM "a.a99"\nSUBEND\n', root=tmp_path, native=native)
