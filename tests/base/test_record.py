"""Records behave as frozen dataclasses do."""

from __future__ import annotations

import copy
import pickle
from dataclasses import FrozenInstanceError, fields, replace

import pytest

from ti99tools.base.record import Record, field


class Point(Record):
    x: int
    y: int = 0
    note: str = field(default="", compare=False)


class Named(Record, kw_only=True):
    at: int
    fault: int | None = None


class Circle(Named, kw_only=True):
    centre: Point
    radius: float


def circle() -> Circle:
    return Circle(at=3, centre=Point(1, 2), radius=2.5)


def test_fields_are_given_by_place_or_by_name() -> None:
    assert Point(1) == Point(x=1, y=0)
    assert (Point(1, 2).x, Point(1, 2).y, Point(1, 2).note) == (1, 2, "")


def test_keyword_only_fields_may_follow_inherited_ones_with_defaults() -> None:
    assert (circle().at, circle().fault, circle().radius) == (3, None, 2.5)
    with pytest.raises(TypeError):
        Circle(3, None, Point(1), 2.5)  # type: ignore[call-arg]


@pytest.mark.parametrize("given", [{}, {"x": 1, "z": 2}])
def test_missing_and_unknown_fields_are_refused(given: dict[str, int]) -> None:
    with pytest.raises(TypeError):
        Point(**given)  # type: ignore[arg-type]


def test_a_record_does_not_change() -> None:
    point = Point(1, 2)
    with pytest.raises(FrozenInstanceError):
        point.x = 5  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError):
        del point.x
    with pytest.raises(FrozenInstanceError):
        point.other = 5  #


def test_records_of_one_class_and_equal_fields_are_equal() -> None:
    assert Point(1, 2, "a") == Point(1, 2, "b")
    assert hash(Point(1, 2, "a")) == hash(Point(1, 2, "b"))
    assert Point(1, 2) != Point(2, 1)
    assert Named(at=3) != circle()


class Alone(Record):
    what: object


class Empty(Record):
    pass


def test_one_field_is_compared_as_in_a_tuple_and_none_is_equal() -> None:
    none = float("nan")
    assert Alone(none) == Alone(none)
    assert Alone(none) != Alone(float("nan"))
    assert Alone((1, 2)) == Alone((1, 2))
    assert Alone(1) != Alone(2)
    assert hash(Alone("a")) == hash(Alone("a"))
    assert Empty() == Empty()
    assert hash(Empty()) == hash(Empty())


def test_what_is_shown_would_make_it() -> None:
    assert repr(Point(1, note="N")) == "Point(x=1, y=0, note='N')"
    assert eval(repr(circle())) == circle()


@pytest.mark.parametrize("again", [copy.deepcopy, lambda each: pickle.loads(pickle.dumps(each))])
def test_copies_are_equal(again: object) -> None:
    assert callable(again)
    assert again(circle()) == circle()


def test_dataclasses_replace_takes_records() -> None:
    assert replace(circle(), radius=1.0) == Circle(at=3, centre=Point(1, 2), radius=1.0)
    assert [each.name for each in fields(Circle)] == ["at", "fault", "centre", "radius"]
    assert [each.name for each in fields(Named)] == ["at", "fault"]


def test_patterns_match_by_place() -> None:
    match Point(1, 2):
        case Point(x, y):
            assert (x, y) == (1, 2)


def test_fields_that_may_hold_records_are_known() -> None:
    assert Circle.__record_inner__ == ("centre", "radius")
