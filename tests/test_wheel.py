"""The wheel, installed outside the checkout: it has the games, makes new ones and proves them."""

import subprocess
import sys
import sysconfig
import tarfile
import venv
from pathlib import Path
from zipfile import ZipFile

import pytest

ROOT = Path(__file__).parents[1]


def run(*command: str | Path, folder: Path) -> str:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, f"{command}:\n{done.stdout}{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A fresh environment with the wheel; what it depends on is that of this one."""
    folder = tmp_path_factory.mktemp("wheel")
    build = "from hatchling.build import build_wheel as b; import sys; b(sys.argv[1])"
    run(sys.executable, "-c", build, folder, folder=ROOT)
    (wheel,) = folder.glob("*.whl")
    env = folder / "env"
    venv.create(env, with_pip=True)
    python = env / ("Scripts" if sys.platform == "win32" else "bin") / Path(sys.executable).name
    run(python, "-m", "pip", "install", "--quiet", "--no-deps", wheel, folder=folder)
    ours = {sysconfig.get_path("purelib"), *filter(lambda p: "site-packages" in p, sys.path)}
    there = run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", folder=env)
    # After the environment's own folder, so that its ti99tools comes first.
    Path(there.strip(), "dependencies.pth").write_text("\n".join(sorted(ours)))
    return python


@pytest.mark.slow
def test_the_wheel_is_whole(installed: Path, tmp_path: Path) -> None:
    def ti99tools(*arguments: str) -> str:
        return run(installed, "-m", "ti99tools", *arguments, folder=tmp_path)

    where = run(installed, "-c", "import ti99tools; print(ti99tools.__file__)", folder=tmp_path)
    assert str(installed.parents[1]) in where
    output = ti99tools("verify", "--games", "2")
    assert "d5000" in output
    assert "dicerack" in output
    assert "differ" not in output
    ti99tools("new", "dare")
    assert "20 matches" in ti99tools("verify", "./dare", "--games", "20")
    assert "DARE 1.0" in ti99tools("build", "./dare", "--out", "disks")
    ti99tools("build", "--out", "all")
    assert (tmp_path / "all" / "games.dsk").exists()
    run(installed, "-m", "pytest", "-q", "dare", folder=tmp_path)
    assert not list((tmp_path / "dare").glob("verify-failures"))


@pytest.mark.slow
def test_the_installed_tool_packages_plays_and_completes(installed: Path, tmp_path: Path) -> None:
    def ti99tools(*arguments: str) -> str:
        return run(installed, "-m", "ti99tools", *arguments, folder=tmp_path)

    ti99tools("new", "dare")
    assert "left out: a page" in ti99tools("package", "./dare", "--games", "2", "--no-page")
    assert "VERSION" in ti99tools("run", "d5000", "--until", "VERSION", "--screen")


@pytest.mark.slow
def test_the_source_archive_gives_the_same_wheel(tmp_path: Path) -> None:
    code = "import hatchling.build as h, sys; print(getattr(h, sys.argv[1])(sys.argv[2]))"
    run(sys.executable, "-c", code, "build_wheel", tmp_path / "a", folder=ROOT)
    run(sys.executable, "-c", code, "build_sdist", tmp_path, folder=ROOT)
    (archive,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(archive) as opened:
        opened.extractall(tmp_path, filter="data")
    (source,) = (each for each in tmp_path.glob("ti99tools-*") if each.is_dir())
    run(sys.executable, "-c", code, "build_wheel", tmp_path / "b", folder=source)
    (first,), (second,) = ((tmp_path / side).glob("*.whl") for side in "ab")
    with ZipFile(first) as one, ZipFile(second) as other:
        assert sorted(one.namelist()) == sorted(other.namelist())
        names = [name for name in one.namelist() if not name.endswith("RECORD")]
        assert [name for name in names if one.read(name) != other.read(name)] == []
