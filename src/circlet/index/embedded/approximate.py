"""Approximate search for very large stores: an inverted file proposes, the exact vectors decide."""

import logging
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from circlet.core import Flags, Vectors, best, unit
from circlet.core.files import replacing
from circlet.index.embedded.exact import FEW, Chosen, exact

# Up to here the exact product takes less than a tenth of a second on two cores.
PAYS_FROM = 400_000
# How many candidates are scored exactly for each result that is asked for.
_WIDTH = 4
# What the index must find of the true ten best on a sample, or exact search stays.
_RECALL = 0.97
# Reading more than this share of the lists is no longer faster than reading everything.
_MOST_PROBED = 0.2
# An index whose rows grew by this factor since its lists were laid out is laid out anew.
_OUTGROWN = 4
# The tail that is searched exactly may grow to the rest of this share before it is added.
_COVERS = 0.9
_SAMPLE = 256
_log = logging.getLogger("circlet.index")
_ADDED = 50_000


class Approximate:
    """A faiss inverted file over the first rows of one vector file; the rest is searched exactly.

    It never decides alone: its candidates are scored with the stored vectors, rows that do not
    count are masked, and a query for which it finds too few is searched exactly.
    """

    def __init__(self, index: Any) -> None:
        self._index = index

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
        fetch = _WIDTH * top + max((len(gone) for gone in exclude), default=0)
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
        probes = min(self._index.nlist, int(self._index.nprobe / share) + 1)
        options = {"nprobe": probes}
        bits = np.packbits(mask[: self.rows], bitorder="little")
        if share < 1:
            options["sel"] = faiss.IDSelectorBitmap(bits)
        _, proposed = self._index.search(queries, fetch, params=faiss.SearchParametersIVF(**options))
        return proposed


def newest(folder: Path, file: str) -> Path | None:
    """The index kept beside a vector file that covers most of it."""
    return max(folder.glob(f"{Path(file).stem}-*.ann"), key=covered, default=None)


def load(path: Path, dim: int) -> Approximate | None:
    """The index in this file, if it can be read and was found to pay."""
    index = _read(path, mapped=True)
    if index is None or index.d != dim or index.nprobe > _MOST_PROBED * index.nlist:
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
    index = _read(last, mapped=False) if last else None
    if index is None or len(vectors) > _OUTGROWN * (index.nlist / 2) ** 2:
        index = _laid_out(vectors)
    for start in range(index.ntotal, len(vectors), _ADDED):
        index.add(np.ascontiguousarray(vectors[start : start + _ADDED]))
    _tune(index, vectors)
    path = folder / f"{Path(file).stem}-{len(vectors)}.ann"
    try:
        with replacing(path) as half:
            faiss.write_index(index, str(half))
    except RuntimeError:
        # A full disk, most likely. Without the index search is slower and no less right.
        return False
    if last:
        last.unlink(missing_ok=True)
    return True


def _read(path: Path, *, mapped: bool) -> Any:
    """The faiss index, or None if it is cut short or of another faiss: it is only a cache."""
    faiss = _faiss()
    try:
        return faiss and faiss.read_index(str(path), faiss.IO_FLAG_MMAP if mapped else 0)
    except RuntimeError:
        return None


def _faiss() -> Any:
    """The library, loaded when a store is large enough to need it; None where it is not installed."""
    try:
        import faiss
    except ImportError:
        return None
    return faiss


def covered(path: Path) -> int:
    """How many rows the index in this file covers: its name says."""
    return int(path.stem.rpartition("-")[2])


def _laid_out(vectors: Vectors) -> Any:
    """An empty index whose lists fit these vectors; seeded, so that equal files give equal lists."""
    faiss = _faiss()
    dim = vectors.shape[1]
    lists = max(1, int(2 * len(vectors) ** 0.5))
    index = faiss.IndexIVFScalarQuantizer(
        faiss.IndexFlatIP(dim), dim, lists, faiss.ScalarQuantizer.QT_8bit, faiss.METRIC_INNER_PRODUCT
    )
    index.cp.niter = 5
    # Small stores are only indexed on request, as tests do: faiss need not warn about it.
    index.cp.min_points_per_centroid = 1
    index.cp.max_points_per_centroid = 40
    chosen = np.random.default_rng(0).choice(len(vectors), min(len(vectors), 40 * lists), replace=False)
    index.train(vectors[np.sort(chosen)])
    return index


def _tune(index: Any, vectors: Vectors) -> None:
    """Read as many lists as it takes to find what exact search finds, on queries like composed ones.

    A composed query lies between pictures, where an index is weakest, so half of the sample are
    means of two pictures. If no reasonable number of lists is enough, all are asked for, which
    tells `load` that this index does not pay.
    """
    pick = np.random.default_rng(1).integers(len(vectors), size=(2, _SAMPLE))
    pick[1, ::2] = pick[0, ::2]
    queries = unit(vectors[pick[0]] + vectors[pick[1]])
    everything = np.ones(len(vectors), np.bool_)
    nothing = [np.empty(0, np.intp)] * len(queries)
    truth = [rows for rows, _ in exact(vectors, queries, top=10, mask=everything, exclude=nothing)]
    probes = 1
    while probes <= _MOST_PROBED * index.nlist:
        index.nprobe = probes
        _, places = index.search(queries, 10 * _WIDTH)
        hits = sum(np.isin(true, near).sum() for true, near in zip(truth, places, strict=True))
        if hits >= _RECALL * sum(map(len, truth)):
            return
        probes = probes * 3 // 2 + 1
    index.nprobe = index.nlist
