"""What an encoder sees in pictures, kept once for everybody: measuring, training, building, drawing.

Vectors lie in a store like the index's, found by the file's path, size and time. Spatial tokens, thirty
times as large, lie beside it in half precision. A second command over the same pictures encodes nothing,
and asks for no lock.
"""

import hashlib
import json
import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from circlet.core import DataError, Gallery, PictureEncoder, PictureError, Progress, StoreError, Vectors, unit
from circlet.core.files import parse_json, write_text
from circlet.core.home import room
from circlet.core.vectors import blocks
from circlet.images import content_hash, open_picture
from circlet.index import Entry, Store, open_store
from circlet.models.encoding import Batch, Passed, Reading, encode_all
from circlet.models.learned.grid import regrid

if TYPE_CHECKING:
    from PIL.Image import Image


class Features(Gallery):
    """A gallery that also knows its pictures' files and spatial tokens."""

    def __init__(
        self,
        ids: Sequence[str],
        vectors: Vectors,
        fingerprint: str,
        *,
        tokens: "Tokens | NDArray[Any] | None" = None,
        files: Mapping[str, Path] | None = None,
        encoder: PictureEncoder | None = None,
        in_time: bool = False,
    ) -> None:
        super().__init__(ids, vectors, fingerprint, in_time=in_time)
        self.tokens = tokens
        self.files = files or {}
        self.encoder = encoder

    def __repr__(self) -> str:
        tokens = "no tokens" if self.tokens is None else "tokens {} × {}".format(*self.tokens.shape[1:])
        return f"<Features of {len(self)} × {self.vectors.shape[1]}, {tokens}, {self.fingerprint}>"

    def tokens_of(self, ids: Sequence[str]) -> Vectors:
        """The spatial tokens of these ids, in their order: those that are kept, or made from the files."""
        if self.tokens is not None:
            return self.tokens[self.rows_of(ids)].astype(np.float32)
        if self.encoder is None or not self.files:
            return super().tokens_of(ids)
        return tokens_of([self.open(id, self.encoder.size) for id in ids], self.encoder)

    def open(self, id: str, side: int | None = None) -> "Image":
        """The picture itself, from its file."""
        if id not in self.files:
            raise DataError(f"{id}: nobody said where this picture's file is")
        return open_picture(self.files[id], side=side)

    def subset(self, ids: Sequence[str], *, in_time: bool = False) -> "Features":
        """The features of just these ids, in this order, tokens and files included."""
        rows = self.rows_of(ids)
        return Features(
            ids,
            self.vectors[rows],
            self.fingerprint,
            tokens=None if self.tokens is None else self.tokens[rows],
            files=self.files,
            encoder=self.encoder,
            in_time=in_time,
        )

    def in_half_precision(self) -> "Features":
        """The same with vectors as half precision keeps them, at unit length again.

        Every composer so far was trained on such vectors; with others its figures would not repeat.
        """
        rounded = unit(self.vectors.astype(np.float16).astype(np.float32))
        return Features(
            self.ids,
            rounded,
            self.fingerprint,
            tokens=self.tokens,
            files=self.files,
            encoder=self.encoder,
        )


def tokens_of(pictures: Sequence[Any], encoder: PictureEncoder) -> Vectors:
    """The spatial tokens of opened pictures, on the grid that all models share."""
    if not pictures:
        return np.zeros((0, 0, 0), np.float32)
    return regrid(encoder.tokens_prepared(np.stack([encoder.prepare(picture) for picture in pictures])))


@dataclass(frozen=True)
class Tokens:
    """Rows of a file of spatial tokens: indexed like an array, read when asked for."""

    file: "np.memmap[Any, np.dtype[np.float16]]"
    rows: NDArray[np.intp]

    @property
    def shape(self) -> tuple[int, ...]:
        """(pictures, places, channels)"""
        return (len(self.rows), *self.file.shape[1:])

    def __getitem__(self, rows: Any) -> NDArray[np.float16]:
        return np.asarray(self.file[self.rows[rows]])


@runtime_checkable
class Upon(Protocol):
    """An encoder whose vectors are made from those of another one, which are then the ones to keep."""

    @property
    def base(self) -> PictureEncoder: ...

    def over(self, vectors: Vectors) -> Vectors:
        """Its vectors of pictures, given the base's."""
        ...


class FeatureStore:
    """Features by file and encoder, under CIRCLET_HOME.

    features, unreadable = FeatureStore().features({"a": Path("a.jpg")}, load_encoder("fine"))
    """

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or room("features")

    def features(
        self,
        files: Mapping[str, Path],
        encoder: PictureEncoder,
        *,
        tokens: bool = False,
        progress: Progress | None = None,
    ) -> tuple[Features, dict[str, str]]:
        """The features of these pictures by id, and what could not be opened with the reason.

        What is kept is read back; the rest is encoded and kept, batch by batch: a kill loses no more
        than the batch in hand.
        """
        if isinstance(encoder, Upon) and not tokens:
            below, lost = self.features(files, encoder.base, progress=progress)
            made = [encoder.over(below.vectors[rows]) for rows in blocks(*below.vectors.shape)]
            vectors = np.concatenate(made) if made else np.zeros((0, encoder.dim), np.float32)
            return (
                Features(below.ids, vectors, encoder.fingerprint, files=below.files, encoder=encoder),
                lost,
            )
        real = {id: path.resolve() for id, path in files.items()}
        fresh = self._fresh(list(dict.fromkeys(real.values())), encoder.fingerprint, tokens)
        reasons = self._encode(fresh, encoder, tokens, progress) if fresh else {}
        lost = {id: reasons[path] for id, path in real.items() if path in reasons}
        ids = [id for id in real if id not in lost]
        paths = [str(real[id]) for id in ids]
        if not ids:
            return Features((), np.zeros((0, encoder.dim), np.float32), encoder.fingerprint), lost
        with open_store(self.folder) as store:
            vectors = store.space(encoder.fingerprint).vectors_of(paths)
            places = self._tokens(store, paths, encoder.fingerprint) if tokens else None
        kept = {id: real[id] for id in ids}
        return (
            Features(ids, vectors, encoder.fingerprint, tokens=places, files=kept, encoder=encoder),
            lost,
        )

    @contextmanager
    def _reading(self) -> Iterator[Store | None]:
        """The store, or None where nothing was ever kept."""
        try:
            store = open_store(self.folder)
        except StoreError:
            if (self.folder / "catalogue.sqlite").exists():
                raise
            yield None
            return
        with store:
            yield store

    def _fresh(
        self, paths: Collection[Path], fingerprint: str, tokens: bool
    ) -> dict[Path, tuple[bool, bool]]:
        """The files that lack vectors or tokens, or are others than those that were encoded."""
        spaces = (fingerprint, _token_space(fingerprint)) if tokens else (fingerprint,)
        with self._reading() as store:
            known = [store.known([str(path) for path in paths], space) if store else {} for space in spaces]
        fresh = {}
        for path in paths:
            try:
                state = path.stat()
            except OSError:
                fresh[path] = (True, tokens)
                continue
            stale = [
                (held := one.get(str(path))) is None
                or (held.size, held.mtime_ns) != (state.st_size, state.st_mtime_ns)
                for one in known
            ]
            if any(stale):
                fresh[path] = (stale[0], len(stale) > 1 and stale[1])
        return fresh

    def _encode(
        self,
        fresh: Mapping[Path, tuple[bool, bool]],
        encoder: PictureEncoder,
        tokens: bool,
        progress: Progress | None,
    ) -> dict[Path, str]:
        """Encode and keep; returns what could not be opened, with the reason."""
        lost: dict[Path, str] = {}
        done = 0
        with open_store(self.folder, write=True) as store:
            for want in ((True, True), (True, False), (False, True)):
                paths = [path for path, lacks in fresh.items() if lacks == want]
                for outcome in encode_all(paths, _reader(encoder), encoder, vectors=want[0], tokens=want[1]):
                    if isinstance(outcome, Passed):
                        lost[outcome.source] = str(outcome.outcome)
                        done += 1
                    else:
                        self._keep(store, outcome, encoder.fingerprint)
                        done += len(outcome.sources)
                    if progress:
                        progress(done, len(fresh))
        return lost

    def _keep(self, store: Store, batch: Batch[Path], fingerprint: str) -> None:
        entries = [reading.about for reading in batch.readings]
        if batch.tokens is not None:
            rows = _TokenFile(self.folder, fingerprint).append(regrid(batch.tokens))
            numbers = np.asarray(rows, np.float32)[:, None]
            store.add(entries, numbers, _token_space(fingerprint), searched=False)
        if batch.vectors is not None:
            store.add(entries, batch.vectors, fingerprint, searched=False)

    def _tokens(self, store: Store, paths: Sequence[str], fingerprint: str) -> Tokens:
        rows = store.space(_token_space(fingerprint)).vectors_of(paths)[:, 0].astype(np.intp)
        return Tokens(_TokenFile(self.folder, fingerprint).mapped(), rows)


@dataclass(frozen=True)
class FileVectors:
    """An encoder that reads files: what builders of datasets look at pictures with."""

    encoder: PictureEncoder

    @property
    def fingerprint(self) -> str:
        """The encoder's."""
        return self.encoder.fingerprint

    def __call__(self, paths: Sequence[Path], progress: Progress | None = None) -> Vectors:
        """One row per file; one that cannot be opened is an error that says why."""
        files = {str(path): path for path in paths}
        features, lost = FeatureStore().features(files, self.encoder, progress=progress)
        if lost:
            raise PictureError(next(iter(lost.values())))
        return features.vectors_of([str(path) for path in paths])


def _reader(encoder: PictureEncoder) -> Any:
    def read(path: Path) -> Reading:
        picture = open_picture(path, side=encoder.size)
        state = path.stat()
        size = (picture.width, picture.height)
        entry = Entry(str(path), state.st_size, state.st_mtime_ns, content_hash(path), *size)
        return Reading(entry, encoder.prepare(picture))

    return read


def _token_space(fingerprint: str) -> str:
    """The space that says, for each file, at which row of the token file its tokens are."""
    return f"tokens:{fingerprint}"


class _TokenFile:
    """Float16 rows of one shape in a file that only grows; the store says which of them count."""

    def __init__(self, folder: Path, fingerprint: str) -> None:
        name = hashlib.sha256(fingerprint.encode()).hexdigest()[:16]
        self.file, self.note = folder / f"tokens-{name}.f16", folder / f"tokens-{name}.json"

    def append(self, tokens: Vectors) -> range:
        """Write rows at the end and see them on the disk; their numbers."""
        shape = tokens.shape[1:]
        if not self.note.exists():
            write_text(self.note, json.dumps({"shape": shape}))
        width = 2 * int(np.prod(shape))
        with self.file.open("ab") as file:
            # What a killed run left half written is not a whole number of rows.
            start = file.tell() // width
            file.truncate(start * width)
            file.write(np.ascontiguousarray(tokens, np.float16).tobytes())
            file.flush()
            os.fsync(file.fileno())
        return range(start, start + len(tokens))

    def mapped(self) -> "np.memmap[Any, np.dtype[np.float16]]":
        shape = tuple(parse_json(self.note.read_text(encoding="utf-8"))["shape"])
        rows = self.file.stat().st_size // (2 * int(np.prod(shape)))
        return np.memmap(self.file, np.float16, "r", shape=(rows, *shape))
