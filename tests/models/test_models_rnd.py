"""The models' generator against RND as the original ROMs wrote it."""

import json
import re
from pathlib import Path

import pytest

from ti99tools.games.models.model import MODULUS, Rnd

RECORDED = Path(__file__).parents[1] / "conformance" / "lang-rnd.jsonl"


def seeded() -> dict[int, list[str]]:
    """Seed → records of RND,RND,RND,RND as the original ROMs wrote them (INTERNAL)."""
    found = {}
    for line in RECORDED.read_text().splitlines():
        case = json.loads(line)
        source = [*case["source"], "", ""]
        seed = re.fullmatch(r"110 RANDOMIZE (\d+)", source[1])
        if seed and "PRINT #1:RND,RND,RND,RND::" in source[2]:
            found[int(seed[1])] = case["expect"]["files"]["OUT"]["records"]
    return found


def number(raw: bytes) -> int:
    """Eight bytes of a number below 1, times 10^14."""
    digits = int("".join(f"{digit:02}" for digit in raw[1:]))
    return digits // int(100 ** (0x3F - raw[0]))


@pytest.mark.parametrize("seed", seeded())
def test_rnd_as_recorded(seed: int) -> None:
    rnd = Rnd(seed)
    for record in seeded()[seed]:
        raw = bytes.fromhex(record)
        for at in range(0, len(raw), 9):
            rnd.below(6)
            assert rnd.x == number(raw[at + 1 : at + 9])


def test_dice_as_recorded() -> None:
    cases = map(json.loads, RECORDED.read_text().splitlines())
    case = next(c for c in cases if "INT(RND*6)" in str(c["source"]) and "RANDOMIZE 1" in str(c))
    rnd = Rnd(1)
    for record in case["expect"]["files"]["OUT"]["records"]:
        rolled = "".join(str(rnd.below(6) + 1) for _ in range(20))
        assert rolled == bytes.fromhex(record).decode()


@pytest.mark.parametrize(
    ("seed", "x"),
    [(1, 10**12), (42, 42 * 10**12), (100, 10**12), (12345, 12345 * 10**8), (0, 0)],
)
def test_a_seed_is_its_digits_from_the_left(seed: int, x: int) -> None:
    assert Rnd(seed).x == x


@pytest.mark.parametrize(
    ("x", "drawn"),
    [(MODULUS - 9, 5), (MODULUS - 8, 6), (MODULUS // 6, 0), (MODULUS // 6 + 1, 1), (0, 0)],
)
def test_a_draw_may_be_one_too_many_as_on_the_machine(x: int, drawn: int) -> None:
    rnd = Rnd(1)
    rnd.x = (x - 21132486540519) * pow(14389820420821, -1, MODULUS) % MODULUS
    assert (rnd.below(6), rnd.x) == (drawn, x)
