"""The window under SDL's dummy drivers: keys, picture, joystick, turbo, pause, closing."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from ti99tools.app.realtime import Control, Stage
from ti99tools.base.codes import RGB
from ti99tools.base.errors import Remedy, TIError
from ti99tools.computer.console.session import Console
from ti99tools.fronts.cli.main import cli
from ti99tools.hardware.machine.clock import FRAME_SECONDS
from ti99tools.hardware.render.picture import image
from ti99tools.language.program.program import Program
from ti99tools.media.disk.image import DiskImage

os.environ["PYGAME_HIDE_SUPPORT_PROMPT"] = "1"
pygame = pytest.importorskip("pygame", reason="pygame-ce (the extra `play`) is not installed")

from ti99tools.fronts.play import window as window_module  # noqa: E402
from ti99tools.fronts.play.window import Speaker, Window, key_of  # noqa: E402

ASKING = """
100 CALL CLEAR
110 CALL SCREEN(5)
120 CALL COLOR(5,16,7)
130 CALL SPRITE(#1,42,12,100,100)
140 LINPUT "NAME? ":A$
150 PRINT "HI ";A$
160 OPEN #1:"DSK1.NAMES"
170 PRINT #1:A$
180 CLOSE #1
190 GOTO 140
"""
STICKS = "100 CALL JOYST(1,X,Y)\n110 CALL KEY(1,K,S)\n120 GOTO 100\n"


@pytest.fixture(autouse=True)
def dummy_drivers(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setenv("SDL_AUDIODRIVER", "dummy")
    yield
    pygame.quit()


class Play:
    """A window whose host's clock goes on by a frame with every turn, a little with every look."""

    def __init__(self, program: str, joystick: bool = False) -> None:
        self.console = Console()
        self.console.load(Program.from_listing(program))
        self.console.start()
        self.time = 0.0
        self.stage = Stage(self.console, "test.xb", now=self.now)
        self.window = Window(self.stage, 2, joystick)

    def now(self) -> float:
        self.time += 1e-5
        return self.time

    def turn(self, times: int = 1) -> None:
        for _ in range(times):
            self.window.turn()
            self.time += FRAME_SECONDS

    def down(self, key: int, unicode: str = "", mod: int = 0) -> None:
        pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=key, unicode=unicode, mod=mod))
        self.turn()

    def up(self, key: int) -> None:
        pygame.event.post(pygame.event.Event(pygame.KEYUP, key=key, mod=0))
        self.turn()

    def tap(self, key: int, unicode: str = "", mod: int = 0) -> None:
        self.down(key, unicode, mod)
        self.turn(4)
        self.up(key)
        self.turn(4)


def test_typing_at_a_prompt() -> None:
    play = Play(ASKING)
    play.turn(60)
    for character in "bob":
        play.tap(ord(character), character)
    play.tap(pygame.K_SPACE, " ")
    play.tap(ord("'"), '"', pygame.KMOD_SHIFT)
    play.tap(pygame.K_RETURN, "\r")
    play.turn(20)
    assert 'HI BOB "' in play.console.screen.text


def test_a_held_key_comes_again_and_clear_stops_the_program() -> None:
    play = Play(ASKING)
    play.turn(60)
    play.down(ord("a"), "a")
    play.turn(46)
    play.up(ord("a"))
    play.tap(pygame.K_BACKSPACE, "\b")
    assert "NAME? AA" in play.console.screen.text
    assert "NAME? AAAA" not in play.console.screen.text
    play.tap(pygame.K_F4)
    play.turn(20)
    assert "* BREAKPOINT IN 140" in play.console.screen.text


def test_the_window_shows_the_picture_with_its_border() -> None:
    play = Play(ASKING)
    play.turn(60)
    surface = pygame.display.get_surface()
    assert surface.get_size() == (576, 448)
    expected = image(play.stage.picture.vdp(), scale=2).convert("RGB")
    assert pygame.image.tobytes(surface, "RGB") == expected.tobytes()
    assert len(expected.getcolors() or []) == 5


def test_another_size_keeps_dots_square() -> None:
    play = Play(ASKING)
    play.turn(60)
    pygame.display.set_mode((1000, 600), pygame.RESIZABLE)
    play.window._window = pygame.display.get_surface()
    pygame.event.post(pygame.event.Event(pygame.VIDEOEXPOSE))
    play.turn()
    surface = pygame.display.get_surface()
    inner = image(play.stage.picture.vdp(), scale=3, border=0).convert("RGB")
    left, top = (1000 - 768) // 2, (600 - 576) // 2
    inside = surface.subsurface((left, top, 768, 576))
    assert pygame.image.tobytes(inside, "RGB") == inner.tobytes()
    assert surface.get_at((2, 2))[:3] == RGB[4]


def test_only_new_pictures_are_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    play = Play(ASKING)
    play.turn(60)
    monkeypatch.setattr(play.console.machine.screen, "cursor", None)
    play.turn(2)
    drawn = []
    monkeypatch.setattr(window_module, "render", lambda vdp: drawn.append(vdp))
    play.turn(30)
    assert not drawn


def test_joystick_keys() -> None:
    play = Play(STICKS, joystick=True)
    play.turn(30)

    def stick() -> tuple[object, ...]:
        play.turn(30)
        return tuple(play.console.variables[name] for name in "XYK")

    assert stick() == (0, 0, -1)
    play.down(pygame.K_LEFT)
    play.down(pygame.K_UP)
    assert stick() == (-4, 4, -1)
    play.down(pygame.K_LCTRL)
    play.up(pygame.K_LEFT)
    assert stick() == (0, 4, 18)
    play.up(pygame.K_UP)
    play.up(pygame.K_LCTRL)
    assert stick() == (0, 0, -1)


def test_keys_held_together() -> None:
    play = Play("100 CALL KEY(1,K,S):: CALL KEY(2,L,T)\n110 GOTO 100\n")
    play.turn(30)

    def found() -> tuple[object, ...]:
        play.turn(30)
        return tuple(play.console.variables[name] for name in "KL")

    play.down(ord("e"), "e")
    assert found() == (5, -1)
    play.down(ord("j"), "j")
    assert found() == (5, 2)
    play.up(ord("e"))
    assert found() == (-1, 2)
    play.up(ord("j"))
    assert found() == (-1, -1)


def test_tab_is_turbo_while_it_is_held() -> None:
    play = Play(ASKING)
    play.turn(10)
    play.down(pygame.K_TAB)
    assert play.stage.turbo
    play.up(pygame.K_TAB)
    assert not play.stage.turbo
    play.tap(pygame.K_F11)
    assert play.stage.turbo
    play.tap(pygame.K_TAB)
    assert play.stage.turbo
    assert "turbo" in pygame.display.get_caption()[0]
    play.tap(pygame.K_F11)
    assert not play.stage.turbo


def test_pause_and_pictures(tmp_path: Path) -> None:
    play = Play(ASKING)
    play.stage.folder = tmp_path
    play.turn(10)
    play.tap(pygame.K_PAUSE)
    before = play.console.clock.cycles
    play.turn(30)
    assert play.console.clock.cycles == before
    play.tap(pygame.K_F12)
    assert (tmp_path / "test-1.png").exists()
    assert "paused, saved test-1.png" in pygame.display.get_caption()[0]


LALT, CTRL, SHIFT = 0x0100, 0x0040, 0x0001


@pytest.mark.parametrize(
    ("key", "unicode", "mod", "name"),
    [
        (ord("a"), "a", 0, "a"),
        (ord("a"), "A", SHIFT, "A"),
        (ord("q"), "@", 0x0200, "@"),
        (0xE4, "ä", 0, None),
        (ord("4"), "4", LALT, "CLEAR"),
        (ord("p"), "π", LALT, '"'),
        (ord("s"), "s", LALT, "LEFT"),
        (ord("="), "=", LALT, None),
        (ord("a"), "\x01", CTRL, "CTRL-A"),
        (ord("-"), "", CTRL, None),
        (0x40000050, "", 0, "LEFT"),
        (0x4000003A, "", 0, "DEL"),
        (0x40000042, "", 0, "BACK"),
        (0x40000043, "", 0, Control.PAUSE),
        (0x40000044, "", LALT, Control.TURBO),
        (27, "\x1b", 0, "BACK"),
        (0x400000E1, "", SHIFT, None),
    ],
)
def test_what_keys_are(key: int, unicode: str, mod: int, name: object) -> None:
    event = pygame.event.Event(pygame.KEYDOWN, key=key, unicode=unicode, mod=mod)
    assert key_of(event) == name


def test_without_a_display_the_error_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "nonesuch")
    with pytest.raises(TIError, match="no window: ") as caught:
        Window(Stage(Console(), "x"))
    assert caught.value.meaning is Remedy.TERMINAL


@pytest.mark.parametrize("driver", ["offscreen", "dummy"])
def test_a_window_that_nobody_would_see_is_an_error(
    driver: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    Window(Stage(Console(), "x"))  # SDL was told to: see above
    monkeypatch.delenv("SDL_VIDEODRIVER")
    monkeypatch.setattr(pygame.display, "get_driver", lambda: driver)
    with pytest.raises(TIError, match="no display") as caught:
        Window(Stage(Console(), "x"))
    assert caught.value.meaning is Remedy.TERMINAL


def test_without_a_sound_device_it_is_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_AUDIODRIVER", "nonesuch")
    speaker = Speaker()
    speaker.play(Stage(Console(), "x").frames())
    assert not pygame.mixer.get_init()


def test_a_session_from_the_command_line_plays_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = tmp_path / "asking.xb"
    source.write_text(ASKING)
    # No key twice in a row: on a busy computer the first press may last until the second one comes.
    keys = [(ord(c), c) for c in "ana"] + [(pygame.K_RETURN, "\r")]
    events = [pygame.event.Event(pygame.KEYDOWN, key=k, unicode=c, mod=0) for k, c in keys]
    pending = iter([None, None, *events, None, None, pygame.event.Event(pygame.QUIT)])

    def sleep(seconds: float) -> None:
        event = next(pending, None)
        if event is not None:
            pygame.event.post(event)

    monkeypatch.setattr("time.sleep", sleep)
    script, disk, again = (tmp_path / name for name in ("asking.keys", "a.dsk", "b.dsk"))
    runner = CliRunner()
    options = ["--turbo", "--record", str(script), "--save-disk", str(disk)]
    result = runner.invoke(cli, ["play", str(source), *options])
    assert result.exit_code == 0, result.output
    assert script.read_text().startswith(f"# {source}, recorded by ti99tools play\n")
    options = ["--script", str(script), "--screen", "--save-disk", str(again)]
    result = runner.invoke(cli, ["run", str(source), *options])
    assert result.exit_code == 0, result.output
    assert "HI ANA" in result.output
    assert DiskImage.open(disk).read("NAMES").records == (b"ANA",)
    assert disk.read_bytes() == again.read_bytes()


def test_no_sound_device_is_told_by_nobody(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def init(*args: object, **options: object) -> None:
        os.write(2, b"ALSA lib: unknown PCM default\n")
        raise pygame.error("no device")

    monkeypatch.setattr(pygame.mixer, "init", init)
    Speaker().play([])
    os.write(2, b"seen")
    assert capfd.readouterr().err == "seen"
