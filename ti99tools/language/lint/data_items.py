"""Items of DATA that hold what was meant for the generator or a reader, and READ without DATA.

DATA takes its items as they are written, to the end of the line.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping

from ti99tools.base import tokens as t
from ti99tools.base import xberrors as xb
from ti99tools.language.findings import Noted, Severity, failing
from ti99tools.language.listing.listing import scan
from ti99tools.language.syntax import statements as st
from ti99tools.language.syntax.statements import every_statement

CODE = "data-item"
_COMMENT = re.compile(r"\s!\s+\S")


def data_items(parsed: st.Parsed, constants: Collection[str]) -> Iterator[Noted]:
    """Warnings about items that are not what they seem to be.

    A name of a single letter counts as a text: CONST A=1 says little of DATA A,B,C.
    """
    for number, row in parsed.items():
        for statement in row:
            if not isinstance(statement, st.Data):
                continue
            for text, quoted in statement.items:
                name = text.strip().upper()
                if quoted:
                    continue
                if _COMMENT.search(text):
                    message = f"DATA has no comments: this item is {text.strip()}"
                    remedy = "put the comment on a line of its own"
                elif len(name) > 1 and name in constants:
                    message = f"DATA takes {name} as a text, not as the constant"
                    remedy = "write its value, or the text in quotes"
                else:
                    continue
                yield Noted(CODE, number, statement.at, message, remedy)


def no_data(lines: Mapping[int, bytes], running: st.Parsed) -> Iterator[Noted]:
    """An error for the first READ of a program that has no DATA at all.

    READ finds DATA anywhere in a line, also where no statement of it runs.
    """
    if any(t.DATA in tokens and _has_data(tokens) for tokens in lines.values()):
        return
    for number, row in running.items():
        for statement in every_statement(row):
            if isinstance(statement, st.Read) and statement.fault is None:
                message = failing(xb.DATA_ERROR, "the program has no DATA")
                remedy = "write the lines with DATA"
                yield Noted("no-data", number, statement.at, message, remedy, Severity.ERROR)
                return


def _has_data(tokens: bytes) -> bool:
    """Tell whether DATA stand in a line."""
    return any(element.token == t.DATA for element in scan(tokens))
