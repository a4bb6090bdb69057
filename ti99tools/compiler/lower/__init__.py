"""Statements into blocks of the intermediate form.

| module      | what it does                                                                    |
|-------------|---------------------------------------------------------------------------------|
| lowering    | walks a program line by line, and the variants of its SUBs                      |
| statements  | finds the function for a statement; kinds of statements that are not compiled   |
| flow        | IF, GOTO, GOSUB, ON, RETURN, END, RUN; ON ERROR, ON WARNING, ON BREAK, TRACE    |
| assigning   | LET, READ, RESTORE, DATA, RANDOMIZE, storing a value where a RANGE is declared  |
| files       | OPEN, CLOSE, RESTORE #, DELETE, EOF, REC; PRINT #, INPUT # and LINPUT #         |
| loops       | FOR and NEXT                                                                    |
| subs        | CALL of a program's own SUB, SUBEND                                             |
| calls       | CALL: finds the function for a built-in subprogram; its arguments               |
| subprograms | built-in subprograms for screen, characters, keys, sound, sprites and memory    |
| showing     | PRINT and DISPLAY, USING too                                                    |
| lines       | INPUT, LINPUT and ACCEPT                                                        |
| places      | blocks of lines and of statements within them, and what RETURN goes on at       |
| values      | finds the function for an expression; places that are assigned to               |
| definitions | names in expressions, DEF                                                       |
| expressions | numeric and string expressions and functions                                    |
| context     | what all of them share: the blocks being made, names, loops, DATA               |
| names       | what names mean in a scope and in a variant of a SUB                            |

A kind of statement has one function, entered by `@lowers`; a built-in subprogram by `@built_in`, a
function of Extended BASIC by `@function`. Their modules are the `FAMILIES` of `lowering`.
"""
