"""The compiler: Extended BASIC into TMS9900 code on a cartridge; its library: `runtime/*.a99`.

A program goes through these passes, each of which can be printed:

| module     | what it does                                                                    |
|------------|---------------------------------------------------------------------------------|
| ir         | the intermediate form: expressions, statements, basic blocks                    |
| lower      | statements to blocks                                                            |
| refusing   | what is not compiled: an error at its line, with the reason                     |
| graph      | successors of blocks, depth in loops, blocks that nothing reaches               |
| ranges     | the range of every variable over the whole program                              |
| certain    | SUBs in which nothing can fail, by the ranges                                   |
| kinds      | which values are words and which are cells, and where variables lie             |
| actions    | what the runtime does: each action, its entry, its results, and whether it fails |
| emit       | blocks to assembly language                                                     |
| tables     | tables and constants as rows of assembly language                               |
| placing    | which block lies in high memory, and which in what bank                         |
| banking    | code in banks: tried until it fits, long blocks divided                         |
| bankparts  | what the banks of a linked program have                                         |
| short      | cold code to byte code, for programs that do not fit otherwise                  |
| runtimefiles | the files of the runtime, and which of them a program needs                   |
| used       | the code of these files that control or an address leads to                     |
| tighten    | equal ends of routines there once, and short jumps                              |
| linking    | the parts of the runtime that are used, assembled with the program              |
| compiling  | all of this in order, and the cartridge: header, banks, loader, .bin and .rpk   |

`runtime/*.a99` is the library in assembly language. Numbers are exact: a *word* is a 16-bit integer
whose range is proven over the whole program; a *cell* is 8 bytes, first word 0 and a small integer
in the second, or a radix-100 number, calculated by the console's own routines.
"""
