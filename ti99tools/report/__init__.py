"""Verdicts as text, JSON and HTML.

Computes nothing. Imports trace, verify's result types, coverage, base.
"""
