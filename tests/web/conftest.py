"""The bridge of the page, for the tests that need no browser."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.web.bridgepage import Page


@pytest.fixture(autouse=True)
def _folder_as_before() -> Iterator[None]:
    """Go back to the current folder: the bridge makes a project's the current one.

    That one is removed after its test, and later tests would have no current folder.
    """
    before = Path.cwd()
    yield
    os.chdir(before)


@pytest.fixture
def page(tmp_path: Path) -> Page:
    return Page(tmp_path / "work")
