"""Scenarios run on a host and compared with the model: compare, shrink, coverage, verdict.

A game extends `adapter`; `loading` finds its model and its adapter. No presentation (report/).
"""
