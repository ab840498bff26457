"""Features computed once: whole vectors and spatial tokens as float16 files, keyed by what made them."""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from circlet.core import DataError, Gallery, MismatchError, Vectors, unit
from circlet.models.learned.grid import regrid

# Pictures encoded and written at once; a kill loses at most these.
BLOCK = 64

Progress = Callable[[int, int], None]


class Features(Gallery):
    """A gallery that also has the spatial tokens of its pictures, where they were asked for."""

    def __init__(
        self, ids: Sequence[str], vectors: Vectors, fingerprint: str, tokens: NDArray[Any] | None = None
    ) -> None:
        super().__init__(ids, vectors, fingerprint)
        self.tokens = tokens

    def __repr__(self) -> str:
        tokens = "no tokens" if self.tokens is None else "tokens {} × {}".format(*self.tokens.shape[1:])
        return f"<Features of {len(self)} × {self.vectors.shape[1]}, {tokens}, {self.fingerprint}>"

    def tokens_of(self, ids: Sequence[str]) -> Vectors:
        """The spatial tokens of these ids, in their order."""
        if self.tokens is None:
            raise DataError("these features were made without spatial tokens: make them again with tokens")
        return self.tokens[self.rows_of(ids)].astype(np.float32)


def cached(
    images: Mapping[str, Path],
    encoder: Any,
    open_picture: Callable[[Path], Any],
    *,
    folder: Path,
    tokens: bool = False,
    progress: Progress | None = None,
) -> Features:
    """The features of these pictures: read from `folder` if they are there, made there if not.

    The place is named after the encoder and the pictures (path, size and time), so nothing stale
    is ever read; a build that was stopped goes on where it was.
    """
    ids = list(images)
    if not ids:
        raise DataError("no pictures to encode: the benchmark names none")
    place = folder / _key(encoder.fingerprint, images)
    place.mkdir(parents=True, exist_ok=True)
    (place / "encoder.txt").write_text(encoder.fingerprint + "\n", encoding="utf-8")
    vectors = _Grown(place / "vectors", len(ids))
    grown = [vectors]
    if tokens:
        grown.append(_Grown(place / "tokens", len(ids)))
    done = min(part.done for part in grown)
    for start in range(done, len(ids), BLOCK):
        part = [open_picture(images[id]) for id in ids[start : start + BLOCK]]
        for into, rows in zip(grown, _seen(encoder, part, [one.done <= start for one in grown]), strict=True):
            if rows is not None:
                into.write(start, rows)
        if progress:
            progress(min(start + BLOCK, len(ids)), len(ids))
    # The rounding to float16 is made good, so that a dot product is a cosine again.
    whole = unit(np.asarray(vectors.array()))
    return Features(ids, whole, encoder.fingerprint, grown[1].array() if tokens else None)


def _seen(encoder: Any, pictures: Sequence[Any], lacking: Sequence[bool]) -> list[Vectors | None]:
    """Vectors and, if they are asked for too, tokens: each only where it is lacking."""
    if list(lacking) == [True, True]:
        vectors, tokens = encoder.both(pictures)
        return [vectors, regrid(tokens)]
    vectors = encoder.images(pictures) if lacking[0] else None
    if len(lacking) == 1:
        return [vectors]
    return [vectors, regrid(encoder.tokens(pictures)) if lacking[1] else None]


def _key(fingerprint: str, images: Mapping[str, Path]) -> str:
    digest = hashlib.sha256(fingerprint.encode())
    for id, path in images.items():
        try:
            state = path.stat()
        except OSError as error:
            raise DataError(
                f"picture {id} is not at {path} ({error.strerror}): check the benchmark's root"
            ) from error
        digest.update(f"\0{id}\0{path.resolve()}\0{state.st_size}\0{state.st_mtime_ns}".encode())
    return digest.hexdigest()[:16]


class _Grown:
    """A float16 array on disk that is filled from the front; a note says how far it has come."""

    def __init__(self, stem: Path, rows: int) -> None:
        self.file, self.note = stem.with_suffix(".f16"), stem.with_suffix(".json")
        self.rows = rows
        self.shape: tuple[int, ...] = ()
        self.done = 0
        if self.note.exists():
            note = json.loads(self.note.read_text(encoding="utf-8"))
            self.shape, self.done = tuple(note["shape"]), note["done"]
            if self.file.stat().st_size != 2 * rows * int(np.prod(self.shape)):
                raise MismatchError(
                    f"{self.file} has another size than {self.note} says: delete {stem.parent}"
                )

    def array(self, mode: Any = "r") -> "np.memmap[Any, np.dtype[np.float16]]":
        return np.memmap(self.file, np.float16, mode, shape=(self.rows, *self.shape))

    def write(self, start: int, block: Vectors) -> None:
        """Put a block in its place, and only then say that it is there."""
        if not self.shape:
            self.shape = block.shape[1:]
            with self.file.open("wb") as file:
                file.truncate(2 * self.rows * int(np.prod(self.shape)))
        into = self.array("r+")
        into[start : start + len(block)] = block.astype(np.float16)
        into.flush()
        self.done = start + len(block)
        draft = self.note.with_suffix(".draft")
        draft.write_text(json.dumps({"shape": self.shape, "done": self.done}), encoding="utf-8")
        draft.replace(self.note)
