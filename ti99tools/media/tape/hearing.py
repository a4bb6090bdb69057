"""What a recording says: the changes of its level, and the units that they spell.

Two ways to find the changes, since recordings are of two kinds. A tape recorder rounds the signal
off: its level swings through zero, and the time of the crossing is exact. A console's output
recorded directly, or a recorder that blocks low frequencies, gives short pulses of unequal height:
the level rests off zero between them, crosses zero long before the pulse, and only the steep edge
is exact.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable, Iterator
from hashlib import sha256
from itertools import pairwise, repeat
from operator import add, floordiv

from ti99tools.media.tape.biphase import LONGEST_GAP, stretches
from ti99tools.media.tape.recovery import State, TapeUnit, units
from ti99tools.media.tape.wav import Recording

_ENOUGH = 16_000
"""Samples per second that suffice to tell bits apart by zero crossings; more are averaged."""
_FINE = 32_000
"""The same for edges: a pulse of 70 microseconds then has two samples."""
_HIGH_PASS, _LOW_PASS = 60.0, 4000.0
"""The band of the signal in hertz; below are hum and drift, above is hiss."""
_EDGE_PASS = 8000.0
"""The upper end of the band where edges are looked for: dull edges are not steep."""
_FADE = 0.02
"""Seconds in which the level that counts as loud falls to a third."""
_HYSTERESIS = 0.25
"""The share of the loudness that a level must pass to be a change."""
_PULSE = 0.5
"""The share of its own sign's loudness that a pulse must pass. Half: the level between pulses of
which one sign is 2.5 times as high rests at up to a third of the smaller pulse.
"""
_WITHIN = 0.2
"""Bits before a pulse passes its threshold in which its edge is looked for. Longer, and the steep
end of the pulse before would be taken at a time constant of 70 microseconds.
"""
_FLOOR = 0.004 * 32768
"""Loudness below which there is no signal; full loudness is 32768."""
_MOMENT = 0.01
"""Seconds over which the swing of the level is taken."""
_QUIET = 0.06
"""The share of the largest swing below which there is no sound."""


_HEARD: dict[bytes, tuple[TapeUnit, ...]] = {}
"""Digest of a recording → its units, of the last few: a tape is listed before it is read."""
MOST_HEARD = 8
"""Most recordings whose units are kept."""


def heard(recording: Recording) -> list[TapeUnit]:
    """The units of a recording, in order: each from the way of listening that damages it less."""
    about = sha256(b"%d " % recording.rate)
    about.update(recording.samples)
    key = about.digest()
    found = _HEARD.pop(key, None)
    if found is None:
        found = tuple(unit for piece in _pieces(recording) for unit in _heard(piece))
        if len(_HEARD) >= MOST_HEARD:
            del _HEARD[next(iter(_HEARD))]
    _HEARD[key] = found
    return list(found)


def _heard(piece: Recording) -> list[TapeUnit]:
    found = list(units(stretches(crossings(piece), piece.bit)))
    if found and not any(unit.numbers(State.DAMAGED) for unit in found):
        return found
    other = list(units(stretches(edges(piece), piece.bit)))
    if len(found) == len(other):
        return [max(pair, key=_whole) for pair in zip(found, other, strict=True)]
    return max(found, other, key=lambda each: sum(map(_whole, each)))


def _pieces(recording: Recording) -> Iterator[Recording]:
    """The recording, cut where sound begins after silence: one tape can hold both kinds.

    Nothing is dropped: what is too quiet to count as sound stays with the piece before it.
    """
    samples = recording.samples
    step = max(round(_MOMENT * recording.rate), 1)
    swings = [
        max(part) - min(part)
        for start in range(0, len(samples), step)
        if (part := samples[start : start + step])
    ]
    loud = max(2 * _FLOOR, _QUIET * max(swings, default=0))
    begin, silent = 0, 0
    for number, swing in enumerate(swings):
        if swing < loud:
            silent += 1
            continue
        cut = (number - 1) * step
        if silent * _MOMENT >= LONGEST_GAP and cut > begin:
            yield Recording(samples[begin:cut], recording.rate)
            begin = cut
        silent = 0
    yield Recording(samples[begin:], recording.rate)


def _whole(unit: TapeUnit) -> int:
    """The number of blocks that are not damaged."""
    return len(unit.blocks) - len(unit.numbers(State.DAMAGED))


def crossings(recording: Recording) -> Iterator[float]:
    """The times, in samples, at which the level changes its sign; noise is ignored."""
    together = max(recording.rate // _ENOUGH, 1)
    rate = recording.rate / together
    fade = math.exp(-1 / (_FADE * rate))
    slow, quick = _weights(rate, _LOW_PASS)
    low = smooth = loud = before = crossed = 0.0
    high = False
    # The filter stands here again, and each sign by itself: a tape has a million samples.
    for index, sample in enumerate(_merged(recording.samples, together)):
        smooth += (sample - smooth) * quick
        low += (smooth - low) * slow
        value = smooth - low
        loud *= fade
        if value >= 0:
            if value > loud:
                loud = value
            if before < 0:
                # A straight line between two samples gives the time to a fraction of one.
                crossed = index - value / (value - before)
            # Without hysteresis hiss near zero would make changes of its own.
            if not high and value > _HYSTERESIS * loud and loud > _FLOOR:
                high = True
                yield crossed * together
        else:
            if -value > loud:
                loud = -value
            if before >= 0:
                crossed = index - value / (value - before)
            if high and -value > _HYSTERESIS * loud and loud > _FLOOR:
                high = False
                yield crossed * together
        before = value


def edges(recording: Recording) -> Iterator[float]:
    """The times, in samples, of the steepest slope before each pulse; signs take turns."""
    together = max(recording.rate // _FINE, 1)
    rate = recording.rate / together
    fade = math.exp(-1 / (_FADE * rate))
    # Two more: slopes lie between levels, and the steepest one is compared with its neighbours.
    levels = max(round(_WITHIN * recording.bit / together), 2) + 2
    # Silence before the first sample, so that there are always so many.
    filtered = [0.0] * levels
    filtered += _filtered(_merged(recording.samples, together), rate, _EDGE_PASS)
    up = down = 0.0
    high = False
    for index in range(levels, len(filtered)):
        value = filtered[index]
        up *= fade
        down *= fade
        if value > up:
            up = value
        if -value > down:
            down = -value
        pulse, loud = (-value, down) if high else (value, up)
        if pulse > _PULSE * loud and loud > _FLOOR:
            high = not high
            since = _since_edge(filtered[index - levels + 1 : index + 1], 1 if high else -1)
            yield (index - levels - since) * together


def _since_edge(levels: list[float], sign: int) -> float:
    """How many samples before the last level the slope of that sign was steepest."""
    slopes = [sign * (after - before) for before, after in pairwise(levels)]
    steepest = max(range(len(slopes)), key=slopes.__getitem__)
    since = len(slopes) - 0.5 - steepest
    if 0 < steepest < len(slopes) - 1:
        before, top, after = slopes[steepest - 1 : steepest + 2]
        bend = before - 2 * top + after
        # The peak of a parabola through three slopes gives the time to a fraction of a sample.
        if bend:
            since -= 0.5 * (before - after) / bend
    return since


def _filtered(samples: array[int], rate: float, upper: float) -> Iterator[float]:
    """The levels in the band up to `upper` hertz, by first-order filters."""
    slow, quick = _weights(rate, upper)
    low = smooth = 0.0
    for sample in samples:
        smooth += (sample - smooth) * quick
        low += (smooth - low) * slow
        yield smooth - low


def _weights(rate: float, upper: float) -> tuple[float, float]:
    """The weight of a new sample for each corner frequency."""
    slow, quick = (1 - math.exp(-2 * math.pi * hertz / rate) for hertz in (_HIGH_PASS, upper))
    return slow, quick


def _merged(samples: array[int], together: int) -> array[int]:
    """The averages of groups of `together` samples."""
    if together == 1:
        return samples
    first, *others = (samples[first::together] for first in range(together))
    sums: Iterable[int] = first
    for other in others:
        sums = map(add, sums, other)
    return array("h", map(floordiv, sums, repeat(together)))
