"""Extended BASIC at work: programs compiled to Python, statements, functions, errors, files.

What lives here: everything a program does while it runs. What does not: the parser
(source.syntax), numbers (numbers), hardware (machine), the prompt and commands (console). Imports
base, numbers, source and machine.

From the language to the code
-----------------------------
| what                                   | where it is compiled    | what runs                     |
|----------------------------------------|-------------------------|-------------------------------|
| between RUN and the first statement    |                         | prescan, memory (MEMORY FULL) |
| expressions, functions, operators      | emit/expressions        | library, numbers              |
| variables, arrays                      | emit/variables          | activation, symbols           |
| LET, DIM, DEF, OPTION BASE, REM        | emit/assign             | prescan (declarations)        |
| IF, GOTO, GOSUB, RETURN, ON … GOTO     | emit/control            | execution                     |
| FOR, NEXT                              | emit/loops              | frames                        |
| END, STOP, RUN                         | emit/control            | execution, errors (RunAgain)  |
| CALL, SUB, SUBEND, SUBEXIT             | emit/calls, control     | callsite, activation          |
| CALL HCHAR, CALL KEY, CALL ERR …       | emit/calls              | args, subprograms/            |
| ON ERROR, RETURN NEXT, CALL ERR        | emit/errors, control    | execution (_failed, return_)  |
| ON WARNING, warnings                   | emit/errors             | runtime (warn), messages      |
| ON BREAK, BREAK, CLEAR, CON            | emit/errors, misc       | execution, errors (Breakpoint)|
| TRACE, UNTRACE                         | emit/misc               | execution (at_line)           |
| READ, DATA, RESTORE                    | emit/data               | datareader                    |
| RANDOMIZE, RND                         | emit/misc, expressions  | numbers.rnd                   |
| PRINT, DISPLAY, USING, IMAGE           | emit/print, display     | printer, using, screenio      |
| INPUT, LINPUT, ACCEPT                  | emit/input, accept      | screenio, lineeditor          |
| OPEN, CLOSE, PRINT #, INPUT #, EOF …   | emit/files              | files, fileprinter, filereader|
| messages on the screen                 |                         | messages, locating            |
| what a statement costs in cycles       | emit/emitter (charge)   | timing, costs                 |

How a program runs
------------------
`listing` holds the lines; `prescan` makes the symbol tables (`symbols`); `compiler` compiles one
block of Python when control first reaches it (`emit/emitter` writes it, `ranges` says which checks
it can do without); an `activation` gives it the cells of the variables it uses; `execution` calls
block after block, keeps the stack (`frames`) and catches errors. `emit/__init__` tells how a
statement is added.
"""
