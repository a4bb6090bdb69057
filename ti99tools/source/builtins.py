"""Subprograms that Extended BASIC v110 has built in: what CALL finds without a SUB.

Their arguments as patterns: `v` is a value or variable, `h` a sprite's `#number`, `a` the word ALL.
Any other CALL of them is a SYNTAX ERROR when it runs.
"""

import re

_SHAPES = {
    "CHAR": ("(vv)+", "code,pattern,…"),
    "CHARPAT": ("(vv)+", "code,pattern,…"),
    "CHARSET": ("", ""),
    "CLEAR": ("", ""),
    "COINC": ("av|hhvv|hvvvv", "#sprite,#sprite,tolerance,hit"),
    "COLOR": ("(vvv)+|(hv)+", "set,foreground,background,… or #sprite,color,…"),
    "DELSPRITE": ("h+|a", "#sprite,… or ALL"),
    "DISTANCE": ("hhv|hvvv", "#sprite,#sprite,square"),
    "ERR": ("vv(vv)?", "code,type,severity,line"),
    "GCHAR": ("vvv", "row,column,code"),
    "HCHAR": ("vvvv?", "row,column,code,times"),
    "INIT": ("", ""),
    "JOYST": ("vvv", "unit,x,y"),
    "KEY": ("vvv", "unit,code,status"),
    "LOCATE": ("(hvv)+", "#sprite,row,column,…"),
    "MAGNIFY": ("v", "factor"),
    "MOTION": ("(hvv)+", "#sprite,row velocity,column velocity,…"),
    "PATTERN": ("(hv)+", "#sprite,code,…"),
    "POSITION": ("(hvv)+", "#sprite,row,column,…"),
    "SCREEN": ("v", "color"),
    "SOUND": ("vvv(vv){0,3}", "duration,frequency,volume,…"),
    "SPGET": ("(vv)+", "word,code,…"),
    "SPRITE": ("(hvvvv(vv)?)+", "#sprite,code,color,row,column,…"),
    "VCHAR": ("vvvv?", "row,column,code,times"),
    "VERSION": ("v", "number"),
}
"""Name → its arguments as a pattern, and for people."""
SUBPROGRAMS = frozenset({*_SHAPES, "LINK", "LOAD", "PEEK", "SAY"})


def wanted_instead(name: str, kinds: str) -> str:
    """How to CALL a built-in subprogram instead of with arguments of these `kinds`.

    Empty when it takes them, or when what it takes is not known here.
    """
    pattern, shape = _SHAPES.get(name, (".*", ""))
    if re.fullmatch(pattern, kinds):
        return ""
    return f"write CALL {name}({shape})" if shape else f"write CALL {name}"
