"""A game's downloads as one ZIP archive: disks, cartridge, manual, page, proof, pictures.

The same game gives the same bytes. Whatever cannot be made is left out, and README.txt in the
archive says why.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path, PurePosixPath
from textwrap import wrap

from ti99tools import __version__
from ti99tools.app.build import with_fast_disk
from ti99tools.app.compiled_disk import compiled_game
from ti99tools.app.machine_code import initializes
from ti99tools.app.manual_page import Picture, manual_page
from ti99tools.base.basic import SOURCES
from ti99tools.base.decoding import decode
from ti99tools.base.errors import SourceError, TIError
from ti99tools.base.hostio import MANIFEST
from ti99tools.base.inputs import Inputs, read_regular, watch_reading
from ti99tools.base.packed import zipped
from ti99tools.computer.console.keyscript import Asked, Snap, Step, Wait
from ti99tools.computer.console.player import LONGEST_LOOP, Reason, ScriptPlayer
from ti99tools.computer.console.session import Console
from ti99tools.games.making.artefacts import Built, disk_artefacts
from ti99tools.games.making.finding import find_game
from ti99tools.games.making.keeping import kept_game
from ti99tools.games.making.manifest import Manifest
from ti99tools.games.making.scaffold import smallest_manifest
from ti99tools.games.report.html import About, page
from ti99tools.games.verify.adapter import BLANK_SEED, TROUBLE, WARM_UP, Adapter
from ti99tools.games.verify.campaign import Campaign
from ti99tools.games.verify.loading import adapter_of, blaming, modules_in
from ti99tools.games.verify.result import Verdict
from ti99tools.games.verify.scenario import Scenario, key_steps, make
from ti99tools.games.verify.subject import subject_of
from ti99tools.hardware.render.picture import png
from ti99tools.language.listing.laterprofiles import profile_of
from ti99tools.language.program.judgement import outgrows_console
from ti99tools.language.program.program import Program
from ti99tools.media.disk.image import DiskImage
from ti99tools.media.disk.tifile import FileType

_WIDTH = 76
"""Columns of README.txt."""
_MANY = 4
"""The number of files of a kind from which README.txt shows a pattern instead of names."""
_PACKED = (".png", ".gif")
"""Extensions of files that deflate does not make smaller."""
TO_TITLE, TO_END = 300.0, 20_000.0
"""Limits in seconds of machine time: until the title, and for a match that is pictured."""
SETTLED = 240
"""Frames from the first look for a key until the title is complete."""
MOMENTS = ((0.25, "begin"), (0.6, "match"), (1.0, "late"))
"""Fractions of a match's keys after which pictures are taken, and the pictures' names."""
_TITLES = {
    "title": "The title",
    "begin": "A match begins",
    "match": "In the middle of it",
    "late": "It is nearly over",
    "end": "The end",
}
_LOOKED = 60
"""How many scenarios are tried for the pictures."""
_SPECIAL = {WARM_UP, TROUBLE, BLANK_SEED}
_QUIET = ("steady", "computer")
"""Kinds of players whose matches look like those of people."""

Play = Callable[[str, str, str, Mapping[str, str]], bytes]
"""Makes the page that plays a game from its name, title, main source and files. Raises TIError."""


@dataclass
class Package:
    """A game's files by their path in the archive, and why others are missing."""

    manifest: Manifest
    files: dict[str, bytes] = field(default_factory=dict)
    left_out: dict[str, str] = field(default_factory=dict)
    expansion: bool = False
    """A program on the disk needs the 32K memory expansion."""
    verdict: Verdict | None = None

    @property
    def name(self) -> str:
        """The archive's name without extension, and the folder in it: `dice-rack-1.0`."""
        title = re.sub(r"[^a-z0-9]+", "-", self.manifest.title.lower()).strip("-")
        version = re.sub(r"[^A-Za-z0-9._-]", "-", self.manifest.version)
        return f"{title or self.manifest.game}-{version}"

    def zipped(self) -> bytes:
        """The bytes of the ZIP archive."""
        files = self.files | {"README.txt": readme(self).encode()}
        return zipped({f"{self.name}/{path}": files[path] for path in sorted(files)}, _PACKED)


@dataclass(frozen=True)
class PackagedGame:
    """A built game, and the files it was made from."""

    built: Built
    inputs: Inputs

    @property
    def manifest(self) -> Manifest:
        """The game.toml of the game, as it was built."""
        return self.built.manifest


def proposed(name: str) -> tuple[Path, str] | None:
    """The path and text of a game.toml for a folder that has none, but a single source.

    None for anything else.
    """
    folder = Path(name).expanduser()
    if not folder.is_dir() or (folder / MANIFEST).exists():
        return None
    sources = [path.name for path in folder.iterdir() if path.suffix.lower() in SOURCES]
    return (folder / MANIFEST, smallest_manifest(sources[0])) if len(sources) == 1 else None


def build_by_name(name: str) -> PackagedGame:
    """Build a game, by name or folder. Raises TIError."""
    with watch_reading() as inputs:
        built = kept_game(find_game(name))
    return PackagedGame(built, inputs)


def put_disks(package: Package, game: PackagedGame) -> None:
    """Add the disk, and if possible the fast disk, each as a sector image and as HFE."""
    package.expansion = any(
        outgrows_console(program) or initializes(program) for program in _programs(game.built)
    )
    artefacts = list(disk_artefacts(game.built.name, game.built.image))
    try:
        fast = with_fast_disk(game.built)
    except TIError as error:
        package.left_out["the fast disk"] = _first(error)
    else:
        assert fast.fast is not None
        artefacts += disk_artefacts(fast.fast_name, fast.fast)
    package.files |= {f"disks/{each.name}": each.data for each in artefacts}


def _programs(built: Built) -> Iterator[Program]:
    """The game's program, and others on its disk."""
    yield built.program
    for file in built.files:
        if file.type is not FileType.DIS_VAR and file.name != built.manifest.program:
            yield Program.from_file(file)


def put_compiled(package: Package, game: PackagedGame) -> None:
    """Add the compiled program: cartridges if it compiles, disks if it fits into the 32K."""
    profile = profile_of(game.manifest.basic)
    if profile is not None:
        package.left_out["a cartridge"] = f"{profile.title} is not compiled"
        return
    try:
        made = compiled_game(game.manifest)
    except TIError as error:
        more = len(error.others) if isinstance(error, SourceError) else 0
        reason = f"{error.problem}; and {more} more" if more else error.problem
        package.left_out["a cartridge"] = reason
        return
    package.files |= {f"cartridge/{each.name}": each.data for each in made.cartridges}
    package.files |= {f"compiled/{each.name}": each.data for each in made.disks}
    if made.no_disks:
        package.left_out["disks of the compiled program"] = made.no_disks


def put_pictures(package: Package, game: PackagedGame) -> list[Picture]:
    """Add pictures of the title, and of a match if there is a model to play it; returns them."""
    adapter = adapter_of(game.manifest) if game.manifest.model else None
    pictures, why = _taken(game, [Asked(), Wait(SETTLED), Snap("title")], TO_TITLE)
    if why:
        package.left_out["a picture of the title"] = why
    if adapter is not None and not game.manifest.basic:
        of_match, why = _of_match(game, adapter)
        pictures += of_match
        if why:
            package.left_out[f"{'more ' if of_match else ''}pictures of a match"] = why
    package.files |= {f"pictures/{each.name}": each.png for each in pictures}
    return pictures


def put_manual(package: Package, game: PackagedGame, pictures: Sequence[Picture]) -> None:
    """Add the manual with pictures. Raises TIError for a picture in it that cannot be used."""
    if not game.manifest.manual_path.is_file():
        package.left_out["a manual"] = f"there is no {game.manifest.manual_path.name}"
        return
    package.files["manual.html"] = manual_page(game.manifest, pictures)


def campaign_of(game: PackagedGame, matches: int, jobs: int) -> Campaign | str:
    """What proves the game, or why nothing does. Raises TIError for a broken model."""
    if not game.manifest.model:
        return "there is no model of its rules"
    if game.manifest.basic:
        return f"it is written for {game.manifest.basic}, which nothing proves"
    return Campaign(subject_of(game.manifest), matches=matches, jobs=jobs)


def put_proof(package: Package, verdict: Verdict) -> None:
    """Add the report of a verdict, which must be without differences."""
    # Host times would make the bytes of each archive different.
    package.verdict = replace(verdict, wall_seconds=0.0)
    package.files["proof.html"] = page([package.verdict], About(when=None)).encode()


def put_page(package: Package, game: PackagedGame, play: Play) -> None:
    """Add the page that plays the game, made by `play` with its sources inside."""
    manifest = game.manifest
    try:
        files = sources_of(game)
        data = play(manifest.game, manifest.title, manifest.source, files)
    except TIError as error:
        package.left_out["a page that plays it"] = _first(error)
    else:
        package.files["play.html"] = data


def sources_of(game: PackagedGame) -> dict[str, str]:
    """The texts that the game is made from, by name: sources, manual, model, adapter.

    Raises TIError for one that is not directly in the game's folder: the page looks nowhere else.
    """
    from ti99tools.games.making.finding import games_root

    manifest = game.manifest
    folder, shared = manifest.folder.resolve(), games_root().resolve()
    paths = {folder / MANIFEST}
    paths |= {Path(file).resolve() for file, texts in game.inputs.files.items() if texts}
    if manifest.model:
        adapter_of(manifest)
        files = (getattr(module, "__file__", None) for module in list(sys.modules.values()))
        loaded = {Path(file).resolve() for file in files if file}
        # A virtual environment in the folder, perhaps with ti99tools, is not part of the game.
        paths |= loaded.intersection(path.resolve() for path in modules_in(folder))
    texts = {}
    for path in sorted(path for path in paths if path.is_file()):
        if path.parent == folder:
            texts[path.name] = decode(read_regular(path))
        # The page already contains the library.
        elif not path.is_relative_to(shared):
            problem = f"it has parts outside of its folder: {path.name}"
            raise TIError(problem, remedy=f"put {path.name} beside {MANIFEST}")
    return texts


def _of_match(game: PackagedGame, adapter: Adapter) -> tuple[list[Picture], str]:
    """Pictures of a match, and why some are missing (empty if none are)."""
    with blaming(adapter):
        scenario = _scenario(adapter)
        steps = [] if scenario is None else list(_match(adapter, scenario))
    if not steps:
        return [], f"none of {_LOOKED} matches comes to an end"
    return _taken(game, steps, TO_END)


def _taken(game: PackagedGame, steps: Sequence[Step], seconds: float) -> tuple[list[Picture], str]:
    """The pictures at the snaps named in `_TITLES`, and why there are no more (empty if complete).

    The session runs for at most `seconds` of machine time.
    """
    disk = DiskImage.from_bytes(game.built.image.to_bytes())
    console = Console({"DSK1": disk}, max_seconds=seconds, basic=game.manifest.basic)
    player = ScriptPlayer(console, seconds)
    seen: list[Picture] = []
    missed: list[str] = []

    def take(name: str) -> None:
        if name not in _TITLES:
            return  # an adapter may take others
        data = png(console.machine.picture().vdp())
        if all(data != each.png for each in seen):
            seen.append(Picture(f"{name}.png", _TITLES[name], data))

    def nobody_waits() -> bool:
        """Tell whether the program looks for no input: it may have ended, or be looping."""
        return player.asked_in[-1:] == [()] and not _looks_at_sticks(console)

    def to_be_done() -> Iterator[Step]:
        for step in steps:
            if isinstance(step, Snap) and step.name in _TITLES and nobody_waits():
                missed.append(step.name)
                return
            yield step

    player.when_snapped = take
    console.boot()
    # A step that cannot be done ends the pictures, not the package.
    end = player.follow(to_be_done())
    if not (missed or (end.reason is Reason.LATE and nobody_waits())):
        return seen, str(end)
    if not console.running:
        return seen, "the program ended"
    more = "no longer" if any(player.asked_in) else "never"
    return seen, f"the game {more} waits for a key"


def _looks_at_sticks(console: Console) -> bool:
    """Tell whether a running program scans a joystick; lets a moment of machine time pass."""
    keyboard = console.machine.keyboard
    scans = keyboard.stick_scans
    if console.running:
        console.wait(LONGEST_LOOP)
    return keyboard.stick_scans > scans


def _scenario(adapter: Adapter) -> Scenario | None:
    """A whole match without special options, by steady players where there is one."""
    best = None
    for seed in range(_LOOKED):
        scenario, log = make(adapter, seed)
        known = (*_QUIET, *adapter.players)
        if scenario.setup.options.keys() & _SPECIAL or not (log.complete and scenario.keys):
            continue
        if all(name in known for name in scenario.policies):
            return scenario
        best = best or scenario
    return best


def _match(adapter: Adapter, scenario: Scenario) -> Iterator[Step]:
    yield from adapter.opening(scenario.setup)
    keys, done = scenario.keys, 0
    for share, name in MOMENTS:
        upto = min(int(share * len(keys)), len(keys) - 1)
        yield from key_steps(keys[done:upto])
        yield from (Asked(), Snap(name))
        done = upto
    yield from key_steps(keys[done:])
    yield from adapter.closing()


def readme(package: Package) -> str:
    """The text of README.txt: what is in the archive and how to play."""
    manifest, files = package.manifest, package.files
    rows = [f"{manifest.title} {manifest.version}", ""]
    if manifest.summary:
        rows += [*wrap(manifest.summary, _WIDTH), ""]
    rows += ["What is here", ""]
    for pattern, text in ({_DISKS: _of_disks(package)} | _ABOUT).items():
        names = [name for name in sorted(files) if PurePosixPath(name).match(pattern)]
        if names:
            rows += _item(", ".join(names) if len(names) < _MANY else pattern, text)
    if package.verdict is not None:
        rows += ["", "Proof", ""]
        verdict = package.verdict
        rows += wrap(
            f"{verdict.matches} matches with {verdict.events} events were played and compared with "
            f"a model of the rules: every one is as the rules say. That holds for "
            f"disks/{manifest.game}.dsk with the SHA-256 {verdict.disk}; "
            f"whoever has ti99tools can play them again.",
            _WIDTH,
        )
    if package.left_out:
        rows += ["", "What is not here, and why", ""]
        for what, why in package.left_out.items():
            rows += _item(what, why)
    rows += ["", "SHA-256", ""]
    rows += [f"{sha256(files[name]).hexdigest()}  {name}" for name in sorted(files)]
    rows += ["", f"Made by ti99tools {__version__}."]
    return "\n".join(rows) + "\n"


def _item(what: str, text: str) -> list[str]:
    return [f"  {what}", *wrap(text, _WIDTH, initial_indent="      ", subsequent_indent="      ")]


def _of_disks(package: Package) -> str:
    """How to start the disks, and what they need."""
    profile = profile_of(package.manifest.basic)
    title = "Extended BASIC" if profile is None else profile.title
    sentences = [
        f"For emulators (MAME, js99er, Classic99, ti99sim): put it into drive 1 and choose "
        f"{title}; the game starts by itself."
    ]
    if profile is not None:
        sentences.append("TI's Extended BASIC lacks what it uses.")
    if package.expansion:
        sentences.append(f"It needs {_EXPANSION}.")
    if any(name.endswith("-fast.dsk") for name in package.files):
        faster = "The disk with -fast in its name loads in half of the time"
        use = ": use that one where you can." if package.expansion else f", but needs {_EXPANSION}."
        sentences.append(faster + use)
    return " ".join(sentences)


_DISKS, _EXPANSION = "disks/*.dsk", "the 32K memory expansion"
_ABOUT = {
    "disks/*.hfe": "The same for a Gotek drive on the real machine.",
    "cartridge/*": "The program as a cartridge of machine code, for a FinalGROM 99 (.bin) or MAME "
    "(.rpk). It was compiled from the same source.",
    "compiled/*-xb.*": "The compiled program on a disk, which Extended BASIC starts from drive 1 "
    "by itself. It needs the 32K memory expansion.",
    "compiled/*-ea5.*": "The same for option 5 of Editor/Assembler and for loaders like it, which "
    "ask for the name of its first file.",
    "play.html": "Open it in a browser: it plays the game there, without a server or a network.",
    "manual.html": "The manual, with pictures.",
    "pictures/*": "Pictures of the game for its page, at twice its size.",
    "proof.html": "The report of the matches that were compared with the rules.",
}
"""Pattern of an archive's files besides the disks → what they are."""


def _first(error: TIError) -> str:
    """An error as one sentence, without a path of this computer."""
    remedy = f"; {error.remedy}" if error.remedy else ""
    return f"{error.problem}{remedy}"
