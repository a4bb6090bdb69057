"""Every test module below this folder is collected, whatever its folder is called."""

from pathlib import Path

import pytest

from tests import conftest

HERE = Path(__file__).parent


def test_no_folder_of_tests_is_skipped(pytestconfig: pytest.Config) -> None:
    patterns: list[str] = pytestconfig.getini("norecursedirs")
    modules = [path.relative_to(HERE) for path in HERE.rglob("test_*.py")]
    skipped = {
        str(module)
        for module in modules
        for folder in module.parts[:-1]
        if any(Path(folder).match(pattern) for pattern in patterns)
    }
    assert modules
    assert not skipped


@pytest.mark.parametrize(("folder", "skipped"), [("build", True), ("making", False)])
def test_the_check_can_fail(pytestconfig: pytest.Config, folder: str, skipped: bool) -> None:
    patterns: list[str] = pytestconfig.getini("norecursedirs")
    assert any(Path(folder).match(pattern) for pattern in patterns) == skipped


def test_long_tests_come_first(request: pytest.FixtureRequest) -> None:
    """The order in which the tests of this very run were collected."""
    short = [item.get_closest_marker("long") is None for item in request.session.items]
    assert short == sorted(short)


def test_the_tests_shared_one_by_one_are_there() -> None:
    file, _, function = conftest.APART.removesuffix("[").partition("::")
    assert f"def {function}(" in (HERE.parent / file).read_text()


def test_each_test_has_its_place() -> None:
    names = ["a.py::test_1", "a.py::test_2", "b.py::test_1"]
    places = conftest.Places(names)
    assert places == names
    assert [places.index(name) for name in names] == [0, 1, 2]


def test_workers_send_what_is_shown() -> None:
    """Of the reports of a test that passes, the one of its call."""
    sent = []
    sparing = conftest.Sparing(lambda name, **about: sent.append((name, about)))
    for when in ("setup", "call", "teardown"):
        for outcome in ("passed", "failed", "skipped"):
            report = pytest.TestReport("t", ("t.py", 1, "t"), {}, outcome, None, when)
            data = sparing.pytest_report_to_serializable(report) or {"of": (when, outcome)}
            sparing.send("testreport", data=data)
    sparing.send("logstart", nodeid="t")
    sparing.send("logfinish", nodeid="t")
    of = [about["data"]["of"] for name, about in sent if name == "testreport"]
    unshown = {("setup", "passed"), ("teardown", "passed")}
    assert of == [
        (when, outcome)
        for when in ("setup", "call", "teardown")
        for outcome in ("passed", "failed", "skipped")
        if (when, outcome) not in unshown
    ]
    assert [name for name, _ in sent if name != "testreport"] == ["logfinish"]
