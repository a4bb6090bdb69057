"""The debugger with text commands: typed at a terminal, or read from a file or a pipe.

`cmd.Cmd` reads the lines, completes them with Tab and calls `do_NAME`. Added here: other names and
prefixes of commands, and commands that resume the program.
"""

from __future__ import annotations

import sys
from cmd import Cmd
from collections.abc import Iterable
from typing import TextIO

from ti99tools.app.debug.inspection import View
from ti99tools.app.debug.sources import FileLine, StatementLines
from ti99tools.app.debug.stops import (
    Backward,
    Breakpoint,
    EndSession,
    Forward,
    GiveKeys,
    Order,
    Reach,
    Restart,
    StopPlace,
    StopReason,
    Watch,
)
from ti99tools.app.debug.timeline import Timeline
from ti99tools.base.errors import TIError, suggestion
from ti99tools.base.interrupts import answered
from ti99tools.computer.console.evaluating import value_text
from ti99tools.computer.console.keyscript import unescape
from ti99tools.fronts.debug.command_table import COMMANDS, MORE, command_named
from ti99tools.hardware.machine.clock import FRAME

PROMPT = "(debug) "
AROUND = 5
"""Lines that `list` shows before and after the one asked for."""
PACES = {"step": Reach.STEP, "over": Reach.OVER, "out": Reach.OUT, "continue": Reach.RUN}


REPEATED = ("step", "next", "out", "continue", "back")
"""Commands that an empty line repeats."""
NAMING = ("print", "set", "vars", "watch", "unwatch")
"""Commands after which Tab completes names of variables."""
MOST_BYTES, MOST_DIGITS = 256, 9
"""The most bytes that `peek` shows, and the most digits that `wait` takes."""
END = "EOF"
"""The line by which `cmd.Cmd` reports the end of the input."""


class TerminalFront(Cmd):
    """Reads commands from `source` and writes their output to `out`."""

    def __init__(self, source: TextIO, out: TextIO, main: StatementLines | None = None) -> None:
        """`main` is the program to be debugged, if it is known before it runs."""
        super().__init__(stdin=source, stdout=out)
        self.timeline: Timeline
        self.use_rawinput = source.isatty()
        self.prompt = PROMPT if self.use_rawinput else ""
        self._main = main
        self._pause = False
        self._until: int | None = None
        """The cycle at which `wait` is over."""
        self._again = ""
        self._order: Order | None = None

    # -- what the timeline calls ----------------------------------------------------------

    def stopped(self, stop: StopPlace) -> Order:
        """Show where the run stands, and take commands until one resumes it."""
        self._pause, self._order, self._until = False, None, None
        self._say_stop(stop)
        while self._order is None:
            try:
                self.cmdloop()
            except KeyboardInterrupt:
                answered()
                self._say("")
        return self._order

    def pause_wanted(self) -> bool:
        """Tell whether Ctrl-C was pressed, or a `wait` is over."""
        return self._pause or (
            self._until is not None and self.timeline.console.clock.cycles >= self._until
        )

    def pause(self) -> None:
        """Stop at the next opportunity."""
        self._pause = True

    # -- lines ----------------------------------------------------------------------------

    def _say(self, text: str) -> None:
        self.stdout.write(f"{text}\n")

    def precmd(self, line: str) -> str:
        """Echo a command read from a file or a pipe, as if it had been typed."""
        if line == END:
            if self.use_rawinput:
                self._say("")
        elif not self.use_rawinput:
            self._say(f"{PROMPT}{line}")
        return line

    def onecmd(self, line: str) -> bool:
        """Do a command, by any of its names; true if the program goes on."""
        if line == END:
            return self._go(EndSession())
        word, _, rest = line.strip().partition(" ")
        if word.startswith("#"):
            return False
        try:
            if word:
                name = _named(word, rest.strip())
                line = f"{name} {rest}".strip()
                self._again = line if name in REPEATED else ""
            return super().onecmd(line)
        except TIError as error:
            self._say(f"{error}")
            return False

    def emptyline(self) -> bool:
        """Repeat the last command, if it is in `REPEATED`."""
        return bool(self._again) and self.onecmd(self._again)

    def postcmd(self, stop: bool, _line: str) -> bool:
        """Flush the output before the program goes on or the next line is read."""
        self.stdout.flush()
        return stop

    def _go(self, order: Order) -> bool:
        """Give the timeline an order; returns true, which ends the command loop."""
        self._order = order
        return True

    def completedefault(self, text: str, line: str, _begidx: int, _endidx: int) -> list[str]:
        """Names of variables that begin with `text`, for the commands in `NAMING`."""
        if command_named(line.split()[0]).name not in NAMING:
            return []
        names = self._view.variables()
        return sorted(name for name in names if name.startswith(text.upper()))

    # -- going ----------------------------------------------------------------------------

    def do_step(self, _rest: str) -> bool:
        """Go on to the next statement."""
        return self._go(Forward(Reach.STEP))

    def do_next(self, _rest: str) -> bool:
        """Go on to the next statement here, running calls as a whole."""
        return self._go(Forward(Reach.OVER))

    def do_out(self, _rest: str) -> bool:
        """Go on until the subroutine or SUB is left."""
        return self._go(Forward(Reach.OUT))

    def do_continue(self, _rest: str) -> bool:
        """Run to the next stop."""
        return self._go(Forward(Reach.RUN))

    def do_restart(self, _rest: str) -> bool:
        """Go back to the first statement."""
        return self._go(Restart())

    def do_quit(self, _rest: str) -> bool:
        """Leave the debugger; the run ends with it."""
        return self._go(EndSession())

    def do_back(self, rest: str) -> bool:
        """Go backwards. Raises TIError for an unknown argument."""
        word = {"": "step", "next": "over"}.get(rest, rest)
        fitting = [name for name in PACES if name.startswith(word)]
        if len(fitting) != 1 and word not in PACES:
            raise TIError(
                f"back {rest} is unknown",
                remedy="write back, back over, back out or back continue",
            )
        return self._go(Backward(PACES[word if word in PACES else fitting[0]]))

    def do_type(self, rest: str) -> bool:
        """Give keys. Raises TIError for no keys, or keys that cannot be read."""
        if not rest:
            raise TIError("no keys are given", remedy=r"write type BOB\n")
        if len(rest) > 1 and rest[0] == rest[-1] == '"':
            rest = rest[1:-1]
        return self._go(GiveKeys(unescape(rest)))

    def do_wait(self, rest: str) -> bool:
        """Go on for some frames. Raises TIError for another argument than a number of them."""
        if not rest.isdecimal() or len(rest) > MOST_DIGITS:
            raise TIError(f"{rest or 'nothing'} is not a number of frames", remedy="write wait 60")
        self._until = self.timeline.console.clock.cycles + int(rest) * FRAME
        return self._go(Forward(Reach.RUN))

    # -- points ---------------------------------------------------------------------------

    def do_break(self, rest: str) -> None:
        """Set a breakpoint at a place, `if` a condition holds there."""
        place, condition = _condition(rest)
        point = self._point(place)
        point.condition = condition
        added = self.timeline.rule.points.add(point, self._book)
        self._say(f"breakpoint {added}")
        if added.line is not None:
            self._say(self._numbered(added.line, " "))

    def _point(self, place: str) -> Breakpoint:
        if not place:
            stack = self._view.stack
            if not stack:
                raise TIError("no program runs", remedy="name a line: break 12")
            return Breakpoint(stack[0].line.file, stack[0].line.number)
        file, colon, number = place.rpartition(":")
        if place.startswith(">"):
            raise TIError(
                f"{place}: machine code has no breakpoints",
                remedy="watch a byte that it writes, as in watch >83C8, or stop at the CALL LINK",
            )
        if not number.isdecimal():
            raise TIError(
                f"{place} is no place",
                remedy="write game.xb:12, :12 for a line of the main source, or 120 for a line "
                "number of the program",
            )
        if colon:
            return Breakpoint(file, int(number))
        return Breakpoint("", int(number), numbered=True)

    def do_delete(self, rest: str) -> None:
        """Remove a breakpoint, or all. Raises TIError for an argument that is not a number."""
        points = self.timeline.rule.points
        if rest and not rest.isdecimal():
            raise TIError(f"{rest} is not the number of a breakpoint", remedy="points lists them")
        for key in [int(rest)] if rest else [point.key for point in points.breakpoints]:
            points.remove(key)

    def do_watch(self, rest: str) -> None:
        """Stop whenever the value of a variable or an expression changes."""
        view = self._view
        view.value(rest)
        watch = Watch.at(rest, next(iter(view.stack), None), self.timeline.rule.book)
        self.timeline.rule.points.watch(watch)
        self._say(f"watching {self._held(watch)}")

    def do_unwatch(self, rest: str) -> None:
        """Stop watching a value."""
        self.timeline.rule.points.unwatch(rest)

    def do_points(self, _rest: str) -> None:
        """List breakpoints and watches."""
        points = self.timeline.rule.points
        for point in points.breakpoints:
            self._say(f"breakpoint {point}")
        for watch in points.watches:
            self._say(f"watching {self._held(watch)}")
        if not points.breakpoints and not points.watches:
            self._say("no breakpoints, no watches; break :12 and watch X make some")

    # -- looking --------------------------------------------------------------------------

    @property
    def _view(self) -> View:
        return View(self.timeline)

    @property
    def _book(self) -> StatementLines | None:
        book = self.timeline.rule.book
        return book if book is not None and book.main else self._main or book

    def _say_stop(self, stop: StopPlace) -> None:
        """Where the run stopped, and why."""
        view = self._view
        if stop.reason is not StopReason.STEP or stop.text:
            why = stop.reason.value
            self._say(f"{why}: {stop.text}" if stop.text else why)
        stack = view.stack
        if stack:
            level = stack[0]
            name = "" if level.name == "program" else f" in {level.name}"
            done = ", after this statement" if stop.finished else ""
            at, many = level.position
            which = f" ({at} of {many})" if many > 1 else ""
            self._say(
                f"{level.line}{which}{name}, statement {stop.count}, {view.seconds:.2f} s{done}"
            )
            self._say(self._numbered(level.line, ">"))
        for watch in self.timeline.rule.points.watches:
            self._say(f"  {self._held(watch)}")

    def _held(self, watch: Watch) -> str:
        execution, points = self.timeline.rule.execution, self.timeline.rule.points
        try:
            if execution is None:
                return f"{watch}: no program runs"
            return f"{watch} = {value_text(points.watched(watch, execution))}"
        except TIError as error:
            return f"{watch}: {error}"

    def _book_of(self, line: FileLine) -> StatementLines | None:
        """The program that a line is in: the one that runs, or the one that is debugged."""
        running = self.timeline.rule.book
        return running if running is not None and line.file == running.name else self._book

    def _numbered(self, line: FileLine, mark: str) -> str:
        book = self._book_of(line)
        text = "" if book is None else book.text(self.timeline.texts, line)
        if book is not None and not book.has_source:
            return f"{mark} {text}"
        return f"{mark}{line.number:5} | {text}"

    def do_print(self, rest: str) -> None:
        """Show a value. Raises TIError without an expression."""
        if not rest:
            raise TIError("nothing to print", remedy="write print X, or vars for all variables")
        self._say(f"{rest} = {value_text(self._view.value(rest))}")

    def do_set(self, rest: str) -> None:
        """Set a variable. Raises TIError without a name and a value."""
        name, equals, text = rest.partition("=")
        if not name.strip() or not equals:
            raise TIError("nothing to set", remedy="write set X=5")
        self.timeline.set(name.strip(), text)
        self._say(f"{name.strip()} = {value_text(self._view.value(name))}")

    def do_vars(self, rest: str) -> None:
        """Show variables. Raises TIError for a name that is not in use."""
        values = self._view.variables()
        names = [name.upper() for name in rest.split()]
        parted = {name: _parts(name) for name in values}
        known = {part for parts in parted.values() for part in parts}
        for name in names:
            if name not in known:
                raise TIError(f"no variable {name} here", remedy=suggestion(name, known))
        chosen = {
            n: v for n, v in values.items() if not names or not {*names}.isdisjoint(parted[n])
        }
        for name, value in sorted(self._view.elements(chosen).items()):
            if "(" not in name or value not in (0, ""):
                self._say(f"  {name} = {value_text(value)}")
        if not values:
            self._say("no variables")

    def do_where(self, _rest: str) -> None:
        """Show the stack, the innermost level first."""
        for level in self._view.stack:
            self._say(f"  {level.line} (line {level.number}) {level.name}")

    def do_list(self, rest: str) -> None:
        """Show the source around a place. Raises TIError before a program runs."""
        book, stack = self._book, self._view.stack
        if book is None:
            raise TIError("no program runs", remedy="continue first")
        here = stack[0].line if stack else None
        if rest:
            point = self._point(rest)
            point.place(book)
            assert point.line is not None
            middle = point.line
        elif here is not None:
            middle, book = here, self._book_of(here) or book
        else:
            middle = next(iter(book.entries))
        for line in self._around(book, middle):
            self._say(self._numbered(line, ">" if line == here else " "))

    def _around(self, book: StatementLines, middle: FileLine) -> Iterable[FileLine]:
        if book.has_source:
            last = len(self.timeline.texts.lines(middle.file))
            first = max(1, middle.number - AROUND)
            numbers: Iterable[int] = range(first, min(last, middle.number + AROUND) + 1)
        else:
            at = book.listing.index[middle.number]
            numbers = book.listing.numbers[max(0, at - AROUND) : at + AROUND + 1]
        return (FileLine(middle.file, number) for number in numbers)

    def do_screen(self, _rest: str) -> None:
        """Show the 24 rows of the screen as text."""
        rows = self._view.screen()
        edge = "+" + "-" * len(rows[0]) + "+"
        for row in (edge, *(f"|{row}|" for row in rows), edge):
            self._say(row)

    def do_peek(self, rest: str) -> None:
        """Show bytes of memory. Raises TIError for what is not an address and a count."""
        words = rest.split()
        try:
            address, count = int(words[0].lstrip(">"), 16), int(words[1]) if words[1:] else 1
        except (ValueError, IndexError):
            address = count = -1
        if not 0 <= address <= 0xFFFF or count < 1:
            raise TIError(f"peek {rest}".rstrip() + " is unknown", remedy="write peek A000 16")
        peek = self.timeline.console.machine.memory.peek
        data = bytes(peek((address + n) & 0xFFFF) for n in range(min(count, MOST_BYTES)))
        self._say(data.hex(" "))

    def do_cpu(self, _rest: str) -> None:
        """Show the registers of machine code. Raises TIError where there is none."""
        engine = self.timeline.console.engine
        if engine is None:
            raise TIError("no machine code has run", remedy="they are those of CALL LINK")
        cpu = engine.cpu
        self._say(f"PC=>{cpu.pc:04X} WP=>{cpu.wp:04X} ST=>{cpu.st:04X}")
        values = engine.bus.words_at(cpu.wp, 16)
        self._say(" ".join(f"R{n}=>{value:04X}" for n, value in enumerate(values)))

    def do_help(self, arg: str) -> None:
        """Show all commands, or one of them with examples."""
        chosen = [command_named(arg)] if arg else COMMANDS
        for command in chosen:
            names = "/".join((command.name, *command.others))
            self._say(f"  {names} {command.takes}".ljust(34) + f" {command.does}")
        if arg:
            self._say(f"  {MORE[chosen[0].name]}")
        else:
            self._say("  An empty line does step, next, out, continue or back again.")
            self._say("  Beginnings of commands are enough; help COMMAND shows examples.")


def _named(word: str, rest: str) -> str:
    """The name of the command that a word means. Raises TIError if it does not take the rest."""
    command = command_named(word)
    if rest and not command.takes:
        again = "an empty line repeats it" if command.name in REPEATED else "leave it out"
        raise TIError(f"{command.name} takes no {rest}", remedy=again)
    return command.name


def _parts(name: str) -> set[str]:
    """The names by which a variable may be asked for: `FALL.N` also by `N`."""
    shared = name.removesuffix("()").split("/")
    return {*shared, *(each.partition(".")[2] or each for each in shared)}


def _condition(text: str) -> tuple[str, str]:
    """Place and condition of `:12 if X>3`. Raises TIError."""
    words = text.split(maxsplit=1)
    if words and words[0].lower() == "if":
        place, rest = "", text
    elif len(words) > 1:
        place, rest = words
    else:
        return text, ""
    word, _, condition = rest.partition(" ")
    if word.lower() != "if" or not condition.strip():
        raise TIError(f"break {text} is unknown", remedy="write break :12 if X>3")
    return place, condition.strip()


def streams() -> tuple[TextIO, TextIO]:
    """The streams for commands and answers."""
    return sys.stdin, sys.stdout
