"""The interpreter: programs compiled to Python, statements, functions, errors, files.

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
| what                               | where in emit/ it is compiled    | what runs                |
|------------------------------------|----------------------------------|--------------------------|
| from RUN to the first statement    | (language/prescan)               | execution                |
| expressions, functions, operators  | expression_code                  | library, numbers         |
| variables, arrays                  | variable_code                    | stack                    |
| LET, DIM, DEF, OPTION BASE, REM    | simple_statements                |                          |
| IF, GOTO, GOSUB, RETURN, ON … GOTO | control                          | execution                |
| FOR, NEXT                          | loops                            | stack                    |
| END, STOP, RUN                     | control                          | execution, signals       |
| CALL, SUB, SUBEND, SUBEXIT         | calls, control                   | stack (CallSite)         |
| CALL HCHAR, CALL KEY, CALL ERR …   | calls                            | subprograms/             |
| ON ERROR, RETURN NEXT              | simple_statements, control       | execution                |
| ON WARNING, warnings               | simple_statements                | runtime (warn)           |
| ON BREAK, BREAK, CLEAR, CON        | simple_statements                | execution, signals       |
| TRACE, UNTRACE                     | simple_statements                | execution                |
| READ, DATA, RESTORE                | simple_statements                | datareader               |
| RANDOMIZE, RND                     | simple_statements                | numbers.functions        |
| PRINT, DISPLAY, USING, IMAGE       | screen_statements                | io: printer, screenio    |
| INPUT, LINPUT, ACCEPT              | screen_statements                | io: screenio, lineeditor |
| OPEN, CLOSE, PRINT #, EOF …        | file_statements                  | io: openfiles, openfile  |
| messages on the screen             |                                  | runtime, locating        |
| strings and stack, MEMORY FULL     |                                  | heap                     |
| where strings lie in video memory  | (compile/outline)                | heap                     |
| what a statement costs in cycles   | base/cycles, (compile/timing)    | the clock                |

A built-in subprogram is one record in language/listing/builtins and one function in subprograms/.

How a program runs
------------------
`compile/units` holds the lines; language/prescan makes the symbol tables; `compile/outline` is all
that is known before the run. `compile/compiler` compiles one block of Python (`compile/units`) when
control first reaches it: `emit/emitter` writes it, with the text and the flow of control in
`emit/pythontext`. An `Activation` (`run/stack`) gives it the cells of the variables it uses.
`run/execution` calls block after block, keeps the stack and catches errors.
`compile/units` is what both sides agree on. `compile/emit` explains how to add a statement.
"""
