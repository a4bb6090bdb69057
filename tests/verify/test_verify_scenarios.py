"""Scenarios: made by a seed, written as scripts, read back; policies keep to what they promise."""

from random import Random

import pytest

from ti99tools.base.errors import ScriptError, TIError
from ti99tools.computer.console.keyscript import Press, Type, parse
from ti99tools.games.models.model import Ask, Player, Setup
from ti99tools.games.verify.adapter import WARM_UP
from ti99tools.games.verify.loading import adapter, by_log_name
from ti99tools.games.verify.matches import course_of, steps_of
from ti99tools.games.verify.scenario import (
    POLICIES,
    REFUSABLE,
    Scenario,
    expected,
    from_script,
    key_steps,
    make,
    to_script,
)

D5000 = adapter("d5000")


@pytest.mark.parametrize("seed", range(12))
def test_a_seed_makes_one_scenario(seed: int) -> None:
    scenario, log = make(D5000, seed)
    assert make(D5000, seed) == (scenario, log)
    assert log.complete
    assert log.events[-1].kind in ("WIN", "LEFT")
    assert expected(D5000, scenario) == (log, len(scenario.keys))


def test_scenarios_differ_and_cover_the_setups() -> None:
    scenarios = [make(D5000, seed)[0] for seed in range(80)]
    assert {len(scenario.setup.players) for scenario in scenarios} == {1, 2, 3, 4, 5, 6}
    assert {name for scenario in scenarios for name in scenario.policies} == {
        *POLICIES,
        "computer",
    }
    assert {name for scenario in scenarios for name in scenario.setup.options} >= {
        WARM_UP,
        "detour",
        "blank seed",
    }


@pytest.mark.parametrize("seed", range(6))
def test_a_scenario_is_kept_in_its_script(seed: int) -> None:
    scenario, _ = make(D5000, seed)
    steps = steps_of(D5000, course_of(D5000, scenario))
    text = to_script(scenario, steps, ["two", "remarks"])
    assert from_script(text, "x.keys") == scenario
    assert tuple(parse(text)) == steps


def test_keys_become_steps() -> None:
    assert list(key_steps([ord("A"), 13, ord("#"), 8, 9, 13])) == [
        Type("A\n#"),
        Press("LEFT"),
        Press("RIGHT"),
        Type("\n"),
    ]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "no scenario in this file"),
        ("type X\n", "no scenario in this file"),
        ("# scenario: {}\n", "a damaged scenario: 'players'"),
        ("# scenario: {oops\n", "a damaged scenario"),
    ],
)
def test_files_without_a_scenario_are_refused(text: str, problem: str) -> None:
    with pytest.raises(ScriptError) as caught:
        from_script(text, "x.keys")
    assert str(caught.value).startswith(f"x.keys:1: {problem}")


def texts(scenario: Scenario) -> list[str]:
    steps = steps_of(D5000, course_of(D5000, scenario))
    return [step.text for step in steps if isinstance(step, Type)]


def test_a_warm_up_is_played_before() -> None:
    players = (Player("H", "P1"), Player("A", "ADA"))
    plain = Scenario("d5000", Setup(7, players), (13, 13))
    warm = Scenario("d5000", Setup(7, players, {WARM_UP: "5"}), (13, 13))
    typed = texts(warm)
    assert "".join(typed).endswith("Y7\n\n\n")
    assert "5\n" in typed
    assert "Y" not in texts(plain)


def test_policies() -> None:
    random = Random(1)
    ask = Ask(0, (13, 83, 49), safe=83, bold=13, tempting=(50,))
    chosen = {name: {policy(ask, random) for _ in range(200)} for name, policy in POLICIES.items()}
    assert chosen["legal"] == {13, 83, 49}
    assert chosen["greedy"] == {83}
    assert chosen["restless"] == {13, 49}
    assert chosen["steady"] == {13, 83, 49}
    assert chosen["stubborn"] == {13, 83, 49, 50}
    assert chosen["clumsy"] > {13, 83, 49}
    assert chosen["clumsy"] <= set(REFUSABLE) | {83}
    assert POLICIES["greedy"](Ask(0, (13,), bold=13), random) == 13
    assert POLICIES["restless"](Ask(0, (83,), safe=83), random) == 83
    assert not {2, 5} & set(REFUSABLE), "CLEAR and QUIT end a program"
    assert not set(b"`{|}~") & set(REFUSABLE), "CALL KEY(3) does not know them"


def test_games_without_a_model_are_refused() -> None:
    with pytest.raises(TIError, match="no game named chess; there are d5000, "):
        adapter("chess")
    with pytest.raises(TIError, match="no model of CHESS"):
        by_log_name("CHESS")
    assert by_log_name("D5000") is D5000
