"""Verdicts as text, JSON and HTML.

Computes nothing.
"""
