"""The keyboard: scripted and live keys, scanned as the console's ROM scans them.

A scripted key is held for some frames of machine time and then released for some. So that a slow
loop loses none, it counts as held until a scan has seen it and as released until a scan has seen
that; a CLEAR further back in the queue makes the keys before it run in real time, as on the
machine, where nobody waits for a busy program either.

Several live keys may be down at once: a scan finds the one pressed last among those that its unit
has, so that each half of the keyboard serves a player of its own. (Which of several keys in one
half the machine finds has not been recorded.) Line editors take the key pressed last.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from ti99tools.base.keys import CLEAR, ENTER
from ti99tools.machine.clock import FRAME, NEVER, Clock, Event, Pause
from ti99tools.machine.keymap import BUTTON, BUTTON_CODE, NO_KEY, Key, find_key

_NOTHING = (NO_KEY, 0)
_BASIC = 5
_HOLD, _GAP = 4, 4
_REPEAT_DELAY, _REPEAT_GAP = 60 * FRAME, 5 * FRAME


class Press:
    """One key going down: scripted for `hold` frames and `gap` frames up, or live (hold None)."""

    __slots__ = ("gap", "hold", "key", "not_before", "seen")

    def __init__(self, key: Key, hold: int | None, gap: int, not_before: int) -> None:
        self.key = key
        self.hold = hold
        self.gap = gap
        self.not_before = not_before
        self.seen = False


class Keyboard:
    """The keys that are down, and the ROM's memory of what it saw last."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self.queue: deque[Press] = deque()
        self.mapping = _BASIC
        self.alpha_lock = True
        self.idle_scans = 0
        """Scans that found no key and none to come, since a key was last pressed."""
        self.joysticks: list[tuple[int, int]] = [(0, 0), (0, 0)]
        """Deflection (x, y) of either joystick, each −4, 0 or 4."""
        self.fire: list[bool] = [False, False]
        self.when_rested: Callable[[], None] | None = None
        """Called, if set, when the last key has been seen and its gap is over."""
        self._down: Press | None = None
        self._down_until = 0
        self._under: list[Press] = []
        """Live keys that are still down since before the one pressed last, in that order."""
        self._repeating: Press | None = None
        self._repeat_at = 0
        self._up_until = 0
        self._gap_seen = True
        self._last: list[Key | None] = [None, None, None]
        self._busy = False
        self._clears = 0
        self._clear_event: Event | None = None

    @property
    def idle(self) -> bool:
        """Whether no key is down and none is to come."""
        self._update()
        return self._down is None and not self.queue

    @property
    def rested(self) -> bool:
        """Like `idle`, with the last key's gap over too."""
        return self.idle and self._clock.cycles >= self._up_until

    @property
    def quiet_at(self) -> int:
        """The cycle at which the last scripted key's gap is over, if everything is seen in time."""
        self._update()
        at = max(self._clock.cycles, self._up_until)
        if self._down is not None:
            at = max(at, self._down_until) + self._down.gap * FRAME
        for press in self.queue:
            at = max(at, press.not_before) + ((press.hold or 0) + press.gap) * FRAME
        return at

    def press(self, key: str, hold: int = _HOLD, gap: int = _GAP) -> None:
        """Queue one key: a character or a name such as LEFT or CLEAR, held and released.

        `hold` and `gap` are frames. Raises ScriptError for a key the keyboard does not have.
        """
        self._enqueue(Press(find_key(key), hold, gap, self._clock.cycles))

    def type(self, text: str) -> None:
        """Queue the characters of `text` in order; a newline is ENTER."""
        for character in text:
            self.press(character)

    def key_down(self, key: str) -> None:
        """A live key goes down; `key_up` or `let_go` lets it go again.

        One that is down already stays down; the next is looked at when the console has seen it.
        """
        self._enqueue(Press(find_key(key), None, 0, self._clock.cycles))

    def key_up(self, key: str, least: int = 0) -> int:
        """The live key pressed last goes up at the end of the frame; how many frames it was held.

        It is held for at least `least` frames, and one that nobody has looked at yet still counts
        as pressed once. 0 for a key that is not down, or down since before another live key was
        pressed and seen: that one takes `let_go`.
        """
        target = find_key(key)
        for press in (self._down, *self.queue):
            if press is not None and press.hold is None and press.key == target:
                start = self._down_until if press is self._down else press.not_before
                press.hold = max(least, -(-(self._clock.cycles - start) // FRAME))
                if press is self._down:
                    self._down_until = start + press.hold * FRAME
                return press.hold
        return 0

    def has_seen(self, key: str) -> bool:
        """Whether the console has seen a live key that is down."""
        target = find_key(key)
        held = (press for press in (self._down, *self._under) if press is not None)
        return any(press.seen for press in held if press.hold is None and press.key == target)

    def let_go(self, key: str) -> None:
        """The live key goes up now, seen or not."""
        target = find_key(key)
        self._under = [press for press in self._under if press.key != target]
        for press in [press for press in self.queue if press.hold is None]:
            if press.key == target:
                self.queue.remove(press)
                self._clears -= press.key.basic == CLEAR
        press_down = self._down
        if press_down is not None and press_down.hold is None and press_down.key == target:
            self._up_until = self._clock.cycles
            self._gap_seen = False
            self._down = None

    def release_all(self) -> None:
        """Forget all keys, down or to come."""
        self.queue.clear()
        self._under.clear()
        self._clears = 0
        self._down = None
        self._busy = any(self.fire)

    def scan(self, unit: int) -> tuple[int, int]:
        """Scan as CALL KEY(unit, …) does: key code (−1 none) and status.

        Status 1: another key than at this half's last scan, −1: the same, 0: none. Units 3–5
        also choose the mapping that unit 0 goes on using.
        """
        if unit >= 3:
            self.mapping = unit
        if not self._busy:
            self._gap_seen = True
            self._last[unit if unit in (1, 2) else 0] = None
            self.idle_scans += 1
            return _NOTHING
        self._update()
        half = unit if unit in (1, 2) else 0
        press = self._down
        if press is None:
            self._gap_seen = True
        elif not press.seen:
            self._see(press)
        for held in (press, *reversed(self._under)):
            code = NO_KEY if held is None else held.key.code(unit or self.mapping, self.alpha_lock)
            if held is not None and code != NO_KEY:
                status = -1 if self._last[half] == held.key else 1
                self._last[half] = held.key
                return code, status
        if half and self.fire[half - 1]:
            return self._fire(half)
        self._last[half] = None
        return _NOTHING

    def joystick(self, unit: int) -> tuple[int, int]:
        """Deflection (x, y) of joystick 1 or 2; other units have none."""
        return self.joysticks[unit - 1] if unit in (1, 2) else (0, 0)

    def set_joystick(self, unit: int, x: int, y: int, fire: bool = False) -> None:
        """Move joystick 1 or 2 (each axis −4, 0 or 4) and press or release its button."""
        self.joysticks[unit - 1] = (x, y)
        self.fire[unit - 1] = fire
        self._busy = self._busy or fire

    def wait_key(self) -> int:
        """Wait for the next key going down and return its code, as the line editors do.

        A key held down comes again after a second, then twelve times a second. Moves the clock to
        that moment. Raises Pause when a pause falls due before it, or when no key is queued; call
        it again to go on waiting.
        """
        clock = self._clock
        while True:
            self._gap_seen = True
            self._update()
            press = self._down
            if press is not None and not press.seen:
                self._see(press)
                code = press.key.code(self.mapping, self.alpha_lock)
                self._last[0] = press.key
                if code != NO_KEY:
                    return code
            code = self._repeated(press)
            if code != NO_KEY:
                return code
            at = min(self._next_change(), self._next_repeat())
            if at == NEVER:
                self.idle_scans += 1
                raise Pause
            clock.advance_to(min(at, max(clock.next_event, clock.cycles)))
            if clock.cycles >= clock.next_event:
                clock.service()

    def break_pressed(self) -> bool:
        """Whether CLEAR is down now: the key that stops a running program."""
        if not self._busy:
            return False
        self._update()
        press = self._down
        if press is None or press.key.basic != CLEAR:
            return False
        if not press.seen:
            self._see(press)
        self._last[0] = press.key
        return True

    def _see(self, press: Press) -> None:
        """The console has seen the key that is down: it may go up."""
        press.seen = True
        if self.when_rested is not None and not self.queue and press.hold is not None:
            rested = self._down_until + press.gap * FRAME
            self._clock.schedule(rested, self.when_rested)

    def _repeated(self, press: Press | None) -> int:
        """The code of a key held down whose time to come again has come, else NO_KEY."""
        now = self._clock.cycles
        if press is not self._repeating:
            self._repeating = press
            self._repeat_at = now + _REPEAT_DELAY
        elif press is not None and now >= self._repeat_at:
            self._repeat_at = now + _REPEAT_GAP
            code = press.key.code(self.mapping, self.alpha_lock)
            return NO_KEY if code == ENTER else code
        return NO_KEY

    def _next_repeat(self) -> int:
        """When the key held down comes again; NEVER if it goes up before."""
        press = self._down
        if press is None or press is not self._repeating:
            return NEVER
        lasts = press.hold is None or self._repeat_at < self._down_until
        return self._repeat_at if lasts else NEVER

    def _enqueue(self, press: Press) -> None:
        self.queue.append(press)
        self._busy = True
        self.idle_scans = 0
        if press.key.basic == CLEAR:
            self._clears += 1
            self._watch_for_clear()

    def _fire(self, half: int) -> tuple[int, int]:
        status = -1 if self._last[half] is BUTTON else 1
        self._last[half] = BUTTON
        return BUTTON_CODE, status

    def _update(self) -> None:
        """Let keys go up and down as the time and the scans since the last look have it."""
        if not self._busy:
            return
        now = self._clock.cycles
        while True:
            press = self._down
            if press is not None:
                if press.hold is None and press.seen and self._live_key_follows():
                    self._under.append(press)
                    self._gap_seen = True
                    self._down = None
                    continue
                if press.hold is None or now < self._down_until:
                    return
                if not (press.seen or self._clears):
                    return
                self._up_until = self._down_until + press.gap * FRAME
                self._gap_seen = False
                self._down = None
            elif self.queue:
                press = self.queue[0]
                start = max(self._up_until, press.not_before)
                if now < start or not (self._gap_seen or self._clears):
                    return
                self.queue.popleft()
                self._down = press
                self._down_until = start + (press.hold or 0) * FRAME
                if press.key.basic == CLEAR:
                    self._clears -= 1
                    if self._clears:
                        self._watch_for_clear()
            else:
                self._busy = any(self.fire) or bool(self._under)
                return

    def _live_key_follows(self) -> bool:
        return bool(self.queue) and self.queue[0].hold is None

    def _next_change(self) -> int:
        """When the key before the next one goes up, or else the next goes down; NEVER if none."""
        if not self.queue:
            return NEVER
        if self._down is not None:
            return self._down_until if self._down.hold is not None else NEVER
        return max(self._up_until, self.queue[0].not_before)

    def _watch_for_clear(self) -> None:
        """Make running code look at the keyboard when CLEAR goes down."""
        if self._clear_event is not None:
            self._clock.cancel(self._clear_event)
        at = max(self._clock.cycles, self._up_until)
        if self._down is not None:
            at = max(at, self._down_until + self._down.gap * FRAME)
        for press in self.queue:
            at = max(at, press.not_before)
            if press.key.basic == CLEAR:
                break
            at += ((press.hold or 0) + press.gap) * FRAME
        self._clear_event = self._clock.schedule(at, self._clock.request_attention)
