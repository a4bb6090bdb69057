"""TI files and disk volumes: the one reader and writer of each format that holds them.

Files: `tifile` (values), `records` (sectors ↔ records, and texts), `hostfiles` (a file on a host
with its header). Volumes, from the bytes upward: `structs` (layouts) → `layout` (values) →
`volume` (sectors, bitmap, indexes) → `allocation` → `image` (DiskImage, the public API).
`containers/` has the table of image forms and one module a form, `checks/` one a kind of damage;
`repair` and `convert` build on all. To add an image form: one module in `containers/` and its row
in the table there.

No BASIC programs (language/program) and no device service for running ones (hardware/machine).
"""
