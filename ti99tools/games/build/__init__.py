"""From xbasic/<game> manifests to listings, programs and disk images.

`finding` finds games, `manifest` reads them, `artefacts` builds them, `collection` writes or checks
`disks/`. No command line.
"""
