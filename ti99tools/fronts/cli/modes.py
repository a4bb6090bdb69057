"""Commands that do one of several things: which one is asked for, and the options that go with it.

The parameters of a mode's function say which options the mode takes; any other one that is on the
command line is refused, since it would have no effect. Defaults from a file are for all modes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from inspect import signature
from typing import Any, NoReturn

import click

from ti99tools.base.errors import TIError
from ti99tools.fronts.cli.options import given

EVERYWHERE = frozenset({"jobs", "replace"})
"""Parameters that every mode may have: where nothing is written, they do no harm."""


@dataclass(frozen=True)
class Mode:
    """One of the things that a command does.

    `run` does it and returns the exit code. `asks` is the parameter that asks for it, "" for what
    the command does otherwise; with `value`, only that value of the parameter does. `reasons` are
    parameters that it does not take, and why.
    """

    run: Callable[..., int]
    asks: str = ""
    value: str = ""
    reasons: Mapping[str, str] = field(default_factory=dict)

    @property
    def takes(self) -> frozenset[str]:
        """The names of its parameters."""
        return frozenset(signature(self.run).parameters)

    def is_asked(self, values: Mapping[str, Any]) -> bool:
        """Tell whether the values of all parameters ask for this."""
        value = values[self.asks] if self.asks else True
        return value == self.value if self.value else value not in (None, False, ())

    def title(self, context: click.Context) -> str:
        """The words on a command line that ask for it."""
        return f"{_flag(context, self.asks)} {self.value}".strip()


def run_mode(modes: Sequence[Mode], values: Mapping[str, Any]) -> int:
    """Do what the parameters of the current command ask for; the exit code.

    The first mode that is asked for counts. Raises TIError for an option that it does not take.
    """
    mode = next(mode for mode in modes if mode.is_asked(values))
    takes = mode.takes
    fitting = takes | EVERYWHERE | {mode.asks}
    for name in values:
        if name not in fitting and given(name):
            _refuse(name, mode, modes)
    return mode.run(**{name: values[name] for name in takes})


def _refuse(name: str, mode: Mode, modes: Sequence[Mode]) -> NoReturn:
    context = click.get_current_context()
    flag = _flag(context, name)
    if mode.asks:
        problem = mode.reasons.get(name, f"{flag} does not go with {mode.title(context)}")
        raise TIError(problem, remedy=f"leave out {flag}")
    other = next(other for other in modes if name in other.takes)
    parameter = _parameter(context, other.asks)
    words = other.title(context)
    if isinstance(parameter, click.Option) and parameter.metavar and not other.value:
        words = f"{words} {parameter.metavar}"
    raise TIError(f"{flag} goes with {other.title(context)}", remedy=f"add {words}")


def _flag(context: click.Context, name: str) -> str:
    """A parameter as it is written; an argument by what stands in its usage."""
    parameter = _parameter(context, name)
    if isinstance(parameter, click.Option):
        return parameter.opts[-1]
    return parameter.make_metavar(context).strip("[].")


def _parameter(context: click.Context, name: str) -> click.Parameter:
    return next(each for each in context.command.params if each.name == name)
