"""From folder to vectors: walk, read only what is new, decode and encode at once, write in batches.

Decoding runs in threads a fixed number of pictures ahead of the model, so that both stay busy and
memory does not depend on how many pictures there are. Each batch is durable when it is counted.
"""

import os
import time
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event, Thread
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from circlet.core import PictureError, StoreError, UnreadableError, UsageError, Vectors
from circlet.images import Found, Skipped, content_hash, open_picture, probe, walk
from circlet.images.duplicates import SPACE, look, looks_of
from circlet.images.files import shown
from circlet.index import Broken, Embedded, Entry

if TYPE_CHECKING:
    from circlet.collection.collection import Collection

BATCH = 32
# Pictures decoded or being decoded while the model works on a batch.
AHEAD = 3 * BATCH


@dataclass
class IndexReport:
    """What one refresh did; `skipped` holds every picture that could not be read, with the reason.

    >>> print(IndexReport("/pictures", added=2, skipped=[("/pictures/a.jpg", "is cut short")]))
    /pictures: 2 added, 1 skipped
    """

    root: str
    added: int = 0
    updated: int = 0
    moved: int = 0
    forgotten: int = 0
    unchanged: int = 0
    skipped: list[tuple[str, str]] = field(default_factory=list)
    seconds: float = 0.0
    interrupted: bool = False

    def __str__(self) -> str:
        counts = {
            name: getattr(self, name) for name in ("added", "updated", "moved", "forgotten", "unchanged")
        }
        counts["skipped"] = len(self.skipped)
        listed = ", ".join(f"{count:,} {name}" for name, count in counts.items() if count)
        if self.interrupted:
            return f"{self.root}: {listed or 'nothing read yet'}; interrupted"
        return f"{self.root}: {listed or 'no pictures'}"

    @property
    def encoded(self) -> int:
        """How many pictures went through the model."""
        return self.added + self.updated


class Progress(Protocol):
    """Told after every step: pictures done so far, and how many there are once that is known."""

    def __call__(self, done: int, total: int | None) -> None: ...


@dataclass(frozen=True, slots=True)
class _Read:
    """A file as the decoding threads leave it: its entry, and its pixels unless its vector is known."""

    entry: Entry
    pixels: Any | None = None
    look: Any | None = None


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
    with Embedded.open(collection.home / "index", write=True) as store:
        report = _Refresh(root, store, collection.encoder, progress, stop or Event()).run()
    report.seconds = time.monotonic() - began
    return report


class _Refresh:
    """One run over one folder."""

    def __init__(
        self, root: Path, store: Embedded, encoder: Any, progress: Progress | None, stop: Event
    ) -> None:
        self.root = root
        self.store = store
        self.encoder = encoder
        self.progress = progress
        self.stop = stop
        self.report = IndexReport(str(root))
        self.known = store.known(str(root), encoder.fingerprint)
        self.broken = store.broken(str(root))
        self.gone = {path: known.hash for path, known in self.known.items() if _is_gone(path)}
        self.renamed = {hash: path for path, hash in self.gone.items()}
        self.batch: list[_Read] = []
        self.writing: Future[None] | None = None
        self.found = 0
        self.done = 0
        self.total: int | None = None

    def run(self) -> IndexReport:
        """Read, encode and write; then forget what is gone."""
        self.store.add_root(str(self.root))
        if self.progress:
            Thread(target=self._count, daemon=True).start()
        with ThreadPoolExecutor(os.cpu_count()) as threads, ThreadPoolExecutor(1) as self.writer:
            for found, read in self._decoded(threads):
                self._take(found, read)
                self._tell()
            self._flush()
            self._settle()
        self.report.interrupted = self.stop.is_set()
        if not self.report.interrupted:
            self._forget()
        return self.report

    def _files(self) -> Iterator[Found]:
        """Files that must be read; what is as it was is counted, what is left out is noted."""
        for item in walk(self.root):
            if self.stop.is_set():
                return
            if isinstance(item, Skipped):
                self._skip(str(item.path), item.reason, 0, 0)
                continue
            self.found += 1
            path, state = str(item.path), (item.size, item.mtime_ns)
            known, broken = self.known.get(path), self.broken.get(path)
            if known and (known.size, known.mtime_ns) == state:
                self.report.unchanged += 1
                self._tell()
            elif broken and (broken.size, broken.mtime_ns) == state:
                self._skip(path, broken.reason, *state)
                self._tell()
            else:
                yield item

    def _decoded(self, threads: ThreadPoolExecutor) -> Iterator[tuple[Found, "_Read | PictureError"]]:
        """Files with what was read of them (or why not), a bounded number ahead."""
        waiting: deque[tuple[Found, Future[_Read | PictureError]]] = deque()
        for found in self._files():
            waiting.append((found, threads.submit(self._read, found)))
            if len(waiting) >= AHEAD:
                found, ready = waiting.popleft()
                yield found, ready.result()
        for found, ready in waiting:
            # After a stop, what has not begun is left for the next run.
            if not (self.stop.is_set() and ready.cancel()):
                yield found, ready.result()

    def _read(self, found: Found) -> "_Read | PictureError":
        """In a thread: hash, and decode unless this content has its vector already."""
        try:
            path = str(found.path)
            hash = content_hash(found.path)
            head = probe(found.path)
            entry = Entry(path, found.size, found.mtime_ns, hash, head.width, head.height, head.taken)
            known = self.known.get(path)
            if (known and known.hash == hash) or hash in self.renamed:
                return _Read(entry)
            picture = open_picture(found.path, side=self.encoder.size)
            return _Read(entry, self.encoder.prepare(picture), look(picture))
        except PictureError as error:
            return error

    def _take(self, found: Found, read: "_Read | PictureError") -> None:
        if isinstance(read, PictureError):
            # Becoming readable changes neither size nor time, so such a file is tried every time.
            state = (0, 0) if isinstance(read, UnreadableError) else (found.size, found.mtime_ns)
            self._skip(str(found.path), str(read).removeprefix(f"{shown(found.path)}: "), *state)
        elif read.pixels is None:
            self._rename(read.entry)
        else:
            self.batch.append(read)
            if len(self.batch) == BATCH:
                self._flush()

    def _skip(self, path: str, reason: str, size: int, mtime_ns: int) -> None:
        """IndexReport what was not read, and remember why unless that is known already."""
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
            self._write([entry], looks_of(self.store, [old]), self._vectors_of(old))
            self.report.added += 1

    def _flush(self) -> None:
        """Encode and write what has been decoded, as one durable batch."""
        if not self.batch:
            return
        pixels = [read.pixels for read in self.batch if read.pixels is not None]
        looks = [read.look for read in self.batch if read.look is not None]
        vectors = self.encoder.encode_prepared(np.stack(pixels))
        # Written while the model is at the next batch: the disk takes its time to be sure.
        self._settle()
        entries = [read.entry for read in self.batch]
        self.writing = self.writer.submit(self._write, entries, np.stack(looks), vectors)
        changed = sum(read.entry.path in self.known for read in self.batch)
        self.report.updated += changed
        self.report.added += len(self.batch) - changed
        self.batch.clear()

    def _settle(self) -> None:
        """Wait until the batch before is on the disk; what went wrong with it is raised here."""
        if self.writing is not None:
            self.writing.result()

    def _write(self, entries: list[Entry], looks: Vectors, vectors: Vectors) -> None:
        """Two durable batches; the encoder's comes last, because by it a picture counts as done."""
        if np.isfinite(looks).all():
            self.store.add(entries, looks, SPACE, searched=False)
        self.store.add(entries, vectors, self.encoder.fingerprint)

    def _vectors_of(self, path: str) -> Vectors:
        return self.store.vectors_of([path], self.encoder.fingerprint)

    def _forget(self) -> None:
        """Take out what was deleted; a folder that suddenly holds nothing is taken for unplugged."""
        if self.gone and not self.found:
            raise StoreError(
                f"{self.root}: not one picture is left of {len(self.known):,}, so nothing was forgotten; "
                f"if its disk is unplugged, plug it in; if they are gone for good, circlet forget {self.root}"
            )
        self.report.forgotten = self.store.forget(self.gone)
        skipped = {path for path, _ in self.report.skipped}
        self.store.forget([path for path in self.broken if path not in skipped and _is_gone(path)])

    def _count(self) -> None:
        with suppress(PictureError):  # the folder vanished: the run itself says so
            self.total = sum(isinstance(item, Found) for item in walk(self.root))

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
