"""What all tests share, and how pytest-xdist distributes them: by file, long files first.

The tests of a file use the same programs, which a worker prepares once; a game is built once for
all workers. Files marked `long` come first, so that no worker begins a long one when the others are
nearly done. The recorded cases take longest and prepare nothing: each goes to any worker.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from xdist.remote import Producer
    from xdist.scheduler import LoadScopeScheduling

APART = "tests/conformance/"
"""The folder whose tests are distributed one by one."""


def pytest_configure(config: pytest.Config) -> None:
    """Make a cache folder for this run: its workers and their commands build a game once.

    No test sees the user's cache. Properties have no deadline, which a busy computer would exceed.
    Where Python may not write compiled modules, they go to the same folder: hundreds of processes
    are started, and each would compile the package anew.
    """
    from hypothesis import settings

    settings.register_profile("untimed", deadline=None)
    settings.load_profile("untimed")
    if not hasattr(config, "workerinput"):
        folder = TemporaryDirectory(prefix="ti99tools-tests-")
        config.add_cleanup(folder.cleanup)
        os.environ["TI99TOOLS_CACHE"] = os.path.join(folder.name, "kept")
        if os.environ.pop("PYTHONDONTWRITEBYTECODE", ""):
            os.environ["PYTHONPYCACHEPREFIX"] = os.path.join(folder.name, "compiled")


def pytest_collection_finish() -> None:
    """Let the garbage collector leave alone what lives to the end, and look less often.

    Otherwise it looks through the modules of all tests again and again, a tenth of the time.
    """
    gc.freeze()
    gc.set_threshold(20_000)


@pytest.fixture
def anew() -> Iterator[None]:
    """Take nothing from the cache, for tests of building itself."""
    from ti99tools.base.cache import nothing_kept

    with nothing_kept():
        yield


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the tests that are marked `long` first."""
    items.sort(key=lambda item: item.get_closest_marker("long") is None)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> LoadScopeScheduling | None:
    """Distribute by file unless `--dist` says otherwise."""
    if config.getoption("dist") != "load":
        return None
    from xdist.scheduler import LoadFileScheduling

    class ByFile(LoadFileScheduling):  # type: ignore[misc]
        def _split_scope(self, nodeid: str) -> str:
            return nodeid if nodeid.startswith(APART) else super()._split_scope(nodeid)

    config.option.loadscopereorder = False
    return ByFile(config, log)
