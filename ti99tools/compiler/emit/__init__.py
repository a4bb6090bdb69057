"""Blocks into assembly language.

| module     | what it does                                                                     |
|------------|----------------------------------------------------------------------------------|
| emitter    | all blocks in their order                                                        |
| actions    | each action of a block: assignments, and what the runtime does                   |
| ends       | where a block goes on: jumps, GOSUB, NEXT, CALL of a SUB, another bank, the end  |
| conditions | jumps by a condition                                                             |
| words      | operations whose result is a word, and where words are stored                    |
| cells      | operations whose result is a cell, and where cells are stored                    |
| texts      | operations whose result is a text                                                |
| strings    | variables that hold texts: what is assigned to them, and what takes no copy      |
| statements | INPUT, PRINT, READ and the like, USING, files; built-in subprograms, EOF, REC    |
| handling   | ON ERROR, CALL ERR, ON WARNING, ON BREAK, BREAK, TRACE, and bodies of DEFs       |
| handlertables | tables: where control goes on after an error, who uses a DEF                  |
| sections   | the code of high memory or of a bank: rows, marks, constants                     |
| values     | finds the function for an operation by these tables                              |
| emission   | what all of them share: the writer, constants, temporaries, places, kinds        |
| writer     | instructions, labels, code put aside, calls of the runtime                       |
| assembly   | rows of assembly language, and jumps that are out of reach                       |

An operation belongs to words, cells or texts by its result. Each has one function there, which is
entered by `@word_of`, `@cell_of` or `@text_of`; an action has one in actions, by `@emits`, unless
its entry of the runtime takes words only.
"""
