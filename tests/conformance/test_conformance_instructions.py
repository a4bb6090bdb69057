"""The judgement of recorded instructions: right ones pass, wrong ones are told, doubts excuse."""

from typing import Any

import pytest

from ti99tools.games.conformance.vectors import differences

MOV: dict[str, Any] = {
    "id": "x",
    "op": "MOV",
    "pc": "A000",
    "wp": "2000",
    "st": "0000",
    "mem": {"A000": "C081", "2002": "1234"},
    "after": {"pc": "A002", "wp": "2000", "st": "C000", "changed": {"2004": "1234"}},
    "cycles": 26,
}


def places(**changes: Any) -> list[str]:
    after = {**MOV["after"], **changes.pop("after", {})}
    return [found.where for found in differences({**MOV, **changes, "after": after})]


def test_a_right_one_passes() -> None:
    assert places() == []


@pytest.mark.parametrize(
    ("after", "where"),
    [
        ({"pc": "A004"}, "PC"),
        ({"wp": "2002"}, "WP"),
        ({"st": "0000"}, "ST"),
        ({"changed": {}}, "memory"),
    ],
)
def test_what_differs_is_told(after: dict[str, Any], where: str) -> None:
    assert places(after=after) == [where]


def test_cycles_count_unless_a_doubt_excuses_them() -> None:
    assert places(cycles=22) == ["cycles"]
    assert places(cycles=22, doubt=["cycles+4"]) == []
    assert places(cycles=30, doubt=["cycles-4"]) == []
    assert places(cycles=30, doubt=["cycles+4"]) == ["cycles"]
