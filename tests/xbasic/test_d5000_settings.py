"""D5000's settings file on the console: what is read, what is warned of, what it changes."""

from collections.abc import Sequence

import pytest

from tests.shipped import shipped
from ti99tools import Console, DiskImage
from ti99tools.media.disk.tifile import DiskFile

ROLES = ("WRIT", "GRID", "DICE", "MESS", "SCOR", "CUTE", "NAME")
KEYS = (
    *(role + "FORE" for role in ROLES),
    *(role + "BACK" for role in ROLES),
    *("MESSTIME", "ROLLDRAG", "ROLLDICE"),
)
DEFAULTS = dict(zip(KEYS, (2, 5, 2, 16, 2, 2, 5, 16, 16, 16, 5, 16, 11, 16, 10, 1, 1), strict=True))
COLOR_TABLE = 0x80F
"""Address of the colours of character set 0."""


def disk(lines: Sequence[str | bytes] | None) -> DiskImage:
    """The game's disk with a settings file of these lines, or with none."""
    image = shipped("d5000", ()).image
    if lines is not None:
        records = [line if isinstance(line, bytes) else line.encode("latin-1") for line in lines]
        image.add(DiskFile.display_var("D5000INT", records))
    return image


def start(lines: Sequence[str | bytes] | None, seconds: float = 900) -> Console:
    """The game at its title."""
    console = Console(disks={"DSK1": disk(lines)}, max_seconds=20_000)
    console.boot()
    see(console, "5 END", seconds)
    return console


def see(console: Console, text: str, seconds: float = 900) -> None:
    assert console.run_until(text=text, seconds=seconds), console.screen.text


def settings(console: Console) -> dict[str, int]:
    values = [int(str(console.variables[f"CO({number})"])) for number in range(1, 18)]
    return dict(zip(KEYS, values, strict=True))


def colors(console: Console) -> dict[int, tuple[int, int]]:
    """Foreground and background, 1 to 16, of each character set."""
    ram = console.machine.vdp.ram
    table = {number: ram[COLOR_TABLE + number] for number in range(15)}
    return {number: (code // 16 + 1, code % 16 + 1) for number, code in table.items()}


def match(console: Console, kinds: str, seed: int) -> None:
    """From the title to the first turn."""
    for text, keys in [("5 END", "1"), ("HOW MANY PLAYERS", str(len(kinds)))]:
        see(console, text)
        console.wait(60)
        console.type(keys)
    for number, kind in enumerate(kinds, 1):
        see(console, f"player {number}")
        console.wait(60)
        console.type(kind)
        see(console, "NAME?")
        console.type("\n")
        console.wait(60)
    see(console, "SEED?")
    console.type(f"{seed}\n")


def test_without_a_file_the_defaults_hold() -> None:
    assert settings(start(None)) == DEFAULTS


def test_the_file_on_the_disk_has_all_keys_and_says_that_it_has_the_defaults() -> None:
    lines = [record.decode() for record in shipped("d5000", ()).image.read("D5000INTEX").records]
    assert any("built-in" in line for line in lines if line.startswith("!"))
    pairs = [line.split("=") for line in lines if not line.startswith("!")]
    assert {key: int(value) for key, value in pairs} == DEFAULTS
    assert settings(start(lines)) == DEFAULTS


@pytest.mark.parametrize(
    "form", ["{0}={1}", "{0} {1}", "  {0} =   {1}  ", "{0}   {1}", "{0}=00{1}"]
)
@pytest.mark.parametrize("case", [str.upper, str.lower, str.title])
def test_every_form_of_every_key_is_read(form: str, case) -> None:  # type: ignore[no-untyped-def]
    wanted = {key: number % 16 + 1 for number, key in enumerate(KEYS)} | {"ROLLDICE": 0}
    lines = [form.format(case(key), value) for key, value in wanted.items()]
    assert settings(start(lines)) == wanted


@pytest.mark.parametrize(
    ("lines", "changed"),
    [
        (["MESSTIME=0", "ROLLDRAG=50"], {"MESSTIME": 0, "ROLLDRAG": 50}),
        (["WRITFORE=1", "WRITBACK=16"], {"WRITFORE": 1}),
        (["GRIDFORE=7", "GRIDFORE=5"], {}),
        (["GRIDFORE=7", "GRIDFORE=9"], {"GRIDFORE": 9}),
        (["ROLLDICE=TRUE"], {}),
        (["rolldice True"], {}),
        (["ROLLDICE=01"], {"ROLLDICE": 0}),
        (["ROLLDICE=FALSE"], {"ROLLDICE": 0}),
        (["ROLLDICE no"], {"ROLLDICE": 0}),
        (["ROLLDICE=2"], {"ROLLDICE": 0}),
        (["! WRITFORE=9", "", "    ", "!", "DICEFORE=9"], {"DICEFORE": 9}),
        ([], {}),
    ],
)
def test_what_is_right_gives_no_warning(lines: list[str], changed: dict[str, int]) -> None:
    console = Console(disks={"DSK1": disk(lines)}, max_seconds=900)
    console.boot()
    while not any("5 END" in row for row in console.screen.rows):
        console.wait(20)
        assert "WARNING" not in console.screen.text
    assert settings(console) == DEFAULTS | changed


@pytest.mark.parametrize(
    ("line", "key"),
    [
        *(
            (line, None)
            for line in (
                "NONSENSE",
                "WRIT",
                "WRITFORE2=5",
                "FOO=3",
                "=",
                "5",
                "WRIT FORE=2",
                "T",
                ":TT",
                ": T",
                ".WRITFORE=3",
                "FORE.GRI",
                "GRIDBACK.",
                "X" * 80,
                "\x00\xff",
                "SCORFORE5",
                "ROLLDICE1",
            )
        ),
        *(
            (f"SCORFORE{value}", "SCORFORE")
            for value in (
                "",
                "=",
                " = ",
                "=0",
                "=17",
                "=-1",
                "=1.5",
                "=X",
                "=1 2",
                "==5",
                "=5;",
                "=.5",
                "=;",
                " 99999999999999999999",
                "=1E1",
                "= 5 !",
                "=255",
                "=" + "9" * 71,
            )
        ),
        ("MESSTIME=51", "MESSTIME"),
        ("ROLLDRAG=TRUE", "ROLLDRAG"),
        ("rolldrag 1000", "ROLLDRAG"),
        ("ROLLDICE", "ROLLDICE"),
        ("ROLLDICE=", "ROLLDICE"),
    ],
)
def test_a_bad_line_is_named_and_the_default_is_taken(line: str, key: str | None) -> None:
    lines = ["CUTEBACK=3", *([] if key is None else [f"{key}=7"]), line, "GRIDFORE=4"]
    console = Console(disks={"DSK1": disk(lines)}, max_seconds=900)
    console.boot()
    see(console, "PRESS ANY KEY", 90)
    rows = [row[2:30].rstrip() for row in console.screen.rows]
    first = rows.index(f"WARNING! D5000INT LINE {len(lines) - 1}:")
    assert "".join(rows[first + 1 :]).startswith(line.rstrip()[:50])
    warning = "NO SUCH KEY!" if key is None else f"BAD VALUE! IT IS {DEFAULTS[key]} NOW"
    assert warning in rows
    assert sum("WARNING" in row for row in rows) == 1
    console.type(" ")
    see(console, "5 END", 5)
    assert settings(console) == DEFAULTS | {"CUTEBACK": 3, "GRIDFORE": 4}


def test_many_warnings_wait_page_by_page_and_go_on_alone() -> None:
    console = Console(disks={"DSK1": disk([f"LINE{n}" for n in range(20)])}, max_seconds=900)
    console.boot()
    shown = set()
    while not any("5 END" in row for row in console.screen.rows):
        console.wait(30)
        shown |= {word for word in console.screen.text.split() if word.startswith("LINE")}
    assert {f"LINE{n}" for n in range(20)} <= shown
    assert console.error is None


@pytest.mark.parametrize("mark", [":T", ":t", "  :T  "])
def test_the_file_is_shown_when_it_says_so(mark: str) -> None:
    lines = ["! COLOURS OF MINE", "GRIDFORE=7", mark, "SCORFORE=9"]
    console = Console(disks={"DSK1": disk(lines)}, max_seconds=900)
    console.boot()
    see(console, "PRESS ANY KEY", 90)
    rows = [row[2:30].rstrip() for row in console.screen.rows]
    first = rows.index("! COLOURS OF MINE")
    assert rows[first : first + 4] == [line.rstrip() for line in lines]
    see(console, "5 END", 30)
    assert settings(console) == DEFAULTS | {"GRIDFORE": 7, "SCORFORE": 9}


@pytest.mark.parametrize(
    "file",
    [
        DiskFile.display_var("D5000INT", [b"GRIDFORE=7"], 163),
        DiskFile.internal_var("D5000INT", [b"GRIDFORE=7"], 80),
        DiskFile.program("D5000INT", b"GRIDFORE=7"),
    ],
)
def test_a_file_of_another_kind_counts_as_missing(file: DiskFile) -> None:
    image = disk(None)
    image.add(file)
    console = Console(disks={"DSK1": image}, max_seconds=900)
    console.boot()
    see(console, "5 END")
    assert settings(console) == DEFAULTS


def test_each_role_has_its_colors() -> None:
    lines = [f"{role}FORE={n}" for n, role in enumerate(ROLES, 2)]
    lines += [f"{role}BACK={n}" for n, role in enumerate(ROLES, 9)] + ["MESSTIME=50"]
    console = start(lines)
    role = {name: (n, n + 7) for n, name in enumerate(ROLES, 2)}
    still = {
        1: (role["NAME"][0], role["WRIT"][1]),
        2: role["GRID"],
        3: role["SCOR"],
        4: role["SCOR"],
        9: role["NAME"],
        10: role["NAME"],
        11: role["NAME"],
        12: role["NAME"],
        13: role["DICE"],
        14: (2, 1),
    }

    def texts(pair: tuple[int, int]) -> bool:
        return {colors(console)[number] for number in range(13)} == {pair}

    def in_match(voice: str) -> bool:
        shown = colors(console)
        del shown[0]
        return shown == still | dict.fromkeys((5, 6, 7, 8), role[voice])

    assert texts((2, 1)), "black on the table"
    console.type("2")
    see(console, "HOW TO PLAY")
    assert texts(role["WRIT"])
    for title in ("YOUR TURN", "ON THE BOARD", "5 END"):
        console.type(" ")
        see(console, title)
    assert texts((2, 1))
    match(console, "I", 3)
    see(console, "'S TURN")
    assert in_match("WRIT")
    see(console, "loses")
    assert in_match("CUTE")
    see(console, "@HAS@")
    console.wait(120)
    assert in_match("MESS")


PALETTE = {
    2: (0, 0, 0),
    3: (33, 200, 66),
    4: (94, 220, 120),
    5: (84, 85, 237),
    6: (125, 118, 252),
    7: (212, 82, 77),
    8: (66, 235, 245),
    9: (252, 85, 84),
    10: (255, 121, 120),
    11: (212, 193, 84),
    12: (230, 206, 128),
    13: (33, 176, 59),
    14: (201, 91, 186),
    15: (204, 204, 204),
    16: (255, 255, 255),
}
"""The colours of the video chip, as RGB."""


def luminance(color: int) -> float:
    """Relative luminance, 0 to 1, as WCAG has it."""
    parts = [part / 255 for part in PALETTE[color]]
    linear = [p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("role", ROLES)
def test_the_default_colours_are_readable(role: str) -> None:
    light = sorted(luminance(DEFAULTS[role + ground]) for ground in ("FORE", "BACK"))
    assert (light[1] + 0.05) / (light[0] + 0.05) >= 4.5


def test_times_are_tenths_of_a_second() -> None:
    seconds = {}
    for time in (0, 10, 50):
        console = start([f"MESSTIME={time}"])
        match(console, "II", 5)
        see(console, "loses")
        begin = console.clock.seconds
        see(console, "'S TURN")
        seconds[time] = console.clock.seconds - begin
    assert seconds[10] - seconds[0] == pytest.approx(0.5, abs=0.1), "half for computers"
    assert seconds[50] - seconds[0] == pytest.approx(2.5, abs=0.3)


def test_dice_spin_as_long_as_they_should() -> None:
    seconds = {}
    for setting in ("ROLLDRAG=0", "ROLLDRAG=10", "ROLLDRAG=50", "ROLLDICE=0"):
        console = start([setting])
        match(console, "H", 42)
        see(console, "PRESS ENTER TO ROLL")
        console.wait(60)
        begin = console.clock.seconds
        console.type("\n")
        see(console, "sum 150")
        seconds[setting[5:]] = console.clock.seconds - begin
    assert seconds["RAG=10"] - seconds["RAG=0"] == pytest.approx(1, abs=0.1)
    assert seconds["RAG=50"] - seconds["RAG=0"] == pytest.approx(5, abs=0.3)
    assert seconds["ICE=0"] < seconds["RAG=0"]


def test_a_key_ends_a_pause_and_is_the_next_answer() -> None:
    console = start(["MESSTIME=50"])
    match(console, "HH", 8)
    see(console, "PRESS ENTER TO ROLL")
    for _ in range(80):
        console.type("\n")
        console.wait(300)
        if "loses" in console.screen.rows[23]:
            break
    begin = console.clock.seconds
    console.tap("\n")
    console.run_until(text="'S TURN", seconds=3)
    assert console.clock.seconds - begin < 1.5
    console.wait(240)
    assert "PRESS ENTER" not in console.screen.text
