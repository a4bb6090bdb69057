"""The table of times: every figure has a source, and stands nowhere else."""

import ast
import re
from pathlib import Path

from tests.house import parsed
from ti99tools.base import cycles

ROOT = Path(__file__).parents[2]
TABLES = [path for path in Path(cycles.__file__).parent.glob("*.py") if path.name != "__init__.py"]
PACKAGE = ROOT / "ti99tools"
ROW = re.compile(r"^\| (?P<source>\w*) +\| (?P<files>[^|]+?) *\|", re.MULTILINE)


def sources() -> set[str]:
    """The words that the table's head explains."""
    rows = ROW.findall(cycles.__doc__ or "")
    return {source for source, _ in rows if source} - {"source"}


def unsourced(text: str, known: set[str]) -> list[str]:
    """Figures of a module whose comment, or text after the table, begins with no known source."""
    tree = parsed(text)
    lines = text.splitlines()
    wrong = []
    for node, after in zip(tree.body, [*tree.body[1:], None], strict=True):
        if isinstance(node, ast.Assign):
            name, remark = ast.unparse(node.targets[0]), lines[node.lineno - 1].partition("  # ")[2]
        elif isinstance(node, ast.AnnAssign) and "**" not in ast.unparse(node):
            name, remark = ast.unparse(node.target), ""
            if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant):
                remark = str(after.value.value)
        else:
            continue
        if re.split(r"\W", remark)[0].lower() not in known:
            wrong.append(name)
    return wrong


def test_every_figure_has_a_source() -> None:
    assert len(sources()) == 10
    assert len(TABLES) == 3
    for table in TABLES:
        assert unsourced(table.read_text(encoding="utf-8"), sources()) == []
    assert unsourced("A = 1\nB = 2  # hearsay\nC: dict[str, int] = {}\n", sources()) == [*"ABC"]


def test_the_recordings_are_there() -> None:
    recordings = ROOT / "tests" / "conformance"
    named = re.findall(r"[\w*-]+\.json[l.xz]*", cycles.__doc__ or "")
    assert named
    assert [name for name in named if not list(recordings.glob(name))] == []


def literal_costs(text: str) -> list[str]:
    """Statements that add a figure to the clock, or give one as a cost, instead of its name."""
    if "clock.cycles" not in text and "cycles=" not in text:  # a walk takes long
        return []
    return [
        ast.unparse(node)
        for node in ast.walk(parsed(text))
        if (
            isinstance(node, ast.AugAssign)
            and ast.unparse(node.target).endswith("clock.cycles")
            and isinstance(node.value, ast.Constant)
        )
        or (
            isinstance(node, ast.keyword)
            and node.arg == "cycles"
            and isinstance(node.value, ast.Constant)
            and node.value.value != 0
        )
    ]


def test_no_module_has_a_figure_of_its_own() -> None:
    assert literal_costs("rt.clock.cycles += 50\nemits(st.If, cycles=7)\n") == [
        "rt.clock.cycles += 50",
        "cycles=7",
    ]
    modules = PACKAGE.rglob("*.py")
    found = {str(path): literal_costs(path.read_text(encoding="utf-8")) for path in modules}
    assert {path: wrong for path, wrong in found.items() if wrong} == {}
