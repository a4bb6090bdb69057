"""When ti99sim's driver takes a program to have begun, and which sounds are the program's.

The rule is a header of the driver. It is compiled here and fed with what a machine does.
"""

import shutil
import subprocess
from importlib.resources import files

import pytest

from ti99tools.games.hosts.ti99sim import COMPILERS

FEEDER = """\
#include <cstdio>
#include <cstring>
#include "beginning.hpp"
int main() {
  Beginning it(1000);
  char word[9];
  unsigned line, data, cycle;
  while (scanf("%8s", word) == 1) {
    if (!strcmp(word, "look") && scanf("%u%u", &line, &cycle) == 2) it.look(line != 0, cycle);
    if (!strcmp(word, "byte") && scanf("%u%u%u", &data, &line, &cycle) == 3)
      it.byte(static_cast<uint8_t>(data), line != 0, cycle);
    if (!strcmp(word, "due") && scanf("%u%u", &data, &cycle) == 2)
      printf("%d", it.due(data, cycle));
    if (!strcmp(word, "mark")) it.forget();
    if (strcmp(word, "end")) continue;
    printf(" %d", it.begun());
    for (const char byte : it.sound()) printf(" %d", static_cast<uint8_t>(byte));
    printf("\\n");
    it = Beginning(1000);
  }
}
"""
"""Words in, for each `end` a line out: what `due` said, whether it has begun, and the sound."""

FED = {
    "the console's own bytes are none": ("byte 159 0 10 look 0 1000 end", " 0"),
    "from the first line on": ("byte 159 0 10 look 1 1000 byte 191 1 1010 end", " 1 191"),
    "over within a frame": (
        "byte 159 0 10 byte 191 1 20 byte 223 0 30 end",
        " 1 191 223",
    ),
    "sounds after its end": (
        "look 1 5 look 0 1000 byte 146 0 1010 end",
        " 1 146",
    ),
    "the menu's program was another": ("look 1 5 byte 1 1 6 mark byte 2 0 7 end", " 0"),
    "none is ever due": ("look 0 5 due 0 99000 end", "0 0"),
    "the nearest frame": (
        "look 1 100 due 200 1599 due 200 1600 due 200 9000 end",
        "011 1",
    ),
    "the first look counts": ("look 1 100 look 1 900 due 100 600 end", "1 1"),
}


@pytest.fixture(scope="module")
def fed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What the rule says to each of `FED`."""
    compiler = next(filter(None, map(shutil.which, COMPILERS)), None)
    if compiler is None:
        pytest.skip("no C++ compiler: the driver's rule for sounds is not tested")
    folder = tmp_path_factory.mktemp("beginning")
    own = files("ti99tools.games.hosts.ti99sim").joinpath("beginning.hpp")
    (folder / "beginning.hpp").write_bytes(own.read_bytes())
    (folder / "feeder.cpp").write_text(FEEDER)
    program = folder / "feeder"
    words = [
        compiler,
        "-std=c++17",
        "-Wall",
        "-Wextra",
        "-Werror",
        "feeder.cpp",
        "-o",
        str(program),
    ]
    subprocess.run(words, cwd=folder, check=True)
    events = "\n".join(events for events, _ in FED.values())
    process = subprocess.run(
        [str(program)], input=events, capture_output=True, text=True, check=True
    )
    return dict(zip(FED, process.stdout.splitlines(), strict=True))


@pytest.mark.parametrize("name", FED)
def test_the_rule(fed: dict[str, str], name: str) -> None:
    assert fed[name] == FED[name][1]
