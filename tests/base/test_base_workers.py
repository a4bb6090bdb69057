"""Processes beside this one: what is said when one of them is ended."""

import os

import pytest

from ti99tools.base.errors import TIError
from ti99tools.base.workers import workers


def test_workers_work() -> None:
    with workers(2) as pool:
        assert list(pool.map(abs, (-1, 2))) == [1, 2]


def test_a_worker_that_is_ended_is_told() -> None:
    with pytest.raises(TIError, match="ended from outside"), workers(1) as pool:
        pool.submit(os._exit, 1).result()
