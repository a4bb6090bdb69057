"""A game's model and adapter, loaded from the place that its game.toml names.

A game's folder is loaded as a package with a unique name: its modules import each other with
`from .model import …`, two games can have modules of the same name, and changed files are loaded
anew. Mistakes in this Python become errors that name their place.

A model proves something because it shares no code with the console. So its module, and every module
of its folder that it imports, may import only what `ALLOWED` names from ti99tools. This is checked
before it is loaded.
"""

from __future__ import annotations

import ast
import hashlib
import os
import sys
import traceback
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

from ti99tools.base.errors import BuildError, Place, TIError
from ti99tools.base.hostio import MANIFEST
from ti99tools.base.inputs import read_regular
from ti99tools.games.making.finding import all_games, find_game
from ti99tools.games.making.manifest import Manifest, read_manifest
from ti99tools.games.models.certificate import LETTERS
from ti99tools.games.models.model import Model
from ti99tools.games.verify.adapter import Adapter
from ti99tools.games.verify.branches import MODELS
from ti99tools.games.verify.returns import guarded


@contextmanager
def blaming(adapter: Adapter) -> Iterator[None]:
    """Turn exceptions raised in the game's own files into a BuildError with file and line.

    Other exceptions stay as they are.
    """
    try:
        yield
    except TIError:
        raise
    except Exception as error:
        place = _place_in(adapter.manifest.folder.resolve(), error)
        if place is None:
            raise
        problem = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        raise BuildError(problem, remedy="correct it", place=place) from error


def _place_in(folder: Path, error: Exception) -> Place | None:
    """The innermost line of a folder's files that an exception went through, if any."""
    here = Path.cwd()
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        path = Path(frame.filename)
        if path.is_relative_to(folder):
            name = path.relative_to(here) if path.is_relative_to(here) else path
            return Place(str(name), frame.lineno)
    return None


ALLOWED = ("ti99tools.games.models", "ti99tools.models", "ti99tools.trace")


def check_model(path: Path) -> None:
    """Raise BuildError when a model's module, or one beside it that it uses, imports too much."""
    for module in modules_of(path):
        for name, line in _imports(module):
            if not _may_use(name):
                raise BuildError(
                    f"a model must not import {name}",
                    remedy=f"use {ALLOWED[0]} only, so that model and console share no fault",
                    place=Place(str(module), line),
                )


def modules_of(path: Path) -> list[Path]:
    """A model's module and those beside it that it uses, itself first."""
    modules = [path]
    for module in modules:
        for name, _ in _imports(module):
            beside = _beside(module, name)
            if beside is not None and beside not in modules:
                modules.append(beside)
    return modules


def _may_use(name: str) -> bool:
    inside = name == "ti99tools" or name.startswith("ti99tools.")
    return not inside or any(name == room or name.startswith(f"{room}.") for room in ALLOWED)


def _imports(path: Path) -> Iterator[tuple[str, int]]:
    """The modules that a module imports, and the lines; relative ones as `.name` or `..name`."""
    try:
        tree = ast.parse(read_regular(path))
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError) as error:
        line, why = None, str(error)
        if isinstance(error, SyntaxError):
            line, why = error.lineno, error.msg
        problem = f"cannot be read: {type(error).__name__}: {why}"
        raise BuildError(problem, remedy="fix it", place=Place(str(path), line)) from None
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from ((name, node.lineno) for name in _from(node))


def _from(node: ast.ImportFrom) -> Iterator[str]:
    """The modules that `from … import …` may mean."""
    name = "." * node.level + (node.module or "")
    if name in ("ti99tools", ".", "..") or node.level:
        joint = "" if name.endswith(".") else "."
        yield from (f"{name}{joint}{alias.name}" for alias in node.names)
    if node.module and (name != "ti99tools" or not node.names):
        yield name


def _beside(module: Path, name: str) -> Path | None:
    """The file of a module in the folder of `module`."""
    if not name.startswith("."):
        return None
    level = len(name) - len(name.lstrip("."))
    folder = module.resolve().parents[level - 1]
    path = folder.joinpath(*name.lstrip(".").split("."))
    for file in (path.with_suffix(".py"), path / "__init__.py"):
        if file.is_file():
            return file
    return None


PREFIX = "_ti99tools_game_"
"""The first part of the names of loaded folders' packages."""


def adapter(game: str | Path) -> Adapter:
    """The adapter of a game, given by name or folder. See `adapter_of`."""
    return adapter_of(find_game(game))


def adapter_of(manifest: Manifest) -> Adapter:
    """The adapter of a game. Raises BuildError when it has no model, or one that is broken."""
    if not manifest.model:
        raise BuildError(
            f"no model of {manifest.game}",
            remedy=f'name one in {MANIFEST}: [verify] model = "model.py:CLASS"',
        )
    return _loaded(manifest.folder.resolve(), manifest.game, _digest(manifest.folder))


@cache
def _loaded(folder: Path, game: str, digest: str) -> Adapter:
    """Load a game's adapter; `digest` is that of its files, so that changed ones load anew."""
    manifest = read_manifest(folder, game)
    package = f"{PREFIX}{digest}"
    check_model(_file_of(manifest, manifest.model))
    model: type[Model] = _class(manifest, manifest.model, package, Model)
    _check_names(manifest, model)
    kind: type[Adapter] = Adapter
    if manifest.adapter:
        kind = _class(manifest, manifest.adapter, package, Adapter)
    return guarded(kind(manifest, model))


def _check_names(manifest: Manifest, model: type[Model]) -> None:
    """Raise BuildError for a model without the words that its logs and certificates begin with."""
    for name, example in (("game", manifest.game.upper()), ("version", manifest.version)):
        value = getattr(model, name, None)
        if not isinstance(value, str) or not value:
            problem = f"{name} of {model.__name__} is {value!r}"
            raise _broken(manifest, problem, f'write {name} = "{example}" in it')
    if model.letter not in ("", *LETTERS):
        problem = f"{model.letter!r} cannot be the letter of {model.__name__}"
        raise _broken(manifest, problem, f"use one of {LETTERS}")


def _digest(folder: Path) -> str:
    """A digest of a folder's path and the contents of its game.toml and modules."""
    hasher = hashlib.sha256(str(folder.resolve()).encode())
    for path in sorted([folder / MANIFEST, *modules_in(folder)]):
        hasher.update(f"\0{path}\0".encode() + read_regular(path))
    return hasher.hexdigest()[:16]


def modules_in(folder: Path) -> Iterator[Path]:
    """The modules in a folder and below, except in hidden folders and virtual environments."""
    for path, folders, files in os.walk(folder):
        folders[:] = [
            name
            for name in folders
            if not name.startswith((".", "__")) and not Path(path, name, "pyvenv.cfg").exists()
        ]
        yield from (Path(path, name) for name in files if name.endswith(".py"))


def _file_of(manifest: Manifest, where: str) -> Path:
    """The file named in `FILE:CLASS` or `PACKAGE.MODULE:CLASS`."""
    name = where.rpartition(":")[0]
    if name.endswith(".py"):
        path = (manifest.folder / name).resolve()
        if not path.is_relative_to(manifest.folder.resolve()):
            raise _broken(manifest, f"{name} is outside the game's folder", "move it into it")
        if not path.is_file():
            raise _broken(manifest, f"{name} does not exist", f"check the name in {MANIFEST}")
        return path
    try:
        spec = find_spec(name)
    except (ImportError, ValueError):
        spec = None
    if spec is None or spec.origin is None:
        raise _broken(manifest, f"there is no module {name}", "install it, or name a FILE.py:CLASS")
    return Path(spec.origin)


def _class(manifest: Manifest, where: str, package: str, kind: type) -> Any:
    """The class that game.toml names."""
    path, name = _file_of(manifest, where), where.rpartition(":")[2]
    try:
        module = _module(manifest, where.rpartition(":")[0], path, package)
    except TIError:
        raise
    except Exception as error:
        raise _broken(
            manifest, f"{path.name} cannot be loaded: {type(error).__name__}: {error}", "fix it"
        ) from error
    value = getattr(module, name, None)
    if not (isinstance(value, type) and issubclass(value, kind)):
        full = f"{kind.__module__}.{kind.__name__}"
        raise _broken(manifest, f"{path.name} has no {name} that extends {full}", "write one")
    return value


def _module(manifest: Manifest, name: str, path: Path, package: str) -> ModuleType:
    if not name.endswith(".py"):
        return import_module(name)
    folder = manifest.folder.resolve()
    if package not in sys.modules:
        holder = ModuleType(package, f"The folder of {manifest.game}.")
        holder.__path__ = [str(folder)]
        sys.modules[package] = holder
    inner = path.relative_to(folder).with_suffix("").as_posix().replace("/", ".")
    with _no_bytecode():
        return import_module(f"{package}.{inner}")


@contextmanager
def _no_bytecode() -> Iterator[None]:
    """Leave no compiled files in a game's folder: an old one might be used for a new source."""
    before, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    try:
        yield
    finally:
        sys.dont_write_bytecode = before


def _broken(manifest: Manifest, problem: str, remedy: str) -> BuildError:
    return BuildError(f"{manifest.game}: {problem}", remedy=remedy)


def model_modules(of: Adapter) -> list[ModuleType]:
    """The module of a game's model, and those beside it that it uses."""
    first = sys.modules[of.model.__module__]
    package = first.__name__.rpartition(".")[0]
    beside = {
        Path(module.__file__ or ""): module
        for name, module in list(sys.modules.items())
        if name.startswith(f"{package}.")
    }
    with MODELS:
        others = modules_of(Path(first.__file__ or ""))[1:]
    return [first, *(beside[path] for path in others if path in beside)]


def by_log_name(game: str, among: Iterable[Manifest] | None = None) -> Adapter:
    """The adapter of the game that a log names, among all games or some.

    Raises BuildError for an unknown game; a game whose model is broken is skipped.
    """
    names = []
    for manifest in all_games()[0] if among is None else among:
        try:
            adapter = adapter_of(manifest)
        except BuildError:
            continue
        if adapter.model.game == game:
            return adapter
        names.append(manifest.game)
    known = f"games with a model: {', '.join(names)}"
    raise BuildError(f"no model of {game}", remedy=f"name the folder of that game; {known}")
