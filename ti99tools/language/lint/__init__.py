"""Mistakes in a program, found without running it, and what to do about each.

`advice` does all of it for one source. `linter` goes over a program and asks the other modules, one
for each kind of mistake. A finding has a code and, where it can be corrected, an edit; nothing is
chosen by its wording.
"""
