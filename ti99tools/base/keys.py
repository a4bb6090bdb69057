"""Key codes of the TI-99/4A keyboard as Extended BASIC sees them (CALL KEY unit 0 and 5).

Source: the user's reference guide's keyboard map, confirmed by the recorded key cases.
"""

from __future__ import annotations

AID, CLEAR, DELETE, INSERT, QUIT, REDO, ERASE = 1, 2, 3, 4, 5, 6, 7
LEFT, RIGHT, DOWN, UP, PROCEED, ENTER, BEGIN, BACK = 8, 9, 10, 11, 12, 13, 14, 15

NAMES: dict[str, int] = {
    "AID": AID, "CLEAR": CLEAR, "DEL": DELETE, "INS": INSERT, "QUIT": QUIT, "REDO": REDO,
    "ERASE": ERASE, "LEFT": LEFT, "RIGHT": RIGHT, "DOWN": DOWN, "UP": UP,
    "PROCEED": PROCEED, "ENTER": ENTER, "BEGIN": BEGIN, "BACK": BACK,
}  # fmt: skip
"""Names used in key scripts (`press NAME`) → key code."""
