"""A video or an animation, looked through for moments that differ: each becomes a picture of the index.

All moments of one film are written together, so a film is in the index whole or not at all; the first,
which every film has, tells whether it is.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

import numpy as np

from circlet.core import PictureEncoder, Vectors
from circlet.images import FoundFile
from circlet.images.duplicates import NEAR, tiny_copy
from circlet.images.films import open_film
from circlet.images.moments import Distinct, at, file_of, may_move, moment_of
from circlet.index import Entry, Known, Store
from circlet.models.encoding import Batch, Reading, encode_all

if TYPE_CHECKING:
    from PIL.Image import Image


@dataclass
class Moments:
    """The moments of a film that are kept, with their tiny copies and vectors; `note`: what was not seen."""

    entries: list[Entry] = field(default_factory=list)
    copies: list[Vectors] = field(default_factory=list)
    vectors: list[Vectors] = field(default_factory=list)
    note: str = ""


class _Look:
    """Frames of a film on the way to the model, and what its header said."""

    def __init__(self, file: FoundFile, side: int, stop: Event) -> None:
        self.file, self.side, self.stop = file, side, stop
        self.size = (0, 0)
        self.taken: datetime | None = None
        self.note = ""

    def frames(self) -> "Iterator[tuple[float, Image, Vectors]]":
        """Time, frame and tiny copy; frames that look like the one before are not read by the model."""
        before: Vectors | None = None
        with open_film(self.file.path) as film:
            self.size, self.taken = (film.width, film.height), film.taken
            for seconds, picture in film.looks(self.side):
                if self.stop.is_set():
                    return
                tiny = tiny_copy(picture)
                if before is None or float(np.square(tiny - before).mean()) > NEAR * NEAR:
                    before = tiny
                    yield seconds, picture, tiny
            self.note = film.note


def look_through(file: FoundFile, hash: str, encoder: PictureEncoder, stop: Event) -> Moments | None:
    """The moments of a film, each farther than 0.35 from the others; None where it was stopped.

    look_through(FoundFile(Path("clip.mp4"), 10_000, 0), "cae6…", encoder, Event())
    """

    def read(frame: "tuple[float, Image, Vectors]") -> Reading:
        return Reading(frame[2], encoder.prepare(frame[1]))

    look, found, distinct = _Look(file, encoder.size, stop), Moments(), Distinct()
    for batch in encode_all(look.frames(), read, encoder, stop=stop):
        assert isinstance(batch, Batch)
        assert batch.vectors is not None
        for (seconds, _, tiny), vector in zip(batch.sources, batch.vectors, strict=True):
            if distinct.take(vector):
                found.entries.append(_entry(file, hash, seconds, look))
                found.copies.append(tiny)
                # A copy: the row alone would keep the whole batch.
                found.vectors.append(vector.copy())
    found.note = look.note
    return None if stop.is_set() else found


def _entry(file: FoundFile, hash: str, seconds: float, look: _Look) -> Entry:
    # Moments of one file differ, and by its content a picture is known for a copy of another.
    return Entry(at(file.path, seconds), file.size, file.mtime_ns, at(hash, seconds), *look.size, look.taken)


def first_of(path: str | Path) -> str:
    """The id of the moment that every film in the index has."""
    return at(path, 0)


def moved_to(store: Store, ids: list[str], file: FoundFile) -> list[tuple[str, Entry]]:
    """The same moments in a file of another name or time, as `Store.moved` takes them."""
    return [(entry.path, _renamed(entry, file)) for entry in store.entries(ids)]


def _renamed(entry: Entry, file: FoundFile) -> Entry:
    moment = moment_of(entry.path)
    assert moment is not None
    return replace(entry, path=at(file.path, moment.seconds), size=file.size, mtime_ns=file.mtime_ns)


def moments_in(store: Store, path: str) -> set[str]:
    """The ids of all moments of a film in the index; of anything else none."""
    if not may_move(path):
        return set()
    return {id for id, _ in store.walk(str(Path(path).parent)) if id != path and str(file_of(id)) == path}


class Shelf:
    """What the index holds of films whose files changed, found on one way through it."""

    def __init__(self, *, wanted: bool) -> None:
        self.wanted = wanted
        self.changed: dict[str, dict[str, str]] = {}
        self._last: tuple[Path, tuple[int, int] | None] | None = None

    def sort(self, id: str, known: Known) -> bool:
        """Take note of a moment; whether it is gone: its file is, or moments are no longer wanted."""
        file = file_of(id)
        if self._last is None or self._last[0] != file:
            self._last = (file, _state(file))
        state = self._last[1]
        if not self.wanted or state is None:
            return True
        if state not in ((known.size, known.mtime_ns), (-1, -1)):
            self.changed.setdefault(str(file), {})[id] = known.hash
        return False


def _state(file: Path) -> tuple[int, int] | None:
    """Size and time of a file; None: surely gone; of one that cannot be asked about, numbers of no file."""
    try:
        state = file.stat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError:
        return (-1, -1)
    return state.st_size, state.st_mtime_ns
