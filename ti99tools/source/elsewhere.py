"""Functions and statements that other BASICs have, and what to write here instead.

Extended BASIC takes such a function for an array: no error says that `LEFT$(A$,3)` is not there.
"""

from ti99tools.source.builtins import SUBPROGRAMS

_INSTEAD = {
    "INKEY$": "CALL KEY(0,code,status)",
    "INSTR": "POS(text,part,first)",
    "LEFT$": "SEG$(text,1,count)",
    "MID$": "SEG$(text,first,count)",
    "PEEK": "CALL PEEK(address,value)",
    "RIGHT$": "SEG$(text,LEN(text)-count+1,count)",
    "SPACE$": 'RPT$(" ",count)',
    "STRING$": "RPT$(text,count)",
}
"""Functions."""

_STATEMENTS = {
    "CASE": "ELSEIF, or ON … GOTO",
    "CLS": "CALL CLEAR",
    "DO": "REPEAT … UNTIL, or WHILE … END WHILE",
    "FUNCTION": "SUB … SUBEND, or DEF for one expression",
    "LOCATE": "DISPLAY AT(row,column):text, or CALL LOCATE for sprites",
    "LOOP": "UNTIL condition, or END WHILE",
    "POKE": "CALL LOAD(address,value)",
    "PROCEDURE": "SUB … SUBEND",
    "SELECT": "IF … ELSEIF …, or ON … GOTO",
}
"""Words that statements begin with."""


def written_here(name: str) -> str:
    """What to do about a name that is a function elsewhere; empty for any other."""
    instead = _INSTEAD.get(name)
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
