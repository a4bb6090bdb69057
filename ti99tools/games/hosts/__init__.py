"""Where a disk can run: our console, MAME, ti99sim; and logs that come from elsewhere.

All hosts keep one contract (`host`): a disk boots, keys are pressed, screens are captured, the disk
comes back. An emulator (`emulator`) is driven from inside, by a driver that reads a job as text and
reports what it saw (`driver`); `check` tries one step by step. On a host with a seat (`seat`) each
step can depend on what was seen before: the driver then gets orders one by one (`emulator_seat`,
`dialogue`).

How a driver presses keys so that none is lost and none counts twice: the console's 83C8h holds the
code found by the last keyboard scan, or FFh for none, and an Extended BASIC program accepts a key
that is new. CALL SOUND (while it waits) and CALL JOYST scan too, and a key that they find is no
longer new. 832Eh shows which line runs, `driver` knows which lines look for keys. So

- a key goes down when 83C8h is FFh and the program has looked for keys in vain for some frames,
  even at the statement that took the last one, since a program may remember a key by itself;
- it is visible to scans of lines that look for keys and have looked in vain since the last key: a
  single look before a question is meant for keys that are down too early. The key is hidden from
  all other scans, as if a person had released it by then; keys hidden like this are counted
  (`spared`);
- it goes up when a scan has found it, before the next one begins, and never because nothing
  happened: a refused key is an event of the game. Keys change between scans only.

CLEAR is visible to all scans, as a running program looks for it without a scan. At a prompt any
scan will do.

Comparisons are in verify/.
"""
