"""Sizes of the machine's memories and of what programs keep in them: the one table, in bytes.

With the 32K expansion, high memory holds the program and the numeric values; video memory holds
the symbol table, strings and the stack. Without it all of them share video memory. Sizes of symbols
and strings are those that SIZE showed on the real machine (recorded size-dev):

    numeric variable       8 + name in video memory, 8 in high memory
    string variable        8 + name; its text, if not empty, 4 + length
    numeric array          8 + name + 2 a dimension; 8 an element in high memory
    string array           6 + name + 2 a dimension + 2 an element; texts as above
    DEF function           8 + name; a numeric parameter 8 in high memory
    CALL of a built-in     8 + name, once however often it is called; of an unknown one nothing
    SUB                    14 + name + 2 a parameter; its variables are its own
"""

VIDEO_SPACE = 11_840
"""Of video memory with a disk controller attached (three files)."""
HIGH_SPACE = 24_488
"""Of high memory in the 32K expansion."""

LINE_OVERHEAD = 6
"""Of a program line besides its tokens: line table entry, length byte, end byte."""

ENTRY, PER_DIMENSION, NUMBER, POINTER = 8, 2, 8, 2
SUB_ENTRY, PER_PARAMETER = 14, 2
STRING_OVERHEAD = 4

LOOP_FRAME, SUB_FRAME, OTHER_FRAME = 32, 16, 8
"""Of the stack: a FOR, a CALL of a SUB, everything else."""
STACK_RESERVE = 64
"""Between stack and strings when a string is made; SIZE does not count it."""
FILE_BUFFER = 14
"""Of an open file besides its name and a record: its PAB and the program's own notes."""

MAX_STRING = 255
"""Characters."""
HIGHEST_SUBSCRIPT = 32_767
"""Of DIM: a larger one is a BAD VALUE."""
AUTOMATIC_SUBSCRIPT = 10
"""Highest subscript of an array that no DIM mentions."""
