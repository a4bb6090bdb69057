"""Verdicts as text, JSON and HTML. Nothing is computed here."""
