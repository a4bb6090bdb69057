"""The table of the debugger's text commands: names, arguments, what each does, and examples."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ti99tools.base.errors import TIError, suggestion


@dataclass(frozen=True, slots=True)
class Command:
    """A command: its arguments, its action, its other names."""

    name: str
    takes: str
    does: str
    others: tuple[str, ...] = ()


COMMANDS = (
    Command("step", "", "go to the next statement", ("s",)),
    Command("next", "", "the same, but GOSUB and CALL run as a whole", ("n", "over")),
    Command("out", "", "go on until the subroutine or SUB is left", ("finish",)),
    Command("continue", "", "go on to the next breakpoint, watch, or the end", ("c", "run")),
    Command("back", "[over|out|continue]", "the same four, backwards", ("bk",)),
    Command("restart", "", "go back to the first statement"),
    Command(
        "break",
        "[PLACE] [if EXPRESSION]",
        "stop at game.xb:12, :12 (a line of the source) or 120 (a line number of the program); "
        "without a PLACE here",
        ("b",),
    ),
    Command("delete", "[NUMBER]", "remove a breakpoint, or all", ("d",)),
    Command("watch", "EXPRESSION", "stop when its value changes", ("w",)),
    Command("unwatch", "EXPRESSION", "stop watching it"),
    Command("points", "", "list breakpoints and watches", ("info",)),
    Command("print", "EXPRESSION", "show a value", ("p", "?")),
    Command("set", "NAME=EXPRESSION", "set a variable, now and in each run that comes here"),
    Command("vars", "[NAME…]", "show variables, of arrays what is not 0 or empty", ("v",)),
    Command("where", "", "show the stack", ("stack", "bt")),
    Command("list", "[PLACE]", "show the source", ("l",)),
    Command("screen", "", "show the screen"),
    Command("type", "KEYS", "give keys; \\n is ENTER", ("keys",)),
    Command("wait", "FRAMES", "go on for so many frames (60 a second)"),
    Command("peek", "ADDRESS [COUNT]", "show bytes of memory: peek A000 16"),
    Command("cpu", "", "show PC, WP, ST and the registers of machine code", ("registers",)),
    Command("help", "[COMMAND]", "show this", ("h",)),
    Command("quit", "", "leave", ("q", "exit")),
)
MORE = {
    "step": "A statement ends at :: or at the end of its line.",
    "next": "What a GOSUB, a CALL or a function of DEF does is one step.",
    "out": "Steps to what follows the GOSUB or the CALL.",
    "continue": "Ctrl-C stops a running program.",
    "back": "Examples: back, back over, back out, back continue.",
    "restart": "The keys that were given are given again.",
    "break": "Examples: break, break :12, break game.xb:12 if X>3, break 120.",
    "delete": "Examples: delete 1, delete.",
    "watch": "Examples: watch BEST, watch A(I)>3.",
    "unwatch": "Example: unwatch BEST.",
    "points": "Their numbers are those that delete takes.",
    "print": "Examples: print X, print A(I+1), print N$.",
    "set": 'Examples: set X=5, set A(2)=X+1, set N$="BOB".',
    "vars": "Examples: vars, vars N$ A.",
    "where": "The innermost GOSUB or SUB comes first.",
    "list": "Examples: list, list :12, list 120.",
    "screen": "As it is now, 24 rows of 32 columns.",
    "type": "Example: type BOB\\n",
    "wait": "Example: wait 60. A breakpoint or a watch may come before.",
    "peek": "Examples: peek A000, peek >8348 2. The address is hexadecimal.",
    "cpu": "Those of the workspace in use: of a cartridge, or of what LINK runs.",
    "help": "Examples: help, help break.",
    "quit": "So does the end of the input.",
}
"""What `help COMMAND` adds."""


def command_named(word: str) -> Command:
    """The command by its name, another name, or a prefix of only one. Raises TIError."""
    word = word.lower()
    for command in COMMANDS:
        if word == command.name or word in command.others:
            return command
    fitting = [command for command in COMMANDS if command.name.startswith(word)]
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        names = " or ".join(command.name for command in fitting)
        raise TIError(f"{word} may be {names}", remedy="write more of it")
    remedy = suggestion(word, _names(), "help lists the commands")
    raise TIError(f"no command {word}", remedy=remedy)


def _names() -> Iterator[str]:
    for command in COMMANDS:
        yield from (command.name, *command.others)
