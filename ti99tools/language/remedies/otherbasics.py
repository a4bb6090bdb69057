"""Words of other BASICs: functions, operators and statements, each with what to write instead.

Extended BASIC takes a function that it lacks for an array: no error says that `LEFT$(A$,3)` does
not exist. A statement that it lacks is a SYNTAX ERROR.
"""

from __future__ import annotations

import re

from ti99tools.language.findings import Edit, ForeignWord, Hint, call_it
from ti99tools.language.listing.builtins import SUBPROGRAMS

_SHOW_AT = "DISPLAY AT(row,column):text"
_KEY = "CALL KEY(0,code,status)"
_NO_POINTS = "CALL CHAR and CALL HCHAR: there are characters and sprites, no points"
_PASS = "FOR D=1 TO 500 :: NEXT D"
_NO_CLOCK = "a counter of your own: the console has no clock"
_ONE_KIND = "the number itself: there is one kind of numbers"
_SMALL_LETTERS = "a loop over ASC and CHR$: small letters are codes 97 to 122"
_STICK = "CALL JOYST(unit,x,y)"
_CUT = "SEG$ with the places that POS finds"

FUNCTIONS = {
    "ASN": "ATN(X/SQR(1-X*X))",
    "ATAN": "ATN",
    "BIN$": "a loop that takes a number apart with INT(number/2)",
    "CEIL": "-INT(-number)",
    "CINT": "INT(number+.5)",
    "CSNG": _ONE_KIND,
    "CDBL": _ONE_KIND,
    "CSRLIN": "a variable of your own for the row",
    "DATE$": _NO_CLOCK,
    "ERL": "CALL ERR(code,type,severity,line)",
    "ERR": "CALL ERR(code,type)",
    "FIX": "SGN(number)*INT(ABS(number))",
    "FLOOR": "INT",
    "FRE": "SIZE at the prompt",
    "HEX$": 'SEG$("0123456789ABCDEF",digit+1,1) for each digit',
    "INKEY": _KEY,
    "INKEY$": _KEY,
    "INP": "CALL PEEK(address,value)",
    "INPUT$": f"{_KEY} and CHR$(code)",
    "INSTR": "POS(text,part,first)",
    "JOY": _STICK,
    "LCASE$": _SMALL_LETTERS,
    "LEFT$": "SEG$(text,1,count)",
    "LENGTH": "LEN",
    "LN": "LOG",
    "LOF": "EOF(file) to find the end",
    "LOG10": "LOG(number)/LOG(10)",
    "LOWER$": _SMALL_LETTERS,
    "LTRIM$": _CUT,
    "MID$": "SEG$(text,first,count)",
    "MOD": "A-INT(A/B)*B",
    "OCT$": "a loop that takes a number apart with INT(number/8)",
    "PDL": _STICK,
    "PEEK": "CALL PEEK(address,value)",
    "POINT": "CALL GCHAR(row,column,code): there are characters, no points",
    "POW": "base^exponent",
    "RAND": "RND, or INT(RND*6)+1 for 1 to 6",
    "RANDOM": "RND, or INT(RND*6)+1 for 1 to 6",
    "REPLACE$": _CUT,
    "RIGHT$": "SEG$(text,LEN(text)-count+1,count)",
    "ROUND": "INT(number+.5)",
    "RTRIM$": _CUT,
    "SCRN": "CALL GCHAR(row,column,code)",
    "SPC": 'TAB(column), or RPT$(" ",count)',
    "SPACE$": 'RPT$(" ",count)',
    "SQRT": "SQR",
    "STICK": _STICK,
    "STRIG": "CALL KEY(unit,code,status): code 18 is the button",
    "STRING$": "RPT$(text,count)",
    "TI": _NO_CLOCK,
    "TI$": _NO_CLOCK,
    "TIME": _NO_CLOCK,
    "TIME$": _NO_CLOCK,
    "TIMER": "RANDOMIZE alone for a new seed, or count loops: the console has no clock",
    "TRIM$": _CUT,
    "UCASE$": "a loop over ASC and CHR$, or VALIDATE(UALPHA) in ACCEPT AT",
    "UPPER$": "a loop over ASC and CHR$, or VALIDATE(UALPHA) in ACCEPT AT",
    "USR": "CALL LINK(name) for machine code that CALL LOAD has loaded",
    "VARPTR": "CALL LINK with the variable: machine code is given its address",
}
"""Functions, and names that stand for values."""
_TEXTS = ("CHR", "RPT", "SEG", "STR")
_NUMBERS = ("ASC", "INT", "LEN", "POS", "VAL")
_TRUTHS = {"TRUE": "-1", "FALSE": "0"}

STATEMENTS = {
    "BEEP": 'DISPLAY AT(24,1)BEEP:"" or CALL SOUND(200,1400,0)',
    "CASE": "ELSEIF, or ON … GOTO",
    "CHAIN": 'RUN "DSK1.NAME"',
    "CIRCLE": _NO_POINTS,
    "CLS": "CALL CLEAR",
    "CURSOR": _SHOW_AT,
    "DEFAULT": "CASE ELSE, or ELSE",
    "DELAY": f"{_PASS}, or CALL SOUND and wait for its end",
    "DO": "REPEAT … UNTIL, or WHILE … END WHILE",
    "DRAW": _NO_POINTS,
    "ECHO": "PRINT",
    "FIELD": "INTERNAL,FIXED in OPEN, and PRINT #1:values",
    "FLASH": "CALL COLOR(set,foreground,background) for other colors",
    "FUNCTION": "PROC … END PROC with OUT, SUB … SUBEND, or DEF for one expression",
    "GET": _KEY,
    "GR": f"CALL CLEAR; for drawings {_NO_POINTS}",
    "GRAPHICS": f"CALL CLEAR; for drawings {_NO_POINTS}",
    "HGR": f"CALL CLEAR; for drawings {_NO_POINTS}",
    "HLIN": "CALL HCHAR(row,column,code,count)",
    "HOME": "CALL CLEAR",
    "HPLOT": _NO_POINTS,
    "HTAB": f"{_SHOW_AT}, or PRINT TAB(column);text",
    "INK": "CALL COLOR(set,foreground,background)",
    "INVERSE": "CALL COLOR(set,foreground,background) for other colors",
    "LINE": "LINPUT name$ for a text; CALL CHAR and CALL HCHAR for a drawing",
    "LOCATE": f"{_SHOW_AT}, or CALL LOCATE for sprites",
    "LOOP": "UNTIL condition, or END WHILE",
    "EXIT": "GOTO after the loop, SUBEXIT in a SUB",
    "LPRINT": 'OPEN #1:"PIO" and PRINT #1:text',
    "MAT": "FOR … NEXT over the elements: there are no matrices",
    "MUSIC": "CALL SOUND(milliseconds,frequency,volume)",
    "NORMAL": "CALL COLOR(set,foreground,background) for other colors",
    "ONERR": "ON ERROR and a line",
    "OTHERWISE": "CASE ELSE, or ELSE",
    "OUT": "CALL LOAD(address,value)",
    "PAINT": _NO_POINTS,
    "PALETTE": "CALL COLOR(set,foreground,background): the 16 colors are fixed",
    "PAPER": "CALL SCREEN(color)",
    "PAUSE": f"{_PASS}, or CALL KEY in a loop until its status is 1",
    "PLAY": "CALL SOUND(milliseconds,frequency,volume)",
    "PLOT": _NO_POINTS,
    "POKE": "CALL LOAD(address,value)",
    "POSITION": _SHOW_AT,
    "PRESET": _NO_POINTS,
    "PROCEDURE": "SUB … SUBEND",
    "PSET": _NO_POINTS,
    "RESUME": "RETURN for the same statement, RETURN NEXT, or RETURN and a line",
    "SELECT": "IF … ELSEIF …, or ON … GOTO",
    "SLEEP": f"{_PASS}, or CALL SOUND and wait for its end",
    "SWAP": "T=A :: A=B :: B=T",
    "SWITCH": "SELECT CASE value, or ON … GOTO",
    "SYS": "CALL LINK(name) for machine code that CALL LOAD has loaded",
    "SYSTEM": "END",
    "TEXT": "CALL CLEAR",
    "TROFF": "UNTRACE",
    "TRON": "TRACE",
    "VDU": f"{_SHOW_AT}, or CALL CHAR for a drawing",
    "VIEW": f"{_SHOW_AT}: the whole screen scrolls",
    "VLIN": "CALL VCHAR(row,column,code,count)",
    "VTAB": _SHOW_AT,
    "WAIT": _PASS,
    "WEND": "GOTO the line of its condition",
    "WINDOW": f"{_SHOW_AT}: the whole screen scrolls",
    "WRITE": "PRINT #1:values",
}
"""Words at the beginning of statements."""

_UNDECLARED = "variables are not declared, and names of texts end in $"
LEFT_OUT = {
    "CLR": "RUN sets all variables to 0",
    "DECLARE": "a SUB is not declared",
    "DEFDBL": _UNDECLARED,
    "DEFINT": _UNDECLARED,
    "DEFSNG": _UNDECLARED,
    "DEFSTR": _UNDECLARED,
    "GLOBAL": "a SUB has its own variables; give it others as arguments",
    "INTEGER": _UNDECLARED,
    "MODE": "there is one kind of screen",
    "REAL": _UNDECLARED,
    "REDIM": "DIM sets the size of an array once",
    "SHARED": "a SUB has its own variables; give it others as arguments",
    "SHELL": "there is no other system",
    "STATIC": "variables of a SUB keep their values",
    "STRING": _UNDECLARED,
    "TYPE": "there are no records; use an array for each part",
    "WIDTH": "a line has 28 columns",
}
"""Statements that declare or set up something, and why nothing replaces them here."""

_OPERATORS = {
    "MOD": "A-INT(A/B)*B instead of A MOD B",
    "DIV": "INT(A/B) instead of A DIV B",
    "EQV": "NOT (A XOR B) instead of A EQV B",
    "IMP": "(NOT A) OR B instead of A IMP B",
}
"""Words between two values."""

_COMMANDS = {
    "BYE": "END ends a program",
    "CONTINUE": "to begin the next round, jump to a label at the end of the loop",
    "MERGE": 'in sources without line numbers #include "file.xb" does that',
    "OLD": 'RUN "DSK1.NAME" runs another program',
}
"""Commands of the editor, which no program contains, and what a program does."""
_PROMPT_ONLY = "it is for the prompt"


def operator_here(name: str) -> str:
    """What to do about a name that is an operator elsewhere; empty for any other."""
    if name.startswith("\\"):
        return "for whole numbers write INT(A/B)"
    if name == "AS":
        remedy = "leave out AS: names of texts end in $, all other variables are numbers"
        return Hint(remedy, elsewhere=ForeignWord(name))
    return _lacking(name, _OPERATORS.get(name, ""))


def _lacking(name: str, instead: str) -> str:
    """What to write for a function or operator that does not exist here; empty for none."""
    if not instead:
        return ""
    remedy = f"Extended BASIC has no {name}: write {instead}"
    return Hint(remedy, elsewhere=ForeignWord(name, True))


def in_brackets(name: str) -> str:
    """What to do about a name that ends in brackets: `A[1]`; empty for any other."""
    if name.rfind("]") > name.find("[") > 0:
        return "write subscripts in ( )"
    return ""


def written_here(name: str) -> str:
    """What to do about a name that is a function elsewhere; empty for any other."""
    if "\\" in name:
        return f"{name} is one name: for whole numbers write INT(A/B)"
    if name.startswith("@"):
        return f"{name} is a name here: what stands at a place is written {_SHOW_AT}"
    if brackets := in_brackets(name):
        return brackets
    instead = FUNCTIONS.get(name) or _TRUTHS.get(name, "")
    if name in _TEXTS:
        instead = f"{name}$"
    elif name.endswith("$") and name[:-1] in _NUMBERS:
        instead = name[:-1]
    return _lacking(name, instead)


def stated_here(word: str) -> str:
    """What to do about a statement that begins with `word`; empty if unknown."""
    instead = STATEMENTS.get(word)
    if instead:
        remedy = f"no statement begins with {word} here: write {instead}"
        edit = Edit(word, instead) if word in ("CLS", "HOME", "ECHO", "TRON", "TROFF") else None
        return Hint(remedy, edit, ForeignWord(word))
    if word in LEFT_OUT:
        return Hint(f"leave out {word}: {LEFT_OUT[word]}", elsewhere=ForeignWord(word))
    if word in SUBPROGRAMS:
        return call_it(word, f"{word} is a subprogram: ")
    return _procedure(word)


def called_here(name: str) -> str:
    """What to do about a CALL of what is a statement, here or elsewhere; empty if unknown."""
    if name in ("PRINT", "DISPLAY", "ACCEPT", "INPUT", "LINPUT", "RANDOMIZE", "GOSUB", "GOTO"):
        return f"write {name} without CALL"
    instead = STATEMENTS.get(name, "")
    return f"write {instead}" if instead else ""


BY_NUMBER = f"a subprogram has a name: write {STATEMENTS['SYS']}"
"""What to do about a CALL of an address."""


def left_here(word: str) -> str:
    """What to do about `EXIT SUB` and the like, where `word` follows EXIT; empty for others."""
    if word not in ("SUB", "FUNCTION", "PROCEDURE"):
        return ""
    return Hint("a SUB is left with SUBEXIT", Edit(f"EXIT {word}", "SUBEXIT"), ForeignWord("EXIT"))


def at_prompt(command: str) -> str:
    """What to do about a command of the editor in a program."""
    instead = _COMMANDS.get(command, _PROMPT_ONLY)
    return f"{instead}; if it is a variable, choose another name"


def built_in(name: str) -> str:
    """What to do about a built-in subprogram's name that stands for a value; empty for none."""
    record = SUBPROGRAMS.get(name)
    if record is None:
        return ""
    gives = any(a.stored for form in record.forms for a in (*form.head, *form.group, *form.tail))
    how = " and gives its values to variables" if gives else ", and has no value"
    return f"{name} is a subprogram{how}: write {record.text or f'CALL {name}'}"


_PROCEDURE = "PROC[A-Z_][A-Z_0-9]+"


def _procedure(word: str) -> str:
    """What to do about a procedure as BBC BASIC calls it: `PROCHELLO`; empty for any other."""
    if not re.fullmatch(_PROCEDURE, word):
        return ""
    name = word.removeprefix("PROC")
    return Hint(f"write CALL {name}", Edit(word, f"CALL {name}"), ForeignWord(word))
