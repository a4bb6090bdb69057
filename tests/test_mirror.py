"""The tests stand in folders that are called as the rooms are: the two trees are compared."""

from collections.abc import Iterable
from pathlib import Path

from tests import layers
from tests.house import PACKAGE

HERE = Path(__file__).parent
NO_ROOMS = {
    "bench": "ratios of times, measured when asked for; each is about many rooms",
    "docs": "pages of docs/ that belong to no room, and how they are followed",
    "editors": "the extension for VS Code, in editors/",
    "fuzz": "makers of random programs, disks and sessions for the tests of all rooms",
    "mutants": "how strong the tests are: faults put into the package, and what finds them",
    "xbasic": "the games and the library, in xbasic/",
}
"""Folders of tests that are about no room, and what each is about."""
UNTESTED = {
    "emit": "tests/compiler runs what it makes: a compiled program, or a part of the runtime",
    "lower": "tests/compiler runs what it makes: a compiled program",
}
"""Rooms without a folder of tests, and why. This list only shrinks."""


def rooms() -> set[str]:
    """The last names of all rooms, and of the wings that have modules of their own."""
    wings = {wing for wing in layers.WINGS if len(list((PACKAGE / wing).glob("*.py"))) > 1}
    return wings | {room for wing in layers.WINGS for room in layers.rooms(wing)}


def folders(tests: Path) -> set[str]:
    """The folders that have test files, in themselves or in folders of theirs."""
    return {path.relative_to(tests).parts[0] for path in tests.glob("*/**/test_*.py")}


def unlike(tested: Iterable[str], there: Iterable[str]) -> tuple[list[str], list[str]]:
    """Folders of tests that are called as no room is, and rooms that have no folder of tests."""
    folders, rooms = set(tested) - set(NO_ROOMS), set(there) - set(UNTESTED)
    return sorted(folders - rooms), sorted(rooms - folders)


def test_each_folder_of_tests_is_called_as_a_room_is_and_each_room_has_one() -> None:
    assert unlike(folders(HERE), rooms()) == ([], [])


def test_folders_about_no_room_are_there_and_no_rooms() -> None:
    assert set(NO_ROOMS) <= folders(HERE)
    assert not set(NO_ROOMS) & rooms()
    assert set(UNTESTED) <= rooms() - folders(HERE)


def test_a_folder_that_names_no_room_and_a_room_without_tests_are_found(tmp_path: Path) -> None:
    for name in ("disk/test_image.py", "tasks/test_tasks.py", "tape/helper.py"):
        path = tmp_path / name
        path.parent.mkdir()
        path.touch()
    assert unlike(folders(tmp_path), {"disk", "tape"}) == (["tasks"], ["tape"])
