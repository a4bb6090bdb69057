"""TI files, volumes and their images (HFE, PC99, CF7+): the one reader and writer of each format.

Files: `tifile` (values), `records` (sectors ↔ records, and texts), `hostfiles` (a file on a host
with its header). Volumes, from the bytes upward: `structs` (layouts) → `descriptors` (values) →
`volume` (sectors, bitmap, indexes) → `allocation` → `image` (DiskImage, the public API).
`containers/` has the table of image formats and one module for each; `checks/` has one module for
each kind of damage.
`repair` and `convert` build on all of these. To add an image format, write one module in
`containers/` and add its row to the table there.

BASIC programs are in language/program, the device service of a running machine in hardware/machine.
"""
