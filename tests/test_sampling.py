"""Samples are the same from the same number, differ from run to run, and leave little out."""

import re
from pathlib import Path

import pytest

from tests.sampling import MOST_SECONDS, ROOT, commits, sampled

MARK = r"mark\.sampled\((\d+), seconds=([\d.]+)"
NAMES = [f"case {n}" for n in range(40)]


def test_a_sample_is_one_in_so_many_and_follows_from_its_number() -> None:
    first = sampled(NAMES, 4, 1, str)
    assert len(first) == 10
    assert first == sampled(NAMES, 4, 1, str)
    assert first == [name for name in NAMES if name in first], "in their order"
    assert len(sampled(NAMES, 7, 1, str)) == 6, "rounded up"
    assert sampled(NAMES[:1], 7, 1, str) == NAMES[:1], "never none"


def test_other_runs_play_other_cases() -> None:
    played = {name for number in range(30) for name in sampled(NAMES, 4, number, str)}
    assert played == {*NAMES}


def test_the_number_is_that_of_commits_and_none_outside_git(tmp_path: Path) -> None:
    assert commits(tmp_path) == 0
    (tmp_path / ".git").write_text("no repository")
    assert commits(tmp_path) == 0
    assert (commits() > 0) == (ROOT / ".git").exists()


@pytest.mark.sampled(3, seconds=0)
@pytest.mark.parametrize("case", range(6))
def test_what_a_sample_leaves_out_is_slow(case: int, request: pytest.FixtureRequest) -> None:
    """Of these six, two are played in a usual run, the others by `-m slow`."""
    family = [item for item in request.session.items if "leaves_out_is_slow" in item.nodeid]
    slow = request.node.get_closest_marker("slow") is not None
    assert len(family) <= (4 if slow else 2)


def test_samples_leave_out_a_tenth_at_most() -> None:
    """By the seconds that stand with each of them."""
    files = [path for path in (ROOT / "tests").rglob("*.py") if path.name != "sampling.py"]
    marks = [re.findall(MARK, path.read_text("utf-8")) for path in files]
    assert sum(map(bool, marks)) > 5
    left_out = sum(float(s) * (1 - 1 / int(share)) for found in marks for share, s in found)
    assert 0 < left_out <= MOST_SECONDS
