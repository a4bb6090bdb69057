"""TI files and disk volumes: the one reader and writer of each format that holds them.

Files: `tifile` (values), `records` (sectors ↔ records), `tifiles` and `fiad` (a file on a host with
its header), `text`, `hostnames`, `exchange` (which of these a host file is). Volumes, from the
bytes upward: `structs` (layouts) → `layout` (values) → `volume` (sectors, bitmap, indexes) →
`allocation` → `image` (DiskImage, the public API). `containers/` has the table of image forms and
one module a form, `checks/` one a kind of damage; `repair`, `undelete` and `convert` build on all.

No BASIC programs (program/) and no device service for running ones (machine/drives). Imports base;
standard library only.
"""
