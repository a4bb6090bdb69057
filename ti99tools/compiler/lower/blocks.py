"""Makes blocks of the intermediate form, one after another."""

from __future__ import annotations

from typing import Any

from ti99tools.compiler import ir


class Builder:
    """Makes blocks one after another: `code` is the result, `spot` the current statement."""

    def __init__(self) -> None:
        self.code = ir.Code()
        self.spot: ir.Spot = (0, 0)
        self.part = ""
        """The scope of the blocks that are made: "" or a SUB."""
        self.variant = ""
        """The variant of the blocks that are made: see `ir.Block`."""
        self.loose: list[ir.Expr] = []
        """Values of the current statement that no action uses yet, in order."""
        self.last: ir.Action | None = None
        """The last action added to any block."""
        self._block: ir.Block | None = None
        self._made = 0

    def fresh(self, word: str) -> str:
        """A new block's name."""
        self._made += 1
        return f"{word}.{self._made}"

    def put(self, name: str, end: ir.End) -> None:
        """Add a block that has only an end."""
        self.code.blocks[name] = ir.Block(name, self.part, [], end, variant=self.variant)

    def enter(self, name: str) -> None:
        """Begin a block; the one before goes on in it."""
        if self._block is not None:
            self.finish(ir.Jump(name, self.spot))
        self._block = self.code.blocks[name] = ir.Block(name, self.part, variant=self.variant)

    @property
    def current(self) -> str:
        """The name of the current block; empty if there is none."""
        return "" if self._block is None else self._block.name

    def finish(self, end: ir.End) -> None:
        """End the current block, if there is one."""
        if self._block is not None:
            self._block.end = end
            self._block = None

    def add(self, action: ir.Action) -> None:
        """Add to the current block; without one, to a new block that nothing reaches."""
        if self._block is None:
            self.enter(self.fresh("dead"))
        assert self._block is not None
        self._block.body.append(action)
        self.last = action
        used = {id(part) for expr in ir.expressions(action) for part in ir.walk(expr)}
        self.loose = [one for one in self.loose if id(one) not in used]

    def settle(self) -> None:
        """Calculate what no action uses: the statement fails now, but these come before."""
        for one in self.loose:
            self.add(ir.Do("calculate", (one,), self.spot))
        self.loose.clear()

    def do(
        self, name: str, *args: ir.Expr, data: Any = None, results: tuple[str, ...] = ()
    ) -> None:
        """Add something that the runtime does."""
        self.add(ir.Do(name, args, self.spot, data, results))

    def note_time(self, cycles: int, shut: bool = False) -> None:
        """Leave what something takes in Extended BASIC in the current block, if there is one;
        `shut`: without interrupts.
        """
        if self._block is not None:
            name = "pace shut" if shut else "pace"
            self._block.body.append(ir.Do(name, (), self.spot, cycles))

    def assign(self, target: str, value: ir.Expr) -> None:
        """Add an assignment to a variable."""
        self.add(ir.Assign(target, value, self.spot))

    def finish_at(self, end: ir.End) -> None:
        """End the current block; without one, a new block that nothing reaches."""
        if self._block is None:
            self.enter(self.fresh("dead"))
        self.finish(end)

    def store_at(self, place: ir.Target, value: ir.Expr) -> None:
        """ir.Assign to a place."""
        if isinstance(place, str):
            self.assign(place, value)
        else:
            self.add(ir.Store(place[0], place[1], value, self.spot))
