"""Small pictures for the page: drawn once, kept on disk, named by what they were drawn from."""

import hashlib
import io
from collections.abc import Callable
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from circlet.core.files import replacing
from circlet.images.remote import state_of

if TYPE_CHECKING:
    from PIL.Image import Image

SIDES = (96, 256, 512, 1280)
# About two small pictures for each of 50,000; the least used go first.
BUDGET = 1_500_000_000
_CHECK_EVERY = 500


class Thumbs:
    """WebP copies of pictures under a folder, with a tag that changes when the picture does.

    >>> import tempfile; from PIL import Image
    >>> home = Path(tempfile.mkdtemp()); Image.new("RGB", (40, 20)).save(home / "a.png")
    >>> def draw(id, side): return Image.open(id).resize((side, side))
    >>> thumbs = Thumbs(home / "thumbs", draw)
    >>> thumbs.get(str(home / "a.png"), 96)[:4]
    b'RIFF'
    """

    def __init__(self, folder: Path, draw: Callable[[str, int], "Image"]) -> None:
        self._folder = folder
        self._draw = draw
        self._written = 0
        self._lock = Lock()

    def tag(self, id: str, side: int) -> str:
        """What names this picture at this size in its present state; raises OSError if it is gone."""
        state = state_of(id)
        made_from = f"{id}\0{state.size}\0{state.mtime_ns}\0{side}"
        return hashlib.blake2b(made_from.encode("utf-8", "surrogateescape"), digest_size=16).hexdigest()

    def kept(self, tag: str) -> bytes | None:
        """What was drawn under this tag before, if it still is there."""
        try:
            return self._path(tag).read_bytes()
        except OSError:
            return None

    def get(self, id: str, side: int) -> bytes:
        """The picture as WebP with its long edge at `side` or less."""
        tag = self.tag(id, side)
        if (known := self.kept(tag)) is not None:
            return known
        drawn = io.BytesIO()
        self._draw(id, side).save(drawn, "WEBP", quality=82, method=2)
        self._keep(self._path(tag), drawn.getvalue())
        return drawn.getvalue()

    def _path(self, tag: str) -> Path:
        return self._folder / tag[:2] / f"{tag}.webp"

    def _keep(self, path: Path, data: bytes) -> None:
        """Write whole or not at all; a full disk costs speed, not the picture."""
        try:
            with replacing(path) as half:
                half.write_bytes(data)
        except OSError:
            return
        with self._lock:
            self._written += 1
            due = self._written % _CHECK_EVERY == 0
        if due:
            trim(self._folder, BUDGET)


def trim(folder: Path, budget: int) -> None:
    """Delete the files of a folder that were unused the longest until it holds `budget` bytes.

    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp()); _ = (folder / "a").write_bytes(b"12345")
    >>> trim(folder, 4); list(folder.iterdir())
    []
    """
    files = []
    for path in folder.rglob("*"):
        try:
            stat = path.stat()
        except OSError:
            continue
        if path.is_file():
            files.append((max(stat.st_atime, stat.st_mtime), stat.st_size, path))
    total = sum(size for _, size, _ in files)
    for _, size, path in sorted(files):
        if total <= budget:
            return
        path.unlink(missing_ok=True)
        total -= size
