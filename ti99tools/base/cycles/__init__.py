"""What Extended BASIC and the console's routines take, in CPU cycles at 3 MHz.

Every figure was fitted to recordings of the original ROMs (TI-99/4A, Extended BASIC v110, 32K, TI
disk controller), is published, or is an estimate marked as one. A refit edits this folder alone:
`language` has statements and what they consist of, `console` loading, the prompt, drives and
interrupts, `code` machine code. The first word of a figure's comment, or of the text after its
table, names its source:

| source    | in tests/conformance                     | what was observed, and how precisely      |
|-----------|------------------------------------------|-------------------------------------------|
| loops     | timing-dev.json, timing-asked3.jsonl.xz  | a statement repeated a few hundred times, |
|           |                                          | to ±200,000 cycles: a few hundred each    |
| costs     | costs4.jsonl.xz                          | a statement repeated 20 to 100 times, to  |
|           |                                          | the cycle, with the interrupts served     |
| programs  | random-programs.jsonl.xz,                | whole programs, sampled every 200,000     |
|           | random3-programs.jsonl.xz                | cycles (`expect.cycles`), by least squares|
| starts    | timing-asked3.jsonl.xz, lang-*.jsonl     | from the menu to a program's first output |
| keys      | screen-keys-asked3.jsonl.xz,             | keys that are lost or taken               |
|           | random-editor.jsonl.xz                   |                                           |
| tones     | screen-sound.jsonl, screen-accept.jsonl  | sounds that a later one cuts short or not |
| sprites   | random3-sprmove.jsonl.xz,                | positions of moving sprites, COINC results|
|           | screen-coinc.jsonl                       |                                           |
| code      | code.jsonl.xz, code-asked3.jsonl.xz      | machine code, to the cycle                |
| console   | none                                     | routines run on a console's ROM: medians  |
| estimate  | none                                     | the cost of a similar operation           |

Costs that the loops measure only together (a line and its statement, GOSUB and RETURN, CALL and a
subprogram) are divided between them: trust the sums more than the single figures. A cost that
depends on values known only during the run is counted where those values are.
"""
