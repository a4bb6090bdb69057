"""Where a disk can run: our console, MAME, ti99sim; and logs that come from elsewhere.

All hosts keep one contract (`host`): a disk boots, keys are pressed, screens are looked at, the
disk comes back. An emulator (`emulator`) is driven from inside, by a driver that reads a job as
text and reports what it saw (`driver`); `check` tries one step by step. Somebody can sit at a host
(`seat`), look and decide: a driver then gets orders one by one (`emulator_seat`, `dialogue`).

How a driver presses a key so that none is lost and none counts twice: the console's 83C8h holds the
code of the last keyboard scan, or FFh where it found none, and a program of Extended BASIC accepts
a key that is new. CALL SOUND that waits and CALL JOYST scan too, and a key that they find is no
longer new. 832Eh shows which line runs, `driver` which lines look for keys. So

- a key goes down where 83C8h is FFh and the program has looked for keys in vain for some frames,
  also at the statement that took the last one, since a program may remember a key by itself;
- it is visible to scans of lines that look for keys and have looked in vain since the last one: a
  single look before a question is meant for keys that are down too early. It is kept from all
  others, as if a person's finger were up by then; keys that were kept so are counted (`spared`);
- it goes up when a scan has found it, before the next one begins, and never because nothing
  happened: a refused key is an event of the game. Keys change between scans only.

CLEAR is visible to all, as a running program looks for it without a scan. At a prompt any scan will
do.

Comparisons are in verify/.
"""
