"""Functions and statements that other BASICs have, and what to write here instead.

Extended BASIC takes such a function for an array: no error says that `LEFT$(A$,3)` is not there.
"""

from ti99tools.source.builtins import SUBPROGRAMS

_INSTEAD = {
    "CINT": "INT(number+.5)",
    "CSNG": "the number itself: there is one kind of numbers",
    "CDBL": "the number itself: there is one kind of numbers",
    "FIX": "SGN(number)*INT(ABS(number))",
    "FRE": "SIZE at the prompt",
    "HEX$": 'SEG$("0123456789ABCDEF",digit+1,1) for each digit',
    "INKEY$": "CALL KEY(0,code,status)",
    "INPUT$": "CALL KEY(0,code,status) and CHR$(code)",
    "INSTR": "POS(text,part,first)",
    "LCASE$": "a loop over ASC and CHR$: small letters are codes 97 to 122",
    "LEFT$": "SEG$(text,1,count)",
    "MID$": "SEG$(text,first,count)",
    "PEEK": "CALL PEEK(address,value)",
    "RIGHT$": "SEG$(text,LEN(text)-count+1,count)",
    "SPACE$": 'RPT$(" ",count)',
    "STICK": "CALL JOYST(unit,x,y)",
    "STRIG": "CALL KEY(unit,code,status): code 18 is the button",
    "STRING$": "RPT$(text,count)",
    "TIME$": "a counter of your own: the console has no clock",
    "TIMER": "RANDOMIZE alone for a new seed, or count loops: the console has no clock",
    "UCASE$": "a loop over ASC and CHR$, or VALIDATE(UALPHA) in ACCEPT AT",
}
"""Functions."""
_TEXTS = ("CHR", "RPT", "SEG", "STR")
_NUMBERS = ("ASC", "INT", "LEN", "POS", "VAL")
_TRUTHS = {"TRUE": "-1", "FALSE": "0"}

_STATEMENTS = {
    "BEEP": 'DISPLAY AT(24,1)BEEP:"" or CALL SOUND(200,1400,0)',
    "CASE": "ELSEIF, or ON … GOTO",
    "CIRCLE": "CALL CHAR and CALL HCHAR: there are characters and sprites, no points",
    "CLS": "CALL CLEAR",
    "DEFAULT": "CASE ELSE, or ELSE",
    "DO": "REPEAT … UNTIL, or WHILE … END WHILE",
    "FUNCTION": "SUB … SUBEND, or DEF for one expression",
    "GET": "CALL KEY(0,code,status)",
    "LINE": "LINPUT name$ for a text; CALL CHAR and CALL HCHAR for a drawing",
    "LOCATE": "DISPLAY AT(row,column):text, or CALL LOCATE for sprites",
    "LOOP": "UNTIL condition, or END WHILE",
    "LPRINT": 'OPEN #1:"PIO" and PRINT #1:text',
    "PLAY": "CALL SOUND(milliseconds,frequency,volume)",
    "POKE": "CALL LOAD(address,value)",
    "PROCEDURE": "SUB … SUBEND",
    "PSET": "CALL CHAR and CALL HCHAR: there are characters and sprites, no points",
    "SELECT": "IF … ELSEIF …, or ON … GOTO",
    "SLEEP": "FOR D=1 TO 500 :: NEXT D, or CALL SOUND and wait for its end",
    "SWAP": "T=A :: A=B :: B=T",
    "SWITCH": "SELECT CASE value, or ON … GOTO",
    "WAIT": "FOR D=1 TO 500 :: NEXT D",
    "WIDTH": "nothing: a line has 28 columns",
    "WRITE": "PRINT #1:values",
}
"""Words that statements begin with."""

_OPERATORS = {
    "MOD": "A-INT(A/B)*B instead of A MOD B",
    "DIV": "INT(A/B) instead of A DIV B",
    "EQV": "NOT (A XOR B) instead of A EQV B",
    "IMP": "(NOT A) OR B instead of A IMP B",
}
"""Words between two values."""


def operator_here(name: str) -> str:
    """What to do about a name that is an operator elsewhere; empty for any other."""
    if name == "AS":
        return "leave out AS: names of texts end in $, all other variables are numbers"
    instead = _OPERATORS.get(name)
    return f"Extended BASIC has no {name}: write {instead}" if instead else ""


def written_here(name: str) -> str:
    """What to do about a name that is a function elsewhere; empty for any other."""
    if "\\" in name:
        return f"{name} is one name: for whole numbers write INT(A/B)"
    if name.rfind("]") > name.find("[") > 0:
        return f"{name} is one name: write subscripts in ( )"
    instead = _INSTEAD.get(name) or _TRUTHS.get(name, "")
    if name in _TEXTS:
        instead = f"{name}$"
    elif name.endswith("$") and name[:-1] in _NUMBERS:
        instead = name[:-1]
    return f"Extended BASIC has no {name}: write {instead}" if instead else ""


def stated_here(word: str) -> str:
    """What to do about a statement that begins with `word`; empty where that tells nothing."""
    instead = _STATEMENTS.get(word)
    if instead:
        return f"no statement begins with {word} here: write {instead}"
    return f"{word} is a subprogram: write CALL {word}" if word in SUBPROGRAMS else ""


def called_here(name: str) -> str:
    """What to do about a CALL of what is a statement elsewhere; empty where that tells nothing."""
    instead = _STATEMENTS.get(name, "")
    return f"write {instead}" if instead.startswith("CALL") else ""
