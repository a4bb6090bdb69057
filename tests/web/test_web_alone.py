"""What is in the page needs nothing else but Python: other imports are blocked as it runs."""

import io
import subprocess
import sys
import zipfile
from importlib.util import cache_from_source
from pathlib import Path
from shutil import copyfile, copystat

import construct
import pytest

import ti99tools
from ti99tools.fronts.web.site.making import LEFT_OUT, packed

pytestmark = pytest.mark.long

ALONE = """
import sys


class Blocked:
    def find_spec(self, name, path=None, target=None):
        top = name.partition(".")[0]
        if top not in sys.stdlib_module_names and not top.startswith(ALLOWED):
            raise ImportError(f"{name} is blocked")


ALLOWED = ("ti99tools", "_ti99tools_game", "construct")
sys.meta_path.insert(0, Blocked())
sys.path.insert(0, sys.argv[1])
"""
STUDIO = """
import json
from pathlib import Path
from ti99tools.fronts.web.bridge import Bridge

bridge = Bridge(Path(sys.argv[2]))


def call(what, /, **arguments):
    answer = json.loads(bridge.call(what, json.dumps(arguments))[0])
    assert "error" not in answer, (what, answer)
    return answer["result"]


for example in call("hello")["examples"]:
    name, main = example["name"], example["main"]
    call("put", project=name, files=call("example", name=name))
    call("build", project=name, main=main, form="hfe")
    call("run", project=name, main=main, debug=name == "hello", rows={})
    call("play", frames=30)
    call("hurry", seconds=0.1)
    call("variables")
call("disk_new", owner="own", drive="DSK3", geometry="DSSD", name="WORK")
call("drives", owner="own")
import construct
assert construct.__file__.startswith(sys.argv[1])
brief = {"d5000": 6, "dicerack": 32, "dimraw": 39, "lambo": 14}  # seeds of short matches
for game in call("hello")["provable"]:
    seed = brief.get(game["name"], 0)
    some = {"project": game["name"], "seeds": call("prove_seeds", matches=1, seed=seed)}
    _, found = bridge.call("prove_some", json.dumps({**some, "coverage": True}))
    bridge.call("prove_take", "{}", found)
    wish = {"project": game["name"], "matches": 1, "seed": seed, "coverage": True, "seconds": 1}
    assert call("prove_end", **wish)["verified"]
text = {"project": "own", "file": "own.xb"}
call("look", **text, version=1, main="own.xb", files={"own.xb": "CALL CLEAR"})
call("ask", **text, what="completion", text="CALL SP", row=0, column=7)
"""


def alone(code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-I", "-S", "-B", "-c", ALONE + code, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("page")
    archive = zipfile.ZipFile(io.BytesIO(packed()))
    archive.extractall(folder)
    roots = [Path(ti99tools.__file__).parents[1], Path(construct.__file__).parents[1]]
    for name in archive.namelist():
        for root in roots if name.endswith(".py") else ():
            take_compiled(root / name, folder / name)
    return folder


def take_compiled(original: Path, copy: Path) -> None:
    """Give a copy of a module what Python has compiled the module to, as if it stood there."""
    compiled = Path(cache_from_source(str(original)))
    if compiled.exists() and original.read_bytes() == copy.read_bytes():
        place = copy.parent / "__pycache__" / compiled.name
        place.parent.mkdir(exist_ok=True)
        copyfile(compiled, place)
        copystat(original, copy)


def test_the_studio_runs_on_the_archive_alone(package: Path, tmp_path: Path) -> None:
    done = alone(STUDIO, str(package), str(tmp_path))
    assert done.returncode == 0, done.stderr


def test_the_block_works(package: Path) -> None:
    done = alone("import click", str(package))
    assert done.returncode
    assert "click is blocked" in done.stderr


def test_the_archive_is_the_same_each_time_and_small() -> None:
    data = packed()
    assert data == packed()
    assert len(data) < 1_725_000, "a sixth of it is the compiler with its runtime"
    names = zipfile.ZipFile(io.BytesIO(data)).namelist()
    assert "ti99tools/_xbasic/d5000/model.py" in names
    assert {"construct/core.py", "construct/lib/containers.py"} <= {*names}
    assert any(name.startswith("construct-") and name.endswith("LICENSE") for name in names)
    for left_out in LEFT_OUT:
        assert f"ti99tools/{left_out}" not in names
        assert not [name for name in names if name.startswith(f"ti99tools/{left_out}/")] or (
            left_out == "_xbasic"
        )
