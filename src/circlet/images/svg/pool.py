"""Drawing SVG in processes apart, with a limit on the time and memory that a file may ask for.

A renderer reads whatever strangers wrote: a pattern a million pixels wide, groups nested until the
stack ends, filters that never finish. Such a file is one line in the report, not the end of the run.
"""

import os
import subprocess
import sys
import threading
from functools import cache
from pathlib import Path

from circlet.core import PictureError
from circlet.images.svg.worker import ANSWER, ASK

MAX_SECONDS = 20.0

# Processes that wait for a drawing; there are never more than threads that draw.
_idle: list["_Drawer"] = []


def drawn(text: str, width: int, height: int, *, fonts: bool) -> bytes:
    """The SVG as a PNG of at most this size.

    >>> drawn('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 2 1"/>', 20, 10, fonts=False)[1:4]
    b'PNG'
    """
    # list.append and pop are atomic, so threads need no lock to share the idle ones.
    try:
        drawer = _idle.pop()
    except IndexError:
        _alone_after_fork()
        drawer = _Drawer()
    good, data = drawer.draw(text, width, height, fonts)
    _idle.append(drawer)
    if not good:
        raise PictureError(f"damaged SVG: {data.decode()}")
    return data


@cache
def _alone_after_fork() -> None:
    """A forked child must not talk into its parent's pipes: it starts drawers of its own."""
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=_idle.clear)


class _Drawer:
    """One process that draws; it ends when its standard input does."""

    def __init__(self) -> None:
        script = str(Path(__file__).with_name("worker.py"))
        self._process = subprocess.Popen(
            [sys.executable, "-P", script],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            # Ctrl-C is for us: a drawer that it took down would leave a sound drawing called broken.
            start_new_session=True,
        )

    def draw(self, text: str, width: int, height: int, fonts: bool) -> tuple[bool, bytes]:
        """Whether it worked, and the PNG or what was wrong; the process is gone if it raises."""
        assert self._process.stdin
        assert self._process.stdout
        data = text.encode()
        late = threading.Timer(MAX_SECONDS, self._process.kill)
        late.daemon = True
        late.start()
        try:
            self._process.stdin.write(ASK.pack(width, height, fonts, len(data)) + data)
            self._process.stdin.flush()
            header = self._process.stdout.read(ANSWER.size)
            if len(header) < ANSWER.size:
                raise EOFError
            good, length = ANSWER.unpack(header)
            return bool(good), self._process.stdout.read(length)
        except (OSError, EOFError):
            self._process.kill()
            self._process.communicate()
            raise PictureError(
                "an SVG that asks for more time or memory than a drawing may take: make a PNG of it"
            ) from None
        finally:
            late.cancel()
