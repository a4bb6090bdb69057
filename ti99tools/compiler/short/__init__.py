"""Byte code: cold code in a short form, for programs that do not fit otherwise.

| module    | what it does                                                                        |
|-----------|-------------------------------------------------------------------------------------|
| templates | instructions as words of a shape; what a byte stands for: shapes that are used often |
| encoding  | steps to bytes: operands by number, jumps by distance                               |
| bytecode  | all of this in order, for the runs of code that do not stay native                  |
| videopart | texts and DATA packed, and what the program has in video memory                     |

Byte code is the same instructions as native code would be, each with its operands. The runtime
(bytes.a99) puts the words of a template together and lets the processor execute them: so whatever
native code does, byte code does, with the same runtime, tables and errors.
"""
