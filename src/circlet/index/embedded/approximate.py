"""Approximate search for large stores: one bit for each number proposes, the stored vectors decide."""

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from circlet.core import Flags, Vectors, best, unit
from circlet.core.files import replacing
from circlet.index.embedded.exact import FEW, Chosen, exact

# Below some 30,000 rows no search of the fifty best uses an index: its candidates would be too large a share.
# At this many it takes a search from 8.5 ms to 2.4 and is paid for after 370 (`benchmarks/search.py --pays`).
PAYS_FROM = 50_000
# How many numbers an exact search reads in the time that loading the library and the codes takes.
LOADING = 300_000_000
# How many candidates are scored exactly for each result that is asked for, and how many more: one bit says
# too little of a number to tell the tenth best from the hundredth, and too few would have all lists read.
_WIDTH, _SPARE = 10, 100
# What the index must find of the true ten best on a sample, or exact search stays.
_RECALL = 0.993
# An index whose rows grew by this factor since its lists were laid out is laid out anew.
_OUTGROWN = 4
# The tail that is searched exactly may grow to the rest of this share before it is added.
_COVERS = 0.98
_SAMPLE = 192
_log = logging.getLogger("circlet.index")
_ADDED = 50_000
# Lists: how many for a square root of rows, and how many rows and rounds are looked at to find them.
_LISTS, _SEEN, _ROUNDS = 1.0, 40, 5


class Approximate:
    """A faiss inverted file over the first rows of one vector file; the rest is searched exactly.

    It never decides alone: its candidates are scored with the stored vectors, rows that do not
    count are masked, and a query for which it finds too few is searched exactly.
    """

    def __init__(self, index: Any) -> None:
        self._index = index
        self._lists = _inner(index)

    @property
    def rows(self) -> int:
        """How many rows of the vector file it covers."""
        return int(self._index.ntotal)

    def search(
        self, rows: Vectors, queries: Vectors, *, top: int, mask: Flags, exclude: Sequence[NDArray[np.intp]]
    ) -> list[Chosen]:
        """What `exact` would give, nearly always, for a fraction of the reading."""
        passing = int(np.count_nonzero(mask))
        share = passing / len(mask)
        fetch = _WIDTH * top + _SPARE + max((len(gone) for gone in exclude), default=0)
        if share <= FEW or fetch > self.rows // 50:
            return exact(rows, queries, top=top, mask=mask, exclude=exclude)
        proposed = self._propose(queries, fetch, mask, share)
        tail = exact(
            rows[self.rows :],
            queries,
            top=top,
            mask=mask[self.rows :],
            exclude=[gone[gone >= self.rows] - self.rows for gone in exclude],
        )
        results: list[Chosen] = []
        for at, (near, (late, _)) in enumerate(zip(proposed, tail, strict=True)):
            near = np.setdiff1d(near[near >= 0], exclude[at])
            candidates = np.concatenate([near, late + self.rows])
            if len(candidates) < min(top, passing - int(np.count_nonzero(mask[exclude[at]]))):
                one = slice(at, at + 1)
                results += exact(rows, queries[one], top=top, mask=mask, exclude=exclude[one])
                continue
            scores = rows[candidates] @ queries[at]
            chosen = best(scores, top)
            results.append((candidates[chosen], scores[chosen]))
        return results

    def _propose(self, queries: Vectors, fetch: int, mask: Flags, share: float) -> NDArray[np.int64]:
        faiss = _faiss()
        # With most pictures filtered out, the nearest that pass lie further away.
        probes = min(self._lists.nlist, int(self._lists.nprobe / share) + 1)
        options = {"nprobe": probes}
        bits = np.packbits(mask[: self.rows], bitorder="little")
        if share < 1:
            options["sel"] = faiss.IDSelectorBitmap(bits)
        inner = faiss.IVFRaBitQSearchParameters(**options)
        with _alone(faiss, len(queries)):
            params = faiss.SearchParametersPreTransform(index_params=inner)
            _, proposed = self._index.search(queries, fetch, params=params)
        return proposed


def newest(folder: Path, file: str) -> Path | None:
    """The index kept beside a vector file that covers most of it."""
    return max(folder.glob(f"{Path(file).stem}-*.codes"), key=covered, default=None)


def load(path: Path, dim: int) -> Approximate | None:
    """The index in this file, if it can be read and was found to be right."""
    index = _read(path)
    if index is None or index.d != dim or not _inner(index).nprobe:
        return None
    return Approximate(index)


def refresh(folder: Path, file: str, vectors: Vectors) -> bool:
    """Build the index of a vector file, or add what it lacks; whether there was something to do.

    New rows go into the lists that there are, until the file has outgrown them.
    """
    last = newest(folder, file)
    if last and covered(last) > _COVERS * len(vectors):
        return False
    faiss = _faiss()
    if faiss is None:
        return False
    _log.info("arranging %s vectors so that searches stay fast", f"{len(vectors):,}")
    index: Any = _read(last) if last else None
    fresh = index is None or len(vectors) > _OUTGROWN * (_inner(index).nlist / _LISTS) ** 2
    if fresh:
        index = _laid_out(vectors)
    for start in range(index.ntotal, len(vectors), _ADDED):
        index.add(np.ascontiguousarray(vectors[start : start + _ADDED]))
    _tune(index, vectors, _SAMPLE if fresh else _SAMPLE // 4)
    path = folder / f"{Path(file).stem}-{len(vectors)}.codes"
    try:
        with replacing(path) as half:
            faiss.write_index(index, str(half))
    except RuntimeError:
        # A full disk, most likely. Without the index search is slower and no less right.
        return False
    if last:
        last.unlink(missing_ok=True)
    return True


def _read(path: Path) -> Any:
    """The faiss index, or None if it is cut short or of another kind: it is only a cache."""
    faiss = _faiss()
    try:
        index = faiss and faiss.read_index(str(path))
        return index if index and isinstance(_inner(index), faiss.IndexIVFRaBitQFastScan) else None
    except (RuntimeError, AttributeError):
        return None


def _inner(index: Any) -> Any:
    """The lists behind the rotation."""
    return _faiss().downcast_index(index.index)


@contextmanager
def _alone(faiss: Any, queries: int) -> Iterator[None]:
    """For a few queries one thread: on a busy machine several wait longer for each other than they work."""
    before = faiss.omp_get_max_threads()
    faiss.omp_set_num_threads(1 if queries < 16 else before)
    try:
        yield
    finally:
        faiss.omp_set_num_threads(before)


def _faiss() -> Any:
    """The library, loaded when a store is large enough to need it; None where it is not installed."""
    try:
        import faiss
    except ImportError:
        return None
    return faiss if hasattr(faiss, "IndexIVFRaBitQFastScan") else None


def covered(path: Path) -> int:
    """How many rows the index in this file covers: its name says."""
    return int(path.stem.rpartition("-")[2])


def _laid_out(vectors: Vectors) -> Any:
    """An empty index whose lists fit these vectors; seeded, so that equal files give equal lists.

    Vectors are turned at random first: then every bit of a code says as much as any other.
    """
    faiss = _faiss()
    dim = vectors.shape[1]
    lists = max(1, int(_LISTS * len(vectors) ** 0.5))
    turn = faiss.RandomRotationMatrix(dim, dim)
    turn.init(0)
    chosen = np.random.default_rng(0).choice(len(vectors), min(len(vectors), _SEEN * lists), replace=False)
    sample = turn.apply(np.ascontiguousarray(vectors[np.sort(chosen)]))
    centres = faiss.IndexFlatIP(dim)
    centres.add(_centres(sample, lists))
    index = faiss.IndexIVFRaBitQFastScan(centres, dim, lists, faiss.METRIC_INNER_PRODUCT)
    index.train(sample)
    return faiss.IndexPreTransform(turn, index)


def _centres(sample: Vectors, count: int) -> Vectors:
    """The middles of this many groups, by which the sample falls apart best: k-means on the sphere."""
    centres = np.ascontiguousarray(sample[:: max(1, len(sample) // count)][:count])
    for _ in range(_ROUNDS):
        nearest = np.argmax(sample @ centres.T, axis=1)
        order = np.argsort(nearest, kind="stable")
        there, starts = np.unique(nearest[order], return_index=True)
        # A middle that nothing is near to stays where it was.
        centres[there] = unit(np.add.reduceat(sample[order], starts))
    return centres


def _tune(index: Any, vectors: Vectors, sample: int) -> None:
    """Read as many lists as it takes to find what exact search finds, on queries like composed ones.

    A composed query lies between pictures, where an index is weakest, so three quarters of the sample
    are means of two pictures; these and the pictures themselves must each be found. Where all lists are
    not enough, none are asked for, which tells `load` that this index is not to be used.
    """
    pick = np.random.default_rng(1).integers(len(vectors), size=(2, sample))
    plain = np.arange(sample) % 4 == 0
    pick[1, plain] = pick[0, plain]
    queries = unit(vectors[pick[0]] + vectors[pick[1]])
    everything = np.ones(len(vectors), np.bool_)
    nothing = [np.empty(0, np.intp)] * len(queries)
    truth = [rows for rows, _ in exact(vectors, queries, top=10, mask=everything, exclude=nothing)]
    lists = _inner(index)
    probes = min(max(4, lists.nprobe), lists.nlist)
    while True:
        lists.nprobe = probes
        _, places = index.search(queries, 10 * _WIDTH + _SPARE)
        found = np.array([np.isin(true, near).mean() for true, near in zip(truth, places, strict=True)])
        if min(found[plain].mean(), found[~plain].mean()) >= _RECALL:
            return
        if probes == lists.nlist:
            break
        probes = min(lists.nlist, probes * 5 // 4)
    lists.nprobe = 0
