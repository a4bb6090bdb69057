"""All mistakes of a source at once, each told once, where it is and as what it was meant."""

from pathlib import Path

import pytest

from tests.dialect.dialectrun import mistakes
from ti99tools.base.errors import SourceError
from ti99tools.language.program.sourcefile import read_source

WORDS = [
    ("FOR I=1 TO 5\nPRINT I\nNXT I\n", "3:1: unknown word NXT; did you mean NEXT?"),
    ("FRO I=1 TO 5\nPRINT I\nNEXT I\n", "1:1: unknown word FRO; did you mean FOR?"),
    ("FORI=1 TO 5\nPRINT I\nNEXT I\n", "1:1: unknown word FORI; FORI is one name: put a space"),
    ("IFA=1 THEN\nB=1\nEND IF\n", "1:1: unknown word IFA; IFA is one name: put a space"),
    ("WHILEA<3\nA=A+1\nWEND\n", "1:1: unknown word WHILEA; WHILEA is one name: put a space"),
    ("REPEATS\nA=A+1\nUNTIL A>3\n", "1:1: unknown word REPEATS; did you mean REPEAT?"),
    ("IFF A THEN\nB=1\nEND IF\n", "1:1: unknown word IFF; did you mean IF?"),
    ("IF A THNE\nB=1\nEND IF\n", "1:6: unknown word THNE; did you mean THEN?"),
    ("IF A THEN\nB=1\nESLE\nC=1\nEND IF\n", "3:1: unknown word ESLE; did you mean ELSE?"),
    ("IF A THEN\nB=1\nEND FI\n", "3:5: unknown word FI; did you mean IF?"),
    ("IF A THEN\nB=1\nNED IF\n", "3:1: unknown word NED; did you mean END?"),
    ("IF A THEN\nB=1\nEDNIF\n", "3:1: unknown word EDNIF; did you mean ENDIF?"),
    ("WHLE (A<5)\nA=A+1\nEND WHILE\n", "1:1: unknown word WHLE; did you mean WHILE?"),
    ("REPAET\nA=A+1\nUNTIL A=5\n", "1:1: unknown word REPAET; did you mean REPEAT?"),
    ("REPEAT\nA=A+1\nUNTLI A=5\n", "3:1: unknown word UNTLI; did you mean UNTIL?"),
    ("CALL S\nSUB S\nSUBEDN\n", "3:1: unknown word SUBEDN; did you mean SUBEND?"),
    ("FOR I=1 TO 5\nEND FOR\n", "2:1: unknown word END FOR; a FOR ends with NEXT and its"),
    ("CALL S\nSUB S\nEND SUB\n", "3:1: unknown word END SUB; a SUB ends with SUBEND"),
    ("CALL S\nSUB S\nENDSUB\n", "3:1: unknown word ENDSUB; a SUB ends with SUBEND"),
    ("REPEAT\nEND REPEAT\n", "2:1: unknown word END REPEAT; a REPEAT ends with UNTIL"),
    ("PRITN 1\n", "1:1: this fails with SYNTAX ERROR; did you mean PRINT?"),
    ('DISPAY AT(1,1):"X"\n', "1:1: this fails with SYNTAX ERROR; did you mean DISPLAY?"),
]


@pytest.mark.parametrize(("source", "message"), WORDS)
def test_a_misspelt_word_is_told_as_what_it_was_meant(source: str, message: str) -> None:
    (only,) = mistakes(source)
    assert only.startswith(message)


@pytest.mark.parametrize(
    ("source", "places"),
    [
        ("A=§\nB=1\nC=5+\nGOTO x\n", ["1:3", "3:1", "4:6"]),
        ("A=5+\nB=A 1\nPRIMT A\nA$=B\n", ["1:1", "2:5", "3:7", "4:1"]),
        ("FORI=1TO3STEP2\nPRINT I\nNEXT I\n", ["1:1"]),
        ("FORI=A(2)TON\nPRINT I\nNEXT I\n", ["1:1"]),
        ("FOR I=1 TO 3\nIF I THEN\nNEXT I\nEND IF\n", ["3:1"]),
        ("IF A=1\nB=1\nELSE\nB=2\nEND IF\nC=\n", ["1:1", "6:1"]),
        ("FOR I=1 TO 3\nIF A THEN NEXT I\n", ["2:11"]),
        ("IF A THEN FOR I=1 TO 3\nNEXT I\n", ["1:11"]),
        ("WHILE A\nEND IF\nEND WHILE\n", ["2:1"]),
        ("A=1\nELSE\nB=1\nEND IF\n", ["2:1"]),
        ("IF A THEN\nFOR I=1 TO 2\nB=?\nSUB S\nSUBEND\n", ["1:1", "2:1", "3:3"]),
        ("SUB S\nSUB T\nSUBEND\nEXIT\n", ["1:1", "4:1"]),
        ("next: A=1\nGOTO 100 :: A=1 :: :: B=?\n", ["1:1", "2:6", "2:20", "2:25"]),
        ("CONST A=\nCONST B=5\nB=6\nPRINT A\n", ["1:7", "3:1"]),
        ("#if 1=\nx: PRINT\n#end\nGOTO x\nA=?\n", ["1:1", "5:3"]),
        ("IF A THEN\n#text t\nX\nGOTO y\n", ["2:1"]),
        ("a: A=1\na: A=2\nGOTO b\n", ["2:1", "3:6"]),
        ("CALL 5\nCALL ?\n", ["1:6", "2:6", "2:6"]),
        ('ABCDEFGHIJKLMNOPQ=1\nLIST=5\nPRINT "X\n', ["1:1", "2:1", "3:7"]),
    ],
)
def test_each_mistake_is_told_once(source: str, places: list[str]) -> None:
    assert [":".join(line.split(":")[:2]) for line in mistakes(source)] == places


def test_a_missing_part_is_not_blamed_on_labels(tmp_path: Path) -> None:
    main = tmp_path / "main.xb"
    main.write_text('#include "missing.xb"\nGOSUB in_missing\nPRINT ?\n')
    with pytest.raises(SourceError) as caught:
        read_source(main)
    rows = [e.place.line for e in (caught.value, *caught.value.others)]
    assert rows == [1, 3]


def test_mistakes_of_included_files_name_them(tmp_path: Path) -> None:
    (tmp_path / "part.xb").write_text("PRINT ?\nNXT I\n")
    main = tmp_path / "main.xb"
    main.write_text('FOR I=1 TO 3\n#include "part.xb"\nPRITN 1\n')
    with pytest.raises(SourceError) as caught:
        read_source(main)
    places = [
        (Path(e.place.file or "").name, e.place.line) for e in (caught.value, *caught.value.others)
    ]
    assert places == [("part.xb", 1), ("part.xb", 2), ("main.xb", 3)]


def test_all_refusals_of_a_listing() -> None:
    listing = "100 PRINT ?\n110 NXT I\n110 A=1\n110 B=1\n"
    assert [line.split(";")[0] for line in mistakes(listing)] == [
        "1:11: UNRECOGNIZED CHARACTER",
        "2:9: SYNTAX ERROR",
    ]
