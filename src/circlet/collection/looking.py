"""Looking at pictures after they were indexed: people are counted, writing is read, where that is installed.

What is seen is kept a few pictures at a time, and the index is open for writing only for those moments: a
run can be ended at any time, goes on where it was, and keeps nobody from indexing meanwhile.
"""

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

from circlet.core import BusyError, PictureError, Progress
from circlet.core.marks import Mark
from circlet.images import thumbnail
from circlet.images.addresses import EVERYWHERE
from circlet.images.files import shown
from circlet.index import marking
from circlet.models.seeing.watchers import Way, ways

if TYPE_CHECKING:
    from PIL.Image import Image

    from circlet.collection.collection import Collection

# Pictures whose marks are written together.
_BATCH = 16
# Seconds until an index that another process writes to is tried again.
_PATIENCE = 0.5


@dataclass
class LookReport:
    """What one run saw: how many pictures were looked at for which kind of thing, and which could not be.

    >>> print(LookReport({"counting people": 12}))
    counting people: 12 pictures looked at
    """

    looked: dict[str, int] = field(default_factory=dict)
    skipped: list[tuple[str, str]] = field(default_factory=list)
    seconds: float = 0.0
    interrupted: bool = False

    def __str__(self) -> str:
        return "\n".join(f"{doing}: {count:,} pictures looked at" for doing, count in self.looked.items())


def look(collection: "Collection", progress: Progress | None = None, stop: Event | None = None) -> LookReport:
    """Look at whatever has not been looked at yet; see `Collection.look`."""
    report, stop = LookReport(), stop or Event()
    began = time.monotonic()
    for way in ways():
        waiting = sum(1 for _ in _unmarked(collection, way))
        if waiting and not stop.is_set():
            run = _Look(collection, way, waiting, progress, stop, report)
            report.looked[way.doing] = run.run()
    report.seconds = time.monotonic() - began
    report.interrupted = stop.is_set()
    return report


def _unmarked(collection: "Collection", way: Way) -> Iterator[str]:
    """What nobody has looked at this way: of a list, whatever there is, because its pictures lie anywhere."""
    listed = not collection.root or collection.root in collection.lists
    store = marking(collection.store)
    for place in EVERYWHERE if listed else (collection.root,):
        yield from store.unmarked(place, way.kind, way.by)


class _Look:
    """One way of looking, over one folder."""

    def __init__(
        self,
        collection: "Collection",
        way: Way,
        waiting: int,
        progress: Progress | None,
        stop: Event,
        report: LookReport,
    ) -> None:
        self.collection, self.way = collection, way
        self.waiting, self.progress, self.stop, self.report = waiting, progress, stop, report

    def run(self) -> int:
        """Look at all that is left, and say how many pictures that were."""
        watcher, looked, passed = self.way.load(), 0, 0
        paths = _unmarked(self.collection, self.way)
        # One thread opens the next picture while this one looks.
        with ThreadPoolExecutor(1) as opening:
            while (part := list(islice(paths, _BATCH))) and not self.stop.is_set():
                seen: dict[str, Mark] = {}
                for path, picture in zip(part, opening.map(self._opened, part), strict=True):
                    if not self.stop.is_set() and picture is not None:
                        seen[path] = watcher.look(picture)
                    passed += 1
                    if self.progress:
                        self.progress(passed, max(self.waiting, passed))
                self._keep(seen)
                looked += len(seen)
        return looked

    def _opened(self, path: str) -> "Image | None":
        try:
            return thumbnail(Path(path), self.way.side)
        except PictureError as error:
            self.report.skipped.append((path, str(error).removeprefix(f"{shown(path)}: ")))
            return None

    def _keep(self, seen: dict[str, Mark]) -> None:
        """Write what was seen, as soon as nobody else is writing."""
        while seen:
            try:
                with self.collection.open_store(write=True) as store:
                    marking(store).mark(self.way.kind, seen)
                return
            except BusyError:
                time.sleep(_PATIENCE)
