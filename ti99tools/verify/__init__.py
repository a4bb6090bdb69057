"""Scenarios run on a host and compared with the model: compare, shrink, coverage, verdict.

No presentation (report/). Imports trace, hosts, models, base.
"""
