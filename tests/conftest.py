"""What all tests share, and how the workers of pytest-xdist share them: by file, long files first.

The tests of a file use the same programs, which a worker prepares once; a game is built once for
all workers. A file in `SPLIT` has no such programs, and its tests go to any worker.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from xdist.remote import Producer
    from xdist.scheduler import LoadScopeScheduling

LONG = (
    "conformance/test_recorded.py",
    "verify/test_verify_cluster.py",
    "optimize/test_equivalence.py",
    "web/test_web_bridge.py",
    "verify/test_verify_shipped.py",
    "verify/test_verify_lambo.py",
    "verify/test_verify_campaign.py",
    "verify/test_verify_dimraw.py",
    "tape/test_tape_worn.py",
    "optimize/test_both_forms.py",
    "verify/test_verify_d5000.py",
    "verify/test_verify_dicerack.py",
    "verify/test_verify_trouble.py",
    "verify/test_verify_settings.py",
    "web/test_web_alone.py",
)
"""Files with long tests, the longest first; others come as they are collected."""
SPLIT = ("conformance/test_recorded.py",)


def pytest_configure(config: pytest.Config) -> None:
    """Make a cache folder for this run: its workers and their commands build a game once.

    Whatever the user's cache holds, no test sees it.
    """
    if not hasattr(config, "workerinput"):
        folder = TemporaryDirectory(prefix="ti99tools-tests-")
        config.add_cleanup(folder.cleanup)
        os.environ["TI99TOOLS_CACHE"] = folder.name


@pytest.fixture
def anew() -> Iterator[None]:
    """Nothing is taken from the cache: for tests of building itself."""
    from ti99tools.base.cache import nothing_kept

    with nothing_kept():
        yield


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the tests of long files first."""
    ranks = {name: rank for rank, name in enumerate(LONG)}
    items.sort(key=lambda item: ranks.get(_file(item.nodeid), len(LONG)))


def _file(nodeid: str) -> str:
    """The file of a test below this folder."""
    return nodeid.split("::")[0].removeprefix("tests/")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> LoadScopeScheduling | None:
    """Share by file unless `--dist` says otherwise."""
    if config.getoption("dist") != "load":
        return None
    from xdist.scheduler import LoadFileScheduling

    class ByFile(LoadFileScheduling):  # type: ignore[misc]
        def _split_scope(self, nodeid: str) -> str:
            return nodeid if _file(nodeid) in SPLIT else super()._split_scope(nodeid)

    config.option.loadscopereorder = False
    return ByFile(config, log)
