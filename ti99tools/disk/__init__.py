"""Disk volumes and their containers: sector images, HFE, PC99, CF7, TIFILES/FIAD, records, check.

No device service for running programs (machine/drives). Imports base.
"""
