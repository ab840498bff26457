"""Rows of float32 in a file that only grows, mapped into memory to be read."""

import hashlib
import mmap
import os
from pathlib import Path

import numpy as np

from circlet.core import StoreError, Vectors


def append(path: Path, start: int, rows: Vectors) -> str:
    """Write rows behind the first `start` ones and see them on the disk; returns their digest.

    Whatever lies behind row `start` is the rest of an append that was never committed, so it is
    written over. Rows before it are never touched: readers have them mapped.
    """
    data = np.ascontiguousarray(rows, dtype="<f4")
    new = start == 0 and not path.exists()
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o644)
    try:
        offset = start * data.shape[1] * 4
        if os.fstat(handle).st_size < offset:
            raise damaged(path)
        os.lseek(handle, offset, os.SEEK_SET)
        left = data.data.cast("B")
        while left:
            left = left[os.write(handle, left) :]
        os.fsync(handle)
    finally:
        os.close(handle)
    if new:
        _sync_folder(path.parent)
    return digest(data)


def mapped(path: Path, count: int, dim: int) -> Vectors:
    """The first `count` rows, read-only, straight from the file."""
    if count == 0:
        return np.empty((0, dim), np.float32)
    if not path.exists():
        raise damaged(path)
    with path.open("rb") as file:
        if os.fstat(file.fileno()).st_size < count * dim * 4:
            raise damaged(path)
        view = mmap.mmap(file.fileno(), count * dim * 4, access=mmap.ACCESS_READ)
    return np.frombuffer(view, dtype="<f4").reshape(count, dim)


def digest(rows: Vectors) -> str:
    """The rows' checksum, as the catalogue keeps it for every batch."""
    return hashlib.blake2b(np.ascontiguousarray(rows, dtype="<f4").data, digest_size=16).hexdigest()


def damaged(path: Path) -> StoreError:
    """The error for a vector file that lacks rows which were finished."""
    return StoreError(
        f"{path}: the vector file is shorter than the catalogue says: "
        "`circlet verify` tells what is lost, `circlet index` makes it again"
    )


def _sync_folder(folder: Path) -> None:
    """Make a new file's name survive a power cut; Windows does so by itself."""
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
