"""Functions of other BASICs that Extended BASIC takes for arrays, and what to write instead.

Listings of other machines have them. Here `LEFT$(A$,3)` is an element of an array: no error says
that the function is not there.
"""

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


def written_here(name: str) -> str:
    """What to do about a name that is a function elsewhere; empty for any other."""
    instead = _INSTEAD.get(name)
    return f"Extended BASIC has no {name}: write {instead}" if instead else ""
