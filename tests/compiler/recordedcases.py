"""Recorded cases of the real machine that are compiled, played with their keys or run alone."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from pathlib import Path
from typing import Any

from tests.compiler.bothforms import Left, as_cartridge, in_basic
from ti99tools.base.errors import TIError
from ti99tools.compiler.compiling import Compiled, compile_program
from ti99tools.computer.console.cartridge_console import CartridgeConsole
from ti99tools.games.conformance.cases import CaseKind, load
from ti99tools.games.conformance.comparing import CaseSnapshot, Difference, Observed, differences
from ti99tools.games.conformance.playback import disk, files
from ti99tools.hardware.machine.screen import CURSOR_TEXT
from ti99tools.hardware.machine.vdp import MOTION, SPRITES
from ti99tools.language.program.program import Program
from ti99tools.media.disk.image import DiskImage

FOLDER = Path(__file__).parents[1] / "conformance"
SECONDS, AFTER = 60.0, 30
PATIENCE = 300
"""Frames that a key of a script waits for a program that takes lines."""
_MOVING = "it shows where sprites in motion are"
_TONE = "a tone of the program still sounds when INPUT begins"
_REFUSED_KEY = "Extended BASIC takes no keys while the tone of a refused one sounds"
_EARLY_KEY = "a key is pressed before Extended BASIC looks for it"
DIFFERENT = {
    **dict.fromkeys(
        (
            *("random-sprmove-921113", "random-sprmove-976020", "random-sprmove-976029"),
            *("random-sprmove-976503", "random-sprmove-976512", "random-sprmove-976515"),
            *("random-sprmove-976015", "random-sprstill-920024"),
        ),
        _MOVING,
    ),
    **dict.fromkeys(
        ("fuzz-076", "random-programs-913159", "random-programs-801698"),
        _REFUSED_KEY,
    ),
    **dict.fromkeys(
        (
            *("random-programs-913243", "random-programs-701098", "random-programs-912208"),
            *("random-programs-912247", "random-programs-801737"),
        ),
        _TONE,
    ),
    **dict.fromkeys(
        ("random-editor-913124", "asked4-3--12", "asked4-3x-2", "asked4-3x-3"),
        _EARLY_KEY,
    ),
    "asked-2-01g": "how often a key repeats that is down before INPUT",
    "random4-held-input-34-40": "a key is held just as long as it takes to repeat",
    "random4-held-accept-34-40": "a key is held just as long as it takes to repeat",
    "random4-minimal-close-number": "CALL ERR after a failed CLOSE reads what lies in video memory",
    "asked-2-06a": "where memory is full: GOSUB within GOSUB",
    "asked-2-06c": "where memory is full: GOSUB within GOSUB",
    "asked-2-06e": "where memory is full: strings",
    "asked-3-09a": "an error in a DEF names the line that uses it, not that of the DEF",
    "asked3b-14-7b": "POS from above 256 reads what lies in memory after the text",
    "asked4-4b": "a key is held when the program ends, and the prompt takes it",
    "asked4-4c": "a key is held when the program ends, and the prompt takes it",
    "asked4-18a": "a machine without memory expansion",
    "asked4-18a2": "a machine without memory expansion",
    "code-no32k-init": "a machine without memory expansion",
    "prog-sprites": "COINC(ALL) right after COINC of a pair that has not met",
    "fuzz-067": "POS from above 256 reads what lies in memory after the text",
    "asked3b-15-3b": "COINC(ALL) after PRINT, which scrolls while a frame is drawn",
    "asked3b-15-3d": "COINC(ALL) after PRINT, which scrolls while a frame is drawn",
}
"""Cases that a compiled program may end in another way → why. All others are held."""


class Way(Enum):
    """How a case that is compiled is held against the machine."""

    PLAYED = "its script is played, and the end compared with the recording"
    ALONE = "its program runs to its end in both forms: the script goes on at the prompt"
    DIFFERENT = "it may end in another way"
    TIMED = "it shows where a moving sprite is, which depends on the time that Extended BASIC takes"


class AtThePrompt(Exception):
    """A line is typed when the program has ended: a compiled program takes none."""


@dataclass(frozen=True)
class Held:
    """A case that is compiled, and how it is held."""

    case: dict[str, Any]
    way: Way

    @property
    def listing(self) -> str:
        """Its program."""
        return "\n".join(self.case["source"])


def way_of(case: Mapping[str, Any]) -> Way:
    """How a case is held."""
    if case["id"] in DIFFERENT:
        return Way.DIFFERENT
    if _shows_a_moving_place("\n".join(case["source"])):
        return Way.TIMED
    return Way.PLAYED if _ends_with_the_program(case) else Way.ALONE


_MOVES = re.compile(r"CALL SPRITE\(#\d+(?:,[^,()]+){6}\)|CALL MOTION\(")


_LOOKS = re.compile(r"CALL KEY|CALL JOYST|\b(?:INPUT|LINPUT|ACCEPT)\b")
_TYPES = re.compile(r"\b(?:INPUT|LINPUT|ACCEPT)\b")


def _shows_a_moving_place(listing: str) -> bool:
    """Tell whether a program asks where a sprite is that it has set in motion, and nothing else.

    A compiled program is there sooner. What COINC sees of it is held.
    """
    asks = "CALL POSITION(" in listing and "CALL COINC(" not in listing
    return asks and _MOVES.search(listing) is not None


def keys_are_timed(case: Mapping[str, Any]) -> bool:
    """Tell whether keys are down for a time while a program looks for them in a loop."""
    script = case.get("script") or []
    looks = re.search(r"CALL KEY|CALL JOYST", "\n".join(case["source"])) is not None
    return looks and any("down" in step or "hold" in step for step in script)


def _ends_with_the_program(case: Mapping[str, Any]) -> bool:
    """Tell whether a script does nothing after the program, as far as the script tells it."""
    listing = "\n".join(case["source"])
    looks = _LOOKS.search(listing) is not None
    over = False
    for step in case.get("script") or []:
        goal = step.get("until")
        if isinstance(goal, dict) and "gone" in goal:
            return False
        key = step.get("type") or step.get("press")
        if key is not None and key != "CLEAR" and not looks:
            return False
        if over and not {"wait", "snap", "until"} & set(step):
            return False
        over = over or goal == "ready" or (isinstance(goal, dict) and goal.get("text") == ">")
    return True


def cases(*names: str, step: int = 1) -> Iterator[Held]:
    """The compiled ones among each `step`th case of files (`lang-rnd`)."""
    return (case for case in recorded(*names, step=step) if is_compiled(case.case))


def recorded(*names: str, step: int = 1) -> Iterator[Held]:
    """Each `step`th case of files that is one program; of all files by default."""
    files = [FOLDER / f"{name}.jsonl" for name in names] or [FOLDER]
    for case in load(files)[::step]:
        if case.kind is CaseKind.CONSOLE and "source" in case.data:
            yield Held(case.data, way_of(case.data))


def is_compiled(case: Mapping[str, Any]) -> bool:
    """Tell whether a case's program is compiled."""
    try:
        compiled(case, True)
    except TIError:
        return False
    return True


def hold(held: Held) -> tuple[Way, list[str]]:
    """Compare both compiled forms of a case; the way that it went, and what differs."""
    way = held.way
    messages: list[str] = []
    for words in (True, False):
        if way is Way.PLAYED:
            try:
                differences = play(held.case, compiled(held.case, words))
            except AtThePrompt:
                way = Way.ALONE
            else:
                messages += [line for one in differences for line in (one.where, *one.lines)]
        if way is Way.ALONE and _alone(held, words) != _alone(held, None):
            messages.append(f"words: {words}: it leaves something else than in Extended BASIC")
    return way, messages


def _alone(held: Held, words: bool | None) -> tuple[Left, Mapping[str, Any]]:
    """What a program leaves on the screen and on the disk; `words` None: in Extended BASIC."""
    keys, drives = typed_keys(held.case), _drives(held.case)
    if words is None:
        left = in_basic(held.listing, keys, drives)
    else:
        left = Left.of(as_cartridge(held.listing, words, keys, drives))
    return left, {drive: files(image) for drive, image in drives.items()}


_FILES = re.compile(r"#|\bDELETE\b")


def _drives(case: Mapping[str, Any]) -> dict[str, DiskImage]:
    """The disk of a case, if it has files."""
    uses = case.get("disk_in") or case["expect"].get("files")
    return {"DSK1": disk(case)} if uses or _FILES.search("\n".join(case["source"])) else {}


def typed_keys(case: Mapping[str, Any]) -> list[str]:
    """All keys of the script of a case whose program takes lines."""
    if not _TYPES.search("\n".join(case["source"])):
        return []
    steps = case.get("script") or []
    return [key for step in steps for key in step.get("type") or [step.get("press")] if key]


def compiled(case: Mapping[str, Any], words: bool) -> Compiled:
    """A case's program. Raises TIError where it is not compiled."""
    return _compiled("\n".join(case["source"]), words)


@lru_cache(maxsize=2)
def _compiled(listing: str, words: bool) -> Compiled:
    """The last ones are kept: a case that is held has been compiled to know whether it is."""
    return compile_program(Program.from_listing(listing), "TEST", words)


def play(case: Mapping[str, Any], program: Compiled) -> list[Difference]:
    """Play a case's script; what differs from the recording."""
    drives = _drives(case)
    console = CartridgeConsole(program.cartridge, disks=drives)
    console.choose()
    typing = _TYPES.search("\n".join(case["source"])) is not None
    wanted = tuple(case.get("capture") or ())
    snaps: dict[str, CaseSnapshot] = {}
    down: set[str] = set()
    for step in case.get("script") or [{"until": "ready"}]:
        if "snap" in step:
            snaps[step["snap"]] = snapshot(console, wanted, program)
        else:
            _follow(console, step, down, typing)
    sound = _whole_tones(bytes(console.machine.sound.written))
    expect = dict(case["expect"])
    if "sound" in expect:
        expect["sound"] = _whole_tones(bytes(expect["sound"]))
    left = files(drives["DSK1"]) if drives else {}
    observed = Observed(snapshot(console, wanted, program), snaps, left, sound)
    return differences({**case, "expect": expect}, observed)


_ENDING = re.compile(rb"\x9f(?:\xbf\xdf\xff)?(?=\xbf\xdf\xff)|\x9f(?=[\x80-\x8f])")


def _whole_tones(written: bytes) -> bytes:
    """Sound without the end of a tone before the next begins: time decides on it."""
    return _ENDING.sub(b"", written)


def _follow(
    console: CartridgeConsole, step: Mapping[str, Any], down: set[str], typing: bool
) -> None:
    """Carry out a step; `down` are the keys that steps hold. Raises AtThePrompt.

    `typing`: a key of a script waits until the program waits for one, as when it was recorded.
    """
    keyboard = console.machine.keyboard
    match step:
        case {"until": "ready" | {"text": ">"}}:
            console.resume(SECONDS)
            console.wait(AFTER)
        case {"until": {"text": text}}:
            console.run_until(text, seconds=SECONDS, look=4)
        case {"press": key}:
            # A key that is held for long may be down before the program looks for it.
            _asked(console, typing and "hold" not in step)
            _press(console, key, step.get("hold", 4), step.get("gap", 4))
        case {"type": text}:
            for key in text:
                _asked(console, typing)
                _press(console, key, 4, 4)
        case {"down": key}:
            keyboard.key_down(key)
            down.add(key)
        case {"up": key}:
            keyboard.key_up(key)
            down.discard(key)
        case {"wait": frames}:
            console.wait(frames)
            # The prompt of the original types a key that is held across the program's end.
            if console.over and down:
                raise AtThePrompt


def _asked(console: CartridgeConsole, typing: bool) -> None:
    """Let the program come to where it waits for a key. Raises AtThePrompt."""
    for _ in range(PATIENCE if typing else 0):
        if console.waiting_line or console.over:
            break
        console.wait(1)
    if console.over:
        raise AtThePrompt


def _press(console: CartridgeConsole, key: str, hold: int, gap: int) -> None:
    keyboard = console.machine.keyboard
    stick = key[:2] in ("J1", "J2")
    if stick:
        moves = {"LEFT": (-4, 0), "RIGHT": (4, 0), "UP": (0, 4), "DOWN": (0, -4)}
        x, y = moves.get(key[2:], (0, 0))
        keyboard.set_joystick(int(key[1]), x, y, key.endswith("FIRE"))
    else:
        keyboard.key_down(key)
    console.wait(hold)
    if stick:
        keyboard.set_joystick(int(key[1]), 0, 0)
    else:
        keyboard.key_up(key)
    console.wait(gap)


def snapshot(console: CartridgeConsole, wanted: tuple[str, ...], program: Compiled) -> CaseSnapshot:
    """The screen and the captures that a case asks for; the cursor of a line does not blink."""
    vdp = console.machine.vdp
    patterns = vdp.patterns
    known: dict[str, Any] = {
        "patterns": {str(30 + n): patterns[8 * n : 8 * n + 8].hex() for n in range(130)},
        "colors": bytes(vdp.colors),
        "sprites": bytes(vdp.ram[SPRITES : SPRITES + 112]),
        "motion": bytes(vdp.ram[MOTION : MOTION + 112]),
        "vregs": bytes(vdp.registers),
    }
    captures = {name: known[name] for name in wanted if name in known}
    rows, beneath = list(console.screen.rows), " "
    if console.waiting_line and "EDPTR" in program.linked.assembled.symbols:
        bus = console.engine.bus
        at, under = (
            bus.word_at(program.linked.assembled.address_of(name)) for name in ("EDPTR", "EDBEN")
        )
        row, column = divmod(at, 32)
        rows[row] = rows[row][:column] + CURSOR_TEXT + rows[row][column + 1 :]
        beneath = chr((under >> 8) - 0x60 & 0xFF)
    return CaseSnapshot(tuple(rows), beneath, captures)
