"""From xbasic/<game> manifests to listings, programs and disk images.

`finding` finds games, `manifest` reads their manifests, `artefacts` builds them, `collection`
writes or checks `disks/`.
"""
