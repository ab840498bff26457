"""Opaque names for pictures: what stands in a URL is never a path."""

import base64
import os
import re
from collections.abc import Callable, Collection, Mapping
from pathlib import Path

from starlette.exceptions import HTTPException

from circlet.index import key_of

KEY = r"[A-Za-z0-9_-]{11}|u[0-9a-f]{24}"
_UPLOADED = re.compile(r"u([0-9a-f]{24})")
# Keys whose pictures are remembered: a few MB, many pages of results.
_REMEMBERED = 20_000
_OF_COLLECTION = re.compile(r"[A-Za-z0-9_-]{11}")


def written(key: int) -> str:
    """A picture's key as eleven letters.

    >>> written(key_of("/pictures/beach.jpg"))
    '08BP1SvqDr0'
    """
    return base64.urlsafe_b64encode(key.to_bytes(8, "big", signed=True)).decode().rstrip("=")


def read(text: str) -> int | None:
    """The key that `written` wrote; None for letters that are none.

    >>> read("08BP1SvqDr0") == key_of("/pictures/beach.jpg")
    True
    """
    if not _OF_COLLECTION.fullmatch(text):
        return None
    return int.from_bytes(base64.urlsafe_b64decode(f"{text}="), "big", signed=True)


class Keys:
    """Picture ids to keys and back: those of the collection as it is now, and kept uploads.

    >>> known = {key_of("/pictures/beach.jpg"): "/pictures/beach.jpg"}
    >>> keys = Keys(lambda keys: known, Path("/home/uploads"))
    >>> keys.id(keys.key("/pictures/beach.jpg"))
    '/pictures/beach.jpg'
    """

    def __init__(self, named: Callable[[Collection[int]], Mapping[int, str]], uploads: Path) -> None:
        self._named = named
        self._uploads = uploads
        self._prefix = f"{uploads}{os.sep}"
        self._recent: dict[str, str] = {}

    def key(self, id: str) -> str:
        """The key under which a page or an answer speaks of this picture."""
        return f"u{Path(id).stem}" if self.uploaded(id) else written(key_of(id))

    def uploaded(self, id: str) -> bool:
        """Whether this picture was uploaded and is not of the collection."""
        return id.startswith(self._prefix)

    def ids(self, keys: Collection[str]) -> dict[str, str]:
        """The pictures that these keys stand for, as far as there are any, asked for together."""
        # What was there a moment ago is there still, even while another process holds the index.
        remembered = {key: self._recent[key] for key in keys if key in self._recent}
        numbers = {key: number for key in keys if key not in remembered and (number := read(key)) is not None}
        known = self._named(list(numbers.values())) if numbers else {}
        named = {key: known[number] for key, number in numbers.items() if number in known}
        if len(self._recent) > _REMEMBERED:
            self._recent = {}
        self._recent |= named
        return remembered | named | {key: path for key in keys if (path := self._kept(key))}

    def _kept(self, key: str) -> str | None:
        uploaded = _UPLOADED.fullmatch(key)
        path = self._uploads / f"{uploaded[1]}.png" if uploaded else None
        return str(path) if path and path.is_file() else None

    def id(self, key: str) -> str:
        """The picture a key stands for; a key that stands for none is a 404."""
        if known := self.ids([key]).get(key):
            return known
        if _UPLOADED.fullmatch(key):
            raise HTTPException(404, "this uploaded picture is no longer kept: add it again")
        raise HTTPException(404, "no such picture in this collection: it may have been moved or deleted")
