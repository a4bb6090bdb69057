"""Sound for the window: the samples of every frame, handed to the mixer piece by piece."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

import pygame

from ti99tools.play.film import Frame
from ti99tools.play.stage import FRAME_SECONDS
from ti99tools.render.synth import Synthesizer

RATE = 22_050
"""Samples a second."""

_PIECE = 2 * 2 * round(RATE * FRAME_SECONDS)
"""Bytes of a piece: two frames of 16-bit samples. One plays while the next one waits."""

_MOST_WAITING = 4 * _PIECE


class Speaker:
    """Plays frames as they come; silent where there is no sound device."""

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
        """Sound that follows what was played before; call it forevery frame."""
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
    """Keep what C libraries write to standard error to themselves: ALSA without a sound card."""
    try:
        kept = os.dup(2)
    except OSError:
        yield
        return
    try:
        with open(os.devnull, "wb") as nowhere:
            os.dup2(nowhere.fileno(), 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
