"""Opaque names for pictures: what stands in a URL is never a path."""

import base64
import hashlib
import os
import re
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Lock, Thread

from starlette.exceptions import HTTPException

KEY = r"[A-Za-z0-9_-]{11}|u[0-9a-f]{24}"
_UPLOADED = re.compile(r"u([0-9a-f]{24})")
# Unknown keys make the collection be read anew, but not more often than this many seconds.
_PAUSE = 2.0


def key_of(id: str) -> str:
    """The key of a picture of the collection: eleven letters made from its path, the same every day.

    >>> key_of("/pictures/beach.jpg")
    '08BP1SvqDr0'
    """
    short = hashlib.blake2b(id.encode("utf-8", "surrogateescape"), digest_size=8).digest()
    return base64.urlsafe_b64encode(short).decode().rstrip("=")


class Keys:
    """PictureOut ids to keys and back: those of the collection as it is now, and kept uploads.

    >>> keys = Keys(lambda: ["/pictures/beach.jpg"], Path("/home/uploads"))
    >>> keys.id(keys.key("/pictures/beach.jpg"))
    '/pictures/beach.jpg'
    """

    def __init__(self, ids: Callable[[], Sequence[str]], uploads: Path) -> None:
        self._load = ids
        self._uploads = uploads
        self._prefix = f"{uploads}{os.sep}"
        self._ids: Sequence[str] = ()
        self._by_key: dict[str, str] = {}
        self._read = float("-inf")
        self._took = 0.0
        self._lock = Lock()

    def key(self, id: str) -> str:
        """The key under which a page or an answer speaks of this picture."""
        return f"u{Path(id).stem}" if self.uploaded(id) else key_of(id)

    def uploaded(self, id: str) -> bool:
        """Whether this picture was uploaded and is not of the collection."""
        return id.startswith(self._prefix)

    def id(self, key: str) -> str:
        """The picture a key stands for; a key that stands for none is a 404."""
        if uploaded := _UPLOADED.fullmatch(key):
            path = self._uploads / f"{uploaded[1]}.png"
            if path.is_file():
                return str(path)
            raise HTTPException(404, "this uploaded picture is no longer kept: add it again")
        if (known := self._by_key.get(key)) is None:
            self._refresh(_PAUSE)
            known = self._by_key.get(key)
        if known is None:
            raise HTTPException(404, "no such picture in this collection: it may have been moved or deleted")
        return known

    def ids(self, age: float) -> Sequence[str]:
        """The collection's pictures as last read; older than `age` seconds, they are read anew beside.

        Nobody waits for that but the very first. However large the collection, reading it takes
        no more than a twentieth of the time.
        """
        if self._read == float("-inf"):
            self._refresh(0)
        elif time.monotonic() - self._read > max(age, 20 * self._took) and not self._lock.locked():
            Thread(target=self._refresh, args=(age,), daemon=True, name="keys").start()
        return self._ids

    @property
    def known(self) -> Sequence[str]:
        """The collection's pictures as last read, however long ago."""
        return self._ids

    def renew(self) -> None:
        """Read the collection anew at once: it has changed."""
        self._refresh(0)

    def _refresh(self, age: float) -> None:
        with self._lock:
            began = time.monotonic()
            if began - self._read <= age:
                return
            ids = self._load()
            self._by_key = {key_of(id): id for id in ids}
            self._ids = ids
            self._read = time.monotonic()
            self._took = self._read - began
