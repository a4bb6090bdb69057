"""Machine code under Extended BASIC: CALL INIT, LOAD and LINK, and the console that code finds.

What ROM and GROM do on the real machine is done here by functions of ours (traps) at the documented
addresses. Start at `machinecode.MachineCode`; it is light until code is run.

| module      | what it holds                                                        |
|-------------|----------------------------------------------------------------------|
| machinecode | INIT, LOAD, LINK as the statements use them                          |
| running     | the processor at work along the console's clock, interrupts, returns |
| interrupts  | what each interrupt does: sprites, sound lists, QUIT, the hook       |
| utilities   | NUMASG … ERR: Extended BASIC's utilities at >2008                    |
| arguments   | the arguments of LINK as NUMREF and STRASG see them                  |
| routines    | XMLLNK's routines for numbers                                        |
| objectfile  | tagged object code as CALL LOAD takes it                             |
| consolecells | what LOAD and PEEK cannot do at cells of the console                |
| consolecru  | keyboard, joysticks and the interrupt line on the CRU                |
| diskcard    | the disk controller as machine code finds it: header, list, opcodes  |
| places      | addresses                                                            |

Nothing here is or contains a part of the console's ROM or GROM.
Imports cpu, machine, numbers, base.
"""
