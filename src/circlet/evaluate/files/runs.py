"""Run files: JSON lines with a header; TREC and the servers' submission files are read as runs too.

{"circlet": "run", "version": 1, "method": "sum", "fingerprint": "…", "protocol": "…", "seed": 0}
{"query": "12060", "ids": ["dev-1", "dev-2"], "scores": [0.31, 0.29]}
{"query": "12060", "subset": true, "ids": ["dev-2"], "scores": [0.29]}
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from circlet.core import Benchmark, DataError, Key, Ranking, Run
from circlet.core.files import gathering, parse_json, read_text, write_lines
from circlet.core.ranking import Scores, all_as_written, as_written
from circlet.evaluate.files.npz import read_npz_run, write_npz_run
from circlet.evaluate.files.submissions import read_submission
from circlet.evaluate.files.trec import read_trec, write_trec

VERSION = 1
_HEADER = ("method", "fingerprint", "protocol", "seed", "made")


def write_run(run: Run, path: Path | str) -> Path:
    """Write a run as JSON lines; scores are read back bit by bit.

    >>> import tempfile
    >>> run = Run(method="toy", rankings={Key("1"): Ranking(["b", "a"], [0.1, 0.05])}, seed=0)
    >>> again = read_run(write_run(run, Path(tempfile.mkdtemp()) / "toy.jsonl"))
    >>> again == run
    True
    """
    return write_lines(path, _lines(run))


def save_run(run: Run, path: Path) -> Path:
    """Write a run in the form that its file's name says: .trec, .npz, else JSON lines."""
    return {".trec": write_trec, ".npz": write_npz_run}.get(path.suffix, write_run)(run, path)


def _lines(run: Run) -> Iterator[dict[str, Any]]:
    fields = {name: getattr(run, name) for name in _HEADER}
    header = {name: value for name, value in fields.items() if value not in ("", None)}
    yield {"circlet": "run", "version": VERSION} | header
    for rankings, subset in ((run.rankings, False), (run.subsets, True)):
        for key, ranking in rankings.items():
            line: dict[str, Any] = {"query": key.query}
            line |= {"turn": key.turn} if key.turn > 1 else {}
            line |= {"wording": key.wording} if key.wording else {}
            line |= {"subset": True} if subset else {}
            if not np.isfinite(ranking.scores).all():
                raise DataError(f"the ranking of query {key} has a score that is no finite number")
            # The shortest decimal that is this number and no other of its precision.
            yield line | {"ids": ranking.ids, "scores": [float(str(score)) for score in ranking.scores]}


def read_run(path: Path | str, benchmark: Benchmark | None = None) -> Run:
    """A run from JSON lines, a TREC file, arrays (.npz), or a submission file of a test server."""
    path = Path(path)
    queries = {query.id for query in benchmark.queries} if benchmark else set()
    if path.suffix == ".npz":
        return read_npz_run(path, queries)
    text = read_text(path, "name a run file")
    first = text.lstrip()[:1]
    head = text.lstrip().split("\n", 1)[0]
    if first == "{" and '"circlet"' in head:
        with gathering():
            return _read_lines(path, text)
    if first == "{" and '"ids"' in head:
        raise DataError(f'{path}: a run starts with a header line that has "circlet": "run"; write it first')
    if first == "{":
        return read_submission(path, text, benchmark)
    if first and first not in "[<":
        return read_trec(path, text, queries)
    raise DataError(f"{path}: neither a circlet run, a TREC run nor a submission file")


class _Line(NamedTuple):
    """A ranking's line: its number in the file, and what it says."""

    number: int
    ids: list[Any]
    scores: list[Any]


def _read_lines(path: Path, text: str) -> Run:
    header: dict[str, Any] = {}
    lines: dict[tuple[Key, bool], _Line] = {}
    for number, raw in enumerate(text.split("\n"), start=1):
        if not raw.strip():
            continue
        try:
            line = parse_json(raw)
        except json.JSONDecodeError as error:
            raise DataError(f"{_where(path, number)}: not JSON ({error.msg}); write the run again") from None
        if not header:
            header = _header(_where(path, number), line)
            continue
        try:
            key = Key(str(line["query"]), int(line.get("turn", 1)), int(line.get("wording", 0)))
            ids, scores = line["ids"], line["scores"]
            if not isinstance(ids, list) or not isinstance(scores, list):
                raise TypeError("ids and scores are lists")
            if len(ids) != len(scores):
                raise ValueError(f"{len(ids)} ids but {len(scores)} scores")
            place = (key, bool(line.get("subset")))
        except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
            raise _no_ranking(path, number, error) from None
        if place in lines:
            raise DataError(f"{_where(path, number)}: query {key} is ranked twice; keep one of the two")
        lines[place] = _Line(number, ids, scores)
    kept: dict[bool, dict[Key, Ranking]] = {False: {}, True: {}}
    for ((key, subset), line), scores in zip(lines.items(), _scores(path, lines), strict=True):
        kept[subset][key] = Ranking(tuple(map(str, line.ids)), scores)
    fields = {name: header[name] for name in _HEADER if name in header}
    return Run(**fields, rankings=kept[False], subsets=kept[True])


def _where(path: Path, number: int) -> str:
    return f"{path}, line {number}"


def _no_ranking(path: Path, number: int, error: Exception) -> DataError:
    return DataError(f"{_where(path, number)}: a ranking has query, ids and as many scores ({error})")


def _scores(path: Path, lines: Mapping[tuple[Key, bool], _Line]) -> list[Scores]:
    """The scores of every line, all at once; the first that is no number or out of order is named."""
    try:
        scores = all_as_written([line.scores for line in lines.values()])
    except (TypeError, ValueError, OverflowError):
        for line in lines.values():
            try:
                as_written(line.scores)
            except (TypeError, ValueError, OverflowError) as error:
                raise _no_ranking(path, line.number, error) from None
        raise
    ends = np.cumsum([len(some) for some in scores], dtype=np.int64)
    flat = np.concatenate([*scores, np.empty(0)])
    rises = np.concatenate([[False], flat[1:] > flat[:-1]])[: len(flat)]
    rises[ends[ends < len(flat)]] = False
    for wrong, what in (
        (np.isnan(flat), "{}: query {} has a score that is not a number"),
        (rises, "{}: the ranking of query {} is not best first; sort it by score"),
    ):
        if wrong.any():
            owner = int(np.searchsorted(ends, np.flatnonzero(wrong)[0], side="right"))
            (key, _), line = list(lines.items())[owner]
            raise DataError(what.format(_where(path, line.number), key))
    return scores


def _header(where: str, line: Any) -> dict[str, Any]:
    if not isinstance(line, dict) or line.get("circlet") != "run":
        kind = line.get("circlet") if isinstance(line, dict) else None
        raise DataError(f"{where}: a circlet {kind or 'file of another kind'}, not a run")
    if line.get("version") != VERSION:
        raise DataError(f"{where}: version {line.get('version')} of the format; this circlet reads {VERSION}")
    if not isinstance(line.get("method"), str):
        raise DataError(f"{where}: the header does not say the method")
    for name in _HEADER:
        kind = int if name == "seed" else str
        if line.get(name) is not None and not isinstance(line[name], kind):
            raise DataError(
                f"{where}: {name} is {'a whole number' if kind is int else 'text'}, not {line[name]!r}"
            )
    return line
