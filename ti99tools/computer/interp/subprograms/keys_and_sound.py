"""Keyboard, joysticks, sound and speech: KEY, JOYST, SOUND, SAY, SPGET."""

from __future__ import annotations

from functools import lru_cache

from ti99tools.base.basic import (
    HIGHEST_TONE,
    LAST_NOISE,
    LONGEST_SOUND,
    LOWEST_TONE,
    QUIETEST,
    TONES,
)
from ti99tools.base.cycles.language import SOUND_AT_ONCE, SOUND_HUNDREDS, SOUND_NOISE, SOUND_TONE
from ti99tools.base.xberrors import BAD_ARGUMENT, BAD_VALUE, SYNTAX_ERROR, XBError, outside
from ti99tools.computer.interp.subprograms.args import SUBPROGRAMS, Args, Sound, SubprogramContext
from ti99tools.computer.numbers.functions import div, to_integer
from ti99tools.computer.numbers.radix import Number

LAST_UNIT = 5
LAST_JOYSTICK_UNIT = 4


@SUBPROGRAMS("KEY")
def key(rt: SubprogramContext, args: Args) -> None:
    """KEY(unit, key variable, status variable): scan the keyboard once, without waiting.

    Units 0–5, see `machine.keycodes`. Key −1 and status 0 if no key is down; status 1 for a key
    that the previous scan did not find, −1 for one that it did; see `machine.keyboard`.
    """
    unit = args.leading(0, LAST_UNIT)
    store_key = args.check_number()
    store_status = args.check_number()
    code, status = rt.machine.keyboard.scan(unit)
    store_status(status)
    store_key(code)
    args.end()


@SUBPROGRAMS("JOYST")
def joyst(rt: SubprogramContext, args: Args) -> None:
    """JOYST(unit, x variable, y variable): −4, 0 or 4 each; units 3 and 4 have no joystick.

    It also scans the keyboard: a key found here is not new to the next CALL KEY.
    """
    unit = args.leading(1, LAST_JOYSTICK_UNIT)
    store_x = args.check_number()
    store_y = args.check_number()
    x, y = rt.machine.keyboard.scan_joystick(unit)
    store_y(y)
    store_x(x)
    args.end()


CLOCK = 111834
"""A tone of f Hz has the period CLOCK / f, rounded."""


@SUBPROGRAMS("SOUND")
def sound(rt: SubprogramContext, args: Args) -> None:
    """SOUND(milliseconds, frequency, volume, …): up to three tones and a noise (−1 to −8).

    Volume 0 (loud) to 30 (silent), two units a step. A positive duration waits for the sound in
    progress, a negative one replaces it. BAD VALUE for a fourth tone, BAD ARGUMENT for a second
    noise. The limits hold for rounded frequencies, the period is computed from the exact one.
    """
    milliseconds = args.leading(-LONGEST_SOUND, LONGEST_SOUND)
    if milliseconds == 0:
        raise XBError(BAD_VALUE, detail="the duration is 0")
    tones: list[tuple[int, int]] = []
    noise: tuple[int, int] | None = None
    hundreds = 0
    for _ in args.groups():
        frequency = args.leading_number()
        rounded = to_integer(frequency)
        if LAST_NOISE <= rounded < 0:
            if noise is not None:
                raise XBError(BAD_ARGUMENT)
            noise = -rounded - 1, _attenuation(args)
        elif LOWEST_TONE <= rounded <= HIGHEST_TONE and len(tones) < TONES:
            tones.append((_period(frequency), _attenuation(args)))
            hundreds += frequency == rounded and not rounded % 100
        else:
            raise _refused(rounded, len(tones))
    rt.note_leftovers()
    rt.code.leftovers.sounded([period for period, _ in tones])
    cycles = SOUND_TONE * len(tones) + SOUND_NOISE * (noise is not None) - SOUND_HUNDREDS * hundreds
    rt.machine.clock.cycles += cycles + SOUND_AT_ONCE * (milliseconds < 0)
    rt.sounds.begin(Sound(milliseconds, tones, noise, max(0, cycles - SOUND_TONE)))


def _refused(frequency: int, tones: int) -> XBError:
    """The error for an argument that is neither a noise nor one of three tones."""
    if frequency in range(LOWEST_TONE, HIGHEST_TONE + 1):
        return XBError(BAD_VALUE, detail=f"a sound has {tones} tones")
    return outside(BAD_VALUE, frequency, LOWEST_TONE, HIGHEST_TONE)


def _attenuation(args: Args) -> int:
    return args.integer(0, QUIETEST) // 2


@lru_cache(maxsize=256)
def _period(frequency: Number) -> int:
    return to_integer(div(CLOCK, frequency))


@SUBPROGRAMS("SAY")
def say(_rt: SubprogramContext, args: Args) -> None:
    """SAY(word string, direct string, …): the arguments are checked; there is no synthesizer."""
    for _ in args.groups():
        args.string()


@SUBPROGRAMS("SPGET")
def spget(_rt: SubprogramContext, args: Args) -> None:
    """SPGET(word string, variable$, …): without a synthesizer every word's code is empty."""
    while True:
        args.string()
        args.store_string("")
        if not args.more():
            return
        if not args.is_string():
            raise XBError(SYNTAX_ERROR)
