"""Disk volumes and their containers: sector images, HFE, PC99, CF7, TIFILES/FIAD, records, check.

Bytes upward: `structs` (layouts) → `layout` (values) → `volume` (sectors, bitmap, indexes) →
`allocation` → `image` (DiskImage, the public API). Files: `files` (values), `records` (sectors ↔
records), `tifiles`, `fiad`, `text`, `hostnames`, `exchange` (host files). `containers/` has one
module a form of image, `checks/` one a kind of damage; `repair`, `undelete` and `convert` build
on all of it.

No device service for running programs (machine/drives). Imports base.
"""
