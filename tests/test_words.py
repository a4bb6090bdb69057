"""The word list of CONTRIBUTING.md, held on what users and readers see."""

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
MODULES = sorted([*(ROOT / "ti99tools").rglob("*.py"), *(ROOT / "xbasic").rglob("*.py")])
PAGES = sorted([ROOT / "README.md", *(ROOT / "xbasic").rglob("*.md")])
AVOIDED = re.compile(
    r"\bbehind\b|\bis wanted\b|\bare wanted\b|\bmeant( instead of .*)?\?"
    r"|is not known here|this will be|\bmend it\b|\bsay --|the folder must be there"
    r"|\bfor ever\b|is no (whole )?number",
    re.IGNORECASE,
)
"""What the word list replaces."""
NOT_FIRST = ("Whether", "This", "It", "There", "Will", "Returns", "Gets", "Sets", "Tells")
"""Words that begin neither an imperative nor a noun phrase."""
LONGEST = 100
OUR_ERRORS = re.compile("(TI|Disk|Program|Source|Script|Build|Host|Trace|Entry)Error")


def texts(module: Path) -> Iterator[tuple[int, str]]:
    """The strings and comments of a module, with the line they begin in."""
    with io.StringIO(module.read_text(encoding="utf-8")) as source:
        for token in tokenize.generate_tokens(source.readline):
            if token.type in (tokenize.STRING, tokenize.COMMENT):
                yield token.start[0], token.string


@pytest.mark.parametrize("module", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_modules_use_the_words_of_the_list(module: Path) -> None:
    found = [f"{line}: {m[0]}" for line, text in texts(module) for m in AVOIDED.finditer(text)]
    assert not found


@pytest.mark.parametrize("page", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_pages_use_the_words_of_the_list(page: Path) -> None:
    assert not AVOIDED.findall(page.read_text(encoding="utf-8"))


@pytest.mark.parametrize("module", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_docstrings_begin_with_one_short_line(module: Path) -> None:
    wrong = []
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        first = (ast.get_docstring(node) or "").partition("\n\n")[0].replace("\n", " ")
        if first.split(" ")[0] in NOT_FIRST or (first and first[-1] not in ".:;?…)`"):
            wrong.append(f"{node.lineno} {node.name}: {first}")
    assert not wrong


def raised(function: ast.FunctionDef) -> set[str]:
    """Our errors that a function raises by itself, not in functions inside it."""
    found = set()
    waiting: list[ast.AST] = list(function.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Lambda):
            continue
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
            name = ast.unparse(node.exc.func)
            if OUR_ERRORS.fullmatch(name):
                found.add(name)
        waiting += ast.iter_child_nodes(node)
    return found


def untold(text: str) -> list[str]:
    """Public functions of a module that raise one of our errors and do not say so."""
    return [
        f"{node.lineno} {node.name}: {', '.join(sorted(raised(node)))}"
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.FunctionDef)
        and not node.name.startswith("_")
        and raised(node)
        and not re.search("[Rr]aise|Error", ast.get_docstring(node) or "")
    ]


@pytest.mark.parametrize(
    "module",
    [module for module in MODULES if "cli" not in module.parts and "xbasic" not in module.parts],
    ids=lambda path: str(path.relative_to(ROOT)),
)
def test_docstrings_tell_the_errors_that_are_raised(module: Path) -> None:
    assert untold(module.read_text(encoding="utf-8")) == []


def test_an_untold_error_is_found() -> None:
    function = 'def read():\n    """Read it."""\n    raise DiskError("full")\n'
    assert untold(function) == ["1 read: DiskError"]
    assert untold(function.replace("Read it.", "Read it. Raises DiskError.")) == []


def test_the_check_can_fail() -> None:
    for text in ("the name behind CALL", "is PRINT meant instead of PRNT?", "a comma is wanted"):
        assert AVOIDED.search(text)
    assert not AVOIDED.search("after CALL; did you mean PRINT? a comma is required")
