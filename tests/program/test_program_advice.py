"""What is said of a structured source: its names, its PROCs, its rows; never the listing's."""

from pathlib import Path

from ti99tools.language.program.judgement import advise_file

UNCALLED = """\
PRINT 1
PROC BAR(R,N$ OUT)
  LOCAL Q
  N$=STR$(R+Z)
  Q=5
  IF R>1 THEN
    PRINT "MORE"
  END IF
  CALL INNER(R)
END PROC
PROC INNER(R)
  PRINT R
END PROC
"""


def advice_on(tmp_path: Path, text: str) -> list[tuple[str, str, str]]:
    path = tmp_path / "p.xb"
    path.write_text(text, encoding="utf-8")
    found, _ = advise_file(path)
    places = (str(each.place).removeprefix(f"{path}:") for each in found)
    return [(at, each.code, each.message) for at, each in zip(places, found, strict=True)]


def test_a_proc_that_nothing_calls_is_told_once_and_its_parameters_are_set(tmp_path: Path) -> None:
    assert advice_on(tmp_path, UNCALLED) == [
        ("2:6", "unused-proc", "PROC BAR is never called"),
        ("11:6", "unused-proc", "PROC INNER is never called"),
        ("4:13", "never-set", "Z is never set: it is always 0"),
        ("5:3", "never-used", "nothing uses Q"),
    ]


def test_names_are_those_of_the_source(tmp_path: Path) -> None:
    source = "CALL P(1)\nPROC P(ROW)\nLOCAL T(3)\nPRINT ROW;T(9);R0W\nEND PROC\n"
    path = tmp_path / "p.xb"
    path.write_text(source, encoding="utf-8")
    found, _ = advise_file(path)
    messages = {each.code: each.message for each in found}
    assert messages["subscript"].startswith("T goes from 0 to 3: ")
    assert not any("_1" in f"{each.message} {each.remedy}" for each in found)


def test_the_memory_report_has_the_names_of_the_source(tmp_path: Path) -> None:
    path = tmp_path / "p.xb"
    path.write_text("CALL P(1)\nPROC P(R)\nLOCAL N$\nINPUT N$\nPRINT N$;R\nEND PROC\n")
    _, memory = advise_file(path)
    assert memory is not None
    assert memory.unknown == ("N$",)


def test_a_row_that_is_refused_for_its_length_is_told_once(tmp_path: Path) -> None:
    """That a line of the same length runs, if another tool has made it, is no help here."""
    found = advice_on(tmp_path, f"READ A$\nPRINT A$\nDATA {'AB,' * 40}AB\n")
    assert [(at, code) for at, code, _ in found] == [("3:6", "entry")]
