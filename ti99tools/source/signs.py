"""Characters that no program line takes where they stand, and what to do about each."""

from __future__ import annotations

LAST_CODE = 255
"""The last character code that a byte of a program holds."""

ANYWHERE = "remove it or put it into quotes"
"""What to do about any other character."""
_FOREIGN = {
    "?": "write PRINT instead of ?",
    "'": 'write " around a text, ! before a comment',
    "%": "leave it out: all numbers are of one kind; the rest of a division is A-INT(A/B)*B",
    "|": "write OR instead of ||",
    "{": "write ( instead of {",
    "}": "write ) instead of }",
    "’": 'write " around a text, ! before a comment',
    "−": "write - instead of −",
    "–": "write - instead of –",
    "×": "write * instead of ×",
    "÷": "write / instead of ÷",
    "↑": "write ^ instead of ↑",
    "≠": "write <> instead of ≠",
    "≤": "write <= instead of ≤",
    "≥": "write >= instead of ≥",
}
"""What to do about signs of other BASICs, of typesetters and of word processors."""


def instead_of(char: str) -> str:
    """What to do about a character that no program line takes where it stands."""
    if char == "\t":
        return "replace the tab by blanks"
    if char in "“”„":
        return f'write " instead of {char}'
    if char in _FOREIGN:
        return _FOREIGN[char]
    if ord(char) > LAST_CODE:
        return f"the console has no {char}: write something else"
    return ANYWHERE
