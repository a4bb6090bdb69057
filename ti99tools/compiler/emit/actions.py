"""Actions: assignments, and what the runtime does.

An action whose entry of the runtime takes words only is in `compiler.actions`. Any other has its
function, entered by `@emits`, in a module by subject: one of the `GENERATORS` in `emit.emitter`.
"""

from __future__ import annotations

from collections.abc import Callable

from ti99tools.base.entries import Entries
from ti99tools.compiler import ir
from ti99tools.compiler.actions import ENTRIES
from ti99tools.compiler.emit import cells, strings, words
from ti99tools.compiler.emit.emission import Emission
from ti99tools.compiler.kinds import CELL, CHARACTER, TEXT, WORD, Typed, order_matters
from ti99tools.language.analysis.fixpoint import State

Args = list[Typed]
Emit = Callable[[Emission, ir.Do, Args], None]

_ASSIGNS = {WORD: words.assign, CELL: cells.assign, TEXT: strings.assign}
_STORES = {
    WORD: words.store, CELL: cells.store, TEXT: strings.store, CHARACTER: strings.store_character,
}  # fmt: skip


emits = Entries[str, Emit]()
"""The functions that generate the code of actions."""


def emit_action(e: Emission, action: ir.Action, state: State) -> None:
    """Generate the code of an action; `state` is what is known of the variables before it."""
    match action:
        case ir.Assign(target, value):
            _ASSIGNS[e.kinds.of(target)](e, target, e.kinds.typed(value, state))
        case ir.Store(array, positions, value):
            index = e.kinds.index(array, positions, state)
            typed = e.kinds.typed(value, state)
            _STORES[e.kinds.array(array)](e, array, index, typed)
        case ir.Do():
            args = [e.kinds.argument(arg, state) for arg in action.args]
            special = emits.get(action.name)
            if special is not None:
                special(e, action, args)
            else:
                call_with_words(e, ENTRIES[action.name], args, action)


def call_with_words(e: Emission, entry: str, args: list[Typed], action: ir.Do) -> None:
    """Call an entry with words in R1 to R4; those that the runtime calculates come first."""
    complex_ = [n for n, arg in enumerate(args) if _busy(arg) or _comes_first(arg, args[n + 1 :])]
    slots: dict[int, str] = {}
    for n in complex_:
        # The only argument has R1 for itself.
        if n == len(args) - 1 and not slots and n == 0:
            break
        words.as_word(e, args[n], 1)
        slots[n] = e.keep("R1")
    for n, arg in enumerate(args):
        if n in slots:
            e.out.op("MOV", f"@{slots[n]},R{n + 1}")
        else:
            words.as_word(e, arg, n + 1)
    e.out.call(entry)
    store_results(e, action.results, action.name == "sprite position")


def _comes_first(t: Typed, others: Args) -> bool:
    """Tell whether a value has to be calculated before a busy one that comes after it."""
    return any(_busy(other) and order_matters(t, other) for other in others)


def store_results(e: Emission, results: tuple[str, ...], in_order: bool = False) -> None:
    """Store what an entry of the runtime returns in R0 and on; the last one first, as KEY does."""
    found = list(enumerate(results))
    for n, name in found if in_order else reversed(found):
        store_word(e, name, n)


def store_word(e: Emission, name: str, r: int) -> None:
    """Store the word in a register into a variable of either kind."""
    own = e.places.operand(name)
    if e.kinds.of(name) == WORD:
        e.out.op("MOV", f"R{r},{own}")
    else:
        e.out.op("CLR", own)
        e.out.op("MOV", f"R{r},{own}+2")


def _busy(t: Typed) -> bool:
    """Tell whether calculating a word may need more than the registers that are left."""
    return (
        t.kind == CELL
        or t.op
        in ("toword", "randint", "quot", "mod", "mul", "sgn", "len", "asc", "pos", "eof", "rec")
        or any(map(_busy, t.args))
    )
