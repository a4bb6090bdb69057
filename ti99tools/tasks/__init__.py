"""What commands do, without a command line: what a word means, sources opened, disks in drives.

`targets` tells what a word means, `sources` reads what it names, `drives` mounts and saves disks.
No presentation. Imports every room but report and cli.
"""
