"""What all tests share, and how pytest-xdist distributes them: by file, long files first.

The tests of a file use the same programs, which a worker prepares once; a game is built once for
all workers. Files marked `long` come first, so that no worker begins a long one when the others are
nearly done. The recorded cases take longest and prepare nothing: each goes to any worker.
"""

from __future__ import annotations

import gc
import os
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from _pytest.pathlib import import_path

from tests.sampling import commits, sampled

if TYPE_CHECKING:
    from xdist.remote import Producer
    from xdist.scheduler import LoadScopeScheduling
    from xdist.workermanage import WorkerController

APART = "tests/conformance/test_recorded.py::test_recorded["
"""How the tests begin that are distributed one by one."""
TOGETHER = ("tests/test_", "tests/cli/test_cli_words.py", "tests/cycles/")
"""How the files begin that one worker gets together: their tests read the trees of all modules."""

IN_MEMORY = "/dev/shm"
"""A folder in memory, on Linux: to make and remove a file there takes a thirtieth of the time."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let a sample be played again (see `sampling`), and add the seed of slow tests."""
    parser.addoption("--sample", type=int, metavar="N", help="play the sample of this number")
    help_text = "seed of slow tests; without it the commit's own"
    parser.addoption("--seed", type=int, default=None, metavar="N", help=help_text)


@pytest.fixture(scope="session")
def seed(pytestconfig: pytest.Config) -> int:
    """The seed of slow tests: `--seed N`, or else the commit's own."""
    return _seed(pytestconfig)


def _seed(config: pytest.Config) -> int:
    from tests.seeds import seed_of_commit

    given = config.getoption("seed")
    return seed_of_commit() if given is None else int(given)


def pytest_configure(config: pytest.Config) -> None:
    """Make a cache folder for this run: its workers and their commands build a game once.

    The garbage collector looks seldom, at every 40,000th object: some 200 tests of the compiler
    took 16.2 s of processor time so, 16.9 s at every 10,000th, 17.3 s at every 100,000th. No test
    sees the user's cache. Properties have no deadline, which a busy computer would exceed. Where
    Python may not write compiled modules, they go to the same folder: hundreds of processes are
    started, and each would compile the package anew. Temporary files are in memory where there is
    room for them.
    """
    from hypothesis import settings

    gc.set_threshold(40_000)
    settings.register_profile("untimed", deadline=None)
    settings.load_profile("untimed")
    _register_random()
    if config.option.sample is None:  # workers get the option of the process that starts them
        config.option.sample = commits()
    if getattr(config.option, "hypothesis_seed", None) is None:
        # Each commit tries examples of its own, and what fails for one fails there again.
        config.option.hypothesis_seed = config.option.sample
    if not hasattr(config, "workerinput"):
        if "TMPDIR" not in os.environ and _is_roomy(IN_MEMORY):
            os.environ["TMPDIR"] = tempfile.tempdir = IN_MEMORY
        folder = tempfile.TemporaryDirectory(prefix="ti99tools-tests-")
        config.add_cleanup(folder.cleanup)
        os.environ["TI99TOOLS_CACHE"] = os.path.join(folder.name, "kept")
        if os.environ.pop("PYTHONDONTWRITEBYTECODE", ""):
            os.environ["PYTHONPYCACHEPREFIX"] = os.path.join(folder.name, "compiled")


def _register_random() -> None:
    """Let Hypothesis look who refers to its random numbers now, when there are few objects.

    Before the first property it would look through what all tests until then have left.
    """
    with suppress(ImportError):
        from hypothesis.internal.entropy import deterministic_PRNG

        with deterministic_PRNG():
            pass


def _is_roomy(folder: str) -> bool:
    """Tell whether temporary files can be in a folder: a gigabyte, programs among them.

    Containers often have one of 64 megabytes, from which no program starts.
    """
    try:
        found = os.statvfs(folder)
    except (AttributeError, OSError):
        return False
    room = found.f_bavail * found.f_frsize
    programs = not found.f_flag & getattr(os, "ST_NOEXEC", 0)
    return programs and room >= 1 << 30 and os.access(folder, os.W_OK)


def pytest_sessionstart(session: pytest.Session) -> None:
    """Let every second worker of pytest-xdist import the tests from the last file on.

    In a fresh folder pytest rewrites the asserts of each file, which takes longer than many tests.
    What one worker has rewritten the others read; they would all rewrite the same file at a time.
    """
    config = session.config
    if config.option.durations is None and not config.option.xmlpath:
        for plugin in config.pluginmanager.get_plugins():
            if type(plugin).__name__ == "WorkerInteractor":
                sparing = Sparing(plugin.sendevent)
                plugin.sendevent = sparing.send
                config.pluginmanager.register(sparing)
                break
    if not _from_the_end() or config.args != ["tests"]:
        return
    for path in sorted((config.rootpath / "tests").rglob("test_*.py"), reverse=True):
        # Whatever is wrong with a file is told when it is collected.
        with suppress(Exception, pytest.skip.Exception):
            import_path(
                path, mode="importlib", root=config.rootpath, consider_namespace_packages=False
            )


def _from_the_end() -> bool:
    """Tell whether this is every second worker of pytest-xdist."""
    return int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")) % 2 == 1


class Sparing:
    """Lets a worker of pytest-xdist send no message of which nothing is shown: half of all.

    Those are that a test begins, and that it is set up and torn down.
    """

    def __init__(self, send: Callable[..., None]) -> None:
        self._send = send

    def send(self, name: str, **about: Any) -> None:
        """Send what is needed."""
        if name != "logstart" and "spared" not in about.get("data", ()):
            self._send(name, **about)

    @pytest.hookimpl(tryfirst=True)
    def pytest_report_to_serializable(self, report: pytest.TestReport) -> dict[str, Any] | None:
        """Make nothing of what is not sent."""
        return {"spared": True} if report.passed and report.when in ("setup", "teardown") else None


def pytest_collection_finish() -> None:
    """Let the garbage collector leave alone what lives to the end.

    Otherwise it looks through the modules of all tests again and again.
    """
    gc.freeze()


def pytest_sessionfinish() -> None:
    """Look for garbage once: pytest does so twice more, among all that the tests have left."""
    gc.collect()
    gc.freeze()


@pytest.fixture
def anew() -> Iterator[None]:
    """Take nothing from the cache, for tests of building itself."""
    from ti99tools.base.cache import nothing_kept

    with nothing_kept():
        yield


@pytest.fixture
def two_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of all games, with two made-up ones in the place of ours, ANT and BEE.

    They are quickly built: for tests to which it does not matter what is built.
    """
    from tests.making.madeupgames import collection

    root = collection(tmp_path / "xbasic")
    for module in ("games.making.finding", "app.build"):
        monkeypatch.setattr(f"ti99tools.{module}.games_root", lambda: root)
    return root


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Put the tests that are marked `long` first, and mark as `slow` what the sample leaves out."""
    if _from_the_end():
        _find_constants()
    items.sort(key=lambda item: item.get_closest_marker("long") is None)
    families: dict[str, list[pytest.Item]] = defaultdict(list)
    for item in items:
        mark = item.get_closest_marker("sampled")
        if mark is not None:
            families[_family(item, mark)].append(item)
    for family in families.values():
        mark = family[0].get_closest_marker("sampled")
        assert mark is not None
        sample = sampled(family, mark.args[0], config.option.sample, lambda item: item.nodeid)
        for item in family:
            if item not in sample:
                item.add_marker(pytest.mark.slow)


def _find_constants() -> None:
    """Find the constants in the package, which Hypothesis tries, from the last module on.

    It begins with the first module, in all workers at a time, and each reads what another found.
    """
    with suppress(ImportError):
        from hypothesis.internal.constants_ast import constants_from_module, is_local_module_file

        for module in reversed([*sys.modules.values()]):
            file = getattr(module, "__file__", None)
            if file is not None and is_local_module_file(file):
                constants_from_module(module)


def _family(item: pytest.Item, mark: pytest.Mark) -> str:
    """What a test shares a sample with: its other cases, or with `together` others of its file."""
    parameter = mark.kwargs.get("together")
    if parameter is None:
        return item.nodeid.partition("[")[0]
    values = item.callspec.params if hasattr(item, "callspec") else {}
    return f"{item.nodeid.partition('::')[0]} {values.get(parameter)}"


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Tell the number of the sample, and the seed if slow tests were asked for."""
    number = config.option.sample
    terminalreporter.write_line(f"sample {number} (--sample {number} plays it again)")
    if config.getoption("markexpr") == "slow":
        terminalreporter.write_line(f"seed {_seed(config)} (--seed {_seed(config)} plays it again)")


@pytest.fixture(scope="session")
def sample(pytestconfig: pytest.Config) -> int:
    """The number of this run's sample."""
    number: int = pytestconfig.option.sample
    return number


class Places(list[str]):
    """The names of all tests, with the place of each: xdist asks for every one of ten thousand."""

    def __init__(self, names: Sequence[str]) -> None:
        super().__init__(names)
        self._places = {name: at for at, name in enumerate(names)}

    def index(self, name: str, *_: Any) -> int:
        """The place of a name."""
        return self._places[name]


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> LoadScopeScheduling | None:
    """Distribute by file unless `--dist` says otherwise."""
    if config.getoption("dist") != "load":
        return None
    from xdist.scheduler import LoadFileScheduling

    class ByFile(LoadFileScheduling):  # type: ignore[misc]
        def _split_scope(self, nodeid: str) -> str:
            if nodeid.startswith(TOGETHER):
                return "modules"
            return nodeid if nodeid.startswith(APART) else super()._split_scope(nodeid)

        def add_node_collection(self, node: WorkerController, collection: Sequence[str]) -> None:
            super().add_node_collection(node, collection)
            self.registered_collections[node] = Places(collection)

        def _pending_of(self, workload: dict[str, dict[str, bool]]) -> int:
            """Count tests that wait: xdist looks at all files after each test, here only at those
            since the last that is done, because a worker takes its files in order.
            """
            waiting = 0
            for tests in reversed(workload.values()):
                here = list(tests.values()).count(False)
                if not here:
                    break
                waiting += here
            return waiting

    config.option.loadscopereorder = False
    return ByFile(config, log)
