"""TREC run files: `query Q0 picture rank score tag`, one line per candidate."""

from collections.abc import Collection
from pathlib import Path
from urllib.parse import quote, unquote

import numpy as np

from circlet.core import DataError, Key, Ranking, Run, UsageError
from circlet.core.files import written_whole
from circlet.core.ranking import as_written

# Everything but blanks and the escape itself stays as it is: ids are names and paths.
_PLAIN = "!\"#$&'()*+,/:;<=>?@[\\]^`{|}~"


def write_trec(run: Run, path: Path | str) -> Path:
    """Write a run's rankings in TREC form; blanks in ids are escaped as in addresses (%20).

    >>> import tempfile
    >>> run = Run(method="toy", rankings={Key("1"): Ranking(["b c", "a"], [0.5, 0.25])})
    >>> path = write_trec(run, Path(tempfile.mkdtemp()) / "toy.trec")
    >>> print(path.read_text().splitlines()[0])
    1 Q0 b%20c 1 0.5 toy
    >>> read_trec(path, path.read_text()).rankings == run.rankings
    True
    """
    if run.subsets:
        raise UsageError(
            f"{path}: a TREC file has no room for rankings of subsets, which this run has: save it as a "
            ".jsonl file"
        )
    tag = quote(run.method, safe=_PLAIN) or "circlet"
    with written_whole(path) as file:
        for key, ranking in run.rankings.items():
            query = quote(str(key), safe=_PLAIN)
            for place, (id, score) in enumerate(zip(ranking.ids, ranking.scores, strict=True), start=1):
                file.write(f"{query} Q0 {quote(id, safe=_PLAIN)} {place} {score} {tag}\n")
    return Path(path)


def read_trec(path: Path, text: str, queries: Collection[str] = ()) -> Run:
    """A run from TREC lines; as is the custom there, the scores decide and not the rank column.

    `queries` are ids known to the benchmark, so that one which looks like a turn's is not taken
    apart.
    """
    rows: dict[str, list[tuple[float, int, str]]] = {}
    tag = ""
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        parts = line.split()
        try:
            query, _, id, place, score, tag = parts
            rows.setdefault(unquote(query), []).append((-float(score), int(place), unquote(id)))
        except ValueError:
            raise DataError(
                f"{path}, line {number}: a TREC line is `query Q0 picture rank score tag`, not {line[:60]!r}"
            ) from None
        if np.isnan(rows[unquote(query)][-1][0]):
            raise DataError(f"{path}, line {number}: the score is not a number")
    rankings = {}
    for name, candidates in rows.items():
        candidates.sort(key=lambda candidate: candidate[:2])
        key = Key(name) if name in queries else Key.parse(name)
        rankings[key] = Ranking(
            [id for _, _, id in candidates], as_written([-score for score, _, _ in candidates])
        )
    return Run(method=unquote(tag), rankings=rankings)
