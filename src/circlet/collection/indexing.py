"""From folder to vectors: walk, read only what is new, decode and encode at once, write in batches.

Pictures come first; videos and animations, where they are wanted, wait for the end (`films.py`).
Nothing here knows the whole collection at once: files are held against the index a few hundred at a
time, so memory does not depend on how many pictures there are. Each batch is durable when it is counted.
"""

import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from itertools import islice
from threading import Event, Thread
from typing import TYPE_CHECKING

import numpy as np

from circlet.collection.films import Shelf, first_of, look_through, moved_to
from circlet.collection.lists import ASKED
from circlet.collection.ranking import tiny_copies
from circlet.collection.reading import About, Wanted
from circlet.collection.report import IndexReport
from circlet.collection.sources import Source, source_of
from circlet.collection.workers import Encoding, workers_of
from circlet.core import (
    PictureEncoder,
    PictureError,
    Progress,
    StoreError,
    UnreadableError,
    UsageError,
    Vectors,
)
from circlet.images import FoundFile, SkippedFile, content_hash
from circlet.images.duplicates import SPACE
from circlet.images.files import shown
from circlet.images.films import moves
from circlet.images.formats import ANIMATIONS, VIDEOS
from circlet.images.moments import file_of, moment_of
from circlet.index import Broken, Entry, Known, Store
from circlet.models.encoding import Batch, Passed

if TYPE_CHECKING:
    from circlet.collection.collection import Collection


def refresh(
    collection: "Collection",
    progress: Progress | None = None,
    stop: Event | None = None,
    workers: str = "",
) -> IndexReport:
    """Bring the index up to date with the collection's folder, list or bucket; see `Collection.index`."""
    if collection.folder is None:
        raise UsageError("which folder? Open the collection with one: circlet.open(folder)")
    source = source_of(
        collection.folder, collection.lists, follow=collection.follows, video=collection.watches
    )
    source.look()
    began, stop = time.monotonic(), stop or Event()
    with (
        collection.open_store(write=True) as store,
        workers_of(workers, collection, stop) as encode,
    ):
        report = _Refresh(source, store, collection.encoder, progress, stop, encode).run()
    report.seconds = time.monotonic() - began
    return report


class _Refresh:
    """One run over one folder, list or bucket."""

    def __init__(
        self,
        source: Source,
        store: Store,
        encoder: PictureEncoder,
        progress: Progress | None,
        stop: Event,
        encode: Encoding,
    ) -> None:
        self.source = source
        self.encode = encode
        self.store = store
        self.encoder = encoder
        self.progress = progress
        self.stop = stop
        self.report = IndexReport(source.root)
        source.begin()
        self.broken = source.broken(store)
        # Of all that is known only what is gone is held: a new picture of the same content is that one.
        self.shelf = Shelf(wanted=source.films)
        self.gone = dict(self._gone())
        self.renamed = {hash: path for path, hash in self.gone.items()}
        self.films: list[FoundFile] = []
        # Animations that stand still by now.
        self.stills: set[str] = set()
        self.writing: Future[None] | None = None
        self.files = 0
        self.done = 0
        self.total: int | None = None

    def run(self) -> IndexReport:
        """Read, encode and write; then forget what is gone."""
        self.store.add_root(self.source.root)
        if self.progress:
            Thread(target=self._count, daemon=True).start()
        with ThreadPoolExecutor(1) as self.writer:
            for outcome in self.encode(self._files(), self.renamed):
                if isinstance(outcome, Batch):
                    self._keep(outcome)
                else:
                    self._pass(outcome)
            self._settle()
        for file in self.films:
            if not self.stop.is_set():
                self._film(file)
        self.report.interrupted = self.stop.is_set()
        if not self.report.interrupted:
            self._forget()
            self.source.finish()
        return self.report

    def _gone(self) -> Iterator[tuple[str, str]]:
        """What was indexed of this source and is not there any more, with the hash of its content."""
        known = self.source.known(self.store, self.encoder.fingerprint)
        while part := dict(islice(known, ASKED)):
            gone = self.source.gone([id for id in part if not moment_of(id)], self.store)
            for id, one in part.items():
                if self.shelf.sort(id, one) if moment_of(id) else id in gone:
                    yield id, one.hash

    def _files(self) -> Iterator[Wanted]:
        """Pictures that must be read; what is as it was is counted, what is left out is noted."""
        items = self.source.items()
        while part := list(islice(items, ASKED)):
            paths = [item.id for item in part]
            paths += [first_of(item.path) for item in part if self._may_be_film(item)]
            known = self.store.known(paths, self.encoder.fingerprint)
            for item in part:
                if self.stop.is_set():
                    return
                if isinstance(item, SkippedFile):
                    # A folder of videos that are not taken is there all the same.
                    self.files += item.path.suffix.lower() in VIDEOS
                    self._skip(item.id, item.reason, 0, 0)
                    continue
                self.files += 1
                first = known.get(first_of(item.path)) if self._may_be_film(item) else None
                before = first or known.get(item.id)
                if self._is_film(item, before, first):
                    if self._must_be_read(item, first):
                        self.films.append(item)
                elif self._must_be_read(item, before):
                    if item.id in self.shelf.changed:
                        self.stills.add(item.id)
                    yield Wanted(item, before)

    def _may_be_film(self, item: FoundFile | SkippedFile) -> bool:
        return self.source.films and item.path.suffix.lower() in VIDEOS | ANIMATIONS

    def _is_film(self, file: FoundFile, known: Known | None, first: Known | None) -> bool:
        """Whether moments are taken from it; one whose moments are known as it is need not be asked."""
        if not self._may_be_film(file):
            return False
        as_it_was = known is not None and (known.size, known.mtime_ns) == (file.size, file.mtime_ns)
        return (first is not None and as_it_was) or moves(file.path)

    def _film(self, file: FoundFile) -> None:
        """A film from end to end: moved where its content is known, else looked through."""
        path, report = str(file.path), self.report
        before = self.shelf.changed.pop(path, {})
        kept: set[str] = set()
        try:
            hash = content_hash(file.path)
            if first_of(hash) in before.values():
                kept = self._move(list(before), file)
                report.unchanged += 1
            elif old := [id for id, one in self.gone.items() if one.startswith(f"{hash}#t=")]:
                # Of several copies that are gone together, the first is the one that moved.
                home = file_of(old[0])
                old = [id for id in old if file_of(id) == home]
                kept = self._move(old, file)
                for id in old:
                    del self.gone[id]
                report.moved += 1
            elif (found := look_through(file, hash, self.encoder, self.stop)) is not None:
                self._write(found.entries, np.stack(found.copies), np.stack(found.vectors))
                report.films += 1
                kept = {entry.path for entry in found.entries}
                report.updated += len(kept & before.keys())
                report.added += len(kept - before.keys())
                if found.note:
                    report.notes.append((path, found.note))
            if not self.stop.is_set():
                # A picture before it was known to move, or moments that it no longer has.
                self.store.forget([id for id in (path, *before) if id not in kept])
        except PictureError as error:
            self.store.forget(list(before))
            self._refuse(file, error)
        self._tell()

    def _move(self, ids: list[str], file: FoundFile) -> set[str]:
        """Give known moments the name and time that their file has now."""
        pairs = moved_to(self.store, ids, file)
        self.store.moved(pairs)
        return {entry.path for _, entry in pairs}

    def _must_be_read(self, file: FoundFile, known: Known | None) -> bool:
        path, state = file.id, (file.size, file.mtime_ns)
        broken = self.broken.get(path)
        if known and (known.size, known.mtime_ns) == state:
            self.report.unchanged += 1
        elif broken and (broken.size, broken.mtime_ns) == state:
            self._skip(path, broken.reason, *state)
        else:
            return True
        self._tell()
        return False

    def _pass(self, passed: Passed[Wanted]) -> None:
        """A file that did not go through the model: it cannot be read, or its vector is known."""
        (file, before), outcome = passed.source, passed.outcome
        if isinstance(outcome, PictureError):
            self._refuse(file, outcome)
        else:
            self._rename(outcome.about.entry, before)
        self._tell()

    def _refuse(self, file: FoundFile, error: PictureError) -> None:
        # Becoming readable changes neither size nor time, so such a file is tried every time.
        state = (0, 0) if isinstance(error, UnreadableError) else (file.size, file.mtime_ns)
        self._skip(file.id, str(error).removeprefix(f"{shown(file.path)}: "), *state)

    def _skip(self, path: str, reason: str, size: int, mtime_ns: int) -> None:
        """Report what was not read, and remember why unless that is known already."""
        self.report.skipped.append((path, reason))
        if self.broken.get(path) != Broken(reason, size, mtime_ns):
            self.store.note_broken(path, reason, size=size, mtime_ns=mtime_ns)

    def _rename(self, entry: Entry, before: Known | None) -> None:
        """The same content under a new name, or with a new time: the vector stays."""
        if before is not None:
            self.store.moved([(entry.path, entry)])
            self.report.unchanged += 1
            return
        old = self.renamed[entry.hash]
        if old in self.gone:
            self.store.moved([(old, entry)])
            self.report.moved += 1
            del self.gone[old]
            self.renamed[entry.hash] = entry.path
        else:
            # Moved and copied at once: the first one found took the vectors along.
            vectors = self.store.space(self.encoder.fingerprint).vectors_of([old])
            self._write([entry], tiny_copies(self.store, [old]), vectors)
            self.report.added += 1

    def _keep(self, batch: Batch[Wanted]) -> None:
        """Write what was encoded, as one durable batch."""
        assert batch.vectors is not None
        about: list[About] = [reading.about for reading in batch.readings]
        # Written while the model is at the next batch: the disk takes its time to be sure.
        self._settle()
        entries = [one.entry for one in about]
        copies = np.stack([one.tiny for one in about if one.tiny is not None])
        self.writing = self.writer.submit(self._write, entries, copies, batch.vectors)
        changed = sum(wanted.before is not None for wanted in batch.sources)
        self.report.updated += changed
        self.report.added += len(entries) - changed
        for _ in entries:
            self._tell()

    def _settle(self) -> None:
        """Wait until the batch before is on the disk; what went wrong with it is raised here."""
        if self.writing is not None:
            self.writing.result()

    def _write(self, entries: list[Entry], copies: Vectors, vectors: Vectors) -> None:
        """Two durable batches; the encoder's comes last, because by it a picture counts as done."""
        if np.isfinite(copies).all():
            self.store.add(entries, copies, SPACE, searched=False)
        self.store.add(entries, vectors, self.encoder.fingerprint)

    def _forget(self) -> None:
        """Take out what was deleted; a folder that suddenly holds nothing is taken for unplugged."""
        if self.gone and not self.files:
            known = sum(1 for _ in self.source.known(self.store, self.encoder.fingerprint))
            root = self.source.root
            raise StoreError(
                f"{root}: not one picture is left of {known:,}, so nothing was forgotten; "
                f"if its disk is unplugged, plug it in; if they are gone for good, circlet forget {root}"
            )
        # What moved once and is a plain picture now has no moments any more.
        still = [id for path, ids in self.shelf.changed.items() if path in self.stills for id in ids]
        self.report.forgotten = self.store.forget([*self.gone, *still])
        skipped = {path for path, _ in self.report.skipped}
        unread = [path for path in self.broken if path not in skipped]
        self.store.forget(self.source.gone(unread, self.store))

    def _count(self) -> None:
        with suppress(PictureError):  # the folder vanished: the run itself says so
            self.total = self.source.count()

    def _tell(self) -> None:
        self.done += 1
        if self.progress:
            self.progress(self.done, self.total)
