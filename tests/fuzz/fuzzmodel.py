"""A plain interpreter of the language's core: statement by statement over the syntax tree.

It knows no compiled blocks, no typed shortcuts and no Python loops, only the rules; what a program
computes here has to be what the console computes. Covered are the statements that
`fuzzgrammar.Maker` makes without SUBs and handlers; warnings are taken as ON WARNING NEXT.
"""

from __future__ import annotations

from tests.fuzz.fuzzvalues import Value, Values
from ti99tools.base import tokens as tk
from ti99tools.base import xberrors as xb
from ti99tools.base.xberrors import XBError
from ti99tools.computer.numbers import functions
from ti99tools.computer.numbers.forms import parse_number
from ti99tools.computer.numbers.radix import Number
from ti99tools.language.listing.listing import Line, scan
from ti99tools.language.syntax import nodes as n
from ti99tools.language.syntax import parse_line
from ti99tools.language.syntax import statements as st
from ti99tools.language.syntax.cursor import Cursor
from ti99tools.language.syntax.parser import parse_from

Place = tuple[int, int]
STEPS = 60_000


class Ended(Exception):
    """END, STOP, or after the last line."""


class TooManySteps(Exception):
    """A program that goes on for too long to be compared."""


class Model(Values):
    """A program at work."""

    def __init__(self, lines: tuple[Line, ...]) -> None:
        super().__init__()
        self.numbers = [line.number for line in lines]
        self.tokens = [line.tokens for line in lines]
        self.nodes: dict[Place, st.Statement] = {}
        self.data: list[tuple[int, str, bool]] = []
        self.read_at = 0
        self.frames: list[tuple[str, Number, Number, Place] | Place] = []
        self.line = 0
        self._declare()

    def _declare(self) -> None:
        for number, tokens in zip(self.numbers, self.tokens, strict=True):
            for node in parse_line(tokens):
                if isinstance(node, st.Dim):
                    self.sizes.update(dict(node.arrays))
                elif isinstance(node, st.Def):
                    self.functions[node.name] = node
                elif isinstance(node, st.OptionBase):
                    self.base = node.base
                elif isinstance(node, st.Data):
                    self.data += [(number, text, quoted) for text, quoted in node.items]

    # -- control --------------------------------------------------------------------------

    def run(self) -> None:
        """Run to the end (Ended), an error (XBError; `line` says where) or the limit."""
        place = (0, 0)
        for _ in range(STEPS):
            place = self._step(place)
        raise TooManySteps

    def _step(self, place: Place) -> Place:
        line, at = place
        if line >= len(self.tokens):
            raise Ended
        self.line = self.numbers[line]
        node = self.nodes.get(place)
        if node is None:
            node = self.nodes[place] = parse_from(self.tokens[line], at)[0]
        going = self._execute(node, line)
        if going is not None:
            return going
        if node.fault is not None:
            raise XBError(node.fault)
        return self._behind(line, node.end)

    def _behind(self, line: int, end: int) -> Place:
        tokens = self.tokens[line]
        if end < len(tokens) and tokens[end] == tk.STATEMENT_SEP:
            return (line, end + 1)
        return (line + 1, 0)

    def _back_to(self, line: int, end: int) -> Place:
        """RETURN does not stop at ELSE: it goes on after the next `::`."""
        ends = [e.end for e in scan(self.tokens[line]) if e.token == tk.STATEMENT_SEP]
        return next(((line, at) for at in ends if at > end), (line + 1, 0))

    def _goto(self, number: int) -> Place:
        if number not in self.numbers:
            raise XBError(xb.LINE_NOT_FOUND)
        return (self.numbers.index(number), 0)

    def _execute(self, node: st.Statement, line: int) -> Place | None:
        """Execute a statement; return where to go on, if not after it."""
        match node:
            case st.Let():
                places = [self.target(target) for target in node.targets]
                assert node.value is not None
                value = self.value(node.value)
                for store in places:
                    store(value)
            case st.If():
                return self._if(node, line)
            case st.Goto():
                return self._goto(node.line)
            case st.Gosub():
                self.frames.append(self._back_to(line, node.end))
                return self._goto(node.line)
            case st.Return():
                return self._return()
            case st.For():
                return self._for(node, line)
            case st.Next():
                return self._next(node)
            case st.End():
                raise Ended
            case st.Read():
                for target in node.targets:
                    store = self.target(target)
                    store(self._item(target.is_string))
            case st.Restore():
                self._restore(node.line)
            case st.Randomize():
                assert node.seed is not None
                self.rnd.randomize(self.number(node.seed))
            case st.Print():
                for item in node.items:
                    if not isinstance(item, st.Separator | st.Tab):
                        self.value(item)
        return None

    def _if(self, node: st.If, line: int) -> Place:
        branch = node.then if self.number(node.condition) else node.otherwise
        if branch is None:
            return (line + 1, 0)
        if isinstance(branch, st.Jump):
            return self._goto(branch.line)
        return (line, branch[0].at)

    def _return(self) -> Place:
        while self.frames:
            frame = self.frames.pop()
            if len(frame) == 2:
                return frame
        raise XBError(xb.RETURN_WITHOUT_GOSUB)

    def _for(self, node: st.For, line: int) -> Place | None:
        assert isinstance(node.variable, n.Variable)
        assert node.start
        assert node.limit
        start, limit = self.number(node.start), self.number(node.limit)
        step = self.number(node.step) if node.step else 1
        if not step:
            raise XBError(xb.BAD_VALUE)
        name = node.variable.name
        self.scalars[name] = start
        body = self._behind(line, node.end)
        if start > limit if step > 0 else start < limit:
            return self._after_next(body)
        for at in range(len(self.frames) - 1, -1, -1):
            frame = self.frames[at]
            if len(frame) == 2:
                break
            if frame[0] == name:
                del self.frames[at]
                break
        self.frames.append((name, limit, step, body))
        return body

    def _after_next(self, place: Place) -> Place:
        """The place after the NEXT that ends the loop whose body begins at a place."""
        line, at = place
        depth = 1
        while line < len(self.tokens):
            cursor = Cursor(self.tokens[line], at)
            while cursor.token:
                token = cursor.token
                depth += (token == tk.FOR) - (token == tk.NEXT)
                cursor.step()
                if token == tk.NEXT and not depth:
                    cursor.name()
                    return self._behind(line, cursor.at)
            line, at = line + 1, 0
        raise XBError(xb.FOR_NEXT_NESTING)

    def _next(self, node: st.Next) -> Place | None:
        while self.frames:
            frame = self.frames[-1]
            if len(frame) == 2:
                break
            name, limit, step, body = frame
            if name == node.variable:
                value = self.settled(functions.add(self._scalar_number(name), step))
                self.scalars[name] = value
                if value > limit if step > 0 else value < limit:
                    self.frames.pop()
                    return None
                return body
            self.frames.pop()
        raise XBError(xb.NEXT_WITHOUT_FOR)

    def _scalar_number(self, name: str) -> Number:
        value = self.scalars.get(name, 0)
        assert not isinstance(value, str)
        return value

    # -- data -----------------------------------------------------------------------------

    def _restore(self, line: int | None) -> None:
        ahead = (at for at, item in enumerate(self.data) if item[0] >= (line or 0))
        self.read_at = next(ahead, len(self.data))
        if line is not None and self.read_at == len(self.data):
            raise XBError(xb.DATA_ERROR)

    def _item(self, string: bool) -> Value:
        if self.read_at >= len(self.data):
            raise XBError(xb.DATA_ERROR)
        _, text, quoted = self.data[self.read_at]
        self.read_at += 1
        if string:
            return text
        if quoted or not text:
            raise XBError(xb.STRING_NUMBER_MISMATCH)
        try:
            return self.settled(parse_number(text))
        except ValueError:
            raise XBError(xb.DATA_ERROR) from None
