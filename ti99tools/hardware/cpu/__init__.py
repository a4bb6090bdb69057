"""The TMS9900 processor and the memory map of a console with 32K expansion, usable alone.

Status, results and cycles are those of the recordings (tests/cpu). Ports, CRU bits and interrupts
are objects of the caller: the processor knows no BASIC, no video processor and no sound chip. There
is no console ROM; the caller puts a trap at each entry point. `processor.Processor` interprets,
`jit/` does the same faster.
"""
