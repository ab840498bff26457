"""The pictures behind a server's keys: brought, told about, given out."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from anyio import to_thread
from starlette.exceptions import HTTPException
from starlette.requests import Request

from circlet.app.http.config import Limits, ServerConfig
from circlet.app.http.keys import Keys
from circlet.app.http.lanes import Lanes
from circlet.app.http.small import GONE, SmallPictures
from circlet.app.http.thumbs import Thumbs, trim
from circlet.core import PictureError, UsageError
from circlet.images import open_picture, probe
from circlet.images.addresses import address_of
from circlet.images.moments import at, file_of, moment_of
from circlet.images.opening import cost
from circlet.images.remote import state_of

if TYPE_CHECKING:
    from PIL.Image import Image

    from circlet.collection import Collection

# An upload is kept at this size: larger than any encoder looks at, small enough to keep many.
KEPT_SIDE = 1024
# Videos that a browser may play in its place.
FILMS = {"MP4": "video/mp4", "MOV": "video/quicktime", "WEBM": "video/webm", "MKV": "video/x-matroska"}


class Files(ABC):
    """The part of a library that deals with picture files; nothing outside the collection is touched."""

    collection: "Collection"
    config: ServerConfig
    limits: Limits
    uploads: Path
    keys: Keys
    thumbs: Thumbs
    lanes: Lanes
    small: SmallPictures

    @property
    @abstractmethod
    def roots(self) -> dict[str, Path]:
        """The indexed folders by the names that visitors see."""

    async def brought(self, request: Request, file: IO[bytes]) -> str:
        """Keep the picture that a request brings, when it is its turn; returns its id."""

        def priced() -> int:
            with _of_visitor():
                return cost(file.read(), KEPT_SIDE)

        spends = await to_thread.run_sync(priced, limiter=self.small.pricing)
        return await self.lanes.run("uploads", request, spends, lambda: self.upload(file))

    def upload(self, file: IO[bytes]) -> str:
        """Keep an uploaded picture, small and stripped of everything but its pixels; returns its id."""
        file.seek(0)
        picture = self._decoded(file.read())
        picture.thumbnail((KEPT_SIDE, KEPT_SIDE))
        id = self.collection.bring(picture, keep=True)
        trim(self.uploads, self.limits.uploads_kept_bytes)
        return id

    def _decoded(self, data: bytes) -> "Image":
        with _of_visitor():
            seen = probe(data)
            if seen.width * seen.height > self.limits.upload_pixels:
                raise HTTPException(
                    413, f"{seen.width} × {seen.height} pixels are too many: make the picture smaller"
                )
            return open_picture(data, side=KEPT_SIDE)

    def file(self, key: str) -> str:
        """The id of a picture that may be shown: one whose file truly lies inside the collection."""
        id = self.keys.id(key)
        if address_of(id) or self._listed(id):
            return id
        real = file_of(id).resolve()
        homes = [self.uploads] if self.keys.uploaded(id) else list(self.roots.values())
        if not any(real.is_relative_to(home.resolve()) for home in homes) and not self._followed(id):
            raise HTTPException(404, "this picture's file leads out of the collection and is not shown")
        if not real.is_file():
            raise HTTPException(404, GONE)
        return id

    @property
    def lists(self) -> bool:
        """Whether pictures came by lists, which may name any file."""
        lists = self.collection.lists
        return self.collection.folder is None and any(str(root) in lists for root in self.roots.values())

    def _listed(self, id: str) -> bool:
        """Whether a picture came by a list, in which its owner named it, and by no folder."""
        inside = any(Path(id).is_relative_to(root) for root in (*self.roots.values(), self.uploads))
        return not inside and self.lists and file_of(id).is_file()

    def _followed(self, id: str) -> bool:
        """Whether the owner of the folder allowed that links lead out of it."""
        if self.keys.uploaded(id):
            return False
        root = next((root for root in self.roots.values() if Path(id).is_relative_to(root)), None)
        return root is not None and self._follows(root)

    def _follows(self, root: Path) -> bool:
        return self.collection.open(root, home=self.collection.home).follows

    def watched(self) -> dict[Path, bool]:
        """The indexed folders, each with whether links that lead out of it are followed."""
        return {root: self._follows(root) for root in self.roots.values()}

    def about(self, id: str) -> dict[str, Any]:
        """Size, date and format of a picture, from its file's header, and where the file itself is."""
        seen = probe(Path(id))
        taken = seen.taken.isoformat(sep=" ") if seen.taken else None
        state = state_of(id)
        return {
            "width": seen.width,
            "height": seen.height,
            "taken": taken,
            "modified": datetime.fromtimestamp(state.mtime_ns // 10**9).isoformat(
                sep=" ", timespec="seconds"
            ),
            "format": seen.format,
            "bytes": state.size,
            "seconds": moment.seconds if (moment := moment_of(id)) else None,
            "original": self._original(id, seen.format),
        }

    def _original(self, id: str, kind: str) -> str | None:
        """Where a picture's own file is, a video at its moment; None where the owner keeps them back."""
        if not self.config.originals or address_of(id):
            return None
        moment = moment_of(id) if kind in FILMS else None
        there = f"/api/v1/pictures/{self.keys.key(id)}/original"
        return at(there, moment.seconds) if moment else there

    def original(self, key: str) -> tuple[Path, str]:
        """A picture's own file and what kind of file it is; refused where the owner keeps them back."""
        if not self.config.originals:
            raise HTTPException(403, "the owner of this server shows small copies only")
        id = self.file(key)
        if address_of(id):
            raise HTTPException(404, "this picture lies elsewhere: a small copy is all that is sent of it")
        if not file_of(id).is_file():
            raise HTTPException(404, "this picture's file is gone: index the folder again")
        return file_of(id), probe(Path(id)).format

    def show_in_folder(self, key: str) -> None:
        """Open the file manager of this machine where the picture is, for somebody who sits at it."""
        import click

        if not self.config.at_home:
            raise HTTPException(403, "folders are opened for visitors at this machine alone")
        if address_of(self.file(key)):
            raise UsageError("this picture lies elsewhere: no folder of this machine holds it")
        if click.launch(str(file_of(self.file(key))), locate=True):
            raise UsageError("no file manager could be opened on this machine")


@contextmanager
def _of_visitor() -> Iterator[None]:
    """Errors about bytes without a name speak of the visitor's picture."""
    try:
        yield
    except PictureError as error:
        raise PictureError(str(error).replace("these bytes", "this picture")) from None
