"""The animation of the last seconds, written by the page and read by Pillow."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image, ImageSequence

FILM = Path(__file__).parents[2] / "ti99tools/fronts/web/page/src/film.js"
WIDTH, HEIGHT, BORDER = 112, 64, 4
PALETTE = [[n * 16, 255 - n * 16, n] for n in range(16)]


def pictures() -> list[list[int]]:
    """Plain, noisy, the same again, and with a single dot changed; the backdrop comes last."""
    rnd = random.Random(1)
    plain = [5] * (WIDTH * HEIGHT) + [2]
    noisy = [[rnd.randrange(16) for _ in range(WIDTH * HEIGHT + 1)] for _ in range(6)]
    return [plain, *noisy, noisy[-1], [7, *noisy[-1][1:]], plain]


def animation(shown: list[list[int]], apart: float) -> bytes:
    if shutil.which("node") is None:
        pytest.skip("node is not installed")
    looks = {"palette": PALETTE, "width": WIDTH, "height": HEIGHT, "border": BORDER}
    script = f"""
    const {{ Film }} = await import({json.dumps(FILM.as_uri())});
    const film = new Film();
    const shown = {json.dumps(shown)};
    for (const [at, dots] of shown.entries()) film.add(at * {apart}, new Uint8Array(dots));
    process.stdout.write(film.gif({json.dumps(looks)}));
    """
    words = ["node", "--input-type=module", "-"]
    return subprocess.run(words, input=script.encode(), capture_output=True, check=True).stdout


def framed(dots: list[int]) -> list[int]:
    side = [dots[-1]] * BORDER
    rows = [[*side, *dots[at : at + WIDTH], *side] for at in range(0, WIDTH * HEIGHT, WIDTH)]
    bare = [[dots[-1]] * (WIDTH + 2 * BORDER)] * BORDER
    return [dot for row in [*bare, *rows, *bare] for dot in row]


def read(data: bytes) -> tuple[list[list[tuple[int, ...]]], list[int]]:
    """Pictures and their milliseconds."""
    gif = Image.open(BytesIO(data))
    shown, times = [], []
    for each in ImageSequence.Iterator(gif):
        flat = each.convert("RGB").tobytes()
        shown.append([tuple(flat[at : at + 3]) for at in range(0, len(flat), 3)])
        times.append(gif.info["duration"])
    assert gif.info["loop"] == 0
    return shown, times


def test_every_picture_comes_back_and_no_more_than_ten_seconds() -> None:
    shown = pictures()
    found, times = read(animation(shown, 1.5))
    assert times == [1500] * 6 + [1000]
    assert found == [[tuple(PALETTE[dot]) for dot in framed(dots)] for dots in shown[-7:]]


def test_of_sixty_pictures_a_second_every_third_is_kept() -> None:
    one, other = ([color] * (WIDTH * HEIGHT + 1) for color in (1, 2))
    found, times = read(animation([one, other] * 30, 1 / 60))
    assert 19 <= len(found) <= 21
    assert {*times[:-2]} <= {50, 60}
