"""Fuzz areas: mutated disk images of every form, as files and in the console's drives."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from random import Random

from tests.fuzz.fuzzcore import Attempt, Fault, mutated_bytes
from ti99tools import Console, DiskImage, Program
from ti99tools.base.errors import DiskError, TIError
from ti99tools.media.disk.checks import check
from ti99tools.media.disk.convert import convert
from ti99tools.media.disk.repair import repair
from ti99tools.media.disk.tifile import DiskFile

MACHINE_SECONDS = 60.0
FORMS = {
    "sectors": ("SSSD", "", 22 * 256),
    "large": ("DSDD80", "", 22 * 256),
    "hfe-fm": ("SSSD", "hfe", 1200),
    "hfe-mfm": ("DSDD", "hfe", 1200),
    "pc99": ("SSSD", "pc99", 30_000),
    "cf7": ("DSSD", "cf7", 44 * 256),
}

CATALOGUE = 'OPEN #1:"DSK1.",INPUT,RELATIVE,INTERNAL'
FIXED = "RELATIVE,INTERNAL,FIXED 30"
SOURCES = (
    CATALOGUE + "|FOR I=0 TO 130|INPUT #1:A$,A,B,C|PRINT A$;A;B;C|NEXT I",
    'OPEN #1:"DSK1.TEXT0",INPUT|IF EOF(1) THEN 900|LINPUT #1:A$|PRINT A$|GOTO 110',
    f'OPEN #1:"DSK1.FIX1",{FIXED},UPDATE|INPUT #1,REC 3:A|PRINT #1,REC 7:5|CLOSE #1',
    f'OPEN #1:"DSK1.FIX2",{FIXED}|FOR I=0 TO 40|PRINT #1,REC I*9:I|NEXT I',
    'OPEN #1:"DSK1.TEXT1",APPEND|FOR I=1 TO 90|PRINT #1:RPT$("X",80)|NEXT I|CLOSE #1',
    'OPEN #1:"DSK1.NEW",OUTPUT|FOR I=1 TO 400|PRINT #1:RPT$("Y",80)|NEXT I|CLOSE #1',
    'OPEN #1:"DSK1.TEXT2",OUTPUT|PRINT #1:"A"|OPEN #2:"DSK1.TEXT3",UPDATE|CLOSE #1:DELETE',
    'DELETE "DSK1.TEXT0"|DELETE "DSK1.PROG"|OPEN #1:"DSK1.TEXT1",UPDATE|RESTORE #1',
    'RUN "DSK1.PROG"',
    'OPEN #1:"DSK1.TEXT1",INPUT|OPEN #2:"DSK1.COPY",OUTPUT|IF EOF(1) THEN 900|LINPUT #1:A$|'
    "PRINT #2:A$|GOTO 120",
)
COMMANDS = ("OLD DSK1.PROG", "SAVE DSK1.S", 'LIST "DSK1.L"', "OLD DSK1.S", "RUN", 'DELETE "DSK1.S"')


def sample(geometry: str) -> DiskImage:
    """A disk with some of everything."""
    disk = DiskImage.new(geometry, "FUZZ")
    disk.make_directory("SUB")
    rng = Random(9)
    for n in range(6):
        texts = [rng.randbytes(rng.randrange(80)) for _ in range(rng.randrange(40))]
        disk.add(DiskFile.display_var(f"TEXT{n}", texts))
        disk.add(DiskFile.internal_fix(f"FIX{n}", [b"\x08" + bytes(29)] * n * 5, 30))
    program = Program.from_listing('100 PRINT "HERE"\n110 FOR I=1 TO 5\n120 PRINT I\n130 NEXT I\n')
    content = program.saved().content
    assert isinstance(content, bytes)
    disk.add(DiskFile.program("PROG", content))
    disk.add(DiskFile.program("SUB.DEEP", rng.randbytes(3000)))
    return disk


@lru_cache(maxsize=8)
def image_bytes(form: str) -> bytes:
    geometry, container, _ = FORMS[form]
    disk = sample(geometry)
    return convert(disk, container) if container else disk.to_bytes()


def disk_image(one: Attempt) -> str:
    """A mutated image: read, checked, changed, repaired, converted."""
    rng = one.rng
    form = rng.choice(sorted(FORMS))
    data = image_bytes(form)
    one.input = data = mutated_bytes(data, rng, rng.choice((FORMS[form][2], len(data))))
    try:
        image = DiskImage.from_bytes(data, strict=rng.random() < 0.2)
    except TIError as error:
        assert error.problem
        return "refused"
    readable = _read_all(image)
    _change(image, rng)
    _repair(data)
    return "read" if readable else "nothing readable"


def _read_all(image: DiskImage) -> int:
    findings = check(image.volume)
    try:
        names = image.names()
    except DiskError:
        if not any(finding.severity == "error" for finding in findings):
            raise Fault("the check finds nothing in a disk that cannot be listed") from None
        return 0
    count = 0
    for name in names:
        try:
            image.read(name)
            count += 1
        except DiskError:
            continue
    return count


def _change(image: DiskImage, rng: Random) -> None:
    """Adding, removing, renaming: done in full or not at all."""
    changes: tuple[Callable[[], None], ...] = (
        lambda: image.add(DiskFile.program("NEW", rng.randbytes(rng.choice((1, 700, 50_000))))),
        lambda: image.remove("TEXT3"),
        lambda: image.rename("TEXT1", "ZZ"),
        lambda: image.protect("TEXT2", True),
        lambda: image.make_directory("SUB2"),
    )
    for change in changes:
        before = bytes(image.volume.data)
        try:
            change()
        except DiskError:
            if bytes(image.volume.data) != before:
                raise Fault("a refused change has changed the disk") from None
    try:
        names = image.names()
        written = image.to_bytes()
    except DiskError:
        return
    again = DiskImage.from_bytes(written, strict=False)
    if again.names() != names:
        raise Fault("other names after writing and reading")


def _repair(data: bytes) -> None:
    image = DiskImage.from_bytes(data, strict=False)
    try:
        repair(image)
        for form in ("dsk", "hfe", "pc99"):
            convert(image, form)
    except DiskError:
        return


def disk_in_drive(one: Attempt) -> str:
    """A console working with a mutated disk."""
    rng = one.rng
    form = rng.choice(("sectors", "sectors", "large", "hfe-fm"))
    data = image_bytes(form)
    one.input = data = mutated_bytes(data, rng, FORMS[form][2])
    try:
        image = DiskImage.from_bytes(data, strict=False)
    except TIError:
        return "refused"
    console = Console(disks={"DSK1": image}, max_seconds=MACHINE_SECONDS)
    outcomes = []
    for source in rng.sample(SOURCES, 3):
        statements = source.split("|")
        lines = [f"{100 + 10 * n} {text}" for n, text in enumerate(statements)]
        if rng.random() < 0.4:
            lines.append("90 ON ERROR 800")
            lines.append("800 E=E+1::IF E>9 THEN 900 ELSE ON ERROR 800::RETURN NEXT")
        console.load(Program.from_listing("\n".join([*lines, "900 END"])))
        outcomes.append(console.run())
    console.command(rng.choice(COMMANDS))
    _read_all(image)
    return "all ready" if set(outcomes) == {"ready"} else "with I/O errors"
