"""JSON and TOML of strangers: every mistake is a ValueError."""

from typing import Any

import pytest

from ti99tools.base.tables import DEEPEST, check_depth, json_value, toml_table


def nested(levels: int) -> Any:
    value: Any = 1
    for _ in range(levels):
        value = [value]
    return value


def test_values_and_tables_are_read() -> None:
    assert json_value(b'{"a": [1]}') == {"a": [1]}
    assert toml_table("a = 1\r\n[b]\r\nc = [2]\r\n") == {"a": 1, "b": {"c": [2]}}


@pytest.mark.parametrize(
    "text", ["[" * 100_000, "1" * 5000, "{", "\ud800[", "[1E999]", "-Infinity"]
)
def test_a_bad_json_text_is_a_value_error(text: str) -> None:
    with pytest.raises(ValueError):
        json_value(text)


@pytest.mark.parametrize(
    "text", ["a = " + "[" * 100_000, f"a = {'9' * 5000}", "a", "a = [[" * 9, "a = nan"]
)
def test_a_bad_toml_text_is_a_value_error(text: str) -> None:
    with pytest.raises(ValueError):
        toml_table(text)


def test_depth_is_bounded() -> None:
    check_depth(nested(DEEPEST))
    check_depth({"a": [{"b": [1, "text"]}]})
    with pytest.raises(ValueError, match="deep"):
        check_depth(nested(DEEPEST + 1))
    with pytest.raises(ValueError, match="deep"):
        toml_table(f"a = {'[' * 70}{']' * 70}")
