"""Thirty faults written by hand, at least two for each wing of the package."""

from __future__ import annotations

from tests.mutants.fault import Fault

BASE = "ti99tools/base/"
MEDIA = "ti99tools/media/"
HARDWARE = "ti99tools/hardware/"
LANGUAGE = "ti99tools/language/"
COMPUTER = "ti99tools/computer/"
COMPILER = "ti99tools/compiler/"
GAMES = "ti99tools/games/"
APP = "ti99tools/app/"
FRONTS = "ti99tools/fronts/"

BY_HAND = (
    Fault(
        "tokens of REC and MAX swapped",
        f"{BASE}tokens.py",
        "PI, REC, MAX, MIN",
        "PI, MAX, REC, MIN",
        (f"{LANGUAGE}listing/listing.py", "    index = 0\n    size = len(tokens)\n"),
    ),
    Fault(
        "text of an error",
        f"{BASE}xberrors.py",
        'STRING_TRUNCATED: "STRING TRUNCATED"',
        'STRING_TRUNCATED: "STRING TRUNCATION"',
        (f"{BASE}xberrors.py", "text = TEXTS[self.code]"),
    ),
    Fault(
        "cost of SQR",
        f"{BASE}cycles/language.py",
        '"SQR": 171_500',
        '"SQR": 161_500',
        (f"{COMPUTER}numbers/functions.py", "    root = _HALF"),
    ),
    Fault(
        "two greens swapped",
        f"{BASE}codes.py",
        "    (33, 200, 66),\n    (94, 220, 120),\n",
        "    (94, 220, 120),\n    (33, 200, 66),\n",
        (f"{HARDWARE}render/picture.py", "picture.putpalette(_PALETTE)"),
    ),
    Fault(
        "index of a disk unsorted",
        f"{MEDIA}disk/image.py",
        "pointers.insert(place, sector)",
        "pointers.append(sector)",
    ),
    Fault(
        "wrong bit of the bitmap cleared",
        f"{MEDIA}disk/volume.py",
        "&= ~(1 << (bit & 7))",
        "&= ~(1 << (bit & 3))",
    ),
    Fault(
        "HFE with another coding than its header says",
        f"{MEDIA}disk/containers/hfe.py",
        "if not any(tracks.values()):",
        "if not tracks:",
    ),
    Fault(
        "a tape whose recorder runs slow",
        f"{MEDIA}tape/biphase.py",
        "self._length = min(max(self._length * (1 + _FOLLOW * (phase - 1)), low), high)",
        "self._length = min(max(self._length, low), high)",
    ),
    Fault(
        "a key lost between two scans",
        f"{HARDWARE}machine/keyboard.py",
        "        if self._typist.unread(key):\n            key = None\n",
        "        self._typist.read(unit, key)\n",
    ),
    Fault(
        "ENTER repeats",
        f"{HARDWARE}machine/keyboard.py",
        "if self._repeat.comes(key, now) and code != ENTER else",
        "if self._repeat.comes(key, now) else",
    ),
    Fault(
        "LDCR of 16 bits moves on by a word",
        f"{HARDWARE}cpu/crubits.py",
        "    address = general(word & 0x3F, field <= 8)(core)\n    value = core.bus.read_byte",
        "    address = general(word & 0x3F, byte)(core)\n    value = core.bus.read_byte",
    ),
    Fault(
        "a sound begins at once",
        f"{HARDWARE}machine/soundchip.py",
        "self._next_block_at = self._clock.next_interrupt",
        "self._next_block_at = self._clock.cycles",
    ),
    Fault(
        "length of CHR$ in the memory report",
        f"{LANGUAGE}analysis/constants.py",
        "            return 1\n",
        "            return 2\n",
    ),
    Fault(
        "OPTION BASE left out by lint",
        f"{LANGUAGE}lint/value_limits.py",
        "base <= value <= last",
        "0 <= value <= last",
    ),
    Fault(
        "a row split one statement late",
        f"{LANGUAGE}optimize/rows.py",
        "at = places[statements - 1]",
        "at = places[min(statements, len(places) - 1)]",
    ),
    Fault(
        "names of locals too long",
        f"{LANGUAGE}dialect/procs.py",
        'new_name = f"{stem[: MAX_NAME - len(suffix) - len(str(more))]}{more}{suffix}"',
        'new_name = f"{stem}{more}{suffix}"',
    ),
    Fault(
        "halves rounded down",
        f"{COMPUTER}numbers/functions.py",
        "return (n.mantissa + unit // 2) // unit",
        "return (n.mantissa + unit // 2 - 1) // unit",
    ),
    Fault(
        "order in which CALL KEY fills its variables",
        f"{COMPUTER}interp/subprograms/keys_and_sound.py",
        "    store_status(status)\n    store_key(code)\n",
        "    store_key(code)\n    store_status(status)\n",
    ),
    Fault(
        "record length 0 allowed",
        f"{COMPUTER}interp/io/openfile.py",
        "not 1 <= value <= LONGEST_RECORD",
        "not 0 <= value <= LONGEST_RECORD",
    ),
    Fault(
        "column after a pending record",
        f"{COMPUTER}interp/io/openfile.py",
        "super().__init__(file.record_length, len(file.output))",
        "super().__init__(file.record_length, 0)",
    ),
    Fault(
        "range of a remainder too wide",
        f"{COMPILER}ranges.py",
        "return Interval(0, min(a.high, b.high - 1) if a.low >= 0 else b.high - 1)",
        "return Interval(0, b.high)",
    ),
    Fault(
        "range after a comparison with a fraction too narrow",
        f"{LANGUAGE}analysis/intervals.py",
        "step = 1 if own.whole and other.whole else 0",
        "step = 1",
    ),
    Fault(
        "a long text unchecked",
        f"{COMPILER}emit/texts.py",
        "if _longest(t) > LONGEST_STRING:",
        "if _longest(t) > LONGEST_STRING + 1:",
    ),
    Fault(
        "video memory left out of a comparison",
        f"{GAMES}verify/matches.py",
        "return compare_screens(known.screens, got.screens) or compare_video(known, got)",
        "return compare_screens(known.screens, got.screens)",
    ),
    Fault(
        "certificate on the screen left out",
        f"{GAMES}verify/matches.py",
        "visible[CERTIFICATE] = on_screen(screens[name])",
        "visible[CERTIFICATE] = _certificate(log, adapter)",
    ),
    Fault(
        "a log that ends in the middle of a line",
        f"{GAMES}hosts/disklog.py",
        "return lines[:-1] if cut and len(lines) > 1 else lines",
        "return lines",
    ),
    Fault(
        "time of machine code not added up",
        f"{APP}profile.py",
        "times.cycles[at] += bus.cycles - before",
        "times.cycles[at] = bus.cycles - before",
    ),
    Fault(
        "a deleted file stays in the folder",
        f"{APP}run_drives.py",
        "seen.path.unlink(missing_ok=True)",
        "seen.path.is_file()",
    ),
    Fault(
        "an option's limit allowed",
        f"{FRONTS}cli/options.py",
        "below = least is not None and (number <= least if limits.min_open else number < least)",
        "below = least is not None and number < least",
    ),
    Fault(
        "columns after characters outside the BMP",
        f"{FRONTS}lsp/documents.py",
        "total += 2 if ord(character) > 0xFFFF else 1",
        "total += 1",
    ),
)
