"""One SUB as machine code for CALL LINK (`SUB … COMPILED`), in a program that is interpreted.

| module      | contents                                                                |
|-------------|-------------------------------------------------------------------------|
| stub        | the SUB alone, called by a program that passes anything                 |
| callers     | the CALLs of the SUB, and those that are refused                        |
| allowed     | what is not compiled in such a SUB, and why                             |
| lookups     | characters of constant strings as tables                                |
| gosubs      | what a GOSUB runs, sets, how deep; which loops let interrupts in        |
| subranges   | the ranges of variables, each GOSUB coming back with its own            |
| subkinds    | words where only the whole of a calculation is one; numbers of 32 bits  |
| submemory   | where variables lie, and what the generators share                      |
| subwords    | words, sublongs: longs, subtexts: texts, subdata: READ and DATA         |
| shortening  | shorter forms of what is written                                        |
| subemitter  | the code of a SUB                                                       |
| arguments   | the table by which arguments come in and go out                         |
| sublinking  | all passes in order, and all SUBs as one piece of relocatable code      |
"""
