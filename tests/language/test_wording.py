"""No choice is made by what a sentence says: with all of them reworded nothing else changes."""

import ast
from pathlib import Path
from typing import Any

import pytest

from tests import house
from ti99tools import Console
from ti99tools.app.lint import fix_file
from ti99tools.base.errors import Place, SourceError, TIError
from ti99tools.language.findings import Failing, Finding, Hint, Severity
from ti99tools.language.listing.tokenize import EntryError, refuse, tokenize_line
from ti99tools.language.program.judgement import advise_file, explained
from ti99tools.language.program.program import Program
from ti99tools.language.program.sourcefile import read_source
from ti99tools.language.remedies import worked_out
from ti99tools.language.remedies.statements import advised

OTHERWISE = "said otherwise"
FIELDS = Finding.__record_fields__
WRONG = [
    "100 A=1::PRINTA\n110 GOTO100",
    '1OO PRINT "A"\n11O GOTO 100',
    "100 PRINT “A − B”;5 − 3 × 2",
    "100 IF A≤3 THEN 100\n110 PRINT 2↑3",
    'PIRNT "A"',
    "A=1\nA*=B+1",
    'IF A==1 THEN PRINT "A==1"',
    "IF A!=1 THEN B=2 !=",
    "IF A=1&&B=2 THEN C=1",
    "IF A=1||B=2 THEN C=1",
    "A=&HFF",
    'PRINT "1+1"+"="+A$',
    "CLS",
    "? 1",
    "COLOR 2,1,1",
    "CALL COLOUR(2,1,1)",
    "FOO(3) ! HI\nSUB FOO(A)\nSUBEND",
    "FOR J=1 TO 3\nFOR I=1 TO 3\nNEXT\nNEXT",
    "100 FORI=1 TO 1O\n110 NEXT I",
    "100 A=1:B=2\r\n110 GOTO 1OO\r",
    "CALL MOVIT\nPROC MOVEIT\nEND PROC",
    "MOVEIT\nPROC MOVEIT\nEND PROC",
]
FAILING = [
    "100 CALL KEY(0,K)",
    "100 CALL SCREEN(17)",
    "100 A(11)=5",
    '100 PRINT LEFT$("A",2)',
    '100 PRINT VAL("X")',
    "100 PRINT )",
    "100 FOR I=1 TO 3",
    "100 FOR I=1 TO 3 STEP 0 :: NEXT I",
    '100 OPEN #1:"DSK1.X",RELATIVE,VARIABLE',
    "100 PRINT 1",
]


@pytest.fixture
def reworded(monkeypatch: pytest.MonkeyPatch) -> None:
    """All messages and remedies say the same."""
    Finding(Severity.INFO, "", Place(), "")  # a record's methods are made with the first one
    finding_init, raised = Finding.__init__, TIError.__init__
    hint, failing = Hint.__new__, Failing.__new__

    def other(words: str) -> str:
        return words if isinstance(words, Hint | Failing) or not words else OTHERWISE

    def finding(self: Finding, *args: Any, **named: Any) -> None:
        given: dict[str, Any] = named | dict(zip(FIELDS, args, strict=False))
        given |= {name: other(given[name]) for name in ("message", "remedy") if name in given}
        finding_init(self, **given)

    def error(self: TIError, problem: str, **named: Any) -> None:
        if isinstance(named.get("remedy"), str):
            named["remedy"] = other(named["remedy"])
        raised(self, other(problem), **named)

    monkeypatch.setattr(Finding, "__init__", finding)
    monkeypatch.setattr(TIError, "__init__", error)
    monkeypatch.setattr(Hint, "__new__", lambda cls, words, *a, **n: hint(cls, OTHERWISE, *a, **n))
    monkeypatch.setattr(
        Failing, "__new__", lambda cls, words, *a, **n: failing(cls, OTHERWISE, *a, **n)
    )
    monkeypatch.setattr(worked_out, "_FOREIGN", dict.fromkeys(worked_out._FOREIGN, OTHERWISE))


def fixed(text: str, path: Path) -> str:
    path.write_bytes(text.encode())
    fix_file(str(path))
    return path.read_bytes().decode()


def judged(text: str, path: Path) -> list[tuple[object, ...]]:
    path.write_bytes(text.encode())
    found, _ = advise_file(path)
    return sorted((_at(f.place), f.severity, f.code, f.line or 0, f.error) for f in found)


def _at(place: Place) -> tuple[int, int]:
    return place.line or 0, place.column or 0


def parts(text: str) -> int:
    """How much is told: nothing, what to do, or what is wrong as well."""
    return len(text.split("; ")) if text else 0


def explanations() -> list[int]:
    return [parts(explained(dict([tokenize_line(row)]), 100, 0)) for row in FAILING]


def foreign(folder: Path) -> list[object]:
    """What is told of a text of another BASIC: the first mistakes that tell of it."""
    path = folder / "foreign.bas"
    rows = [f"{n} LEFT$ = MID$ OF X{n} MOD Y, DIM A AS B" for n in range(100, 130)]
    path.write_text("\n".join(rows) + "\n110 A AS B\n120 A MOD B\n130 A DIV B\n")
    try:
        Program.open(path)
    except SourceError as error:
        return [_at(each.place) for each in (error, *error.others)]
    return []


def screen_after(row: str) -> str:
    console = Console()
    console.type(f"{row}\n")
    return "\n".join(console.screen.rows)


ROWS = ('100 PRINT "A', "0 END", "100 A B", "100 SAVE", "GOTO 40000", "100 A234567890123456=1")
LONG = "again:\n" + "A=A+1\nPRINT A;B$;\n" * 30 + "GOTO again\n"


def everything(folder: Path) -> list[object]:
    path = folder / "game.xb"
    path.write_text(LONG)
    return [
        [fixed(text, path) for text in WRONG],
        [judged(text, path) for text in (*WRONG, *FAILING)],
        explanations(),
        foreign(folder),
        [screen_after(row) for row in ROWS],
        _packed(path),
    ]


def _packed(path: Path) -> list[object]:
    path.write_text(LONG)
    return list(read_source(path).lines())


@pytest.fixture(scope="module")
def before(tmp_path_factory: pytest.TempPathFactory) -> list[object]:
    return everything(tmp_path_factory.mktemp("before"))


def test_reworded_messages_change_nothing(
    before: list[object], reworded: None, tmp_path: Path
) -> None:
    assert str(advised(refuse(14, 0))) == f"column 1: {OTHERWISE}; {OTHERWISE}"
    assert explained(dict([tokenize_line(FAILING[1])]), 100, 0) == "said otherwise; said otherwise"
    after = everything(tmp_path)
    for was, now in zip(before, after, strict=True):
        assert now == was


def test_there_is_something_to_change(before: list[object]) -> None:
    mended, _, kinds, marks, *_ = before
    assert isinstance(mended, list)
    assert isinstance(kinds, list)
    assert isinstance(marks, list)
    assert all(was != now for was, now in zip(WRONG, mended, strict=True))
    assert set(kinds) == {0, 1, 2}
    assert len(marks) > 1


def test_a_refusal_keeps_its_number_wherever_it_goes() -> None:
    with pytest.raises(EntryError) as caught:
        tokenize_line('100 PRINT "A')
    assert caught.value.xb_code == 17
    moved = caught.value.at("game.bas", 3)
    assert isinstance(moved, EntryError)
    assert (moved.xb_code, moved.place.line) == (17, 3)


SENTENCES = {"message", "problem", "remedy"}
COMPARED = {"startswith", "endswith", "partition", "removeprefix", "removesuffix", "find", "index"}


def compares(node: ast.AST) -> bool:
    """Tell whether a sentence is compared, or searched for words."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        by_method = _is_sentence(node.func.value) and node.func.attr in COMPARED
        searched = node.func.attr in ("search", "match", "fullmatch")
        return by_method or (searched and any(map(_is_sentence, node.args)))
    if isinstance(node, ast.Compare):
        kinds = (ast.Eq, ast.NotEq, ast.In, ast.NotIn)
        sides = (node.left, *node.comparators)
        plain = any(
            isinstance(s, ast.Constant) and isinstance(s.value, str) and s.value for s in sides
        )
        return plain and any(map(_is_sentence, sides)) and isinstance(node.ops[0], kinds)
    return False


def _is_sentence(node: ast.AST) -> bool:
    name = node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
    return name in SENTENCES


def test_no_sentence_is_compared() -> None:
    modules = house.ours()
    assert "ti99tools.language.lint.linter" in modules
    found = [
        f"{name}:{node.lineno}"  # type: ignore[attr-defined]
        for name, module in modules.items()
        for node in ast.walk(module.tree)
        if compares(node)
    ]
    assert found == []


@pytest.mark.parametrize(
    "line",
    [
        'remedy.startswith("x")',
        'finding.message.partition("fails")',
        'a == error.problem == "b"',
        '"x" in remedy',
        "_MEANT.search(finding.remedy)",
    ],
)
def test_a_compared_sentence_is_found(line: str) -> None:
    assert any(map(compares, ast.walk(ast.parse(line))))
