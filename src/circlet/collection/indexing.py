"""From folder to vectors: walk, read only what is new, decode and encode at once, write in batches.

Pictures come first; videos and animations, where they are wanted, wait for the end (`films.py`).
Nothing here knows the whole collection at once: files are held against the index a few hundred at a
time, so memory does not depend on how many pictures there are. Each batch is durable when it is counted.
"""

import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from threading import Event, Thread
from typing import TYPE_CHECKING

import numpy as np

from circlet.collection.films import Shelf, first_of, look_through, moved_to
from circlet.collection.ranking import tiny_copies
from circlet.core import (
    PictureEncoder,
    PictureError,
    Progress,
    StoreError,
    UnreadableError,
    UsageError,
    Vectors,
)
from circlet.images import FoundFile, SkippedFile, content_hash, open_picture, probe, walk
from circlet.images.duplicates import SPACE, tiny_copy
from circlet.images.files import shown
from circlet.images.films import moves
from circlet.images.formats import ANIMATIONS, VIDEOS
from circlet.images.moments import file_of, moment_of
from circlet.index import Broken, Entry, Known, Store
from circlet.models.encoding import Batch, Passed, Reading, encode_all

if TYPE_CHECKING:
    from circlet.collection.collection import Collection

# Files that are held against the index at once.
_ASKED = 500


@dataclass
class IndexReport:
    """What one refresh did; `skipped` holds every picture that could not be read, with the reason.

    The moments of a video count as pictures, a video that is as it was as one; `notes` say of which
    videos not everything was seen.

    >>> print(IndexReport("/pictures", added=2, skipped=[("/pictures/a.jpg", "is cut short")]))
    /pictures: 2 added, 1 skipped
    """

    root: str
    added: int = 0
    updated: int = 0
    moved: int = 0
    forgotten: int = 0
    unchanged: int = 0
    films: int = 0
    skipped: list[tuple[str, str]] = field(default_factory=list)
    notes: list[tuple[str, str]] = field(default_factory=list)
    seconds: float = 0.0
    interrupted: bool = False

    def __str__(self) -> str:
        counts = {
            name: getattr(self, name) for name in ("added", "updated", "moved", "forgotten", "unchanged")
        }
        counts["videos read" if self.films > 1 else "video read"] = self.films
        counts["skipped"] = len(self.skipped)
        listed = ", ".join(f"{count:,} {name}" for name, count in counts.items() if count)
        if self.interrupted:
            return f"{self.root}: {listed or 'nothing read yet'}; interrupted"
        return f"{self.root}: {listed or 'no pictures'}"

    @property
    def encoded(self) -> int:
        """How many pictures went through the model."""
        return self.added + self.updated


@dataclass(frozen=True, slots=True)
class _About:
    """What is known of a file that was read: its entry, and its tiny copy unless its vector is known."""

    entry: Entry
    tiny: Vectors | None = None


def refresh(
    collection: "Collection", progress: Progress | None = None, stop: Event | None = None
) -> IndexReport:
    """Bring the index up to date with the collection's folder; see `Collection.index`."""
    root = collection.folder
    if root is None:
        raise UsageError("which folder? Open the collection with one: circlet.open(folder)")
    if not root.is_dir():
        what = "is not a folder" if root.exists() else "is not there any more, or not yet"
        raise UsageError(f"{root}: {what}; nothing was changed in the index")
    began = time.monotonic()
    with collection.open_store(write=True) as store:
        run = _Refresh(
            root,
            store,
            collection.encoder,
            progress,
            stop or Event(),
            follow=collection.follows,
            video=collection.watches,
        )
        report = run.run()
    report.seconds = time.monotonic() - began
    return report


class _Refresh:
    """One run over one folder."""

    def __init__(
        self,
        root: Path,
        store: Store,
        encoder: PictureEncoder,
        progress: Progress | None,
        stop: Event,
        *,
        follow: bool,
        video: bool,
    ) -> None:
        self.root = root
        self.follow = follow
        self.video = video
        self.store = store
        self.encoder = encoder
        self.progress = progress
        self.stop = stop
        self.report = IndexReport(str(root))
        self.broken = store.broken(str(root))
        # Of all that is known only what is gone is held: a new picture of the same content is that one.
        self.shelf = Shelf(wanted=video)
        known = store.walk(str(root), encoder.fingerprint)
        self.gone = {path: one.hash for path, one in known if self._is_gone(path, one)}
        self.renamed = {hash: path for path, hash in self.gone.items()}
        # What the index knows of the files that are being read now.
        self.known: dict[str, Known] = {}
        self.films: list[FoundFile] = []
        # Animations that stand still by now.
        self.stills: set[str] = set()
        self.writing: Future[None] | None = None
        self.files = 0
        self.done = 0
        self.total: int | None = None

    def run(self) -> IndexReport:
        """Read, encode and write; then forget what is gone."""
        self.store.add_root(str(self.root))
        if self.progress:
            Thread(target=self._count, daemon=True).start()
        with ThreadPoolExecutor(1) as self.writer:
            for outcome in encode_all(self._files(), self._read, self.encoder, stop=self.stop):
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
        return self.report

    def _files(self) -> Iterator[FoundFile]:
        """Pictures that must be read; what is as it was is counted, what is left out is noted."""
        items = walk(self.root, follow=self.follow, video=self.video)
        while part := list(islice(items, _ASKED)):
            paths = [str(item.path) for item in part]
            paths += [first_of(item.path) for item in part if self._may_be_film(item)]
            known = self.store.known(paths, self.encoder.fingerprint)
            for item in part:
                if self.stop.is_set():
                    return
                if isinstance(item, SkippedFile):
                    # A folder of videos that are not taken is there all the same.
                    self.files += item.path.suffix.lower() in VIDEOS
                    self._skip(str(item.path), item.reason, 0, 0)
                    continue
                self.files += 1
                first = known.get(first_of(item.path)) if self._may_be_film(item) else None
                before = first or known.get(str(item.path))
                if self._is_film(item, before, first):
                    if self._must_be_read(item, first):
                        self.films.append(item)
                elif self._must_be_read(item, before):
                    if before:
                        self.known[str(item.path)] = before
                    if str(item.path) in self.shelf.changed:
                        self.stills.add(str(item.path))
                    yield item

    def _may_be_film(self, item: FoundFile | SkippedFile) -> bool:
        return self.video and item.path.suffix.lower() in VIDEOS | ANIMATIONS

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
        path, state = str(file.path), (file.size, file.mtime_ns)
        broken = self.broken.get(path)
        if known and (known.size, known.mtime_ns) == state:
            self.report.unchanged += 1
        elif broken and (broken.size, broken.mtime_ns) == state:
            self._skip(path, broken.reason, *state)
        else:
            return True
        self._tell()
        return False

    def _read(self, file: FoundFile) -> Reading:
        """In a thread: hash, and decode unless this content has its vector already."""
        path = str(file.path)
        hash = content_hash(file.path)
        head = probe(file.path)
        entry = Entry(path, file.size, file.mtime_ns, hash, head.width, head.height, head.taken)
        known = self.known.get(path)
        if (known and known.hash == hash) or hash in self.renamed:
            return Reading(_About(entry), None)
        picture = open_picture(file.path, side=self.encoder.size)
        return Reading(_About(entry, tiny_copy(picture)), self.encoder.prepare(picture))

    def _pass(self, passed: Passed[FoundFile]) -> None:
        """A file that did not go through the model: it cannot be read, or its vector is known."""
        file, outcome = passed.source, passed.outcome
        if isinstance(outcome, PictureError):
            self._refuse(file, outcome)
        else:
            self._rename(outcome.about.entry)
        self.known.pop(str(file.path), None)
        self._tell()

    def _refuse(self, file: FoundFile, error: PictureError) -> None:
        # Becoming readable changes neither size nor time, so such a file is tried every time.
        state = (0, 0) if isinstance(error, UnreadableError) else (file.size, file.mtime_ns)
        self._skip(str(file.path), str(error).removeprefix(f"{shown(file.path)}: "), *state)

    def _skip(self, path: str, reason: str, size: int, mtime_ns: int) -> None:
        """Report what was not read, and remember why unless that is known already."""
        self.report.skipped.append((path, reason))
        if self.broken.get(path) != Broken(reason, size, mtime_ns):
            self.store.note_broken(path, reason, size=size, mtime_ns=mtime_ns)

    def _rename(self, entry: Entry) -> None:
        """The same content under a new name, or with a new time: the vector stays."""
        if entry.path in self.known:
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

    def _keep(self, batch: Batch[FoundFile]) -> None:
        """Write what was encoded, as one durable batch."""
        assert batch.vectors is not None
        about: list[_About] = [reading.about for reading in batch.readings]
        # Written while the model is at the next batch: the disk takes its time to be sure.
        self._settle()
        entries = [one.entry for one in about]
        copies = np.stack([one.tiny for one in about if one.tiny is not None])
        self.writing = self.writer.submit(self._write, entries, copies, batch.vectors)
        changed = sum(self.known.pop(entry.path, None) is not None for entry in entries)
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
            known = self.store.count(str(self.root), self.encoder.fingerprint)
            raise StoreError(
                f"{self.root}: not one picture is left of {known:,}, so nothing was forgotten; "
                f"if its disk is unplugged, plug it in; if they are gone for good, circlet forget {self.root}"
            )
        # What moved once and is a plain picture now has no moments any more.
        still = [id for path, ids in self.shelf.changed.items() if path in self.stills for id in ids]
        self.report.forgotten = self.store.forget([*self.gone, *still])
        skipped = {path for path, _ in self.report.skipped}
        self.store.forget([path for path in self.broken if path not in skipped and _is_gone(path)])

    def _is_gone(self, path: str, known: Known) -> bool:
        return self.shelf.sort(path, known) if moment_of(path) else _is_gone(path)

    def _count(self) -> None:
        with suppress(PictureError):  # the folder vanished: the run itself says so
            items = walk(self.root, follow=self.follow, video=self.video)
            self.total = sum(isinstance(item, FoundFile) for item in items)

    def _tell(self) -> None:
        self.done += 1
        if self.progress:
            self.progress(self.done, self.total)


def _is_gone(path: str) -> bool:
    """Whether a file is surely deleted: one that cannot be asked about is not."""
    try:
        Path(path).stat()
    except (FileNotFoundError, NotADirectoryError):
        return True
    except OSError:
        return False
    return False
