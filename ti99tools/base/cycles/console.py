"""What the console takes to load and scan a program, at its prompt, for drives and interrupts."""

from __future__ import annotations

# From the disk to the first statement

BOOT_CYCLES = 3_950_000  # starts: from choosing Extended BASIC to the loading of DSK1.LOAD
FRAME_LEFT = 2_500  # sprites: frame's phase when Extended BASIC is chosen (1,700 to 13,400 agree)
LOADED = 524_500  # starts: any program that is loaded from disk
LOADED_LINE = 22_024  # starts: each line of it
LOADED_BYTE = 476  # starts: each byte of it
LOADED_SECTOR = 50_506  # starts: each sector of it; records of the long form cost extra
LOADED_REST = 1_005  # starts: each byte of a partly filled last sector, copied one by one

SCAN: dict[str, int] = {
    "RUN": 127_470,
    "line": 2_066,
    "remark": 1_250,
    "statement": 2_207,
    "entry": 25,
    "name": 30_978,
    "name character": 4_985,
    "name passed": 230,
    "name of the same length": 228,
    "token ahead": 9_741,
    "comma": 8_001,
    "byte ahead": 1_853,
    "CALL": 29_783,
    "CALL letter": 2_141,
    "new CALL letter": 4_916,
    "CALL SUB": 25_000,
    "line number": 621,
    "symbol": 66_799,
    "dimension": 42_457,
    "element": 243,
    "DIM": 49_594,
    "DEF": 10_605,
    "DEF parameter": 211_000,
    "DEF string": 60_200,
    "SUB": 150_000,
    "OPTION BASE": 190_000,
    "token": 472,
}
"""Starts: the pre-scan, RUN itself and each item that it meets, to a few thousandths of the time
that 48 programs take to their first output; remarks, SUBs, CALLs of them, OPTION BASE: programs."""

# The prompt

TO_PROMPT = 1_016_000  # programs: back to the prompt (keys: lost for 28 to 40 frames)
PROMPT_KNOWS = 350_000  # keys: a key down for so long before the prompt is not new (4 to 9 frames)
READY_SOONER = 20_000  # programs: how much before the prompt * READY * appears (351 programs)
AFTER_WARNING = 150_000  # programs: back to the prompt after a warning that stops (three programs)
FILE_ERROR_SOONER = 48_000  # programs: how much before it the message of a FILE ERROR appears
AFTER_ERROR = 49_500  # programs: more to the prompt after a program's error (256 programs)
AFTER_TYPED = 200_000  # keys: more after an error in a typed line (keys taken after 36 frames)
NEW = 2_200_000  # keys: NEW, from the cleared screen to * READY * (20 scripts)
LISTED_ROW = 200_000  # estimate: LIST, each row
LISTED_CHARACTER = 20_000  # keys: LIST, each character (16,500 to 27,000 agree)
LINE_OFFERED = 150_000  # keys: until a line can be edited, besides its characters (8 to 12 frames)

# Disk drive, printer

DISK_OPENED = 96_000  # programs: OPEN
DISK_CREATED = 631_000  # programs: more for a new file
DISK_REPLACED = 60_000  # programs: more for OUTPUT to a file that was there
DISK_OPENED_TO_CHANGE = 39_000  # programs: the same for UPDATE or APPEND
DISK_CLOSED = 122_000  # programs: CLOSE
DISK_DESCRIBED = 187_000  # programs: more where a descriptor is written
DISK_REWOUND = 130_000  # programs: RESTORE #
DISK_SOUGHT = 20_000  # programs: DELETE
DISK_DELETED = 700_000  # programs: more where the file was there
DISK_READ = 60_000  # loops: a record that is read
DISK_READ_BYTE = 770  # loops: each byte of it
DISK_WRITTEN = 118_000  # loops: a record that is written
DISK_WRITTEN_BYTE = 1_250  # loops: each byte of it
DISK_LOOKED = 140_000  # programs: EOF
DISK_ALLOCATED = 11_500  # programs: finding a free sector
DISK_NOT_READY = 300_000  # programs: waiting for a drive without a disk, for the index of files
DISK_STILL_NOT_READY = 600_000  # programs: after that, waiting for one, to change the disk
PARALLEL_BYTE = 2_000  # estimate: a byte to a printer at PIO that is never busy

# Interrupts

INTERRUPT = 622  # code: an interrupt with nothing to do
INTERRUPT_OFF = 346  # code: one with all its services switched off
INTERRUPT_MOTION = 60  # code: more while sprites are in motion
INTERRUPT_SPRITE = 812  # code: more for each of them
INTERRUPT_ACCEPTED = 36  # code: the part of these that the processor itself counts
SPRITES_SERVED = 61  # code: motion under BASIC, with the share that is in the cost of statements
SPRITE_SERVED = 827  # code: the same for each sprite
