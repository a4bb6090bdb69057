"""What the tests of the studio share."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from bridged import Page


@pytest.fixture
def page(tmp_path: Path) -> Iterator[Page]:
    before = Path.cwd()
    yield Page(tmp_path / "work")
    os.chdir(before)
