"""The bridge of the page, for the tests that need no browser."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.web.bridgepage import Page


@pytest.fixture
def page(tmp_path: Path) -> Iterator[Page]:
    before = Path.cwd()
    yield Page(tmp_path / "work")
    os.chdir(before)
