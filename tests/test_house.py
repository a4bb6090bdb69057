"""The figures of the structure: counted right on a package made for it, and held on ours."""

from pathlib import Path

from tests import house

HERE = Path(__file__).parent
MOST = 500
"""Lines of a file of tests, whose one subject its name tells."""


def too_long(folder: Path) -> dict[str, int]:
    """Files with more than MOST lines."""
    counts = {
        path.relative_to(folder).as_posix(): len(path.read_text(encoding="utf-8").splitlines())
        for path in folder.rglob("*.py")
    }
    return {name: count for name, count in counts.items() if count > MOST}


def test_no_file_of_tests_is_too_long(tmp_path: Path) -> None:
    assert too_long(HERE) == {}
    (tmp_path / "test_all.py").write_text("\n" * (MOST + 1))
    (tmp_path / "test_one.py").write_text("\n" * MOST)
    assert too_long(tmp_path) == {"test_all.py": MOST + 1}


def test_a_small_package(tmp_path: Path) -> None:
    package = tmp_path / "shed"
    for folder in ("low", "high"):
        (package / folder).mkdir(parents=True)
        (package / folder / "__init__.py").write_text('"""A room."""\n')
    (package / "__init__.py").write_text("")
    twice = "".join(f"value_{n} = {n}\n" for n in range(house.RUN))
    (package / "low" / "a.py").write_text(f"from shed.low import b\n{twice}")
    (package / "low" / "b.py").write_text(
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from shed.low.a import value_1\n"
    )
    (package / "high" / "a.py").write_text(f"from shed.low.a import value_1\n{twice}")
    modules = house.read(package)
    assert house.circles(house.graph(modules, False)) == []
    assert house.circles(house.graph(modules, True)) == [["shed.low.a", "shed.low.b"]]
    assert house.floors(house.graph(modules, False)) == 2
    assert house.same_names(modules) == {"a": 2}
    assert house.duplicates(modules) == 1
    assert "modules:" in house.report(package)
    (package / "low" / "a.py").write_text("def late():\n    from shed.high import a\n")
    modules = house.read(package)
    assert house.circles(house.graph(modules, False)) == [["shed.high.a", "shed.low.a"]]


def test_nothing_imports_in_a_circle_when_it_runs() -> None:
    assert house.circles(house.graph(house.ours(), False)) == []


def test_no_rooms_import_each_other_in_a_circle() -> None:
    assert house.circles(house.rooms(house.graph(house.ours(), True))) == []


def test_an_import_that_points_up_makes_a_circle_of_rooms() -> None:
    """The tokenizer asks for advice, as it once did: no modules are in a circle, rooms are."""
    arrows = house.graph(house.ours(), True)
    listing, remedies = (f"ti99tools.language.{room}" for room in ("listing", "remedies"))
    arrows[f"{listing}.tokenize"] |= {f"{remedies}.otherbasics"}
    assert [listing, remedies] in house.circles(house.rooms(arrows))


def test_nothing_in_interp_imports_in_a_circle_not_even_for_types() -> None:
    interp = [
        each
        for each in house.circles(house.graph(house.ours(), True))
        if any(".interp." in name for name in each)
    ]
    assert interp == []
