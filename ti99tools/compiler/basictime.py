"""What statements take in Extended BASIC, as far as the text of a program tells it, in CPU cycles.

The static costs are those that the interpreter charges (`computer.interp.compile.timing`). What the
interpreter adds while it runs depends on values: here it is what usual values take. Rows that are
scrolled count; waits for sounds, keys and disks do not, because a compiled program waits as well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from ti99tools.base import tokens as tk
from ti99tools.base.basic import OF_PAIR
from ti99tools.base.cycles import language as cy
from ti99tools.base.cycles.language import COSTS
from ti99tools.compiler.ir import Spot
from ti99tools.compiler.taking import LOST
from ti99tools.computer.interp.compile import compiler as _emitters  # noqa: F401 enters all costs
from ti99tools.computer.interp.compile.emit.screen_statements import ON_SCREEN, separator_cycles
from ti99tools.computer.interp.compile.shut import ONE_BY_ONE, SERIES
from ti99tools.computer.interp.compile.timing import (
    TEXT,
    Timing,
    Timings,
    counting,
    literal,
    passing,
    repetitions,
    text_length,
)
from ti99tools.computer.interp.subprograms.graphics import PLACED
from ti99tools.hardware.machine.clock import FRAME
from ti99tools.language.analysis import Analysis
from ti99tools.language.analysis.analysis import statements_from
from ti99tools.language.analysis.constants import integer
from ti99tools.language.listing.builtins import SUBPROGRAMS
from ti99tools.language.prescan.symbols import Scope
from ti99tools.language.syntax import nodes as nd
from ti99tools.language.syntax import statements as st
from ti99tools.language.syntax.statements import expressions_in

_FIGURES = 3
"""Characters of a number as STR$ makes it."""
_QUOTIENT = 2
"""Digits to the base of 100 of a quotient by a constant, of seven."""


class BasicTimes:
    """What the statements of a program take."""

    def __init__(self, program: Analysis) -> None:
        self._program = program
        lines = [number for number, _ in program.lines]
        self._timings = Timings(lines, program.scanned.scan.subs)

    def statement(self, scope: Scope, spot: Spot, node: st.Statement) -> int:
        """Cycles of a statement, without the ways on from IF, and of the DEFs that it uses."""
        timing = self.timing(scope)
        cycles = timing.statement(node) + self.after(timing, spot[0], node)
        cycles += self.functions(scope, timing, node)
        cycles += sum(varying(one) for one in expressions_in(node))
        return max(cycles + self.more(timing, node), 0)

    def more(self, timing: Timing, node: st.Statement) -> int:
        """Cycles of a statement that are not among the static ones."""
        more = _MORE.get(type(node))
        return (more(timing, node) if more else 0) + self._image(timing, node)

    def shown(self, timing: Timing, node: st.Print | st.Display) -> int:
        """Cycles of the items of a list on the screen, without new rows."""
        return _shown(timing, node) + self._image(timing, node)

    def _image(self, timing: Timing, node: st.Statement) -> int:
        """Cycles of the image of a list on the screen with USING."""
        match node:
            case (
                st.Print(file=None, using=st.Using() as using)
                | st.Display(using=st.Using() as using)
            ):
                pass
            case _:
                return 0
        if using.image is not None:
            own, length = timing.expression(using.image), text_length(using.image)
        else:
            own, length = ON_SCREEN.image, 0
            first = self._program.parsed.get(using.line or 0, (None,))[0]
            if isinstance(first, st.Image):
                length = len(first.text)
        return own + ON_SCREEN.using + ON_SCREEN.form * length

    def owed(self, scope: Scope, spot: Spot, node: st.Statement) -> int:
        """What a compiled program is ahead after a statement, which each interrupt makes less.

        While it works out some functions an interrupt is lost.
        """
        lost = sum(
            LOST[tk.KEYWORDS[part.token]]
            for part in st.parts(node)
            if isinstance(part, nd.Function) and part.token in SERIES
        )
        return self.statement(scope, spot, node) - FRAME * lost

    def ways(self, scope: Scope, line: int, node: st.If) -> tuple[int, int]:
        """Cycles of the ways on from an IF besides its own: where it is true, where it is false."""
        true, false = 0, passing(self._program.tokens[line], node)
        if isinstance(node.then, st.Jump):
            true += cy.IF_JUMP + self.timing(scope).search(node.then.line)
        elif node.otherwise is not None:
            true += cy.ELSE_PASSED
        if isinstance(node.otherwise, st.Jump):
            false += cy.IF_JUMP + self.timing(scope).search(node.otherwise.line)
        return true, false

    def counting(self, node: st.For) -> int:
        """Cycles that the NEXT of a loop takes more than usual."""
        return counting(node)

    def timing(self, scope: Scope) -> Timing:
        """The static costs of the statements of a scope."""
        return self._timings.of(scope)

    def after(self, timing: Timing, line: int, node: st.Statement) -> int:
        """Cycles that it takes longer to come to a statement of a line after some others."""
        return timing.after(self._program.parsed[line], node) if node.at else 0

    def functions(self, scope: Scope, timing: Timing, node: st.Statement) -> int:
        """Cycles of the functions of DEF that a statement enters."""
        if not timing.functions_in(node):
            return 0
        cycles = 0
        for part in st.parts(node):
            if isinstance(part, nd.Variable | nd.Element) and timing.is_function(part.name):
                symbol = scope.symbols[part.name]
                assert symbol.function is not None
                line, at = symbol.function
                body = statements_from(self._program.lines[line][1], at)[0]
                if isinstance(body, st.Def):
                    cycles += timing.function(body) + varying(body.body)
        return cycles


def varying(node: nd.Expression) -> int:
    """Cycles of the parts of an expression for usual values, beyond their static costs."""
    return usual(node) + sum(varying(one) for one in nd.operands(node))


def usual(node: nd.Expression) -> int:
    """The same for an expression without its parts."""
    match node:
        case nd.Binary(operator=tk.DIVIDE, right=nd.Number()):
            return -cy.DIGIT_LESS * (7 - _QUOTIENT)
        case nd.Binary(operator=tk.POWER, right=nd.Number(text="2")):
            return cy.POWER_2
        case nd.Binary(operator=tk.POWER):
            return 4 * cy.POWER_STEP
        case nd.Binary(operator=tk.CONCAT):
            return cy.MOVED * text_length(node)
        case nd.Function(token=token) if token in SERIES:
            return COSTS[tk.KEYWORDS[token]]
        case nd.Function(token=tk.SEG):
            return cy.SEGMENT_CHARACTER * text_length(node)
        case nd.Function(token=tk.STR):
            return cy.SHOWN_FIGURE * _FIGURES
        case nd.Function(token=tk.VAL, arguments=(text,)):
            return COSTS["VAL character"] * text_length(text)
        case nd.Function(token=tk.POS, arguments=(text, *_)):
            return cy.SCANNED * (text_length(text) // 2)
        case nd.Function(token=tk.RPT, arguments=arguments):
            each = COSTS["repetition"] + cy.MOVED * text_length(arguments[0])
            return each * repetitions(arguments)
        case nd.Function(token=tk.MAX | tk.MIN):
            return cy.SECOND_TAKEN // 2
    return 0


def _let(_: Timing, node: st.Let) -> int:
    """A string that another variable holds is copied."""
    copies = node.value is not None and node.value.is_string
    held = isinstance(node.value, nd.Variable | nd.Element) and node.targets != (node.value,)
    if copies and held:
        return (cy.COPIED + cy.COPIED_CHARACTER * TEXT) * len(node.targets)
    return 0


def _on_go(timing: Timing, node: st.OnGo) -> int:
    """The mean of the searches for its lines."""
    costs = [
        cy.ON_GO_PASSED * at + timing.search(line) for at, line in enumerate(node.lines, start=1)
    ]
    return sum(costs) // len(costs) if costs else 0


def _print(timing: Timing, node: st.Print) -> int:
    if node.file is not None:
        return 0
    rows = 1 + sum(isinstance(i, st.Separator) and i.token == tk.COLON for i in node.items)
    if node.items and isinstance(node.items[-1], st.Separator):
        rows -= 1
    return _shown(timing, node) + cy.PRINT_ENDED + rows * (cy.ROW_CYCLES + cy.SCROLL_CYCLES)


def _shown(timing: Timing, node: st.Print | st.Display) -> int:
    """The items of a list on the screen."""
    cycles = 0
    last = len(node.items) - 1
    for at, item in enumerate(node.items):
        match item:
            case st.Separator():
                if node.using is None:
                    cycles += separator_cycles(ON_SCREEN, item, at == last)
            case st.Tab(column=column):
                cycles += ON_SCREEN.tab + timing.expression(column)
            case _:
                cycles += timing.expression(item) + _item(node, item)
    return cycles


def _item(node: st.Print | st.Display, item: nd.Expression) -> int:
    if not item.is_string:
        constant = ON_SCREEN.number_constant * isinstance(item, nd.Number)
        return constant + (ON_SCREEN.number if node.using is None else ON_SCREEN.using_number)
    more = 0 if node.using is None else ON_SCREEN.using_text
    new = 0 if isinstance(item, nd.Variable | nd.Element) else ON_SCREEN.new_string
    return ON_SCREEN.text + ON_SCREEN.character * text_length(item) + more + new


def _display(timing: Timing, node: st.Display) -> int:
    scrolls = not any(clause.token in (tk.AT, tk.SIZE) for clause in node.clauses)
    return _shown(timing, node) + scrolls * (cy.ROW_CYCLES + cy.SCROLL_CYCLES)


def _call(timing: Timing, node: st.Call) -> int:
    """What a built-in subprogram adds to the static cost of its CALL."""
    record = SUBPROGRAMS.get(node.name)
    if record is None or timing.is_own(node.name):
        return 0
    arguments = node.arguments or ()
    own = 0 if record.prepares else cy.BUILT_IN.get(node.name, cy.BUILT_IN_LATER)
    if node.name in ONE_BY_ONE:
        own += sum(map(timing.expression, _numbers(arguments)))
        own += cy.ARGUMENT_OF_BUILT_IN * len(arguments)
    return own + of_arguments(node)


def of_arguments(node: st.Call) -> int:
    """What a built-in subprogram takes for the arguments that it has."""
    more = _CALLS.get(node.name)
    return more(node.arguments or ()) if more else 0


def _numbers(arguments: Iterable[st.Argument]) -> Iterable[nd.Expression]:
    for one in arguments:
        if isinstance(one, st.Hash):
            yield one.number
        elif not isinstance(one, st.All | st.WholeArray):
            yield one


Arguments = tuple[st.Argument, ...]


def _sprites(arguments: Arguments) -> int:
    return sum(isinstance(one, st.Hash) for one in arguments)


def _sprite(arguments: Arguments) -> int:
    each = cy.SPRITE_NUMBERED + cy.SPRITE_LOOKS + cy.SPRITE_LOCATED
    sprites = _sprites(arguments)
    moved = max((len(arguments) - 5 * sprites) // 2, 0)
    return each * sprites + cy.SPRITE_MOVED * moved


def _coinc(arguments: Arguments) -> int:
    if arguments and isinstance(arguments[0], st.All):
        return cy.COINC_ALL
    return cy.COINC_POINT + cy.COINC_SPRITE * (len(arguments) == OF_PAIR)


def _distance(arguments: Arguments) -> int:
    return cy.DISTANCE_SPRITE * (len(arguments) == OF_PAIR - 1)


def _position(arguments: Arguments) -> int:
    sprites = _sprites(arguments)
    return cy.POSITION_READ * sprites - cy.POSITION_LATER * max(sprites - 1, 0)


def _repeated(each: int) -> Callable[[Arguments], int]:
    def cycles(arguments: Arguments) -> int:
        if len(arguments) <= PLACED:
            return 0
        return cy.REPEATED + each * max(literal(arguments[PLACED], TEXT) - 1, 0)

    return cycles


def _char(arguments: Arguments) -> int:
    cycles = 0
    for one in arguments[1::2]:
        digits = one.text if isinstance(one, nd.String) else "7" * 16
        cycles += cy.CHAR_BEGUN * max(1, -(-len(digits) // 16)) + cy.CHAR_DIGIT * len(digits)
        cycles += cy.CHAR_LETTER * sum(map(digits.count, "ABCDEF"))
        cycles += cy.CHAR_FILLED * (len(digits) // 16)
    return cycles


def _sound(arguments: Arguments) -> int:
    tones = max(len(arguments) - 1, 0) // 2
    pitches = [integer(_number(one)) or 0 for one in arguments[1::2]]
    noises = sum(pitch < 0 for pitch in pitches)
    hundreds = sum(pitch > 0 and pitch % 100 == 0 for pitch in pitches)
    cycles = cy.SOUND_TONE * (tones - noises) + cy.SOUND_NOISE * noises
    return cycles - cy.SOUND_HUNDREDS * hundreds + at_once(arguments)


def at_once(arguments: Arguments) -> int:
    """What a SOUND takes if its length is a negative constant."""
    length = integer(_number(arguments[0])) if arguments else None
    return cy.SOUND_AT_ONCE if (length or 0) < 0 else 0


def _number(one: st.Argument) -> nd.Expression | None:
    return None if isinstance(one, st.Hash | st.All | st.WholeArray) else one


_CALLS: dict[str, Callable[[Arguments], int]] = {
    "SPRITE": _sprite,
    "LOCATE": lambda a: (cy.SPRITE_NUMBERED + cy.SPRITE_LOCATED) * _sprites(a),
    "MOTION": lambda a: (cy.SPRITE_NUMBERED + cy.SPRITE_MOVED) * _sprites(a),
    "COLOR": lambda a: cy.COLOR_SPRITE * _sprites(a),
    "COINC": _coinc,
    "DISTANCE": _distance,
    "POSITION": _position,
    "HCHAR": _repeated(cy.RIGHTWARDS),
    "VCHAR": _repeated(cy.DOWNWARDS),
    "CHAR": _char,
    "CHARPAT": lambda a: cy.PATTERN_READ * (len(a) // 2),
    "SOUND": _sound,
    "DELSPRITE": lambda a: cy.DELSPRITE_ALL * any(isinstance(one, st.All) for one in a),
    "PEEK": lambda a: cy.PEEK_TARGET * max(len(a) - 2, 0),
}
"""Built-in subprogram → what it adds for its arguments."""
_MORE: dict[type[st.Statement], Callable[[Timing, Any], int]] = {
    st.Let: _let, st.OnGo: _on_go, st.Print: _print, st.Display: _display, st.Call: _call,
}  # fmt: skip
"""Kind of statement → what it takes besides its static cost."""
