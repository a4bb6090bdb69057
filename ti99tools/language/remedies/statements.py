"""What to do about a statement that always fails, as far as its words tell.

The console only says SYNTAX ERROR. The slip shows in the tokens where the console stops. Common
slips are distinguished by `table`, for lint and the dialect.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from ti99tools.base import tokens as t
from ti99tools.base import xberrors as xb
from ti99tools.language.listing.listing import NAME, Element, scan
from ti99tools.language.remedies.patterns import Case, Slip
from ti99tools.language.remedies.table import MISMATCHES, MISSING, SLIPS
from ti99tools.language.syntax import statements as st

_TABLES = {xb.SYNTAX_ERROR: SLIPS, xb.STRING_NUMBER_MISMATCH: MISMATCHES}


def fails_at(statement: st.Statement, tokens: bytes) -> int:
    """The offset of the token at which `statement` fails.

    That of its first token if that is the wrong word, or if the failing one is unknown.
    """
    own = _own(tokens, statement)
    if own and own[0].token == NAME and all(e.token != t.EQUAL for e in own):
        return statement.at
    stopped = statement.fault is not None and statement.end < len(tokens)
    return statement.end if stopped else statement.at


def closes_block(tokens: bytes, end: st.Statement) -> str:
    """What to do about END and the word of a block, as in `END IF`; empty for any other END."""
    following = _own(tokens, end)[1:2]
    word = "".join(e.text if e.token == NAME else t.KEYWORDS.get(e.token, "") for e in following)
    if word in ("SUB", "FUNCTION"):
        return "a SUB ends with SUBEND"
    if word in ("IF", "PROC", "SELECT", "WHILE"):
        return "remove it: blocks are for sources without line numbers"
    return ""


def advice(
    tokens: bytes,
    statement: st.Statement,
    code: int,
    words: Sequence[str] = (),
    subs: Collection[str] = (),
) -> str:
    """What to do about `statement` of a line, which fails with the error `code`.

    `words` are what statements may begin with besides the words of Extended BASIC, `subs` the
    program's own subprograms.
    """
    slip = slip_of(tokens, statement, code, words, subs)
    if slip is not None:
        return slip[1]
    own = _own(tokens, statement)
    if code == xb.IMPROPERLY_USED_NAME and own[1:] and own[0].token == t.FOR:
        return f"count with a number: FOR {own[1].text.rstrip('$')}"
    if code != xb.SYNTAX_ERROR:
        return "correct the statement"
    return "something is missing or wrong in it" if own else MISSING


def slip_of(
    tokens: bytes,
    statement: st.Statement,
    code: int,
    words: Sequence[str] = (),
    subs: Collection[str] = (),
) -> tuple[Slip, str] | None:
    """The slip in a statement that fails, and what to do about it; see `advice`."""
    own = _own(tokens, statement)
    if not own or code not in _TABLES:
        return None
    stop = None
    if statement.fault is not None:
        stop = next((e for e in own if e.start >= statement.end), None)
    return _TABLES[code].first(Case(own, stop, statement.at, words, subs))


def _own(tokens: bytes, statement: st.Statement) -> list[Element]:
    """The elements of the statement, up to the next `::`."""
    own: list[Element] = []
    for element in scan(tokens):
        if element.start >= statement.at:
            if element.token == t.STATEMENT_SEP:
                break
            own.append(element)
    return own
