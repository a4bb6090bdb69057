"""A group that suggests commands for misspelt ones, and remedies in the command line's words."""

from __future__ import annotations

import click

from ti99tools.base.errors import Advice, Remedy, TIError, near

_OPTIONS = {"version": "--version", "help": "--help"}
"""Options that other tools have as commands."""


class CommandGroup(click.Group):
    """Click's group; the message about an unknown command suggests a similar one."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As click does, but with a suggestion for an unknown command."""
        name = args[0]
        if self.get_command(ctx, name) is None and not name.startswith("-"):
            meant = _OPTIONS.get(name) or near(name, self.list_commands(ctx))
            ctx.fail(f"no command {name}" + (f"; did you mean {meant}?" if meant else ""))
        return super().resolve_command(ctx, args)


WORDS: dict[Remedy, str] = {
    Remedy.ADD_TO_DISK: "`ti99tools disk new` puts it on one, `ti99tools list` shows a program",
    Remedy.ADD_ROMS: "add --roms DIR",
    Remedy.BUILD_DISK: "`ti99tools build {folder} --out DIR` makes the disk of this game",
    Remedy.BUILD_DRIVER: "its driver has to be built: `ti99tools hosts --build ti99sim "
    "--source FOLDER` (docs/prove.md)",
    Remedy.CARD_FORM: "convert the disk with --form cf7, which enlarges it",
    Remedy.CHECK_DISK: "`ti99tools disk check` tells more, `disk repair` may fix it",
    Remedy.CHECK_HOST: "`ti99tools hosts --check {host}` looks further",
    Remedy.CHECK_LOG: "`ti99tools verify --log FILE` checks it",
    Remedy.CHECK_ROMS: "check --roms",
    Remedy.CHOOSE_CASES: "look at --area and --id",
    Remedy.DAMAGED_BLOCKS: "record it again, louder or from another player; "
    "--damaged keeps what could be read",
    Remedy.DISK_FOR_DRIVE: "give one with --disk {drive}=FILE",
    Remedy.FEWER_WORKERS: "start it again; --jobs 1 takes the least memory",
    Remedy.FORCE: "`ti99tools disk convert --force` keeps what could be read",
    Remedy.FORCE_OR_GEOMETRY: "give the disk a larger geometry first (--geometry), or drop the "
    "data (--force)",
    Remedy.FORM: "use --form {form}",
    Remedy.GET_FILES: "`ti99tools disk get` takes files off a disk",
    Remedy.INSTALL_NPM: "install Node.js 20 or newer, which brings npm",
    Remedy.INSTALL_PLAY: "pip install 'ti99tools[play]', or play with --terminal",
    Remedy.LIST_TAPE: "`ti99tools tape list` shows what is on it",
    Remedy.LIST_FILES: "`ti99tools disk ls` lists the files",
    Remedy.JOIN: "if its lines are wrapped after {width} characters, "
    "`ti99tools generate FILE --join {width} -o NEW.bas` joins them",
    Remedy.LABELLED: "write {label}; if the source is one for xbas99, "
    "`ti99tools generate --from xbas99 FILE -o NEW.bas` reads it",
    Remedy.LIST_OR_TIFILES: "`ti99tools list` shows a program, `disk get --form listing` gets one; "
    "--form tifiles takes any file",
    Remedy.LOAD_CODE: "`ti99tools disk add` puts it on a disk, from where CALL LOAD reads it",
    Remedy.LONGER_RECORDS: "break the line or use --recl N (at most 254, FIXED 255)",
    Remedy.NAME_FILE: "use --name NAME: {rule}",
    Remedy.NAME_WITH_SLASH: "use --name {name}",
    Remedy.NAME_ROMS: "no folder of ROM dumps is named (--roms DIR, TI99_ROMS, or the config file)",
    Remedy.NEW_DISK: "`ti99tools disk new` makes a new one",
    Remedy.NEW_GAME: "give the folder of a game; `ti99tools new NAME` makes one",
    Remedy.NPM_OFFLINE: "npm has to reach its registry once; or give a folder with --modules",
    Remedy.NOT_TEXT: "leave out --form text",
    Remedy.NO_RECORDS: "it has only programs: leave out --form records",
    Remedy.NO_SEED: "leave out --seed",
    Remedy.NO_SPACES: "write it without spaces: one ends the operands, unless --relaxed is given",
    Remedy.NO_VOLUME: "leave out --volume",
    Remedy.NO_VOLUMES: "leave out --volumes",
    Remedy.ONLY_FIRST: "leave out some, or put only the first into the menu: --first",
    Remedy.OTHER_FOLDER: "choose another folder with --out",
    Remedy.PLAYERS: "change --players",
    Remedy.PROVE_CERTIFICATE: "add --log FILE, or GAME with --seed N and --keys TEXT",
    Remedy.READ_TAPE: "`ti99tools tape read` makes a file of what is on it",
    Remedy.RECORDS: "use --form records",
    Remedy.RECORD: "record it: --host ti99sim --record FILE",
    Remedy.RECORD_LENGTH: "give the right length with --recl",
    Remedy.REPAIR_DISK: "`ti99tools disk repair` may fix it",
    Remedy.REPLACE: "choose another name or use --replace",
    Remedy.REPLACE_VOLUME: "choose another volume or use --replace",
    Remedy.RESHAPE: "give the disk {geometry} first with `disk convert --geometry`",
    Remedy.RUN_CARTRIDGE: "`ti99tools run {path}` runs it; its source is another file",
    Remedy.SHOW_DISK: "`ti99tools disk ls` shows what is on it, `disk show` a program",
    Remedy.SHOW_PROGRAM: "`ti99tools list` shows the program in a file",
    Remedy.TAKE_AS_TEXT: "use --form text if it is a text",
    Remedy.TERMINAL: "play with --terminal, or without a screen: `ti99tools run`",
    Remedy.TEXT_OR_RAW: "use --form text or --form raw",
    Remedy.TYPE: "give its type: `ti99tools disk add IMAGE FILE --type PROGRAM`, or DIS/VAR, …",
    Remedy.UNIT: "choose one with --unit N (`ti99tools tape list` shows them)",
    Remedy.UNPROTECT_DISK: "`ti99tools disk protect IMAGE --disk --off` allows changes",
    Remedy.UNPROTECT_FILE: "`ti99tools disk protect --off` allows changes",
    Remedy.VIRTUAL_HOST: "use --host virtual",
    Remedy.VOLUME: "choose one from 1 to {count} with --volume",
    Remedy.WINDOW: "leave out --terminal, or use `ti99tools run`",
}


def worded(text: str) -> str:
    """A remedy in the command line's words; a plain text stays as it is."""
    return WORDS[text.meaning].format(**text.fields) if isinstance(text, Advice) else text


def message_of(error: TIError) -> str:
    """An error in one line, its remedy in the command line's words."""
    return error.with_wording(worded(error.remedy))
