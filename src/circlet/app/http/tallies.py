"""Numbers by name that several processes count, each in a file of its own that the others may read."""

import mmap
import struct
from collections.abc import Iterator
from pathlib import Path
from threading import Lock

# More names than a server has; a file is as large on disk as what was written to it.
_SIZE = 1 << 20
_HEAD = struct.Struct("<Q")
_NAMED = struct.Struct("<I")
_VALUE = struct.Struct("<d")


class Tally:
    """Numbers that only grow, or are set: in memory, or in a file that is mapped into it.

    A process that takes the place of one that died goes on with its file. What does not fit is not
    counted; names are few, as routes are.

    >>> tally = Tally()
    >>> tally.add("requests", 2); tally.add("requests"); tally.set("open", 5)
    >>> dict(tally.items())
    {'requests': 3.0, 'open': 5.0}
    """

    def __init__(self, path: Path | None = None) -> None:
        self._lock = Lock()
        if path is None:
            self._held = mmap.mmap(-1, _SIZE)
        else:
            path.touch(mode=0o600)
            with path.open("r+b") as file:
                file.truncate(_SIZE)
                self._held = mmap.mmap(file.fileno(), _SIZE)
        self._places = {name: place for name, place, _ in _entries(self._held)}

    def add(self, name: str, amount: float = 1.0) -> None:
        """So much more under this name."""
        with self._lock:
            if (place := self._place(name)) is not None:
                (before,) = _VALUE.unpack_from(self._held, place)
                _VALUE.pack_into(self._held, place, before + amount)

    def set(self, name: str, value: float) -> None:
        """This much under this name, whatever it was."""
        with self._lock:
            if (place := self._place(name)) is not None:
                _VALUE.pack_into(self._held, place, value)

    def items(self) -> Iterator[tuple[str, float]]:
        """Every name with its number."""
        return ((name, value) for name, _, value in _entries(self._held))

    def _place(self, name: str) -> int | None:
        if name in self._places:
            return self._places[name]
        (end,) = _HEAD.unpack_from(self._held)
        start = end or _HEAD.size
        letters = name.encode()
        # Numbers lie where a processor writes them in one go: a reader never sees half of one.
        place = -(-(start + _NAMED.size + len(letters)) // 8) * 8
        if place + _VALUE.size > _SIZE:
            return None
        _NAMED.pack_into(self._held, start, len(letters))
        self._held[start + _NAMED.size : start + _NAMED.size + len(letters)] = letters
        _HEAD.pack_into(self._held, 0, place + _VALUE.size)
        self._places[name] = place
        return place


def _entries(held: "mmap.mmap | bytes") -> Iterator[tuple[str, int, float]]:
    """(name, place of the number, number) of all that is there."""
    (end,) = _HEAD.unpack_from(held)
    start = _HEAD.size
    while start < end:
        (length,) = _NAMED.unpack_from(held, start)
        first = start + _NAMED.size
        place = -(-(first + length) // 8) * 8
        yield held[first : first + length].decode(), place, _VALUE.unpack_from(held, place)[0]
        start = place + _VALUE.size


def read(path: Path) -> dict[str, float]:
    """What a process counts in its file, now."""
    data = path.read_bytes()
    return {name: value for name, _, value in _entries(data)} if data else {}
