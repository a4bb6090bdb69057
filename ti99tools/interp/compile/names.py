"""The Python names that a program's names get in generated code."""

from __future__ import annotations

from functools import lru_cache

from ti99tools.source.prescan.symbols import Symbol


def cells_of(symbol: Symbol) -> tuple[str, str]:
    """The two cells of a parameter that stands for an array element: list and position."""
    name = python_of(symbol)
    return f"{name}_list", f"{name}_at"


def python_of(symbol: Symbol) -> str:
    """Its name in generated code: `A`, `A_s` for A$, `A_a`, `A_sa` for arrays, `A_f` …"""
    kind = "f" if symbol.function is not None else "a" if symbol.dimensions else ""
    text = python_name(symbol.name)
    return text + kind if text.endswith("_s") else f"{text}_{kind}" if kind else text


@lru_cache(maxsize=4096)
def python_name(name: str) -> str:
    """A BASIC name as a Python identifier; small letters never occur in BASIC names."""
    string = name.endswith("$")
    body = name[:-1] if string else name
    text = "".join(c if c.isascii() and (c.isupper() or c.isdigit() or c == "_")
                   else f"x{ord(c):02x}" for c in body)  # fmt: skip
    if not text or text[0].isdigit():
        text = f"n{text}"
    return f"{text}_s" if string else text
