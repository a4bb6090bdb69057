"""Virtual time and its events."""

from collections.abc import Callable

import pytest

from ti99tools.hardware.machine.clock import FRAME, NEVER, Clock, Pause


def test_events_run_in_order_at_their_own_time() -> None:
    clock, seen = Clock(), []
    clock.schedule(300, lambda: seen.append(("c", clock.cycles)))
    clock.schedule(100, lambda: seen.append(("a", clock.cycles)))
    clock.schedule(100, lambda: seen.append(("b", clock.cycles)))
    late = clock.schedule(200, lambda: seen.append(("never", clock.cycles)))
    clock.cancel(late)
    assert clock.next_event == 100
    clock.advance_to(250)
    assert seen == [("a", 100), ("b", 100)]
    assert (clock.cycles, clock.next_event) == (250, 300)
    clock.advance(50)
    assert seen[-1] == ("c", 300)
    assert clock.next_event == NEVER


def test_an_event_may_schedule_the_next() -> None:
    clock, ticks = Clock(), []

    def tick() -> None:
        ticks.append(clock.cycles)
        clock.schedule(clock.cycles + FRAME, tick)

    clock.schedule(FRAME, tick)
    clock.advance(5 * FRAME)
    assert ticks == [FRAME * n for n in range(1, 6)]


@pytest.mark.parametrize("notice", [Clock.service, Clock.catch_up])
def test_time_spent_by_running_code_is_noticed(notice: Callable[[Clock], None]) -> None:
    clock, seen = Clock(), []
    clock.schedule(100, lambda: seen.append(clock.cycles))
    clock.cycles += 150
    assert clock.cycles >= clock.next_event
    notice(clock)
    assert (seen, clock.cycles) == ([100], 150)


def test_what_is_past_when_it_is_scheduled_runs_now() -> None:
    clock, seen = Clock(), []
    clock.cycles = 150
    clock.schedule(100, lambda: seen.append(clock.cycles))
    clock.service()
    assert seen == [150]


def test_attention_lasts_until_service() -> None:
    clock = Clock()
    clock.schedule(100, clock.request_attention)
    clock.advance_to(200)
    clock.advance(5)
    assert clock.next_event == 0
    clock.service()
    assert clock.next_event == NEVER


def test_pause_is_raised_once_and_only_by_service() -> None:
    clock = Clock()
    clock.schedule(100, clock.request_pause)
    clock.advance_to(200)
    assert clock.next_event == 0
    with pytest.raises(Pause):
        clock.service()
    clock.service()
    assert clock.next_event == NEVER
    clock.request_pause()
    clock.cancel_pause()
    clock.service()


def test_seconds() -> None:
    clock = Clock()
    clock.advance(1_500_000)
    assert clock.seconds == 0.5
    assert clock.frame == 29


def test_what_an_event_takes_delays_work_and_not_a_wait() -> None:
    clock = Clock()

    def tick() -> None:
        clock.take(30)
        clock.schedule(clock.cycles + 100, tick)

    clock.schedule(100, tick)
    clock.work(250)
    assert clock.cycles == 250 + 3 * 30
    clock.cycles += 100
    clock.catch_up()
    assert clock.cycles == 440 + 30
    clock.advance_to(690)
    assert clock.cycles == 690
