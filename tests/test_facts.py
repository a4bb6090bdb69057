"""A fact has one home: no two modules of the package give one name to one value."""

import ast
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest

from tests import house

APART = ("ti99tools.games.models",)
"""Models share no code with the console that they check, so they have their facts for themselves.
"""
OWN_LIMITS = "limits of two things, either of which may change alone"
OTHER_MEANING = "one word for two things, whose values are equal by chance"
EXCUSED: Mapping[str, tuple[str, str]] = {
    "DEEPEST": ("3 8 40", OWN_LIMITS),
    "KEPT": ("256 4096", OWN_LIMITS),
    "LARGEST": ("4000000 1<<20", OWN_LIMITS),
    "LONGEST": ("200", OWN_LIMITS),
    "MOST": ("4 64 200", OWN_LIMITS),
    "MOST_DIGITS": ("9", OWN_LIMITS),
    "MOST_MISTAKES": ("50", OWN_LIMITS),
    "SHOWN": ("8", OWN_LIMITS),
    "APART": ("7919", OTHER_MEANING),
    "BANK": ("8192", "a bank of our cartridges, and of a dump of Extended BASIC's"),
    "FIRST": ("30", OTHER_MEANING),
    "HEAD": ("2", OTHER_MEANING),
    "LEFT": ("8", "the key, and an arm of a line"),
    "LINE": ("6", OTHER_MEANING),
    "MARGIN": ("2", "PRINT's, and that of the console's own routines for cassettes"),
    "NOWHERE": ("-1", OTHER_MEANING),
    "NUMBER": ("8", "bytes of a number, a kind of token, and bytes in a recorded file"),
    "PAGE": ("256", "memory of the processor, and cells of a recorded vector"),
    "Place": ("tuple[int,int]", "in a program, in the keyboard's matrix, and on the screen"),
    "RECORD": ("80", "the record of a log, and that of object code"),
    "SECTOR": ("256", "base knows no disks; there it is what memory images are filled up to"),
    "STEP": ("10", "of NUMBER and RESEQUENCE in the editor, and of the lines of a listing"),
    "Spot": ("tuple[int,int]", "the compiler's, and that of the console, which knows no compiler"),
    "TYPE_CHECKING": ("False", "spares the import of typing"),
}
"""Name → the values that two modules may have under it, and why they are two facts."""


def constants(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Names that a module sets at its top, without `_` before them, and values as source."""
    for node in tree.body:
        if isinstance(node, ast.Assign):
            for target in node.targets:
                yield from _pairs(target, node.value)
        elif isinstance(node, ast.AnnAssign) and node.value is not None:
            yield from _pairs(node.target, node.value)


def _pairs(target: ast.expr, value: ast.expr) -> Iterator[tuple[str, str]]:
    if isinstance(target, ast.Tuple):
        if isinstance(value, ast.Tuple):
            for each, part in zip(target.elts, value.elts, strict=True):
                yield from _pairs(each, part)
    elif isinstance(target, ast.Name):
        yield target.id.lstrip("_"), _written(value)


def _written(value: ast.expr) -> str:
    """A value as source: numbers in one form, whatever their base."""
    try:
        return repr(ast.literal_eval(value)).replace(" ", "")
    except ValueError:
        return ast.unparse(value).replace(" ", "")


def twice(modules: Mapping[str, house.Module]) -> dict[tuple[str, str], list[str]]:
    """Name and value → the modules, if more than one has them."""
    homes = defaultdict(list)
    for name, module in modules.items():
        if not name.startswith(APART):
            for fact in set(constants(module.tree)):
                homes[fact].append(name)
    return {
        fact: found
        for fact, found in homes.items()
        # Type checkers want a type variable where it is used; what is empty yet holds no fact.
        if len(found) > 1 and not fact[1].startswith(("TypeVar(", "{}", "[]"))
    }


@cache
def _found() -> dict[tuple[str, str], list[str]]:
    return twice(house.ours())


def test_a_fact_has_one_home() -> None:
    new = {
        fact: found
        for fact, found in _found().items()
        if fact[1] not in _excused().get(fact[0], ())
    }
    assert not new, "import the fact from the lowest of the modules, or from base"


def _excused() -> dict[str, list[str]]:
    return {name: values.split() for name, (values, _) in EXCUSED.items()}


def test_an_excuse_is_needed() -> None:
    excused = {(name, value) for name, values in _excused().items() for value in values}
    assert excused - set(_found()) == set()


WRITTEN_ONCE = {
    '"game.toml"': "ti99tools.base.hostio",
    '"* READY *"': "ti99tools.base.basic",
    "(1980, 1, 1": "ti99tools.base.packed",
    "ZipInfo(": "ti99tools.base.packed",
    "[[int, int], Place]": "ti99tools.base.errors",
    "Mapping[int, tuple[st.Statement, ...]]": "ti99tools.language.syntax.statements",
}
"""A text of the source → the one module that may have it, if any: the others import its name."""


def elsewhere(modules: Mapping[str, house.Module]) -> list[tuple[str, str]]:
    """Modules and what they write that another module has a name for."""
    return [
        (name, text)
        for name, module in modules.items()
        for text, home in WRITTEN_ONCE.items()
        if name != home and any(text in line for line in module.lines)
    ]


def test_facts_with_a_name_are_not_written_out() -> None:
    assert elsewhere(house.ours()) == []


def test_a_fact_that_is_written_out_is_found(tmp_path: Path) -> None:
    (tmp_path / "one.py").write_text('shown = rows[-1] == "* READY *"')
    assert elsewhere(house.read(tmp_path)) == [(f"{tmp_path.name}.one", '"* READY *"')]


@pytest.mark.parametrize(
    ("one", "two", "found"),
    [
        ("READY = '* READY *'", '_READY, AT = "* READY *", 30', "READY"),
        ("FLAGS = 0x83C2", "FLAGS: int = 33730", "FLAGS"),
        ("NAME = re.compile('[A-Z]+')", 'NAME = re.compile("[A-Z]+")', "NAME"),
        ("SMALL = {1, 2}", "SMALL = {1, 3}", None),
        ("T = TypeVar('T')", "T = TypeVar('T')", None),
        ("READY = 1", "STEADY = 1", None),
    ],
)
def test_new_pairs_are_found(tmp_path: Path, one: str, two: str, found: str | None) -> None:
    (tmp_path / "one.py").write_text(one)
    (tmp_path / "two.py").write_text(two)
    facts = twice(house.read(tmp_path))
    assert [name for name, _ in facts] == ([found] if found else [])


def test_a_model_has_its_own_facts(tmp_path: Path) -> None:
    (tmp_path / "one.py").write_text("ENTER = 13")
    modules = house.read(tmp_path)
    (module,) = modules.values()
    assert twice({"ti99tools.base.codes": module, "ti99tools.games.models.model": module}) == {}
    assert twice({"ti99tools.base.codes": module, "ti99tools.games.hosts.keys": module})
