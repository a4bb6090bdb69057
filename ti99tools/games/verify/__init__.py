"""Scenarios run on a host and compared with the model: compare, shrink, coverage, verdict.

`matches` plays and compares one match, `campaign` many; `judging` says whether a play log follows
the rules; `result` has the results: the mismatch of a match, the verdict on a game. A game extends
`adapter`; `loading` finds its model and its adapter. Presentation is in report/.
"""
