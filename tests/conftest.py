"""What all tests share, and how the workers of pytest-xdist share them: by file, long files first.

The tests of a file use the same games and programs, which a worker prepares once. A file in `SPLIT`
has none of that, and its tests go to any worker.
"""

from __future__ import annotations

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

BUILDERS = (
    "app.build",
    "app.stage",
    "app.target",
    "games.verify.subject",
    "fronts.web.projects",
)
"""Modules of the package that build games."""


@pytest.fixture
def built_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shipped games are built once a process, also by commands: for tests of what comes after."""
    from shipped import build_or_shipped

    for module in BUILDERS:
        monkeypatch.setattr(f"ti99tools.{module}.build_game", build_or_shipped)


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
