"""What expressions, statements and subprograms of Extended BASIC take, in CPU cycles (3 MHz)."""

from __future__ import annotations

# Expressions

MEASURED: dict[str, int] = {
    # Lines and names
    "line": 1_090,
    "::": 175,
    "line passed": 216,
    "line before": 13_086,
    "(": 921,
    "name character": 300,
    "variable": 4_449,
    "string variable": 4_147,
    "parameter": 1_660,
    "equal character": 83,
    "constant": 4_420,
    "constant digit": 356,
    "constant tens": 93,
    "constant figure": 10,
    "constant point": 336,
    "constant leading 0": 99,
    "constant 0": 3_246,
    "string constant": 4_895,
    "constant character": 77,
    "empty string constant": 3_593,
    "element": 429,
    "subscript": 2_056,
    # Operators
    "+": 3_196,
    "-": 3_190,
    "*": 3_962,
    "/": 13_543,
    "^": 1_900,
    "relation": 1_663,
    "second sign": 310,
    "AND": 3_044,
    "OR": 3_032,
    "XOR": 3_018,
    "unary -": 772,
    "unary NOT": 1_628,
    "relation of strings": 2_650,
    "&": 42_830,
    # Functions
    "ABS": 1_683,
    "SGN": 1_849,
    "PI": 6_694,
    "ASC": 11_338,
    "CHR$": 30_191,
    "DEF": 129_300,
    "DEF with a parameter": 159_800,
    "DEF with a string": 175_300,
    "COS": 198_600,
    "EXP": 211_800,
    "INT": 3_318,
    "LEN": 9_086,
    "LOG": 309_000,
    "MAX": 18_205,
    "MIN": 18_205,
    "POS": 46_695,
    "RND": 201_850,
    "RPT$": 35_386,
    "repetition": 6_784,
    "SEG$": 60_233,
    "SIN": 183_200,
    "SQR": 171_500,
    "SQR digit": 4_000,
    "STR$": 41_142,
    "TAN": 414_000,
    "SIN digit": 1_700,
    "COS digit": 1_700,
    "TAN digit": 3_400,
    "ATN digit": 0,
    "EXP digit": 0,
    "LOG digit": 0,
    "ATN": 248_000,
    "VAL": 40_445,
    "VAL character": 1_118,
}
"""Costs: lines, names, and expressions as far as their text tells the time; long names: loops."""

LIKELY: dict[str, int] = {
    "unary +": 640,
    "REC": 30_000,
    "EOF": 7_000,
}
"""Programs: operations that no loop measures; estimates where a similar one was measured."""

COSTS: dict[str, int] = {**LIKELY, **MEASURED}

NAME_PASSED = 214.667  # costs: each newer name on the way to one; of many, a fraction matters
NAME_OF_THE_SAME_LENGTH = 188.340  # costs: more if it is as long
LARGER_FIRST = 404  # costs: more for a sum or difference whose left operand is not the smaller

OF_NOTHING: dict[str, int] = {
    "SQR": 6_950,
    "SIN": 34_370,
    "COS": 103_600,
    "TAN": 143_200,
    "ATN": 37_060,
    "EXP": 67_370,
}
"""Loops: functions of 0, which are quicker because every product in their series is 0."""

DEF_UNSERVED = 19_000  # costs: time before the first of them without interrupts, too
DEF_COLLECTS = 16_500  # costs: each of the two collections of strings that a function of DEF makes
DIGIT_PRODUCT = 305  # loops: each two digits to the base of 100 that are multiplied
NOTHING_MULTIPLIED = 2_176  # costs: saved by a product with 0
NOTHING_ADDED_TO = 1_778  # costs: saved by a sum whose left operand is 0
NOTHING_ADDED = 1_500  # costs: saved where the right one is
NOTHINGS_ADDED = 1_050  # sprites: saved where both are (H=H+C after COINC)
DIGIT_LESS = 657  # costs: saved by a division for each of the 7 digits its quotient lacks
DIVISOR_DIGIT = 311  # costs: more in a division for each digit of the divisor after the first
QUOTIENT_DIGIT = 277  # costs: for each of them and each digit of the quotient
NOTHING_SHOWN = 5_200  # costs: saved by PRINT or DISPLAY of a number that is 0
NOTHING_DIVIDED = 11_740  # costs: saved by a division of 0
NEGATIVE_INT = 509  # costs: more for INT of a negative fraction
SECOND_TAKEN = 2_241  # costs: more where MAX or MIN takes the second argument
SHOWN_FIGURE = 415  # costs: each character that STR$ makes
SEGMENT_CHARACTER = 257  # costs: each character that SEG$ copies
SEGMENT_EMPTY = 4_020  # costs: saved by SEG$ where it copies none
POWER_STEP = 10_350  # loops: each multiplication of an integer power, besides its digits
POWER_DIGIT_PRODUCT = 218  # loops: each two digits to the base of 100 that it multiplies
POWER_OF_FRACTION = 5_700  # loops: ^ of a number that is not an integer
POWER_2 = 20_500  # costs: a square, of any number
POWER_INVERTED = 14_450  # loops: the reciprocal of a negative power
POWER_BY_LOGARITHM = 552_600  # loops: other powers of a number that has a logarithm
POWER_NOT_POSITIVE = 180_000  # programs: other powers of a number that has none
ATN_DIGIT_LESS = 23_200  # costs: saved by ATN for each of the 7 digits that its series lacks
EXP_UPPER = 24_000  # costs: more for EXP of a result whose figures begin above the root of 10
EXP_TOO_LARGE = 15_000  # estimate: EXP gives up after one multiplication
MOVED = 249  # loops: each character that & and RPT$ move
SCANNED = 8_400  # loops: each character that POS looks at; the first is in its own cost
MATCHED = 12_600  # loops: each that equals the first one sought; the first is in POS's own cost
VAL_REFUSED = 8_400  # starts: more for VAL of a string that is not a number
VAL_TOO_LARGE = 2_500  # tones: more for VAL before it warns of an overflow
VAL_WARNED = 6_500  # tones: more for VAL after that warning

# Statements, besides their expressions

OTHER = 20_000  # estimate: a statement measured neither alone nor in a program
AFTER_FOR = -72  # costs: more for `::` after a FOR, where NEXT goes on
AFTER_GPL = 933  # costs: more for `::` after a statement that GPL carries out
AFTER_LIST = 208  # costs: more for it after PRINT or DISPLAY
PASSED_OVER = 769  # costs: a statement that does nothing
TAIL_REMARK = 87  # costs: a remark after `!` at the end of a line
LET = 176  # costs
LET_STRING = 106  # costs: more for a string
LATER_TARGET = 760  # costs: each target of LET after the first
STORED_ELEMENT = 408  # costs: storing into an element instead of fetching its value
COPIED = 4_759  # costs: copying a string that another variable holds
COPIED_CHARACTER = 321  # costs: each character of it
IF = 82  # costs: IF whose condition is true
IF_FALSE = 28  # costs: more when it is false, and statements are passed
IF_PASSED = 367  # costs: then each token of them, up to ELSE or the end of the line
IF_CONSTANT_PASSED = 709  # costs: more for a constant among them
IF_PASSED_TO_ELSE = 164  # costs: more if there is an ELSE
IF_NUMBER_PASSED = 202  # costs: more when it is false, and a line number is passed
IF_NUMBER_PASSED_TO_ELSE = 400  # costs: more then if there is an ELSE
EQUAL = 142  # costs: more for a relation of operands that are equal
IF_JUMP = 392  # costs: a line number after THEN or ELSE, besides looking for the line
ELSE_PASSED = 413  # costs: ELSE after the statements of THEN
GOTO = 1_240  # costs: besides looking for the line
GOSUB = 2_370  # loops: GOSUB besides looking for the line, and RETURN
ON_GO = -1_221  # costs: ON besides GOTO or GOSUB
ON_GO_PASSED = 1_002  # costs: each line number of it up to the one taken
ON_GOSUB = 860  # costs: more for ON … GOSUB
RETURN_NEXT = 8_000  # estimate
FOR = 10_726  # costs
FOR_STEP = -817  # costs: more with STEP, besides its value
FOR_SKIPPED = 2_840  # costs: more if the loop is never entered
NEXT = 5_660  # costs
NEXT_FROM_100 = -93  # programs: added where 1 is added to a number of two digits
END = 1_000  # estimate
SUBEND = 7_899  # costs: SUBEND and SUBEXIT
CALL_OWN = 7_899  # costs: CALL of a SUB of the program
CALL_BUILT_IN = 13_860  # loops: CALL of a built-in subprogram, besides its own time
VARIABLE_OF_OWN = -856  # costs: a variable as an argument of a SUB
STRING_OF_OWN = -1_490  # costs: one of strings
ARRAY_OF_OWN = 5_574  # costs: an array
VALUE_OF_OWN = 9_086  # costs: a value
VALUE_LOOKED_UP = 1_533  # costs: more if it begins with a name, besides looking that up again
ARGUMENT_OF_BUILT_IN = 5_200  # loops: an argument of a built-in subprogram
RANDOMIZE = 30_434  # costs: RANDOMIZE by itself
RANDOMIZE_SEED = 34_431  # costs: more with a seed, besides its value
ON_BREAK = 13_494  # costs
ON_WARNING = 15_268  # costs
READ = 11_500  # costs
READ_ITEM = 64_800  # costs: each item that READ reads
RESTORED = 8_000  # loops: RESTORE besides its search
DATA_LOOKED_AT = 23_432  # loops: each line searched for DATA, including the one that has it
HANDLER = 29_650  # loops: ON ERROR with a line, besides passing each line before that one
NO_HANDLER = 13_328  # costs: ON ERROR STOP

# PRINT, DISPLAY, INPUT, ACCEPT

DISPLAY = 34_300  # costs: DISPLAY by itself
AT = 63_800  # costs: the clause AT
SIZE = 18_440  # loops
BEEP = 10_000  # costs
ERASE = 46_900  # costs
VALIDATE = 10_000  # estimate

SHOWN: dict[str, int] = {
    "number": 55_560,
    "number_constant": 1_600,
    "figure": 235,
    "text": 25_200,
    "character": 196,
    "record": 0,
    "semicolon": 17_490,
    "comma": 27_280,
    "between": 1_200,
    "tab": 33_400,
    "new_string": 577,
    "using": 48_300,
    "using_number": 47_000,
    "using_text": 16_800,
    "form": 3_000,
    "image": 67_000,
}
"""Costs: an item on the screen. Programs: how the measured sum is divided among
`using`, `form` and `image`. A row's time is counted when it scrolls."""

FILED: dict[str, int] = {
    "number": 55_600,
    "text": 35_400,
    "character": 296,
    "record": 46_800,
    "comma": 20_900,
    "tab": 0,
    "semicolon": 20_900,
    "colon": 8_800,
    "blank": 1_237,
    "as_text": 4_200,
    "using": 95_300,
    "form": 3_000,
    "image": 81_700,
}
"""Loops: an item in a file, besides the device's time."""

PRINT_BEGUN = 15_500  # starts: PRINT to the screen before its first item
PRINT_ENDED = 7_700  # costs: and after its last
PRINT_TO_FILE = 7_200  # programs: PRINT # besides what it prints
PADDED = 970  # programs: each character that pads a FIXED record
ROW_CYCLES = 45_800  # costs: a new row of PRINT besides the scroll
CELL_CYCLES = 271  # costs: of that, and of items, each cell that is written or blanked
FIELD_CYCLES = 59_600  # loops: the same for DISPLAY with SIZE and without AT
SCROLL_CYCLES = 155_000  # programs: scrolling in a row
SCROLL_UNSERVED = 178_000  # costs: of a scroll and its row, time without interrupts
TO_INPUT = 70_500  # loops: INPUT and LINPUT from the keyboard, up to the prompt
AFTER_PROMPT = 82_000  # keys: from the prompt until the line accepts keys (loops: its appearance)
ACCEPT = 60_000  # estimate
TYPED_CYCLES = 80_000  # keys: a typed character (60,000 to 100,000 agree)
REFUSED_CYCLES = 50_000  # tones: one that VALIDATE refuses, until the honk (up to 100,000 agrees)
LINE_CYCLES = 220_000  # estimate: from the key that ends a line to its use, as two tones suggest
NEXT_TONE = 4_000  # keys: from a tone's end to the start of one that waited (3,000 and more agree)
BOUNCING = 46_000  # programs: a keyboard scan that finds a new key
EDITOR_TAKEN = 80_000  # keys: time of the editor per key that is already in a key's repeat rate

# Files, besides the device

OPEN_FILE = 210_600  # loops
DELETE_FILE = 75_000  # estimate
CLOSE_BESIDE_OTHERS = 507_000  # loops: more for CLOSE while another file is open
RECORD = 44_000  # programs: REC and the record after it
FROM_FILE = 125_200  # loops: INPUT #
FILE_ITEM = 50_000  # programs: each item from an INTERNAL file
FILE_STRING = 1_000  # loops: more for a string
FILE_TEXT_ITEM = 48_500  # loops: each item from a DISPLAY file, on top of `FILE_ITEM`
FILE_CHARACTER = 6_300  # loops: each character of its records
LINE_FROM_FILE = 138_000  # loops: LINPUT #

# Subprograms, besides CALL and their arguments

BUILT_IN_MEASURED: dict[str, int] = {
    "CHAR": 1_530,
    "CHARPAT": 0,
    "CLEAR": 39_824,
    "COINC": 0,
    "DELSPRITE": 14_697,
    "DISTANCE": 43_400,
    "COLOR": 5_960,
    "ERR": 33_330,
    "GCHAR": 13_510,
    "HCHAR": 12_560,
    "INIT": 389_570,
    "JOYST": 29_610,
    "KEY": 25_000,
    "LINK": 26_190,
    "LOAD": 12_440,
    "LOCATE": 0,
    "MAGNIFY": 3_916,
    "MOTION": 0,
    "PEEK": 11_590,
    "POSITION": 0,
    "SCREEN": 3_680,
    "SOUND": 53_000,
    "SPRITE": 0,
    "VCHAR": 13_440,
    "VERSION": 9_340,
}
"""Loops."""

BUILT_IN_LIKELY: dict[str, int] = {
    "CHARSET": 580_000,
    "PATTERN": 12_600,
    "SAY": 20_000,
    "SPGET": 20_000,
}
"""Estimate: from whole programs, or what a similar subprogram takes."""

ERR_TOLD = 12_650  # starts: more for CALL ERR after an error
BUILT_IN_LATER = 20_000  # estimate: a subprogram of a later Extended BASIC

BUILT_IN: dict[str, int] = {**BUILT_IN_LIKELY, **BUILT_IN_MEASURED}

REPEATED = 1_850  # costs: the count of HCHAR or VCHAR, besides any argument
RIGHTWARDS = 3_241  # costs: each cell of HCHAR after the first
DOWNWARDS = 4_868  # loops: each cell of VCHAR after the first
CHAR_BEGUN = 200_400  # loops: each character that CALL CHAR begins
CHAR_DIGIT = 170  # loops: each digit given
CHAR_LETTER = 2_560  # loops: more if it is a letter
CHAR_FILLED = 800  # loops: each character with all its digits given
PATTERN_READ = 139_850  # costs: each pattern that CHARPAT reads
LOAD_BYTE = 4_080  # loops: each byte of LOAD after the first, besides the cost of any argument
PEEK_TARGET = 10_900  # loops: each variable of PEEK after the first, likewise
LINK_VALUE = 13_760  # loops: each argument of LINK, likewise
LINK_VARIABLE = 15_870  # loops: the same for a variable
SPRITE_NUMBERED = 4_000  # loops: a sprite's number in SPRITE, LOCATE or MOTION
SPRITE_LOOKS = 1_870  # costs: its pattern and colour, before they are set
SPRITE_LOCATED = 10_750  # costs: its row and column, likewise
SPRITE_MOVED = 19_400  # loops: its velocities, likewise
POSITION_READ_AFTER = 37_000  # sprites: POSITION, from the number to reading the position
POSITION_LATER = 4_900  # costs: saved by POSITION for each sprite after the first
POSITION_READ = 39_034  # loops: the same, in total
DELSPRITE_ALL = 140_000  # estimate: from whole programs
COINC_ALL_AFTER = 7_440  # sprites: COINC(ALL, …) until it tests, right after a failed LOCATE
COINC_ALL = 16_340  # sprites: the same, in total
DISTANCE_SPRITE = 3_350  # costs: DISTANCE: more for another sprite instead of the point
COLOR_SPRITE = 4_430  # costs: COLOR: more for a sprite instead of a set
COINC_POINT = 36_755  # loops: COINC of a sprite and a point in other rows
COINC_SPRITE = 3_800  # costs: more for another sprite instead of the point
COINC_MET = 1_180  # costs: more when the columns are, too
COINC_ALL_MET = 1_680  # costs: more for COINC(ALL, …) where two sprites meet
COINC_ROWS_NEAR = 1_093  # costs: more when the rows are near enough
SOUND_AFTER_WAIT = 30_000  # loops: from the end of the sound waited for to the new one
SOUND_AT_ONCE = 8_800  # costs: more with a negative length, which stops the sound in progress
SOUND_TONE = 30_000  # costs: each tone of SOUND, besides its arguments
SOUND_HUNDREDS = 12_700  # keys: saved by a tone of whole hundreds (seen at 300 alone)
SOUND_NOISE = 6_000  # costs: its noise

# Errors, warnings, the stack, strings in memory

UNSTACKED = 10_800  # programs: each value that an error removes from the stack (one program)
LOOP_DROPPED = 16_400  # programs: a loop that FOR takes off the stack
CAUGHT = 41_300  # loops: a handler begins
CAUGHT_PASSED = 7_200  # programs: each GOSUB and SUB on the stack then (loops take less)
FRAME_UNWOUND = 14_300  # programs: each stack frame that an uncaught error leaves
DEVICE_REFUSED = 108_000  # programs: a device's refusal
CALLER_LINE = 144_000  # programs: finding the line of a DEF's caller when DEFs nest too deeply
CALLER_PASSED_LINE = 10_600  # programs: each line of the program before it
WARNING_CYCLES = 93_000  # costs: a warning besides its rows
TEXT_CYCLES = 50_000  # programs: the text of a row of a message
TRACED = 45_000  # programs: TRACE shows a line's number
IN_USE = 2_670  # loops: each string in use, in a garbage collection of strings
IN_USE_CHARACTER = 404  # loops: each of their characters
NO_ROOM = 62_000  # loops: more when a string that found no room caused the collection
