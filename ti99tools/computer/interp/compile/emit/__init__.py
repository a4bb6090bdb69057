"""Statements and expressions to Python source: one module a family.

How a family adds its statements
--------------------------------
    from ti99tools.base.cycles.language import RANDOMIZE
    from ti99tools.computer.interp.compile.emit.emitter import BlockEmitter
    from ti99tools.computer.interp.compile.emit.registry import emits

    @emits(st.Randomize, cycles=RANDOMIZE)
    def randomize(e: BlockEmitter, node: st.Randomize) -> None:
        if node.seed is not None:
            e.line(f"rt.rnd.randomize({e.number(node.seed)})")

and is one of the `EMITTERS` in `compile/compiler`. The handler writes lines of Python that do the
statement's work up to its `node.fault`; the framework itself raises the fault afterwards and goes
on with the next statement. Generated code reaches the runtime as `rt`, and everything in
run/library by name.

- `e.line(text)`: one line at the present indentation; `with e.indented():` for a deeper one.
- `e.value(node)`: Python source of an expression, with its bounds; `e.number(node)`: source of a
  number alone. Evaluated once, left to right; use what you get exactly once, or put it in a
  temporary: `t = e.temp()`.
- `e.condition(node)`: source that is true when the number is not 0.
- `e.slot(target)` evaluates a target's subscripts now and returns a `VariableText`:
  `slot.store(source)` gives the line that assigns, `slot.load` the source that reads,
  `slot.is_string` its type.
- `e.stop()`: note that control never comes after the line just written (raise or return).
- `e.fail(code)`: a line that raises an error of Extended BASIC.
- `e.goto(line_number)`: lines that go on at another line.

`e.text` is the Python text, with the place and the time of its lines; `e.flow` says where control
is and where it can go.

What it costs
-------------
`@emits(st.Randomize, cycles=RANDOMIZE)` gives the cost of the statement by itself, from the table
of all times (`base/cycles`); a function with `@costs(st.Randomize)` adds that of its parts. The
cost is charged before the statement's lines; only statements in `emitter.TIMELESS` may run while
the clock lags (loops add up their time in a local variable).

A statement that waits for a key
--------------------------------
is made in two blocks: `@emits(st.Accept, phases=2)` and a handler with a third argument, the
phase. In phase 0 evaluate the operands, hand them to an object of the runtime, and end with
`e.next_phase()`: the block ends there. Phase 1 is a block of its own, which is entered again from
its start when `Pause` comes out of it; so its first line must be the wait
(`t = rt.screenio.finish()`), and what follows (assigning `t`) runs when the wait is over.
"""
