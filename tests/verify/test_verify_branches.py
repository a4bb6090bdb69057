"""Branch coverage of models: both ways of every branch, and generators counted right."""

import importlib.util
from pathlib import Path
from threading import Thread
from types import ModuleType

from ti99tools.games.models.model import Match, Player, Setup
from ti99tools.games.verify.branches import all_branches, branches_of, watching
from ti99tools.games.verify.loading import adapter, model_modules
from xbasic.d5000 import model as d5000

SOURCE = """
from functools import cache

def choose(n):
    if n > 1 and (
        n < 9
    ):
        return "middle"
    while n > 9:
        n -= 1
    return "edge"

def loop(items):
    for item in items:
        if item: print(item)

def match(word):
    match word:
        case "a":
            return 1
        case _:
            return 2

def asking():
    while (key := (yield)) != 13:
        pass
    while True:
        if (yield) == 1:
            return

class C:
    @classmethod
    def never(cls):
        if cls:
            return

@cache
def kept(n):
    if n:
        return 1
    return 0
"""


def module(tmp_path: Path) -> ModuleType:
    path = tmp_path / "sample.py"
    path.write_text(SOURCE)
    spec = importlib.util.spec_from_file_location("sample", path)
    assert spec is not None
    assert spec.loader is not None
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


def line(text: str) -> int:
    return next(n for n, row in enumerate(SOURCE.splitlines(), 1) if text in row)


def test_which_branches_there_are(tmp_path: Path) -> None:
    names = branches_of(module(tmp_path)).names
    assert f"{line('while True')} yes" in names
    assert f"{line('while True')} no" not in names, "it has no other way"
    assert not any(name.startswith(f"{line('if cls')} ") for name in names)
    assert f"{line('if item')} yes" not in names, "its body stands on the same line"
    assert len(names) == 7 * 2 + 2


def test_ways_taken(tmp_path: Path) -> None:
    sample = module(tmp_path)
    with watching(sample) as taken:
        sample.choose(5)
    assert taken.names == {f"{line('if n > 1')} yes"}
    with watching(sample) as taken:
        sample.choose(11)
    assert taken.names == {
        f"{line('if n > 1')} no",
        f"{line('while n > 9')} yes",
        f"{line('while n > 9')} no",
    }
    with watching(sample) as taken:
        sample.match("b")
    assert taken.names == {f"""{line('case "a"')} no""", f"{line('case _')} yes"}


def test_a_yield_is_no_way_out(tmp_path: Path) -> None:
    sample = module(tmp_path)
    with watching(sample) as taken:
        flow = sample.asking()
        next(flow)
        flow.send(5)
    assert taken.names == {f"{line('while (key')} yes"}
    with watching(sample) as taken:
        flow = sample.asking()
        next(flow)
        flow.send(13)
        flow.send(2)
    assert taken.names >= {f"{line('while (key')} no", f"{line('if (yield)')} no"}


def test_cached_code_runs_again(tmp_path: Path) -> None:
    sample = module(tmp_path)
    sample.kept(1)
    with watching(sample) as taken:
        sample.kept(1)
    assert taken.names == {f"{line('    if n:')} yes"}


def test_no_other_thread_fills_a_cache_meanwhile(tmp_path: Path) -> None:
    sample = module(tmp_path)

    def meanwhile() -> None:
        with watching(sample):
            sample.kept(1)

    with watching(sample) as taken:
        other = Thread(target=meanwhile)
        other.start()
        other.join(0.1)
        sample.kept(1)
    other.join()
    assert taken.names == {f"{line('    if n:')} yes"}


def test_the_models_branches_are_found() -> None:
    assert len(branches_of(d5000).names) > 60


def test_the_modules_beside_a_model_count_too() -> None:
    modules = model_modules(adapter("lambo"))
    assert [Path(module.__file__ or "").name for module in modules] == [
        "model.py",
        "board.py",
        "computer.py",
    ]
    names = all_branches(modules)
    assert {name.partition(":")[0] for name in names if ":" in name} == {"board.py", "computer.py"}
    with watching(*modules) as taken:
        Match(adapter("lambo").model(Setup(1, (Player("C", "A"), Player("E", "B")))))
    assert taken.names <= names
    assert any(name.startswith("board.py:") for name in taken.names)
