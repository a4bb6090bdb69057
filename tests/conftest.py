"""What all tests share, and how the workers of pytest-xdist share them: by file, long files first.

The tests of a file use the same games and programs, which a worker prepares once. Files marked
`long` come first, so that no worker begins a long one when the others are nearly done. The recorded
cases are the longest and prepare nothing: each goes to any worker.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from xdist.remote import Producer
    from xdist.scheduler import LoadScopeScheduling

APART = "tests/conformance/"
"""The folder whose tests are shared one by one."""

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
    from tests.shipped import build_or_shipped

    for module in BUILDERS:
        monkeypatch.setattr(f"ti99tools.{module}.build_game", build_or_shipped)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the tests that are marked `long` first."""
    items.sort(key=lambda item: item.get_closest_marker("long") is None)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> LoadScopeScheduling | None:
    """Share by file unless `--dist` says otherwise."""
    if config.getoption("dist") != "load":
        return None
    from xdist.scheduler import LoadFileScheduling

    class ByFile(LoadFileScheduling):  # type: ignore[misc]
        def _split_scope(self, nodeid: str) -> str:
            return nodeid if nodeid.startswith(APART) else super()._split_scope(nodeid)

    config.option.loadscopereorder = False
    return ByFile(config, log)
