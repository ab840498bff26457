"""The library between the collection and whoever asks: pages and API do everything through it.

It turns keys into pictures and links into sessions, keeps visitors inside the collection, and
leaves every search to `Collection`.
"""

import os
import re
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from math import gcd
from pathlib import Path
from threading import BoundedSemaphore
from typing import IO, TYPE_CHECKING, Any

from starlette.exceptions import HTTPException

from circlet.app.http.config import ServerConfig
from circlet.app.http.jobs import Jobs, indexer
from circlet.app.http.keys import Keys
from circlet.app.http.links import pack, unpack
from circlet.app.http.thumbs import Thumbs, trim
from circlet.app.web.look import Look
from circlet.core import (
    BusyError,
    CircletError,
    Gallery,
    MismatchError,
    PictureError,
    Query,
    StoreError,
    Turn,
    UsageError,
)
from circlet.dialogue import Session
from circlet.images import open_picture, probe

if TYPE_CHECKING:
    from PIL.Image import Image

    from circlet.collection.collection import Collection
    from circlet.collection.explain import Why
    from circlet.collection.results import Results

# An upload is kept at this size: larger than any encoder looks at, small enough to keep many.
KEPT_SIDE = 1024
# How old, in seconds, what the library remembers of the collection may be, at rest and while indexing.
_AGE, _AGE_INDEXING = 30.0, 3.0
# A path in a message: what is left of one after the collection's own folder was taken out.
_PATH = re.compile(r"(?<![\w.])(?:/[^\s/:'\"]+){2,}|[A-Za-z]:\\[^\s:'\"]+")


class Library:
    """What one server knows: its collection, its visitors' uploads, its indexing jobs."""

    def __init__(self, collection: "Collection", config: ServerConfig) -> None:
        self.collection = collection
        self.config = config
        self.limits = config.limits
        self.uploads = collection.home / "uploads"
        self.keys = Keys(self._read_ids, self.uploads)
        self.thumbs = Thumbs(collection.home / "thumbnails", collection.thumbnail)
        folder = str(collection.folder) if collection.folder else None
        self.jobs = Jobs(
            indexer(folder, str(collection.home), collection.encoder_name), finished=self.keys.renew
        )
        self._roots: tuple[float, dict[str, Path]] = (float("-inf"), {})
        # More searches at once than processors would only make each other slower; but one that has
        # to encode an upload first must not keep everybody waiting.
        self._searching = BoundedSemaphore(max(2, os.cpu_count() or 1))
        # An upload may take half a gigabyte while it is decoded.
        self._decoding = BoundedSemaphore(2)
        self._folders: tuple[Sequence[str], list[str]] = ((), [])

    # What there is

    @property
    def roots(self) -> dict[str, Path]:
        """The indexed folders by the names that visitors see."""
        if self.collection.folder is not None:
            return {self.collection.folder.name or "/": self.collection.folder}
        read, named = self._roots
        if time.monotonic() - read > _AGE_INDEXING:
            try:
                paths = [Path(root) for root in self.collection.store.roots()]
            except StoreError:
                paths = []
            named = {}
            for path in paths:
                named[path.name if path.name not in named else f"{path.name} {len(named) + 1}"] = path
            self._roots = (time.monotonic(), named)
        return named

    def gallery(self, look: Look | None = None) -> Gallery | None:
        """The pictures as indexed so far under these filters; None before the first."""
        filters = (look or Look()).filters(self.collection.folder, self.roots)
        try:
            return self.collection.store.gallery(self.collection.encoder.fingerprint, filters)
        except BusyError:
            raise
        except (StoreError, MismatchError):
            return None

    def _read_ids(self) -> Sequence[str]:
        try:
            gallery = self.gallery()
        except BusyError:
            # What was there a moment ago is there still: no picture is lost while another process writes.
            return self.keys.known
        return () if gallery is None else gallery.ids

    def ids(self) -> Sequence[str]:
        """Every picture of the collection by id."""
        return self.keys.ids(_AGE_INDEXING if self.jobs.running else _AGE)

    def warm(self) -> None:
        """Load what a search needs; if that fails, the search itself will say why."""
        with suppress(CircletError):
            self.collection.encoder.texts(["a first word"])

    def browse(self, look: Look, start: int, top: int) -> tuple[list[str], int]:
        """Pictures to begin with, spread over the whole collection, and how many there are."""
        ids = self.ids() if not look.narrowed else getattr(self.gallery(look), "ids", ())
        count = len(ids)
        # Steps of about 0.618 of the whole never fall close together, and each picture comes once.
        step = next((step for step in range(int(count * 0.618), count) if gcd(step, count) == 1), 1)
        return [ids[at * step % count] for at in range(start, min(start + top, count))], count

    def folders(self) -> list[str]:
        """The collection's folders down to the second level, for the filter's list."""
        ids = self.ids()
        if self._folders[0] is not ids:
            inside = {id.rpartition(os.sep)[0] for id in ids}
            names = {"/".join(self.place(f"{path}/").split("/")[:2]).strip("/") for path in inside}
            self._folders = (ids, sorted(names - {""})[:300])
        return self._folders[1]

    def methods(self) -> dict[str, str]:
        """The methods by name, each with a line about it."""
        from circlet.models import METHODS

        return {name: line for name, (_, line) in METHODS.items()}

    def counts(self) -> list[dict[str, Any]]:
        """Each indexed folder: name, pictures, files that could not be read, encoder."""
        counted = []
        for name, root in self.roots.items():
            gallery = self.gallery(Look(folder="" if self.collection.folder else name))
            broken = len(self.collection.store.broken(str(root))) if gallery is not None else 0
            counted.append(
                {
                    "name": name,
                    "pictures": 0 if gallery is None else len(gallery),
                    "broken": broken,
                    "encoder": self.collection.encoder_name,
                }
            )
        return counted

    def disk(self) -> int:
        """How many bytes the index takes."""
        try:
            return self.collection.store.counts().bytes
        except StoreError:
            return 0

    def broken(self) -> list[tuple[str, str]]:
        """Files that could not be read: where, and why."""
        try:
            store = self.collection.store
            unread = [item for root in self.roots.values() for item in store.broken(str(root)).items()]
        except StoreError:
            return []
        return [(self.place(path), self.scrub(broken.reason)) for path, broken in unread]

    # Names

    def place(self, id: str) -> str:
        """Where a picture is, told from the collection's root: never an absolute path."""
        if self.keys.uploaded(id):
            return "your picture"
        for name, root in self.roots.items():
            prefix = f"{root}/" if str(root) != "/" else "/"
            if id.startswith(prefix):
                inside = id.removeprefix(prefix)
                return inside if self.collection.folder is not None else f"{name}/{inside}"
        return Path(id).name

    def name(self, id: str) -> str:
        """What to call a picture."""
        return "your picture" if self.keys.uploaded(id) else id.rpartition(os.sep)[2]

    def scrub(self, message: str) -> str:
        """A message for a visitor: paths told from the collection's root, others not at all."""
        for name, root in self.roots.items():
            message = message.replace(f"{root}/", "").replace(str(root), name)
        message = message.replace(str(self.collection.home), "circlet's folder")
        return _PATH.sub("…", message)

    def renamed(self, turn: Turn) -> dict[str, Any]:
        """A turn as plain values, its pictures by key."""
        told = turn.to_dict()
        if turn.picture:
            told["picture"] = self.keys.key(turn.picture)
        for name in ("liked", "disliked", "shown"):
            if name in told:
                told[name] = [self.keys.key(id) for id in told[name]]
        return told

    # Sessions

    def session(self, word: str, look: Look | None = None) -> Session:
        """The session a link stands for, ready to be searched."""
        session = unpack(word, self.keys.id, self.limits)
        return replace(session, search=partial(self._search, look=look or Look()))

    def word(self, session: Session) -> str:
        """The session as it stands in a link."""
        return pack(session, self.keys.key, self.limits)

    def find(self, session: Session, look: Look, *, start: int = 0, top: int = 40) -> "Results":
        """One page of results, by the one search path there is."""
        if start + top > self.limits.depth:
            raise UsageError(f"a search shows at most {self.limits.depth} results: say more of what you want")
        return self._search(session.query, look=look, start=start, top=top)

    def _search(self, query: Query, *, look: Look, start: int = 0, top: int = 20) -> "Results":
        filters = look.filters(self.collection.folder, self.roots)
        method = self.method(look.method)
        with self._searching:
            return self.collection.find(
                query, start=start, top=top, filters=filters, fold=look.fold != "no", method=method
            )

    def method(self, name: str) -> str | None:
        """A method that visitors may name; a checkpoint's folder is none of them."""
        if name and name not in self.methods():
            raise UsageError(f"unknown method {name!r}: pick one of {', '.join(self.methods())}")
        return name or None

    def why(self, session: Session, look: Look, id: str) -> "Why":
        """A picture's score, and what each part of the search brought to it."""
        if not session.turns or self.keys.uploaded(id):
            raise UsageError("only a result can be explained: search first")
        return self.collection.why(session.query, id, method=self.method(look.method))

    # Pictures

    def upload(self, file: IO[bytes]) -> str:
        """Keep an uploaded picture, small and stripped of everything but its pixels; returns its id."""
        with self._decoding:
            picture = self._decoded(file.read())
        picture.thumbnail((KEPT_SIDE, KEPT_SIDE))
        id = self.collection.bring(picture, keep=True)
        trim(self.uploads, self.limits.uploads_kept_bytes)
        return id

    def _decoded(self, data: bytes) -> "Image":
        try:
            seen = probe(data)
            if seen.width * seen.height > self.limits.upload_pixels:
                raise HTTPException(
                    413, f"{seen.width} × {seen.height} pixels are too many: make the picture smaller"
                )
            return open_picture(data, side=KEPT_SIDE)
        except PictureError as error:
            raise PictureError(str(error).replace("these bytes", "this picture")) from None

    def file(self, key: str) -> str:
        """The id of a picture that may be shown: one whose file truly lies inside the collection."""
        id = self.keys.id(key)
        real = Path(id).resolve()
        homes = [self.uploads] if self.keys.uploaded(id) else list(self.roots.values())
        if not any(real.is_relative_to(home.resolve()) for home in homes):
            raise HTTPException(404, "this picture's file leads out of the collection and is not shown")
        return id

    def about(self, id: str) -> dict[str, Any]:
        """Size, date and format of a picture, from its file's header."""
        seen = probe(Path(id))
        taken = seen.taken.isoformat(sep=" ") if seen.taken else None
        return {"width": seen.width, "height": seen.height, "taken": taken, "format": seen.format}
