"""CALL SOUND."""

from __future__ import annotations

from ti99tools.compiler import ir
from ti99tools.compiler.actions import NO_VOLUME
from ti99tools.compiler.emit import values, words
from ti99tools.compiler.emit.actions import Args, call_with_words, emits
from ti99tools.compiler.emit.emission import Emission


@emits("sound voice")
def _voice(e: Emission, action: ir.Do, args: Args) -> None:
    """A frequency, rounded, a volume, and the frequency as it is: a fraction, or above 32767."""
    frequency, volume, exact = args
    if volume.constant == NO_VOLUME:
        e.out.uses("SNDCHK")
    if exact.range.is_word or frequency.constant is not None:
        call_with_words(e, "SNDVOI", [frequency, volume], action)
        return
    place = values.cell(e, exact, 1)
    words.as_word(e, volume, 2)
    e.out.call("SNDFRA", place)
