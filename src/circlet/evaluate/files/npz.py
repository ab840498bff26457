"""Arrays that somebody else's code wrote with `numpy.savez`: features to be measured, and rankings.

Features: `image_ids` (n), `image_vectors` (n × d), `query_ids` (q), `query_vectors` (q × d).
Rankings: `query_ids` (q), `ranked_ids` (q × k, best first) and, if there are any, `scores` (q × k);
`subset_query_ids`, `subset_ranked_ids` and `subset_scores` for rankings of subsets. A row that is
shorter than the others ends in empty names (or in numbers below zero).
Ids are texts or whole numbers; a later turn is `ID@2`, another wording `ID~1`. `method`, `fingerprint`,
`protocol`, `seed` and `made` may say what made them.
"""

import hashlib
import zipfile
import zlib
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from circlet.core import DataError, Gallery, Key, Ranking, Run, UsageError, Vectors, unit
from circlet.core.files import unread, written_whole

Array = NDArray[Any]
_FEATURES = ("image_ids", "image_vectors", "query_ids", "query_vectors")
_HEADER = ("method", "fingerprint", "protocol", "made")
_BROKEN = (
    ValueError, KeyError, EOFError, SyntaxError, MemoryError, NotImplementedError, RuntimeError, zlib.error,
    zipfile.BadZipFile,
)  # fmt: skip
# Lengths this near to one are one, in half precision.
_NEAR = 0.01


@dataclass(frozen=True, eq=False)
class GivenFeatures:
    """Features as a file has them, brought to length one: of pictures by id, of queries by key.

    `scaled` says whether they were of another length before.
    """

    method: str
    pictures: Gallery
    queries: Mapping[Key, int]
    query_vectors: Vectors
    scaled: bool


def read_features(path: Path | str, queries: Collection[str] = ()) -> GivenFeatures:
    """The features of a file; what is missing or does not fit together is told in one sentence.

    `queries` are ids known to the benchmark, so that one which looks like a turn's is not taken apart.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "mine.npz"
    >>> np.savez(path, image_ids=["a", "b"], image_vectors=np.eye(2), query_ids=[7],
    ...          query_vectors=[[3, 4]])
    >>> given = read_features(path)
    >>> given.method, given.pictures.ids, given.queries, given.scaled
    ('mine', ('a', 'b'), {Key(query='7', turn=1, wording=0): 0}, True)
    """
    path = Path(path)
    arrays = _arrays(path)
    if gone := [name for name in _FEATURES if name not in arrays]:
        hint = "it holds rankings, so give it by --run" if "ranked_ids" in arrays else "write them too"
        raise DataError(f"{path}: features are {', '.join(_FEATURES)}; {', '.join(gone)} not there: {hint}")
    images, image_vectors = _features(path, arrays, "image")
    asked, query_vectors = _features(path, arrays, "query")
    if image_vectors.shape[1] != query_vectors.shape[1]:
        raise DataError(
            f"{path}: pictures have {image_vectors.shape[1]} numbers and queries {query_vectors.shape[1]}: "
            "vectors of one space are wanted"
        )
    keys = _keys(path, asked, queries)
    lengths = [np.linalg.norm(rows, axis=1) for rows in (image_vectors, query_vectors)]
    for names, length in zip((images, asked), lengths, strict=True):
        if (length == 0).any():
            raise DataError(
                f"{path}: the vector of {names[int(np.argmin(length))]} is all zeros; make it again"
            )
    digest = hashlib.sha256(image_vectors.tobytes() + query_vectors.tobytes()).hexdigest()[:12]
    told = _said(path, arrays)
    return GivenFeatures(
        method=told.get("method", path.stem),
        pictures=Gallery(images, unit(image_vectors), told.get("fingerprint", f"features:{digest}")),
        queries={key: row for row, key in enumerate(keys)},
        query_vectors=unit(query_vectors),
        scaled=any(bool((np.abs(length - 1) > _NEAR).any()) for length in lengths),
    )


def _features(path: Path, arrays: Mapping[str, Array], kind: str) -> tuple[list[str], Array]:
    ids, vectors = _ids(path, arrays, f"{kind}_ids", 1), arrays[f"{kind}_vectors"]
    if vectors.ndim != 2 or vectors.dtype.kind not in "fiu":
        raise DataError(f"{path}: {kind}_vectors are a table of numbers, a row each, not {_shape(vectors)}")
    if len(ids) != len(vectors) or not len(ids):
        raise DataError(
            f"{path}: {len(ids)} {kind}_ids and {len(vectors)} {kind}_vectors: one row an id is wanted"
        )
    if len(set(ids)) < len(ids):
        twice = Counter(ids).most_common(1)[0][0]
        raise DataError(f"{path}: {twice} stands twice in {kind}_ids; keep one of the two")
    if not np.isfinite(vectors).all():
        row = int(np.flatnonzero(~np.isfinite(vectors).all(axis=1))[0])
        raise DataError(f"{path}: the vector of {ids[row]} has a number that is not finite; make it again")
    return [str(id) for id in ids], vectors.astype(np.float32)


def read_npz_run(path: Path, queries: Collection[str] = ()) -> Run:
    """A run from arrays; without scores the order is the ranking."""
    arrays = _arrays(path)
    if "query_vectors" in arrays:
        raise UsageError(f"{path}: features, not rankings: give it by --features")
    if not {"ranked_ids", "subset_ranked_ids"} & arrays.keys():
        raise DataError(f"{path}: a run has query_ids and ranked_ids; write them with numpy.savez")
    seed = arrays.get("seed")
    if seed is not None and (seed.ndim or seed.dtype.kind not in "iu"):
        raise DataError(f"{path}: seed is a whole number, not {_shape(seed)}")
    fields = {"method": path.stem} | _said(path, arrays)
    return Run(
        **fields,
        seed=None if seed is None else int(seed),
        rankings=dict(_rankings(path, arrays, "", queries)),
        subsets=dict(_rankings(path, arrays, "subset_", queries)),
    )


def _rankings(
    path: Path, arrays: Mapping[str, Array], kind: str, queries: Collection[str]
) -> Iterator[tuple[Key, Ranking]]:
    names = f"{kind}query_ids", f"{kind}ranked_ids", f"{kind}scores"
    if names[1] not in arrays:
        return
    if names[0] not in arrays:
        raise DataError(f"{path}: {names[1]} without {names[0]}; write whose rankings they are")
    asked, ranked = _ids(path, arrays, names[0], 1), _ids(path, arrays, names[1], 2)
    scores = arrays.get(names[2])
    if len(asked) != len(ranked):
        raise DataError(f"{path}: {len(asked)} {names[0]} and {len(ranked)} rows of {names[1]}: one each")
    if scores is not None and (scores.shape != arrays[names[1]].shape or scores.dtype.kind not in "fiu"):
        raise DataError(f"{path}: {names[2]} are numbers in the shape of {names[1]}, not {_shape(scores)}")
    # Half precision and single are single here, everything else is double.
    precise = np.float32 if scores is not None and scores.dtype in (np.float16, np.float32) else np.float64
    for row, (key, ids) in enumerate(zip(_keys(path, asked, queries), ranked, strict=True)):
        end = next((place for place, id in enumerate(ids) if _padding(id)), len(ids))
        if not all(_padding(id) for id in ids[end:]):
            raise DataError(f"{path}: the ranking of query {key} has a gap; put its empty names at the end")
        own: Array = (
            -np.arange(end, dtype=np.float64) if scores is None else scores[row, :end].astype(precise)
        )
        if np.isnan(own).any():
            raise DataError(f"{path}: query {key} has a score that is not a number")
        if (np.diff(own) > 0).any():
            raise DataError(f"{path}: the ranking of query {key} is not best first; sort it by score")
        yield key, Ranking([str(id) for id in ids[:end]], own)


def write_npz_run(run: Run, path: Path | str) -> Path:
    """Write a run as arrays, which `read_run` reads back.

    >>> import tempfile
    >>> run = Run(method="toy", rankings={Key("1", 2): Ranking(["b", "a"], [0.5, 0.25])}, seed=3)
    >>> read_npz_run(write_npz_run(run, Path(tempfile.mkdtemp()) / "toy.npz")) == run
    True
    """
    told = {name: getattr(run, name) for name in (*_HEADER, "seed")}
    arrays = {name: np.array(value) for name, value in told.items() if value not in ("", None)}
    for kind, rankings in (("", run.rankings), ("subset_", run.subsets)):
        if not rankings and (kind or run.subsets):
            continue
        deep = max(map(len, rankings.values()), default=0)
        ids = [[*ranking.ids, *[""] * (deep - len(ranking))] for ranking in rankings.values()]
        precise = np.result_type(np.float32, *{ranking.scores.dtype for ranking in rankings.values()})
        scores = np.zeros((len(rankings), deep), precise)
        for row, ranking in enumerate(rankings.values()):
            scores[row, : len(ranking)] = ranking.scores
        arrays[f"{kind}query_ids"] = np.array([str(key) for key in rankings], np.str_)
        arrays[f"{kind}ranked_ids"] = np.array(ids, np.str_).reshape(len(rankings), deep)
        arrays[f"{kind}scores"] = scores
    with written_whole(path, "wb") as file:
        np.savez_compressed(file, **arrays)  # type: ignore[arg-type]
    return Path(path)


def _arrays(path: Path) -> dict[str, Array]:
    """Every array of a file; nothing in it is run, so ids must be texts or numbers."""
    try:
        held = np.load(path, allow_pickle=False)
        if not isinstance(held, np.lib.npyio.NpzFile):
            raise ValueError("one array, not several with names")
        with held:
            return {name: held[name] for name in held.files}
    except OSError as error:
        raise unread(path, error, "name a file that numpy.savez wrote") from None
    except _BROKEN as error:
        if "allow_pickle" in str(error):
            raise DataError(
                f"{path}: not a file of plain arrays; write ids as text, np.array(ids, dtype=str), with "
                "numpy.savez"
            ) from None
        cause = " ".join(str(error).split())[:120] or type(error).__name__
        raise DataError(f"{path}: not a file that numpy.savez wrote ({cause}); write it again") from None


def _ids(path: Path, arrays: Mapping[str, Array], name: str, dimensions: int) -> list[Any]:
    ids = arrays[name]
    if ids.ndim != dimensions or ids.dtype.kind not in "USiu":
        shape = "a list" if dimensions == 1 else "a table"
        raise DataError(f"{path}: {name} is {shape} of texts or whole numbers, not {_shape(ids)}")
    if ids.dtype.kind == "S":
        try:
            ids = np.char.decode(ids, "utf-8")
        except UnicodeDecodeError:
            raise DataError(f"{path}: {name} is not text in UTF-8; write it again") from None
    listed = ids.tolist()
    return [str(id) for id in listed] if dimensions == 1 else listed


def _keys(path: Path, names: list[str], known: Collection[str]) -> list[Key]:
    keys = [Key(name) if name in known else Key.parse(name) for name in names]
    if len(set(keys)) < len(keys):
        twice = Counter(keys).most_common(1)[0][0]
        raise DataError(f"{path}: query {twice} stands there twice; keep one of the two")
    return keys


def _padding(id: Any) -> bool:
    return id < 0 if isinstance(id, int) else not id


def _said(path: Path, arrays: Mapping[str, Array]) -> dict[str, str]:
    """What the file says of itself."""
    for name in _HEADER:
        if name in arrays and (arrays[name].ndim or arrays[name].dtype.kind != "U"):
            raise DataError(f"{path}: {name} is one text, not {_shape(arrays[name])}")
    return {name: str(arrays[name]) for name in _HEADER if name in arrays and str(arrays[name])}


def _shape(array: Array) -> str:
    return f"{array.dtype} of shape {array.shape}"
