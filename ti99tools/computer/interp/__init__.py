"""Extended BASIC at work: programs compiled to Python, statements, functions, errors, files.

Everything that a program does while it runs is here. Elsewhere are the parser (language/syntax),
the pre-scan (language/prescan), numbers (../numbers), hardware, the prompt and commands
(../console). CALL LINK runs machine code (../machinecode).

The rooms inside
----------------
| room         | what it holds                                            | uses                   |
|--------------|----------------------------------------------------------|------------------------|
| io           | screen, keyboard and files as statements use them        |                        |
| subprograms  | the built-in subprograms: CALL HCHAR, CALL KEY …         | io                     |
| compile      | from tokens to Python, and what statements cost          | io (sizes)             |
| compile/emit | statements and expressions, one module a family          | compile, io            |
| run          | the program that runs: stack, variables, errors, memory  | all of them            |

From the language to the code
-----------------------------
| what                                   | where it is compiled    | what runs                     |
|----------------------------------------|-------------------------|-------------------------------|
| between RUN and the first statement    | language/prescan        | execution (prepare)           |
| expressions, functions, operators      | emit/expressions        | library, numbers              |
| variables, arrays                      | emit/variables          | activation                    |
| LET, DIM, DEF, OPTION BASE, REM        | emit/simple             |                               |
| IF, GOTO, GOSUB, RETURN, ON … GOTO     | emit/control            | execution                     |
| FOR, NEXT                              | emit/loops              | frames                        |
| END, STOP, RUN                         | emit/control            | execution, signals (RunAgain) |
| CALL, SUB, SUBEND, SUBEXIT             | emit/calls, control     | activation (CallSite)         |
| CALL HCHAR, CALL KEY, CALL ERR …       | emit/calls              | subprograms/                  |
| ON ERROR, RETURN NEXT                  | emit/simple, control    | execution (_failed, return_)  |
| ON WARNING, warnings                   | emit/simple             | runtime (warn), messages      |
| ON BREAK, BREAK, CLEAR, CON            | emit/simple             | execution, signals            |
| TRACE, UNTRACE                         | emit/simple             | execution (at_line)           |
| READ, DATA, RESTORE                    | emit/simple             | datareader                    |
| RANDOMIZE, RND                         | emit/simple, expressions| numbers.rnd                   |
| PRINT, DISPLAY, USING, IMAGE           | emit/printing           | io: printer, using, screenio  |
| INPUT, LINPUT, ACCEPT                  | emit/reading            | io: screenio, lineeditor      |
| OPEN, CLOSE, PRINT #, INPUT #, EOF …   | emit/file_statements    | io: openfiles, file…          |
| messages on the screen                 |                         | messages, locating            |
| strings and stack, MEMORY FULL         |                         | heap                          |
| where strings lie in video memory      | outline                 | heap                          |
| what a statement costs in cycles       | base/cycles; timing     | the clock                     |

A built-in subprogram is one record in language/listing/builtins and one function in subprograms/.

How a program runs ------------------ `compile/lines` holds the lines; language/prescan makes the
symbol tables; `compile/outline` is all that is known before the run. `compile/compiler` compiles
one block of Python (`compile/unit`) when control first reaches it: `emit/emitter` writes it, with
the text and the flow of control in `emit/pythontext`. A `run/activation` gives it the cells of the
variables it uses. `run/execution` calls block after block, keeps the stack (`run/frames`) and
catches errors. `compile/unit` is what both sides agree on. `emit/__init__` explains how to add a
statement.
"""
