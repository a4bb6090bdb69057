"""The keyboard and joysticks, scanned as the console's ROM scans them.

The console remembers the last key in three cells: that of the last full scan (CPU address >83C8),
of the last scan of the left half (>83C9: CALL KEY(1), CALL JOYST(1)) and of the right half (>83CA).
A scan that finds a key writes it to its own cell and to the first one; a full scan also writes the
cell of the half where the key lies. A scan that finds nothing empties its own cell and the first
one; a full scan empties all three. A key is new when its own cell held another.

CALL KEY, INPUT, ACCEPT and the editor use the key that they find. CALL JOYST scans too, and so does
CALL SOUND while it waits for the previous sound: a key that they find is not new to the next CALL
KEY. Source: recorded, two calls and one key (screen-keys), and taps of known length (random3-taps).

A key that a person presses is seen if a scan comes while it is down, and otherwise lost, as on the
machine. The keys of a script wait until they are read: see `keys.Typist`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable

from ti99tools.base.codes import ENTER
from ti99tools.base.cycles.console import PROMPT_KNOWS
from ti99tools.base.cycles.language import BOUNCING
from ti99tools.hardware.machine.clock import NEVER, Clock, Pause
from ti99tools.hardware.machine.keycodes import (
    BUTTONS,
    COLUMNS,
    FUNCTION,
    NO_KEY,
    SPLIT,
    WITH_FUNCTION,
    Key,
    Matrix,
    Repeat,
    find_key,
)
from ti99tools.hardware.machine.typist import KeyQuestions, Typist

_NOTHING = (NO_KEY, 0)
_BASIC = 5
"""The unit that gives the codes of BASIC."""
HALVES = (1, 2)
"""The units of half a keyboard."""
_NUMBERS = {
    cap: 8 * at + 7 - row for at, caps in enumerate(COLUMNS) for row, cap in enumerate(caps)
}
"""Key cap → its place in the matrix, as >83C8 to >83CA hold it: the rows of a column count down
(recorded: asked4-6).
"""

HOLD = GAP = 4
"""Frames that a key is held, and that pass before the next one."""


class Keyboard:
    """The keys that are down, and the ROM's memory of the last ones."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._matrix = Matrix()
        self._typist = Typist(clock, self._matrix)
        self._repeat = Repeat()
        self.mapping = _BASIC
        self.alpha_lock = True
        self.idle_scans = 0
        """Scans with no key down or queued, since a key was last pressed."""
        self.stick_scans = 0
        """Scans of a joystick since power-on."""
        self.joysticks: list[tuple[int, int]] = [(0, 0), (0, 0)]
        """Deflection (x, y) of either joystick, each −4, 0 or 4."""
        self.fire: list[bool] = [False, False]
        self.code = 0
        """What machine code or CALL LOAD left at CPU address >8375, where a scan puts its key.
        Extended BASIC takes it from there, so that a program finds 0 (recorded).
        """
        self.when_found: Callable[[], None] = lambda: None
        """Called when a scan finds a key."""
        self._cells: list[str | None] = [None, None, None]
        """The caps in >83C8, >83C9 and >83CA."""
        self._function = False
        self._listener: Callable[[], None] | None = None
        self._prompted_at = 0
        """The cycle at which a prompt last appeared."""

    @property
    def now(self) -> int:
        """The cycle at which the keyboard is looked at."""
        return self._clock.cycles

    # -- moving keys and sticks --------------------------------------------------------------

    def press(self, key: str, hold: int = HOLD, gap: int = GAP, anywhere: bool = False) -> None:
        """Queue one key of a script: a character or a name such as LEFT or CLEAR.

        It goes down when the program asks for a key, or `anywhere` with its next look, stays down
        for `hold` frames, and until it was seen; then no key is down for `gap` frames. Raises
        ScriptError for a key the keyboard does not have.
        """
        self._typist.press(find_key(key), hold, gap, anywhere)
        self.idle_scans = 0

    def type(self, text: str) -> None:
        """Queue the characters of `text` in order; a newline is ENTER."""
        for character in text:
            self.press(character)

    def key_down(self, key: str, past: int = 0) -> None:
        """Press a key, which stays down until `key_up`; it went down `past` cycles before now.

        Raises ScriptError for a key the keyboard does not have.
        """
        if key.upper() == FUNCTION:
            self._function = True
            return
        self._matrix.press(self._with_function(key))
        self.idle_scans = 0
        if self._clock.cycles - past < self._prompted_at - PROMPT_KNOWS:
            self.know()
        # A running program looks for CLEAR and QUIT only where it is interrupted.
        if self._matrix.breaks or self._matrix.quits:
            self._clock.request_attention()

    def key_up(self, key: str) -> None:
        """Release a key, seen or not."""
        if key.upper() == FUNCTION:
            self._function = False
            return
        # FCTN may have been pressed or released in between, so both keys of the cap go up.
        self._matrix.release(find_key(key))
        self._matrix.release(self._with_function(key, down=True))

    def _with_function(self, key: str, down: bool = False) -> Key:
        """The key of a cap, with FCTN if that is down."""
        if self._function or down:
            key = WITH_FUNCTION.get(key.upper(), key)
        return find_key(key)

    def quit_pressed(self) -> bool:
        """Tell whether QUIT is down now."""
        self._typist.update()
        return self._matrix.quits

    def set_joystick(self, unit: int, x: int, y: int, fire: bool = False) -> None:
        """Move joystick 1 or 2 (each axis −4, 0 or 4) and press or release its button."""
        self.joysticks[unit - 1] = (x, y)
        self.fire[unit - 1] = fire

    # -- the keys of a script -------------------------------------------------------------

    def ask(self, asker: KeyQuestions | None) -> None:
        """Give the keys of a script when the program asks for one, not with every look."""
        self._typist.asker = asker

    @property
    def idle(self) -> bool:
        """Tell whether no key of a script is down or queued."""
        self._typist.update()
        return not self._typist.busy

    @property
    def rested(self) -> bool:
        """As `idle`, and the gap after the last key is over."""
        return self._typist.rested

    @property
    def standing(self) -> Hashable | None:
        """All that a scan which finds no key depends on, to be compared.

        None while a key or a button is down or queued, and while somebody waits for a look.
        """
        waited_for = self._listener is not None or self._matrix or any(self.fire)
        if waited_for or not self._typist.settled:
            return None
        return self.mapping, *self._cells, *self.joysticks

    @property
    def quiet_at(self) -> int:
        """The cycle at which the gap after the last scripted key ends, if every key is seen in
        time.
        """
        return self._typist.quiet_at

    def tell_when_rested(self, listener: Callable[[], None] | None) -> None:
        """Call a function when the last key has been seen and its gap is over.

        None cancels it.
        """
        self._typist.tell_when_rested(listener)

    # -- the console scans ------------------------------------------------------------------

    def scan(self, unit: int) -> tuple[int, int]:
        """Scan as CALL KEY(unit, …) does: key code (−1 none) and status.

        Status 1: a new key (see above), −1: the same as before, 0: none. Units 3–5 also choose the
        mapping that unit 0 goes on using.
        """
        self._tell_look()
        if unit >= 3:
            self.mapping = unit
        if self._typist.busy:
            self._typist.scanned(unit)
        key = self._look(unit)
        new = self._remember(unit, key)
        if new and key is not None:
            # The ROM waits out the bouncing of the key, and only then reports it.
            self._clock.cycles += BOUNCING
        code = NO_KEY if key is None else key.code(unit or self.mapping, self.alpha_lock)
        if code == NO_KEY:
            if key is None and not self._typist.busy:
                self.idle_scans += 1
            return _NOTHING
        return self._seen(code), 1 if new else -1

    def scan_joystick(self, unit: int) -> tuple[int, int]:
        """Scan as CALL JOYST(unit, …) does; returns the deflection. See `scan_aside`."""
        self.stick_scans += 1
        if unit >= 3:
            self.mapping = unit
        if self.scan_aside(unit):
            self._clock.cycles += BOUNCING
        return self.joystick(unit)

    def scan_aside(self, unit: int) -> bool:
        """Scan a unit without reading a key, but remember what was found, as CALL JOYST does, and
        CALL SOUND while it waits. Returns whether a new key was found.

        A script's unread key does not count as down, so that a later reader finds it new.
        """
        self._typist.lift()
        key = self._found(unit)
        if self._typist.unread(key):
            key = None
        new = self._remember(unit, key)
        if key is not None:
            self.when_found()
        return new and key is not None

    def _remember(self, unit: int, key: Key | None) -> bool:
        """Put the result of a scan into the cells; returns whether its own cell held another."""
        cells = self._cells
        written: tuple[int, ...]
        if unit in HALVES:
            own, written = unit, (0, unit)
        elif key is None:
            own, written = 0, (0, *HALVES)
        else:
            own, written = 0, (0, *(half for half in HALVES if key.cap in SPLIT[half - 1]))
        cap = None if key is None else key.cap
        new = cells[own] != cap
        for cell in written:
            cells[cell] = cap
        return new

    def _seen(self, code: int) -> int:
        self.when_found()
        return code

    def set_code(self, code: int) -> None:
        """Take a code that machine code or CALL LOAD put in the place of the last key."""
        self.code = code

    def choose(self, unit: int) -> None:
        """Choose the mapping for machine code or CALL LOAD: 3 to 5; other values do nothing."""
        if 3 <= unit <= _BASIC:
            self.mapping = unit

    def column(self, number: int) -> int:
        """The rows of the matrix's column 0–7 that machine code finds down, the first as bit 1.

        Columns 6 and 7 are the joysticks: button, left, right, down, up.
        """
        self._tell_look()
        self._typist.wanted()
        rows, caps = self._rows(number)
        # Nothing down anywhere counts as a look too: the gap between two keys has been seen.
        if number < len(COLUMNS) and (rows or not caps):
            self._typist.looked()
            self.idle_scans += not caps and not self._typist.busy
        return rows

    def column_aside(self, number: int) -> int:
        """As `column`, for code that looks for CLEAR alone: it reads no key of a script."""
        return self._rows(number)[0]

    def _rows(self, number: int) -> tuple[int, bool]:
        """The rows of a column that are down, and whether any key of the keyboard is."""
        self._typist.update()
        if number >= len(COLUMNS):
            x, y = self.joysticks[number - len(COLUMNS)]
            rows = (self.fire[number - len(COLUMNS)], x < 0, x > 0, y < 0, y > 0)
            return sum(1 << row for row, down in enumerate(rows) if down), False
        caps = self._matrix.caps()
        bits = sum(1 << row for row, cap in enumerate(COLUMNS[number]) if cap in caps)
        return bits, bool(caps)

    def read_as_basic(self) -> None:
        """Return unit 0 and the line editors to the BASIC mapping."""
        self.mapping = _BASIC

    def cell(self, number: int) -> int:
        """What >83C8 (0), >83C9 (1) or >83CA (2) holds: a key's place in the matrix, FFh: none."""
        cap = self._cells[number]
        return NO_KEY & 0xFF if cap is None else _NUMBERS[cap]

    def set_cell(self, number: int, value: int) -> None:
        """Take what CALL LOAD or machine code has written into one of these cells."""
        column, row = divmod(value, 8)
        known = column < len(COLUMNS)
        self._cells[number] = COLUMNS[column][7 - row] if known else None

    def joystick(self, unit: int) -> tuple[int, int]:
        """Deflection (x, y) of joystick 1 or 2; other units have none."""
        return self.joysticks[unit - 1] if unit in (1, 2) else (0, 0)

    def ignore(self, cycles: int) -> None:
        """Let time pass without a scan."""
        self._clock.cycles += cycles

    def begin_line(self) -> None:
        """Let a line be typed from now on."""
        self._repeat.begin()

    def wait_key(self) -> int:
        """Wait for the next key press and return its code, as the line editors do.

        A key held down repeats. Moves the clock to the moment of the press. Raises Pause when a
        pause falls due earlier, or when no key is queued or held; call it again to go on waiting.
        """
        self._tell_look()
        clock = self._clock
        self._repeat.go_on(clock.cycles)
        while True:
            code = self._news()
            if code != NO_KEY:
                self._repeat.rest(clock.cycles)
                return self._seen(code)
            again = self._repeat.at
            # A repeat that would come after the key goes up does not come.
            at = min(self._typist.next_change, again if again < self._typist.lifts_at else NEVER)
            # Nothing will ever come: let the caller decide what to type.
            if at == NEVER:
                self.idle_scans += 1
                raise Pause
            clock.advance_to(min(at, max(clock.next_event, clock.cycles)))
            if clock.cycles >= clock.next_event:
                clock.service()

    def break_pressed(self) -> bool:
        """Tell whether CLEAR is down now: the key that stops a running program."""
        self._typist.update()
        if not self._matrix.breaks:
            return False
        self._typist.looked()
        return True

    @property
    def stops(self) -> bool:
        """Tell whether CLEAR or QUIT is down now."""
        self._typist.update()
        return self._matrix.breaks or self._matrix.quits

    def know(self) -> None:
        """Let the prompt appear: a key that is down now, of a person or one that a script's reader
        has seen, is not new to the line typed next. It repeats if it stays down (recorded:
        random4-held).
        """
        self._typist.update()
        self._prompted_at = self._clock.cycles
        self.scan_aside(0)

    def tell_look(self, listener: Callable[[], None]) -> None:
        """Call a function when somebody next looks for a key."""
        self._listener = listener

    def _tell_look(self) -> None:
        if self._listener is not None:
            listener, self._listener = self._listener, None
            listener()

    def _look(self, unit: int) -> Key | None:
        """The key that a scan of a unit finds now."""
        key = self._found(unit)
        self._typist.read(unit, key)
        return key

    def _found(self, unit: int) -> Key | None:
        """The key that a scan of a unit finds; a joystick's button counts as one of its half."""
        key = self._matrix.first(unit) if self._matrix else None
        if key is None and unit in HALVES and self.fire[unit - 1]:
            return BUTTONS[unit - 1]
        return key

    def _news(self) -> int:
        """The code of a key that was just pressed or repeats, else NO_KEY.

        A key that CALL KEY has seen is not new, in whichever unit.
        """
        self._typist.wanted()
        key = self._look(0)
        new = self._remember(0, key)
        if key is None:
            self._repeat.stop()
            return NO_KEY
        now = self._clock.cycles
        code = key.code(self.mapping, self.alpha_lock)
        if new:
            self._repeat.start(key, now)
            return code
        # ENTER does not repeat: it would answer the next prompt as well.
        return code if self._repeat.comes(key, now) and code != ENTER else NO_KEY
