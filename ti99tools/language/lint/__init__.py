"""Mistakes in the lines of a program, found without running it.

`linter` goes over a program and asks the other modules, one for each kind of mistake; `hidden` does
so for a source whose blocks do not fit. A finding has a code and, where it can be corrected, an
edit; nothing is chosen by its wording. All findings of a file are those of program/judgement.
"""
