"""How docstrings are written, held on every module: one short line first, errors told.

What they and the documentation say about the package holds too: a module that is named is there.
"""

import ast
import io
import json
import re
import subprocess
import sys
import tokenize
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.house import parsed, statements

ROOT = Path(__file__).parents[1]
MODULES = sorted([*(ROOT / "ti99tools").rglob("*.py"), *(ROOT / "xbasic").rglob("*.py")])
NOT_FIRST = ("Whether", "This", "It", "There", "Will", "Returns", "Gets", "Sets", "Tells")
"""Words that begin neither an imperative nor a noun phrase."""
FEW_WORDS = 3
"""A docstring of so few words repeats the name: it says units, ranges or meaning, or goes."""
NO_NOUNS = ("asked", "said", "told")
"""What happened to a thing, not what it is: no names for variables, parameters and fields."""
SET = re.compile(rf"\b({'|'.join(NO_NOUNS)})( (:|\+|\||)=|:\B|: \w|\(|,|\)| in )")
"""How a module gives such a name to something; seldom how a sentence goes on after one."""
OUR_ERRORS = re.compile("(TI|Disk|Program|Source|Script|Build|Host|Trace|Entry)Error")


def misbegun(text: str) -> list[str]:
    """Functions and classes whose docstring does not begin with one whole line."""
    wrong = []
    for node in statements(parsed(text).body):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        first = (ast.get_docstring(node) or "").partition("\n\n")[0].replace("\n", " ")
        if first.split(" ")[0] in NOT_FIRST or (first and first[-1] not in ".:;?…)`"):
            wrong.append(f"{node.lineno} {node.name}: {first}")
    return wrong


def too_short(text: str) -> list[str]:
    """Public functions and classes whose docstring says no more than a name can."""
    return [
        f"{node.lineno} {node.name}: {docstring}"
        for node in statements(parsed(text).body)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        and not node.name.startswith("_")
        and 0 < len((docstring := ast.get_docstring(node) or "").split()) <= FEW_WORDS
    ]


def participles(text: str) -> list[str]:
    """Names in a module, of whatever kind, that are in `NO_NOUNS`."""
    if not SET.search(text):
        return []
    names = (
        (node.lineno, getattr(node, field))
        for node in ast.walk(parsed(text))
        for field in ("id", "arg", "attr", "name")
        if isinstance(node, ast.stmt | ast.expr | ast.arg) and hasattr(node, field)
    )
    return [f"{line} {name}" for line, name in sorted(names) if name in NO_NOUNS]


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
        for node in statements(parsed(text).body)
        if isinstance(node, ast.FunctionDef)
        and not node.name.startswith("_")
        and raised(node)
        and not re.search("[Rr]aise|Error", ast.get_docstring(node) or "")
    ]


def private(text: str) -> list[str]:
    """What a module uses of others by names that begin with an underscore."""
    found = []
    for node in ast.walk(parsed(text)):
        if isinstance(node, ast.Attribute) and re.match("_[a-z]", node.attr):
            owner = ast.unparse(node.value)
            found += [f"{node.lineno} {owner}.{node.attr}"] if owner not in ("self", "cls") else []
        elif isinstance(node, ast.ImportFrom):
            names = [alias.name for alias in node.names if re.match("_[a-z]", alias.name)]
            found += [f"{node.lineno} {name}" for name in names]
    return found


def test_the_command_line_uses_click_by_its_public_names() -> None:
    paths = (ROOT / "ti99tools" / "fronts" / "cli").glob("*.py")
    found = {str(path): private(path.read_text(encoding="utf-8")) for path in paths}
    assert found
    assert not {path: names for path, names in found.items() if names}


PACKAGE = ROOT / "ti99tools"
PLACES = {
    path.relative_to(PACKAGE).with_suffix("").as_posix().removesuffix("/__init__"): path
    for path in PACKAGE.rglob("*.py")
    if path.parent != PACKAGE
}
"""Modules and rooms, `computer/console/session`, and their files."""
ROOMS = {part for place in PLACES for part in place.split("/")[:-1]}
IN_PACKAGE = re.compile(r"`([a-z_]+(?:[./][a-z_]\w*)+)(?:\.py)?`")
"""A path in a docstring or comment; it may begin in any room: `render.picture`, `cli/run.py`."""
IN_PAGES = re.compile(r"\bti99tools[./]([\w./-]*\w)")
"""A path in a page of the documentation, which begins at the package."""
WINGS = {place.partition("/")[0] for place in PLACES}


def remarks(text: str) -> Iterator[str]:
    """The comments and docstrings of a module."""
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT or token.string.startswith('"""'):
            yield token.string


@cache
def is_there(name: str) -> bool:
    """Tell whether a dotted or slashed name ends the path of a module, or of a name in one."""
    name = name.replace(".", "/")
    if any(f"/{place}".endswith(f"/{name}") for place in PLACES):
        return True
    module, _, last = name.rpartition("/")
    found = [path for place, path in PLACES.items() if f"/{place}".endswith(f"/{module}")]
    return any(re.search(rf"\b{last}\b", path.read_text(encoding="utf-8")) for path in found)


def lost_in_package(text: str) -> list[str]:
    """Modules that a module's docstrings and comments name and that are not there."""
    if not _lost(text):  # reading its tokens takes long
        return []
    return [name for remark in remarks(text) for name in _lost(remark)]


def _lost(text: str) -> list[str]:
    names = IN_PACKAGE.findall(text)
    return [name for name in names if re.split("[./]", name)[0] in ROOMS and not is_there(name)]


def lost_in_page(text: str) -> list[str]:
    """Modules that a page names by their whole path and that are not there."""
    names = [name for name in IN_PAGES.findall(text) if re.split("[./]", name)[0] in WINGS]
    return [
        name
        for name in names
        if not (PACKAGE / name).exists() and not is_there(name.removesuffix(".py"))
    ]


def test_modules_that_are_named_are_there() -> None:
    found = {
        str(path): lost_in_package(path.read_text(encoding="utf-8"))
        for path in PACKAGE.rglob("*.py")
    }
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "xbasic").rglob("*.md")]
    found |= {str(path): lost_in_page(path.read_text(encoding="utf-8")) for path in pages}
    assert not {path: lost for path, lost in found.items() if lost}


def test_docstrings_begin_with_one_short_line() -> None:
    found = {str(path): misbegun(path.read_text(encoding="utf-8")) for path in MODULES}
    assert not {path: wrong for path, wrong in found.items() if wrong}


def test_docstrings_say_more_than_the_name() -> None:
    assert too_short('def size() -> int:\n    """The size."""\n')
    package = [path for path in MODULES if "ti99tools" in path.relative_to(ROOT).parts]
    found = {str(path): too_short(path.read_text(encoding="utf-8")) for path in package}
    assert not {path: short for path, short in found.items() if short}


def test_names_are_nouns() -> None:
    assert participles("told = 1\nx.said = told\n\n\ndef f(asked): ...\n") == [
        "1 told", "2 said", "2 told", "5 asked",
    ]  # fmt: skip
    found = {str(path): participles(path.read_text(encoding="utf-8")) for path in MODULES}
    assert not {path: names for path, names in found.items() if names}


def test_docstrings_tell_the_errors_that_are_raised() -> None:
    found = {
        str(path): untold(path.read_text(encoding="utf-8"))
        for path in MODULES
        if "cli" not in path.parts and "xbasic" not in path.parts
    }
    assert not {path: wrong for path, wrong in found.items() if wrong}


def unneeded(excused: dict[str, list[str]]) -> dict[str, set[str]]:
    """Files of ruff-excused.toml → the rules that they keep by now, or that are not there."""
    there = [file for file in excused if (ROOT / file).exists()]
    rules = sorted({rule for rules in excused.values() for rule in rules})
    options = ["--isolated", "--target-version", "py311", "--output-format", "json", "--select"]
    limit = ["--config", "lint.mccabe.max-complexity=12"]
    command = [sys.executable, "-m", "ruff", "check", *options, ",".join(rules), *limit, *there]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    broken = {
        (str(Path(x["filename"]).relative_to(ROOT)), x["code"]) for x in json.loads(done.stdout)
    }
    kept = {
        file: {rule for rule in rules if (file, rule) not in broken}
        for file, rules in excused.items()
    }
    return {file: rules for file, rules in kept.items() if rules}


def test_files_are_excused_from_rules_that_they_break_and_no_others() -> None:
    excused = tomllib.loads((ROOT / "ruff-excused.toml").read_text(encoding="utf-8"))
    files = excused["lint"]["extend-per-file-ignores"]
    assert unneeded(files) == {}
    first = next(iter(files))
    wrong = {first: [*files[first], "E711"], "gone.py": ["ARG001"]}
    assert unneeded(wrong) == {first: {"E711"}, "gone.py": {"ARG001"}}


def test_the_checks_can_fail() -> None:
    assert private("from click.core import _x\nctx._y\nself._z\n") == ["1 _x", "2 ctx._y"]
    function = 'def read():\n    """Read it."""\n    raise DiskError("full")\n'
    assert untold(function) == ["1 read: DiskError"]
    assert untold(function.replace("Read it.", "Read it. Raises DiskError.")) == []
    assert misbegun(function) == []
    assert misbegun(function.replace("Read it.", "Whether it is read")) == [
        "1 read: Whether it is read"
    ]
    remark = '"""See `render.mosaic`."""\n# `disk/image` and `media.disk.image.DiskImage`\n'
    assert lost_in_package(remark) == ["render.mosaic"]
    assert lost_in_page("`ti99tools/app/nothing.py`, `ti99tools.app.run`") == ["app/nothing.py"]
