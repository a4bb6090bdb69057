"""Options that several commands share, the types of their values, and completion in a shell.

The shell asks with the variable _TI99TOOLS_COMPLETE; docs/commandline.md says how to set it up. An
error during completion offers nothing.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

import click

from ti99tools.base.errors import Place, TIError
from ti99tools.base.hostio import check_output

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from ti99tools.app.run import RunRequest, Wires


class Whole(click.IntRange):
    """A whole number within limits."""

    name = "n"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """The number. Raises BadParameter for one out of range, and for other texts."""
        try:
            number = int(value)
        except ValueError:
            self.fail(f"{value!r} is not a whole number", param, ctx)
        if problem := _beyond(self, number):
            self.fail(problem, param, ctx)
        return number


class Amount(click.FloatRange):
    """A number not below a limit, usually 0."""

    name = "n"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """The number. Raises BadParameter for one out of range, for `nan` and for other texts."""
        try:
            number = float(value)
        except ValueError:
            self.fail(f"{value!r} is not a number", param, ctx)
        if number != number:
            self.fail(f"{value!r} is not a number", param, ctx)
        if problem := _beyond(self, number):
            self.fail(problem, param, ctx)
        return number


def _beyond(limits: click.IntRange | click.FloatRange, number: float) -> str:
    """What is wrong with a number out of range; empty for one within."""
    least, most = limits.min, limits.max
    below = least is not None and (number <= least if limits.min_open else number < least)
    if not below and (most is None or number <= most):
        return ""
    if most is None:
        return f"{number} is not {least} or more"
    words = "above {} and up to {}" if limits.min_open else "from {} to {}"
    return f"{number} is not {words.format(least, most)}"


def games(_ctx: click.Context, _param: click.Parameter, begun: str) -> list[CompletionItem]:
    """Names of games, and folders."""
    from ti99tools.games.making.finding import game_names

    return _or_paths(_items(game_names(), begun), begun, folders=True)


def targets(_ctx: click.Context, _param: click.Parameter, begun: str) -> list[CompletionItem]:
    """Names of games, and files."""
    from ti99tools.games.making.finding import game_names

    return _or_paths(_items(game_names(), begun), begun)


def geometries(_ctx: click.Context, _param: click.Parameter, begun: str) -> list[CompletionItem]:
    """Names of disk geometries that begin like the word typed so far."""
    from ti99tools.media.disk.geometry import GEOMETRIES

    return _items(GEOMETRIES, begun.upper())


def on_image(ctx: click.Context, _param: click.Parameter, begun: str) -> list[CompletionItem]:
    """Names of the files on the image of the same command line."""
    image = ctx.params.get("image") or ctx.params.get("target")
    return _items(_names(image, ctx.params.get("volume") or 1), begun.upper())


def drives(_ctx: click.Context, _param: click.Parameter, begun: str) -> list[CompletionItem]:
    """Drives (`DSK1=`), and files."""
    from ti99tools.hardware.machine.drives import DRIVES

    return _or_paths(_items((f"{drive}=" for drive in DRIVES), begun.upper()), begun)


def _names(image: object, volume: object) -> list[str]:
    from ti99tools.media.disk.image import DiskImage

    if image is None or not isinstance(volume, int) or not Path(str(image)).is_file():
        return []
    try:
        return DiskImage.open(str(image), volume).names()
    except (TIError, OSError):
        return []


def _items(names: Iterable[str], begun: str) -> list[CompletionItem]:
    from click.shell_completion import CompletionItem

    return [CompletionItem(name) for name in names if name.startswith(begun)]


def _or_paths(
    named: list[CompletionItem], begun: str, folders: bool = False
) -> list[CompletionItem]:
    """Names, and files (or only `folders`) that begin with `begun`; without names the shell looks.

    Names and files must come together: Click's script for bash drops the names once bash itself is
    asked to look for files.
    """
    from click.shell_completion import CompletionItem

    if not named:
        return [CompletionItem(begun, type="dir" if folders else "file")]
    try:
        paths = sorted(path for path in Path().iterdir() if not folders or path.is_dir())
    except OSError:
        paths = []
    file_names = (path.name for path in paths if begun or not path.name.startswith("."))
    return [*named, *_items(file_names, begun)]


Command = TypeVar("Command", bound=Callable[..., Any])
MOST_SECONDS = 10_000_000
"""The longest time limit of a run: four months of machine time."""
STDOUT = Path("-")
"""The name of an output file that means standard output."""


def examples(*lines: str) -> str:
    """An epilog for Click that shows each example on its own line."""
    title = "Example:" if len(lines) == 1 else "Examples:"
    return "\n".join(["\b", title, *(f"  {line}" for line in lines)])


class Seconds(Amount):
    """Machine time in seconds: above 0, at most `MOST_SECONDS`."""

    def __init__(self) -> None:
        super().__init__(min=0, min_open=True, max=MOST_SECONDS)


class OutputFile(click.Path):
    """A file to be written; a missing folder is reported before any work.

    With `dash` a `-` is allowed, for standard output. Without it `-` is refused: nobody means a
    file of that name. With `folder` it may be a folder that exists, too.
    """

    def __init__(self, dash: bool = False, folder: bool = False) -> None:
        super().__init__(path_type=Path, allow_dash=dash)
        self.name = "file"
        self._folder = folder

    def convert(
        self, value: Any, _param: click.Parameter | None, _ctx: click.Context | None
    ) -> Path:
        """The path. Raises TIError."""
        path = Path(value)
        if str(value) == str(STDOUT) and not self.allow_dash:
            problem = "- is standard output, and this writes to a file alone"
            raise TIError(problem, remedy="name the file")
        free = (self.allow_dash and path == STDOUT) or (self._folder and path.is_dir())
        if not free:
            check_output(path)
        return path


def output_option(help: str, required: bool = False, **kind: bool) -> Callable[[Command], Command]:
    """Add `-o FILE`, of a `kind` of `OutputFile`."""
    return click.option("-o", "--output", required=required, type=OutputFile(**kind), help=help)


def path_option(
    *names: str, folder: bool = False, exists: bool = False, metavar: str = "", **others: Any
) -> Callable[[Command], Command]:
    """Add an option whose value is a path of any kind, or that of a `folder`."""
    kind = click.Path(exists=exists, file_okay=not folder, path_type=Path)
    shown = metavar or ("DIR" if folder else "FILE")
    return click.option(*names, type=kind, metavar=shown, **others)


def check_ending(path: Path | None, kind: str, ending: str) -> None:
    """Raise TIError when the name of a file to be written has the extension of another kind."""
    if path is not None and path.suffix and path.suffix.lower() != ending:
        problem = f"{path}: what is written is a {kind}"
        raise TIError(problem, remedy=f"end the name in {ending}")


if TYPE_CHECKING:
    Parameter = click.ParamType[Any]
else:
    Parameter = click.ParamType


class Located(str):
    """A value that stands in a file of defaults; `place`, which may take long, tells where."""

    __slots__ = ("place",)

    place: Callable[[], Place]

    @classmethod
    def at(cls, value: str, place: Callable[[], Place]) -> Located:
        """A value and its place."""
        located = cls(value)
        located.place = place
        return located


class DriveFile(Parameter):
    """`[DSKn=]FILE`: a drive (default DSK1) and an image file."""

    name = "file"

    def convert(
        self, value: Any, param: click.Parameter | None, _ctx: click.Context | None
    ) -> tuple[str, Path]:
        """The drive and the file. Raises TIError for an unknown drive, or a missing file name."""
        from ti99tools.hardware.machine.drives import DRIVES

        drive, _, file = str(value).rpartition("=")
        if not drive and file.upper() in DRIVES and not Path(file).exists():
            raise TIError(f"{file}: no file is named", remedy=f"write {file.upper()}=FILE")
        name = (drive or "DSK1").upper()
        if name not in DRIVES:
            known = ", ".join(DRIVES)
            raise TIError(f"{drive}: no drive", remedy=f"drives are {known}: write DSK2=FILE")
        if not file:
            raise TIError(f"{value or name}: no file is named", remedy=f"write {name}=FILE")
        reads = param is not None and param.name == "disks"
        if reads and isinstance(value, Located) and not Path(file).exists():
            problem, remedy = f"{file}: no such file or folder", "make it, or correct this line"
            raise TIError(problem, remedy=remedy, place=value.place())
        return name, Path(file)


class AwaitedText(Parameter):
    """A text to wait for, which must not be empty."""

    name = "text"

    def convert(
        self, value: Any, _param: click.Parameter | None, _ctx: click.Context | None
    ) -> str:
        """The text. Raises TIError."""
        if not value:
            raise TIError("--until has no text", remedy="write --until READY")
        return str(value)


def tell_a_person() -> None:
    """If standard input is a terminal, say that the command waits for an editor."""
    if sys.stdin.isatty():
        click.echo("waiting for an editor on standard input; Ctrl-C ends it", err=True)


json_option = click.option("--json", "as_json", is_flag=True, help="Print data as JSON.")
"""Adds `--json`; the command receives `as_json`."""
replace_option = click.option("--replace", is_flag=True, help="Overwrite what already exists.")
"""Adds `--replace`: files that exist may be overwritten."""


class JoinWidth(Whole):
    """The value of `--join`; 0, which nobody can type, where none is given."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """The number. Raises BadParameter for one out of range, and for other texts."""
        if value == 0 and isinstance(value, int):
            return 0
        if not str(value).isdecimal():
            self.fail(f"{value!r} is not a width; without one, write --join last", param, ctx)
        return super().convert(value, param, ctx)


join_option = click.option(
    "--join",
    type=JoinWidth(min=20, max=254),
    is_flag=False,
    flag_value=0,
    metavar="[N]",
    help="Join lines that are wrapped after N characters (80 and 28 are detected), and rows that "
    "end in ::, THEN, ELSE or .. with the next.",
)
"""Adds `--join [N]`: the width after which a listing's lines are wrapped."""
basic_option = click.option(
    "--basic",
    default="",
    metavar="NAME",
    help="Add the subprograms of a later Extended BASIC: rxb or xb29.",
)
"""Adds `--basic NAME`: the later Extended BASIC that a program is written for."""


def given(*names: str) -> bool:
    """Tell whether any of these parameters is on the command line, not just in the defaults."""
    from click.core import ParameterSource

    source = click.get_current_context().get_parameter_source
    return any(source(name) is ParameterSource.COMMANDLINE for name in names)


def left(name: str) -> bool:
    """Tell whether neither the command line nor a file of defaults sets a parameter."""
    from click.core import ParameterSource

    return click.get_current_context().get_parameter_source(name) is ParameterSource.DEFAULT


MOST_JOBS = max(64, os.cpu_count() or 1)
"""The most worker processes; each takes some 60 MB."""


jobs_option = click.option(
    "--jobs",
    type=Whole(min=1, max=MOST_JOBS),
    default=os.cpu_count() or 1,
    help="Worker processes (default: one a processor).",
)
"""Adds `--jobs N`: worker processes, by default one for each processor."""


def _drive_option(option: str, name: str, help: str) -> Callable[[Command], Command]:
    return click.option(
        option,
        name,
        multiple=True,
        type=DriveFile(),
        shell_complete=drives,
        metavar="[DSKn=]FILE",
        help=help,
    )


disks_option = _drive_option(
    "--disk",
    "disks",
    "Put the image FILE into a drive (default DSK1), or a folder with TI files.",
)
"""Adds `--disk`; the command receives `disks`, for `mounted`."""
saves_option = _drive_option(
    "--save-disk", "saves", "Write the image of a drive (default DSK1) at the end."
)
"""Adds `--save-disk`; the command receives `saves`, for `save_disks`."""


def gathered(
    name: str, make: Callable[[dict[str, Any], dict[str, Any]], object], *options: Any
) -> Callable[[Command], Command]:
    """Add options of which `make` makes one parameter of the command, called `name`.

    `make` gets their values and those of the other parameters, which it may change.
    """

    def add(function: Command) -> Command:
        every = click.Command(None)
        for option in options:
            option(every)
        own = [str(each.name) for each in every.params]

        @wraps(function)
        def command(*arguments: Any, **others: Any) -> Any:
            values = {each: others.pop(each) for each in own}
            made = make(values, others)
            return function(*arguments, **others, **{name: made})

        for option in options:
            command = option(command)
        return cast(Command, command)

    return add


def _wires(values: dict[str, Any], _others: dict[str, Any]) -> Wires:
    from ti99tools.app.run import Wires

    return Wires(**values)


connect_options = gathered(
    "wires",
    _wires,
    path_option("--rs232-in", help="What comes in at RS232."),
    click.option("--rs232", type=OutputFile(), help="Write what is sent to RS232, as bytes."),
    click.option("--pio", type=OutputFile(),
                 help="Write what is printed at PIO, as the bytes that a printer gets."),
    click.option("--replace", is_flag=True,
                 help="Overwrite files; what is recorded replaces what is on the cassettes."),
    path_option("--cs2", metavar="FILE.wav",
                help="The cassette in recorder CS2, which only records."),
    path_option("--cs1", metavar="FILE.wav",
                help="The cassette in recorder CS1; recordings are added at its end."),
)  # fmt: skip
"""Adds cassettes, PIO and RS232; the command receives `wires`, not yet connected."""


def _request(values: dict[str, Any], others: dict[str, Any]) -> RunRequest:
    from ti99tools.app.run import RunRequest

    if names_cartridge(others["target"]):
        values |= {"seed": None, "basic": ""}
        if not given("program"):
            values["program"] = None
        others |= {name: value for name, value in _LEFT_OUT.items() if name in others}
    return RunRequest(**values)


asked_options = gathered(
    "request",
    _request,
    click.option("--seed", type=Whole(min=0),
                 help="Answer a game's question for its seed; keys then wait to be asked for."),
    disks_option,
    click.option("--max-seconds", type=Seconds(), default=600.0,
                 help="Seconds of machine time after which it ends (default 600)."),
    click.option("--until", type=AwaitedText(), metavar="TEXT",
                 help="Stop when TEXT is on the screen."),
    path_option("--script", help="A key script; `ti99tools run --help` lists its steps."),
    click.option("--keys", metavar="TEXT",
                 help=r"Keys to type in order; \n is ENTER, \\ a backslash."),
    click.argument("program", required=False, shell_complete=on_image),
    basic_option,
)  # fmt: skip
"""Adds what `session_options` adds, except TARGET; the command has a parameter `target`."""


def session_options(function: Command) -> Command:
    """Add TARGET and the options of a run; the command receives `target` and `request`."""
    return click.argument("target", shell_complete=targets)(asked_options(function))


_BASIC_ONLY = {
    "seed": ("--seed answers a game in Extended BASIC", "type the answer: --keys"),
    "basic": ("a cartridge runs without BASIC", "leave out --basic"),
    "coverage": ("--coverage counts statements of Extended BASIC", "run the source"),
    "randomize": ("--randomize is for RANDOMIZE of Extended BASIC", "run the source"),
    "show_code": ("--show-code is for Extended BASIC", "ti99tools compile SOURCE --show asm"),
    "code": ("--code is for what CALL LINK runs", "leave it out: the lines are shown"),
}
"""Parameter that only Extended BASIC has → what to say of it with a cartridge, and the remedy."""
_LEFT_OUT: dict[str, Any] = {"coverage": (), "randomize": None}
"""Their values where a project's defaults set them."""


def names_cartridge(target: str | None) -> bool:
    """Tell whether a target is a file with a cartridge; most files are told by their start.

    Raises TIError for options of Extended BASIC on the command line; a project's defaults of them
    do not matter to a cartridge.
    """
    from ti99tools.language.program.hostfile import is_cartridge_at

    if target is None or not is_cartridge_at(Path(target)):
        return False
    for name, (problem, remedy) in _BASIC_ONLY.items():
        if given(name):
            value = click.get_current_context().params.get(name)
            raise TIError(problem.format(value=value), remedy=remedy)
    return True


def print_json(data: Any) -> None:
    """Print `data` as indented JSON on standard output."""
    import json

    click.echo(json.dumps(data, indent=2, ensure_ascii=False))


def print_rows(rows: Sequence[str]) -> None:
    """Print the rows of a screen; if not on a terminal, without blank rows above and below."""
    visible = [row.rstrip() for row in rows]
    if not sys.stdout.isatty():
        full = [at for at, row in enumerate(visible) if row]
        visible = visible[full[0] : full[-1] + 1] if full else []
    for row in visible:
        click.echo(row)
