"""`DiskImage`: a TI disk with its files, in whatever container it came.

Every change touches only the sectors it must: files are never moved, other descriptors and the
bytes after the end of the data stay as they are.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import partial

from ti99tools.base.errors import DiskError, Remedy, TIError
from ti99tools.base.hostio import read_bytes, write_atomically
from ti99tools.base.inputs import READ_LIMIT
from ti99tools.media.disk import allocation, descriptors, records
from ti99tools.media.disk.archive import ArchiveContainer, archive_files
from ti99tools.media.disk.containers import unpack
from ti99tools.media.disk.containers.sectors import Container, SectorImage
from ti99tools.media.disk.descriptors import Fdr, Vib
from ti99tools.media.disk.extract import no_file
from ti99tools.media.disk.geometry import GEOMETRIES, MAX_FILES, SECTOR, Geometry, sectors_per_unit
from ti99tools.media.disk.geometry import geometry as named_geometry
from ti99tools.media.disk.tifile import DiskFile, FileInfo, FileType, StoredFile, check_name
from ti99tools.media.disk.volume import Volume


class DiskImage:
    """A TI volume.

    File names may be written `DIRECTORY.NAME` for a file in a subdirectory. A protected file
    refuses changes. The disk's own protection is kept but, as on the machine, not enforced here.
    `container` knows the format in which the image is saved; `sectors` may be a function that makes
    them. Raises DiskError for fewer than two sectors. The methods raise DiskError for a missing or
    protected file, and for damage that stops them.
    """

    def __init__(
        self,
        sectors: bytes | Callable[[], bytes],
        container: Container | None = None,
        defects: Mapping[int, str] | None = None,
    ) -> None:
        self.container: Container = container or SectorImage()
        self._file: tuple[str, bytes] | None = None
        """The file from which the image was read or to which it was saved, and its content then."""
        # Tracks have a fixed number of sectors; a sector image may grow.
        resizable = isinstance(self.container, SectorImage)
        self.volume = Volume(sectors, defects, resizable)
        if not callable(sectors) and self.volume.held < 2:
            raise DiskError(
                "not a TI disk", remedy="an image has at least a volume block and an index"
            )

    def __repr__(self) -> str:
        free = f"{self.free_sectors} of {self.total_sectors} sectors free"
        return f"<DiskImage {self.name}, {self.form}, {free}>"

    @classmethod
    def new(cls, geometry: str | Geometry = "SSSD", name: str = "DISK") -> DiskImage:
        """An empty disk: zeros but for its volume block and an empty index."""
        shape = named_geometry(geometry) if isinstance(geometry, str) else geometry
        check_name(name, "disk name")
        fields = (shape.tracks, shape.sides, shape.sectors_per_track, shape.density)
        vib = descriptors.blank_vib(name, shape.sectors, fields, sectors_per_unit(shape.sectors))
        return cls(partial(_laid_out, vib))

    @classmethod
    def from_bytes(cls, data: bytes, volume: int = 1, strict: bool = True) -> DiskImage:
        """The disk in `data`, whatever its format; `volume` chooses one on a CF7+ card.

        `strict` requires the mark DSK of an initialised disk. Raises `DiskError`.
        """
        files = archive_files(data) if volume == 1 else None
        if files is not None:
            return cls._of_archive(files)
        unpacked = unpack(data, volume)
        image = cls(unpacked.sectors, unpacked.container, unpacked.defects)
        if strict and image.volume.vib.magic != descriptors.MARK:
            raise DiskError(
                "the disk is not initialised (no DSK in its volume block)",
                remedy=Remedy.CHECK_DISK,
            )
        return image

    @classmethod
    def _of_archive(cls, files: list[StoredFile]) -> DiskImage:
        """A disk with the files of an archive; it cannot be written back."""
        needed = sum(file.sectors + 1 for file in files) + 2
        shapes = sorted(GEOMETRIES.values(), key=lambda shape: shape.sectors)
        shape = next((each for each in shapes if each.sectors >= needed), None)
        if shape is None:
            raise DiskError("the archive holds more than a disk", remedy="unpack it on a card")
        image = cls.new(shape, "ARCHIVE")
        for file in files:
            image.add_stored(file)
        image.container = ArchiveContainer()
        return image

    @classmethod
    def open(
        cls,
        path: str | os.PathLike[str],
        volume: int = 1,
        strict: bool = True,
        data: bytes | None = None,
    ) -> DiskImage:
        """The disk in the file `path`; see `from_bytes`. `data`: what was read from it already."""
        try:
            data = _image_bytes(path) if data is None else data
            image = cls.from_bytes(data, volume, strict)
        except TIError as error:
            raise error.at(os.fspath(path)) from None
        image._file = os.path.realpath(path), data
        return image

    def to_bytes(self) -> bytes:
        """The image in the format it came in (a new one: sector image)."""
        return self.container.pack(bytes(self.volume.data), self.volume.defects.keys())

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the image to `path`, whole or not at all.

        Raises TIError when the image came from that file and the file has changed since.
        """
        data, file = self.to_bytes(), os.path.realpath(path)
        # Another program may have changed the file since: then our copy must not overwrite it.
        origin, before = self._file or ("", b"")
        write_atomically(path, data, before if origin == file else None)
        self._file = file, data

    def is_from(self, path: str | os.PathLike[str]) -> bool:
        """Tell whether the image was opened from the file `path`, or last saved to it."""
        return self._file is not None and self._file[0] == os.path.realpath(path)

    @property
    def form(self) -> str:
        """The container's name: `sector image`, `HFE`, `PC99`, `CF7+`."""
        return self.container.form

    @property
    def name(self) -> str:
        """The name in the volume block, without the spaces that fill it; at most 10 characters."""
        return descriptors.clean_name(self.volume.vib.name)

    @name.setter
    def name(self, name: str) -> None:
        check_name(name, "disk name")
        self.volume.vib = replace(self.volume.vib, name=descriptors.pad_name(name))

    @property
    def geometry(self) -> Geometry:
        """Tracks, sides, sectors a track, density."""
        return self.volume.geometry

    @property
    def total_sectors(self) -> int:
        """Sectors of the disk, as its volume block counts them if that is possible."""
        return self.volume.size

    @property
    def free_sectors(self) -> int:
        """Sectors the bitmap calls free, as a catalogue shows them."""
        volume = self.volume
        bits = volume.vib.bitmap
        units = range(min(volume.size // volume.unit, 8 * len(bits)))
        return sum(not bits[bit >> 3] & 1 << (bit & 7) for bit in units) * volume.unit

    @property
    def protected(self) -> bool:
        """Tell whether the disk forbids copying (the P of its volume block)."""
        return self.volume.vib.protection == b"P"

    @protected.setter
    def protected(self, on: bool) -> None:
        self.volume.vib = replace(self.volume.vib, protection=b"P" if on else b" ")

    @property
    def directories(self) -> list[str]:
        """Names of the subdirectories."""
        return [name for name in self.volume.indexes() if name]

    def sector(self, number: int) -> bytes:
        """The 256 bytes of a sector."""
        return self.volume.sector(number)

    def write_sector(self, number: int, data: bytes) -> None:
        """Replace the 256 bytes of a sector, whatever it holds."""
        self.volume.write_sector(number, data)

    def files(self, directory: str | None = None) -> list[FileInfo]:
        """The catalogue in index order: of one directory ("" = root), or of all."""
        found = []
        for name, index in self.volume.indexes().items():
            if directory is None or directory == name:
                found += [self.describe(pointer, name) for pointer in self.volume.pointers(index)]
        return found

    def describe(self, sector: int, directory: str = "") -> FileInfo:
        """The catalogue entry of the descriptor in `sector`."""
        fdr = self.volume.fdr(sector)
        return FileInfo(
            descriptors.clean_name(fdr.name),
            FileType.from_flags(fdr.flags),
            fdr.record_length,
            # The catalogue counts the descriptor's own sector.
            fdr.sectors + 1,
            bool(fdr.flags & descriptors.PROTECTED),
            records.used_bytes(fdr),
            fdr.created,
            fdr.updated,
            directory,
            len(self.volume.sound_extents(fdr)),
        )

    def names(self) -> list[str]:
        """Every file's name as the methods here take it."""
        return [f"{i.directory}.{i.name}" if i.directory else i.name for i in self.files()]

    def __contains__(self, name: str) -> bool:
        return self._find(name) is not None

    def read(self, name: str) -> DiskFile:
        """The file `name` as programs see it."""
        stored = self.read_stored(name)
        return records.load(stored)

    def read_stored(self, name: str) -> StoredFile:
        """The file `name` with all its sectors."""
        sector = self.descriptor_sector(name)
        return self.volume.stored(sector)

    def add(self, file: DiskFile, replace: bool = False) -> None:
        """Add `file`; an existing one of its name is replaced only with `replace`."""
        self.add_stored(records.store(file), replace)

    def add_stored(self, file: StoredFile, replace: bool = False) -> None:
        """Add a file with its sectors as they are; see `add`.

        Nothing is changed when it does not fit, already exists or is protected.
        """
        if len(file.content) % SECTOR:
            raise ValueError("stored files consist of whole sectors")
        with self._in_full():
            self._put(file, replace)

    def remove(self, name: str) -> None:
        """Remove the file `name`; its sectors become free and keep their content."""
        directory, _, sector = self._located(name)
        self._require_unprotected(name, sector)
        fdr = self.volume.fdr(sector)
        index = self.volume.indexes()[directory]
        pointers = tuple(p for p in self.volume.pointers(index) if p != sector)
        # A damaged chain is freed as far as it is sound; the rest stays for `check` to find.
        gone = {sector}.union(*self.volume.sound_extents(fdr))
        with self._in_full():
            self.volume.set_pointers(index, pointers)
            allocation.release(self.volume, gone)

    def rename(self, old: str, new: str) -> None:
        """Rename a file; `new` is a plain name, the file stays in its directory."""
        directory, _, sector = self._located(old)
        check_name(new)
        self._require_unprotected(old, sector)
        other = self._find(f"{directory}.{new}" if directory else new)
        if other is not None and other != sector:
            raise exists(new)
        index = self.volume.indexes()[directory]
        fdr = replace(self.volume.fdr(sector), name=descriptors.pad_name(new))
        # Out of the index and in again: the new name may belong elsewhere in the order.
        others = [p for p in self.volume.pointers(index) if p != sector]
        with self._in_full():
            self.volume.set_fdr(sector, fdr)
            self._insert(index, others, sector)

    def protect(self, name: str, on: bool = True) -> None:
        """Protect the file `name` from change and deletion, or allow them."""
        sector = self.descriptor_sector(name)
        fdr = self.volume.fdr(sector)
        flags = fdr.flags | descriptors.PROTECTED if on else fdr.flags & ~descriptors.PROTECTED
        self.volume.set_fdr(sector, replace(fdr, flags=flags))

    def make_directory(self, name: str) -> None:
        """Make an empty subdirectory; a disk has at most three, in its root.

        Raises DiskError for a fourth one, a name that is taken or not allowed, and a full disk.
        """
        check_name(name, "directory name")
        vib = self.volume.vib
        names = [descriptors.clean_name(entry.name) for entry in vib.subdirectories if entry.fdir]
        if name in names:
            raise exists(name)
        if len(names) == len(vib.subdirectories):
            raise DiskError("a disk has at most three directories", remedy="use one of them")
        sector = allocation.take_directory(self.volume)
        self.volume.set_pointers(sector, ())
        # Read again: taking the sector has changed the bitmap in the block.
        vib = self.volume.vib
        entries = list(vib.subdirectories)
        place = next(at for at, entry in enumerate(entries) if not entry.fdir)
        entries[place] = descriptors.Subdirectory(descriptors.pad_name(name), sector)
        self.volume.vib = replace(vib, subdirectories=tuple(entries))

    def descriptor_sector(self, name: str) -> int:
        """The sector of the descriptor of the file `name`. Raises `DiskError` when missing."""
        return self._located(name)[2]

    @contextmanager
    def _in_full(self) -> Iterator[None]:
        """Undo all changes when the body fails half-way."""
        volume = self.volume
        before, defects = bytes(volume.data), dict(volume.defects)
        try:
            yield
        except Exception:
            volume.data[:] = before
            volume.defects.update(defects)
            raise

    def _put(self, file: StoredFile, replacing: bool) -> None:
        directory, _, name = file.name.rpartition(".")
        index = self._index(directory)
        check_name(name)
        sector = self._find(file.name)
        if sector is not None:
            if not replacing:
                raise exists(file.name)
            self._require_unprotected(file.name, sector)
            old = self.volume.fdr(sector)
            # The old sectors are freed before new ones are taken, so that a full disk can replace a
            # file.
            self.volume.set_fdr(sector, Fdr(name=descriptors.pad_name(name)))
            allocation.release(self.volume, set().union(*self.volume.sound_extents(old)))
        elif len(self.volume.pointers(index)) >= MAX_FILES:
            raise DiskError(
                f"a directory holds at most {MAX_FILES} files",
                remedy="remove files or use another disk",
            )
        else:
            sector = allocation.take_descriptor(self.volume)
            # The descriptor goes in before the contents: the sector counts as taken by then.
            self.volume.set_fdr(sector, Fdr(name=descriptors.pad_name(name)))
            self._insert(index, list(self.volume.pointers(index)), sector)
        extents = allocation.take_contents(self.volume, file.sectors)
        self._write_content(extents, file.content)
        self.volume.set_fdr(sector, file.descriptor(name, self.volume.chain(extents)))

    def _write_content(self, extents: list[range], content: bytes) -> None:
        sectors = (number for extent in extents for number in extent)
        for place, number in enumerate(sectors):
            self.volume.write_sector(number, content[place * SECTOR : (place + 1) * SECTOR])

    def _insert(self, index: int, pointers: list[int], sector: int) -> None:
        """Put `sector` into an index before the first name that is greater."""
        name = self.volume.fdr(sector).name
        place = len(pointers)
        for at, pointer in enumerate(pointers):
            if 0 < pointer < self.volume.held and self.volume.fdr(pointer).name > name:
                place = at
                break
        pointers.insert(place, sector)
        self.volume.set_pointers(index, tuple(pointers))

    def _index(self, directory: str) -> int:
        indexes = self.volume.indexes()
        if directory not in indexes:
            known = ", ".join(name for name in indexes if name) or "none"
            raise DiskError(
                f"no directory {directory!r} on this disk", remedy=f"its directories: {known}"
            )
        return indexes[directory]

    def _located(self, name: str) -> tuple[str, str, int]:
        """(directory, plain name, sector of the descriptor) of `name`."""
        directory, _, plain = name.rpartition(".")
        sector = self._find(name)
        if sector is None:
            raise no_file(name, self.names())
        return directory, plain, sector

    def _find(self, name: str) -> int | None:
        directory, _, plain = name.rpartition(".")
        index = self.volume.indexes().get(directory)
        if index is None:
            return None
        for pointer in self.volume.pointers(index):
            # An index may point outside a cut-off image; `check` reports it.
            known = pointer < self.volume.held
            if known and descriptors.clean_name(self.volume.fdr(pointer).name) == plain:
                return pointer
        return None

    def _require_unprotected(self, name: str, sector: int) -> None:
        if self.volume.fdr(sector).flags & descriptors.PROTECTED:
            raise DiskError(f"{name} is protected", remedy=Remedy.UNPROTECT_FILE)


def _laid_out(vib: Vib) -> bytes:
    """The sectors of the empty disk with the volume block `vib`."""
    return descriptors.build_vib(vib) + bytes((vib.total_sectors - 1) * SECTOR)


def _image_bytes(path: str | os.PathLike[str]) -> bytes:
    """The content of an image file.

    Raises DiskError for one that is too large; it says how to cut a volume out of a card.
    """
    if os.path.isfile(path) and os.path.getsize(path) > READ_LIMIT:
        raise DiskError(
            f"larger than {READ_LIMIT >> 20} MB",
            remedy="cut volume N out of the card: dd if=CARD of=PART bs=819200 skip=N-1 count=1",
        )
    return read_bytes(path)


def exists(name: str) -> DiskError:
    """The error of a name that is taken."""
    return DiskError(f"{name} already exists", remedy=Remedy.REPLACE)
