"""Drawing SVG in processes apart, with a limit on the time and memory that a file may ask for.

A renderer reads whatever strangers wrote: a pattern a million pixels wide, groups nested until the
stack ends, filters that never finish. Such a file is one line in the report, not the end of the run.
"""

import atexit
import os
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextvars import ContextVar
from functools import cache
from pathlib import Path

from circlet.core import PictureError
from circlet.images.svg.worker import ANSWER, ASK

# What one drawing may take: seconds of processor, and of clock on a machine that does much else.
MAX_BUSY = 5.0
MAX_SECONDS = 20.0

# Processes that wait for a drawing; there are never more than threads that draw.
_idle: list["_Drawer"] = []
# Those that are at one.
_busy: set["_Drawer"] = set()


class Stop:
    """Ends the drawings that are made under it, once nobody waits for them.

    >>> stop = Stop()
    >>> before = STOP.set(stop)
    >>> stop()
    >>> drawn('<svg xmlns="http://www.w3.org/2000/svg"/>', 20, 10, fonts=False)
    Traceback (most recent call last):
        ...
    circlet.core.errors.PictureError: nobody waits for this drawing any more
    >>> STOP.reset(before)
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._drawers: set[_Drawer] = set()
        self._over = False

    def __call__(self) -> None:
        with self._lock:
            self._over = True
            for drawer in self._drawers:
                drawer.kill()

    def hold(self, drawer: "_Drawer") -> None:
        """Take note of who draws."""
        with self._lock:
            if self._over:
                drawer.kill()
                raise PictureError("nobody waits for this drawing any more")
            self._drawers.add(drawer)

    def release(self, drawer: "_Drawer") -> None:
        """Forget who drew."""
        with self._lock:
            self._drawers.discard(drawer)


# What can end the drawings of whoever set it.
STOP: ContextVar[Stop | None] = ContextVar("STOP", default=None)


def drawn(text: str, width: int, height: int, *, fonts: bool) -> bytes:
    """The SVG as a PNG of at most this size.

    >>> drawn('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 2 1"/>', 20, 10, fonts=False)[1:4]
    b'PNG'
    """
    # list.append and pop are atomic, so threads need no lock to share the idle ones.
    try:
        drawer = _idle.pop()
    except IndexError:
        drawer = _starter().submit(_Drawer).result()
    stop = STOP.get() or Stop()
    stop.hold(drawer)
    _busy.add(drawer)
    try:
        good, data = drawer.draw(text, width, height, fonts)
    finally:
        stop.release(drawer)
        _busy.discard(drawer)
    _idle.append(drawer)
    if not good:
        raise PictureError(f"damaged SVG: {data.decode()}")
    return data


def close() -> None:
    """End every drawer; one that is needed later is started then."""
    for drawer in [*_busy, *_idle]:
        drawer.kill()
    _idle.clear()


@cache
def _starter() -> ThreadPoolExecutor:
    """The one thread that starts drawers: Linux ends them with the thread that they were started by."""
    atexit.register(close)
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=_alone)
    return ThreadPoolExecutor(1, "drawers")


def _alone() -> None:
    """A forked child must not talk into its parent's pipes: it starts drawers of its own."""
    _idle.clear()
    _busy.clear()
    _starter.cache_clear()


class _Drawer:
    """One process that draws; it ends when its standard input does, and when its parent does."""

    def __init__(self) -> None:
        script = str(Path(__file__).with_name("worker.py"))
        self._process = subprocess.Popen(
            [sys.executable, "-P", script, str(os.getpid())],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            # Ctrl-C is for us: a drawer that it took down would leave a sound drawing called broken.
            start_new_session=True,
        )

    def kill(self) -> None:
        """End it, whatever it is at."""
        self._process.kill()

    def draw(self, text: str, width: int, height: int, fonts: bool) -> tuple[bool, bytes]:
        """Whether it worked, and the PNG or what was wrong; the process is gone if it raises."""
        assert self._process.stdin
        assert self._process.stdout
        data = text.encode()
        # The process ends itself in time, except where the system cannot see to it.
        late = threading.Timer(MAX_SECONDS + 5, self.kill)
        late.daemon = True
        late.start()
        try:
            self._process.stdin.write(ASK.pack(width, height, fonts, MAX_BUSY, MAX_SECONDS, len(data)) + data)
            self._process.stdin.flush()
            header = self._process.stdout.read(ANSWER.size)
            if len(header) < ANSWER.size:
                raise EOFError
            good, length = ANSWER.unpack(header)
            return bool(good), self._process.stdout.read(length)
        except (OSError, EOFError):
            self.kill()
            self._process.communicate()
            raise PictureError(
                "an SVG that asks for more time or memory than a drawing may take: make a PNG of it"
            ) from None
        finally:
            late.cancel()
