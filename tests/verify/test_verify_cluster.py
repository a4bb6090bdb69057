"""Matches on a Dask cluster: the same verdict as in one process, coverage included."""

import json
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest
from click.testing import CliRunner

from ti99tools.fronts.cli.main import cli
from ti99tools.games.making.scaffold import new_game

# Not imported here: it takes a second, and every worker of pytest-xdist collects this file.
pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(
        find_spec("distributed") is None, reason="the extra `cluster` is not installed"
    ),
]


@pytest.fixture(scope="module")
def scheduler(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a local scheduler with a worker process of two threads."""
    folder = str(tmp_path_factory.mktemp("dask"))
    local_cluster = import_module("distributed").LocalCluster
    with (
        import_module("dask").config.set(temporary_directory=folder),
        local_cluster(
            n_workers=1, threads_per_worker=2, dashboard_address=None, silence_logs="ERROR"
        ) as cluster,
    ):
        yield cluster.scheduler_address


def verified(game: Path, *options: str) -> tuple[dict[str, object], dict[str, object]]:
    """The verdict and the coverage of the source."""
    counts = game / "c.json"
    words = ["verify", str(game), "--games", "5", "--json", "--coverage", f"json={counts}"]
    result = CliRunner().invoke(cli, [*words, *options])
    assert result.exit_code == 0, result.output
    [verdict] = json.loads(result.stdout)
    del verdict["wall_seconds"]
    return dict(verdict), dict(json.loads(counts.read_text()))


def test_the_verdict_is_that_of_two_processes(scheduler: str, tmp_path: Path) -> None:
    """That two processes find what one does: `tests/verify/test_verify_coverage.py`."""
    game = tmp_path / "dare"
    new_game(game)
    two = verified(game, "--jobs", "2")
    assert verified(game, "--executor", f"dask:{scheduler}") == two
    assert two[0]["statements"] == two[1]["totals"]


@pytest.mark.parametrize(
    ("executor", "message"),
    [
        ("dask:tcp://127.0.0.1:9", "no Dask scheduler"),
        ("spark:x", "unknown executor"),
        ("dask", "unknown executor"),
    ],
)
def test_a_wrong_address_is_told(
    executor: str, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ti99tools.app.verify.CLUSTER_SECONDS", 0.1)
    result = CliRunner().invoke(cli, ["verify", "d5000", "--executor", executor])
    assert result.exit_code == 2
    assert message in result.stderr
