"""Names of the library whose `#include` was forgotten: the mistake says which file has them."""

from pathlib import Path

import pytest

from ti99tools.language.program.judgement import advise_file


@pytest.mark.parametrize(
    "text, remedy",
    [
        ("GOSUB getkey", "put GETKEY: before a line, or add #include <keys.xb>, which has it"),
        ("CALL FIELD(A$)", "write a SUB FIELD, or add #include <field.xb>, which has it"),
        (
            "CALL SCREEN(GRAY)",
            "set it, write CONST GRAY=…, or add #include <colors.xb>, which has it",
        ),
        ("#include <high.xb>\nGOSUB loadhigh", "add #include <keys.xb>, which has it"),
        ("GOSUB waiting", "put WAITING: before a line"),
        ("100 CALL MUSIC", "write CALL SOUND(milliseconds,frequency,volume)"),
        ("100 CALL SCREEN(GRAY)", "set it, or correct the name"),
    ],
    ids=["label", "PROC", "constant", "library", "part", "listed CALL", "listed name"],
)
def test_the_file_that_has_a_name_is_told(text: str, remedy: str, tmp_path: Path) -> None:
    path = tmp_path / "game.xb"
    path.write_text(text + "\n")
    findings, _ = advise_file(path)
    assert findings[0].remedy.endswith(remedy)
