"""Games that are quickly built, where what is built does not matter."""

from pathlib import Path

import pytest

from tests.games.madeup import collection


@pytest.fixture
def two_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of all games, with two made-up ones in the place of ours, ANT and BEE."""
    root = collection(tmp_path / "xbasic")
    for module in ("games.making.finding", "app.build"):
        monkeypatch.setattr(f"ti99tools.{module}.games_root", lambda: root)
    return root
