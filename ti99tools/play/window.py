"""A window to play in: picture with border, sound, keyboard and joystick keys (pygame-ce)."""

from __future__ import annotations

import os
import time

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
import pygame

from ti99tools.base.colors import RGB
from ti99tools.base.errors import TIError
from ti99tools.base.remedy import Remedy
from ti99tools.machine.spritedots import DOTS, LINES
from ti99tools.machine.vdp import Snapshot
from ti99tools.play.speaker import Speaker
from ti99tools.play.stage import Control, Stage
from ti99tools.play.windowkeys import StickKeys, key_of
from ti99tools.render.picture import BORDER, render

_STICK_UNIT = 1
UNSEEN = ("offscreen", "dummy")
"""SDL's drivers that draw where nobody looks; it takes one when there is no display."""


def _check_seen() -> None:
    """Raise TIError when the window would be invisible, unless SDL was told to make it so."""
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
        """Take the keys, let the console do what is due, show and sound it."""
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
        """Turbo as long as a key is held, unless it is on anyway."""
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
