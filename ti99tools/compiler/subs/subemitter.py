"""The code of a SUB: how it is entered and left, its blocks, its GOSUBs.

A GOSUB is BL; the subroutine pushes R11, unless it is a leaf (see `gosubs`). Loops let interrupts
in where they end: sprites move and sounds go on.
"""

from __future__ import annotations

from dataclasses import dataclass

from ti99tools.compiler import ir
from ti99tools.compiler.emit import cells, ends, statements, words
from ti99tools.compiler.emit.actions import emit_action
from ti99tools.compiler.emit.assembly import byte_rows
from ti99tools.compiler.kinds import CELL, CHARACTER, LONG, TEXT, WORD
from ti99tools.compiler.refusing import Refused
from ti99tools.compiler.subs import arguments, subdata, sublongs, subtexts, subwords
from ti99tools.compiler.subs.gosubs import Gosubs, LoopTime
from ti99tools.compiler.subs.shortening import shorten
from ti99tools.compiler.subs.stub import Parameter, Stub
from ti99tools.compiler.subs.subkinds import SubKinds
from ti99tools.compiler.subs.submemory import SubEmission, SubPlaces
from ti99tools.compiler.tables import constants
from ti99tools.language.analysis.fixpoint import State


@dataclass
class SubCode:
    """The code of a SUB as rows of assembly language, and what it needs of the runtime."""

    rows: str
    used: set[str]
    memory: list[tuple[str, int]]
    """Labels and bytes of memory that lasts from call to call."""
    scratch: list[tuple[str, int]]
    """The same of memory that does not."""
    shadow: int
    """Words of what goes out as it came in."""
    temporary: tuple[int, int]
    """The most words and cells for intermediate results of a statement."""
    call_cycles: int
    """What a CALL takes besides what the SUB does."""
    marks: list[tuple[str, ir.Spot]]
    """Label of the code of a statement → the statement."""


RANDOM = frozenset({"rnd", "randint", "randomize"})
"""Operations and actions that step RND's X, or set it."""
NEAR_RETURN = 220
"""Within so many bytes a jump to the code of another RETURN is surely a short one."""
GENERATORS = cells, statements, ends
"""The modules that enter functions for operations and actions; others are imported by name."""

_ASSIGNS = {
    WORD: words.assign, LONG: sublongs.assign, CELL: cells.assign, TEXT: subtexts.assign,
}  # fmt: skip
_STORES = {
    WORD: subwords.store, LONG: sublongs.store, CELL: cells.store, TEXT: subtexts.store,
    CHARACTER: subtexts.store_character,
}  # fmt: skip


class SubEmitter:
    """Generates the code of a SUB."""

    def __init__(self, stub: Stub, kinds: SubKinds, gosubs: Gosubs, suffix: str) -> None:
        self.stub, self.gosubs, self.suffix, self.kinds = stub, gosubs, suffix, kinds
        self.places = SubPlaces(stub.code, kinds, gosubs.own, suffix)
        self.e = SubEmission(stub.code, kinds, self.places, suffix)
        self.e.character = lambda t, r: subtexts.byte_of(self.e, t.data, t.args[0], r)
        self.time = LoopTime(stub.code, gosubs, kinds.ranges)
        self._way_back = "", 0
        """The label of the code of a RETURN, to which those near it go, and where it is."""

    @property
    def spot(self) -> ir.Spot:
        """The statement whose code is being generated."""
        return self.e.out.spot

    def run(self) -> SubCode:
        """Generate all code. Raises Refused."""
        e, out = self.e, self.e.out
        for name in self.gosubs.own:
            e.block_label(name)
        parameters = self._parameters()
        for kind, entry in ((TEXT, "STRSET"), (CELL, "STFAC")):
            if any(one.kind == kind for one in parameters):
                out.uses(entry)  # then the runtime takes such arguments
        loads, saves, homes = self._homes(parameters)
        out.label(f"ENT{self.suffix}")
        out.op("MOV", f"R11,@{out.uses('LNKRET')}")
        out.op("LWPI", "WS")
        if self.gosubs.depth:
            out.op("LI", f"R10,GS{self.suffix}")
        draws = any(_draws(self.stub.code.blocks[name]) for name in self.gosubs.own)
        if draws:  # the first of all: any error leads to where X is given back
            out.op("BLWP", f"@{out.uses('RNDTAK')}")
        out.op("BLWP", f"@{out.uses('SUBIN')}")
        out.op("DATA", f"ARG{self.suffix}")
        self._check(parameters)
        for load in loads:
            out.op("MOV", load)
        self._blocks()
        out.label(f"LEV{self.suffix}")
        for save in saves:
            out.op("MOV", save)
        if draws:
            out.op("BLWP", f"@{out.uses('RNDGIV')}")
        out.op("B", f"@{out.uses('SUBOUT')}")
        out.flush()
        shorten(out.listing)
        out.listing.relax()
        rows = [out.listing.text()]
        table = arguments.rows(parameters, f"ARG{self.suffix}", f"LEV{self.suffix}")
        rows += [row + "\n" for row in table]
        for data, label in e.lookups.items():
            rows += [f"{label}\n", *(row + "\n" for row in byte_rows(data)), "       EVEN\n"]
        if "SUBDAT" in out.used:
            rows.append(subdata.rows(e, self.stub.code, self.suffix, out.used))
        rows.append(constants(out.section.constants))
        memory = [(label, size) for label, size in self.places.labels]
        memory += [*self.places.array_sizes, *homes]
        scratch = [(f"GS{self.suffix}", 2 * self.gosubs.depth)]
        shadow = sum(one.words for one in parameters)
        marks = [(mark.label, mark.spot) for mark in out.section.marks]
        temporary = e.temps.most_words, e.temps.most_cells
        cost = arguments.cost(len(self.stub.parameters), parameters)
        return SubCode("".join(rows), out.used, memory, scratch, shadow, temporary, cost, marks)

    # -- in and out -----------------------------------------------------------------------

    def _parameters(self) -> list[arguments.Passed]:
        """The parameters that the SUB uses."""
        code, reached = self.stub.code, self.e.kinds.ranges.before
        own = [name for name in self.gosubs.own if name in reached]
        found = []
        for one in self.stub.parameters:
            is_set = arguments.is_set(code, own, one.name)
            if ir.is_text_name(one.name) and not one.elements:
                read = one.name in self.gosubs.kept
                if read or is_set:
                    address = self.places.address(one.name)
                    found.append(
                        arguments.Passed(one, address, is_set, (0, 0), not read, kind=TEXT)
                    )
            elif one.elements:
                if one.name in self.places.arrays:
                    label = self.places.arrays[one.name]
                    kind = self.e.kinds.array(one.name)
                    limits = one.limits if kind == WORD else None
                    found.append(arguments.Passed(one, label, is_set, limits or (0, 0), kind=kind))
            elif is_set or one.name in self.gosubs.kept:
                found.append(self._number(one, is_set))
        return found

    def _check(self, parameters: list[arguments.Passed]) -> None:
        """Check what has come in within a RANGE beyond a word."""
        for one in parameters:
            limits = one.parameter.limits
            if one.kind == CELL and limits and not (one.parameter.elements or one.unread):
                sublongs.check(self.e, one.address, limits)

    def _number(self, one: Parameter, is_set: bool) -> arguments.Passed:
        """A parameter that is a number. Raises Refused."""
        address, kind = self.places.address(one.name), self.e.kinds.of(one.name)
        limits = one.limits if kind == WORD else None
        if one.name in self.gosubs.kept:
            return arguments.Passed(one, address, is_set, limits or (0, 0), kind=kind)
        unused: int | None = arguments.NO_CELL
        if kind == WORD:
            unused = arguments.unused(self.e.kinds.ranges.all[one.name])
        if unused is None:
            shown = one.name.removeprefix(f"{self.stub.name}.")
            raise Refused(f"{shown} may have any word", "state a narrower RANGE of it")
        return arguments.Passed(one, address, True, (unused, 0), unread=True, kind=kind)

    def _homes(
        self, parameters: list[arguments.Passed]
    ) -> tuple[list[str], list[str], list[tuple[str, int]]]:
        """How variables that outlast a call are fetched and brought back, and where they are."""
        own = {one.parameter.name for one in parameters}
        kept = sorted(self.gosubs.kept - own)
        loads: list[str] = []
        saves: list[str] = []
        homes: list[tuple[str, int]] = []
        for name in kept:
            if self.places.operand(name).startswith("@V"):
                continue
            label = f"H{len(homes)}{self.suffix}"
            homes.append((label, 2))
            loads.append(f"@{label},{self.places.operand(name)}")
            saves.append(f"{self.places.operand(name)},@{label}")
        return loads, saves, homes

    # -- blocks ---------------------------------------------------------------------------

    def _blocks(self) -> None:
        e, own = self.e, self.gosubs.own
        if own[0] != self.stub.entry:
            e.out.jump("JMP", e.block_label(self.stub.entry))
        for at, name in enumerate(own):
            after = own[at + 1] if at + 1 < len(own) else None
            if name in self.gosubs.entries:
                e.out.label(self._called(name))
                if name not in self.gosubs.leaves:
                    e.out.op("MOV", "R11,*R10+")
            # What pushes R11 must not be run into.
            runs_into = after if after not in self.gosubs.entries else None
            self._block(name, e.code.blocks[name], runs_into)

    def _called(self, name: str) -> str:
        """The label that a GOSUB calls."""
        return f"G_{self.e.block_label(name)}"

    def _block(self, name: str, block: ir.Block, after: str | None) -> None:
        e = self.e
        before = e.kinds.ranges.before
        e.out.label(e.block_label(name))
        if name not in before:  # no value of any variable leads here
            e.out.jump("JMP", f"LEV{self.suffix}")
            return
        state: State = dict(before[name])
        for action in block.body:
            self._begin(action.spot)
            self._action(action, state)
            e.kinds.ranges.act(action, state)
            e.out.flush_if_far()
        assert block.end is not None
        self._begin(block.end.spot)
        if self.time.is_long(name):
            e.out.op("LIMI", "2")
            e.out.op("LIMI", "0")
        if self._end(block, state, after):
            e.out.flush()

    def _begin(self, spot: ir.Spot) -> None:
        self.e.out.mark(spot)
        self.e.temps.free()

    def _action(self, action: ir.Action, state: State) -> None:
        e, kinds = self.e, self.kinds
        match action:
            case ir.Assign(target, value):
                kind = kinds.of(target)
                _ASSIGNS[kind](e, target, kinds.coerced(kinds.typed(value, state), kind))
            case ir.Store(array, positions, value):
                index, kind = kinds.index(array, positions, state), kinds.array(array)
                typed = kinds.coerced(kinds.typed(value, state), kind)
                _STORES[kind](e, array, index, typed)
            case ir.Do("restore", data=int(entry)):
                subdata.restore(e, self.stub.code, entry, self.suffix)
            case ir.Do("read", results=(target,)):
                statements.read_text(e, target)
            case _:
                emit_action(e, action, state)

    # -- ends -----------------------------------------------------------------------------

    def _end(self, block: ir.Block, state: State, after: str | None) -> bool:
        """Generate a block's end; tell whether control never falls through to what follows."""
        out = self.e.out
        match block.end:
            case ir.Jump(to):
                return ends.go(self.e, to, after)
            case ir.Branch():
                return ends.branch(self.e, block.end, state, after)
            case ir.Gosub(to, back):
                out.op("BL", f"@{self._called(to)}")
                return ends.go(self.e, back, after)
            case ir.Switch():
                self._switch(block.end, state)
            case ir.Return():
                self._return(block.name)
            case ir.Leave():
                out.jump("JMP", f"LEV{self.suffix}")
            case ir.Stop(_, int(code)):
                out.fail(code)
            case _:
                raise Refused("END and STOP end the program", "write SUBEXIT")
        return True

    def _switch(self, end: ir.Switch, state: State) -> None:
        e, out = self.e, self.e.out
        words.as_word(e, e.kinds.typed(end.selector, state), 1)
        table = out.fresh()
        out.op("A", "R1,R1")
        out.op("MOV", f"@{table}-2(R1),R0")
        if end.back is None:
            out.op("B", "*R0")
            targets = [e.block_label(to) for to in end.to]
        else:
            out.op("BL", "*R0")
            out.jump("JMP", e.block_label(end.back))
            targets = [self._called(to) for to in end.to]
        out.label(table)
        out.op("DATA", ",".join(targets))

    def _return(self, name: str) -> None:
        out = self.e.out
        if any(to in self.gosubs.leaves for to in self.gosubs.entries_of(name)):
            out.op("B", "*R11")
            return
        label, at = self._way_back
        if label and out.size - at < NEAR_RETURN:
            out.jump("JMP", label)
            return
        self._way_back = out.fresh(), out.size
        out.label(self._way_back[0])
        out.op("DECT", "R10")
        out.op("MOV", "*R10,R11")
        out.op("B", "*R11")


def _draws(block: ir.Block) -> bool:
    """Tell whether a block steps RND's X, or sets it."""
    for action in (*block.body, block.end):
        if isinstance(action, ir.Do) and action.name in RANDOM:
            return True
        if any(part.op in RANDOM for one in ir.expressions(action) for part in ir.walk(one)):
            return True
    return False
