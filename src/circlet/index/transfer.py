"""A copy of one store in another, whatever either is made of: by pages, each read back and compared.

Nothing is remembered of how far a copy got. A page that is there already, bit for bit, is passed by, and
whatever differs is written anew; so a run that was killed is gone on with by running it again.
"""

import hashlib
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, astuple, dataclass, field
from typing import Any

import numpy as np

from circlet.core import BusyError, DataError, Progress, StoreError, UsageError, Vectors
from circlet.core.marks import KINDS, Mark, marks_of
from circlet.index.store import Store, marking
from circlet.index.values import Entry

# Pictures in memory at once, with the vectors of every encoder: some 8 MB, twice.
PAGE = 2_000
# Checksums of pictures are summed, so that the order in which a store lists them does not matter.
_SUM = 1 << 128
_AGAIN = "run the same command again to bring the copy up to date"


@dataclass(frozen=True, slots=True)
class Copied:
    """What a copy holds, how many pictures of it had to be written, and the checksum of all of them.

    `bare` pictures have no vector (a repair dropped it) and were left to the next indexing. The
    checksum is the same for every store with the same pictures, vectors and marks.
    """

    pictures: int
    written: int
    vectors: int
    marks: int
    broken: int
    roots: int
    bare: int
    checksum: str

    def to_dict(self) -> dict[str, Any]:
        """The report as plain JSON values."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class _Page:
    """All that a store knows of some pictures."""

    entries: Mapping[str, Entry] = field(default_factory=dict)
    vectors: Mapping[str, Mapping[str, Vectors]] = field(default_factory=dict)
    marks: Mapping[str, Mapping[str, Mark]] = field(default_factory=dict)

    @classmethod
    def read(cls, store: Store, paths: Sequence[str]) -> "_Page":
        """As far as the store knows these paths."""
        there = store.known(paths)
        known = [path for path in paths if path in there]
        names = store.fingerprints()
        if not known or not names:
            return cls()
        vectors = {}
        for name in names:
            having = store.having(known, name)
            if whose := [path for path in known if path in having]:
                rows = np.asarray(store.space(name).vectors_of(whose), np.float32)
                vectors[name] = dict(zip(whose, rows, strict=True))
        marks = {kind: dict(marks_of(store.space(names[0]), known, kind)) for kind in KINDS}
        entries = dict(zip(known, store.entries(known), strict=True))
        return cls(entries, vectors, marks)

    def checksums(self) -> dict[str, int]:
        """A checksum for each picture that has a vector: of its entry, its vectors and its marks."""
        digests = {}
        for path, entry in self.entries.items():
            digest = hashlib.blake2b(repr(astuple(entry)).encode("utf-8", "surrogateescape"), digest_size=16)
            bare = True
            for name in sorted(self.vectors):
                if path in self.vectors[name]:
                    bare = False
                    digest.update(name.encode() + self.vectors[name][path].tobytes())
            for kind, marks in self.marks.items():
                if path in marks:
                    digest.update(repr((kind, astuple(marks[path]))).encode("utf-8", "surrogateescape"))
            if not bare:
                digests[path] = int.from_bytes(digest.digest(), "big")
        return digests

    def write(self, store: Store, paths: Sequence[str], searched: Mapping[str, bool]) -> None:
        """Put these of the page's pictures into a store that has none of them."""
        for name, rows in self.vectors.items():
            if whose := [path for path in paths if path in rows]:
                entries = [self.entries[path] for path in whose]
                store.add(entries, np.stack([rows[path] for path in whose]), name, searched=searched[name])
        for kind, marks in self.marks.items():
            if seen := {path: marks[path] for path in paths if path in marks}:
                marking(store).mark(kind, seen)


def transfer(source: Store, target: Store, *, progress: Progress | None = None, page: int = PAGE) -> Copied:
    """Copy everything, and compare every page with what the target gives back; the source stays as it is.

        with open_store("old") as source, open_store("new", write=True) as target:
            transfer(source, target)

    It is safe to repeat and to interrupt. A target that holds anything else is refused before the
    first page. `progress` is told how many pictures are done.
    """
    _refuse_others(source, target, page)
    counts = source.counts()
    searched = {name: space.searched for name, space in counts.spaces.items()}
    roots = source.roots()
    # First, as at indexing: an engine may keep the pictures of one root together.
    for root in roots:
        target.add_root(root)
    done = written = bare = vectors = marks = total = 0
    for paths in _pages(source, page):
        wanted = _read_live(source, paths)
        sums = wanted.checksums()
        written += _settle(target, wanted, sums, searched)
        done += len(paths)
        bare += len(paths) - len(sums)
        vectors += sum(map(len, wanted.vectors.values()))
        marks += sum(map(len, wanted.marks.values()))
        total = (total + sum(sums.values())) % _SUM
        if progress:
            progress(done, counts.pictures)
    broken = _copy_broken(source, target)
    _compare(source, target, bare)
    return Copied(done - bare, written, vectors, marks, broken, len(roots), bare, f"{total:032x}")


def _settle(target: Store, wanted: _Page, sums: Mapping[str, int], searched: Mapping[str, bool]) -> int:
    """Bring a page into the target and read it back; returns how many pictures were written."""
    found = _Page.read(target, list(wanted.entries)).checksums()
    lacking = [path for path, digest in sums.items() if found.get(path) != digest]
    if not lacking:
        return 0
    # A picture that is there in part, or as it was before, goes first: nothing old stays beside the new.
    if there := target.known(lacking):
        target.forget(list(there))
    wanted.write(target, lacking, searched)
    found = _Page.read(target, lacking).checksums()
    if wrong := [path for path in lacking if found.get(path) != sums[path]]:
        raise StoreError(
            f"{wrong[0]}: the copy gave back something else than was written ({len(wrong):,} such): "
            "check the disk or server it is on, then run the same command again"
        )
    return len(lacking)


def _copy_broken(source: Store, target: Store) -> int:
    """The files that could not be opened: those that the target lacks, and none that it has beside."""
    count = 0
    for place in _places(source):
        wanted, there = source.broken(place), target.broken(place)
        for path, why in wanted.items():
            if there.get(path) != why:
                target.note_broken(path, why.reason, size=why.size, mtime_ns=why.mtime_ns)
        if gone := [path for path in there if path not in wanted]:
            target.forget(gone)
        count += len(wanted)
    return count


def _compare(source: Store, target: Store, bare: int) -> None:
    """Both hold the same now, or somebody wrote to one of them meanwhile."""
    one, other = source.counts(), target.counts()
    spaces = [
        {name: space.pictures for name, space in counts.spaces.items() if space.pictures}
        for counts in (one, other)
    ]
    if one.pictures - bare != other.pictures or one.broken != other.broken or spaces[0] != spaces[1]:
        raise BusyError(f"one of the two stores changed while it was copied: {_AGAIN}")


def _read_live(source: Store, paths: Sequence[str]) -> _Page:
    try:
        return _Page.read(source, paths)
    except DataError:
        raise BusyError(f"the index changed while it was copied: {_AGAIN}") from None


def _refuse_others(source: Store, target: Store, page: int) -> None:
    """Nothing is written to a store that holds what the source does not."""
    strange = [
        *(f"the encoder {name}" for name in target.fingerprints() if name not in source.fingerprints()),
        *(f"the folder {root}" for root in target.roots() if root not in source.roots()),
    ]
    for paths in () if strange else _pages(target, page):
        known = source.known(paths)
        if unknown := [path for path in paths if path not in known]:
            strange = unknown
            break
    if strange:
        raise UsageError(
            f"the store to copy to holds something else ({strange[0]}): name one that is empty, or that "
            "an earlier copy of the same index began"
        )


def _pages(store: Store, size: int) -> Iterator[list[str]]:
    """The paths of all pictures, some at a time."""
    paths: list[str] = []
    for place in _places(store):
        for path, _ in store.walk(place):
            paths.append(path)
            if len(paths) == size:
                yield paths
                paths = []
    if paths:
        yield paths


def _places(store: Store) -> list[str]:
    """Folders that hold every picture, none inside another: the roots, or all of the disk beside them."""
    roots = _topmost(store.roots())
    if not roots or sum(store.count(root) for root in roots) < store.counts().pictures:
        roots = _topmost([*roots, os.sep])
    return roots


def _topmost(folders: Sequence[str]) -> list[str]:
    """
    >>> _topmost(["/p/q", "/p", "/pq", "s3://bucket/a"])
    ['/p', '/pq', 's3://bucket/a']
    """
    top: list[str] = []
    for folder in sorted(folders):
        if not any(folder == other or folder.startswith(f"{other.rstrip(os.sep)}{os.sep}") for other in top):
            top.append(folder)
    return top
