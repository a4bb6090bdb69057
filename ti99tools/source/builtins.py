"""Subprograms that Extended BASIC v110 has built in: what CALL finds without a SUB."""

SUBPROGRAMS = frozenset({
    "CHAR", "CHARPAT", "CHARSET", "CLEAR", "COINC", "COLOR", "DELSPRITE", "DISTANCE", "ERR",
    "GCHAR", "HCHAR", "INIT", "JOYST", "KEY", "LINK", "LOAD", "LOCATE", "MAGNIFY", "MOTION",
    "PATTERN", "PEEK", "POSITION", "SAY", "SCREEN", "SOUND", "SPGET", "SPRITE", "VCHAR",
    "VERSION",
})  # fmt: skip
