"""A benchmark's pictures as vectors: encoded once, kept by encoder, checked before anything is ranked."""

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from os import cpu_count
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from circlet.core import Benchmark, DataError, Gallery, PictureError
from circlet.images import content_hash, open_picture
from circlet.index import Embedded, Entry, home

BATCH = 32


class Progress(Protocol):
    """Told after every batch: pictures done so far, of how many."""

    def __call__(self, done: int, total: int | None) -> None: ...


@dataclass(frozen=True)
class Encoded:
    """A benchmark that can be ranked: its pictures' vectors, and how much of it is left."""

    benchmark: Benchmark
    pictures: Gallery
    coverage: float
    missing: Mapping[str, str]


def encode(
    benchmark: Benchmark,
    encoder: Any,
    *,
    allow_missing: bool = False,
    progress: Progress | None = None,
    store: Path | None = None,
) -> Encoded:
    """The vectors of every picture the benchmark names, read back where they were made before.

    A picture that is missing or cannot be opened is an error that names it; with `allow_missing`
    it leaves the benchmark, and `coverage` is the share of the queries that stay.
    """
    wanted = benchmark.pictures
    lost = {id: reason for id in wanted if (reason := _absent(benchmark, id))}
    files = {id: benchmark.images[id].resolve() for id in wanted if id not in lost}
    if lost and not allow_missing:
        # Nothing is encoded for hours only to be refused at the end.
        raise _missing(benchmark, lost)
    with Embedded.open(store or home() / "benchmarks", write=True) as kept:
        lost |= _encode(kept, _fresh(kept, files, encoder.fingerprint), encoder, progress)
        if lost and not allow_missing:
            raise _missing(benchmark, lost)
        left = benchmark.without(lost) if lost else benchmark
        if not left.queries:
            raise DataError(f"{benchmark.name}: no query is left without its missing pictures")
        ids = [id for id in wanted if id not in lost]
        vectors = kept.vectors_of([str(files[id]) for id in ids], encoder.fingerprint)
    coverage = len(left.queries) / len(benchmark.queries)
    return Encoded(left, Gallery(ids, vectors, encoder.fingerprint), coverage, lost)


def _absent(benchmark: Benchmark, id: str) -> str:
    path = benchmark.images.get(id)
    if path is None:
        return "the benchmark does not say where it is"
    return "" if path.is_file() else f"no such file: {path}"


def _missing(benchmark: Benchmark, lost: Mapping[str, str]) -> DataError:
    first = "; ".join(f"{id} ({reason})" for id, reason in list(lost.items())[:3])
    more = f"; and {len(lost) - 3} more" if len(lost) > 3 else ""
    return DataError(
        f"{benchmark.name}: {len(lost)} of {len(benchmark.pictures)} pictures are missing: {first}{more}. "
        "Put them there, or measure what is left with --allow-missing"
    )


def _fresh(kept: Embedded, files: Mapping[str, Path], fingerprint: str) -> dict[str, Path]:
    """The pictures without a vector, or whose file is another than the one that was encoded."""
    having = sorted(kept.having([str(path) for path in files.values()], fingerprint))
    known = {entry.path: (entry.size, entry.mtime_ns) for entry in kept.entries(having)}
    fresh = {}
    for id, path in files.items():
        state = path.stat()
        if known.get(str(path)) != (state.st_size, state.st_mtime_ns):
            fresh[id] = path
    return fresh


def _encode(
    kept: Embedded, fresh: Mapping[str, Path], encoder: Any, progress: Progress | None
) -> dict[str, str]:
    """Encode and keep, batch by batch; returns what could not be opened, with the reason."""
    lost: dict[str, str] = {}
    # Two ids may name one file: it is encoded once.
    names: dict[Path, list[str]] = {}
    for id, path in fresh.items():
        names.setdefault(path, []).append(id)
    batch: list[tuple[Entry, Any]] = []
    done = 0

    def flush() -> None:
        if batch:
            vectors = encoder.encode_prepared(np.stack([pixels for _, pixels in batch]))
            kept.add([entry for entry, _ in batch], vectors, encoder.fingerprint)
            batch.clear()
            if progress:
                progress(done, len(names))

    for path, read in _decoded(list(names), encoder):
        done += 1
        if isinstance(read, str):
            lost |= dict.fromkeys(names[path], read)
            continue
        batch.append(read)
        if len(batch) == BATCH:
            flush()
    flush()
    return lost


def _decoded(paths: Sequence[Path], encoder: Any) -> Iterator[tuple[Path, "tuple[Entry, Any] | str"]]:
    """Files with what was read of them, or the reason why not; threads stay a few batches ahead."""

    def read(path: Path) -> "tuple[Entry, Any] | str":
        try:
            picture = open_picture(path, side=encoder.size)
            state = path.stat()
            entry = Entry(
                str(path), state.st_size, state.st_mtime_ns, content_hash(path), picture.width, picture.height
            )
            return entry, encoder.prepare(picture)
        except PictureError as error:
            return str(error)

    with ThreadPoolExecutor(cpu_count()) as threads:
        waiting: deque[tuple[Path, Future[tuple[Entry, Any] | str]]] = deque()
        for path in paths:
            waiting.append((path, threads.submit(read, path)))
            if len(waiting) >= 3 * BATCH:
                first, ready = waiting.popleft()
                yield first, ready.result()
        for first, ready in waiting:
            yield first, ready.result()
