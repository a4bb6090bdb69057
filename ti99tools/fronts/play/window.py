"""A window to play in: picture with border, sound, keyboard and joystick (pygame-ce).

A character is typed with the key that has it on the host, whatever the layout. The left Alt key is
FCTN, Ctrl is CTRL, F1–F9 are FCTN-1 to FCTN-9, the arrow keys FCTN-S, D, E and X. The mixer gets
the samples of every frame, piece by piece.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

import pygame

from ti99tools.app.realtime import Control, Frame, Stage, function_key
from ti99tools.app.run_output import RATE
from ti99tools.base.codes import RGB
from ti99tools.base.errors import Remedy, ScriptError, TIError
from ti99tools.hardware.machine.clock import FRAME_SECONDS
from ti99tools.hardware.machine.keycodes import FUNCTION_KEYS, find_key
from ti99tools.hardware.machine.soundchip import Synthesizer
from ti99tools.hardware.machine.spritedots import DOTS, LINES
from ti99tools.hardware.machine.vdp import Snapshot
from ti99tools.hardware.render.picture import BORDER, render

_SPECIAL = {
    pygame.K_RETURN: "ENTER",
    pygame.K_KP_ENTER: "ENTER",
    pygame.K_SPACE: "SPACE",
    pygame.K_LEFT: "LEFT",
    pygame.K_RIGHT: "RIGHT",
    pygame.K_UP: "UP",
    pygame.K_DOWN: "DOWN",
    pygame.K_BACKSPACE: "LEFT",
    pygame.K_DELETE: "DEL",
    pygame.K_INSERT: "INS",
    pygame.K_ESCAPE: "BACK",
}

_FUNCTION_KEYS = {getattr(pygame, f"K_F{number}"): function_key(number) for number in range(1, 13)}
_CONTROLS = {pygame.K_PAUSE: Control.PAUSE}

_STICK = {
    pygame.K_LEFT: (-4, 0),
    pygame.K_RIGHT: (4, 0),
    pygame.K_UP: (0, 4),
    pygame.K_DOWN: (0, -4),
}
_BUTTONS = frozenset((pygame.K_LCTRL, pygame.K_RCTRL))


def key_of(event: pygame.event.Event) -> str | Control | None:
    """The key that a KEYDOWN event means, named as in key scripts; or a control; or None."""
    known = _FUNCTION_KEYS.get(event.key) or _CONTROLS.get(event.key)
    if known is None and event.mod & pygame.KMOD_LALT:
        known = FUNCTION_KEYS.get(_cap(event.key))
    elif known is None:
        known = _SPECIAL.get(event.key)
        if known is None and event.mod & pygame.KMOD_CTRL:
            known = _control_key(_cap(event.key))
    if known is None and not event.mod & (pygame.KMOD_LALT | pygame.KMOD_CTRL):
        known = event.unicode if "!" <= event.unicode <= "~" else None
    return known


def _cap(code: int) -> str:
    """The character on a key without SHIFT, as a capital; empty if it has none."""
    return chr(code).upper() if 32 <= code < 127 else ""


def _control_key(cap: str) -> str | None:
    name = f"CTRL-{cap}"
    try:
        find_key(name)
    except ScriptError:
        return None
    return name


class StickKeys:
    """Joystick 1 on the arrow keys, its button on Ctrl."""

    def __init__(self) -> None:
        self._held: set[int] = set()

    def takes(self, code: int) -> bool:
        """Tell whether a key belongs to the joystick."""
        return code in _STICK or code in _BUTTONS

    def change(self, code: int, down: bool) -> tuple[int, int, bool]:
        """A key goes down or up; returns deflections x and y (−4, 0 or 4), and whether it fires."""
        if down:
            self._held.add(code)
        else:
            self._held.discard(code)
        ways = [_STICK[code] for code in self._held if code in _STICK]
        return sum(x for x, _ in ways), sum(y for _, y in ways), bool(self._held & _BUTTONS)


_PIECE = 2 * 2 * round(RATE * FRAME_SECONDS)
"""Bytes of a piece: two frames of 16-bit samples. One plays while the next one waits."""

_MOST_WAITING = 4 * _PIECE


class Speaker:
    """Plays the sound of frames; silent where there is no sound device."""

    def __init__(self) -> None:
        self._synthesizer = Synthesizer(RATE)
        self._waiting = bytearray()
        self._owed = 0.0
        self._channel: pygame.mixer.Channel | None = None
        try:
            with _no_stderr():
                pygame.mixer.init(RATE, -16, 1, 512, allowedchanges=0)
            self._channel = pygame.mixer.Channel(0)
        except pygame.error:
            pass

    def play(self, frames: Iterable[Frame]) -> None:
        """Play the sound of frames after what was played before; call it for every frame."""
        if self._channel is None:
            return
        for frame in frames:
            self._owed += RATE * FRAME_SECONDS
            samples = int(self._owed)
            self._owed -= samples
            self._waiting += self._synthesizer.render(frame.sound, samples).tobytes()
        if len(self._waiting) > _MOST_WAITING:
            del self._waiting[:-_MOST_WAITING]
        if not self._channel.get_busy():
            if len(self._waiting) >= 2 * _PIECE:
                self._channel.play(self._piece())
                self._channel.queue(self._piece())
        elif self._channel.get_queue() is None and len(self._waiting) >= _PIECE:
            self._channel.queue(self._piece())

    def _piece(self) -> pygame.mixer.Sound:
        piece = bytes(self._waiting[:_PIECE])
        del self._waiting[:_PIECE]
        return pygame.mixer.Sound(buffer=piece)


@contextmanager
def _no_stderr() -> Iterator[None]:
    """Suppress what C libraries write to standard error, such as ALSA without a sound card."""
    try:
        original = os.dup(2)
    except OSError:
        yield
        return
    try:
        with open(os.devnull, "wb") as nowhere:
            os.dup2(nowhere.fileno(), 2)
        yield
    finally:
        os.dup2(original, 2)
        os.close(original)


_STICK_UNIT = 1
UNSEEN = ("offscreen", "dummy")
"""SDL's invisible drivers; it chooses one when there is no display."""


def _check_seen() -> None:
    """Raise TIError when the window would be invisible, unless SDL was configured so."""
    driver = pygame.display.get_driver()
    if driver in UNSEEN and driver not in os.environ.get("SDL_VIDEODRIVER", ""):
        pygame.quit()
        raise TIError("there is no display to open a window on", remedy=Remedy.TERMINAL)


class Window:
    """Shows a stage until it is closed.

    `scale` is how many pixels wide a dot is; `joystick` makes the arrow keys joystick 1.
    """

    def __init__(self, stage: Stage, scale: int = 3, joystick: bool = False) -> None:
        self._stage = stage
        self._stick = StickKeys() if joystick else None
        self._held: dict[int, str] = {}
        self._hurrying = False
        self._open = True
        self._drawn: Snapshot | None = None
        self._title = ""
        size = scale * (DOTS + 2 * BORDER), scale * (LINES + 2 * BORDER)
        try:
            pygame.display.init()
            _check_seen()
            self._window = pygame.display.set_mode(size, pygame.RESIZABLE)
        except pygame.error as error:
            raise TIError(f"no window: {error}", remedy=Remedy.TERMINAL) from error
        self._speaker = Speaker()

    def run(self) -> None:
        """Play until the window is closed."""
        try:
            while self._open:
                self.turn()
                time.sleep(self._stage.rest)
        finally:
            pygame.quit()

    def turn(self) -> None:
        """Take the keys, let the console run the frames that are due, show and play them."""
        for event in pygame.event.get():
            self._take(event)
        frames = self._stage.frames()
        self._speaker.play([] if self._stage.turbo else frames)
        self._draw()

    def _take(self, event: pygame.event.Event) -> None:
        if event.type == pygame.QUIT:
            self._open = False
        elif event.type == pygame.KEYDOWN:
            self._key_down(event)
        elif event.type == pygame.KEYUP:
            self._key_up(event)
        elif event.type in (pygame.VIDEORESIZE, pygame.VIDEOEXPOSE):
            self._drawn = None

    def _key_down(self, event: pygame.event.Event) -> None:
        if self._stick is not None and self._stick.takes(event.key):
            self._move(event.key, True)
            return
        if event.key == pygame.K_TAB:
            self._hurry(True)
            return
        key = key_of(event)
        if isinstance(key, Control):
            self._stage.do(key)
        elif key is not None:
            self._held[event.key] = key
            self._stage.down(key)

    def _key_up(self, event: pygame.event.Event) -> None:
        if self._stick is not None and self._stick.takes(event.key):
            self._move(event.key, False)
        elif event.key == pygame.K_TAB:
            self._hurry(False)
        elif event.key in self._held:
            self._stage.pilot.up(self._held.pop(event.key))

    def _move(self, code: int, down: bool) -> None:
        assert self._stick is not None
        self._stage.pilot.move(_STICK_UNIT, *self._stick.change(code, down))

    def _hurry(self, on: bool) -> None:
        """Switch to turbo while a key is held, unless it is on anyway."""
        if on and not self._stage.turbo:
            self._stage.turbo = self._hurrying = True
        elif not on and self._hurrying:
            self._stage.turbo = self._hurrying = False

    def _draw(self) -> None:
        title = ", ".join(filter(None, (f"{self._stage.name} - TI-99/4A", self._stage.status)))
        if title != self._title:
            pygame.display.set_caption(title)
            self._title = title
        picture = self._stage.picture
        if picture is self._drawn:
            return
        self._drawn = picture
        vdp = picture.vdp()
        dots = pygame.image.frombuffer(render(vdp), (DOTS, LINES), "P")
        dots.set_palette(RGB)
        width, height = self._window.get_size()
        scale = max(1, min(width // DOTS, height // LINES))
        size = DOTS * scale, LINES * scale
        self._window.fill(RGB[vdp.backdrop or 1])
        corner = (width - size[0]) // 2, (height - size[1]) // 2
        self._window.blit(pygame.transform.scale(dots, size), corner)
        pygame.display.flip()
