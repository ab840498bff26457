"""Chosen pictures as one file: a list of where they are, a zip of the files, or an album to keep."""

import zipfile
from collections.abc import Callable, Iterator, Sequence
from tempfile import TemporaryFile
from typing import IO, TYPE_CHECKING

from starlette.responses import Response, StreamingResponse

from circlet.app.http.library import Library
from circlet.collection import Hit, Results
from circlet.core import Query, UsageError

if TYPE_CHECKING:
    from PIL.Image import Image

# Draws a picture with its long edge at so many pixels.
Draw = Callable[[str, int], "Image"]
# The most pictures that go into one file.
MOST = 500
_PIECE = 1 << 16


def exported(library: Library, form: str, keys: Sequence[str], draw: Draw) -> Response:
    """The chosen pictures in the form that was asked for: list, zip or album, which is drawn."""
    chosen = list(dict.fromkeys(keys))
    if not chosen:
        raise UsageError("no picture is chosen: tick some first")
    if len(chosen) > MOST:
        raise UsageError(f"at most {MOST} pictures go into one file: choose fewer")
    if form == "list":
        lines = "".join(f"{library.place(library.file(key))}\n" for key in chosen)
        return _saved(iter([lines.encode()]), "pictures.txt", "text/plain; charset=utf-8")
    if form == "zip":
        return _saved(_pieces(_zipped(library, chosen)), "pictures.zip", "application/zip")
    if form == "album":
        album = _album(library, chosen, draw).encode()
        return _saved(iter([album]), "album.html", "text/html; charset=utf-8")
    raise UsageError(f"{form!r} is no form to export in: list, zip or album")


def _zipped(library: Library, keys: Sequence[str]) -> IO[bytes]:
    """The files as they are, under the names of their places; pictures are compressed already."""
    file = TemporaryFile()  # noqa: SIM115 - closed by whoever sends it
    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
        # Several moments may be of one video.
        for path in dict.fromkeys(library.original(key)[0] for key in keys):
            archive.write(path, library.place(str(path)))
    file.seek(0)
    return file


def _album(library: Library, keys: Sequence[str], draw: Draw) -> str:
    from circlet.app.sheets.page import page
    from circlet.app.sheets.sheet import Sheet

    hits = tuple(Hit(rank, 0.0, library.file(key)) for rank, key in enumerate(keys, start=1))
    note = f"{len(hits)} pictures, chosen with circlet"
    steps = (Results(Query("album"), hits),)
    return page(
        Sheet(steps=steps, thumbnail=draw, title="Album", note=note, place=library.place, ranked=False)
    )


def _pieces(file: IO[bytes]) -> Iterator[bytes]:
    with file:
        while piece := file.read(_PIECE):
            yield piece


def _saved(content: Iterator[bytes], name: str, kind: str) -> Response:
    headers = {"content-disposition": f'attachment; filename="{name}"', "cache-control": "no-store"}
    return StreamingResponse(content, media_type=kind, headers=headers)
