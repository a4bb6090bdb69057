"""ti99sim as a host: its cartridge files, building its driver, and how it fails."""

import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.hosts.tinyrom import Rom
from ti99tools.base.errors import HostError
from ti99tools.fronts.cli.group import worded
from ti99tools.fronts.cli.main import cli
from ti99tools.games.hosts import ti99sim
from ti99tools.games.hosts.driver import Setting
from ti99tools.games.hosts.host import Job
from ti99tools.games.hosts.ti99sim import NAME, Ti99sim, build, built_driver

JOB = Job(b"", (), "LOG", max_seconds=5)
built = pytest.mark.skipif(not built_driver(), reason="the driver of ti99sim is not built")


def test_a_cartridge_file() -> None:
    files = ti99sim.cartridge("X", {6: [b"AB", b"C"], 2: [None], 19: [b"G"]}, cru=0x1100)
    assert files[:80] == b"TI-99/4A Module - X\n\x1a".ljust(80, b"\0")
    assert files[80:83].hex() == "201100"
    assert files[83:86].hex() == "020101", "region 2, one bank, RAM"
    assert files[86:91].hex() == "0602" + "02" + "9000"
    assert files[91:94] == b"AB\0"
    second = 91 + 4096
    assert files[second : second + 3].hex() == "029000"
    assert files[second + 3 : second + 4] == b"C"
    grom = second + 3 + 4096
    assert files[grom : grom + 5].hex() == "1301" + "02" + "a000"
    assert len(files) == grom + 5 + 8192


def test_a_grom_is_seen_as_the_chip_decodes_it() -> None:
    content = bytes([1] * 2048 + [2] * 2048 + [4] * 2048)
    assert ti99sim.grom(content) == content + bytes([6] * 2048)


def test_the_files_of_a_run(tmp_path: Path) -> None:
    found = Rom().pieces()
    found["ti99_cart/exbasic/phm3026c.bin"] = b"C" * 4096
    found["ti99_cart/exbasic/phm3026d.bin"] = b"0" * 4096 + b"1" * 4096
    found |= {f"ti99_cart/exbasic/phm3026g{n}.bin": bytes([n]) * 6144 for n in range(3, 7)}
    paths = ti99sim.lay_out(found, tmp_path, expansion=True)
    console, controller, basic = (
        Path(paths[what]).read_bytes() for what in ("console", "controller", "cartridge")
    )
    rom = Rom().image()
    assert console[83:88].hex() == "0001029000"
    assert console[88 : 88 + 4096] == rom[:4096]
    assert controller[80:83].hex() == "201100"
    assert basic.count(b"C" * 4096) == 2
    assert basic.index(b"0" * 4096) < basic.index(b"1" * 4096)
    program = b"".join(bytes([bank]) * 8192 for bank in range(4))
    paths = ti99sim.lay_out(found, tmp_path, expansion=True, program=program)
    written = Path(paths["cartridge"]).read_bytes()
    halves = [written.index(bytes([bank]) * 4096) for bank in range(4)]
    assert halves == sorted(halves)
    assert written.count(bytes([3]) * 4096) == 2, "regions 6 and 7 have four banks each"
    without = ti99sim.lay_out(found, tmp_path, expansion=False)
    assert len(Path(without["console"]).read_bytes()) == len(console) - 3 * 8


def test_what_is_missing_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.delenv("TI99_TI99SIM", raising=False)
    missing = Ti99sim(rom_folder=tmp_path).missing()
    command = "`ti99tools hosts --build ti99sim --source FOLDER`"
    assert "has to be built" in missing
    assert command in worded(missing)
    assert "docs/prove.md" in missing
    assert "docs/prove.md" in worded(missing)
    (tmp_path / "ti99tools").mkdir()
    (tmp_path / "ti99tools" / NAME).write_text("")
    assert "no console ROM" in Ti99sim(rom_folder=tmp_path).missing()
    with pytest.raises(HostError, match="does not start"):
        Ti99sim("/nonexistent", tmp_path).drive(tmp_path, JOB, Setting())
    with pytest.raises(HostError, match="it ended with code 0; check the host ti99sim"):
        Ti99sim("/bin/true", tmp_path).drive(tmp_path, JOB, Setting())


@built
def test_a_file_that_is_no_cartridge_is_told(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"nothing")
    files = {"console": str(tmp_path / "x")}
    with pytest.raises(HostError, match="not a cartridge"):
        Ti99sim().follow(tmp_path, JOB, Setting(files=files, boots=False))
    with pytest.raises(HostError, match="names no console ROM"):
        Ti99sim().follow(tmp_path, JOB, Setting(boots=False))


COMPILER = """\
import pathlib, sys
words = sys.argv[1:]
out = pathlib.Path(words[words.index("-o") + 1])
print("compiled", words[-1])
if any(word.endswith("broken.cpp") for word in words):
    sys.exit("broken.cpp:1: error: no such thing")
if "-lcrypto" in words and "NOSSL" in str(words):
    sys.exit("ld: error: cannot find -lcrypto")
out.write_text("made of " + " ".join(sorted(pathlib.Path(w).name for w in words if w[-2:] == ".o")))
"""


@pytest.fixture
def sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that looks like ti99sim's, and a compiler that compiles nothing."""
    compiler = tmp_path / "cxx"
    compiler.write_text(f"#!{sys.executable}\n{COMPILER}")
    compiler.chmod(0o755)
    monkeypatch.setenv("CXX", str(compiler))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("TI99_TI99SIM", raising=False)
    folder = tmp_path / "ti99sim"
    (folder / "include").mkdir(parents=True)
    (folder / "src" / "core").mkdir(parents=True)
    (folder / "include" / "ti994a.hpp").write_text("")
    (folder / "src" / "core" / "opcodes.cpp").write_text("")
    return folder


def test_the_driver_is_built_from_the_users_sources(sources: Path) -> None:
    result = CliRunner().invoke(cli, ["hosts", "--build", "ti99sim", "--source", str(sources)])
    assert result.exit_code == 0, result.output
    driver = sources.parent / "cache" / "ti99tools" / NAME
    assert driver.read_text() == "made of driver.o opcodes.o"
    assert built_driver() == str(driver)
    assert "compiling driver.cpp" in result.output


def test_what_does_not_compile_is_told(
    sources: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (sources / "src" / "core" / "broken.cpp").write_text("")
    with pytest.raises(HostError, match=r"does not compile: broken\.cpp:1: error"):
        build(sources)
    with pytest.raises(HostError, match="not the sources of ti99sim"):
        build(tmp_path)
    monkeypatch.setenv("CXX", "no-such-compiler")
    with pytest.raises(HostError, match="no-such-compiler: no such compiler; change CXX"):
        build(sources)
    assert built_driver() is None
    result = CliRunner().invoke(cli, ["hosts", "--build", "ti99sim"])
    assert result.exit_code == 2
    assert "--source" in result.output
