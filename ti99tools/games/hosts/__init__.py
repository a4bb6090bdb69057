"""Where a disk can run: our console, MAME, ti99sim, a log brought from elsewhere.

All hosts keep one contract (`host`): a disk boots, keys are pressed, screens are looked at, the
disk comes back. An emulator (`emulator`) is driven from inside, by a driver that reads a job as
text and says what it saw; `check` tries one step by step.

How a driver presses a key, so that none is lost and none counts twice. The console's 83C8h holds
the code of the last keyboard scan, FFh where it found none; a program of Extended BASIC takes a key
that is new to it. CALL SOUND that waits and CALL JOYST scan, too, and a key that they find is not
new any more. 832Eh tells the line that runs, `asking` which lines look for keys. So

- a key goes down where 83C8h is FFh and the program has looked for keys for some frames and found
  none, at the statement that took the last one, too: a program may remember that by itself;
- it shows to scans of lines that look for keys and have looked in vain since the last one: a single
  look before a question is for keys that are down too early. It is kept from all others, as by a
  person whose finger is up by then; keys that were kept so are counted (`spared`);
- it goes up when a scan has found it, before the next one begins; never because nothing happened:
  a refused key is an event of the game. Keys change between scans only.

CLEAR shows to all, as a running program looks for it without a scan. At a prompt any scan will do.

No comparison (verify/).
"""
