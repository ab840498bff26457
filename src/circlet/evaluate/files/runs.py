"""Run files: JSON lines with a header; TREC and the servers' submission files are read as runs too.

{"circlet": "run", "version": 1, "method": "sum", "fingerprint": "…", "protocol": "…", "seed": 0}
{"query": "12060", "ids": ["dev-1", "dev-2"], "scores": [0.31, 0.29]}
{"query": "12060", "subset": true, "ids": ["dev-2"], "scores": [0.29]}
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from circlet.core import Benchmark, DataError, Key, Ranking, Run
from circlet.core.files import parse_json, read_text, write_lines
from circlet.core.ranking import as_written
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
    """A run from JSON lines, a TREC file, arrays (.npz), or a submission file of the CIRR or CIRCO server."""
    path = Path(path)
    queries = {query.id for query in benchmark.queries} if benchmark else set()
    if path.suffix == ".npz":
        return read_npz_run(path, queries)
    text = read_text(path, "name a run file")
    first = text.lstrip()[:1]
    head = text.lstrip().split("\n", 1)[0]
    if first == "{" and '"circlet"' in head:
        return _read_lines(path, text)
    if first == "{" and '"ids"' in head:
        raise DataError(f'{path}: a run starts with a header line that has "circlet": "run"; write it first')
    if first == "{":
        return read_submission(path, text)
    if first and first not in "[<":
        return read_trec(path, text, queries)
    raise DataError(f"{path}: neither a circlet run, a TREC run nor a submission file")


def _read_lines(path: Path, text: str) -> Run:
    header: dict[str, Any] = {}
    kept: dict[bool, dict[Key, Ranking]] = {False: {}, True: {}}
    for number, raw in enumerate(text.split("\n"), start=1):
        if not raw.strip():
            continue
        where = f"{path}, line {number}"
        try:
            line = parse_json(raw)
        except json.JSONDecodeError as error:
            raise DataError(f"{where}: not JSON ({error.msg}); write the run again") from None
        if not header:
            header = _header(where, line)
            continue
        try:
            key = Key(str(line["query"]), int(line.get("turn", 1)), int(line.get("wording", 0)))
            if not isinstance(line["ids"], list) or not isinstance(line["scores"], list):
                raise TypeError("ids and scores are lists")
            ranking = Ranking([str(id) for id in line["ids"]], as_written(line["scores"]))
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            raise DataError(f"{where}: a ranking has query, ids and as many scores ({error})") from None
        rankings = kept[bool(line.get("subset"))]
        if key in rankings:
            raise DataError(f"{where}: query {key} is ranked twice; keep one of the two")
        if np.isnan(ranking.scores).any():
            raise DataError(f"{where}: query {key} has a score that is not a number")
        if (np.diff(ranking.scores) > 0).any():
            raise DataError(f"{where}: the ranking of query {key} is not best first; sort it by score")
        rankings[key] = ranking
    fields = {name: header[name] for name in _HEADER if name in header}
    return Run(**fields, rankings=kept[False], subsets=kept[True])


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
