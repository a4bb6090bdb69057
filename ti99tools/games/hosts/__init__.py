"""Where a disk can run: our console, MAME, ti99sim; and logs that come from elsewhere.

All hosts keep one contract (`host`): a disk boots, keys are pressed, screens are captured, the disk
comes back. An emulator (`emulator`) is driven from inside, by a driver that reads a job as text and
reports what it saw (`driver`); `check` tries one step by step. In a session (see `host`)
each step can depend on what was seen before: the driver then gets orders one by one
(`emulator_session`, `dialogue`).

How a driver presses keys so that none is lost and none counts twice: the console's 83C8h holds the
code found by the last keyboard scan, or FFh for none, and an Extended BASIC program accepts a key
that is new. CALL SOUND (while it waits) and CALL JOYST scan too, and a key that they find is no
longer new. 832Eh shows which line runs, `driver` knows which lines look for keys. So

- a key is due when 83C8h is FFh and the program has looked for keys in vain for some frames, even
  at the statement that took the last one, since a program may remember a key by itself;
- it goes down where the program asks for one, by the rule of `console.asking` for all hosts: told
  are the line and the stack, what is shown and heard, and whether the line lies between FOR and
  NEXT. It is hidden from all other scans, as if a person had not pressed it yet; keys hidden like
  this are counted (`spared`);
- it goes up when a scan of the whole keyboard has found it, before the next one begins; when only
  scans of a half do (unit 1 or 2), a tenth of a second later. It never goes up because nothing
  happened: a refused key is an event of the game. Keys change between scans only.

CLEAR is visible to all scans, as a running program looks for it without a scan. At a prompt any
scan will do.

Comparisons are in verify/.
"""
