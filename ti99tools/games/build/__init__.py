"""From xbasic/<game> manifests to listings, programs and disk images.

`finding` finds them, `manifest` reads them, `artefacts` builds them, `folder` writes or checks
`disks/`. No command line.
"""
