"""A store in memory: the shortest thing that keeps every promise of `index.Store`."""

import os
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path, PurePath
from typing import Any, ClassVar

import numpy as np

from circlet.core import (
    BusyError,
    DataError,
    Exclude,
    Filters,
    Flags,
    Gallery,
    MismatchError,
    Ranking,
    Rows,
    Searchable,
    StoreError,
    Vectors,
    missing,
)
from circlet.core.closing import Closing
from circlet.core.marks import PEOPLE, TEXT, Mark
from circlet.core.vectors import checked_queries
from circlet.images import open_picture
from circlet.index import Broken, Counts, Entry, Known, SpaceCounts, Tally, key_of
from circlet.index.values import checked_batch


def whole(space: Searchable, filters: Filters | None = None) -> Gallery:
    """Everything that passes, as one gallery: for tests, and for collections that are known to be small."""
    ids: list[str] = []
    rows: list[Vectors] = []
    for piece, counts in space.pieces(filters):
        kept = np.arange(len(piece)) if counts is None else np.flatnonzero(counts)
        ids += piece.ids_at(kept)
        rows.append(np.array(piece.vectors[kept]))
    return Gallery(ids, np.concatenate(rows), space.fingerprint)


@dataclass
class _Shelf:
    """What all handles on one store share."""

    entries: dict[str, Entry] = field(default_factory=dict)
    broken: dict[str, Broken] = field(default_factory=dict)
    roots: dict[str, None] = field(default_factory=dict)
    spaces: dict[str, dict[str, Vectors]] = field(default_factory=dict)
    dims: dict[str, int] = field(default_factory=dict)
    looked_up: set[str] = field(default_factory=set)
    marks: dict[str, dict[str, Mark]] = field(default_factory=dict)
    written: bool = False

    @property
    def held(self) -> list[dict[str, Any]]:
        """All that goes with a picture."""
        return [*self.spaces.values(), *self.marks.values()]


def _inside(path: str, root: str) -> bool:
    return PurePath(path).is_relative_to(root)


class MemoryStore(Closing):
    """`MemoryStore.open(place, write=True)`: handles on the same place share what was written."""

    _shelves: ClassVar[dict[str, _Shelf]] = {}

    def __init__(self, shelf: _Shelf, write: bool) -> None:
        self._shelf, self._write = shelf, write

    @classmethod
    def open(cls, place: Any, write: bool = False) -> "MemoryStore":
        """The store at this place, made on first use."""
        shelf = cls._shelves.setdefault(str(place), _Shelf())
        if write and shelf.written:
            raise BusyError(f"another handle is writing to the index at {place}: close it first")
        shelf.written = shelf.written or write
        return cls(shelf, write)

    def close(self) -> None:
        """Let another handle write."""
        if self._write:
            self._shelf.written, self._write = False, False

    def _writing(self) -> _Shelf:
        if not self._write:
            raise StoreError("this store was opened for reading: open it with write=True")
        return self._shelf

    # Writing

    def add(
        self, entries: Sequence[Entry], vectors: Vectors, fingerprint: str, *, searched: bool = True
    ) -> None:
        shelf, rows = self._writing(), checked_batch(entries, vectors)
        if not entries:
            return
        dim = shelf.dims.setdefault(fingerprint, rows.shape[1])
        if dim != rows.shape[1]:
            raise MismatchError(f"vectors of {rows.shape[1]} numbers, the index holds {dim}")
        if fingerprint not in shelf.spaces and not searched:
            shelf.looked_up.add(fingerprint)
        space = shelf.spaces.setdefault(fingerprint, {})
        for entry, row in zip(entries, rows, strict=True):
            before = shelf.entries.get(entry.path)
            if before and before.hash != entry.hash:
                self._drop(entry.path)
            space.pop(entry.path, None)
            space[entry.path] = row.copy()
            shelf.entries[entry.path] = entry
            shelf.broken.pop(entry.path, None)

    def _drop(self, path: str) -> None:
        for held in self._shelf.held:
            held.pop(path, None)

    def moved(self, pairs: Iterable[tuple[str, Entry]]) -> None:
        shelf, pairs = self._writing(), list(pairs)
        olds, news = [old for old, _ in pairs], [entry.path for _, entry in pairs]
        if len(set(olds)) < len(olds) or len(set(news)) < len(news):
            raise DataError("a picture moves twice at once: give each old and each new path once")
        if not set(olds) <= shelf.entries.keys():
            raise missing(olds, shelf.entries)
        for path in news:
            if path not in olds:
                self._drop(path)
                shelf.entries.pop(path, None)
        names = {old: entry.path for old, entry in pairs}
        for held in shelf.held:
            renamed = {names.get(path, path): what for path, what in held.items()}
            held.clear()
            held.update(renamed)
        for old in olds:
            del shelf.entries[old]
        shelf.entries |= {entry.path: entry for _, entry in pairs}

    def forget(self, paths: Collection[str]) -> int:
        shelf = self._writing()
        known = [path for path in paths if path in shelf.entries]
        for path in paths:
            self._drop(path)
            shelf.entries.pop(path, None)
            shelf.broken.pop(path, None)
        return len(known)

    def note_broken(self, path: str, reason: str, *, size: int = 0, mtime_ns: int = 0) -> None:
        self.forget([path])
        self._shelf.broken[path] = Broken(reason, size, mtime_ns)

    def add_root(self, folder: str) -> None:
        self._writing().roots[folder] = None

    def forget_root(self, folder: str) -> int:
        shelf = self._writing()
        gone = self.forget([path for path in shelf.entries if _inside(path, folder)])
        shelf.roots = {root: None for root in shelf.roots if not _inside(root, folder)}
        shelf.broken = {path: why for path, why in shelf.broken.items() if not _inside(path, folder)}
        return gone

    def repair(self) -> list[str]:
        return []

    def mark(self, kind: str, seen: Mapping[str, Mark]) -> None:
        shelf = self._writing()
        there = {path: mark for path, mark in seen.items() if path in shelf.entries}
        shelf.marks.setdefault(kind, {}).update(there)

    def unmarked(self, root: str, kind: str, by: str) -> Iterator[str]:
        marks = self._shelf.marks.get(kind, {})
        for path in sorted(path for path in self._shelf.entries if _inside(path, root)):
            if path not in marks or marks[path].by != by:
                yield path

    def marked(self, kind: str) -> int:
        return len(self._shelf.marks.get(kind, {}))

    # Reading

    def space(self, fingerprint: str) -> "MemorySpace":
        return MemorySpace(self._shelf, fingerprint)

    def roots(self) -> list[str]:
        return sorted(self._shelf.roots)

    def folders(self, root: str) -> list[str]:
        inside = (path for path in self._shelf.entries if _inside(path, root))
        return sorted({os.path.dirname(path) for path in inside})  # noqa: PTH120 (ids are text)

    def known(self, paths: Collection[str], fingerprint: str | None = None) -> dict[str, Known]:
        held = self._shelf.entries if fingerprint is None else self._shelf.spaces.get(fingerprint, {})
        entries = (self._shelf.entries[path] for path in paths if path in held)
        return {entry.path: Known(entry.size, entry.mtime_ns, entry.hash) for entry in entries}

    def walk(self, root: str, fingerprint: str | None = None) -> Iterator[tuple[str, Known]]:
        paths = sorted(path for path in self._shelf.entries if _inside(path, root))
        yield from self.known(paths, fingerprint).items()

    def count(self, root: str, fingerprint: str | None = None) -> int:
        return sum(1 for _ in self.walk(root, fingerprint))

    def having(self, paths: Collection[str], fingerprint: str) -> set[str]:
        return set(self.known(paths, fingerprint))

    def broken(self, root: str) -> dict[str, Broken]:
        return {path: why for path, why in sorted(self._shelf.broken.items()) if _inside(path, root)}

    def entries(self, paths: Sequence[str]) -> list[Entry]:
        try:
            return [self._shelf.entries[path] for path in paths]
        except KeyError:
            raise missing(paths, self._shelf.entries) from None

    def named(self, keys: Collection[int]) -> Mapping[int, str]:
        return {key_of(path): path for path in self._shelf.entries if key_of(path) in keys}

    def fingerprints(self) -> list[str]:
        return list(self._shelf.spaces)

    def counts(self) -> Counts:
        shelf = self._shelf
        spaces = {
            name: SpaceCounts(len(space), 0, shelf.dims[name], 0, name not in shelf.looked_up)
            for name, space in shelf.spaces.items()
        }
        size = sum(row.nbytes for space in shelf.spaces.values() for row in space.values())
        return Counts(len(shelf.entries), len(shelf.broken), len(shelf.roots), size, spaces)

    def verify(self) -> list[str]:
        return []


@dataclass(frozen=True)
class MemorySpace:
    """One encoder's vectors of a store in memory; every call sees the store as it is now."""

    shelf: _Shelf
    fingerprint: str

    def _gallery(self) -> Gallery:
        if not self.shelf.spaces:
            raise StoreError("the index is empty: run `circlet index FOLDER` first")
        if self.fingerprint not in self.shelf.spaces:
            others = ", ".join(self.shelf.spaces)
            raise MismatchError(f"the index has no vectors of {self.fingerprint}, it has those of {others}")
        rows = self.shelf.spaces[self.fingerprint]
        stacked = np.stack(list(rows.values())) if rows else np.zeros((0, self.shelf.dims[self.fingerprint]))
        return Gallery(list(rows), stacked.astype(np.float32), self.fingerprint)

    def _counts(self, gallery: Gallery, filters: Filters | None) -> Flags:
        asked = filters or Filters()
        return np.array(
            [_passes(self.shelf.entries[id], asked) and self._seen(id, asked) for id in gallery.ids], bool
        )

    def _seen(self, id: str, filters: Filters) -> bool:
        """Whether so many people were counted, and that was read, where it is asked for."""
        people, text = (self.shelf.marks.get(kind, {}).get(id) for kind in (PEOPLE, TEXT))
        if filters.people and not (people and filters.people[0] <= people.number <= filters.people[1]):
            return False
        needle = (filters.written or "").replace(" ", "")
        return not needle or (text is not None and needle in text.words.replace(" ", ""))

    def __len__(self) -> int:
        return len(self._gallery())

    def __contains__(self, id: object) -> bool:
        return id in self.shelf.spaces.get(self.fingerprint, {})

    def vectors_of(self, ids: Sequence[str]) -> Vectors:
        return self._gallery().vectors_of(ids)

    def marks_of(self, ids: Sequence[str], kind: str) -> Mapping[str, Mark]:
        marks = self.shelf.marks.get(kind, {})
        return {id: marks[id] for id in ids if id in marks}

    def marked(self, kind: str) -> int:
        return len(self.shelf.marks.get(kind, {}))

    def tokens_of(self, ids: Sequence[str]) -> Vectors:
        return self._gallery().tokens_of(ids)

    def open(self, id: str, side: int | None = None) -> Any:
        return open_picture(Path(id), side=side)

    def search(
        self, vectors: Vectors, *, top: int = 50, filters: Filters | None = None, exclude: Exclude = None
    ) -> list[Ranking]:
        gallery = self._gallery()
        queries = checked_queries(vectors, gallery.vectors.shape[1], exclude)
        passing = gallery.subset(gallery.ids_at(np.flatnonzero(self._counts(gallery, filters))))
        return passing.search(queries, top=top, exclude=exclude)

    def snapshot(self) -> "AbstractContextManager[MemorySpace]":
        return nullcontext(replace(self))

    def pieces(self, filters: Filters | None = None) -> Iterator[tuple[Gallery, Flags | None]]:
        gallery = self._gallery()
        yield gallery, self._counts(gallery, filters)

    def ids_at(self, rows: Rows) -> list[str]:
        return self._gallery().ids_at(rows)

    def rows_among(self, ids: Collection[str]) -> Rows:
        return self._gallery().rows_among(ids)

    def count(self, filters: Filters | None = None) -> int:
        return int(np.count_nonzero(self._counts(self._gallery(), filters)))

    def sample(self, start: int, top: int, filters: Filters | None = None) -> list[str]:
        gallery = self._gallery()
        return gallery.ids_at(np.flatnonzero(self._counts(gallery, filters))[start : start + top])

    def newest(self, start: int, top: int, filters: Filters | None = None) -> list[str]:
        entries = sorted(self._passing(filters), key=_moment, reverse=True)
        return [entry.path for entry in entries[start : start + top]]

    def tally(self, filters: Filters | None = None) -> Tally:
        passing = self._passing(filters)
        return Tally(
            Counter(str(PurePath(entry.path).parent) for entry in passing),
            Counter(f"{_moment(entry):%Y-%m}" for entry in passing),
            Counter(_shape(entry) for entry in passing),
        )

    def _passing(self, filters: Filters | None) -> list[Entry]:
        gallery = self._gallery()
        return [
            self.shelf.entries[id] for id in gallery.ids_at(np.flatnonzero(self._counts(gallery, filters)))
        ]


def _moment(entry: Entry) -> datetime:
    return entry.taken or datetime.fromtimestamp(entry.mtime_ns / 1e9)


def _shape(entry: Entry) -> str:
    wider = entry.width - entry.height
    return "landscape" if wider > 0 else "portrait" if wider < 0 else "square"


def _passes(entry: Entry, filters: Filters) -> bool:
    moment, shape = _moment(entry), _shape(entry)
    edge = max(entry.width, entry.height)
    return (
        (filters.folder is None or _inside(str(PurePath(entry.path).parent), filters.folder))
        and (filters.after is None or moment >= filters.after)
        and (filters.before is None or moment < filters.before)
        and (filters.min_size is None or edge >= filters.min_size)
        and (filters.max_size is None or edge <= filters.max_size)
        and (filters.orientation is None or shape == filters.orientation)
    )
