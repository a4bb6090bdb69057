"""Blocks to assembly language: statements, and where they go on."""

from __future__ import annotations

from ti99tools.base import xberrors as xb
from ti99tools.compiler import ir
from ti99tools.compiler.emit_conditions import Texts
from ti99tools.compiler.kinds import CELL, WORD, Kinds, Places, Typed
from ti99tools.computer.numbers.functions import seed_state
from ti99tools.language.analysis.fixpoint import State

CALLS: dict[str, str] = {
    "clear": "CLEAR", "put": "PUT", "hchar": "HCHAR", "vchar": "VCHAR", "gchar": "GCHAR",
    "charset": "CHRSET", "color": "COLOR", "screen": "SCREEN", "key": "KEY", "joyst": "JOYST",
    "print": "PRINT", "display at": "DSPAT", "display in": "DSPIN", "comma": "PCOMMA",
    "new line": "PCOLON", "line end": "PCOLON", "tab": "PTAB", "print done": "PDONE",
    "field end": "PFIELD", "beep": "BEEP", "delay": "DELAY", "randomize by chance": "RNDANY",
    "sound begin": "SNDNEW", "sound voice": "SNDVOI", "sound play": "SNDPLY",
    "sprite pattern": "SPRPAT", "sprite color": "SPRCOL", "sprite place": "SPRPLC",
    "sprite motion": "SPRMOT", "sprite position": "SPRPOS", "sprite hide": "SPRHID",
    "sprites off": "SPROFF", "magnify": "MAGNFY", "coinc all": "COIALL", "coinc at once": "COINOW",
    "coinc sprites": "COISPR",
    "coinc place": "COIPLC", "distance sprites": "DISSPR", "distance place": "DISPLC",
}  # fmt: skip
"""Action → entry of the runtime: words are given in R1 to R4, results come in R0 and R1."""


class Emitter(Texts):
    """Generates the code of a program."""

    def __init__(self, code: ir.Code, kinds: Kinds, places: Places, hot_depth: int = 1) -> None:
        """`hot_depth`: loops around a statement from which on cells are calculated in place."""
        super().__init__(code, kinds, places)
        self.hot_depth = hot_depth
        self._block_labels: dict[str, str] = {}

    def run(self) -> None:
        """Generate the code of all blocks, in their order."""
        for name in self.code.blocks:
            self._label_of(name)
        blocks = list(self.code.blocks.values())
        for at, block in enumerate(blocks):
            after = blocks[at + 1] if at + 1 < len(blocks) else None
            near = after is not None and after.scope == block.scope
            self._block(block, after.name if near and after is not None else None)
            if after is None or not near:
                self.flush()
                # The end of a scope: messages find out by it in which SUB an address lies.
                self.label(f"Z{at}")
        self.listing.relax()

    def _label_of(self, name: str) -> str:
        """A block's label; no two blocks have the same."""
        if name not in self._block_labels:
            label = "B_" + "".join(c if c.isascii() and c.isalnum() else "_" for c in name).upper()
            if label in self._block_labels.values():
                label = f"{label}_{len(self._block_labels)}"
            self._block_labels[name] = label
        return self._block_labels[name]

    def _block(self, block: ir.Block, after: str | None) -> None:
        before = self.kinds.ranges.before
        self.label(self._label_of(block.name))
        if block.name not in before:  # no value of any variable leads here
            self.out("B", "@DONE")
            return
        state: State = dict(before[block.name])
        self.hot = block.depth >= self.hot_depth
        for action in block.body:
            self.mark(action.spot)
            self.free_temps()
            self._action(action, state)
            self.kinds.ranges.act(action, state)
            self.flush_if_far()
        assert block.end is not None
        self.mark(block.end.spot)
        self.free_temps()
        if self._end(block.end, state, after):
            self.flush()

    # -- statements -----------------------------------------------------------------------

    def _action(self, action: ir.Action, state: State) -> None:
        match action:
            case ir.Assign(target, value):
                typed = self.kinds.typed(value, state)
                self._give(target, typed)
            case ir.Store(array, positions, value):
                index = self.kinds.index(array, positions, state)
                typed = self.kinds.typed(value, state)
                if self.kinds.array(array) == WORD:
                    self.store_word(array, index, typed)
                else:
                    self.store_cell(array, index, typed)
            case ir.Do():
                self._do(action, [self.kinds.typed(arg, state) for arg in action.args])

    def _give(self, target: str, value: Typed) -> None:
        if self.kinds.of(target) == WORD:
            self.assign_word(target, value)
        else:
            self.assign_cell(target, value)

    def _do(self, action: ir.Do, args: list[Typed]) -> None:
        match action.name:
            case "show text":
                if args[0].op == "text":
                    self.call("PTEXT", self.text_constant(args[0].data))
                elif args[0].op == "str" and args[0].args[0].kind == WORD:
                    self.word(args[0].args[0], 1)
                    self.call("PWSTR")
                else:
                    self.text(args[0])
                    self.call("PSHOW")
            case "show number" if args[0].kind == WORD:
                self.word(args[0], 1)
                self.call("PWORD")
            case "show number":
                self.call("PNUM", self.cell(args[0], 1))
            case "char":
                self._char(args)
            case "read":
                self._read(action.results[0])
            case "restore":
                width = 2 if self.kinds.data == WORD else 8
                self.out("LI", f"R0,DATAS+{width * action.data}")
                self.out("MOV", "R0,@DATPTR")
                self.used.add("DATPTR")
            case "randomize" if args[0].op == "const":
                self._seed(seed_state(args[0].data))
            case "randomize":
                self.call("RNDSET", self.cell(args[0], 1))
            case "check step":
                self._check_step(args[0])
            case "push loop":
                self._push(f"{action.data}")
            case "pop loop":
                self.out("DECT", "R10")
            case "drop loop":
                number, scope = action.data
                self.call("DROPLP", str(number & 0xFF00), self._base(scope))
            case "warn of overflow":
                self.call("WARNOV")
            case name:
                self._call_with_words(CALLS[name], args, action)

    def _seed(self, state: int) -> None:
        """RANDOMIZE with a number that is known."""
        self.used.add("RNDX")
        for at in (0, 2, 4, 6):
            state, digit = divmod(state, 10_000)
            self.out("LI", f"R0,{digit}")
            self.out("MOV", f"R0,@RNDX+{at}")

    def _check_step(self, step: Typed) -> None:
        """A step of 0 is a BAD VALUE."""
        bad = self.failing(xb.BAD_VALUE)
        self.call("CSGN", self.cell(step, 1))
        self.out("MOV", "R0,R0")
        self.jump("JEQ", bad)

    def _char(self, args: list[Typed]) -> None:
        if args[1].op == "text" and args[0].op != "toword":
            self.word(args[0], 1)
            self.call("CHARC", self.text_constant(args[1].data))
            return
        self.word(args[0], 1)
        kept = self.word_temp()
        self.out("MOV", f"R1,@{kept}")
        self.text(args[1])
        self.out("MOV", f"@{kept},R1")
        self.call("CHAR")

    def _call_with_words(self, entry: str, args: list[Typed], action: ir.Do) -> None:
        """Call an entry with words in R1 to R4; those that the runtime calculates come first."""
        complex_ = [n for n, arg in enumerate(args) if _busy(arg)]
        kept: dict[int, str] = {}
        for n in complex_:
            # The only argument has R1 for itself.
            if n == len(args) - 1 and not kept and n == 0:
                break
            self.as_word(args[n], 1)
            kept[n] = self.word_temp()
            self.out("MOV", f"R1,@{kept[n]}")
        for n, arg in enumerate(args):
            if n in kept:
                self.out("MOV", f"@{kept[n]},R{n + 1}")
            else:
                self.as_word(arg, n + 1)
        self.call(entry)
        self._results(action.results)

    def _results(self, results: tuple[str, ...]) -> None:
        for n, name in reversed(list(enumerate(results))):  # as the machine stores them
            own = self.places.operand(name)
            if self.kinds.of(name) == WORD:
                self.out("MOV", f"R{n},{own}")
            else:
                self.out("CLR", own)
                self.out("MOV", f"R{n},{own}+2")

    def _read(self, target: str) -> None:
        self.used.add("DATPTR")
        bad = self.failing(xb.DATA_ERROR)
        self.out("MOV", "@DATPTR,R1")
        self.out("CI", "R1,DATEND")
        self.jump("JHE", bad)
        if self.kinds.data == WORD:
            self.out("MOV", "*R1+,R2")
            self.out("MOV", "R1,@DATPTR")
            own = self.places.operand(target)
            if self.kinds.of(target) == WORD:
                self.out("MOV", f"R2,{own}")
            else:
                self.out("CLR", own)
                self.out("MOV", f"R2,{own}+2")
            return
        place = self.places.address(target)
        for n in range(4):
            if self.kinds.of(target) == CELL:
                self.out("MOV", f"*R1+,@{place}+{2 * n}")
            elif n == 1:
                self.out("MOV", f"*R1+,{self.places.operand(target)}")
            else:
                self.out("INCT", "R1")
        self.out("MOV", "R1,@DATPTR")

    # -- ends -----------------------------------------------------------------------------

    def _end(self, end: ir.End, state: State, after: str | None) -> bool:
        """Generate a block's end; tell whether control never falls through to what follows."""
        match end:
            case ir.Jump(to):
                return self._go(to, after)
            case ir.Branch(condition, then, otherwise):
                return self._branch(condition, then, otherwise, state, after)
            case ir.Next():
                self._next(end)
            case ir.Gosub(to, back):
                self._push(self._label_of(back))
                self.out("B", f"@{self._label_of(to)}")
            case ir.Switch():
                self._switch(end, state)
            case ir.Return(scope):
                self._return(scope)
            case ir.Enter(sub, to, back):
                self._enter(sub, to, back)
            case ir.Leave(sub):
                number = self.code.subs.index(sub)
                self.out("MOV", f"@SR{number},R0")
                self.out("CLR", f"@SR{number}")
                self.out("MOV", f"@SB{number},R10")
                self.out("B", "*R0")
            case ir.Stop(_, code) if code is not None:
                self.call("FAIL", f"M{code}")
            case ir.Stop():
                self.used.add("DONE")
                self.out("B", "@DONE")
        return True

    def _go(self, to: str, after: str | None) -> bool:
        if to == after:
            return False
        self.jump("JMP", self._label_of(to))
        return True

    def _branch(
        self, condition: ir.Expr, then: str, otherwise: str, state: State, after: str | None
    ) -> bool:
        ranges = self.kinds.ranges
        for way, truth in ((then, True), (otherwise, False)):
            # A condition that draws a number or may fail is calculated even if its result is known.
            if ranges.narrowed(condition, state, truth) is None and _pure(condition):
                return self._go(otherwise if way == then else then, after)
        typed = self.kinds.typed(condition, state)
        if then == otherwise:
            self.condition(typed, "", "")
            return self._go(then, after)
        true = "" if then == after else self._label_of(then)
        false = "" if otherwise == after else self._label_of(otherwise)
        self.condition(typed, true, false)
        return bool(true and false)

    def _base(self, scope: str) -> str:
        """The word that says where the stack of a scope begins."""
        if scope:
            return f"SB{self.code.subs.index(scope)}"
        self.used.add("STKBAS")
        return "STKBAS"

    def _next(self, end: ir.Next) -> None:
        """Find the loop of a variable on the stack; go on by the number of its FOR."""
        number, first = end.cases[0]
        # As a rule the loop on top is its own: one comparison saves the search.
        self.out("MOV", "@-2(R10),R0")
        self.out("CI", f"R0,{number}")
        self.jump("JEQ", self._label_of(first))
        # The high byte is the variable's number, which all its loops share.
        self.call("FINDLP", str(number & 0xFF00), self._base(end.scope))
        for number, to in end.cases[1:]:
            self.out("CI", f"R0,{number}")
            self.jump("JEQ", self._label_of(to))
        self.jump("JMP", self._label_of(first))

    def _push(self, what: str) -> None:
        """Push the place where RETURN goes on, or the number of a loop."""
        bad = self.failing(xb.MEMORY_FULL)
        self.out("CI", "R10,STKEND")
        self.jump("JHE", bad)
        self.out("LI", f"R0,{what}")
        self.out("MOV", "R0,*R10+")

    def _switch(self, end: ir.Switch, state: State) -> None:
        self.as_word(self.kinds.typed(end.selector, state), 1)
        if end.back is not None:
            self._push(self._label_of(end.back))
        table = self.fresh()
        self.out("A", "R1,R1")
        # The selector counts from 1.
        self.out("MOV", f"@{table}-2(R1),R0")
        self.out("B", "*R0")
        self.label(table)
        self.out("DATA", ",".join(self._label_of(to) for to in end.to))

    def _return(self, scope: str) -> None:
        bad = self.failing(xb.RETURN_WITHOUT_GOSUB)
        again = self.fresh()
        self.label(again)
        if scope:
            self.out("C", f"R10,@SB{self.code.subs.index(scope)}")
        else:
            self.out("CI", "R10,STACK")
        self.jump("JEQ", bad)
        self.out("DECT", "R10")
        self.out("MOV", "*R10,R0")
        # Numbers of loops are positive words, addresses of code (from >A000 on) negative ones.
        if scope in self.code.stacked:  # loops that were left
            self.jump("JGT", again)
        self.out("B", "*R0")

    def _enter(self, sub: str, to: str, back: str) -> None:
        number = self.code.subs.index(sub)
        bad = self.failing(xb.RECURSIVE_SUBPROGRAM_CALL)
        # Not 0 while the SUB runs: where it goes back to.
        self.out("MOV", f"@SR{number},R0")
        self.jump("JNE", bad)
        self.out("LI", f"R0,{self._label_of(back)}")
        self.out("MOV", f"R0,@SR{number}")
        self.out("MOV", f"R10,@SB{number}")
        self.out("B", f"@{self._label_of(to)}")


def _busy(t: Typed) -> bool:
    """Tell whether calculating a word may need more than the registers that are left."""
    return (
        t.kind == CELL
        or t.op in ("toword", "randint", "quot", "mod", "mul", "sgn", "len", "asc", "pos")
        or any(map(_busy, t.args))
    )


def _pure(expr: ir.Expr) -> bool:
    """Tell whether an expression has no effect and cannot fail, so that it may be left out."""
    return all(part.op in ("const", "var", *ir.COMPARISONS) for part in ir.walk(expr))
