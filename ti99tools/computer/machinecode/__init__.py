"""Machine code under Extended BASIC: CALL INIT, LOAD and LINK, and the console that code finds.

What ROM and GROM do on the real machine is done here by our own functions (traps) at the documented
addresses. Start at `machinecode.MachineCode`; it is light until code is run.

| module      | what it holds                                                        |
|-------------|----------------------------------------------------------------------|
| machinecode | INIT, LOAD, LINK as the statements use them                          |
| running     | the processor at work along the console's clock, interrupts, returns |
| interrupts  | what each interrupt does: sprites, sound lists, QUIT, the hook       |
| utilities   | NUMASG … ERR: Extended BASIC's utilities at >2008                    |
| routines    | XMLLNK's routines for numbers                                        |
| objectfile  | tagged object code as CALL LOAD takes it                             |
| consoleroutines | what the console offers: cells, CRU bits, routines by address   |
| cartridges  | ROM cartridges: their banks, their programs, and how they run        |
| diskcard    | the disk controller as machine code finds it: header, list, opcodes  |
| pab         | the block in which machine code tells a device what to do            |
| places      | addresses                                                            |

Nothing here is or contains a part of the console's ROM or GROM.
"""
