"""Machine code under Extended BASIC: CALL INIT, LOAD and LINK, and the console that code finds.

What ROM and GROM do on the real machine is done here by our own functions (traps) at the documented
addresses. Start at `machinecode.MachineCode`; it is light until code is run.

| module      | what it holds                                                        |
|-------------|----------------------------------------------------------------------|
| machinecode | INIT, LOAD, LINK as the statements use them, object code for LOAD    |
| running     | the processor along the console's clock, what each interrupt does    |
| utilities   | NUMASG … ERR: Extended BASIC's utilities at >2008                    |
| consoleroutines | what the console offers: cells, CRU bits, routines, XMLLNK       |
| entries     | routines of its ROM that code enters: numbers, GPL, CLEAR            |
| cartridges  | ROM cartridges: their banks, their programs, and how they run        |
| cards       | disk controller and RS232 as machine code finds them: list, PAB      |
| addresses   | what machine code and console agree on                               |

Nothing here is or contains a part of the console's ROM or GROM.
"""
